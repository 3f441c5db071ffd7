//! What first moves are worth, for the pie rule: a table made by the engine itself.
//!
//! `ciclon openings` makes `openings.txt`: one line for each group of first moves that the
//! symmetries of the board make equal.

use crate::havannah::geometry::Tables;
use crate::havannah::{Cell, Notation};

/// A first move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opening {
    pub cell: Cell,
    /// The win rate of the first player.
    pub value: f64,
    /// The playouts of the search that found it.
    pub playouts: u64,
}

const TABLE: &str = include_str!("openings.txt");

/// The first moves on a board, one of each group of equal ones.
pub fn of_size(tables: &Tables) -> Vec<Opening> {
    read(TABLE, tables)
}

/// What is known of a first move.
pub fn value_of(tables: &Tables, cell: Cell) -> Option<Opening> {
    let images = images(tables, cell);
    of_size(tables).into_iter().find(|opening| images.contains(&opening.cell))
}

/// The cells that a symmetry sends a cell to, itself among them.
pub fn images(tables: &Tables, cell: Cell) -> Vec<Cell> {
    let mut images: Vec<Cell> = (0..12).map(|symmetry| tables.transform(cell, symmetry)).collect();
    images.sort();
    images.dedup();
    images
}

/// Lines of base, cell, value and playouts; `#` begins a comment.
fn read(text: &str, tables: &Tables) -> Vec<Opening> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let size: usize = words.next()?.parse().ok()?;
        let cell = words.next()?;
        let value = words.next()?.parse().ok()?;
        let playouts = words.next()?.parse().ok()?;
        let cell = (size == tables.size).then(|| Notation::Letternum.read(tables, cell).ok())??;
        Some(Opening { cell, value, playouts })
    };
    text.lines().filter(|text| !text.starts_with('#')).filter_map(line).collect()
}

/// A line of the table.
pub fn write(tables: &Tables, opening: &Opening) -> String {
    let cell = Notation::Letternum.write(tables, opening.cell);
    format!("{} {cell} {:.4} {}\n", tables.size, opening.value, opening.playouts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::{Base, Size};
    use crate::with_base;

    /// Every first move of every base is in the table once, and every line of the table is read.
    #[test]
    fn the_table_is_whole() {
        fn check<B: Base>() -> usize {
            let openings = of_size(B::TABLES);
            let mut covered: Vec<Cell> =
                openings.iter().flat_map(|opening| images(B::TABLES, opening.cell)).collect();
            covered.sort();
            assert_eq!(covered, B::TABLES.cells(), "base {}", B::SIZE);
            for opening in &openings {
                assert!((0.0..=1.0).contains(&opening.value), "{opening:?}");
                assert!(opening.playouts > 0, "{opening:?}");
                let (read, expected) = (value_of(B::TABLES, opening.cell), Some(*opening));
                assert_eq!(read, expected);
            }
            openings.len()
        }
        let read: usize =
            (2..=10).map(|size| with_base!(size, B => check::<B>()).expect("a base")).sum();
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(read, lines);
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        let tables = Size::<5>::TABLES;
        let cell = Notation::Letternum.read(tables, "c4").expect("a cell");
        let opening = Opening { cell, value: 0.5625, playouts: 123 };
        let text = format!("# a comment\n{}4 a1 0.5 7\n", write(tables, &opening));
        assert_eq!(read(&text, tables), [opening]);
    }
}
