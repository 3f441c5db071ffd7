//! `ciclon openings`: makes the table of values of first moves.

use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressStyle};

use crate::bits::Isa;
use crate::engine::HavannahEngine;
use crate::engine::openings::{Opening, images, write};
use crate::havannah::{Cell, Colour};
use crate::params::Params;
use crate::search::Limits;

/// Searches the first moves of a base, one of each symmetry class, with `playouts` playouts each.
/// Returns one line per move. `None` if there is no such base.
pub fn openings(size: usize, isa: Isa, params: &Params, playouts: u64) -> Option<String> {
    let tables = HavannahEngine::new(size, isa, params)?.geometry();
    let is_first = |cell: &Cell| images(tables, *cell)[0] == *cell;
    let firsts: Vec<Cell> = tables.cells().iter().copied().filter(is_first).collect();
    let bar = ProgressBar::new(firsts.len() as u64);
    let style = ProgressStyle::with_template("base {prefix} {bar:30} {pos}/{len} {eta} left");
    bar.set_style(style.expect("the template is right"));
    bar.set_prefix(size.to_string());
    let lines = firsts.into_iter().map(|cell| {
        let mut engine = HavannahEngine::new(size, isa, params).expect("the size is a base");
        engine.place(Colour::White, cell).expect("the board is empty");
        let limits = Limits { playouts: Some(playouts), until_solved: true, ..Limits::default() };
        let report = engine.analyze(&limits, &AtomicBool::new(false), None);
        bar.inc(1);
        write(
            tables,
            &Opening { cell, value: 1.0 - report.value, playouts: report.stats.playouts.max(1) },
        )
    });
    let text = lines.collect();
    bar.finish_and_clear();
    Some(text)
}
