//! How much of a space a path can take that cannot come back.
//!
//! A cell whose loss would split a space is a door between chambers: who goes through it closes it. So
//! only a chain of chambers counts, each behind a door of the one before it, and of all chains the best
//! (the program that won the Google AI Challenge 2010 judged space so; Sloane 2010). Chambers are the
//! blocks that a depth-first walk finds (Hopcroft and Tarjan 1973). A path in a chamber changes the
//! colour of the checkerboard with each step, so the scarcer colour bounds the cells it can take.

use super::grid::Grid;
use crate::bits::{Bits, Words};

/// What a cell, and a pair of neighbouring cells, of a chamber are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    pub cell: i32,
    pub edge: i32,
}

impl Worth {
    /// Cells alone: no path is longer than the best chain.
    pub const CELLS: Self = Self { cell: 1, edge: 0 };
}

/// In the place of when the walk came to a cell: it has yet to, or never will.
const UNSEEN: u16 = u16::MAX - 1;
const OUTSIDE: u16 = u16::MAX;

/// A cell on the way of the walk, with what was found behind it.
#[derive(Clone, Copy)]
struct Visit {
    cell: u16,
    /// The ways to cells that the walk had not come to before: a bit for each.
    ways: u8,
    /// When the walk came here, and when to the earliest cell next to this or those behind.
    order: u16,
    earliest: u16,
    /// Of the chamber that this cell is in, as far as it lies behind it: pairs of neighbours, and cells
    /// of each colour.
    edges: u16,
    cells: [u16; 2],
    /// The best chain behind a door of that part.
    beyond: i32,
}

impl Visit {
    const NONE: Self =
        Self { cell: 0, ways: 0, order: 0, earliest: 0, edges: 0, cells: [0; 2], beyond: 0 };

    /// The walk comes to a cell, so many steps from where it began.
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

/// The worth of the best chain of chambers for a path that starts at a cell, which does not count, and
/// goes on in `space`.
#[inline(always)]
pub fn best_chain<W: Words>(grid: Grid, space: &Bits<W>, start: usize, worth: Worth) -> i32 {
    // As few places as there can be cells, and cells on the way.
    match (W::LEN, space.len()) {
        (0..=4, ..64) => walk::<W, 256, 64>(grid, space, start, worth),
        (0..=4, _) => walk::<W, 256, 256>(grid, space, start, worth),
        (5..=16, ..256) => walk::<W, 1024, 256>(grid, space, start, worth),
        (5..=16, _) => walk::<W, 1024, 1024>(grid, space, start, worth),
        _ => walk::<W, 4096, 4096>(grid, space, start, worth),
    }
}

/// The most cells that a path from a cell can take in `space`, or more.
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
    // When the walk came to a cell.
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
            // The cell before is the door of a chamber, which is complete.
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

/// The most cells of two colours in turn, where `first` begins.
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
    fn scene(text: &str) -> (Grid, Cells, usize) {
        let map: Map = text.parse().expect("a map");
        let free = |cell: &usize| !map.walls[*cell] && !map.heads.contains(cell);
        (map.grid, map.grid.cells().filter(free).collect(), map.heads[0])
    }

    fn neighbours(grid: Grid, cell: usize, space: &Cells) -> Vec<usize> {
        let steps = Direction::ALL.map(|direction| grid.step(cell, direction));
        steps.into_iter().filter(|next| space.contains(*next)).collect()
    }

    /// What a path from a cell reaches without leaving a space; the cell itself is in it.
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

    /// The best chain by its definition: doors are found by closing each cell.
    pub fn slowly(grid: Grid, space: &Cells, start: usize, worth: Worth) -> i32 {
        let mut best = 0;
        let mut left = *space - Cells::single(start);
        for exit in neighbours(grid, start, &left) {
            if !left.contains(exit) {
                continue;
            }
            // One room of those that the start is the door of.
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

    /// The longest path by trying them all.
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
        // Four cells of each colour, or five of the one that comes first and three of the other.
        let (grid, space, start) = scene("4 3\n#   \n1   \n#  2\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (8, 8));
        let (grid, space, start) = scene("4 3\n   #\n1  2\n   #\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (8, 7));
    }

    #[test]
    fn the_best_of_two_rooms_counts() {
        let (grid, space, start) = scene("7 3\n  #####\n  1   2\n  #####\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (9, 6));
        // A corridor that has two cells to its side: one of them is behind the other.
        let (grid, space, start) = scene("6 3\n#### #\n1    2\n## ###\n");
        assert_eq!((space.len(), most_cells(grid, &space, start)), (6, 5));
    }

    #[test]
    fn cells_and_their_neighbours_have_their_worth() {
        // Two by two, behind a corridor of one: five cells, and one pair more than those.
        let (grid, space, start) = scene("5 2\n1   #\n##  2\n");
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
