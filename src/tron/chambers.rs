//! How many moves a player alone can still make, at the most.
//!
//! The free cells around a head fall into chambers: two cells are in the same one if no single cell
//! parts them. Chambers touch in one cell each, so they are a tree, and a path that leaves a chamber
//! through such a cell can never come back: it has used the cell. So a path is a chain of chambers, away
//! from the head. In each of them it takes cells of the two colours of a checkerboard by turns. So many
//! can follow each other at the most: that is the bound of a chamber, and the bound of a region is the
//! sum along the best chain. (The chambers are the biconnected components of Hopcroft and Tarjan 1973.
//! The bound is that of the whole region if nothing parts it.)
//!
//! A step never raises the sum of the moves made and the bound: the chambers that are left are parts of
//! those there were.

use super::grid::{Direction, Grid};
use crate::bits::{Bits, Words};

/// What the search through a region keeps of a cell.
#[derive(Clone, Copy, Default)]
struct Visit {
    /// Steps from the head along the search. Its last bit is the colour of the cell.
    depth: u16,
    /// The smallest depth next to this cell and those found from it.
    low: u16,
    /// Where the search came from.
    from: u16,
    /// The bound from here on, through the chambers that begin here.
    bound: u16,
    /// Directions looked at.
    tried: u8,
}

/// Memory for finding bounds on a grid, to be used again and again.
pub struct Chambers {
    grid: Grid,
    visits: Vec<Visit>,
    /// The cells that are in no chamber yet, in the order they were found.
    loose: Vec<u16>,
}

impl Chambers {
    /// For a grid.
    pub fn new(grid: Grid) -> Self {
        let span = grid.span();
        Self { grid, visits: vec![Visit::default(); span], loose: Vec::with_capacity(span) }
    }

    /// The grid they are for.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The most moves that can be made from a head through cells that are not taken, as the head is.
    pub fn fill_bound<W: Words>(&mut self, taken: &Bits<W>, head: usize) -> usize {
        let mut seen = *taken;
        self.loose.clear();
        self.visits[head] = Visit::default();
        let mut cell = head;
        loop {
            let visit = &mut self.visits[cell];
            if let Some(way) = Direction::ALL.get(visit.tried as usize) {
                visit.tried += 1;
                let next = self.grid.step(cell, *way);
                if !seen.contains(next) {
                    seen.insert(next);
                    self.enter(next, cell);
                    cell = next;
                } else if next == head || !taken.contains(next) {
                    let depth = self.visits[next].depth;
                    self.lower(cell, depth);
                }
            } else if cell == head {
                return self.visits[head].bound as usize;
            } else {
                cell = self.leave(cell);
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, cell: usize, from: usize) {
        let depth = self.visits[from].depth + 1;
        self.visits[cell] = Visit { depth, low: depth, from: from as u16, bound: 0, tried: 0 };
        self.loose.push(cell as u16);
    }

    #[inline(always)]
    fn lower(&mut self, cell: usize, depth: u16) {
        let low = &mut self.visits[cell].low;
        *low = depth.min(*low);
    }

    /// Goes back from a cell of which all is found to the one before it.
    #[inline(always)]
    fn leave(&mut self, cell: usize) -> usize {
        let Visit { low, from, .. } = self.visits[cell];
        let from = from as usize;
        if low >= self.visits[from].depth {
            self.close(cell, from);
        } else {
            self.lower(from, low);
        }
        from
    }

    /// Closes the chamber that is entered from a cell, `first` the first that was found in it.
    fn close(&mut self, first: usize, entry: usize) {
        let colour = self.visits[entry].depth & 1;
        // By whether cells have the colour of the entry: how many there are, and the best bound behind.
        let (mut counts, mut behind) = ([0u16; 2], [0u16; 2]);
        while let Some(cell) = self.loose.pop() {
            let visit = self.visits[cell as usize];
            let is_same = usize::from(visit.depth & 1 == colour);
            counts[is_same] += 1;
            behind[is_same] = behind[is_same].max(visit.bound);
            if cell as usize == first {
                break;
            }
        }
        // A path begins with the other colour. If it ends there too it has one cell more of it.
        let [other, same] = counts;
        let to_other = 2 * same.min(other - 1) + 1 + behind[0];
        let to_same = 2 * same.min(other) + behind[1];
        let bound = &mut self.visits[entry].bound;
        *bound = to_other.max(to_same).max(*bound);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::*;
    use crate::tron::Map;

    /// The bound for player 1, on sets of two sizes.
    fn bound(text: &str) -> usize {
        let map: Map = text.parse().expect("a map");
        let small = Position::<[u64; 4]>::new(&map, 0);
        let large = Position::<[u64; 64]>::new(&map, 0);
        let mut chambers = Chambers::new(map.grid);
        let found = chambers.fill_bound(&small.taken(), small.head(0));
        assert_eq!(chambers.fill_bound(&large.taken(), large.head(0)), found, "{text}");
        assert_eq!(chambers.fill_bound(&small.taken(), small.head(0)), found, "again: {text}");
        found
    }

    #[test]
    fn a_corridor_is_as_long_as_it_is() {
        assert_eq!(bound("6 2\n1    #\n#####2\n"), 4);
        assert_eq!(bound("6 2\n  1  #\n#####2\n"), 2);
        assert_eq!(bound("4 2\n1#  \n##2 \n"), 0);
    }

    #[test]
    fn colours_take_turns() {
        // Of the eight cells around, four have the colour of the head, and a corner is left.
        assert_eq!(bound("4 3\n1  #\n   #\n   2\n"), 8);
        assert_eq!(bound("4 3\n 1 #\n   #\n   2\n"), 7, "four of its colour, five of the other");
        assert_eq!(bound("5 3\n#1###\n   ##\n# #2#\n"), 2, "a cross");
    }

    #[test]
    fn a_chain_of_chambers_does_not_come_back() {
        // Left six cells, right three.
        assert_eq!(bound("7 4\n  # ##2\n  1  ##\n  #####\n#######\n"), 6);
        // A corridor, and a choice of two rooms: seven moves below, eight with the last cell behind.
        assert_eq!(bound("6 5\n1#####\n      \n# #  #\n  ##2#\n  ####\n"), 8);
        assert_eq!(bound("6 5\n1#####\n     #\n# #  #\n  ##2#\n  ####\n"), 7);
    }
}
