//! Which games a match has: colours and seeds, all of them from the number of the game.

use serde::{Deserialize, Serialize};

use super::Settings;
use super::game_result::PlayerSide;
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

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    pub game: u64,
    pub white: PlayerSide,
    /// The seeds of A and B.
    pub seeds: [u64; 2],
}

/// The games of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    seed: u64,
    colours: Colours,
}

impl Schedule {
    /// Those of a match.
    pub fn new(settings: &Settings) -> Self {
        Self { seed: settings.seed, colours: settings.colours }
    }

    /// The game of a number, always the same.
    pub fn game(&self, game: u64) -> Pairing {
        let white = match self.colours {
            Colours::Swap if game.is_multiple_of(2) => PlayerSide::A,
            Colours::Swap => PlayerSide::B,
            Colours::AWhite => PlayerSide::A,
            Colours::ABlack => PlayerSide::B,
        };
        let mut rng = Rng::new(mixed(self.seed, 2 * game + 1));
        let seeds = [rng.next_word(), rng.next_word()];
        Pairing { game, white, seeds }
    }

    /// The pair that a game belongs to; with fixed colours every game is on its own.
    pub fn pair_of(&self, game: u64) -> u64 {
        self.colours.pair_of(game)
    }
}

/// The seed of what the games of a pair begin with.
pub(super) fn opening_seed(seed: u64, pair: u64) -> u64 {
    mixed(seed, 2 * pair)
}

/// What the games of a pair have, where the pairs take things in turn; none if there are none.
pub(super) fn in_turn<T>(things: &[T], pair: u64) -> Option<&T> {
    let number = pair.checked_rem(things.len() as u64)?;
    things.get(number as usize)
}

/// A seed for each number of each seed.
fn mixed(seed: u64, number: u64) -> u64 {
    // splitmix64 (Steele, Lea and Flood 2014).
    let mut word = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_in_pairs() {
        let schedule = Schedule { seed: 7, colours: Colours::Swap };
        for pair in 0..50 {
            let (first, second) = (schedule.game(2 * pair), schedule.game(2 * pair + 1));
            assert_eq!((first.white, second.white), (PlayerSide::A, PlayerSide::B));
            assert_eq!([first.game, second.game].map(|game| schedule.pair_of(game)), [pair; 2]);
            assert_ne!(first.seeds, second.seeds);
            assert_ne!(first.seeds[0], first.seeds[1]);
            assert_eq!(schedule.game(2 * pair), first, "always the same");
        }
    }

    #[test]
    fn colours_can_be_fixed() {
        for (colours, white) in [(Colours::AWhite, PlayerSide::A), (Colours::ABlack, PlayerSide::B)]
        {
            let schedule = Schedule { seed: 7, colours };
            assert!((0..9).all(|game| schedule.game(game).white == white));
            assert!((0..9).all(|game| schedule.pair_of(game) == game), "each on its own");
        }
    }

    #[test]
    fn things_are_taken_in_turn() {
        let taken = (0..5).filter_map(|pair| in_turn(&['a', 'b', 'c'], pair));
        assert_eq!(taken.collect::<String>(), "abcab");
        assert_eq!(in_turn::<char>(&[], 4), None);
    }
}
