//! `ciclon tron play`: a game of Tron at the terminal.
//!
//! Moves are simultaneous: the engine chooses without knowing the move of the user.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;

use anstyle::{AnsiColor, Style};

use crate::bits::Isa;
use crate::engine::TronPlayer;
use crate::havannah::Colour;
use crate::matches::game::Game as _;
use crate::matches::game_result::End;
use crate::matches::tron::TronGame;
use crate::params::{ParamError, Params};
use crate::search::{Limits, Report};
use crate::tools::prompt::ask;
use crate::tree::Status;
use crate::tron::{Direction, Map, Side};

/// The map, and the settings of the engine.
pub struct TronPlayOptions {
    /// The user is `1`.
    pub map: Map,
    /// The limits of the engine's moves.
    pub limits: Limits,
    pub params: Params,
    pub isa: Isa,
}

const HELP: &str =
    "Each step both of you move by one cell, at once, and leave a wall behind. Who runs \
into a wall loses; if both do, or both move to the same cell, it is a draw.
  n e s w  go north, east, south or west (up right down left, ^ > v < and the arrow keys do as well)
  undo     take back the last step
  hint     what the engine would do in your place
  board    show the grid again
  quit     leave
";

/// The user's side and the engine's side.
const PERSON: Side = 0;
const ENGINE: Side = 1;

/// What a line at the terminal asks for.
enum UserCommand {
    Again,
    Show,
    Leave,
}

struct Table<W: Write> {
    /// The game after each step, from the start. Never empty.
    games: Vec<TronGame>,
    engine: TronPlayer,
    limits: Limits,
    output: W,
}

/// Plays a game until it is over or the user leaves.
pub fn play(options: TronPlayOptions, input: impl BufRead, output: impl Write) -> io::Result<()> {
    let engine = TronPlayer::new(options.isa, &options.params);
    let games = vec![TronGame::new(&options.map)];
    Table { games, engine, limits: options.limits, output }.play(input)
}

/// Parses a direction.
fn read_way(text: &str) -> Option<Direction> {
    Some(match text {
        "n" | "north" | "up" | "^" | "\u{1b}[a" | "\u{1b}oa" => Direction::North,
        "e" | "east" | "right" | ">" | "\u{1b}[c" | "\u{1b}oc" => Direction::East,
        "s" | "south" | "down" | "v" | "\u{1b}[b" | "\u{1b}ob" => Direction::South,
        "w" | "west" | "left" | "<" | "\u{1b}[d" | "\u{1b}od" => Direction::West,
        _ => return None,
    })
}

/// The grid in colour: the user is `O`, the engine `X`, their walls are `o` and `x`.
pub fn draw(first: &Map, game: &TronGame) -> String {
    let (grid, map) = (first.grid, game.map());
    let styles = [AnsiColor::BrightYellow, AnsiColor::BrightCyan].map(AnsiColor::on_default);
    let mut marks = vec![(' ', Style::new()); grid.span()];
    for cell in grid.cells() {
        marks[cell] = match map.walls[cell] {
            true => ('#', Style::new().dimmed()),
            false => ('.', Style::new().dimmed()),
        };
    }
    for side in [PERSON, ENGINE] {
        let mut head = first.heads[side];
        for ways in game.steps() {
            marks[head] = (['o', 'x'][side], styles[side]);
            let next = grid.step(head, ways[side]);
            // A side that crashed has not moved.
            head = if map.heads[side] == head { head } else { next };
        }
    }
    for side in [ENGINE, PERSON] {
        marks[map.heads[side]] = (['O', 'X'][side], styles[side].bold());
    }
    let mut text = String::new();
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let (mark, style) = marks[grid.cell(x, y)];
            let gap = if x == 0 { "" } else { " " };
            write!(text, "{gap}{style}{mark}{style:#}").expect("strings take everything");
        }
        text.push('\n');
    }
    text
}

/// The result for the user. `None` if the game goes on.
fn result(game: &TronGame) -> Option<String> {
    let text = match game.verdict()? {
        (Some(Colour::White), _) => "the engine crashed: you have won",
        (Some(Colour::Black), _) => "you crashed: the engine has won",
        (None, End::SameCell) => "both moved to the same cell: a draw",
        (None, _) => "both crashed: a draw",
    };
    Some(text.to_string())
}

impl<W: Write> Table<W> {
    fn game(&self) -> &TronGame {
        self.games.last().expect("there is a game")
    }

    fn play(&mut self, mut input: impl BufRead) -> io::Result<()> {
        let grid = self.game().map().grid;
        writeln!(
            self.output,
            "Tron on {} by {} cells. You are O, the engine is X; 'help' says what you can do.\n",
            grid.width(),
            grid.height()
        )?;
        self.show()?;
        while self.game().verdict().is_none() {
            let Some(answer) = ask(&mut self.output, &mut input, "your way")? else {
                return Ok(());
            };
            match self.obey(&answer)? {
                UserCommand::Leave => return Ok(()),
                UserCommand::Show => self.show()?,
                UserCommand::Again => {}
            }
        }
        Ok(())
    }

    fn show(&mut self) -> io::Result<()> {
        let text = draw(&self.games[0].map(), self.game());
        let result = result(self.game()).map_or(String::new(), |result| result + "\n");
        writeln!(self.output, "{text}{result}")
    }

    fn obey(&mut self, line: &str) -> io::Result<UserCommand> {
        let word = line.to_ascii_lowercase();
        match word.as_str() {
            "" => Ok(UserCommand::Again),
            "help" | "?" => write!(self.output, "{HELP}").map(|()| UserCommand::Again),
            "quit" | "exit" => Ok(UserCommand::Leave),
            "board" => Ok(UserCommand::Show),
            "hint" => self.hint().map(|()| UserCommand::Again),
            "undo" if self.games.len() > 1 => {
                self.games.pop();
                Ok(UserCommand::Show)
            }
            "undo" => {
                writeln!(self.output, "there is nothing to take back").map(|()| UserCommand::Again)
            }
            text => match read_way(text) {
                Some(way) => self.step(way).map(|()| UserCommand::Show),
                None => {
                    let quoted = line.escape_debug();
                    writeln!(self.output, "'{quoted}' is no way; 'help' says what you can do")?;
                    Ok(UserCommand::Again)
                }
            },
        }
    }

    fn hint(&mut self) -> io::Result<()> {
        let map = self.game().map();
        match self.think(&map) {
            Ok((way, report)) => {
                writeln!(self.output, "I would go {} ({})", way.name(), opinion(&report, "you"))
            }
            Err(error) => writeln!(self.output, "{error}"),
        }
    }

    /// Plays a step. The engine does not know the user's simultaneous move.
    fn step(&mut self, way: Direction) -> io::Result<()> {
        let map = self.game().map().turned();
        let (answer, report) = match self.think(&map) {
            Ok(thought) => thought,
            Err(error) => return writeln!(self.output, "{error}"),
        };
        let mut next = self.game().clone();
        next.step([way, answer]);
        self.games.push(next);
        let (name, opinion) = (answer.name(), opinion(&report, "the engine"));
        writeln!(self.output, "the engine goes {name} ({opinion})\n")
    }

    fn think(&mut self, map: &Map) -> Result<(Direction, Report), ParamError> {
        self.engine.choose(map, &self.limits, &AtomicBool::new(false))
    }
}

/// The value for `who` in words.
fn opinion(report: &Report, who: &str) -> String {
    match report.status {
        Status::WON => format!("{who} can win for certain"),
        Status::LOST => format!("{who} can be beaten for certain"),
        Status::DRAWN => "a draw".to_string(),
        _ if report.stats.playouts == 0 => "there is no other way".to_string(),
        _ => {
            let percent = 100.0 * report.value;
            format!("{who}: {percent:.0} % of the points in {} playouts", report.stats.playouts)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_read() {
        for (texts, way) in [
            (["n", "north", "up", "^", "\u{1b}[a"], Direction::North),
            (["e", "east", "right", ">", "\u{1b}[c"], Direction::East),
            (["s", "south", "down", "v", "\u{1b}[b"], Direction::South),
            (["w", "west", "left", "<", "\u{1b}[d"], Direction::West),
        ] {
            assert!(texts.iter().all(|text| read_way(text) == Some(way)), "{texts:?}");
        }
        assert!(["", "x", "nn", "1"].iter().all(|text| read_way(text).is_none()));
    }

    #[test]
    fn the_grid_shows_where_both_have_been() {
        let map: Map = "4 2\n1#  \n   2\n".parse().expect("a map");
        let mut game = TronGame::new(&map);
        let plain = |game: &TronGame| anstream::adapter::strip_str(&draw(&map, game)).to_string();
        assert_eq!(plain(&game), "O # . .\n. . . X\n");
        game.step([Direction::South, Direction::North]);
        assert_eq!(plain(&game), "o # . X\nO . . x\n");
        game.step([Direction::East, Direction::East]);
        assert!(game.verdict().is_some());
        assert_eq!(plain(&game), "o # . X\nO . . x\n", "who crashes stays, and so does the other");
    }
}
