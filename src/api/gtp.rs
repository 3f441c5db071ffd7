//! The Go Text Protocol, for programs that have no process to talk to, or want to be one.

use std::fmt;
use std::io;

use super::engine::checked;
use super::{Params, SetupError};
use crate::bits::Isa;
use crate::engine::TimeControl;
use crate::gtp::{self, GtpOptions, Interrupt, Session, Setup};
use crate::havannah::Geometry;
use crate::search::Limits;

/// How a session begins.
fn setup(size: usize, params: &Params, limits: &Limits, files: bool) -> Result<Setup, SetupError> {
    Geometry::of_size(size).ok_or(SetupError::NoSuchSize(size))?;
    let control =
        TimeControl { move_time: limits.time, move_playouts: limits.playouts, game: None };
    let (params, most) = (checked(params, size)?, Limits::default());
    Ok(Setup { size, isa: Isa::best(), params, control, most, files })
}

/// A conversation in the Go Text Protocol, version 2: a game with clocks, the pie rule and resigning.
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
    /// A session at the empty board of a size. The limits are those of each move until a command sets
    /// others: without any, generating a move may take forever. Commands cannot use files.
    pub fn new(size: usize, params: &Params, limits: &Limits) -> Result<Self, SetupError> {
        let setup = setup(size, params, limits, false)?;
        Ok(Self(Session::new(&setup, Interrupt::default())))
    }

    /// The answer to a line, if there is a command on it: `list_commands` says which there are. An
    /// analysis ends as soon as it has begun.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        self.0.answer(line.as_bytes())
    }
}

impl fmt::Debug for GtpSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GtpSession").finish_non_exhaustive()
    }
}

/// Talks the Go Text Protocol on the standard input and output, to the end of the input or `quit`; for
/// the main function of a program, which should end with the code that is returned. See
/// [`GtpSession::new`] for the arguments; commands can read and write files.
///
/// It ends the process if that is the only way not to wait for a client that has gone. With the feature
/// `signals`, SIGINT and SIGTERM end the conversation in good order.
pub fn run_gtp(size: usize, params: &Params, limits: &Limits) -> io::Result<u8> {
    let setup = setup(size, params, limits, true).map_err(io::Error::other)?;
    gtp::run(GtpOptions { setup, finish: false, log: None })
}
