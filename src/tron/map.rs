//! A position as text: the map format of the Google AI Challenge 2010.
//!
//! The first line is `W H`. Then follow `H` rows of exactly `W` characters: `#` is a wall, a space is
//! free, `1` and `2` are the heads of the players. The border needs no walls: everything outside is
//! wall.

use std::fmt;
use std::str::FromStr;

use super::grid::{Grid, LONGEST};

/// Walls, and the heads of the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    pub grid: Grid,
    /// Indexed by cell number. Heads are not walls here.
    pub walls: Vec<bool>,
    pub heads: [usize; 2],
}

/// Why a text is not a map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct MapError {
    /// The line of the error, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

impl Map {
    /// A grid without walls.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn open(grid: Grid, heads: [usize; 2]) -> Self {
        Self { grid, walls: vec![false; grid.span()], heads }
    }

    /// The size in the first line of a map.
    pub fn read_size(line: &str) -> Result<Grid, MapError> {
        let quoted = line.escape_debug();
        let bad = |what: String| MapError { line: 1, what };
        let numbers: Vec<Option<usize>> =
            line.split_whitespace().map(|text| text.parse().ok()).collect();
        let [Some(width), Some(height)] = numbers[..] else {
            return Err(bad(format!("'{quoted}' is no width and height")));
        };
        Grid::new(width, height)
            .ok_or_else(|| bad(format!("'{quoted}': both have to be from 1 to {LONGEST}")))
    }

    /// Reads the rows of a map. The first row is line 2.
    pub fn read_rows<'a>(
        grid: Grid,
        rows: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, MapError> {
        let (width, height) = (grid.width(), grid.height());
        let mut walls = vec![false; grid.span()];
        let mut heads = [None; 2];
        let mut rows = rows.into_iter();
        for y in 0..height {
            let bad = |what: String| MapError { line: y + 2, what };
            let row = rows.next();
            let row = row.ok_or_else(|| bad(format!("{height} rows are needed, there are {y}")))?;
            let row = row.strip_suffix('\r').unwrap_or(row);
            let length = row.chars().count();
            if length != width {
                return Err(bad(format!("the row has {length} characters, not {width}")));
            }
            for (x, letter) in row.chars().enumerate() {
                let cell = grid.cell(x, y);
                match letter {
                    ' ' => {}
                    '#' => walls[cell] = true,
                    '1' | '2' => {
                        let head = &mut heads[usize::from(letter == '2')];
                        if head.replace(cell).is_some() {
                            return Err(bad(format!("there is a second '{letter}'")));
                        }
                    }
                    _ => {
                        let letter = letter.escape_debug();
                        return Err(bad(format!("'{letter}' is none of '#', ' ', '1', '2'")));
                    }
                }
            }
        }
        let missing =
            |name: &str| MapError { line: height + 1, what: format!("there is no '{name}'") };
        let heads = [heads[0].ok_or_else(|| missing("1"))?, heads[1].ok_or_else(|| missing("2"))?];
        Ok(Self { grid, walls, heads })
    }

    /// The same map with the heads exchanged.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { heads: [self.heads[1], self.heads[0]], ..self.clone() }
    }

    /// The letter of a cell.
    pub fn letter(&self, cell: usize) -> char {
        match cell {
            _ if cell == self.heads[0] => '1',
            _ if cell == self.heads[1] => '2',
            _ if self.walls[cell] => '#',
            _ => ' ',
        }
    }
}

impl FromStr for Map {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Self, MapError> {
        let mut lines = text.split('\n');
        let grid = Self::read_size(lines.next().unwrap_or_default())?;
        let map = Self::read_rows(grid, lines.by_ref())?;
        match lines.enumerate().find(|(_, line)| !line.trim_end().is_empty()) {
            Some((at, line)) => Err(MapError {
                line: grid.height() + 2 + at,
                what: format!("'{}' is after the last row", line.escape_debug()),
            }),
            None => Ok(map),
        }
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = self.grid;
        writeln!(f, "{} {}", grid.width(), grid.height())?;
        for y in 0..grid.height() {
            let row = (0..grid.width()).map(|x| self.letter(grid.cell(x, y)));
            writeln!(f, "{}", row.collect::<String>())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "4 3\n#1  \n  # \n #2 \n";

    #[test]
    fn a_map_is_read_and_written() {
        let map: Map = SMALL.parse().expect("a map");
        assert_eq!((map.grid.width(), map.grid.height()), (4, 3));
        assert_eq!(map.heads, [map.grid.cell(1, 0), map.grid.cell(2, 2)]);
        let walls: Vec<usize> = map.grid.cells().filter(|cell| map.walls[*cell]).collect();
        let at = |x, y| map.grid.cell(x, y);
        assert_eq!(walls, [at(0, 0), at(2, 1), at(1, 2)]);
        assert_eq!(map.to_string(), SMALL);
        assert_eq!(map.turned().to_string(), "4 3\n#2  \n  # \n #1 \n");
        let foreign = SMALL.replace('\n', "\r\n");
        assert_eq!(foreign.parse::<Map>().expect("a map"), map);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line, part) in [
            ("", 1, "''"),
            ("4\n", 1, "'4'"),
            ("4 x\n", 1, "'4 x'"),
            ("4 3 2\n", 1, "'4 3 2'"),
            ("0 3\n", 1, "1 to 62"),
            ("63 3\n", 1, "1 to 62"),
            ("4 3\n#1  \n", 3, "the row has 0 characters, not 4"),
            ("4 2\n#1  ", 3, "2 rows are needed, there are 1"),
            ("4 3\n#1  \n  # \n #2\n", 4, "3 characters, not 4"),
            ("4 3\n#1  \n  #x\n #2 \n", 3, "'x'"),
            ("4 3\n#1  \n  #1\n #2 \n", 3, "second '1'"),
            ("4 3\n#1  \n  # \n #  \n", 4, "no '2'"),
            ("4 3\n#2  \n  # \n #  \n", 4, "no '1'"),
            ("4 3\n#1  \n  # \n #2 \nmore\n", 5, "'more'"),
        ] {
            let error = text.parse::<Map>().expect_err(text);
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.what.contains(part), "{text:?}: {error}");
        }
    }
}
