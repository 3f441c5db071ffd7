//! Tron without playouts: alpha-beta while the sides can meet; after that, each side searches the
//! longest path in its own space.
//!
//! A win is proven if the path is longer than any path of the other side can be.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::alpha_beta;
use crate::bits::{Isa, Words};
use crate::game::Move;
use crate::search::{Ending, Limits, MoveReport, Report, Reporter, Search, SearchStats};
use crate::tree::Status;
use crate::tron::Position;
use crate::tron::chambers::most_cells;
use crate::tron::filling::{Filling, longest_path};
use crate::tron::territory::{Territory, chance, separated_score};

/// Cells between two readings of the clock.
const LOOK_EVERY: u64 = 64;

/// Chooses moves by territory. For each side it keeps the rest of the path that was planned.
pub struct TerritorySearch<W: Words> {
    isa: Isa,
    position: Position<W>,
    plans: [Vec<u16>; 2],
    /// What the last search of the position found.
    found: Option<Report>,
}

impl<W: Words> Search for TerritorySearch<W> {
    fn advance(&mut self, line: &[Move]) {
        if !line.is_empty() {
            line.iter().for_each(|next| self.position.make(*next));
            self.found = None;
        }
    }

    fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        _progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Ending {
        let report = self.analyze(limits, stop);
        let is_proven = report.status.is_proven();
        self.found = Some(report);
        match is_proven {
            true => Ending::Solved,
            false if stop.load(Relaxed) => Ending::Stopped,
            false => Ending::Limit,
        }
    }
}

impl<W: Words> Reporter for TerritorySearch<W> {
    fn report(&self, _time: Duration) -> Report {
        let at_once = Limits { playouts: Some(0), ..Limits::default() };
        let look = || alpha_beta(&self.position, self.isa, &at_once, &AtomicBool::new(false));
        self.found.clone().unwrap_or_else(look)
    }
}

impl<W: Words> TerritorySearch<W> {
    pub fn new(isa: Isa, position: Position<W>) -> Self {
        Self { isa, position, plans: [Vec::new(), Vec::new()], found: None }
    }

    /// Searches the position for the side that chooses first, before either has chosen.
    fn analyze(&mut self, limits: &Limits, stop: &AtomicBool) -> Report {
        let territory = Territory::of(&self.position);
        if self.position.result().is_none() && territory.is_separated {
            self.fill(&territory, limits, stop)
        } else {
            alpha_beta(&self.position, self.isa, limits, stop)
        }
    }

    /// Searches the longest path, or one that is longer than any of the other side.
    fn fill(&mut self, territory: &Territory<W>, limits: &Limits, stop: &AtomicBool) -> Report {
        let position = &self.position;
        let begin = Instant::now();
        let (grid, side) = (position.grid(), position.first());
        let others = most_cells(grid, &territory.cells[1 - side], position.head(1 - side));
        let is_late = || limits.time.is_some_and(|time| begin.elapsed() >= time);
        let is_over = |nodes: u64, length: usize| {
            length > others
                || limits.playouts.is_some_and(|most| nodes >= most.max(2))
                || (nodes.is_multiple_of(LOOK_EVERY) && (stop.load(Relaxed) || is_late()))
        };
        let plan = &mut self.plans[side];
        let filling = longest_path(grid, position.taken(), position.head(side), plan, is_over);
        *plan = filling.path.get(1..).unwrap_or_default().to_vec();
        report(&filling, others, begin.elapsed())
    }
}

/// The report for a side that is separated from the other, which can take at most `others` cells.
fn report(filling: &Filling, others: usize, time: Duration) -> Report {
    let more = filling.path.len() as i32 - others as i32;
    let value = if more > 0 { 1.0 } else { f64::from(chance(separated_score(more))) };
    let status = if more > 0 { Status::WON } else { Status::UNKNOWN };
    // The other side is stuck after its last step, and both move at each step.
    let proof_depth = (more > 0).then_some(2 * others as u32);
    let pv: Vec<Move> = filling.path.iter().map(|cell| Move::new(*cell as usize)).collect();
    let best = pv.first().copied();
    let moves = best.iter().map(|next| MoveReport {
        next: *next,
        visits: u32::try_from(filling.nodes).unwrap_or(u32::MAX),
        win_rate: Some(value),
        rave: None,
        prior: None,
        status,
        proof_depth,
    });
    let depth = filling.path.len();
    Report {
        status,
        value,
        proof_depth,
        stats: SearchStats { depth, ..SearchStats::new(filling.nodes, time) },
        policies: Vec::new(),
        moves: moves.collect(),
        best,
        pv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{LOSS, WIN};
    use crate::rng::Rng;
    use crate::tron::{Grid, Map, Side};

    type Small = Position<[u64; 4]>;
    type SmallSearch = TerritorySearch<[u64; 4]>;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn position(text: &str, first: Side) -> Small {
        let map: Map = text.parse().expect("a map");
        Position::new(&map, first)
    }

    fn search(position: Small) -> SmallSearch {
        TerritorySearch::new(Isa::best(), position)
    }

    /// The report of a search of at most `most` nodes.
    fn look(search: &mut SmallSearch, most: u64) -> Report {
        let limits = Limits { playouts: Some(most), ..Limits::default() };
        let ending = search.run(&limits, &GO_ON, &mut |_| ());
        let report = search.report(Duration::ZERO);
        assert_eq!(ending == Ending::Solved, report.status.is_proven(), "{report:?}");
        report
    }

    /// The first side makes the best move, the second takes one of its exits. Returns the points of side
    /// 0, if the game is over.
    fn step(search: &mut SmallSearch, report: &Report, exit: usize) -> Option<u32> {
        let exits = search.position.exits(1 - search.position.first());
        let other = Move::new(exits.cells()[exit] as usize);
        search.advance(&[report.best.expect("a move"), other]);
        search.position.result()
    }

    #[test]
    fn a_space_of_its_own_is_filled_to_the_end() {
        // Twelve cells for side 0. Side 1 has as many, and goes straight on.
        let mut search = search(position("7 4\n   #2##\n   # ##\n  1#   \n   #   \n", 0));
        let mut steps = 0;
        let points = loop {
            let report = look(&mut search, 2_000);
            assert!(report.stats.depth > 0 && report.pv.len() == report.stats.depth, "{report:?}");
            steps += 1;
            if let Some(points) = step(&mut search, &report, 0) {
                break points;
            }
        };
        assert_eq!(points, WIN, "after {steps} steps:\n{}", search.position.to_map());
    }

    #[test]
    fn who_has_more_space_has_won() {
        let text = "5 3\n1  #2\n   # \n   # \n";
        for (first, status) in [(0, Status::WON), (1, Status::UNKNOWN)] {
            let report = look(&mut search(position(text, first)), 100);
            assert_eq!(report.status, status);
            assert_eq!(report.value > 0.5, first == 0, "{report:?}");
            assert_eq!(report.proof_depth, (first == 0).then_some(4));
        }
    }

    #[test]
    fn what_was_planned_is_not_forgotten() {
        // Equal rooms, so that there is always something to search.
        let room = "6 5\n   ##2\n  #   \n  #   \n #    \n1#    \n";
        let mut search = search(position(room, 0));
        let first = look(&mut search, 5_000);
        step(&mut search, &first, 0);
        let second = look(&mut search, 1);
        assert_eq!(second.pv, first.pv[1..]);
    }

    #[test]
    fn random_players_are_beaten() {
        let (mut rng, mut wins) = (Rng::new(3), 0);
        for game in 0..6 {
            let grid = Grid::new(7, 7).expect("a grid");
            let map = Map::open(grid, [grid.cell(1, 1), grid.cell(5, 5)]);
            let side = game % 2;
            let mut search = search(Position::new(&map, side));
            let points = loop {
                let report = look(&mut search, 500);
                let exits = search.position.exits(1 - side);
                let exit = rng.below(exits.len() as u32) as usize;
                if let Some(points) = step(&mut search, &report, exit) {
                    break points;
                }
            };
            let own = if side == 0 { points } else { WIN - points };
            // Both may move to the same cell by chance.
            assert_ne!(own, LOSS, "game {game}:\n{}", search.position.to_map());
            wins += u32::from(own == WIN);
        }
        assert!(wins > 4, "{wins} of 6");
    }
}
