//! Between records and engines: plays a record on a board, and writes a game as a record.
//! Here the moves of a record are checked against the rules.

use super::{Action, Record, Turn};
use crate::engine::{self, HavannahEngine};
use crate::havannah::notation::NotationError;
use crate::havannah::{Colour, Notation, Outcome, PlayError};

/// A turn of a record that the rules do not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}, '{}': {reason}", turn_name(*.turn), .text.escape_debug())]
pub struct ReplayError {
    /// The number of the turn, from 1. 0 is a set-up stone.
    pub turn: usize,
    /// The turn as written.
    pub text: String,
    /// What is wrong with it.
    #[source]
    pub reason: Reason,
}

/// Why a turn is not allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// The text is not the name of a cell.
    #[error(transparent)]
    NoCell(NotationError),
    /// The rules do not allow the stone.
    #[error(transparent)]
    Illegal(PlayError),
    /// Swapping is not allowed here.
    #[error("only the first stone can be taken, as a first move")]
    NoSwap,
    /// The game is over because a side has resigned.
    #[error("a side has resigned")]
    Resigned,
}

fn turn_name(turn: usize) -> String {
    if turn == 0 { "a stone set up".to_string() } else { format!("turn {turn}") }
}

/// Plays the first `most_turns` turns of a record on an engine at an empty board of its size.
/// Returns the side that resigned.
pub fn replay(
    record: &Record,
    most_turns: usize,
    engine: &mut HavannahEngine,
) -> Result<Option<Colour>, ReplayError> {
    let notation = record.coordinates;
    let place = |engine: &mut HavannahEngine, side: Colour, text: &str| {
        let cell = engine.geometry().read_cell(notation, text).map_err(Reason::NoCell)?;
        engine.place(side, cell).map_err(Reason::Illegal)
    };
    set_up(record, engine)?;
    let mut resigned = None;
    for (index, Turn { side, action, .. }) in record.turns.iter().take(most_turns).enumerate() {
        let made = match action {
            _ if resigned.is_some() => Err(Reason::Resigned),
            Action::Place(text) => place(engine, *side, text),
            Action::Swap if engine.to_move() == *side && engine.swap() => Ok(()),
            Action::Swap => Err(Reason::NoSwap),
            Action::Resign => {
                resigned = Some(*side);
                Ok(())
            }
        };
        let text = action.text().to_string();
        made.map_err(|reason| ReplayError { turn: index + 1, text, reason })?;
    }
    Ok(resigned)
}

/// Sets up the stones before the first turn, and the side to move.
fn set_up(record: &Record, engine: &mut HavannahEngine) -> Result<(), ReplayError> {
    if record.setup.is_empty() && record.to_move.is_none() {
        return Ok(());
    }
    let wrong = |text: &str, reason| ReplayError { turn: 0, text: text.to_string(), reason };
    let mut stones = Vec::new();
    for (side, text) in &record.setup {
        let cell = engine.geometry().read_cell(record.coordinates, text);
        stones.push((*side, cell.map_err(|error| wrong(text, Reason::NoCell(error)))?));
    }
    engine.set_up(&stones, record.to_move).map_err(|(cell, error)| {
        wrong(&engine.geometry().write_cell(record.coordinates, cell), Reason::Illegal(error))
    })
}

/// The game of an engine as a record, with its result.
pub fn write_down(
    engine: &HavannahEngine,
    resigned: Option<Colour>,
    coordinates: Notation,
) -> Record {
    let tables = engine.geometry();
    let mut record = Record::new(tables.size, coordinates);
    for (side, cell) in engine.setup() {
        record.setup.push((*side, tables.write_cell(coordinates, *cell)));
    }
    record.setup.sort_by_key(|(side, _)| side.index());
    let is_usual = engine.turns().is_empty() && engine.to_move() == Colour::White;
    if !record.setup.is_empty() || !is_usual {
        record.to_move = Some(match engine.turns() {
            [engine::Turn::Place(side, _), ..] => *side,
            _ => engine.to_move(),
        });
    }
    let mut last_side = None;
    for turn in engine.turns() {
        let (side, action) = match turn {
            engine::Turn::Place(side, cell) => {
                (*side, Action::Place(tables.write_cell(coordinates, *cell)))
            }
            engine::Turn::Swap => (last_side.map_or(Colour::Black, Colour::other), Action::Swap),
        };
        last_side = Some(side);
        record.turns.push(Turn { side, action, comment: None });
    }
    if let Some(side) = resigned {
        record.turns.push(Turn { side, action: Action::Resign, comment: None });
    }
    let letter = |side: Colour| match side {
        Colour::White => 'W',
        Colour::Black => 'B',
    };
    record.result = match (resigned, engine.outcome()) {
        (Some(side), _) => Some(format!("{}+Resign", letter(side.other()))),
        (None, Outcome::Won { by, .. }) => Some(format!("{}+", letter(by))),
        (None, Outcome::Draw) => Some("Draw".to_string()),
        (None, Outcome::Ongoing) => None,
    };
    record
}
