//! Batches of playouts from one position, and what came out of them.

use crate::bits::{Isa, Kernel};
use crate::havannah::{Base, Board, Cell, Notation, Outcome, WinKind};
use crate::playout::{Policy, Simulator, Start, draw_moves};
use crate::rng::Rng;

/// What came out of some games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub games: u64,
    pub moves: u64,
    pub forks: u64,
    pub bridges: u64,
    pub rings: u64,
    pub draws: u64,
    /// Games won by the side that moved first.
    pub first_player: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.forks += other.forks;
        self.bridges += other.bridges;
        self.rings += other.rings;
        self.draws += other.draws;
        self.first_player += other.first_player;
    }

    pub fn mean_length(&self) -> f64 {
        self.moves as f64 / self.games.max(1) as f64
    }

    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.games.max(1) as f64
    }
}

/// Plays a number of games and counts what came out.
pub fn play<B: Base>(
    isa: Isa,
    simulator: &mut Simulator<B>,
    start: &Start<B>,
    rng: &mut Rng,
    games: u64,
) -> Tally {
    let mut tally = Tally { games, ..Tally::default() };
    let first = start.board().to_move();
    for _ in 0..games {
        let playout = simulator.run(isa, start, rng);
        tally.moves += playout.length as u64;
        let Outcome::Won { by, wins } = playout.outcome else {
            tally.draws += 1;
            continue;
        };
        tally.first_player += u64::from(by == first);
        match wins.kind() {
            Some(WinKind::Fork) => tally.forks += 1,
            Some(WinKind::Bridge) => tally.bridges += 1,
            _ => tally.rings += 1,
        }
    }
    tally
}

/// Draws the moves of a number of games and does nothing with them.
pub struct DrawBatch<'a, B: Base> {
    pub start: &'a Start<B>,
    pub rng: &'a mut Rng,
    pub games: u64,
    pub plies: usize,
}

impl<B: Base> Kernel for DrawBatch<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for _ in 0..self.games {
            std::hint::black_box(draw_moves(self.start, self.plies, self.rng));
        }
    }
}

/// Positions with some stones on the board, from games of players that see wins in one: the game
/// goes on, and the side to move has no win in one. On tiny boards there may be fewer than asked.
pub fn midgame_positions<B: Base>(stones: usize, count: usize, rng: &mut Rng) -> Vec<Board<B>> {
    let start = Start::<B>::new(&Board::new(), Policy::Mate { plies: B::CELLS });
    let mut simulator = Simulator::new();
    let mut positions = Vec::new();
    for _ in 0..1000 * count {
        if positions.len() == count {
            break;
        }
        simulator.run(Isa::PORTABLE, &start, rng);
        let moves: &[Cell] = simulator.moves();
        // The last move of a game was a win that the mover saw.
        if moves.len() > stones + 1 {
            let mut board = Board::new();
            moves[..stones].iter().for_each(|cell| {
                board.place(*cell);
            });
            debug_assert_eq!(board.outcome(), Outcome::Ongoing);
            positions.push(board);
        }
    }
    positions
}

/// Positions in the middle of games that the engine played against itself; none for tiny boards.
pub fn played_positions<B: Base>() -> Vec<Board<B>> {
    let lines = include_str!("middlegames.txt").lines().filter(|line| !line.starts_with('#'));
    let position = |line: &str| {
        let (size, moves) = line.split_once(' ').expect("a line has a base and moves");
        (size.parse() == Ok(B::SIZE)).then(|| {
            let mut board = Board::new();
            for name in moves.split(' ') {
                let cell = Notation::Letternum.read(B::TABLES, name).expect("moves name cells");
                board.play(cell).expect("the moves are legal");
            }
            board
        })
    };
    lines.filter_map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_base;

    #[test]
    fn games_on_record_can_be_played_to_their_middle() {
        fn check<B: Base>() -> usize {
            let boards = played_positions::<B>();
            assert!(boards.iter().all(|board| board.outcome() == Outcome::Ongoing));
            boards.len()
        }
        for size in 2..=10 {
            let count = with_base!(size, B => check::<B>()).expect("a base");
            assert_eq!(count, if size < 4 { 0 } else { 24 }, "base {size}");
        }
    }
}
