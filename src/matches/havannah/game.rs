//! A game of Havannah by the rules, with or without the pie rule.

use crate::bits::Isa;
use crate::engine::{HavannahEngine, Turn};
use crate::havannah::Geometry;
use crate::havannah::{Colour, Notation, Outcome, WinKind};
use crate::matches::game::{Game, Verdict};
use crate::matches::game_result::End;
use crate::params::Params;

/// An empty board with a history, which is not searched.
///
/// # Panics
/// If the size is no base.
pub(super) fn empty_board(size: usize) -> HavannahEngine {
    let params = Params { memory: 1, ..Params::default() };
    HavannahEngine::new(size, Isa::PORTABLE, &params).expect("the size is a base")
}

/// A game of Havannah.
pub struct HavannahGame {
    board: HavannahEngine,
    pie: bool,
}

impl HavannahGame {
    /// A game at the empty board.
    ///
    /// # Panics
    /// If the size is no base.
    pub fn new(size: usize, pie: bool) -> Self {
        Self { board: empty_board(size), pie }
    }

    pub fn geometry(&self) -> &'static Geometry {
        self.board.geometry()
    }

    fn name(&self, turn: &Turn) -> String {
        match turn {
            Turn::Place(_, cell) => self.geometry().write_cell(Notation::Letternum, *cell),
            Turn::Swap => "swap".to_string(),
        }
    }
}

impl Game for HavannahGame {
    type Move = Turn;

    const FIRST_MOVE: u32 = 1;

    fn to_move(&self) -> Vec<Colour> {
        vec![self.board.to_move()]
    }

    fn check(&self, chosen: Turn) -> Result<(), String> {
        let is_legal = match chosen {
            Turn::Place(_, cell) => self.board.legal_cells().contains(&cell),
            Turn::Swap => self.pie && self.board.can_swap(),
        };
        if is_legal { Ok(()) } else { Err(self.name(&chosen)) }
    }

    fn play(&mut self, moves: &[Turn]) {
        for turn in moves {
            match *turn {
                Turn::Place(side, cell) => {
                    self.board.place(side, cell).expect("the move was seen to be legal");
                }
                Turn::Swap => {
                    self.board.swap();
                }
            }
        }
    }

    fn verdict(&self) -> Option<Verdict> {
        match self.board.outcome() {
            Outcome::Ongoing => None,
            Outcome::Draw => Some((None, End::Draw)),
            Outcome::Won { by, wins } => {
                let end = match wins.kind() {
                    Some(WinKind::Ring) => End::Ring,
                    Some(WinKind::Bridge) => End::Bridge,
                    _ => End::Fork,
                };
                Some((Some(by), end))
            }
        }
    }

    fn move_names(&self) -> Vec<String> {
        self.board.turns().iter().map(|turn| self.name(turn)).collect()
    }
}
