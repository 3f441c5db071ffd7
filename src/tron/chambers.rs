//! An upper bound on the cells that a path can take in a space.
//!
//! - A door is a cell whose removal splits the space. A path that goes through a door closes it and
//!   cannot come back.
//! - So only a chain of chambers counts, each entered through a door of the one before; the best chain
//!   is taken (the program that won the Google AI Challenge 2010 evaluates space in this way; Sloane
//!   2010).
//! - Chambers are the biconnected components (blocks) found by a depth-first search (Hopcroft and Tarjan
//!   1973).
//! - A path alternates between the colours of a checkerboard, so the scarcer colour of a chamber bounds
//!   the cells it can take there.

use super::grid::Grid;
use crate::bits::{Bits, Words};

/// The weights of a cell of a chamber, and of a pair of adjacent cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    pub cell: i32,
    pub edge: i32,
}

impl Worth {
    /// Counts cells only: no path is longer than the best chain.
    pub const CELLS: Self = Self { cell: 1, edge: 0 };
}

/// Values in the place of a visit order: not visited yet, or not in the space.
const UNSEEN: u16 = u16::MAX - 1;
const OUTSIDE: u16 = u16::MAX;

/// A cell on the stack of the depth-first search, with what was found below it.
#[derive(Clone, Copy)]
struct Visit {
    cell: u16,
    /// One bit for each direction to a cell that was not visited before.
    ways: u8,
    /// The visit order of this cell, and the lowest order next to this cell or those below it.
    order: u16,
    earliest: u16,
    /// The part of the chamber of this cell that is below it: pairs of adjacent cells, and cells of each
    /// colour.
    edges: u16,
    cells: [u16; 2],
    /// The best chain through a door of that part.
    beyond: i32,
}

impl Visit {
    const NONE: Self =
        Self { cell: 0, ways: 0, order: 0, earliest: 0, edges: 0, cells: [0; 2], beyond: 0 };

    /// Visits a cell that is `depth` steps from the start on the path of the search.
    #[inline(always)]
    fn begin(cell: usize, order: u16, depth: usize, orders: &[u16], steps: [usize; 4]) -> Self {
        let mut visit = Self { cell: cell as u16, order, earliest: order, ..Self::NONE };
        visit.cells[depth & 1] = 1;
        for (way, step) in steps.into_iter().enumerate() {
            let seen = orders[cell.wrapping_add(step)];
            visit.ways |= u8::from(seen == UNSEEN) << way;
            if seen < UNSEEN {
                visit.edges += 1;
                visit.earliest = visit.earliest.min(seen);
            }
        }
        visit
    }
}

/// The weight of the best chain of chambers for a path that starts at `start`, which does not count, and
/// continues in `space`.
#[inline(always)]
pub fn best_chain<W: Words>(grid: Grid, space: &Bits<W>, start: usize, worth: Worth) -> i32 {
    // Choose the smallest arrays that hold the cells and the stack.
    match (W::LEN, space.len()) {
        (0..=4, ..64) => walk::<W, 256, 64>(grid, space, start, worth),
        (0..=4, _) => walk::<W, 256, 256>(grid, space, start, worth),
        (5..=16, ..256) => walk::<W, 1024, 256>(grid, space, start, worth),
        (5..=16, _) => walk::<W, 1024, 1024>(grid, space, start, worth),
        _ => walk::<W, 4096, 4096>(grid, space, start, worth),
    }
}

/// An upper bound on the cells that a path from a cell can take in `space`.
#[inline(always)]
pub fn most_cells<W: Words>(grid: Grid, space: &Bits<W>, start: usize) -> usize {
    best_chain(grid, space, start, Worth::CELLS) as usize
}

#[inline(always)]
fn walk<W: Words, const SPAN: usize, const DEPTH: usize>(
    grid: Grid,
    space: &Bits<W>,
    start: usize,
    worth: Worth,
) -> i32 {
    let stride = grid.stride();
    let steps = [stride.wrapping_neg(), 1, stride, usize::MAX];
    // The visit order of each cell.
    let mut orders = [OUTSIDE; SPAN];
    space.iter().for_each(|cell| orders[cell] = UNSEEN);
    let mut visits = [Visit::NONE; DEPTH];
    let mut order = 0;
    let mut depth = 0;
    orders[start] = order;
    visits[0] = Visit::begin(start, order, depth, &orders, steps);
    loop {
        let visit = &mut visits[depth];
        if visit.ways != 0 {
            let next =
                (visit.cell as usize).wrapping_add(steps[visit.ways.trailing_zeros() as usize & 3]);
            visit.ways &= visit.ways - 1;
            if orders[next] == UNSEEN {
                order += 1;
                depth += 1;
                orders[next] = order;
                visits[depth] = Visit::begin(next, order, depth, &orders, steps);
            }
            continue;
        }
        let done = *visit;
        if depth == 0 {
            return done.beyond;
        }
        depth -= 1;
        let before = &mut visits[depth];
        if done.earliest >= before.order {
            // The cell before is a door, and the chamber is complete.
            let [same, other] = [done.cells[depth & 1], done.cells[(depth + 1) & 1]];
            let cells = worth.cell * i32::from(alternating(other, same));
            let chain = cells + worth.edge * i32::from(done.edges) + done.beyond;
            before.beyond = before.beyond.max(chain);
        } else {
            before.earliest = before.earliest.min(done.earliest);
            before.edges += done.edges;
            before.cells[0] += done.cells[0];
            before.cells[1] += done.cells[1];
            before.beyond = before.beyond.max(done.beyond);
        }
    }
}

/// The maximum number of cells of two alternating colours, starting with `first`.
#[inline(always)]
fn alternating(first: u16, second: u16) -> u16 {
    if first > second { 2 * second + 1 } else { 2 * first }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::tron::{Direction, Map};

    type Cells = Bits<[u64; 4]>;

    const WORTH: Worth = Worth { cell: 194, edge: 55 };

    /// The free cells of a map, and the head of side 0.
    fn space_of(text: &str) -> (Grid, Cells, usize) {
        let map: Map = text.parse().expect("a map");
        let free = |cell: &usize| !map.walls[*cell] && !map.heads.contains(cell);
        (map.grid, map.grid.cells().filter(free).collect(), map.heads[0])
    }

    fn neighbours(grid: Grid, cell: usize, space: &Cells) -> Vec<usize> {
        let steps = Direction::ALL.map(|direction| grid.step(cell, direction));
        steps.into_iter().filter(|next| space.contains(*next)).collect()
    }

    /// The cells that a path from `start` can reach inside a space, including `start`.
    fn flood(grid: Grid, space: &Cells, start: usize) -> Cells {
        let mut reached = Cells::single(start);
        let mut open = vec![start];
        while let Some(cell) = open.pop() {
            for next in neighbours(grid, cell, space) {
                if !reached.contains(next) {
                    reached.insert(next);
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The best chain by its definition: doors are found by removing each cell.
    pub fn slowly(grid: Grid, space: &Cells, start: usize, worth: Worth) -> i32 {
        let mut best = 0;
        let mut left = *space - Cells::single(start);
        for exit in neighbours(grid, start, &left) {
            if !left.contains(exit) {
                continue;
            }
            // One of the rooms next to the start.
            let room = flood(grid, &left, exit);
            left -= room;
            let behind = |door: usize| {
                let open = room - Cells::single(door);
                open - flood(grid, &open, start)
            };
            let hidden = room.iter().map(behind).fold(Cells::empty(), |all, cells| all | cells);
            let chamber = room - hidden;
            let with_start = chamber | Cells::single(start);
            let ends: usize =
                with_start.iter().map(|cell| neighbours(grid, cell, &with_start).len()).sum();
            let colour = |cell: usize| {
                let (x, y) = grid.place(cell);
                (x + y) % 2
            };
            let same = chamber.iter().filter(|cell| colour(*cell) == colour(start)).count();
            let other = chamber.len() - same;
            let cells = if other > same { 2 * same + 1 } else { 2 * other };
            let beyond = chamber.iter().map(|door| slowly(grid, &behind(door), door, worth)).max();
            let own = worth.cell * cells as i32 + worth.edge * (ends / 2) as i32;
            best = best.max(own + beyond.unwrap_or(0));
        }
        best
    }

    /// The longest path, by trying all of them.
    pub fn longest(grid: Grid, space: &Cells, start: usize) -> usize {
        let exits = neighbours(grid, start, space).into_iter();
        exits
            .map(|next| 1 + longest(grid, &(*space - Cells::single(next)), next))
            .max()
            .unwrap_or(0)
    }

    fn random_space(rng: &mut Rng, side: u32) -> (Grid, Cells, usize) {
        let (width, height) = (2 + rng.below(side), 2 + rng.below(side));
        let grid = Grid::new(width as usize, height as usize).expect("a grid");
        let walls = rng.below(6);
        let mut space: Cells = grid.cells().filter(|_| rng.below(10) >= walls).collect();
        let start = grid.cell(rng.below(width) as usize, rng.below(height) as usize);
        space.remove(start);
        (grid, space, start)
    }

    #[test]
    fn an_open_room_counts_by_its_colours() {
        // Four cells of each colour; then five of the first colour and three of the other.
        let (grid, space, start) = space_of("4 3\n#   \n1   \n#  2\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (8, 8));
        let (grid, space, start) = space_of("4 3\n   #\n1  2\n   #\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (8, 7));
    }

    #[test]
    fn the_best_of_two_rooms_counts() {
        let (grid, space, start) = space_of("7 3\n  #####\n  1   2\n  #####\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (9, 6));
        // A corridor with two side cells: one of them is lost when the path takes the other.
        let (grid, space, start) = space_of("6 3\n#### #\n1    2\n## ###\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (6, 5));
    }

    #[test]
    fn cells_and_their_neighbours_have_their_worth() {
        // Two by two cells after a corridor of one: five cells, and six pairs including the start.
        let (grid, space, start) = space_of("5 2\n1   #\n##  2\n");
        assert_eq!(best_chain(grid, &space, start, WORTH), 5 * 194 + 6 * 55);
        assert_eq!(best_chain(grid, &Cells::empty(), start, WORTH), 0);
    }

    #[test]
    fn the_walk_agrees_with_the_definition() {
        let mut rng = Rng::new(11);
        for _ in 0..3_000 {
            let (grid, space, start) = random_space(&mut rng, 6);
            for worth in [WORTH, Worth::CELLS] {
                let (quick, slow) =
                    (best_chain(grid, &space, start, worth), slowly(grid, &space, start, worth));
                assert_eq!(quick, slow, "{grid:?} from {start}: {space:?}");
            }
        }
    }

    #[test]
    fn no_path_is_longer_than_the_best_chain() {
        let mut rng = Rng::new(12);
        let mut exact = 0;
        for _ in 0..2_000 {
            let (grid, space, start) = random_space(&mut rng, 3);
            let (bound, longest) = (most_cells(grid, &space, start), longest(grid, &space, start));
            assert!(longest <= bound, "{grid:?} from {start}: {space:?}");
            exact += usize::from(longest == bound);
        }
        assert!(exact > 1_500, "{exact}");
    }

    #[test]
    fn wider_sets_say_the_same() {
        let mut rng = Rng::new(13);
        for _ in 0..200 {
            let (grid, space, start) = random_space(&mut rng, 8);
            let expected = best_chain(grid, &space, start, WORTH);
            let wide: Bits<[u64; 8]> = space.iter().collect();
            assert_eq!(best_chain(grid, &wide, start, WORTH), expected);
            let wider: Bits<[u64; 16]> = space.iter().collect();
            assert_eq!(best_chain(grid, &wider, start, WORTH), expected);
            let widest: Bits<[u64; 64]> = space.iter().collect();
            assert_eq!(best_chain(grid, &widest, start, WORTH), expected);
        }
    }
}
