//! A game of Tron by the rules, step by step, and how it ended.

use crate::game::{LOSS, WIN};
use crate::tron::{Direction, Map, Position, Side};

/// Enough for the cells of the largest grid.
type Widest = [u64; 64];

/// How a game of Tron ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// One side moved into a wall, or had nowhere else to go.
    Crash,
    /// Both did.
    BothCrash,
    /// Both moved to the same cell.
    SameCell,
}

/// A game of Tron.
#[derive(Clone, Debug)]
pub struct Race {
    position: Position<Widest>,
    finish: Option<Finish>,
    /// The ways of both sides, step by step.
    steps: Vec<[Direction; 2]>,
}

impl Race {
    /// A game that begins on a map. It may be over at once: who cannot move has crashed.
    pub fn new(map: &Map) -> Self {
        let position = Position::new(map, 0);
        let mut race = Self { position, finish: None, steps: Vec::new() };
        race.find_finish(false);
        race
    }

    /// The position as a map.
    pub fn map(&self) -> Map {
        self.position.to_map()
    }

    /// How it ended, if it is over.
    pub fn finish(&self) -> Option<Finish> {
        self.finish
    }

    /// Who has won; none in a draw, and as long as the game goes on.
    pub fn winner(&self) -> Option<Side> {
        match self.position.result()? {
            WIN => Some(0),
            LOSS => Some(1),
            _ => None,
        }
    }

    /// The ways of both sides, step by step.
    pub fn steps(&self) -> &[[Direction; 2]] {
        &self.steps
    }

    /// Both sides move at once, into walls too. Nothing happens if the game is over.
    pub fn step(&mut self, ways: [Direction; 2]) {
        if self.finish.is_some() {
            return;
        }
        let to = |side: Side| self.position.grid().step(self.position.head(side), ways[side]);
        let is_same = to(0) == to(1) && !self.position.taken().contains(to(0));
        self.position.play(ways);
        self.steps.push(ways);
        self.find_finish(is_same);
    }

    fn find_finish(&mut self, is_same: bool) {
        self.finish = self.position.result().map(|_| match self.winner() {
            Some(_) => Finish::Crash,
            None if is_same => Finish::SameCell,
            None => Finish::BothCrash,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, South, West};

    fn race(text: &str, steps: &[[Direction; 2]]) -> Race {
        let mut race = Race::new(&text.parse().expect("a map"));
        steps.iter().for_each(|ways| race.step(*ways));
        race
    }

    #[test]
    fn games_end_by_the_rules() {
        let open = "5 3\n1    \n     \n    2\n";
        for (text, steps, finish, winner) in [
            (open, &[][..], None, None),
            (open, &[[East, West]], None, None),
            (open, &[[North, West]], Some(Finish::Crash), Some(1)),
            (open, &[[East, South]], Some(Finish::Crash), Some(0)),
            (open, &[[East, West], [West, West]], Some(Finish::Crash), Some(1)),
            (open, &[[North, South]], Some(Finish::BothCrash), None),
            (open, &[[South, North], [East, West], [East, West]], Some(Finish::SameCell), None),
            // Who has nowhere to go has crashed.
            ("4 1\n1#2 \n", &[], Some(Finish::Crash), Some(1)),
            ("4 1\n12  \n", &[], Some(Finish::Crash), Some(1)),
            ("3 1\n1#2\n", &[], Some(Finish::BothCrash), None),
            ("4 1\n1  2\n", &[[East, West]], Some(Finish::BothCrash), None),
            ("3 1\n1 2\n", &[[East, West]], Some(Finish::SameCell), None),
            // Heads that change places.
            ("2 2\n12\n  \n", &[[East, West]], Some(Finish::BothCrash), None),
        ] {
            let race = race(text, steps);
            assert_eq!((race.finish(), race.winner()), (finish, winner), "{text} {steps:?}");
            assert_eq!(race.steps(), steps);
        }
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let mut race = race("3 1\n1 2\n", &[[East, West]]);
        let map = race.map();
        race.step([North, North]);
        assert_eq!((race.finish(), race.steps().len()), (Some(Finish::SameCell), 1));
        assert_eq!(race.map(), map);
    }
}
