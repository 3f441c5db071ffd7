//! A Havannah game across moves, and the search that follows it.
//!
//! Adds to the engine of the room `engine`: checked settings, public cells and resigning. After a
//! side has resigned, no move is accepted until `undo`.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Board, Cell, Params, Report};
use crate::bits::Isa;
use crate::engine::{self, HavannahEngine, Updates, read_files};
use crate::havannah::{Colour, Notation, Outcome, PlayError};
use crate::params::{self, ParamError};
use crate::record::Record;
use crate::record::replay::{ReplayError, replay, write_down};
use crate::search::{Ending, Limits};

/// Why an engine cannot be made from these settings and this game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There is no base of this size.
    #[error("'{0}' is no base from 2 to 10")]
    NoSuchSize(usize),
    /// A setting has no meaning in this game.
    #[error(transparent)]
    Param(ParamError),
    /// A file that a setting names cannot be used.
    #[error("{0}")]
    File(String),
    /// A turn of a record is not allowed.
    #[error(transparent)]
    Replay(ReplayError),
}

impl From<ParamError> for SetupError {
    fn from(error: ParamError) -> Self {
        Self::Param(error)
    }
}

impl From<ReplayError> for SetupError {
    fn from(error: ReplayError) -> Self {
        Self::Replay(error)
    }
}

/// Checks that the settings are valid for Havannah and that their files can be read.
pub(super) fn checked(params: &Params, size: usize) -> Result<params::Params, SetupError> {
    let params = params.inner().clone().for_havannah()?;
    read_files(&params, size).map_err(|error| SetupError::File(error.to_string()))?;
    Ok(params)
}

/// What a side did in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A stone on a cell.
    Place(Colour, Cell),
    /// The second player took the first stone as its own (the pie rule).
    Swap,
}

/// Plays Havannah: the game so far, and a search that keeps its tree from move to move.
///
/// ```
/// use ciclon::{Engine, Limits, Notation, Params};
///
/// let mut engine = Engine::new(4, &Params::default())?;
/// let limits = Limits { playouts: Some(200), ..Limits::default() };
/// while !engine.board().outcome().is_over() {
///     let best = engine.analyze(&limits).best.expect("the game is not over");
///     engine.play(best)?;
/// }
/// assert!(engine.undo());
/// println!("{}", engine.record(Notation::Letternum).to_sgf());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    engine: HavannahEngine,
    resigned: Option<Colour>,
}

impl Engine {
    /// An engine at the empty board of a size.
    pub fn new(size: usize, params: &Params) -> Result<Self, SetupError> {
        Self::at(&Board::new(size).ok_or(SetupError::NoSuchSize(size))?, params)
    }

    /// An engine at a position. The game begins there.
    pub fn at(board: &Board, params: &Params) -> Result<Self, SetupError> {
        let params = checked(params, board.size())?;
        let engine = HavannahEngine::at(*board.inner(), Isa::best(), &params);
        Ok(Self { engine, resigned: None })
    }

    /// An engine after the first `turns` turns of a record.
    pub fn replay(record: &Record, turns: usize, params: &Params) -> Result<Self, SetupError> {
        let mut engine = Self::new(record.size, params)?;
        engine.resigned = replay(record, turns, &mut engine.engine)?;
        Ok(engine)
    }

    /// The position.
    pub fn board(&self) -> Board {
        Board::of(self.engine.board())
    }

    /// The turns so far. Stones of the start position are not included.
    pub fn turns(&self) -> impl Iterator<Item = Turn> {
        let geometry = self.engine.geometry();
        self.engine.turns().iter().map(|turn| match turn {
            engine::Turn::Place(side, cell) => Turn::Place(*side, Cell::of(geometry, *cell)),
            engine::Turn::Swap => Turn::Swap,
        })
    }

    /// The game so far as a record.
    pub fn record(&self, coordinates: Notation) -> Record {
        write_down(&self.engine, self.resigned, coordinates)
    }

    /// Places a stone for the side to move. Returns the outcome after it.
    pub fn play(&mut self, cell: Cell) -> Result<Outcome, PlayError> {
        if self.resigned.is_some() {
            return Err(PlayError::GameOver);
        }
        let cell = cell.on(self.engine.geometry()).ok_or(PlayError::OffBoard)?;
        self.engine.place(self.engine.to_move(), cell)?;
        Ok(self.engine.outcome())
    }

    /// Whether the pie rule allows the side to move to take the first stone.
    pub fn can_swap(&self) -> bool {
        self.resigned.is_none() && self.engine.can_swap()
    }

    /// Takes the first stone. False if that is not allowed.
    pub fn swap(&mut self) -> bool {
        self.can_swap() && self.engine.swap()
    }

    /// The side that has resigned.
    pub fn resigned(&self) -> Option<Colour> {
        self.resigned
    }

    /// The side to move resigns. False if the game is over.
    pub fn resign(&mut self) -> bool {
        let goes_on = self.resigned.is_none() && !self.engine.outcome().is_over();
        if goes_on {
            self.resigned = Some(self.engine.to_move());
        }
        goes_on
    }

    /// Takes the last turn back. False if there is none.
    pub fn undo(&mut self) -> bool {
        self.resigned.take().is_some() || self.engine.undo()
    }

    /// Changes the settings. The search starts again; the game so far stays.
    pub fn set_params(&mut self, params: &Params) -> Result<(), SetupError> {
        let params = checked(params, self.engine.geometry().size)?;
        self.engine.set_params(&params);
        Ok(())
    }

    /// Searches the position until a limit is reached or its value is proven. Without limits this
    /// may never return.
    pub fn analyze(&mut self, limits: &Limits) -> Report {
        self.analyze_until(limits, &AtomicBool::new(false), Duration::MAX, &mut |_| ())
    }

    /// Like [`analyze`](Self::analyze), with two additions: another thread can end it by setting
    /// `stop`, and `show` gets a report each time `every` has passed.
    pub fn analyze_until(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        every: Duration,
        show: &mut dyn FnMut(&Report),
    ) -> Report {
        let geometry = self.engine.geometry();
        let mut show = |found: &_| show(&Report::of(geometry, found, None));
        let updates = Updates { every, show: &mut show };
        let found = self.engine.analyze(limits, stop, Some(updates));
        // The value of a game that is over is known without a search.
        let ending = self.engine.ending().unwrap_or(Ending::Solved);
        Report::of(geometry, &found, Some(ending))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("board", &self.board()).finish_non_exhaustive()
    }
}
