//! The eight symmetries of a grid: four rotations, and their reflections.

use super::grid::Grid;

/// An optional exchange of columns and rows, then an optional reflection of each axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    transposes: bool,
    mirrors_x: bool,
    mirrors_y: bool,
}

impl Symmetry {
    pub const IDENTITY: Self = Self::new(0);
    /// Exchanges left and right.
    pub const LEFT_RIGHT: Self = Self::new(1);
    /// Exchanges top and bottom.
    pub const ABOVE_BELOW: Self = Self::new(2);
    pub const HALF_TURN: Self = Self::new(3);

    pub const ALL: [Self; 8] = [
        Self::IDENTITY,
        Self::LEFT_RIGHT,
        Self::ABOVE_BELOW,
        Self::HALF_TURN,
        Self::new(4),
        Self::new(5),
        Self::new(6),
        Self::new(7),
    ];

    const fn new(bits: u8) -> Self {
        Self { mirrors_x: bits & 1 != 0, mirrors_y: bits & 2 != 0, transposes: bits & 4 != 0 }
    }

    /// The shape of the image of a grid.
    pub fn grid(self, grid: Grid) -> Grid {
        let (width, height) = (grid.width(), grid.height());
        let (width, height) = if self.transposes { (height, width) } else { (width, height) };
        Grid::new(width, height).expect("both sides have the same limit")
    }

    /// The image of a cell, as a cell of the image grid.
    pub fn cell(self, grid: Grid, cell: usize) -> usize {
        let (x, y) = grid.place(cell);
        let (x, y) = if self.transposes { (y, x) } else { (x, y) };
        let image = self.grid(grid);
        let x = if self.mirrors_x { image.width() - 1 - x } else { x };
        let y = if self.mirrors_y { image.height() - 1 - y } else { y };
        image.cell(x, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The images of the cells of a grid, as the rows of a picture.
    fn picture(symmetry: Symmetry, letters: &[&str]) -> Vec<String> {
        let grid = Grid::new(letters[0].len(), letters.len()).expect("a grid");
        let image = symmetry.grid(grid);
        let mut rows = vec![vec!['?'; image.width()]; image.height()];
        for cell in grid.cells() {
            let ((from_x, from_y), (x, y)) =
                (grid.place(cell), image.place(symmetry.cell(grid, cell)));
            rows[y][x] = char::from(letters[from_y].as_bytes()[from_x]);
        }
        rows.into_iter().map(String::from_iter).collect()
    }

    #[test]
    fn every_symmetry_has_its_own_image() {
        let pictures = Symmetry::ALL.map(|symmetry| picture(symmetry, &["abc", "def"]));
        let expected: [&[&str]; 8] = [
            &["abc", "def"],
            &["cba", "fed"],
            &["def", "abc"],
            &["fed", "cba"],
            &["ad", "be", "cf"],
            &["da", "eb", "fc"],
            &["cf", "be", "ad"],
            &["fc", "eb", "da"],
        ];
        assert_eq!(pictures, expected);
    }
}
