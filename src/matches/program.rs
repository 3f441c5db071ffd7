//! Another program as it is written down, and the connection to it while it runs.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::contestant::Fault;
use super::process::Process;

/// How a program is started and spoken to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Sent once, before the first game; each must succeed.
    pub set_up: Vec<String>,
    /// Sent before each game in place of what the protocol has for the limit: `{seconds}` and
    /// `{playouts}` are filled in.
    pub time: Option<String>,
    /// Whether cells are written as Little Golem does.
    pub little_golem: bool,
    /// Seconds that it may take for anything but a move, and for a move beyond its time, before it
    /// counts as hanging.
    pub patience: f64,
}

/// How long a move may take at the most where time is no limit.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

impl Program {
    /// How long it may take for anything but a move.
    pub(super) fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.patience)
    }

    /// How long it may take for a move that has so much time; any number of playouts may take long.
    pub(super) fn patience_for_move(&self, time: Option<Duration>) -> Duration {
        time.map_or(LONGEST_WAIT, |time| time + self.patience())
    }
}

/// What is sent to a program, and how long it may take to answer.
pub(super) struct Request<'a> {
    pub text: String,
    /// What it is called if there is no answer.
    pub name: &'a str,
    pub patience: Duration,
    /// Ends the wait.
    pub stop: Option<&'a AtomicBool>,
}

/// The next line of an answer.
pub(super) type NextLine<'a> = &'a mut dyn FnMut() -> Result<String, Fault>;

/// A program that is not started yet, runs, or has failed.
#[derive(Default)]
pub(super) struct Connection {
    process: Option<Process>,
}

impl Connection {
    pub fn is_open(&self) -> bool {
        self.process.is_some()
    }

    /// Starts a program; the one before it ends first.
    pub fn open(&mut self, command: &[String]) -> Result<(), Fault> {
        self.process = None;
        self.process = Some(Process::start(command)?);
        Ok(())
    }

    /// The answer to a request, as `read` finds it in the lines. A program that fails is not spoken to
    /// again.
    pub fn ask<T>(
        &mut self,
        request: Request<'_>,
        read: impl FnOnce(NextLine<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Request { text, name, patience, stop } = request;
        let process = self.process.as_ref().ok_or_else(|| Fault::ended_before(name));
        let answer = process.and_then(|process| {
            process.send(text);
            let begin = Instant::now();
            read(&mut || {
                let line = process.line(begin, patience, stop)?;
                line.ok_or_else(|| Fault::ended_before(name))
            })
        });
        if answer.is_err() {
            self.process = None;
        }
        answer
    }
}
