//! Prior wins and visits of moves, by whole-board bit operations (Stankiewicz 2011 §3.7).
//!
//! - Each kind of knowledge gives all moves the same visits, and wins by the kind of move.
//! - The kinds: joint and neighbour moves (Lorentz 2010 §3.3; a move that is both counts as neighbour);
//!   the number of own groups next to it; the edges and corners it would be connected to.
//! - Active kinds add up (§4.6.4).
//! - A move that is connected to two corners or three edges wins. Where the search looks ahead such moves are
//!   proven and never become children. Otherwise they have 1,000 wins more (§3.7.3), of as many visits as all
//!   moves have, not of one: in both cases they are worth more than a win.
//! - By game stage (§5.3), local and edge knowledge grows with the number of stones.

use super::board::Board;
use super::geometry::Cell;
use super::neighbourhood::{cells_by_groups, dilate, joint_cells};
use super::threats::Reach;
use super::width::{Set, Width};
use crate::bits::Kernel;
use crate::params::{EdgePrior, Params};

/// The prior wins of a move that wins (Stankiewicz 2011 §3.7.3).
const WINS_OF_A_WIN: u32 = 1000;

/// Computes the prior wins for the side to move, as a kernel for an instruction set. Adds them to `wins`,
/// by cell index, and returns the prior visits, which are the same for all moves.
pub struct PriorCounts<'a, W: Width> {
    pub board: &'a Board<W>,
    pub params: &'a Params,
    /// What the side to move reaches with its next stone.
    pub reach: &'a Reach<W>,
    pub wins: &'a mut [u32],
}

impl<W: Width> Kernel for PriorCounts<'_, W> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { board, params, reach, wins } = self;
        let (layout, empty) = (board.layout(), board.empty_cells());
        let own = board.stones(board.to_move());
        let mut visits = 0;
        let mut add = |cells: Set<W>, count: u32| {
            for index in cells {
                wins[index] += count;
            }
        };
        if params.prior_joint {
            visits += params.prior_joint_visits;
            let neighbours = dilate(layout, own) & empty;
            let joints = joint_cells(layout, own, empty) - neighbours;
            add(neighbours, params.prior_neighbour_wins);
            add(joints, params.prior_joint_wins);
            add(empty - neighbours - joints, params.prior_other_wins);
        }
        let stage = |count: u32| match params.prior_stage {
            0 => count,
            full => count * (board.stone_count() as u32).min(full) / full,
        };
        if params.prior_local {
            visits += stage(params.prior_local_visits);
            for cells in cells_by_groups(layout, own) {
                add(cells & empty, stage(params.prior_local_wins));
            }
        }
        if params.prior_edge != EdgePrior::Off {
            visits += stage(params.prior_edge_visits);
            let own_cell_counts = params.prior_edge == EdgePrior::Own;
            for cells in border_reach(board, reach, own_cell_counts) {
                add(cells & empty, stage(params.prior_edge_wins));
            }
            if !params.look_ahead {
                add((reach.bridge() | reach.fork()) & empty, WINS_OF_A_WIN);
            }
        }
        visits
    }
}

/// For each border, the cells where a stone of the side to move would be connected to it through the
/// chains it touches; with `own_cell_counts`, also by lying on the border itself.
#[inline(always)]
fn border_reach<W: Width>(
    board: &Board<W>,
    reach: &Reach<W>,
    own_cell_counts: bool,
) -> [Set<W>; 12] {
    let colour = board.to_move();
    if own_cell_counts {
        return std::array::from_fn(|border| reach.border(border));
    }
    let mut chains = [Set::<W>::empty(); 12];
    for index in board.stones(colour) {
        let chain = board.chains().at(Cell::from_index(index));
        let mut borders = board.chains().borders(chain);
        while borders != 0 {
            chains[borders.trailing_zeros() as usize].insert(index);
            borders &= borders - 1;
        }
    }
    chains.map(|chain| dilate(board.layout(), chain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Isa;
    use crate::havannah::geometry::MAX_INDEX;
    use crate::havannah::threats::SideThreats;
    use crate::havannah::width::Width10;
    use crate::havannah::{AnyWidth, Geometry, Notation};

    fn cell(name: &str) -> Cell {
        Geometry::at(5).read_cell(Notation::Letternum, name).expect("a cell")
    }

    /// The prior visits, and the wins of some moves, after some stones (White and Black in turn). Asserts
    /// that two widths agree.
    fn priors(stones: &[&str], settings: &[&str], moves: &[&str]) -> (u32, Vec<u32>) {
        let found = priors_in::<Width10>(stones, settings, moves);
        assert_eq!(priors_in::<AnyWidth>(stones, settings, moves), found);
        found
    }

    fn priors_in<W: Width>(stones: &[&str], settings: &[&str], moves: &[&str]) -> (u32, Vec<u32>) {
        let mut board = Board::empty(W::layout(5).expect("a base"));
        stones.iter().for_each(|name| {
            board.play(cell(name)).expect("legal");
        });
        let mut params = Params::default();
        settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
        let mut wins = [0; MAX_INDEX];
        let threats = SideThreats::new(&board, board.to_move());
        let (params, reach) = (&params, threats.reach());
        let counts = PriorCounts { board: &board, params, reach, wins: &mut wins };
        let visits = Isa::best().run(counts);
        (visits, moves.iter().map(|name| wins[cell(name).index()]).collect())
    }

    #[test]
    fn joint_neighbour_and_other_moves() {
        let found = priors(&["e5", "i9"], &["prior_joint=true"], &["e6", "f7", "a1", "g7"]);
        // e6 is next to e5. f7 is two away, with e6 and f6 between. g7 is two away in a straight line.
        assert_eq!(found, (40, vec![40, 30, 5, 5]));
        let blocked = priors(&["e5", "e6"], &["prior_joint=true"], &["f7", "f6"]);
        assert_eq!(blocked, (40, vec![5, 40]), "a stone between: no joint");
    }

    #[test]
    fn groups_around_a_move() {
        let stones = ["e5", "a1", "f7", "a2", "d6", "b1"];
        let found = priors(&stones, &["prior_local=true"], &["e6", "e4", "i9"]);
        // e6 has e5, f7 and d6 as separate groups; e4 has only e5.
        assert_eq!(found, (30, vec![30, 10, 0]));
    }

    #[test]
    fn edges_and_corners_of_the_chains_around_a_move() {
        // White a2 is on an edge, b1 on another; b2 touches both.
        let stones = ["a2", "i9", "b1", "i8"];
        let moves = ["b2", "a3", "a1", "e5", "e1"];
        let found = priors(&stones, &["prior_edge=chains"], &moves);
        assert_eq!(found, (30, vec![20, 10, 20, 0, 0]));
        // The cell itself counts too: a3 is on the edge of a2; a1 and e1 are corners.
        let found = priors(&stones, &["prior_edge=own"], &moves);
        assert_eq!(found, (30, vec![20, 10, 30, 0, 10]));
    }

    #[test]
    fn kinds_add_up_and_come_in_with_the_stones() {
        let all = ["prior_joint=true", "prior_local=true", "prior_edge=chains"];
        // The example of the thesis: a neighbour move with two groups and two edges.
        let stones = ["a2", "i9", "b1", "i8"];
        assert_eq!(priors(&stones, &all, &["b2", "e5"]), (100, vec![40 + 20 + 20, 5]));
        let half = [&all[..], &["prior_stage=8"]].concat();
        assert_eq!(priors(&stones, &half, &["b2", "e5"]), (70, vec![40 + 10 + 10, 5]));
    }
}
