//! How many moves a player alone can still make, at the least: a path that does it.
//!
//! A search in depth that goes first where the bound is highest, and among those to the cell with the
//! fewest exits, along the walls (the filling of den Teuling 2011, with a search around it). What
//! cannot become longer than the best path is left out. The search ends when the path is as long as is
//! wanted, when all has been tried, or when its budget is spent. There is no chance in it.

use super::chambers::Chambers;
use super::grid::Grid;
use super::position::Exits;
use crate::bits::{Bits, Words};

/// The cells to go on with from a node, the best first, each with the bound behind it.
struct Node {
    cells: [(u16, u16); 4],
    count: u8,
    next: u8,
}

/// A search for a long path.
struct Search<'a, W: Words> {
    grid: Grid,
    taken: Bits<W>,
    chambers: &'a mut Chambers,
    /// The nodes from the head to where the search is, and the cells between them.
    nodes: Vec<Node>,
    path: Vec<u16>,
    best: Vec<u16>,
}

impl<W: Words> Search<'_, W> {
    fn exits(&self, cell: usize) -> Exits {
        Exits::of(self.grid, cell, |next| !self.taken.contains(next))
    }

    /// The node of a cell that is taken.
    fn node(&mut self, cell: usize) -> Node {
        let exits = self.exits(cell);
        let mut ranked = [(0, 0, 0); 4];
        for (at, next) in exits.cells().iter().enumerate() {
            // It is followed whatever its bound is, if there is no other.
            let bound = match exits.len() {
                1 => u16::MAX,
                _ => self.bound_behind(*next as usize),
            };
            ranked[at] = (bound, self.exits(*next as usize).len(), *next);
        }
        ranked[..exits.len()].sort_by_key(|(bound, exits, _)| (u16::MAX - bound, *exits));
        let cells = ranked.map(|(bound, _, cell)| (cell, bound));
        Node { cells, count: exits.len() as u8, next: 0 }
    }

    fn bound_behind(&mut self, cell: usize) -> u16 {
        self.taken.insert(cell);
        let bound = self.chambers.fill_bound(&self.taken, cell);
        self.taken.remove(cell);
        bound as u16
    }

    /// The next cell worth a look from the last node.
    fn next_cell(&mut self) -> Option<u16> {
        let made = self.path.len();
        let node = self.nodes.last_mut()?;
        let (cell, bound) = *node.cells[..node.count as usize].get(node.next as usize)?;
        node.next += 1;
        // The others are no better: they are in order.
        let may_be_longer = made + 1 + bound as usize > self.best.len();
        may_be_longer.then_some(cell)
    }

    fn run(&mut self, head: usize, enough: usize, budget: usize) {
        let first = self.node(head);
        self.nodes.push(first);
        let mut left = budget;
        while !self.nodes.is_empty() {
            let Some(cell) = self.next_cell() else {
                self.nodes.pop();
                if let Some(cell) = self.path.pop() {
                    self.taken.remove(cell as usize);
                }
                continue;
            };
            self.path.push(cell);
            self.taken.insert(cell as usize);
            if self.path.len() > self.best.len() {
                self.best.clone_from(&self.path);
            }
            if self.best.len() >= enough || left == 0 {
                return;
            }
            left -= 1;
            let node = self.node(cell as usize);
            self.nodes.push(node);
        }
    }
}

/// A path from a head through cells that are not taken, as long as the budget of nodes lets it be
/// found, and no longer than is enough.
pub fn fill_path<W: Words>(
    chambers: &mut Chambers,
    taken: &Bits<W>,
    head: usize,
    enough: usize,
    budget: usize,
) -> Vec<u16> {
    let mut search = Search {
        grid: chambers.grid(),
        taken: *taken,
        chambers,
        nodes: Vec::new(),
        path: Vec::new(),
        best: Vec::new(),
    };
    if enough > 0 {
        search.run(head, enough, budget);
    }
    search.best
}

#[cfg(test)]
mod tests {
    use super::super::{Map, Position};
    use super::*;

    fn path(text: &str, enough: usize, budget: usize) -> Vec<(usize, usize)> {
        let map: Map = text.parse().expect("a map");
        let position = Position::<[u64; 4]>::new(&map, 0);
        let mut chambers = Chambers::new(map.grid);
        let path = fill_path(&mut chambers, &position.taken(), position.head(0), enough, budget);
        path.iter().map(|cell| map.grid.place(*cell as usize)).collect()
    }

    #[test]
    fn a_room_is_filled_and_no_more_than_is_enough() {
        let room = "5 4\n1   #\n    #\n    #\n   #2\n";
        let found = path(room, 99, 1000);
        assert_eq!(found.len(), 13, "six cells of the colour of the head");
        for pair in [(0, 0)].iter().chain(&found).collect::<Vec<_>>().windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            assert_eq!(x.abs_diff(*to_x) + y.abs_diff(*to_y), 1, "{found:?}");
        }
        let mut cells = found.clone();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), found.len(), "no cell twice");
        assert_eq!(path(room, 3, 1000), found[..3]);
        assert_eq!(path(room, 0, 1000), []);
    }

    #[test]
    fn a_budget_is_kept_to() {
        let room = "5 4\n1   #\n    #\n    #\n   #2\n";
        assert_eq!(path(room, 99, 0).len(), 1);
        assert_eq!(path(room, 99, 5).len(), 6);
        assert_eq!(path("3 1\n1#2\n", 99, 1000), []);
    }
}
