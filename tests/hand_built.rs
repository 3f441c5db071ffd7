//! Games that are no Havannah, small enough to be known by heart: so that search is tested
//! without the rules it was written for.
//!
//! [`Lines`] is placing stones on a handful of cells, tic-tac-toe among them; [`Story`] is a tree
//! of positions written out, with values at its ends. Both know what lies ahead by looking, and
//! refuse to be asked once the game is over. [`minimax`] gives the value of every position.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use ciclon::bits::{Bits, Isa};
use ciclon::game::{DRAW, Game, LOSS, Move, MoveSet, Prospect, WIN};
use ciclon::params::Params;
use ciclon::playout::Playouts;
use ciclon::rng::Rng;

pub type Moves = Bits<[u64; 1]>;

/// The points of the side to move with best play, and the plies to the end: as few as can be for
/// the side that wins, as many as can be for the other.
pub fn minimax<G: Game + Eq + Hash>(
    position: &G,
    known: &mut HashMap<G, (u32, u32)>,
) -> (u32, u32) {
    if let Some(value) = known.get(position) {
        return *value;
    }
    let value = match position.result() {
        Some(points) => (points_of(position.to_move(), points), 0),
        None => {
            let values = position.legal_moves().iter().map(|number| {
                let (points, plies) = minimax(&after(position, Move::new(number)), known);
                (WIN - points, plies + 1)
            });
            let key = |(points, plies): &(u32, u32)| {
                (*points, if *points == WIN { -i64::from(*plies) } else { i64::from(*plies) })
            };
            values.max_by_key(key).expect("a game that is not over has moves")
        }
    };
    known.insert(position.clone(), value);
    value
}

pub fn after<G: Game>(position: &G, next: Move) -> G {
    let mut position = position.clone();
    position.advance(next);
    position
}

fn points_of(side: usize, points_of_side_0: u32) -> u32 {
    if side == 0 { points_of_side_0 } else { WIN - points_of_side_0 }
}

/// What lies ahead, by looking two plies ahead.
fn look_ahead<G: Game>(position: &G, is_drawn: bool) -> Prospect<MoveSet<G>> {
    assert!(position.result().is_none(), "the game is over");
    let side = position.to_move();
    let wins_at_once = |position: &G, side: usize| {
        let wins = |number: &usize| {
            let result = after(position, Move::new(*number)).result();
            result.is_some_and(|points| points_of(side, points) == WIN)
        };
        position.legal_moves().iter().find(wins)
    };
    if let Some(number) = wins_at_once(position, side) {
        return Prospect::Win(Move::new(number));
    }
    let loses_at_once = |number: &usize| {
        let next = after(position, Move::new(*number));
        match next.result() {
            Some(points) => points_of(side, points) == LOSS,
            None => wins_at_once(&next, 1 - side).is_some(),
        }
    };
    let moves = position.legal_moves();
    let open: MoveSet<G> = moves.iter().filter(|number| !loses_at_once(number)).collect();
    match moves.first() {
        Some(first) if open.is_empty() => Prospect::Loss(Move::new(first)),
        _ if is_drawn => Prospect::Draw,
        _ => Prospect::Open(open),
    }
}

/// Stones are placed on cells in turn; whoever has all cells of one of their lines wins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lines {
    cells: usize,
    /// The lines of each side.
    lines: Arc<[Vec<u64>; 2]>,
    stones: [u64; 2],
}

impl Lines {
    pub fn tic_tac_toe() -> Self {
        let lines = vec![0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        Self { cells: 9, lines: Arc::new([lines.clone(), lines]), stones: [0; 2] }
    }

    /// Random lines, the same for both sides; or any two neighbours for the second side, and all
    /// cells for the first.
    pub fn random(rng: &mut Rng) -> Self {
        let cells = 4 + rng.below(5) as usize;
        let mut line = |length: u32| {
            let cells = (0..length).map(|_| 1 << rng.below(cells as u32));
            cells.fold(0, |line, cell| line | cell)
        };
        let first: Vec<u64> = [2, 3, 3, 4].map(&mut line).to_vec();
        let lines = match rng.below(2) {
            0 => [first.clone(), first],
            _ => [vec![(1 << cells) - 1], (0..cells - 1).map(|cell| 0b11 << cell).collect()],
        };
        Self { cells, lines: Arc::new(lines), stones: [0; 2] }
    }

    fn has_line(&self, side: usize) -> bool {
        self.lines[side].iter().any(|line| self.stones[side] & line == *line)
    }

    fn can_still_win(&self, side: usize) -> bool {
        self.lines[side].iter().any(|line| self.stones[1 - side] & line == 0)
    }

    fn empty(&self) -> u64 {
        ((1 << self.cells) - 1) & !(self.stones[0] | self.stones[1])
    }
}

impl Game for Lines {
    type Words = [u64; 1];

    fn to_move(&self) -> usize {
        self.ply() % 2
    }

    fn result(&self) -> Option<u32> {
        if self.has_line(0) {
            Some(WIN)
        } else if self.has_line(1) {
            Some(LOSS)
        } else {
            (self.empty() == 0).then_some(DRAW)
        }
    }

    fn advance(&mut self, next: Move) {
        assert!(self.legal_moves().contains(next.number()), "an illegal move");
        self.stones[self.to_move()] |= 1 << next.number();
    }

    fn legal_moves(&self) -> Moves {
        Moves::from_words([self.empty()]).only_if(self.result().is_none())
    }

    fn prospect(&self, _: Isa, _: &Params) -> Prospect<Moves> {
        look_ahead(self, !self.can_still_win(0) && !self.can_still_win(1))
    }

    fn ply(&self) -> usize {
        (self.stones[0] | self.stones[1]).count_ones() as usize
    }

    fn distinct(&self, moves: Moves) -> Moves {
        moves
    }

    fn name_of(&self, of: Move) -> String {
        of.number().to_string()
    }
}

/// A position of a story: how it ends, or where it can go on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Scene {
    End(u32),
    Fork(Vec<usize>),
}

/// A tree of positions. Moves are the numbers of the positions they lead to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Story {
    scenes: Arc<Vec<Scene>>,
    at: usize,
    ply: usize,
}

impl Story {
    /// Reads a story: `+`, `=` and `-` are ends that are won, drawn and lost for the first side,
    /// brackets hold what can follow. Positions are numbered in the order in which they begin.
    pub fn read(text: &str) -> Self {
        let mut scenes: Vec<Scene> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for mark in text.chars().filter(|mark| "+=-[]".contains(*mark)) {
            let scene = match mark {
                ']' => {
                    open.pop().expect("a bracket to close");
                    continue;
                }
                '[' => Scene::Fork(Vec::new()),
                end => Scene::End(match end {
                    '+' => WIN,
                    '=' => DRAW,
                    _ => LOSS,
                }),
            };
            let number = scenes.len();
            if let Some(Scene::Fork(moves)) = open.last().map(|at| &mut scenes[*at]) {
                moves.push(number);
            }
            open.extend((mark == '[').then_some(number));
            scenes.push(scene);
        }
        assert!(open.is_empty() && scenes.len() <= Moves::CAPACITY, "{text}");
        Self { scenes: Arc::new(scenes), at: 0, ply: 0 }
    }

    /// A random story as text.
    pub fn random_text(rng: &mut Rng) -> String {
        fn write(text: &mut String, depth: u32, left: &mut u32, rng: &mut Rng) {
            if depth > 0 && (rng.below(4) == 0 || *left < 8) {
                return text.push(['+', '=', '-'][rng.below(3) as usize]);
            }
            text.push('[');
            let moves = 1 + rng.below(4).min(*left - 1);
            *left -= moves;
            (0..moves).for_each(|_| write(text, depth + 1, left, rng));
            text.push(']');
        }
        let mut text = String::new();
        write(&mut text, 0, &mut (Moves::CAPACITY as u32 - 1), rng);
        text
    }

    /// Whether every end from here on is a draw.
    fn is_drawn(&self, at: usize) -> bool {
        match &self.scenes[at] {
            Scene::End(points) => *points == DRAW,
            Scene::Fork(moves) => moves.iter().all(|next| self.is_drawn(*next)),
        }
    }
}

impl Game for Story {
    type Words = [u64; 1];

    fn to_move(&self) -> usize {
        self.ply % 2
    }

    fn result(&self) -> Option<u32> {
        match &self.scenes[self.at] {
            Scene::End(points) => Some(*points),
            Scene::Fork(_) => None,
        }
    }

    fn advance(&mut self, next: Move) {
        assert!(self.legal_moves().contains(next.number()), "an illegal move");
        (self.at, self.ply) = (next.number(), self.ply + 1);
    }

    fn legal_moves(&self) -> Moves {
        match &self.scenes[self.at] {
            Scene::End(_) => Moves::empty(),
            Scene::Fork(moves) => moves.iter().copied().collect(),
        }
    }

    fn prospect(&self, _: Isa, _: &Params) -> Prospect<Moves> {
        look_ahead(self, self.is_drawn(self.at))
    }

    fn ply(&self) -> usize {
        self.ply
    }

    fn distinct(&self, moves: Moves) -> Moves {
        moves
    }

    fn name_of(&self, of: Move) -> String {
        of.number().to_string()
    }
}

/// Plays any of these games at random.
pub struct RandomPlayouts<G: Game> {
    start: G,
    made: [MoveSet<G>; 2],
}

impl<G: Game> RandomPlayouts<G> {
    pub fn new(start: &G) -> Self {
        Self { start: start.clone(), made: [MoveSet::<G>::empty(); 2] }
    }
}

impl<G: Game> Playouts for RandomPlayouts<G> {
    type Game = G;

    fn start_from(&mut self, position: &G) {
        self.start = position.clone();
    }

    fn run(&mut self, line: &[Move], rng: &mut Rng) -> u32 {
        let mut position = self.start.clone();
        let mut line = line.iter();
        self.made = [MoveSet::<G>::empty(); 2];
        loop {
            if let Some(points) = position.result() {
                assert!(line.next().is_none(), "a move after the end of the game");
                return points;
            }
            let moves = position.legal_moves();
            let next = line.next().copied().unwrap_or_else(|| {
                let choice = rng.below(moves.len() as u32) as usize;
                Move::new(moves.iter().nth(choice).expect("a move"))
            });
            self.made[position.to_move()].insert(next.number());
            position.advance(next);
        }
    }

    fn made(&self) -> [MoveSet<G>; 2] {
        self.made
    }
}
