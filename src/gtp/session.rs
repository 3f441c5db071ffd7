//! What the commands work on: a player, the coordinates in use, and how the game ended.

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

/// How a session begins.
#[derive(Clone, Debug)]
pub struct Setup {
    pub size: usize,
    pub isa: Isa,
    pub params: Params,
    /// What moves take until a command says otherwise.
    pub control: TimeControl,
    /// Limits that hold whatever commands say.
    pub most: Limits,
    /// Whether commands may read and write files.
    pub files: bool,
}

/// What a command leads to.
pub enum Reply {
    Answer(Answer),
    /// An answer that goes on until the next command: a line each time so much has passed. Then it is
    /// the turn of the side that had it before.
    Analysis {
        every: Duration,
        then: Colour,
    },
    /// The answer, after which the session ends.
    Goodbye,
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

/// A conversation with one client.
pub struct Session {
    pub(super) player: Player,
    pub(super) notation: Notation,
    pub(super) default_control: TimeControl,
    /// The side that gave up, if one did.
    pub(super) resigned: Option<Colour>,
    pub(super) files: bool,
    pub(super) interrupt: Interrupt,
    /// What the last search of the game found.
    pub(super) last_report: Option<Report>,
    /// The turns of the game when a move was last generated: as long as there are no more, the
    /// opponent thinks.
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

    /// Does what a command says.
    pub fn execute(&mut self, command: &Command) -> Reply {
        match COMMANDS.iter().find(|entry| entry.name == command.name) {
            Some(entry) => (entry.run)(self, &command.arguments),
            None if command.name.is_empty() => Err("a command is missing".to_string()).into(),
            None => Err("unknown command".to_string()).into(),
        }
    }

    /// The text of the answer to a line, if there is a command on it. An analysis ends as soon as it
    /// has begun, as if the next command were there.
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

    /// Searches until the next command, and hands a line to `show` each time so much has passed,
    /// and one at the end; false from `show` ends it. Then it is the turn of the side `then`.
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

    /// Thinks on while the opponent does, if it is to; gives way to the next command.
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

    /// A search that is thought out, whatever commands come in.
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

    /// A line of moves.
    pub(super) fn write_line(&self, line: &[Move]) -> String {
        line.iter().map(|next| self.write_move(*next)).collect::<Vec<_>>().join(" ")
    }

    /// Refuses what reads or writes files, if files are out of bounds.
    pub(super) fn may_use_files(&self) -> Result<(), String> {
        if self.files { Ok(()) } else { Err("files are out of bounds here".to_string()) }
    }

    /// Begins a game on a board of a size; false if there is no such base.
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

/// What a search knows, in one line.
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
        report.playouts,
        pv.join(" ")
    )
}
