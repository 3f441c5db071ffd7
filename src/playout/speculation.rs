//! Speculation for the mate check: most games have no win in one among the first plies, so the
//! random kernel plays them without looking, and looks once, afterwards.
//!
//! If no side can have had a winning cell at any of those plies, the game is the one that checking
//! every ply would have given. The test is on bytes, all cells at once: the borders that the
//! chains around a cell touch. It may err only on the side of doubt; then the plies are played
//! again with the check, with the same random draws.

use super::random::{MARGIN, NEVER, SPAN, Stretch, Workspace, neighbours};
use super::unchecked::get;
use crate::havannah::geometry::{CORNER_BITS, MAX_INDEX, Row};
use crate::havannah::threats::{RING_CHAIN, ring_cells};
use crate::havannah::{Base, Board, Colour, Set};

/// Stones on the board, by base, up to which a random game mostly has had no win in one: a longer
/// speculation fails too often to pay.
const QUIET_UNTIL: [usize; 11] = [0, 0, 0, 0, 10, 33, 50, 66, 83, 100, 117];

/// Constant bytes for every index of a base.
struct ByteTables {
    corners: [u8; MAX_INDEX],
    edges: [u8; MAX_INDEX],
    /// 0xff on the board, 0 off it.
    on_board: [u8; MAX_INDEX],
}

const fn byte_tables<B: Base>() -> ByteTables {
    let mut tables =
        ByteTables { corners: [0; MAX_INDEX], edges: [0; MAX_INDEX], on_board: [0; MAX_INDEX] };
    let cells = B::TABLES.cells();
    let mut i = 0;
    while i < cells.len() {
        let index = cells[i].index();
        [tables.corners[index], tables.edges[index]] = split(B::TABLES.border[index]);
        tables.on_board[index] = 0xff;
        i += 1;
    }
    tables
}

/// Corner bits and edge bits, as bytes.
#[inline(always)]
const fn split(borders: u16) -> [u8; 2] {
    [(borders & CORNER_BITS) as u8, (borders >> 6) as u8]
}

struct Constants<B>(std::marker::PhantomData<B>);

impl<B: Base> Constants<B> {
    const TABLES: &'static ByteTables = &byte_tables::<B>();
}

/// Whether it is worth while to play this many plies from a position without looking.
#[inline(always)]
pub(super) fn is_promising<B: Base>(board: &Board<B>, plies: usize) -> bool {
    board.stone_count() + plies <= QUIET_UNTIL[B::SIZE]
}

impl<B: Base> Workspace<B> {
    /// Whether a side may have had a winning cell at some ply of the stretch so far: whether its
    /// chains as they are now win on a cell that was empty when the stretch began. Chains only
    /// grow, so no earlier threat is missed; and a cell that the side took itself did not win.
    #[inline(always)]
    pub(super) fn may_have_had_threats(
        &self,
        side: usize,
        stretch: &Stretch,
        board: &Board<B>,
    ) -> bool {
        let colour = Colour::BOTH[side];
        let first = stretch.from + (side ^ self.side_at(stretch.from));
        let moves = (first..stretch.next).step_by(2).map(|ply| get(&self.moves, ply).index());
        let stones = board.stones(colour).iter().chain(moves.clone());

        let (mut corners, mut edges) = ([0; SPAN], [0; SPAN]);
        let mut sizes = [0_u8; 256];
        let mut largest = 0;
        for cell in stones.clone() {
            let chain = self.chain_at(MARGIN + cell);
            let borders = get(B::LabelBorders::flat(&self.borders), chain);
            [corners[MARGIN + cell], edges[MARGIN + cell]] = split(borders);
            sizes[chain] += 1;
            largest = largest.max(sizes[chain]);
        }
        if self.reaches_win(side, moves.len(), &corners, &edges) {
            return true;
        }
        if usize::from(largest) < RING_CHAIN {
            return false;
        }
        let taken: Set<B> = moves.collect();
        let open = board.empty_cells() - taken;
        let may_close = |label: usize| {
            let is_chain = |cell: &usize| self.chain_at(MARGIN + cell) == label;
            let chain: Set<B> = stones.clone().filter(is_chain).collect();
            !ring_cells::<B>(chain).is_disjoint(open)
        };
        (0..2 * B::LABELS).any(|label| usize::from(sizes[label]) >= RING_CHAIN && may_close(label))
    }

    /// Whether the chains of a side, whose border bits lie on their cells, win with a stone on a
    /// cell that was empty before the side's last `taken` moves and that it did not take.
    #[inline(always)]
    fn reaches_win(
        &self,
        side: usize,
        taken: usize,
        corners: &[u8; SPAN],
        edges: &[u8; SPAN],
    ) -> bool {
        let length = Set::<B>::CAPACITY;
        let tables = Constants::<B>::TABLES;
        let on_board = &tables.on_board[..length];
        let (own_corners, own_edges) = (&tables.corners[..length], &tables.edges[..length]);
        let (near_corners, near_edges) = (neighbours::<B>(corners), neighbours::<B>(edges));
        let times = &self.times[MARGIN..][..length];
        let (turn, taken) = ((side as u8) << 7, taken as u8);
        debug_assert!(taken < NEVER);
        let mut found = 0;
        for cell in 0..length {
            let (mut corner, mut edge) = (own_corners[cell], own_edges[cell]);
            for d in 0..6 {
                corner |= near_corners[d][cell];
                edge |= near_edges[d][cell];
            }
            // Two corners; three edges.
            let two_edges = edge & edge.wrapping_sub(1);
            let wins = (corner & corner.wrapping_sub(1)) | (two_edges & two_edges.wrapping_sub(1));
            let time = times[cell] ^ turn;
            // As masks: with a condition the optimiser makes a branch of it, and no vectors.
            let mask = |condition: bool| u8::from(condition).wrapping_neg();
            found |= wins & on_board[cell] & mask(time > taken) & mask(time != 0x80);
        }
        found != 0
    }
}
