//! Default moves that are drawn again: far from the action, or useless.
//!
//! - Lorentz 2010 §3.1: moves within two steps of an own stone are encouraged, which gained clearly. With
//!   only joints as moves two away (both cells between empty) the result was the same.
//! - Without effect, or worse: avoiding cells next to two adjacent own stones, and staying near the last
//!   move (also Joosten 2009).
//! - The strength of the encouragement is not published. Here an unwanted random move is drawn again up to
//!   a number of times; then any move is accepted.
//! - Dead cells (Stankiewicz 2011 §3.4) are drawn again too, more often.

use super::position::SimulatedPosition;
use crate::havannah::neighbourhood::neighbour_pattern;
use crate::havannah::patterns::is_dead;
use crate::havannah::{Cell, Layout, Width};
use crate::params::{DeadCells, Locality, Params, Proximity};

/// The wishes for a default move.
pub struct Filter {
    locality: Locality,
    avoid_pairs: bool,
    proximity: Proximity,
    dead_cells: DeadCells,
    /// The number of draws before any move that is not dead is accepted.
    pub tries: u32,
}

/// The number of redraws before a dead cell is accepted.
pub const DEAD_TRIES: u32 = 16;

/// The last move of each side, if any.
#[derive(Clone, Copy)]
pub struct LastMoves {
    pub own: Option<Cell>,
    pub opponent: Option<Cell>,
}

impl Filter {
    /// `None` if every move is accepted.
    pub fn new(params: &Params) -> Option<Self> {
        let filter = Self {
            locality: params.locality,
            avoid_pairs: params.avoid_pairs,
            proximity: params.proximity,
            dead_cells: params.dead_cells,
            tries: params.locality_tries,
        };
        let is_idle = !filter.prefers() && filter.dead_cells == DeadCells::Off;
        (!is_idle).then_some(filter)
    }

    /// Whether some moves are preferred.
    #[inline(always)]
    pub fn prefers(&self) -> bool {
        let Self { locality, avoid_pairs, proximity, .. } = *self;
        locality != Locality::Off || avoid_pairs || proximity != Proximity::Off
    }

    /// Whether `SimulatedPosition::near` is needed.
    pub fn needs_near(&self) -> bool {
        self.locality == Locality::Near
    }

    /// Whether a cell is useless to both sides.
    #[inline(always)]
    pub fn is_dead<W: Width>(&self, position: &SimulatedPosition<W>, cell: Cell) -> bool {
        match self.dead_cells {
            DeadCells::Off => false,
            DeadCells::Exact => is_dead(position.layout, &position.stones, cell, true),
            DeadCells::Local => is_dead(position.layout, &position.stones, cell, false),
        }
    }

    /// Whether a move of a side is preferred.
    #[inline(always)]
    pub fn likes<W: Width>(
        &self,
        position: &SimulatedPosition<W>,
        side: usize,
        cell: Cell,
        last: LastMoves,
    ) -> bool {
        let own = || neighbour_pattern(position.layout, &position.stones[side], cell);
        let is_local = match self.locality {
            Locality::Off => true,
            Locality::Near => position.near[side].contains(cell.index()),
            Locality::Joint => own() != 0 || is_joint(position, side, cell),
        };
        let is_free_of_pairs = !self.avoid_pairs || {
            let own = own();
            own & (own << 1 | own >> 5) == 0
        };
        let is_near = |last: Cell| is_within_two(position.layout, last, cell);
        let is_close = match self.proximity {
            Proximity::Off => true,
            Proximity::Own => last.own.is_none_or(is_near),
            Proximity::Opponent => last.opponent.is_none_or(is_near),
        };
        is_local & is_free_of_pairs & is_close
    }
}

/// Whether a cell is two away from a stone of a side, with both cells between empty.
#[inline(always)]
fn is_joint<W: Width>(position: &SimulatedPosition<W>, side: usize, cell: Cell) -> bool {
    let empty = neighbour_pattern(position.layout, &position.empty, cell);
    let steps = position.layout.steps();
    let mut pairs = empty & (empty >> 1 | empty << 5) & 63;
    while pairs != 0 {
        let d = pairs.trailing_zeros() as usize;
        let joint = cell.index().wrapping_add_signed(steps[d] + steps[(d + 1) % 6]);
        // Two adjacent empty neighbours have a common neighbour beyond them, which may be off the board.
        if joint < W::INDICES && position.stones[side].contains(joint) {
            return true;
        }
        pairs &= pairs - 1;
    }
    false
}

/// Whether two cells are at most two steps apart.
#[inline(always)]
fn is_within_two<W: Width>(layout: &Layout<W>, one: Cell, other: Cell) -> bool {
    let stride = layout.stride();
    let (x, y) = (one.index() / stride, one.index() % stride);
    let (u, v) = (other.index() / stride, other.index() % stride);
    let (dx, dy) = (x as i32 - u as i32, y as i32 - v as i32);
    dx.abs().max(dy.abs()).max((dx - dy).abs()) <= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::width::Width10;
    use crate::havannah::{Board, Geometry, Notation};

    fn cell(name: &str) -> Cell {
        Geometry::of_size(5).expect("a base").read_cell(Notation::Letternum, name).expect("a cell")
    }

    /// The position after White e5, Black a1, White e6, Black d5.
    fn position() -> SimulatedPosition<Width10> {
        let mut board = Board::empty(Width10::layout(5).expect("a base"));
        for name in ["e5", "a1", "e6", "d5"] {
            board.play(cell(name)).expect("legal");
        }
        SimulatedPosition::of(&board)
    }

    fn liked(setting: &str, side: usize, names: &[&str]) -> Vec<bool> {
        let mut params = Params::default();
        params.assign(setting).expect("a setting");
        let filter = Filter::new(&params).expect("something is wanted");
        let position = position();
        let last = LastMoves { own: Some(cell("e6")), opponent: Some(cell("d5")) };
        names.iter().map(|name| filter.likes(&position, side, cell(name), last)).collect()
    }

    #[test]
    fn moves_near_own_stones_are_liked() {
        // Next to e5; two away in a straight line; two away with e4 and f5 between; far away.
        let names = ["f5", "g5", "f4", "i9"];
        assert_eq!(liked("locality=near", 0, &names), [true, true, true, false]);
        assert_eq!(liked("locality=joint", 0, &names), [true, false, true, false]);
        assert_eq!(liked("locality=near", 1, &["b1", "c5", "h9"]), [true, true, false]);
        // d4 and d5 are between c4 and e5: with Black on d5, c4 is no joint.
        assert_eq!(liked("locality=joint", 0, &["c4"]), [false]);
    }

    #[test]
    fn moves_next_to_a_pair_are_avoided() {
        // f6 is next to e5 and e6, which are neighbours; e4 is next to e5 only.
        assert_eq!(liked("avoid_pairs=true", 0, &["f6", "e4", "i9"]), [false, true, true]);
        assert_eq!(liked("avoid_pairs=true", 1, &["f6"]), [true], "they are not Black's");
    }

    #[test]
    fn moves_near_the_last_one_are_liked() {
        assert_eq!(liked("proximity=own", 0, &["e8", "f6", "e9"]), [true, true, false]);
        assert_eq!(liked("proximity=opponent", 0, &["d3", "b4", "f8"]), [true, true, false]);
    }

    #[test]
    fn nothing_is_asked_of_moves_by_default() {
        assert!(Filter::new(&Params::default()).is_none());
    }
}
