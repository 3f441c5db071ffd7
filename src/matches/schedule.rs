//! Which games a match has: openings, colours and seeds, all of them from the number of the game.

use serde::{Deserialize, Serialize};

use super::referee::Seat;
use crate::bits::Isa;
use crate::engine::HavannahEngine;
use crate::havannah::Cell;
use crate::params::Params;
use crate::rng::Rng;

/// Who is White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// Games come in pairs with the same opening, and the players take turns.
    Swap,
    AWhite,
    ABlack,
}

impl Colours {
    /// The pair that a game belongs to; with fixed colours every game is on its own.
    pub fn pair_of(self, game: u64) -> u64 {
        if self == Self::Swap { game / 2 } else { game }
    }
}

/// How games begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// So many random moves, that do not end the game.
    Random(usize),
    /// The lines of a file, in turn.
    Lines(Vec<Vec<Cell>>),
}

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    pub game: u64,
    pub white: Seat,
    pub opening: Vec<Cell>,
    /// The seeds of A and B.
    pub seeds: [u64; 2],
}

/// The games of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub size: usize,
    pub seed: u64,
    pub colours: Colours,
    pub openings: Openings,
}

impl Schedule {
    /// The game of a number, always the same.
    pub fn game(&self, game: u64) -> Pairing {
        let white = match self.colours {
            Colours::Swap if game.is_multiple_of(2) => Seat::A,
            Colours::Swap => Seat::B,
            Colours::AWhite => Seat::A,
            Colours::ABlack => Seat::B,
        };
        let mut rng = Rng::new(mixed(self.seed, 2 * game + 1));
        let seeds = [rng.next_word(), rng.next_word()];
        Pairing { game, white, opening: self.opening(self.pair_of(game)), seeds }
    }

    /// The pair that a game belongs to; with fixed colours every game is on its own.
    pub fn pair_of(&self, game: u64) -> u64 {
        self.colours.pair_of(game)
    }

    fn opening(&self, pair: u64) -> Vec<Cell> {
        match &self.openings {
            Openings::Random(0) => Vec::new(),
            Openings::Random(plies) => {
                let mut rng = Rng::new(mixed(self.seed, 2 * pair));
                random_opening(self.size, *plies, &mut rng)
            }
            Openings::Lines(lines) => lines[(pair % lines.len() as u64) as usize].clone(),
        }
    }
}

/// A seed for each number of each seed.
fn mixed(seed: u64, number: u64) -> u64 {
    // splitmix64 (Steele, Lea and Flood 2014).
    let mut word = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Random moves that do not end the game: as many as are asked for, or as can be.
fn random_opening(size: usize, plies: usize, rng: &mut Rng) -> Vec<Cell> {
    let params = Params::default();
    let mut board = HavannahEngine::new(size, Isa::PORTABLE, &params).expect("the size is a base");
    let mut opening = Vec::new();
    while opening.len() < plies {
        let mut cells = board.legal_cells();
        let placed = loop {
            if cells.is_empty() {
                return opening;
            }
            let cell = cells.swap_remove(rng.below(cells.len() as u32) as usize);
            board.place(board.to_move(), cell).expect("the cell is legal");
            if !board.outcome().is_over() {
                break cell;
            }
            board.undo();
        };
        opening.push(placed);
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(colours: Colours, openings: Openings) -> Schedule {
        Schedule { size: 5, seed: 7, colours, openings }
    }

    #[test]
    fn games_of_a_pair_begin_alike() {
        let schedule = schedule(Colours::Swap, Openings::Random(4));
        let mut openings = Vec::new();
        for pair in 0..50 {
            let (first, second) = (schedule.game(2 * pair), schedule.game(2 * pair + 1));
            assert_eq!((first.white, second.white), (Seat::A, Seat::B));
            assert_eq!(first.opening, second.opening);
            assert_eq!(first.opening.len(), 4);
            assert_ne!(first.seeds, second.seeds);
            assert_ne!(first.seeds[0], first.seeds[1]);
            assert_eq!(schedule.game(2 * pair), first, "always the same");
            openings.push(first.opening);
        }
        openings.sort();
        openings.dedup();
        assert!(openings.len() > 45, "{} openings", openings.len());
    }

    #[test]
    fn colours_can_be_fixed() {
        for (colours, white) in [(Colours::AWhite, Seat::A), (Colours::ABlack, Seat::B)] {
            let schedule = schedule(colours, Openings::Random(2));
            assert!((0..9).all(|game| schedule.game(game).white == white));
            assert_ne!(schedule.game(0).opening, schedule.game(1).opening);
        }
    }

    #[test]
    fn lines_are_taken_in_turn() {
        let lines: Vec<Vec<Cell>> = (0..3).map(|index| vec![Cell::from_index(index)]).collect();
        let schedule = schedule(Colours::Swap, Openings::Lines(lines.clone()));
        for game in 0..12 {
            assert_eq!(schedule.game(game).opening, lines[(game / 2 % 3) as usize]);
        }
    }

    /// However many moves are asked for, the game goes on after them.
    #[test]
    fn openings_do_not_end_the_game() {
        for seed in 0..30 {
            let opening = random_opening(3, 19, &mut Rng::new(seed));
            assert!(opening.len() < 19);
        }
    }
}
