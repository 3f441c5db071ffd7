//! Havannah as a game for search: what lies ahead of the side to move, and which moves are equal.
//!
//! Wins in one and forced blocks come from the winning cells (Nahue 2014 §5.2 and §5.3). A draw is
//! certain when neither side could win even if every empty cell were its own.

use super::board::Board;
use super::geometry::{Base, Cell, Set};
use super::neighbourhood::{flood, neighbour_planes};
use super::notation::Notation;
use super::patterns::{dead_cells, dead_cells_as_published};
use super::priors::PriorCounts;
use super::rules::{Colour, Outcome, Wins};
use super::threats::winning_cells;
use crate::bits::{Isa, Kernel};
use crate::game::{DRAW, Game, LOSS, Move, Prospect, WIN};
use crate::params::{EdgePrior, Params};

impl<B: Base> Game for Board<B> {
    type Words = B::Words;

    #[inline(always)]
    fn to_move(&self) -> usize {
        Board::to_move(self).index()
    }

    fn result(&self) -> Option<u32> {
        match self.outcome() {
            Outcome::Ongoing => None,
            Outcome::Draw => Some(DRAW),
            Outcome::Won { by: Colour::White, .. } => Some(WIN),
            Outcome::Won { by: Colour::Black, .. } => Some(LOSS),
        }
    }

    #[inline(always)]
    fn advance(&mut self, next: Move) {
        self.place(Cell::from_index(next.number()));
    }

    #[inline(always)]
    fn legal_moves(&self) -> Set<B> {
        self.empty_cells().only_if(!self.outcome().is_over())
    }

    fn prospect(&self, isa: Isa, _params: &Params) -> Prospect<Set<B>> {
        isa.run(LookAhead(self))
    }

    #[inline(always)]
    fn ply(&self) -> usize {
        self.stone_count()
    }

    fn add_priors(&self, isa: Isa, params: &Params, wins: &mut [u32]) -> u32 {
        let has_priors =
            params.prior_joint || params.prior_local || params.prior_edge != EdgePrior::Off;
        if has_priors { isa.run_narrow(PriorCounts { board: self, params, wins }) } else { 0 }
    }

    fn dead_moves(&self, isa: Isa, exactly: bool) -> Set<B> {
        isa.run_narrow(DeadCellsOf { board: self, exactly })
    }

    fn distinct(&self, moves: Set<B>) -> Set<B> {
        let keeps_stones = |symmetry: &usize| {
            Colour::BOTH.into_iter().all(|colour| {
                let stones = self.stones(colour);
                image::<B>(stones, *symmetry) == stones
            })
        };
        let symmetries: Vec<usize> = (1..12).filter(keeps_stones).collect();
        let is_first = |index: &usize| {
            let images = symmetries
                .iter()
                .map(|symmetry| B::TABLES.transform(Cell::from_index(*index), *symmetry).index());
            images.into_iter().all(|image| image >= *index || !moves.contains(image))
        };
        moves.iter().filter(is_first).collect()
    }

    fn name_of(&self, of: Move) -> String {
        Notation::Letternum.write(B::TABLES, Cell::from_index(of.number()))
    }
}

fn image<B: Base>(set: Set<B>, symmetry: usize) -> Set<B> {
    let cells = set.iter().map(Cell::from_index);
    cells.map(|cell| B::TABLES.transform(cell, symmetry).index()).collect()
}

struct DeadCellsOf<'a, B: Base> {
    board: &'a Board<B>,
    exactly: bool,
}

impl<B: Base> Kernel for DeadCellsOf<'_, B> {
    type Output = Set<B>;

    #[inline(always)]
    fn run(self) -> Set<B> {
        if self.exactly { dead_cells(self.board) } else { dead_cells_as_published(self.board) }
    }
}

struct LookAhead<'a, B: Base>(&'a Board<B>);

impl<B: Base> Kernel for LookAhead<'_, B> {
    type Output = Prospect<Set<B>>;

    #[inline(always)]
    fn run(self) -> Prospect<Set<B>> {
        let board = self.0;
        let colour = board.to_move();
        if let Some(index) = winning_cells(board, colour).all().first() {
            return Prospect::Win(Move::new(index));
        }
        let threats = winning_cells(board, colour.other()).all();
        let empty = board.empty_cells();
        match threats.len() {
            0 if !can_still_win(board, colour) && !can_still_win(board, colour.other()) => {
                Prospect::Draw
            }
            0 => Prospect::Open(empty),
            1 => Prospect::Open(threats),
            _ => Prospect::Loss(Move::new(threats.iter().next().unwrap_or_default())),
        }
    }
}

/// Whether a side would have won if it had every empty cell.
#[inline(always)]
pub fn can_still_win<B: Base>(board: &Board<B>, colour: Colour) -> bool {
    let other = board.stones(colour.other());
    let own = B::ON_BOARD - other;
    // A ring of own cells has an own cell inside whose six neighbours are all own, or stones of
    // the other side that are cut off from the rim. The first is the common case, and the cheap
    // one.
    let mut surrounded = own;
    for plane in neighbour_planes::<B>(own) {
        surrounded &= plane;
    }
    !surrounded.is_empty() || encloses_or_connects::<B>(own, other)
}

#[inline(always)]
fn encloses_or_connects<B: Base>(own: Set<B>, other: Set<B>) -> bool {
    let mut rim = Set::<B>::empty();
    for border in B::BORDERS {
        rim |= border;
    }
    if flood::<B>(other & rim, other) != other {
        return true;
    }
    let mut rest = own & rim;
    while let Some(index) = rest.first() {
        let part = flood::<B>(Set::<B>::single(index), own);
        let mut borders = 0;
        for (bit, border) in B::BORDERS.iter().enumerate() {
            borders |= u16::from(!part.is_disjoint(*border)) << bit;
        }
        if !Wins::of_borders(borders).is_empty() {
            return true;
        }
        rest -= part;
    }
    false
}
