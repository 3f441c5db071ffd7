//! Another program as a contestant in Havannah: a process that talks GTP.
//!
//! Programs differ: in coordinates, in how they are told the time, in what they call a game that is
//! over. Only what every one of them has is used (`boardsize`, `clear_board`, `play`, `genmove`), with
//! the commands for time as they were given. What they say about results is not asked for.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::game::HavannahGame;
use crate::engine::Turn;
use crate::havannah::{Colour, Notation};
use crate::matches::contestant::{Answer, Contestant, Fault, Limit, Start};
use crate::matches::program::{Connection, NextLine, Program, Request};

/// Another program.
pub struct ProgramContestant {
    program: Program,
    connection: Connection,
    /// Of the game that was begun.
    limit: Option<Limit>,
}

impl ProgramContestant {
    pub fn new(program: &Program) -> Self {
        Self { program: program.clone(), connection: Connection::default(), limit: None }
    }

    fn notation(&self) -> Notation {
        if self.program.little_golem { Notation::LittleGolem } else { Notation::Letternum }
    }

    /// Starts the program if it does not run.
    fn start(&mut self) -> Result<(), Fault> {
        if self.connection.is_open() {
            return Ok(());
        }
        self.connection.open(&self.program.command)?;
        self.program.set_up.clone().iter().try_for_each(|line| self.tell(line))
    }

    /// Sends a command that must succeed.
    fn tell(&mut self, line: &str) -> Result<(), Fault> {
        self.obtain(line, self.program.patience(), None).map(|_| ())
    }

    /// The answer to a command that must succeed.
    fn obtain(
        &mut self,
        line: &str,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<String, Fault> {
        let request = Request { text: format!("{line}\n"), name: line, patience, stop };
        self.connection.ask(request, |next| read_answer(line, next))
    }

    /// The command that tells a program its limit.
    fn time_command(&self, limit: Limit) -> String {
        if let Some(pattern) = &self.program.time {
            let (seconds, playouts) = match limit {
                Limit::Playouts(playouts) => (0.0, playouts),
                Limit::Seconds(seconds) | Limit::Clock(seconds) => (seconds, 0),
            };
            let text = pattern.replace("{seconds}", &seconds.to_string());
            return text.replace("{playouts}", &playouts.to_string());
        }
        match limit {
            // The protocol has no word for playouts; Havannah programs do.
            Limit::Playouts(playouts) => format!("time -i {playouts}"),
            Limit::Seconds(seconds) => format!("time_settings 0 {} 1", whole(seconds)),
            Limit::Clock(seconds) => format!("time_settings {} 0 0", whole(seconds)),
        }
    }
}

/// Reads the answer to a command: from the line with its mark to an empty line.
fn read_answer(sent: &str, next: NextLine<'_>) -> Result<String, Fault> {
    let mut answer: Vec<String> = Vec::new();
    loop {
        let text = next()?;
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
        None => Err(Fault::Nonsense { sent: sent.to_string(), answer: text }),
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

impl Contestant<HavannahGame> for ProgramContestant {
    fn begin(&mut self, game: &HavannahGame, start: &Start) -> Result<(), Fault> {
        self.start()?;
        self.limit = Some(start.limit);
        self.tell(&format!("boardsize {}", game.geometry().size))?;
        self.tell("clear_board")?;
        self.tell(&self.time_command(start.limit))
    }

    fn watch(&mut self, game: &HavannahGame, played: Turn) -> Result<(), Fault> {
        let line = match played {
            Turn::Place(colour, cell) => {
                let cell = game.geometry().write_cell(self.notation(), cell);
                format!("play {} {cell}", letter(colour))
            }
            Turn::Swap => "play b swap".to_string(),
        };
        self.tell(&line)
    }

    fn choose(
        &mut self,
        game: &HavannahGame,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Answer<Turn>, Fault> {
        if let Some(left) = left {
            self.tell(&format!("time_left {} {:.2} 0", letter(side), left.as_secs_f64()))?;
        }
        let time = self.limit.and_then(|limit| limit.move_time(left));
        let line = format!("genmove {}", letter(side));
        let answer = self.obtain(&line, self.program.patience_for_move(time), Some(stop))?;
        let choice = match answer.to_ascii_lowercase().as_str() {
            "swap" => Some(Turn::Swap),
            "resign" => None,
            text => {
                let cell = game.geometry().read_cell(self.notation(), text);
                let nonsense = |_| Fault::Nonsense { sent: line, answer: answer.clone() };
                Some(Turn::Place(side, cell.map_err(nonsense)?))
            }
        };
        Ok(Answer { choice, playouts: None })
    }
}
