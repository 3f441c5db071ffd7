//! `ciclon show`: shows a position of a game record, as text and as a picture.
//!
//! `open` is also the way in which `analyze` reads records.

use std::path::{Path, PathBuf};

use super::drawing;
#[cfg(feature = "plots")]
use super::picture::{Picture, heat_map};
use crate::bits::Isa;
use crate::engine::{HavannahEngine, read_files};
use crate::havannah::weights::LoadError;
use crate::havannah::{Colour, Outcome};
use crate::params::Params;
use crate::record::Record;
use crate::record::file::{self, FileError};
use crate::record::replay::{ReplayError, replay};
#[cfg(feature = "plots")]
use crate::search::Limits;

/// What to show.
pub struct ShowOptions {
    pub record: PathBuf,
    /// The game in the file, counted from 1.
    pub game: usize,
    /// The number of turns to play. The whole game if there are fewer.
    pub ply: Option<usize>,
    /// The path of the picture.
    #[cfg(feature = "plots")]
    pub svg: Option<PathBuf>,
    /// The limits of a search for a heat map of the visits.
    #[cfg(feature = "plots")]
    pub heat: Option<Limits>,
    pub params: Params,
    pub isa: Isa,
}

/// Why a record cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    File(FileError),
    #[error("'{}': {error}", .path.display().to_string().escape_debug())]
    Replay {
        path: PathBuf,
        #[source]
        error: ReplayError,
    },
    #[cfg(feature = "plots")]
    #[error("cannot write the picture '{}': {error}", .path.display().to_string().escape_debug())]
    Picture {
        path: PathBuf,
        #[source]
        error: std::io::Error,
    },
    #[error(transparent)]
    Weights(LoadError),
}

/// A record, played up to a turn.
pub struct Replayed {
    pub record: Record,
    pub engine: HavannahEngine,
    pub resigned: Option<Colour>,
    /// The number of turns that were played.
    pub turns: usize,
}

/// Reads a game of a file and plays it up to turn `ply`.
pub fn open(
    path: &Path,
    game: usize,
    ply: Option<usize>,
    isa: Isa,
    params: &Params,
) -> Result<Replayed, ShowError> {
    let record = file::read_game(path, game).map_err(ShowError::File)?;
    read_files(params, record.size).map_err(ShowError::Weights)?;
    let mut engine = HavannahEngine::new(record.size, isa, params).expect("records have a base");
    let turns = ply.unwrap_or(usize::MAX).min(record.turns.len());
    let resigned = replay(&record, turns, &mut engine)
        .map_err(|error| ShowError::Replay { path: path.to_path_buf(), error })?;
    Ok(Replayed { record, engine, resigned, turns })
}

/// The position as text. Also writes the picture, if one is asked for.
pub fn show(options: &ShowOptions) -> Result<String, ShowError> {
    let ShowOptions { record, game, ply, isa, params, .. } = options;
    let replayed = open(record, *game, *ply, *isa, params)?;
    let Replayed { record, engine, resigned, turns } = &replayed;
    let title = title_of(record, *turns);
    let board = drawing::text(engine, record.coordinates);
    let stands = how_it_stands(engine, *resigned);
    let text = format!("{title}\n{board}{stands}\n");
    #[cfg(feature = "plots")]
    write_picture(options, replayed, &title)?;
    Ok(text)
}

/// Writes the picture, if one is asked for.
#[cfg(feature = "plots")]
fn write_picture(options: &ShowOptions, replayed: Replayed, title: &str) -> Result<(), ShowError> {
    let Some(path) = &options.svg else {
        return Ok(());
    };
    let Replayed { record, mut engine, .. } = replayed;
    let heat = options.heat.map_or(Vec::new(), |limits| heat_map(&mut engine, &limits));
    let picture = Picture { engine: &engine, notation: record.coordinates, title, heat };
    std::fs::write(path, picture.svg())
        .map_err(|error| ShowError::Picture { path: path.clone(), error })
}

fn title_of(record: &Record, turns: usize) -> String {
    // Names may have any characters. They go to terminals and into pictures.
    let plain = |name: &String| name.replace(char::is_control, " ");
    let name =
        |name: &Option<String>, colour: &str| name.as_ref().map_or(colour.to_string(), plain);
    let players = format!("{} - {}", name(&record.white, "White"), name(&record.black, "Black"));
    format!("{players}, base {}, turn {turns} of {}", record.size, record.turns.len())
}

/// The state of a game in words.
pub fn how_it_stands(engine: &HavannahEngine, resigned: Option<Colour>) -> String {
    match (resigned, engine.outcome()) {
        (Some(side), _) => format!("{side} resigned, {} has won", side.other()),
        (None, Outcome::Won { by, wins }) => {
            let kind = wins.kind().map_or(String::new(), |kind| format!(" with a {kind}"));
            format!("{by} has won{kind}")
        }
        (None, Outcome::Draw) => "a draw".to_string(),
        (None, Outcome::Ongoing) => format!("{} to move", engine.to_move()),
    }
}
