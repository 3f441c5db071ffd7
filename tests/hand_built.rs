//! Games that are no Havannah, small enough to be known by heart: so that search is tested
//! without the rules it was written for.
//!
//! [`Lines`] is placing stones on a handful of cells, tic-tac-toe among them; [`Story`] is a tree
//! of positions written out, with values at its ends. Both are [`Rules`], of which [`HandBuilt`] makes
//! a game: it knows what lies ahead by looking, and refuses moves after the end of the game.
//! [`minimax`] gives the value of every position.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use ciclon::internals::bits::Isa;
use ciclon::internals::game::{
    Children, DRAW, LOSS, LeafWork, MOVE_WORDS, Move, MoveWords, Position, Prospect, Value, WIN,
    points_of,
};
use ciclon::internals::params::Params;
use ciclon::internals::rng::Rng;

/// The rules of a game that can be looked through: a position, and how to go on from it. The first side
/// moves first.
pub trait Rules: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// Moves made so far.
    fn ply(&self) -> usize;

    /// The points of the first side, if the game is over.
    fn result(&self) -> Option<u32>;

    /// Adds the legal moves, of a game that is not over.
    fn list_moves(&self, moves: &mut Vec<Move>);

    /// Makes a legal move of a side.
    fn make(&mut self, side: usize, next: Move);

    /// Moves have numbers below this.
    fn move_span(&self) -> usize;

    /// The most plies to the end, if no one can win any more.
    fn drawn_in(&self) -> Option<u32>;
}

/// A position of a game with such rules.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HandBuilt<R>(R);

impl<R: Rules> Position for HandBuilt<R> {
    fn to_move(&self) -> usize {
        self.0.ply() % 2
    }

    fn result(&self) -> Option<u32> {
        self.0.result()
    }

    fn advance(&mut self, next: Move) {
        assert!(self.legal_moves().contains(&next), "an illegal move");
        self.0.make(self.to_move(), next);
    }

    fn list_moves(&self, moves: &mut Vec<Move>) {
        if self.result().is_none() {
            self.0.list_moves(moves);
        }
    }

    fn move_span(&self) -> usize {
        self.0.move_span()
    }

    fn ply(&self) -> usize {
        self.0.ply()
    }

    fn name_of(&self, of: Move) -> String {
        of.number().to_string()
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Hash::hash(self, &mut hasher);
        hasher.finish()
    }

    fn canonical_hash(&self) -> u64 {
        Position::hash(self)
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn leaf_work(&self, _: Isa, _: &Params) -> Box<dyn LeafWork> {
        Box::new(RandomPlayouts::new(self))
    }
}

/// The points of the side to move with best play, and the plies to the end: as few as can be for
/// the side that wins, as many as can be for the other.
pub fn minimax<P: Position + Clone + Eq + Hash>(
    position: &P,
    known: &mut HashMap<P, (u32, u32)>,
) -> (u32, u32) {
    if let Some(value) = known.get(position) {
        return *value;
    }
    let value = match position.result() {
        Some(points) => (points_of(position.to_move(), points), 0),
        None => {
            let values = position.legal_moves().into_iter().map(|next| {
                let (points, plies) = minimax(&after(position, next), known);
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

pub fn after<P: Position + Clone>(position: &P, next: Move) -> P {
    let mut position = position.clone();
    position.advance(next);
    position
}

/// What lies ahead, by looking two plies ahead; and the moves that do not lose at once.
fn look_ahead<R: Rules>(position: &HandBuilt<R>) -> (Prospect, Vec<Move>) {
    assert!(position.result().is_none(), "the game is over");
    let side = position.to_move();
    let wins_at_once = |position: &HandBuilt<R>, side: usize| {
        let wins = |next: &Move| {
            let result = after(position, *next).result();
            result.is_some_and(|points| points_of(side, points) == WIN)
        };
        position.legal_moves().into_iter().find(wins)
    };
    let moves = position.legal_moves();
    if let Some(next) = wins_at_once(position, side) {
        return (Prospect::Win(next), Vec::new());
    }
    let loses_at_once = |next: &Move| {
        let next = after(position, *next);
        match next.result() {
            Some(points) => points_of(side, points) == LOSS,
            None => wins_at_once(&next, 1 - side).is_some(),
        }
    };
    let open: Vec<Move> = moves.iter().copied().filter(|next| !loses_at_once(next)).collect();
    let prospect = match (moves.first(), position.0.drawn_in()) {
        (Some(first), _) if open.is_empty() => Prospect::Loss(*first),
        (_, Some(plies)) => Prospect::Draw { plies },
        _ => Prospect::Open { forced: if let [only] = open[..] { Some(only) } else { None } },
    };
    (prospect, open)
}

/// Stones are placed on cells in turn; whoever has all cells of one of their lines wins.
pub type Lines = HandBuilt<LineRules>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LineRules {
    cells: usize,
    /// The lines of each side.
    lines: Arc<[Vec<u64>; 2]>,
    stones: [u64; 2],
}

impl Lines {
    pub fn tic_tac_toe() -> Self {
        let lines = vec![0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        HandBuilt(LineRules { cells: 9, lines: Arc::new([lines.clone(), lines]), stones: [0; 2] })
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
        HandBuilt(LineRules { cells, lines: Arc::new(lines), stones: [0; 2] })
    }
}

impl LineRules {
    fn has_line(&self, side: usize) -> bool {
        self.lines[side].iter().any(|line| self.stones[side] & line == *line)
    }

    fn can_still_win(&self, side: usize) -> bool {
        self.lines[side].iter().any(|line| self.stones[1 - side] & line == 0)
    }

    /// The empty cells.
    fn empty(&self) -> u64 {
        ((1 << self.cells) - 1) & !(self.stones[0] | self.stones[1])
    }
}

impl Rules for LineRules {
    fn ply(&self) -> usize {
        (self.stones[0] | self.stones[1]).count_ones() as usize
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

    fn list_moves(&self, moves: &mut Vec<Move>) {
        let is_empty = |cell: &usize| self.empty() >> cell & 1 == 1;
        moves.extend((0..self.cells).filter(is_empty).map(Move::new));
    }

    fn make(&mut self, side: usize, next: Move) {
        self.stones[side] |= 1 << next.number();
    }

    fn move_span(&self) -> usize {
        self.cells
    }

    fn drawn_in(&self) -> Option<u32> {
        let is_drawn = !self.can_still_win(0) && !self.can_still_win(1);
        is_drawn.then(|| self.empty().count_ones())
    }
}

/// The most positions a story has.
const MOST_NODES: usize = 64;

/// A position of a story: how it ends, or where it can go on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum StoryNode {
    End(u32),
    Fork(Vec<usize>),
}

/// A tree of positions. Moves are the numbers of the positions they lead to.
pub type Story = HandBuilt<StoryRules>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StoryRules {
    nodes: Arc<Vec<StoryNode>>,
    at: usize,
    ply: usize,
}

impl Story {
    /// Reads a story: `+`, `=` and `-` are ends that are won, drawn and lost for the first side,
    /// brackets hold what can follow. Positions are numbered in the order in which they begin.
    pub fn read(text: &str) -> Self {
        let mut nodes: Vec<StoryNode> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for mark in text.chars().filter(|mark| "+=-[]".contains(*mark)) {
            let node = match mark {
                ']' => {
                    open.pop().expect("a bracket to close");
                    continue;
                }
                '[' => StoryNode::Fork(Vec::new()),
                end => StoryNode::End(match end {
                    '+' => WIN,
                    '=' => DRAW,
                    _ => LOSS,
                }),
            };
            let number = nodes.len();
            if let Some(StoryNode::Fork(moves)) = open.last().map(|at| &mut nodes[*at]) {
                moves.push(number);
            }
            open.extend((mark == '[').then_some(number));
            nodes.push(node);
        }
        assert!(open.is_empty() && nodes.len() <= MOST_NODES, "{text}");
        HandBuilt(StoryRules { nodes: Arc::new(nodes), at: 0, ply: 0 })
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
        write(&mut text, 0, &mut (MOST_NODES as u32 - 1), rng);
        text
    }
}

impl StoryRules {
    /// The most plies from a scene to an end, if every end is a draw.
    fn drawn_from(&self, at: usize) -> Option<u32> {
        match &self.nodes[at] {
            StoryNode::End(points) => (*points == DRAW).then_some(0),
            StoryNode::Fork(moves) => {
                let plies = moves.iter().map(|next| self.drawn_from(*next));
                plies.collect::<Option<Vec<u32>>>()?.into_iter().max().map(|plies| plies + 1)
            }
        }
    }
}

impl Rules for StoryRules {
    fn ply(&self) -> usize {
        self.ply
    }

    fn result(&self) -> Option<u32> {
        match &self.nodes[self.at] {
            StoryNode::End(points) => Some(*points),
            StoryNode::Fork(_) => None,
        }
    }

    fn list_moves(&self, moves: &mut Vec<Move>) {
        if let StoryNode::Fork(next) = &self.nodes[self.at] {
            moves.extend(next.iter().copied().map(Move::new));
        }
    }

    fn make(&mut self, _: usize, next: Move) {
        (self.at, self.ply) = (next.number(), self.ply + 1);
    }

    fn move_span(&self) -> usize {
        self.nodes.len()
    }

    fn drawn_in(&self) -> Option<u32> {
        self.drawn_from(self.at)
    }
}

/// Plays any of these games at random.
struct RandomPlayouts<R> {
    start: HandBuilt<R>,
    made: [MoveWords; 2],
}

impl<R: Rules> RandomPlayouts<R> {
    fn new(start: &HandBuilt<R>) -> Self {
        Self { start: start.clone(), made: [[0; MOVE_WORDS]; 2] }
    }

    fn position_after(&self, line: &[Move]) -> HandBuilt<R> {
        line.iter().fold(self.start.clone(), |position, next| after(&position, *next))
    }
}

impl<R: Rules> LeafWork for RandomPlayouts<R> {
    fn advance(&mut self, line: &[Move]) {
        self.start = self.position_after(line);
    }

    fn look(&mut self, line: &[Move], children: Option<&mut Children>) -> Prospect {
        let position = self.position_after(line);
        if let Some(points) = position.result() {
            return Prospect::Over(points);
        }
        let (prospect, open) = look_ahead(&position);
        if let (Some(children), Prospect::Open { .. }) = (children, prospect) {
            children.clear();
            children.moves.extend(open.iter().map(|next| next.number() as u16));
        }
        prospect
    }

    unsafe fn run(&mut self, line: &[Move], rng: &mut Rng) -> Value {
        let mut position = self.start.clone();
        let mut line = line.iter();
        self.made = [[0; MOVE_WORDS]; 2];
        loop {
            if let Some(points) = position.result() {
                assert!(line.next().is_none(), "a move after the end of the game");
                return Value::of_points(points);
            }
            let moves = position.legal_moves();
            let next = line
                .next()
                .copied()
                .unwrap_or_else(|| moves[rng.below(moves.len() as u32) as usize]);
            let number = next.number();
            self.made[position.to_move()][number / 64] |= 1 << (number % 64);
            position.advance(next);
        }
    }

    fn made(&self) -> [MoveWords; 2] {
        self.made
    }

    fn list_values(&self, _: &[Move], moves: &[u16], values: &mut Vec<Option<f32>>) {
        values.extend(moves.iter().map(|_| None));
    }
}
