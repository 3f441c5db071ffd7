//! The Go Text Protocol, version 2, in the dialect of Havannah programs.
//!
//! `wire` is the protocol: lines to commands, answers to text. `session` is what a client talks
//! to, `commands` what it can say, `interrupt` how a search gives way, `signals` what the system
//! says. This file is the conversation: one thread reads, one answers, and two wait for signals and
//! for the client to go.
//!
//! Nothing but answers goes to the standard output.

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

/// What comes in.
enum Input {
    Command(Command),
    /// A line that is longer than any should be, with its id.
    TooLong(Option<u32>),
    End,
}

/// How long a search may go on after the end of the input.
const GRACE: Duration = Duration::from_millis(40);

/// How a conversation is held.
pub struct GtpOptions {
    pub setup: Setup,
    /// After the end of the input, think every move out rather than end at once.
    pub finish: bool,
    pub log: Option<File>,
}

/// Talks to whoever is on the standard input, to the end of the input, `quit` or a signal. The exit
/// code is that of a program ended by the signal, else 0.
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
    // A client that has gone away is no error of ours.
    conversation.hold(&inputs).ok();
    let code = conversation.signal.exit_code();
    // The system takes the memory of a large tree back sooner than we would.
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

/// Ends the program when a command takes long though no search may go on: one that waits for a
/// file, or for a client that does not read.
fn leave_when_stuck(interrupt: &Interrupt) {
    loop {
        let answered = interrupt.answered();
        thread::sleep(FAREWELL);
        if interrupt.answered() == answered {
            process::exit(0);
        }
    }
}

/// Skips what is left of a line, piece by piece.
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

/// Answers, one for each command.
struct Conversation<W: Write> {
    session: Session,
    interrupt: Interrupt,
    signal: Signal,
    log: Log,
    output: W,
}

impl<W: Write> Conversation<W> {
    /// Answers commands until there are no more.
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

    /// Answers a command; false if it was the last.
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

/// Prints an answer, or a part of one.
fn say(output: &mut impl Write, log: &mut Log, text: &str) -> io::Result<()> {
    log.note('<', text);
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// What was said, with the seconds since the beginning.
struct Log {
    begin: Instant,
    file: Option<File>,
}

impl Log {
    /// Notes each line that has something on it. A log that cannot be written is given up.
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

/// The signal that ends the program, 0 if none has come.
#[derive(Clone, Default)]
struct Signal(Arc<AtomicI32>);

/// How long the program has to end in good order.
const FAREWELL: Duration = Duration::from_millis(50);

impl Signal {
    /// Waits for a signal in a thread of its own; then ends searches and the conversation, and
    /// the program, should that take too long.
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

    /// 128 and the number of the signal, as shells have it.
    fn exit_code(&self) -> u8 {
        match self.0.load(SeqCst) {
            0 => 0,
            number => 128 + number as u8,
        }
    }
}
