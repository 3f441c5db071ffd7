//! Weights of local patterns from games of the engine against itself (Stankiewicz 2011 §3.3).
//!
//! The games are a match of a player with itself, so they are played on all cores, logged and
//! resumed like any match. At each turn, the class of every pattern that could be played counts as
//! available once, and the class of the move counts as played.

use std::fmt::Write as _;

use crate::havannah::patterns::Pattern;
use crate::havannah::weights::{PatternWeights, Turns};
use crate::havannah::{Board, Cell, Notation};
use crate::matches::game_result::GameResult;
use crate::matches::runner::MatchOptions;

/// The weights from the games of a match, with the settings of the match as their origin.
pub fn pattern_weights(options: &MatchOptions, games: &[GameResult]) -> PatternWeights {
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
        count_game(settings.size, game, &mut weights);
    }
    weights
}

/// Counts the turns of a game after its opening.
fn count_game(size: usize, game: &GameResult, weights: &mut PatternWeights) {
    let Some(mut board) = Board::new(size) else {
        return;
    };
    for (turn, name) in game.moves.iter().enumerate() {
        let Ok(cell) = board.geometry().read_cell(Notation::Letternum, name) else {
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

fn count_turn(board: &Board, played: Cell, weights: &mut PatternWeights) {
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

/// The ten most frequent classes with their weights, as text.
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

    #[test]
    fn a_class_counts_once_a_turn_and_the_move_as_played() {
        let mut board = Board::new(4).expect("a base");
        let geometry = board.geometry();
        let cell = |name| geometry.read_cell(Notation::Letternum, name).expect("a cell");
        let mut weights = PatternWeights::new(4);
        count_turn(&board, cell("d4"), &mut weights);
        // On the empty board a pattern has only the rim. d4 is in the middle.
        let middle = Pattern::new(0, 0, 0);
        assert_eq!(weights.turns(middle), Turns { played: 1, available: 1 });
        assert!(weights.classes().all(|(_, turns)| turns.available == 1));
        let played: u64 = weights.classes().map(|(_, turns)| turns.played).sum();
        assert_eq!(played, 1);
        board.place(cell("d4"));
        count_turn(&board, cell("d5"), &mut weights);
        // Black has one white stone next to d5. No empty cell is away from both the stone and the rim.
        let beside = Pattern::at(&board, board.to_move(), cell("d5"));
        assert_eq!(weights.turns(beside), Turns { played: 1, available: 1 });
        assert_eq!(weights.turns(middle), Turns { played: 1, available: 1 });
        assert!(summary(&weights).starts_with(&format!("{} classes", weights.classes().count())));
    }
}
