//! Another program: a process that is sent text and answers in lines.
//!
//! What is sent is written by a thread of its own, so that a program which does not read cannot hold up
//! the one that waits for it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::contestant::Fault;

/// Between two looks at the flag that ends a match.
const LOOK: Duration = Duration::from_millis(20);

/// A running program. It is killed when it is not needed any more.
pub struct Process {
    child: Child,
    input: Sender<String>,
    lines: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Process {
    /// Starts a program with its arguments.
    pub fn start(command: &[String]) -> Result<Self, Fault> {
        let crash = |why: String| Fault::Crash(format!("{}: {why}", command.join(" ")));
        let (name, arguments) =
            command.split_first().ok_or_else(|| crash("no program".to_string()))?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| crash(error.to_string()))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (mut pipe, output) = (input.expect("a pipe"), output.expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.into_iter().try_for_each(|line| sender.send(line)).ok();
        });
        let (input, texts) = channel::<String>();
        thread::spawn(move || {
            let mut write =
                |text: String| pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush());
            texts.into_iter().try_for_each(&mut write).ok();
        });
        Ok(Self { child, input, lines })
    }

    /// Sends text; that no one reads it any more shows when there is no answer.
    pub fn send(&self, text: String) {
        self.input.send(text).ok();
    }

    /// The next line, which has so much time since `begin`; none if the program has ended.
    pub fn line(
        &self,
        begin: Instant,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<String>, Fault> {
        loop {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Fault::Stopped);
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if begin.elapsed() >= patience => {
                    return Err(Fault::Hang(begin.elapsed()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
