//! The commands: one row each, with its arguments and its meaning. The rows are also the help text.
//!
//! `protocol`: what every GTP program has. `game`: the board. `thinking`: searches and their
//! settings. `records`: files.

mod game;
mod protocol;
mod records;
mod thinking;

use std::time::Duration;

use super::session::{Reply, Session};
use super::wire::Answer;
use crate::havannah::Colour;

/// A row of the table of commands.
pub struct Entry {
    pub name: &'static str,
    pub arguments: &'static str,
    pub meaning: &'static str,
    pub run: fn(&mut Session, &[String]) -> Reply,
}

macro_rules! commands {
    ($($name:literal $arguments:literal $meaning:literal $run:expr;)*) => {
        /// Every command, in the order in which it is listed.
        pub const COMMANDS: &[Entry] = &[$(Entry {
            name: $name,
            arguments: $arguments,
            meaning: $meaning,
            run: |session, arguments| Reply::from($run(session, arguments)),
        },)*];
    };
}

commands! {
    "protocol_version" "" "the version of the protocol: 2" protocol::protocol_version;
    "name" "" "the name of the program" protocol::name;
    "version" "" "the version of the program" protocol::version;
    "known_command" "COMMAND" "whether there is a command of that name" protocol::known_command;
    "list_commands" "" "the names of all commands" protocol::list_commands;
    "help" "[COMMAND]" "what commands take and do" protocol::help;
    "quit" "" "end the session" protocol::quit;

    "boardsize" "SIZE" "begin a game on a board of base 2 to 10" game::boardsize;
    "clear_board" "" "begin a new game" game::clear_board;
    "komi" "KOMI" "accepted, and of no effect" game::komi;
    "play" "COLOUR CELL|swap|resign" "make a move for a side" game::play;
    "playgame" "CELL..." "make moves in turn; if one cannot be made, none is" game::playgame;
    "undo" "[COUNT]" "take back the last move, or so many" game::undo;
    "swap" "[on|off]" "whether the pie rule is played; sets it" game::swap;
    "showboard" "" "the board as text" game::showboard;
    "all_legal" "" "every legal move" game::all_legal;
    "history" "" "the moves so far" game::history;
    "winner" "" "white, black, draw or none" game::winner;
    "havannah_winner" "" "white, black, draw or none" game::winner;
    "final_score" "" "W+1, B+1 or 0, when the game is over" game::final_score;
    "hguicoords" "" "use the coordinates of HavannahGui (letternum)" game::hguicoords;
    "gridcoords" "" "use the coordinates of Little Golem" game::gridcoords;

    "genmove" "COLOUR" "think about a move for a side, and make it" thinking::genmove;
    "reg_genmove" "COLOUR" "think about a move for a side, and do not make it" thinking::reg_genmove;
    "analyze" "[COLOUR] [SECONDS]" "search until the next command; a line a second, or each so many seconds" thinking::analyze;
    "solve" "[SECONDS]" "the winner with best play, the move and the plies; none after 10 s, or so many" thinking::solve;
    "move_stats" "" "what the last search found, move by move" thinking::move_stats;
    "pv" "" "the principal variation of the last search" thinking::pv;
    "ponder" "[on|off]" "whether the engine thinks on its opponent's time; sets it" thinking::ponder;
    "time" "[-m SECONDS] [-i PLAYOUTS] [-g SECONDS]" "time or playouts for each move, time for a game; without arguments, what is set" thinking::time;
    "time_settings" "MAIN PERIOD STONES" "time for a game in seconds, then for each so many stones" thinking::time_settings;
    "time_left" "COLOUR SECONDS STONES" "what a side has left" thinking::time_left;
    "params" "[NAME]" "every parameter with its value, or all about one" thinking::params;
    "set_option" "NAME VALUE|NAME=VALUE" "set a parameter" thinking::set_option;
    "preset" "NAME" "search as a preset does; memory, seed and what is done besides stay as they are" thinking::preset;

    "loadsgf" "FILE [PLY]" "set up the game of a record, up to a ply" records::load;
    "loadhgf" "FILE [PLY]" "the same" records::load;
    "savesgf" "FILE" "write the game to a record" records::save;
    "savehgf" "FILE" "the same" records::save;
}

/// The arguments, from `least` to `MOST` of them. An error if there are fewer or more.
fn expect<const MOST: usize>(
    arguments: &[String],
    least: usize,
) -> Result<[Option<&str>; MOST], String> {
    if arguments.len() < least {
        return Err("syntax error: an argument is missing".to_string());
    }
    if let Some(extra) = arguments.get(MOST) {
        return Err(format!("syntax error: '{}' is too much", extra.escape_debug()));
    }
    Ok(std::array::from_fn(|index| arguments.get(index).map(String::as_str)))
}

/// The arguments of a command that takes exactly `COUNT`.
fn exactly<const COUNT: usize>(arguments: &[String]) -> Result<[&str; COUNT], String> {
    Ok(expect::<COUNT>(arguments, COUNT)?.map(|text| text.expect("there are enough")))
}

fn colour(text: &str) -> Result<Colour, String> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Ok(Colour::White),
        "b" | "black" => Ok(Colour::Black),
        _ => Err(format!("syntax error: '{}' is no colour", text.escape_debug())),
    }
}

/// The longest time that can be set: one day, in seconds.
const LONGEST: f64 = 86_400.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| {
        format!("syntax error: '{}' is no time from 0 to {LONGEST} seconds", text.escape_debug())
    })
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("syntax error: '{}' is no number", text.escape_debug()))
}

fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" | "1" | "true" => Ok(true),
        "off" | "0" | "false" => Ok(false),
        _ => Err(format!("syntax error: '{}' is neither on nor off", text.escape_debug())),
    }
}

fn done() -> Answer {
    Ok(String::new())
}
