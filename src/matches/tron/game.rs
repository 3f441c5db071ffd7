//! A game of Tron by the rules, step by step.

use crate::game::{LOSS, WIN};
use crate::havannah::Colour;
use crate::matches::game::{Game, Verdict};
use crate::matches::game_result::End;
use crate::tron::{Direction, Map, Position, Side};

/// Enough for the cells of the largest grid.
type Widest = [u64; 64];

/// A game of Tron.
#[derive(Clone, Debug)]
pub struct TronGame {
    position: Position<Widest>,
    verdict: Option<Verdict>,
    /// The ways of both sides, step by step.
    steps: Vec<[Direction; 2]>,
}

impl TronGame {
    /// A game that begins on a map. It may be over at once: who cannot move has crashed.
    pub fn new(map: &Map) -> Self {
        let position = Position::new(map, 0);
        let verdict = find_verdict(&position, false);
        Self { position, verdict, steps: Vec::new() }
    }

    /// The position as a map.
    pub fn map(&self) -> Map {
        self.position.to_map()
    }

    /// The position as a map on which a side is `1`.
    pub fn map_for(&self, side: Colour) -> Map {
        match side {
            Colour::White => self.map(),
            Colour::Black => self.map().turned(),
        }
    }

    /// The ways of both sides, step by step.
    pub fn steps(&self) -> &[[Direction; 2]] {
        &self.steps
    }

    /// Both sides move at once, into walls too. Nothing happens if the game is over.
    pub fn step(&mut self, ways: [Direction; 2]) {
        if self.verdict.is_some() {
            return;
        }
        let to = |side: Side| self.position.grid().step(self.position.head(side), ways[side]);
        let is_same = to(0) == to(1) && !self.position.taken().contains(to(0));
        self.position.play(ways);
        self.steps.push(ways);
        self.verdict = find_verdict(&self.position, is_same);
    }
}

/// How a position was won, after a step of both to the same cell or another one.
fn find_verdict(position: &Position<Widest>, is_same: bool) -> Option<Verdict> {
    Some(match position.result()? {
        WIN => (Some(Colour::White), End::Crash),
        LOSS => (Some(Colour::Black), End::Crash),
        _ if is_same => (None, End::SameCell),
        _ => (None, End::BothCrash),
    })
}

impl Game for TronGame {
    type Move = Direction;

    /// As in the contest: programs have to start.
    const FIRST_MOVE: u32 = 3;

    fn to_move(&self) -> Vec<Colour> {
        Colour::BOTH.to_vec()
    }

    /// A way into a wall is a move like any other.
    fn check(&self, _chosen: Direction) -> Result<(), String> {
        Ok(())
    }

    fn play(&mut self, moves: &[Direction]) {
        self.step(moves.try_into().expect("both sides move"));
    }

    fn verdict(&self) -> Option<Verdict> {
        self.verdict.clone()
    }

    /// Each step with the first letters of the ways of `1` and `2`.
    fn move_names(&self) -> Vec<String> {
        let letter = |way: &Direction| way.name().chars().next();
        self.steps.iter().map(|ways| ways.iter().filter_map(letter).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, South, West};

    fn game(text: &str, steps: &[[Direction; 2]]) -> TronGame {
        let mut game = TronGame::new(&text.parse().expect("a map"));
        steps.iter().for_each(|ways| game.step(*ways));
        game
    }

    #[test]
    fn games_end_by_the_rules() {
        let open = "5 3\n1    \n     \n    2\n";
        let (white, black) = (Some(Colour::White), Some(Colour::Black));
        for (text, steps, verdict) in [
            (open, &[][..], None),
            (open, &[[East, West]], None),
            (open, &[[North, West]], Some((black, End::Crash))),
            (open, &[[East, South]], Some((white, End::Crash))),
            (open, &[[East, West], [West, West]], Some((black, End::Crash))),
            (open, &[[North, South]], Some((None, End::BothCrash))),
            (open, &[[South, North], [East, West], [East, West]], Some((None, End::SameCell))),
            // Who has nowhere to go has crashed.
            ("4 1\n1#2 \n", &[], Some((black, End::Crash))),
            ("4 1\n12  \n", &[], Some((black, End::Crash))),
            ("3 1\n1#2\n", &[], Some((None, End::BothCrash))),
            ("4 1\n1  2\n", &[[East, West]], Some((None, End::BothCrash))),
            ("3 1\n1 2\n", &[[East, West]], Some((None, End::SameCell))),
            // Heads that change places.
            ("2 2\n12\n  \n", &[[East, West]], Some((None, End::BothCrash))),
        ] {
            let game = game(text, steps);
            assert_eq!(game.verdict(), verdict, "{text} {steps:?}");
            assert_eq!(game.steps(), steps);
        }
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let mut game = game("3 1\n1 2\n", &[[East, West]]);
        let map = game.map();
        game.step([North, North]);
        assert_eq!((game.verdict(), game.steps().len()), (Some((None, End::SameCell)), 1));
        assert_eq!(game.map(), map);
    }
}
