//! The numbering of the cells of a grid.
//!
//! Cells are numbered row by row. There is a column of walls after each row, a row of walls before the
//! first row and one after the last. So the four neighbours of a cell are at four constant distances,
//! and everything outside is wall.

/// The longest side of a grid.
pub const LONGEST: usize = 62;
/// All cell numbers are below this.
#[cfg(test)]
pub const MOST_CELLS: usize = (LONGEST + 1) * (LONGEST + 2);

/// The four directions, in the order of the contest's protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Up.
    North,
    /// To the right.
    East,
    /// Down.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All four, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The code in the contest's protocol.
    pub const fn code(self) -> u8 {
        self as u8 + 1
    }

    /// The direction with a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.code() == code)
    }

    /// The direction as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    /// The direction with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }
}

/// The shape of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    width: u16,
    height: u16,
}

impl Grid {
    /// A grid with `width` columns and `height` rows; `None` if it has no cells or is too large.
    pub fn new(width: usize, height: usize) -> Option<Self> {
        let fits = |side: usize| (1..=LONGEST).contains(&side);
        (fits(width) && fits(height)).then_some(Self { width: width as u16, height: height as u16 })
    }

    #[inline(always)]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    #[inline(always)]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// The distance from a cell to the one below it. It is less than 64.
    #[inline(always)]
    pub const fn stride(self) -> usize {
        self.width as usize + 1
    }

    /// All cell numbers, including those of the walls around the grid, are below this.
    #[inline(always)]
    pub const fn span(self) -> usize {
        self.stride() * (self.height as usize + 2)
    }

    /// The number of the cell in column `x` and row `y`, both from 0.
    #[inline(always)]
    pub const fn cell(self, x: usize, y: usize) -> usize {
        (y + 1) * self.stride() + x
    }

    /// The column and the row of a cell.
    pub const fn place(self, cell: usize) -> (usize, usize) {
        (cell % self.stride(), cell / self.stride() - 1)
    }

    /// The cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = usize> {
        (0..self.height()).flat_map(move |y| (0..self.width()).map(move |x| self.cell(x, y)))
    }

    /// The neighbour of a cell in a direction.
    #[inline(always)]
    pub const fn step(self, cell: usize, direction: Direction) -> usize {
        match direction {
            Direction::North => cell - self.stride(),
            Direction::East => cell + 1,
            Direction::South => cell + self.stride(),
            Direction::West => cell - 1,
        }
    }

    /// The cells next to a cell, in the order of the directions.
    #[inline(always)]
    pub fn around(self, cell: usize) -> [u16; 4] {
        Direction::ALL.map(|direction| self.step(cell, direction) as u16)
    }

    /// The direction from a cell to a neighbour; `None` if `to` is not next to `from`.
    pub fn direction(self, from: usize, to: usize) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| self.step(from, *direction) == to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_cells_and_are_not_too_large() {
        assert!(Grid::new(0, 5).is_none() && Grid::new(5, 0).is_none());
        assert!(Grid::new(63, 5).is_none() && Grid::new(5, 63).is_none());
        let largest = Grid::new(LONGEST, LONGEST).expect("it fits");
        assert_eq!(largest.span(), MOST_CELLS);
        assert!(largest.stride() < 64);
    }

    #[test]
    fn every_cell_has_a_number_of_its_own() {
        for (width, height) in [(1, 1), (3, 7), (13, 13), (62, 4)] {
            let grid = Grid::new(width, height).expect("a grid");
            let cells: Vec<usize> = grid.cells().collect();
            assert_eq!(cells.len(), width * height);
            assert!(cells.windows(2).all(|pair| pair[0] < pair[1]));
            for y in 0..height {
                for x in 0..width {
                    assert_eq!(grid.place(grid.cell(x, y)), (x, y));
                }
            }
        }
    }

    /// A step leads to the neighbouring cell, or to a number that is not a cell.
    #[test]
    fn steps_lead_to_neighbours_or_off_the_grid() {
        let grid = Grid::new(5, 4).expect("a grid");
        let is_cell = |number: usize| grid.cells().any(|cell| cell == number);
        for cell in grid.cells() {
            let (x, y) = grid.place(cell);
            for (direction, dx, dy) in [
                (Direction::North, 0, -1),
                (Direction::East, 1, 0),
                (Direction::South, 0, 1),
                (Direction::West, -1, 0),
            ] {
                let to = grid.step(cell, direction);
                let (x, y) = (x as isize + dx, y as isize + dy);
                let is_on = (0..5).contains(&x) && (0..4).contains(&y);
                assert_eq!(is_cell(to), is_on, "{cell} {direction:?}");
                assert!(to < grid.span());
                if is_on {
                    assert_eq!(to, grid.cell(x as usize, y as usize));
                }
                assert_eq!(grid.direction(cell, to), Some(direction));
                assert_eq!(Direction::from_code(direction.code()), Some(direction));
                assert_eq!(Direction::from_name(direction.name()), Some(direction));
            }
        }
        assert_eq!(Direction::ALL.map(Direction::code), [1, 2, 3, 4]);
    }
}
