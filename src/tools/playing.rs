//! Batches of playouts from one position and their results, and positions to start from.

use crate::bits::Isa;
use crate::havannah::playout::{Playouts, Policy};
use crate::havannah::{Board, Cell, Geometry, Notation, Outcome, WinKind};
use crate::rng::Rng;

/// The results of a number of games.
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

/// Plays `games` games and counts the results.
pub fn play(playouts: &mut Playouts, rng: &mut Rng, games: u64) -> Tally {
    let mut tally = Tally { games, ..Tally::default() };
    let first = playouts.board().to_move();
    for _ in 0..games {
        let playout = playouts.run(rng);
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

/// Positions with `stones` stones, from playouts with the mate policy at every ply. The game is not
/// over, and the side to move has no win in one. On tiny boards there may be fewer than `count`.
pub fn midgame_positions(
    geometry: &Geometry,
    stones: usize,
    count: usize,
    rng: &mut Rng,
) -> Vec<Board> {
    let policy = Policy::Mate { plies: geometry.cell_count() };
    let mut playouts = Playouts::new(&Board::of(geometry), policy, Isa::PORTABLE);
    let mut positions = Vec::new();
    for _ in 0..1000 * count {
        if positions.len() == count {
            break;
        }
        playouts.run(rng);
        let moves: &[Cell] = playouts.moves();
        // The last move of a game is a win in one. So the position before it is left out.
        if moves.len() > stones + 1 {
            let mut board = Board::of(geometry);
            moves[..stones].iter().for_each(|cell| {
                board.place(*cell);
            });
            debug_assert_eq!(board.outcome(), Outcome::Ongoing);
            positions.push(board);
        }
    }
    positions
}

/// Positions in the middle of games of the engine against itself. Empty for tiny boards.
pub fn played_positions(geometry: &Geometry) -> Vec<Board> {
    let lines = include_str!("middlegames.txt").lines().filter(|line| !line.starts_with('#'));
    let position = |line: &str| {
        let (size, moves) = line.split_once(' ').expect("a line has a base and moves");
        (size.parse() == Ok(geometry.size)).then(|| {
            let mut board = Board::of(geometry);
            for name in moves.split(' ') {
                let cell = geometry.read_cell(Notation::Letternum, name).expect("moves name cells");
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

    #[test]
    fn games_on_record_can_be_played_to_their_middle() {
        for size in 2..=10 {
            let boards = played_positions(Geometry::of_size(size).expect("a base"));
            assert!(boards.iter().all(|board| board.outcome() == Outcome::Ongoing));
            assert_eq!(boards.len(), if size < 4 { 0 } else { 24 }, "base {size}");
        }
    }
}
