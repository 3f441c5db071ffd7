//! The state that commands work on: a player, the notation of cells, and who resigned.
//! It has no thread and no streams: the loop in `mod.rs` reads and writes.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::commands::COMMANDS;
use super::interrupt::Interrupt;
use super::wire::{self, Answer, Command};
use crate::bits::Isa;
use crate::engine::{HavannahEngine, Player, TimeControl, Updates};
use crate::game::Move;
use crate::havannah::{Cell, Colour, Geometry, Notation};
use crate::params::Params;
use crate::search::{Limits, Report};

/// The start of a session.
#[derive(Clone, Debug)]
pub struct Setup {
    pub size: usize,
    pub isa: Isa,
    pub params: Params,
    /// The time control until a command sets another.
    pub control: TimeControl,
    /// Upper limits of every search, independent of commands.
    pub most: Limits,
    /// Whether commands may read and write files.
    pub files: bool,
}

/// The result of a command.
pub enum Reply {
    Answer(Answer),
    /// An answer that continues until the next command, with a line each time `every` has passed.
    /// After it, `then` is the side to move.
    Analysis {
        every: Duration,
        then: Colour,
    },
    /// An empty answer, after which the session ends.
    Goodbye,
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

/// A session with one client.
pub struct Session {
    pub(super) player: Player,
    pub(super) notation: Notation,
    pub(super) default_control: TimeControl,
    /// The side that has resigned.
    pub(super) resigned: Option<Colour>,
    pub(super) files: bool,
    pub(super) interrupt: Interrupt,
    /// The report of the last search of this game.
    pub(super) last_report: Option<Report>,
    /// The number of turns when a move was last generated. As long as it is the number of turns
    /// now, the opponent is to move.
    pub(super) generated_at: Option<usize>,
}

impl Session {
    /// A session at an empty board.
    ///
    /// # Panics
    /// If there is no base of the setup's size.
    pub fn new(setup: &Setup, interrupt: Interrupt) -> Self {
        let player = Player::new(setup.size, setup.isa, &setup.params, setup.control);
        let mut player = player.expect("the size is a base");
        player.limit(setup.most);
        Self {
            player,
            notation: Notation::Letternum,
            default_control: setup.control,
            resigned: None,
            files: setup.files,
            interrupt,
            last_report: None,
            generated_at: None,
        }
    }

    /// Executes a command.
    pub fn execute(&mut self, command: &Command) -> Reply {
        match COMMANDS.iter().find(|entry| entry.name == command.name) {
            Some(entry) => (entry.run)(self, &command.arguments),
            None if command.name.is_empty() => Err("a command is missing".to_string()).into(),
            None => Err("unknown command".to_string()).into(),
        }
    }

    /// The text of the answer to a line. `None` if the line has no command. An analysis ends as
    /// soon as it has begun, as if the next command were waiting.
    pub fn answer(&mut self, line: &[u8]) -> Option<String> {
        let command = Command::read(line)?;
        Some(match self.execute(&command) {
            Reply::Answer(answer) => wire::write(command.id, &answer),
            Reply::Goodbye => wire::write(command.id, &Ok(String::new())),
            Reply::Analysis { every, then } => {
                let mut text = wire::head('=', command.id) + "\n";
                self.interrupt.arrive();
                self.analyze(every, then, &mut |line| {
                    text.push_str(&format!("{line}\n"));
                    true
                });
                self.interrupt.take();
                text + "\n"
            }
        })
    }

    /// Searches until the next command. Passes a line to `show` each time `every` has passed, and
    /// one at the end. If `show` returns false, the search ends. After it, `then` is the side to
    /// move.
    pub fn analyze(&mut self, every: Duration, then: Colour, show: &mut dyn FnMut(&str) -> bool) {
        let interrupt = self.interrupt.clone();
        let (geometry, notation) = (self.engine().geometry(), self.notation);
        let mut show_report = |report: &Report| {
            if !show(&update_line(report, geometry, notation)) {
                interrupt.close();
            }
        };
        interrupt.begin_giving_way();
        let updates = Updates { every, show: &mut show_report };
        let report = self.player.analyze(Limits::default(), interrupt.flag(), Some(updates));
        show_report(&report);
        self.player.engine_mut().give_move_to(then);
        self.last_report = Some(report);
    }

    /// Searches on the opponent's time, if `ponder` is on. Ends at the next command.
    pub fn ponder(&mut self) {
        let is_opponents_turn = self.generated_at == Some(self.engine().turns().len());
        if is_opponents_turn && self.player.params().ponder && !self.is_over() {
            self.interrupt.begin_giving_way();
            let interrupt = self.interrupt.clone();
            self.player.ponder(interrupt.flag());
        }
    }

    pub(super) fn engine(&self) -> &HavannahEngine {
        self.player.engine()
    }

    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.engine().outcome().is_over()
    }

    /// Runs a search that new commands do not end.
    pub(super) fn undisturbed<T>(
        &mut self,
        think: impl FnOnce(&mut Player, &AtomicBool) -> T,
    ) -> T {
        self.interrupt.begin();
        let interrupt = self.interrupt.clone();
        think(&mut self.player, interrupt.flag())
    }

    pub(super) fn read_cell(&self, text: &str) -> Result<Cell, String> {
        self.engine().geometry().read_cell(self.notation, text).map_err(|error| error.to_string())
    }

    pub(super) fn write_cell(&self, cell: Cell) -> String {
        self.engine().geometry().write_cell(self.notation, cell)
    }

    pub(super) fn write_move(&self, next: Move) -> String {
        self.engine().geometry().write_move(self.notation, next)
    }

    /// The moves of a line, as text.
    pub(super) fn write_line(&self, line: &[Move]) -> String {
        line.iter().map(|next| self.write_move(*next)).collect::<Vec<_>>().join(" ")
    }

    /// An error if the session may not use files.
    pub(super) fn may_use_files(&self) -> Result<(), String> {
        if self.files { Ok(()) } else { Err("files are out of bounds here".to_string()) }
    }

    /// Begins a game on a board of a size. False if there is no such base.
    pub(super) fn start(&mut self, size: usize) -> bool {
        let is_base = self.player.start(size);
        if is_base {
            self.resigned = None;
            self.last_report = None;
            self.generated_at = None;
        }
        is_base
    }
}

/// The state of a search in one line.
fn update_line(report: &Report, geometry: &Geometry, notation: Notation) -> String {
    let name = |next: Move| geometry.write_move(notation, next);
    let Some(best) = report.best else {
        return "the game is over".to_string();
    };
    let visits = report.moves.first().map_or(0, |found| found.visits);
    let win_rate = report.moves.first().and_then(|found| found.win_rate).unwrap_or(report.value);
    let pv: Vec<String> = report.pv.iter().map(|next| name(*next)).collect();
    format!(
        "move {} visits {visits} win_rate {win_rate:.4} status {} playouts {} pv {}",
        name(best),
        report.status.name(),
        report.stats.playouts,
        pv.join(" ")
    )
}
