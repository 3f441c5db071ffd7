//! The longest path in a space that only one player can enter.
//!
//! - Once the players are separated, the one who can make more steps wins.
//! - Paths are tried depth first. A branch is pruned if even the best chain of chambers (an upper bound)
//!   does not make it longer than the best path so far.
//! - At each cell the move with the largest bound is tried first; ties go to the fewest free neighbours.
//! - Plain depth-first search revises early choices last. So the search restarts with an increasing
//!   number of discrepancies from the first choice (Harvey and Ginsberg 1995), until no path is left or
//!   time is up.

use super::chambers::most_cells;
use super::grid::Grid;
use super::position::Exits;
use super::regions::reachable;
use crate::bits::{Bits, Words};

/// A path, and whether it is known to be the longest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filling {
    /// Cell by cell, without the start.
    pub path: Vec<u16>,
    pub is_longest: bool,
    /// The number of cells tried.
    pub nodes: u64,
}

/// The longest path that is found from a cell through cells that are not taken.
///
/// - If `known` is still a valid path, the result is at least as long.
/// - `is_over` is called at each cell, with the number of cells tried so far and the length of the best
///   path.
pub fn longest_path<W: Words>(
    grid: Grid,
    taken: Bits<W>,
    start: usize,
    known: &[u16],
    mut is_over: impl FnMut(u64, usize) -> bool,
) -> Filling {
    longest(grid, taken, start, known, &mut is_over)
}

/// [`longest_path`], compiled once for all closures.
fn longest<W: Words>(
    grid: Grid,
    taken: Bits<W>,
    start: usize,
    known: &[u16],
    is_over: &mut dyn FnMut(u64, usize) -> bool,
) -> Filling {
    let free = reachable(grid, &taken, start);
    let best = if is_path(grid, free, start, known) { known.to_vec() } else { Vec::new() };
    let most = most_cells(grid, &free, start);
    let (path, levels) = (Vec::new(), Vec::new());
    let mut search =
        Search { grid, free, most, best, path, levels, nodes: 0, is_cut: false, is_over };
    let is_longest = search.search(start);
    Filling { path: search.best, is_longest, nodes: search.nodes }
}

/// Whether a path from a cell goes over free cells only, none of them twice.
fn is_path<W: Words>(grid: Grid, mut free: Bits<W>, start: usize, path: &[u16]) -> bool {
    let mut at = start;
    path.iter().all(|next| {
        let next = *next as usize;
        let is_step = grid.direction(at, next).is_some() && free.contains(next);
        if is_step {
            free.remove(next);
            at = next;
        }
        is_step
    })
}

struct Search<'a, W: Words> {
    grid: Grid,
    free: Bits<W>,
    /// An upper bound on the cells of a path.
    most: usize,
    best: Vec<u16>,
    path: Vec<u16>,
    /// The choice at the start and at each cell of the path.
    levels: Vec<Level>,
    nodes: u64,
    /// Whether a branch was skipped because it has too many discrepancies.
    is_cut: bool,
    is_over: &'a mut dyn FnMut(u64, usize) -> bool,
}

/// A cell to go to, the upper bound on the cells of a path from there, and its free neighbours.
#[derive(Clone, Copy, Default)]
struct Candidate {
    cell: u16,
    most: u16,
    exits: u8,
}

/// A choice: the candidates, best first, and the discrepancies that are left.
struct Level {
    candidates: [Candidate; 4],
    count: usize,
    tried: usize,
    departures: usize,
}

impl<W: Words> Search<'_, W> {
    /// Searches until no path is left or time is up. Returns whether the best path is the longest.
    fn search(&mut self, start: usize) -> bool {
        let mut departures = 0;
        while self.best.len() < self.most {
            self.is_cut = false;
            if self.try_paths(start, departures).is_none() {
                break;
            }
            if !self.is_cut {
                return true;
            }
            departures = (2 * departures).max(1);
        }
        self.best.len() == self.most
    }

    /// Tries the paths with at most `departures` discrepancies that may be longer than the best. `None`
    /// if it stops before all are tried.
    fn try_paths(&mut self, start: usize, departures: usize) -> Option<()> {
        self.enter(start, self.most, departures)?;
        while let Some(level) = self.levels.last_mut() {
            let rank = level.tried;
            if rank == level.count {
                self.leave();
                continue;
            }
            level.tried += 1;
            let Candidate { cell, most, .. } = level.candidates[rank];
            if self.path.len() + 1 + most as usize <= self.best.len() {
                continue;
            }
            if rank > level.departures {
                self.is_cut = true;
                continue;
            }
            let departures = level.departures - rank;
            self.free.remove(cell as usize);
            self.path.push(cell);
            self.enter(cell as usize, most as usize, departures)?;
        }
        Some(())
    }

    /// Enters a cell from which a path takes at most `most` cells. `None` if it is time to stop.
    fn enter(&mut self, at: usize, most: usize, departures: usize) -> Option<()> {
        self.nodes += 1;
        if self.path.len() > self.best.len() {
            self.best.clone_from(&self.path);
        }
        if self.best.len() == self.most || (self.is_over)(self.nodes, self.best.len()) {
            return None;
        }
        let (candidates, count) = self.candidates(at, most);
        self.levels.push(Level { candidates, count, tried: 0, departures });
        Some(())
    }

    fn leave(&mut self) {
        self.levels.pop();
        self.path.pop().into_iter().for_each(|cell| self.free.insert(cell as usize));
    }

    /// The cells to go to, best first, and their number.
    fn candidates(&self, at: usize, most: usize) -> ([Candidate; 4], usize) {
        let (grid, free) = (self.grid, self.free);
        let exits = Exits::of(grid, at, |cell| free.contains(cell));
        let mut candidates = [Candidate::default(); 4];
        if let [cell] = exits.cells() {
            // The only exit is a chamber of one cell, so the bound falls by exactly 1.
            candidates[0] = Candidate { cell: *cell, most: most as u16 - 1, exits: 0 };
            return (candidates, 1);
        }
        for (candidate, cell) in candidates.iter_mut().zip(exits.cells()) {
            let next = *cell as usize;
            let rest = free - Bits::single(next);
            *candidate = Candidate {
                cell: *cell,
                most: most_cells(grid, &rest, next) as u16,
                exits: Exits::of(grid, next, |cell| rest.contains(cell)).len() as u8,
            };
        }
        let count = exits.len();
        candidates[..count].sort_by_key(|next| (u16::MAX - next.most, next.exits));
        (candidates, count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::chambers::tests::longest;
    use super::*;
    use crate::rng::Rng;
    use crate::tron::Map;

    type Cells = Bits<[u64; 4]>;

    fn taken_of(map: &Map) -> Cells {
        let is_taken = |cell: &usize| map.walls[*cell] || map.heads.contains(cell);
        let mut taken: Cells = (0..Cells::CAPACITY).collect();
        map.grid.cells().filter(|cell| !is_taken(cell)).for_each(|cell| taken.remove(cell));
        taken
    }

    fn fill(text: &str, budget: u64) -> Filling {
        let map: Map = text.parse().expect("a map");
        let filling =
            longest_path(map.grid, taken_of(&map), map.heads[0], &[], |nodes, _| nodes >= budget);
        let free = map.grid.cells().filter(|cell| !taken_of(&map).contains(*cell)).collect();
        assert!(is_path::<[u64; 4]>(map.grid, free, map.heads[0], &filling.path), "{text}");
        filling
    }

    #[test]
    fn known_rooms_are_filled() {
        for (text, cells) in [
            ("2 1\n12\n", 0),
            ("5 1\n1  #2\n", 2),
            // A room of even size is filled completely from its corner.
            ("6 5\n1   #2\n    ##\n    ##\n    ##\n    ##\n", 19),
            // From the middle of a side of an odd room, a cell of one colour is left over.
            ("5 3\n   #2\n1  ##\n   ##\n", 7),
            // Two rooms: only the larger one counts.
            ("7 3\n  ## ##\n  1   2\n  ## ##\n", 6),
            // A cell next to the corridor is skipped, or ends the path.
            ("6 2\n1    2\n## ###\n", 4),
        ] {
            let filling = fill(text, 100_000);
            assert_eq!(filling.path.len(), cells, "{text}");
            assert!(filling.is_longest, "{text}");
        }
    }

    #[test]
    fn the_longest_path_is_found_in_random_rooms() {
        let mut rng = Rng::new(21);
        for _ in 0..400 {
            let grid = Grid::new(2 + rng.below(4) as usize, 2 + rng.below(4) as usize);
            let grid = grid.expect("a grid");
            let walls = rng.below(5);
            let mut space: Cells = grid.cells().filter(|_| rng.below(10) >= walls).collect();
            let start = grid.cell(0, rng.below(grid.height() as u32) as usize);
            space.remove(start);
            let all: Cells = (0..Cells::CAPACITY).collect();
            let filling = longest_path(grid, all - space, start, &[], |_, _| false);
            assert!(filling.is_longest && is_path(grid, space, start, &filling.path));
            assert_eq!(filling.path.len(), longest(grid, &space, start), "{grid:?} {space:?}");
        }
    }

    #[test]
    fn a_large_open_room_is_nearly_filled_at_once() {
        let map = Map::open(Grid::new(13, 13).expect("a grid"), [14, 2 * 13 + 14]);
        let found = longest_path(map.grid, taken_of(&map), 14, &[], |nodes, _| nodes >= 2_000);
        assert!(found.path.len() >= 150, "{}", found.path.len());
        assert!(found.nodes <= 2_000);
    }

    #[test]
    fn the_largest_grid_is_no_matter_of_the_stack() {
        let grid = Grid::new(62, 62).expect("a grid");
        let map = Map::open(grid, [grid.cell(0, 0), grid.cell(61, 61)]);
        let taken = crate::tron::Position::<[u64; 64]>::new(&map, 0).taken();
        let budget = if cfg!(miri) { 10 } else { 4_000 };
        let found = longest_path(grid, taken, map.heads[0], &[], |nodes, _| nodes >= budget);
        assert!(found.path.len() as u64 > budget - 400, "{}", found.path.len());
    }

    #[test]
    fn a_budget_is_kept_and_a_known_path_is_not_lost() {
        let map: Map = "5 4\n     \n  1  \n     \n    2\n".parse().expect("a map");
        let (taken, start) = (taken_of(&map), map.heads[0]);
        let best = longest_path(map.grid, taken, start, &[], |_, _| false);
        let short = longest_path(map.grid, taken, start, &[], |nodes, _| nodes >= 3);
        assert!(short.nodes == 3 && short.path.len() < best.path.len() && !short.is_longest);
        let kept = longest_path(map.grid, taken, start, &best.path, |nodes, _| nodes >= 1);
        assert_eq!(kept.path, best.path);
        let enough = longest_path(map.grid, taken, start, &[], |_, length| length >= 7);
        assert_eq!(enough.path.len(), 7);
        // An invalid path is ignored.
        let wrong = [&best.path[..], &best.path[..1]].concat();
        let anew = longest_path(map.grid, taken, start, &wrong, |_, _| false);
        assert!(anew.path == best.path && anew.is_longest);
    }
}
