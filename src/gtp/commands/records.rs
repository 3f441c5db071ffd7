//! Commands for game records in files.
//!
//! Every command checks that the session may use files.

use std::path::Path;

use super::{done, exactly, expect, number};
use crate::engine::{HavannahEngine, read_files};
use crate::gtp::session::Session;
use crate::gtp::wire::Answer;
use crate::record::{file, replay};

/// The game so far changes only if the whole record is legal.
pub fn load(session: &mut Session, arguments: &[String]) -> Answer {
    let [path, ply] = expect(arguments, 1)?;
    let plies = ply.map_or(Ok(usize::MAX), number)?;
    let path = path_of(session, path.unwrap_or_default())?;
    let cannot = |error: &dyn std::error::Error| format!("cannot load file: {error}");
    let record = file::read_game(path, 1).map_err(|error| cannot(&error))?;
    let (isa, params) = (session.player.isa(), session.player.params());
    read_files(params, record.size).map_err(|error| cannot(&error))?;
    let mut trial = HavannahEngine::new(record.size, isa, params).expect("records have a base");
    replay::replay(&record, plies, &mut trial).map_err(|error| cannot(&error))?;
    session.start(record.size);
    let replayed = replay::replay(&record, plies, session.player.engine_mut());
    session.resigned = replayed.expect("it went well before");
    done()
}

pub fn save(session: &mut Session, arguments: &[String]) -> Answer {
    let [path] = exactly(arguments)?;
    let path = path_of(session, path)?;
    let record = replay::write_down(session.engine(), session.resigned, session.notation);
    file::write_file(path, &record).map_err(|error| format!("cannot save file: {error}"))?;
    done()
}

fn path_of<'a>(session: &Session, text: &'a str) -> Result<&'a Path, String> {
    session.may_use_files().map(|()| Path::new(text))
}
