//! Another program as a player: a process that talks GTP.
//!
//! Programs differ: in coordinates, in how they are told the time, in what they call a game that is
//! over. Only what every one of them has is used (`boardsize`, `clear_board`, `play`, `genmove`), with
//! the commands for time as they were given. What they say about results is not asked for.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::contestant::{Contestant, Fault, Limit, Move, Start};
use super::process::{Process, Silence};
use crate::engine::{Choice, Turn};
use crate::havannah::Geometry;
use crate::havannah::{Colour, Notation};

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

impl Program {
    fn notation(&self) -> Notation {
        if self.little_golem { Notation::LittleGolem } else { Notation::Letternum }
    }
}

/// How long a move may take at the most where time is no limit.
pub const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// Another program.
pub struct External {
    program: Program,
    process: Option<Process>,
    game: Option<(Start, &'static Geometry)>,
}

impl External {
    pub fn new(program: &Program) -> Self {
        Self { program: program.clone(), process: None, game: None }
    }

    fn start_process(&mut self) -> Result<(), Fault> {
        self.process = Some(Process::start(&self.program.command)?);
        for line in self.program.set_up.clone() {
            self.obtain(&line, self.patience(), None)?;
        }
        Ok(())
    }

    fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.program.patience)
    }

    /// The answer to a command that must succeed. A program that fails is not spoken to again.
    fn obtain(
        &mut self,
        line: &str,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<String, Fault> {
        let answered = self.ask(line, patience, stop);
        if answered.is_err() {
            self.process = None;
        }
        answered
    }

    fn ask(
        &self,
        line: &str,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<String, Fault> {
        let fault = |silence: Silence| silence.fault(line);
        let process = self.process.as_ref().ok_or_else(|| fault(Silence::Gone))?;
        process.send(format!("{line}\n"));
        let begin = Instant::now();
        let mut answer: Vec<String> = Vec::new();
        loop {
            let text = process.line(begin, patience, stop).map_err(fault)?;
            if answer.is_empty() && !text.starts_with(['=', '?']) {
                // What comes before the mark of an answer is not for us.
                continue;
            }
            if text.trim().is_empty() {
                break;
            }
            answer.push(text);
        }
        let text = answer.join("\n");
        match text.strip_prefix('=') {
            Some(message) => Ok(message.trim().to_string()),
            None => Err(Fault::Nonsense { sent: line.to_string(), answer: text }),
        }
    }

    fn game(&self) -> (Start, &'static Geometry) {
        self.game.expect("a game has begun")
    }

    /// The commands that tell a program its limit.
    fn time_commands(&self, limit: Limit) -> Vec<String> {
        if let Some(pattern) = &self.program.time {
            let (seconds, playouts) = match limit {
                Limit::Playouts(playouts) => (0.0, playouts),
                Limit::Seconds(seconds) | Limit::Clock(seconds) => (seconds, 0),
            };
            let text = pattern.replace("{seconds}", &seconds.to_string());
            return vec![text.replace("{playouts}", &playouts.to_string())];
        }
        match limit {
            // The protocol has no word for playouts; Havannah programs do.
            Limit::Playouts(playouts) => vec![format!("time -i {playouts}")],
            Limit::Seconds(seconds) => vec![format!("time_settings 0 {} 1", whole(seconds))],
            Limit::Clock(seconds) => vec![format!("time_settings {} 0 0", whole(seconds))],
        }
    }
}

/// Seconds as the protocol has them: whole ones, where they are.
fn whole(seconds: f64) -> String {
    if seconds.fract() == 0.0 { format!("{seconds:.0}") } else { seconds.to_string() }
}

fn letter(side: Colour) -> &'static str {
    match side {
        Colour::White => "w",
        Colour::Black => "b",
    }
}

impl Contestant for External {
    fn begin(&mut self, start: &Start) -> Result<(), Fault> {
        if self.process.is_none() {
            self.start_process()?;
        }
        let tables = Geometry::of_size(start.size).expect("the size is a base");
        self.game = Some((*start, tables));
        self.obtain(&format!("boardsize {}", start.size), self.patience(), None)?;
        self.obtain("clear_board", self.patience(), None)?;
        for line in self.time_commands(start.limit) {
            self.obtain(&line, self.patience(), None)?;
        }
        Ok(())
    }

    fn watch(&mut self, turn: Turn) -> Result<(), Fault> {
        let line = match turn {
            Turn::Place(colour, cell) => {
                let cell = self.program.notation().write(self.game().1, cell);
                format!("play {} {cell}", letter(colour))
            }
            Turn::Swap => "play b swap".to_string(),
        };
        self.obtain(&line, self.patience(), None).map(|_| ())
    }

    fn choose(
        &mut self,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Move, Fault> {
        if let Some(left) = left {
            let line = format!("time_left {} {:.2} 0", letter(side), left.as_secs_f64());
            self.obtain(&line, self.patience(), None)?;
        }
        let (start, tables) = self.game();
        let patience = match start.limit {
            Limit::Clock(_) => left.unwrap_or_default() + self.patience(),
            Limit::Seconds(seconds) => Duration::from_secs_f64(seconds) + self.patience(),
            // So many playouts may take any time.
            Limit::Playouts(_) => LONGEST_WAIT,
        };
        let line = format!("genmove {}", letter(side));
        let answer = self.obtain(&line, patience, Some(stop))?;
        let choice = match answer.to_ascii_lowercase().as_str() {
            "swap" => Choice::Swap,
            "resign" => Choice::Resign,
            text => {
                let cell = self.program.notation().read(tables, text);
                let nonsense = |_| Fault::Nonsense { sent: line, answer: answer.clone() };
                Choice::Place(cell.map_err(nonsense)?)
            }
        };
        Ok(Move { choice, playouts: None })
    }
}
