//! The Go Text Protocol as a library: `GtpSession` answers single lines, `run_gtp` is a whole
//! program on standard input and output.
//!
//! The commands are in the room `gtp`. Here the size and the settings are checked before a session
//! begins.

use std::fmt;
use std::io;

use super::engine::checked;
use super::{Params, SetupError};
use crate::bits::Isa;
use crate::engine::TimeControl;
use crate::gtp::{self, GtpOptions, Interrupt, Session, Setup};
use crate::havannah::Geometry;
use crate::search::Limits;

/// Checks the arguments of a new session.
fn setup(size: usize, params: &Params, limits: &Limits, files: bool) -> Result<Setup, SetupError> {
    Geometry::of_size(size).ok_or(SetupError::NoSuchSize(size))?;
    let control =
        TimeControl { move_time: limits.time, move_playouts: limits.playouts, game: None };
    let (params, most) = (checked(params, size)?, Limits::default());
    Ok(Setup { size, isa: Isa::best(), params, control, most, files })
}

/// A session of the Go Text Protocol, version 2: a game with clocks, the pie rule and resigning.
///
/// ```
/// use ciclon::{GtpSession, Limits, Params};
///
/// let limits = Limits { playouts: Some(100), ..Limits::default() };
/// let mut session = GtpSession::new(4, &Params::default(), &limits)?;
/// assert_eq!(session.answer("1 play white d4").as_deref(), Some("=1\n\n"));
/// assert!(session.answer("2 play black d4").is_some_and(|answer| answer.starts_with("?2 ")));
/// assert!(session.answer("3 genmove black").is_some_and(|answer| answer.starts_with("=3 ")));
/// # Ok::<(), ciclon::SetupError>(())
/// ```
pub struct GtpSession(Session);

impl GtpSession {
    /// A session at the empty board of a size. Commands cannot use files. The limits hold for each
    /// move until a command sets others. Without limits, generating a move may never return.
    pub fn new(size: usize, params: &Params, limits: &Limits) -> Result<Self, SetupError> {
        let setup = setup(size, params, limits, false)?;
        Ok(Self(Session::new(&setup, Interrupt::default())))
    }

    /// The answer to a line. `None` if the line has no command. `list_commands` lists the commands.
    /// An analysis ends as soon as it has begun.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        self.0.answer(line.as_bytes())
    }
}

impl fmt::Debug for GtpSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GtpSession").finish_non_exhaustive()
    }
}

/// Speaks the Go Text Protocol on standard input and output until `quit` or the end of the input.
/// Commands can read and write files. See [`GtpSession::new`] for the arguments.
///
/// Call it from the main function of a program, and exit with the code that it returns.
///
/// It exits the process if a command is stuck after the client has gone. With the feature
/// `signals`, SIGINT and SIGTERM end the session in good order.
pub fn run_gtp(size: usize, params: &Params, limits: &Limits) -> io::Result<u8> {
    let setup = setup(size, params, limits, true).map_err(io::Error::other)?;
    gtp::run(GtpOptions { setup, finish: false, log: None })
}
