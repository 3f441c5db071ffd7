//! The games of a match of Havannah as records, in a file of SGF.

use std::path::Path;
use std::{fs, io};

use super::Settings;
use super::error::MatchError;
use super::game_result::{End, GameResult};
use crate::havannah::{Colour, Notation};
use crate::record::{Action, Record, Turn};

/// A game as a record.
fn record_of(settings: &Settings, game: &GameResult) -> Record {
    let mut record = Record::new(settings.size, Notation::Letternum);
    record.white = Some(settings.player(game.white).to_string());
    record.black = Some(settings.player(game.white.other()).to_string());
    record.event = Some(format!("game {}", game.game));
    let mut side = Colour::White;
    for text in &game.moves {
        let action = if text == "swap" { Action::Swap } else { Action::Place(text.clone()) };
        record.turns.push(Turn { side, action, comment: None });
        side = side.other();
    }
    let letter = |seat| if seat == game.white { 'W' } else { 'B' };
    record.result = Some(match (game.winner, &game.end) {
        (None, _) => "Draw".to_string(),
        (Some(seat), End::Resigned) => format!("{}+Resign", letter(seat)),
        (Some(seat), End::OutOfTime) => format!("{}+Time", letter(seat)),
        (Some(seat), end) if end.is_error() => format!("{}+Forfeit", letter(seat)),
        (Some(seat), _) => format!("{}+", letter(seat)),
    });
    record
}

fn text_of(settings: &Settings, game: &GameResult) -> String {
    record_of(settings, game).to_sgf() + "\n"
}

/// Writes the records of the games so far: what was there is replaced, once the new is whole.
pub fn write_all(path: &Path, settings: &Settings, games: &[GameResult]) -> Result<(), MatchError> {
    let failed = |error| MatchError::Sgf { path: path.to_path_buf(), error };
    if games.is_empty() && fs::metadata(path).is_ok_and(|file| file.len() > 0) {
        return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, "it is there already")));
    }
    let text: String = games.iter().map(|game| text_of(settings, game)).collect();
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, path)).map_err(failed)
}

/// Adds the record of a game.
pub fn add(path: &Path, settings: &Settings, game: &GameResult) -> Result<(), MatchError> {
    use std::io::Write as _;
    let file = fs::OpenOptions::new().append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text_of(settings, game).as_bytes()));
    written.map_err(|error| MatchError::Sgf { path: path.to_path_buf(), error })
}
