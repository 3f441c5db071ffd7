//! Boards as coloured text for a terminal.

use anstyle::{AnsiColor, Style};

use crate::engine::{HavannahEngine, Turn};
use crate::havannah::structure::winning_structure;
use crate::havannah::{Cell, Colour, Notation, picture};

/// The cell of the last placed stone.
pub fn last_stone(engine: &HavannahEngine) -> Option<Cell> {
    engine.turns().iter().rev().find_map(|turn| match turn {
        Turn::Place(_, cell) => Some(*cell),
        Turn::Swap => None,
    })
}

/// The board as coloured text: White `O`, Black `X`. The last stone is underlined, the winning
/// stones are inverted.
pub fn text(engine: &HavannahEngine, notation: Notation) -> String {
    let (last, winning) = (last_stone(engine), winning_structure(engine.board()));
    picture::draw_labelled(engine.geometry(), notation, |cell| {
        let (mark, style) = match engine.colour_at(cell) {
            Some(Colour::White) => ("O", AnsiColor::BrightYellow.on_default().bold()),
            Some(Colour::Black) => ("X", AnsiColor::BrightCyan.on_default().bold()),
            None => (".", Style::new().dimmed()),
        };
        let style = if Some(cell) == last { style.underline() } else { style };
        let style = if winning.contains(cell.index()) { style.invert() } else { style };
        format!("{style}{mark}{style:#}")
    })
}
