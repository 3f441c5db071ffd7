//! Speculation for the mate check: if most games have no win in one among the first plies, the random
//! kernel plays these plies without checks and tests once, afterwards.
//!
//! - If neither side can have had a winning cell at any of the plies, the game equals the checked one.
//! - The test works on bytes, all cells at once: the borders that the chains next to a cell touch.
//! - The test may report a threat that did not exist, but never misses one. After a report the plies are
//!   played again with checks and the same random draws.
//! - If that happens too often, games do not speculate for a while ([`SpeculationRate`]).

use super::random::{MARGIN, NEVER, Stretch, Workspace, neighbours};
use super::unchecked::{get, set};
use crate::havannah::threats::{RING_CHAIN, ring_cells};
use crate::havannah::width::{Row, split};
use crate::havannah::{Board, Colour, Set, Width};

/// How often the plies were quiet (without threats) in recent tries. If they seldom are, a try costs more
/// than it saves. This depends more on the position than on the number of stones: chains of real games
/// threaten early.
pub(super) struct SpeculationRate {
    /// The share of quiet tries, as an exponential mean in units of 1 / [`Self::FULL`].
    quiet: u32,
    /// The number of games since the last try.
    pause: u32,
}

impl SpeculationRate {
    const FULL: u32 = 1 << 16;
    /// The minimum quiet share at which a try pays.
    const ENOUGH: u32 = Self::FULL / 2;
    /// One try has the weight 1 / `PARTS` in the mean.
    const PARTS: u32 = 16;
    /// The number of games between tries while they do not pay.
    const PAUSE: u32 = 64;

    pub const fn new() -> Self {
        Self { quiet: Self::FULL, pause: 0 }
    }

    /// Whether the next game should try.
    #[inline(always)]
    pub fn is_given(&mut self) -> bool {
        self.pause += 1;
        self.quiet >= Self::ENOUGH || self.pause > Self::PAUSE
    }

    /// Records the result of a try.
    #[inline(always)]
    pub fn learn(&mut self, was_quiet: bool) {
        self.pause = 0;
        let part = if was_quiet { Self::FULL / Self::PARTS } else { 0 };
        self.quiet = self.quiet - self.quiet / Self::PARTS + part;
    }
}

impl<W: Width> Workspace<W> {
    /// Whether neither side can have had a winning cell at any ply of the stretch so far.
    #[inline(always)]
    pub(super) fn was_quiet(&mut self, stretch: &Stretch, board: &Board<W>) -> bool {
        for side in 0..2 {
            if self.may_have_had_threats(side, stretch, board) {
                return false;
            }
        }
        true
    }

    /// Whether a side may have had a winning cell at some ply of the stretch so far: its present chains win
    /// on a cell that was empty when the stretch began. Chains only grow, so no earlier threat is missed.
    /// Cells that the side took itself did not win.
    #[inline(always)]
    fn may_have_had_threats(&mut self, side: usize, stretch: &Stretch, board: &Board<W>) -> bool {
        let first_label = side * W::LABELS;
        let first = stretch.from + (side ^ self.side_at(stretch.from));
        let plies = (first..stretch.next).step_by(2);

        let span = ..2 * MARGIN + W::INDICES;
        self.corners[span].fill(0);
        self.edges[span].fill(0);
        let mut sizes = W::LabelBytes::filled(0);
        let mut largest = 0;
        let old = board.stones(Colour::BOTH[side]);
        let mut taken = Set::<W>::empty();
        for ply in plies.clone() {
            taken.insert(get(&self.moves, ply).index());
        }
        for cell in old | taken {
            let chain = self.chain_at(MARGIN + cell);
            let [corners, edges] = split(get(W::LabelBorders::flat(&self.borders), chain));
            set(&mut self.corners, MARGIN + cell, corners);
            set(&mut self.edges, MARGIN + cell, edges);
            let size = get(sizes.row(), chain - first_label) + 1;
            set(sizes.row_mut(), chain - first_label, size);
            largest = largest.max(size);
        }
        if self.reaches_win(side, plies.len()) {
            return true;
        }
        if usize::from(largest) < RING_CHAIN {
            return false;
        }
        let open = board.empty_cells() - taken;
        for chain in 0..W::LABELS {
            if usize::from(get(sizes.row(), chain)) >= RING_CHAIN {
                let mut stones = Set::<W>::empty();
                for cell in old | taken {
                    if self.chain_at(MARGIN + cell) == first_label + chain {
                        stones.insert(cell);
                    }
                }
                if !ring_cells(self.layout, stones).is_disjoint(open) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the chains of a side, by their border bits on the byte boards, win with a stone on a cell that
    /// was empty before the side's last `taken` moves and that the side did not take.
    #[inline(always)]
    fn reaches_win(&self, side: usize, taken: usize) -> bool {
        let length = W::INDICES;
        let layout = self.layout;
        let on_board = &layout.board_bytes[..length];
        let (own_corners, own_edges) =
            (&layout.corner_bytes[..length], &layout.edge_bytes[..length]);
        let near_corners = neighbours::<W>(&self.corners);
        let near_edges = neighbours::<W>(&self.edges);
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
            // At least two corners, or at least three edges.
            let two_edges = edge & edge.wrapping_sub(1);
            let wins = (corner & corner.wrapping_sub(1)) | (two_edges & two_edges.wrapping_sub(1));
            let time = times[cell] ^ turn;
            // Masks: with a condition the optimiser makes a branch and does not vectorise.
            let mask = |condition: bool| u8::from(condition).wrapping_neg();
            found |= wins & on_board[cell] & mask(time > taken) & mask(time != 0x80);
        }
        found != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Policy, Simulator, Start};
    use super::*;
    use crate::bits::Isa;
    use crate::havannah::width::Width12;
    use crate::rng::Rng;

    /// The number of tries in the next `games` games, if all tries have the same result.
    fn tries(trust: &mut SpeculationRate, games: usize, is_quiet: bool) -> usize {
        let is_try = |_: &usize| {
            let tries = trust.is_given();
            if tries {
                trust.learn(is_quiet);
            }
            tries
        };
        (0..games).filter(is_try).count()
    }

    #[test]
    fn games_stop_trying_where_it_fails_and_begin_again_where_it_does_not() {
        let mut trust = SpeculationRate::new();
        assert_eq!(tries(&mut trust, 1000, true), 1000);
        // A few failures in a row, then one try after each pause.
        let failures = tries(&mut trust, 1000, false);
        assert!((20..40).contains(&failures), "{failures}");
        let rare = tries(&mut trust, 65_000, false);
        assert_eq!(rare, 65_000 / (SpeculationRate::PAUSE as usize + 1));
        // Trust returns only after a similar number of quiet tries, each after a pause.
        let again = tries(&mut trust, 2000, true);
        assert!(again > 1000, "{again}");
    }

    /// Games from the empty board keep trying; games with early threats stop.
    #[test]
    fn a_simulator_learns_where_to_try() {
        let mut rng = Rng::new(4);
        let play = |simulator: &mut Simulator<Width12>, start: &Start<Width12>, rng: &mut Rng| {
            // SAFETY: no moves are given.
            unsafe { simulator.run_line(Isa::best(), start, &[], rng) }
        };
        let layout = Width12::layout(6).expect("a base");
        let empty = Board::empty(layout);
        let mut late = empty;
        let start = Start::new(&empty, Policy::Mate { plies: layout.cell_count() });
        let mut simulator = Simulator::new(layout);
        while simulator.moves().len() < 48 {
            play(&mut simulator, &start, &mut rng);
        }
        simulator.moves()[..45].iter().for_each(|cell| {
            late.place(*cell);
        });
        let mut quiet_from = |board: &Board<Width12>| {
            let start = Start::new(board, Policy::mate(6));
            let mut simulator = Simulator::new(layout);
            for _ in 0..300 {
                play(&mut simulator, &start, &mut rng);
            }
            simulator.trust.quiet
        };
        assert!(quiet_from(&empty) > SpeculationRate::ENOUGH);
        assert!(quiet_from(&late) < SpeculationRate::ENOUGH);
    }
}
