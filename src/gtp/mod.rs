//! The Go Text Protocol, version 2, in the dialect of Havannah programs.
//!
//! - `wire`: lines to commands, answers to text. `session`: the state that commands work on.
//! - `commands`: one row per command. `interrupt`: how a search ends for a command.
//! - `signals`: SIGINT, SIGTERM and a closed output.
//! - This file: the loop. One thread reads, one answers, two wait for signals and for a closed
//!   output.
//!
//! Only answers go to standard output.

mod commands;
mod interrupt;
mod session;
mod signals;
mod wire;

#[cfg(any(test, feature = "internals"))]
pub use commands::COMMANDS;
pub use interrupt::Interrupt;
pub use session::{Reply, Session, Setup};
pub use wire::{Command, LONGEST_LINE};

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::{process, thread};

/// What the reading thread sends.
enum Input {
    Command(Command),
    /// A line longer than [`LONGEST_LINE`], with its id.
    TooLong(Option<u32>),
    End,
}

/// How long a search may continue after the end of the input.
const GRACE: Duration = Duration::from_millis(40);

/// The options of a run.
pub struct GtpOptions {
    pub setup: Setup,
    /// At the end of the input, finish every search instead of stopping it.
    pub finish: bool,
    pub log: Option<File>,
}

/// Answers commands from standard input until `quit`, the end of the input or a signal. Returns the
/// exit code: 128 plus the number of the signal, or 0.
pub fn run(options: GtpOptions) -> io::Result<u8> {
    let interrupt = Interrupt::default();
    let (sender, inputs) = channel();
    let signal = Signal::default();
    signal.watch(interrupt.clone(), sender.clone())?;
    let listener = interrupt.clone();
    signals::when_output_closes(move || {
        listener.close();
        leave_when_stuck(&listener);
    });
    let (finish, reader) = (options.finish, interrupt.clone());
    thread::spawn(move || read(io::stdin().lock(), &sender, &reader, finish));
    let session = Session::new(&options.setup, interrupt.clone());
    let log = Log { begin: Instant::now(), file: options.log };
    let mut conversation = Conversation { session, interrupt, signal, log, output: io::stdout() };
    // A closed output is not an error.
    conversation.hold(&inputs).ok();
    let code = conversation.signal.exit_code();
    // The system frees the memory of a large tree faster than `drop`.
    std::mem::forget(conversation);
    Ok(code)
}

/// Reads commands until the input ends.
fn read(mut input: impl BufRead, sender: &Sender<Input>, interrupt: &Interrupt, finish: bool) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let count = Read::take(&mut input, LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
        let is_whole = line.pop_if(|byte| *byte == b'\n').is_some();
        let next = match count {
            Ok(0) | Err(_) => break,
            Ok(_) if line.len() > LONGEST_LINE && !is_whole => {
                let id = Command::read(&line).and_then(|command| command.id);
                if skip_line(&mut input).is_err() {
                    break;
                }
                Some(Input::TooLong(id))
            }
            Ok(_) => Command::read(&line).map(Input::Command),
        };
        if let Some(next) = next {
            interrupt.arrive();
            if sender.send(next).is_err() {
                return;
            }
        }
    }
    interrupt.arrive();
    sender.send(Input::End).ok();
    if !finish {
        thread::sleep(GRACE);
        interrupt.close();
        leave_when_stuck(interrupt);
    }
}

/// Exits the program when a command is stuck although searches are stopped. For example, it waits
/// for a file or for a client that does not read.
fn leave_when_stuck(interrupt: &Interrupt) {
    loop {
        let answered = interrupt.answered();
        thread::sleep(FAREWELL);
        if interrupt.answered() == answered {
            process::exit(0);
        }
    }
}

/// Skips the rest of a line, buffer by buffer.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let piece = input.fill_buf()?;
        if piece.is_empty() {
            return Ok(());
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(piece.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() {
            return Ok(());
        }
    }
}

/// The answering thread: one answer for each command.
struct Conversation<W: Write> {
    session: Session,
    interrupt: Interrupt,
    signal: Signal,
    log: Log,
    output: W,
}

impl<W: Write> Conversation<W> {
    /// Answers commands until the input ends, `quit` or a signal.
    fn hold(&mut self, inputs: &Receiver<Input>) -> io::Result<()> {
        while let Ok(input) = inputs.recv() {
            self.interrupt.take();
            match input {
                Input::Command(command) => {
                    if !self.answer(&command)? {
                        return Ok(());
                    }
                }
                Input::TooLong(id) => {
                    let error = format!("syntax error: a line has {LONGEST_LINE} bytes at most");
                    self.say(&wire::write(id, &Err(error)))?;
                }
                Input::End => return Ok(()),
            }
            if self.signal.has_come() {
                return Ok(());
            }
            self.session.ponder();
        }
        Ok(())
    }

    /// Answers a command. False if it was the last.
    fn answer(&mut self, command: &Command) -> io::Result<bool> {
        self.log.note('>', &command.to_string());
        match self.session.execute(command) {
            Reply::Answer(answer) => self.say(&wire::write(command.id, &answer))?,
            Reply::Goodbye => {
                self.say(&wire::write(command.id, &Ok(String::new())))?;
                return Ok(false);
            }
            Reply::Analysis { every, then } => {
                self.say(&format!("{}\n", wire::head('=', command.id)))?;
                let Self { session, output, log, .. } = self;
                let mut show = |line: &str| say(output, log, &format!("{line}\n")).is_ok();
                session.analyze(every, then, &mut show);
                self.say("\n")?;
            }
        }
        Ok(true)
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        say(&mut self.output, &mut self.log, text)
    }
}

/// Writes an answer or a part of one, and flushes.
fn say(output: &mut impl Write, log: &mut Log, text: &str) -> io::Result<()> {
    log.note('<', text);
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// The log of the session, with seconds since the start.
struct Log {
    begin: Instant,
    file: Option<File>,
}

impl Log {
    /// Logs each non-empty line. After a write error the log is closed.
    fn note(&mut self, mark: char, text: &str) {
        let Some(file) = &mut self.file else {
            return;
        };
        let seconds = self.begin.elapsed().as_secs_f64();
        let lines = text.lines().filter(|line| !line.is_empty());
        let lines: String = lines.map(|line| format!("{seconds:.6} {mark} {line}\n")).collect();
        if let Err(error) = file.write_all(lines.as_bytes()) {
            eprintln!("the log cannot be written: {error}");
            self.file = None;
        }
    }
}

/// The number of the signal that ends the program. 0 if none has come.
#[derive(Clone, Default)]
struct Signal(Arc<AtomicI32>);

/// How long the program may take to end in good order.
const FAREWELL: Duration = Duration::from_millis(50);

impl Signal {
    /// Waits for a signal in a thread of its own. A signal ends searches and the session, and exits
    /// the program if that takes longer than [`FAREWELL`].
    fn watch(&self, interrupt: Interrupt, sender: Sender<Input>) -> io::Result<()> {
        let signal = self.clone();
        signals::when_asked_to_end(move |number| {
            signal.0.store(number, SeqCst);
            interrupt.close();
            interrupt.arrive();
            sender.send(Input::End).ok();
            thread::sleep(FAREWELL);
            process::exit(signal.exit_code().into());
        })
    }

    fn has_come(&self) -> bool {
        self.0.load(SeqCst) != 0
    }

    /// 128 plus the number of the signal, as in shells.
    fn exit_code(&self) -> u8 {
        match self.0.load(SeqCst) {
            0 => 0,
            number => 128 + number as u8,
        }
    }
}
