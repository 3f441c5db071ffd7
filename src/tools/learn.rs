//! Weights of local patterns from games of the engine against itself (Stankiewicz 2011 §3.3).
//!
//! The games are those of a match of a player with itself, so they are played on all cores, logged and
//! resumed like any other. At each turn the class of every pattern that could be played counts as
//! available, once, and that of the move as played.

use std::fmt::Write as _;

use plotters::prelude::*;

use super::page::{chart, head, plot};
use crate::havannah::geometry::Tables;
use crate::havannah::patterns::Pattern;
use crate::havannah::weights::{PatternWeights, Turns};
use crate::havannah::{Base, Board, Cell, Notation};
use crate::matches::game_result::GameResult;
use crate::matches::runner::Options;
use crate::with_base;

/// The weights that the games of a match show, and where they come from.
pub fn pattern_weights(options: &Options, games: &[GameResult]) -> PatternWeights {
    let settings = &options.settings;
    let mut weights = PatternWeights::new(settings.size);
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut origin = |name: &str, value: String| {
        weights.origin.push((name.to_string(), value));
    };
    origin("games", games.len().to_string());
    origin("moves", moves.to_string());
    origin("player", settings.a.to_string());
    origin("limit", settings.limit_a.to_string());
    origin("random_opening_plies", settings.opening_random.to_string());
    origin("seed", settings.seed.to_string());
    origin("version", env!("CARGO_PKG_VERSION").to_string());
    for game in games {
        with_base!(settings.size, B => count_game::<B>(game, &mut weights));
    }
    weights
}

/// Counts the turns of a game behind its opening.
fn count_game<B: Base>(game: &GameResult, weights: &mut PatternWeights) {
    let tables: &Tables = B::TABLES;
    let mut board = Board::<B>::new();
    for (turn, name) in game.moves.iter().enumerate() {
        let Ok(cell) = Notation::Letternum.read(tables, name) else {
            return;
        };
        if turn >= game.opening_plies {
            count_turn(&board, cell, weights);
        }
        if board.play(cell).is_err() {
            return;
        }
    }
}

fn count_turn<B: Base>(board: &Board<B>, played: Cell, weights: &mut PatternWeights) {
    let colour = board.to_move();
    let pattern = |cell: Cell| Pattern::at(board, colour, cell).class();
    let cells = board.empty_cells().iter().map(Cell::from_index);
    let mut available: Vec<Pattern> = cells.map(pattern).collect();
    available.sort_unstable();
    available.dedup();
    for class in available {
        weights.turns_mut(class).available += 1;
    }
    weights.turns_mut(pattern(played)).played += 1;
}

/// The most frequent patterns that are shown by themselves (figure 4.2 of the thesis).
const MOST_FREQUENT: usize = 50;

/// The weights as a page: figures 3.5, 4.1 and 4.2 of the thesis.
pub fn page(weights: &PatternWeights) -> String {
    let classes: Vec<(Pattern, Turns)> = weights.classes().collect();
    let weight = |turns: &Turns| turns.weight().unwrap_or_default();
    let all = classes.iter().map(|(_, turns)| weight(turns)).collect::<Vec<_>>();
    let frequencies = classes.iter().map(|(_, turns)| turns.available as f64).collect::<Vec<_>>();
    let mut by_frequency = classes.clone();
    by_frequency.sort_by_key(|(_, turns)| std::cmp::Reverse(turns.available));
    let frequent = by_frequency.iter().take(MOST_FREQUENT);
    let frequent = frequent.map(|(_, turns)| weight(turns)).collect::<Vec<_>>();

    let mut text = head("Weights of local patterns");
    let mut add = |part: String| text.push_str(&part);
    add(format!("<p>Base {}, {} classes.</p>\n<table>\n", weights.base, classes.len()));
    for (name, value) in &weights.origin {
        add(format!("<tr><td>{}</td><td>{}</td></tr>\n", name.replace('_', " "), value));
    }
    add("</table>\n".to_string());
    add(bars("Weight of each class (as figure 3.5)", "class", &all));
    add(bars("Turns at which each class was available (as figure 4.1)", "class", &frequencies));
    let title = format!("Weights of the {MOST_FREQUENT} most frequent classes (as figure 4.2)");
    add(bars(&title, "class, most frequent first", &frequent));
    add("</body>\n</html>\n".to_string());
    text
}

fn bars(title: &str, axis: &str, values: &[f64]) -> String {
    let highest = values.iter().copied().fold(0.0, f64::max).max(1e-9);
    plot(|area| {
        let mut chart = chart(area, title, 40, 60)
            .build_cartesian_2d(0.0..values.len() as f64, 0.0..highest * 1.05)
            .expect("the ranges are finite");
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_desc(axis)
            .x_label_formatter(&|at| format!("{at:.0}"))
            .draw()
            .expect("text takes everything");
        let bar = |(at, value): (usize, &f64)| {
            let corners = [(at as f64, 0.0), (at as f64 + 0.9, *value)];
            Rectangle::new(corners, RGBColor(31, 119, 180).filled())
        };
        chart.draw_series(values.iter().enumerate().map(bar)).expect("text takes everything");
    })
}

/// The classes with the highest weights and those seen most often, for a terminal.
pub fn summary(weights: &PatternWeights) -> String {
    let mut classes: Vec<(Pattern, Turns)> = weights.classes().collect();
    let mut text = format!("{} classes, mean weight {:.4}\n", classes.len(), weights.mean());
    classes.sort_by_key(|(_, turns)| std::cmp::Reverse(turns.available));
    writeln!(text, "own    opponent rim    weight  available").expect("strings take everything");
    for (pattern, turns) in classes.iter().take(10) {
        writeln!(
            text,
            "{:06b} {:06b}   {:06b} {:>6.4} {:>10}",
            pattern.own(),
            pattern.opponent(),
            pattern.rim(),
            turns.weight().unwrap_or_default(),
            turns.available
        )
        .expect("strings take everything");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::Size;

    type B = Size<4>;

    #[test]
    fn a_class_counts_once_a_turn_and_the_move_as_played() {
        let cell = |name| Notation::Letternum.read(B::TABLES, name).expect("a cell");
        let mut board = Board::<B>::new();
        let mut weights = PatternWeights::new(4);
        count_turn(&board, cell("d4"), &mut weights);
        // On the empty board every cell has a pattern of the rim alone; d4 lies in the middle.
        let middle = Pattern::new(0, 0, 0);
        assert_eq!(weights.turns(middle), Turns { played: 1, available: 1 });
        assert!(weights.classes().all(|(_, turns)| turns.available == 1));
        let played: u64 = weights.classes().map(|(_, turns)| turns.played).sum();
        assert_eq!(played, 1);
        board.place(cell("d4"));
        count_turn(&board, cell("d5"), &mut weights);
        // Black has one White stone next to d5, and no middle is free of stones any more.
        let beside = Pattern::at(&board, board.to_move(), cell("d5"));
        assert_eq!(weights.turns(beside), Turns { played: 1, available: 1 });
        assert_eq!(weights.turns(middle), Turns { played: 1, available: 1 });
        let text = page(&weights);
        assert_eq!(text.matches("<svg").count(), 3);
        assert!(summary(&weights).starts_with(&format!("{} classes", weights.classes().count())));
    }
}
