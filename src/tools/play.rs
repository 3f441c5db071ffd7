//! `ciclon play`: a game of Havannah at the terminal.
//!
//! Input and output are arguments, so that tests can play. Bad input never ends the game.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::drawing;
use super::prompt::ask;
use super::show::how_it_stands;
use crate::bits::Isa;
use crate::engine::{Choice, Player, TimeControl};
use crate::havannah::{Colour, Notation};
use crate::params::Params;
use crate::search::Report;
use crate::tree::Status;

/// The settings of a game.
pub struct PlayOptions {
    pub size: usize,
    /// The time of the engine for each move.
    pub time: Duration,
    /// The user's side.
    pub side: Colour,
    pub notation: Notation,
    pub params: Params,
    pub isa: Isa,
}

const HELP: &str = "Place a stone by naming its cell, like c3: the first cell and the last number \
of each row stand beside it.
You win with a ring round any cell, a bridge between two corners, or a fork of three edges (corners \
belong to no edge).
  undo     take back your last move and the answer to it
  hint     what the engine would do in your place
  swap     take the first stone as yours, under the pie rule, instead of your first move
  engine   let the engine move for you
  resign   give up
  board    show the board again
  quit     leave
";

/// What a line at the terminal asks for.
enum UserCommand {
    Again,
    Moved,
    Leave,
}

struct Table<W: Write> {
    options: PlayOptions,
    player: Player,
    resigned: Option<Colour>,
    output: W,
}

/// Plays a game until it is over or the user leaves.
///
/// # Panics
/// If there is no base of the size.
pub fn play(options: PlayOptions, input: impl BufRead, output: impl Write) -> io::Result<()> {
    let control = TimeControl { move_time: Some(options.time), ..TimeControl::default() };
    let player = Player::new(options.size, options.isa, &options.params, control);
    let player = player.expect("the size is a base");
    Table { options, player, resigned: None, output }.play(input)
}

impl<W: Write> Table<W> {
    fn play(&mut self, mut input: impl BufRead) -> io::Result<()> {
        let (side, size) = (self.options.side, self.options.size);
        writeln!(
            self.output,
            "Havannah on base {size}. You are {side}; 'help' says what you can do.\n"
        )?;
        self.show_board()?;
        while !self.is_over() {
            if self.player.engine().to_move() != side {
                self.engine_moves()?;
                self.show_board()?;
                continue;
            }
            let Some(answer) = ask(&mut self.output, &mut input, "your move")? else {
                return Ok(());
            };
            match self.obey(&answer)? {
                UserCommand::Leave => return Ok(()),
                UserCommand::Moved => self.show_board()?,
                UserCommand::Again => {}
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.player.engine().outcome().is_over()
    }

    fn show_board(&mut self) -> io::Result<()> {
        let engine = self.player.engine();
        let board = drawing::text(engine, self.options.notation);
        let stands = how_it_stands(engine, self.resigned);
        writeln!(self.output, "{board}{stands}\n")
    }

    fn obey(&mut self, line: &str) -> io::Result<UserCommand> {
        let side = self.options.side;
        match line.to_ascii_lowercase().as_str() {
            "" => Ok(UserCommand::Again),
            "help" | "?" => write!(self.output, "{HELP}").map(|()| UserCommand::Again),
            "quit" | "exit" => Ok(UserCommand::Leave),
            "board" => Ok(UserCommand::Moved),
            "undo" => self.undo(),
            "hint" => {
                let (choice, report) = self.think(side);
                let name = self.name_of(choice);
                writeln!(self.output, "I would play {name} ({})", self.opinion(side, &report))?;
                Ok(UserCommand::Again)
            }
            "engine" => self.engine_moves().map(|()| UserCommand::Moved),
            "resign" => {
                self.resigned = Some(side);
                Ok(UserCommand::Moved)
            }
            "swap" => {
                if self.player.params().pie && self.player.engine_mut().swap() {
                    return Ok(UserCommand::Moved);
                }
                writeln!(self.output, "you can swap as your first move only, with --set pie=true")?;
                Ok(UserCommand::Again)
            }
            _ => self.place(line),
        }
    }

    fn place(&mut self, text: &str) -> io::Result<UserCommand> {
        let tables = self.player.engine().geometry();
        let placed =
            tables.read_cell(self.options.notation, text).map_err(|error| error.to_string());
        let side = self.options.side;
        let placed = placed.and_then(|cell| {
            self.player.engine_mut().place(side, cell).map_err(|error| error.to_string())
        });
        match placed {
            Ok(()) => Ok(UserCommand::Moved),
            Err(error) => {
                writeln!(self.output, "{error}; 'help' says what you can do")?;
                Ok(UserCommand::Again)
            }
        }
    }

    /// Takes moves back until it is the user's turn again.
    fn undo(&mut self) -> io::Result<UserCommand> {
        let side = self.options.side;
        let own_turns = if side == Colour::White { 1 } else { 2 };
        if self.player.engine().turns().len() < own_turns {
            writeln!(self.output, "there is nothing to take back")?;
            return Ok(UserCommand::Again);
        }
        self.player.undo();
        while self.player.engine().to_move() != side {
            self.player.undo();
        }
        Ok(UserCommand::Moved)
    }

    fn think(&mut self, side: Colour) -> (Choice, Report) {
        let found = self.player.choose(side, &AtomicBool::new(false));
        found.expect("the game goes on")
    }

    fn engine_moves(&mut self) -> io::Result<()> {
        let side = self.player.engine().to_move();
        let (choice, report) = self.think(side);
        let name = self.name_of(choice);
        self.player.make(side, choice);
        if choice == Choice::Resign {
            self.resigned = Some(side);
        }
        writeln!(self.output, "{side} plays {name} ({})\n", self.opinion(side, &report))
    }

    fn name_of(&self, choice: Choice) -> String {
        choice.name(self.player.engine().geometry(), self.options.notation)
    }

    /// The value of a side's position in words.
    fn opinion(&self, side: Colour, report: &Report) -> String {
        let within =
            report.proof_depth.map_or(String::new(), |plies| format!(" within {plies} moves"));
        match report.status {
            Status::WON => format!("{side} wins{within}"),
            Status::LOST => format!("{side} loses{within}"),
            Status::DRAWN => "a draw".to_string(),
            _ if report.moves.is_empty() => "from the table of openings".to_string(),
            _ => {
                let (notation, geometry) = (self.options.notation, self.player.engine().geometry());
                let names = report.pv.iter().map(|next| geometry.write_move(notation, *next));
                let line: Vec<String> = names.take(6).collect();
                format!(
                    "{side} wins {:.0} % of {} playouts; expected {}",
                    100.0 * report.value,
                    report.stats.playouts,
                    line.join(" ")
                )
            }
        }
    }
}
