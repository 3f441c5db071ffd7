//! The values of first moves, for the pie rule. The table is made by the engine itself.
//!
//! `ciclon openings` writes `openings.txt`: one line for each class of first moves that are equal
//! by symmetry.

use crate::havannah::{Cell, Geometry, Notation};

/// A first move and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opening {
    pub cell: Cell,
    /// The win rate of the first player.
    pub value: f64,
    /// The number of playouts of the search that found the value.
    pub playouts: u64,
}

const TABLE: &str = include_str!("openings.txt");

/// The first moves on a board, one of each symmetry class.
pub fn of_size(geometry: &Geometry) -> Vec<Opening> {
    read(TABLE, geometry)
}

/// The table entry of a first move.
pub fn value_of(geometry: &Geometry, cell: Cell) -> Option<Opening> {
    let images = images(geometry, cell);
    of_size(geometry).into_iter().find(|opening| images.contains(&opening.cell))
}

/// The images of a cell under the symmetries of the board, including the cell itself. Sorted.
pub fn images(geometry: &Geometry, cell: Cell) -> Vec<Cell> {
    let mut images: Vec<Cell> =
        (0..12).map(|symmetry| geometry.transform(cell, symmetry)).collect();
    images.sort();
    images.dedup();
    images
}

/// Parses lines of base, cell, value and playouts. `#` begins a comment.
fn read(text: &str, geometry: &Geometry) -> Vec<Opening> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let size: usize = words.next()?.parse().ok()?;
        let cell = words.next()?;
        let value = words.next()?.parse().ok()?;
        let playouts = words.next()?.parse().ok()?;
        let cell = (size == geometry.size)
            .then(|| geometry.read_cell(Notation::Letternum, cell).ok())??;
        Some(Opening { cell, value, playouts })
    };
    text.lines().filter(|text| !text.starts_with('#')).filter_map(line).collect()
}

/// A line of the table.
#[cfg(any(test, feature = "cli"))]
pub fn write(geometry: &Geometry, opening: &Opening) -> String {
    let cell = geometry.write_cell(Notation::Letternum, opening.cell);
    format!("{} {cell} {:.4} {}\n", geometry.size, opening.value, opening.playouts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every first move of every base is in the table once, and every line of the table is parsed.
    #[test]
    fn the_table_is_whole() {
        fn check(geometry: &Geometry) -> usize {
            let openings = of_size(geometry);
            let mut covered: Vec<Cell> =
                openings.iter().flat_map(|opening| images(geometry, opening.cell)).collect();
            covered.sort();
            assert_eq!(covered, geometry.cells(), "base {}", geometry.size);
            for opening in &openings {
                assert!((0.0..=1.0).contains(&opening.value), "{opening:?}");
                assert!(opening.playouts > 0, "{opening:?}");
                let (read, expected) = (value_of(geometry, opening.cell), Some(*opening));
                assert_eq!(read, expected);
            }
            openings.len()
        }
        let read: usize =
            (2..=10).map(|size| check(Geometry::of_size(size).expect("a base"))).sum();
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(read, lines);
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        let geometry = Geometry::of_size(5).expect("a base");
        let cell = geometry.read_cell(Notation::Letternum, "c4").expect("a cell");
        let opening = Opening { cell, value: 0.5625, playouts: 123 };
        let text = format!("# a comment\n{}4 a1 0.5 7\n", write(geometry, &opening));
        assert_eq!(read(&text, geometry), [opening]);
    }
}
