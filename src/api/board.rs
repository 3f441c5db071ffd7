//! A board of any base. It takes legal moves only.
//!
//! It wraps the board of the room `havannah`. Cells are checked on the way in, so that nothing
//! unchecked is reachable.

use std::fmt;
use std::str::FromStr;

use super::Cell;
use crate::havannah::geometry::{DIRECTIONS, Geometry, MAX_SIZE, MIN_SIZE};
use crate::havannah::notation::NotationError;
use crate::havannah::picture::{self, PictureError};
use crate::havannah::structure::winning_structure;
use crate::havannah::threats::winning_cells;
use crate::havannah::{self, AnyWidth, Colour, Notation, Outcome, PlayError, Set};

/// A position. Two boards are equal if they have the same stones and the same side to move.
///
/// The text form is a picture, row by row: `.` is an empty cell, `O` a white stone, `X` a black
/// stone. All other characters are skipped. The side with fewer stones is to move; White if both
/// have the same number. A picture does not say which stone came last, so a picture of a won game
/// may be refused.
///
/// ```
/// use ciclon::{Board, Colour, Outcome, WinKind};
///
/// let mut board: Board = "
///       . . X .
///      . O O X .
///     . O . O X .
///    . . . O . . .
///     . . X X . .
///      . . . . .
///       . . . .
/// ".parse()?;
/// assert_eq!((board.size(), board.to_move()), (4, Colour::White));
/// let winning: Vec<_> = board.winning_cells(Colour::White).collect();
/// assert_eq!(winning, ["d3".parse()?]);
///
/// let outcome = board.play(winning[0])?;
/// let Outcome::Won { by: Colour::White, wins } = outcome else { panic!("{outcome:?}") };
/// assert_eq!(wins.kind(), Some(WinKind::Ring));
/// assert_eq!(board.winning_stones().count(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board(havannah::Board);

impl Board {
    /// The smallest base.
    pub const MIN_SIZE: usize = MIN_SIZE;
    /// The largest base.
    pub const MAX_SIZE: usize = MAX_SIZE;

    /// The empty board of a base, with White to move. `None` if there is no such base.
    pub fn new(size: usize) -> Option<Self> {
        havannah::Board::new(size).map(Self)
    }

    pub(super) fn of(board: &havannah::Board) -> Self {
        Self(*board)
    }

    pub(super) fn inner(&self) -> &havannah::Board {
        &self.0
    }

    fn geometry(&self) -> &'static Geometry {
        self.0.geometry()
    }

    /// The cells of a set.
    fn cells_of(&self, set: Set<AnyWidth>) -> impl Iterator<Item = Cell> + use<> {
        let geometry = self.geometry();
        set.iter().map(|index| Cell::of(geometry, havannah::Cell::from_index(index)))
    }

    /// The base: the number of cells along one edge.
    pub fn size(&self) -> usize {
        self.geometry().size
    }

    /// The cells of the board, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let geometry = self.geometry();
        geometry.cells().iter().map(|cell| Cell::of(geometry, *cell))
    }

    /// The cells next to a cell, at most six. Empty if the cell is not on the board.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let geometry = self.geometry();
        let around = cell.on(geometry).map(|cell| {
            (0..DIRECTIONS.len()).filter_map(move |direction| geometry.neighbour(cell, direction))
        });
        around.into_iter().flatten().map(|cell| Cell::of(geometry, cell))
    }

    /// The cells where the side to move may place a stone. Empty if the game is over.
    pub fn legal_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.cells_of(self.0.empty_cells().only_if(!self.0.outcome().is_over()))
    }

    /// The cells with stones of a colour.
    pub fn stones(&self, colour: Colour) -> impl Iterator<Item = Cell> + use<> {
        self.cells_of(self.0.stones(colour))
    }

    /// The colour of the stone on a cell, if there is one.
    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        self.0.colour_at(cell.on(self.geometry())?)
    }

    /// The side to move.
    pub fn to_move(&self) -> Colour {
        self.0.to_move()
    }

    /// Sets the side to move.
    pub fn set_to_move(&mut self, colour: Colour) {
        self.0.set_to_move(colour);
    }

    /// The outcome so far.
    pub fn outcome(&self) -> Outcome {
        self.0.outcome()
    }

    /// The number of stones on the board.
    pub fn stone_count(&self) -> usize {
        self.0.stone_count()
    }

    /// Whether the side to move may place a stone on a cell.
    pub fn is_legal(&self, cell: Cell) -> bool {
        cell.on(self.geometry()).is_some_and(|cell| self.0.is_legal(cell))
    }

    /// Places a stone for the side to move. Returns the outcome after it.
    pub fn play(&mut self, cell: Cell) -> Result<Outcome, PlayError> {
        let cell = cell.on(self.geometry()).ok_or(PlayError::OffBoard)?;
        self.0.play(cell)
    }

    /// The empty cells where a stone of a colour wins immediately.
    pub fn winning_cells(&self, colour: Colour) -> impl Iterator<Item = Cell> + use<> {
        self.cells_of(winning_cells(&self.0, colour).all())
    }

    /// The stones of the winner that make the win; none of them can be removed. Empty if nobody has
    /// won.
    pub fn winning_stones(&self) -> impl Iterator<Item = Cell> + use<> {
        self.cells_of(winning_structure(&self.0))
    }

    /// A hash of the stones and the side to move.
    pub fn position_hash(&self) -> u64 {
        self.0.hash()
    }

    /// A hash that is equal for the twelve symmetric images of a position.
    pub fn canonical_hash(&self) -> u64 {
        self.0.canonical_hash()
    }

    /// Parses the name of a cell of this board.
    pub fn read_cell(&self, notation: Notation, text: &str) -> Result<Cell, NotationError> {
        let cell = self.geometry().read_cell(notation, text)?;
        Ok(Cell::of(self.geometry(), cell))
    }

    /// The name of a cell of this board. `None` if the cell is not on it.
    pub fn write_cell(&self, notation: Notation, cell: Cell) -> Option<String> {
        let cell = cell.on(self.geometry())?;
        Some(self.geometry().write_cell(notation, cell))
    }
}

impl FromStr for Board {
    type Err = PictureError;

    fn from_str(picture: &str) -> Result<Self, PictureError> {
        let geometry = picture::geometry_of(picture)?;
        picture::read_board(geometry, picture).map(Self)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{} to move", self.to_move())
    }
}
