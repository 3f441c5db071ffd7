//! What the playouts from one position share: the board, the list of empty cells, and the byte board of
//! move times that the kernel starts from.

use super::random::{DUMMY, LIST, MARGIN, NEVER, SPAN};
use crate::havannah::geometry::MAX_INDEX;
use crate::havannah::threats::SideThreats;
use crate::havannah::{Board, Cell, Colour, Set, Width};

/// How moves are chosen in a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Uniformly at random.
    Random,
    /// For the first plies of the playout, a side wins at once if it can, otherwise it blocks a win in one of
    /// the opponent. Other moves are uniformly random (Lorentz 2010 §3.1).
    Mate {
        /// The number of these plies.
        plies: usize,
    },
}

impl Policy {
    /// The mate check with the published length: five plies per unit of the base.
    pub fn mate(size: usize) -> Policy {
        Policy::Mate { plies: size.saturating_mul(5) }
    }
}

/// A position to play games from, and how to play them.
#[derive(Clone)]
pub struct Start<W: Width> {
    pub(super) board: Board<W>,
    pub(super) policy: Policy,
    /// Move times of the stones on the board; see `random`.
    pub(super) times: [u8; SPAN],
    /// The empty cells. The kernel reads them here and does not compute them: otherwise the optimiser sees
    /// which words have no cells and splits every register that is combined with them.
    pub(super) empty_cells: Set<W>,
    /// The list of empty cells, with dummies after the last.
    pub(super) empty: [Cell; LIST],
    pub(super) empty_count: usize,
    /// The place of each empty cell in that list.
    pub(super) places: [u16; MAX_INDEX],
    /// Whether the mate check may speculate. It affects only speed.
    pub(super) speculates: bool,
    /// For the mate check, the threats of each colour.
    pub(super) threats: Option<[SideThreats<W>; 2]>,
}

impl<W: Width> Start<W> {
    /// Prepares playouts from a position where the game is not over.
    #[inline(always)]
    pub fn new(board: &Board<W>, policy: Policy) -> Self {
        debug_assert!(!board.outcome().is_over());
        let mut start = Self {
            board: *board,
            policy,
            times: [NEVER; SPAN],
            empty_cells: board.empty_cells(),
            empty: [DUMMY; LIST],
            empty_count: 0,
            places: [0; MAX_INDEX],
            speculates: true,
            threats: match policy {
                Policy::Random => None,
                Policy::Mate { .. } => {
                    Some(Colour::BOTH.map(|colour| SideThreats::new(board, colour)))
                }
            },
        };
        for colour in Colour::BOTH {
            for cell in board.stones(colour) {
                start.times[MARGIN + cell] = (colour.index() as u8) << 7;
            }
        }
        for cell in board.empty_cells() {
            start.empty[start.empty_count] = Cell::from_index(cell);
            start.places[cell] = start.empty_count as u16;
            start.empty_count += 1;
        }
        start
    }
}
