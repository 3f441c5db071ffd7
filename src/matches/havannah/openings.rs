//! How the games of a match of Havannah begin.

use super::game::empty_board;
use crate::engine::Turn;
use crate::havannah::Geometry;
use crate::havannah::{Cell, Colour, Notation};
use crate::matches::Settings;
use crate::matches::error::MatchError;
use crate::matches::schedule::{in_turn, opening_seed};
use crate::rng::Rng;

/// How games begin: the games of a pair alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Openings {
    /// So many random moves, that do not end the game.
    Random { size: usize, plies: usize, seed: u64 },
    /// The lines of a file, in turn.
    Lines(Vec<Vec<Cell>>),
}

impl Openings {
    /// Those of a match.
    pub fn new(settings: &Settings) -> Result<Self, MatchError> {
        let Settings { size, seed, opening_random: plies, .. } = *settings;
        let tables = Geometry::of_size(size).expect("the size is a base");
        let read = |line: &String| {
            let cells =
                line.split_whitespace().map(|text| tables.read_cell(Notation::Letternum, text));
            let cells: Result<Vec<_>, _> = cells.collect();
            cells.map_err(|error| MatchError::Opening { line: line.clone(), error })
        };
        let lines: Vec<_> = settings.opening_lines.iter().map(read).collect::<Result<_, _>>()?;
        Ok(if lines.is_empty() { Self::Random { size, plies, seed } } else { Self::Lines(lines) })
    }

    /// The moves that the games of a pair begin with.
    pub fn moves(&self, pair: u64) -> Vec<Turn> {
        let cells = match self {
            Self::Random { plies: 0, .. } => Vec::new(),
            Self::Random { size, plies, seed } => {
                random_opening(*size, *plies, &mut Rng::new(opening_seed(*seed, pair)))
            }
            Self::Lines(lines) => in_turn(lines, pair).cloned().unwrap_or_default(),
        };
        let sides = Colour::BOTH.into_iter().cycle();
        sides.zip(cells).map(|(side, cell)| Turn::Place(side, cell)).collect()
    }
}

/// Random moves that do not end the game: as many as are asked for, or as can be.
fn random_opening(size: usize, plies: usize, rng: &mut Rng) -> Vec<Cell> {
    let mut board = empty_board(size);
    let mut opening = Vec::new();
    while opening.len() < plies {
        let mut cells = board.legal_cells();
        let placed = loop {
            if cells.is_empty() {
                return opening;
            }
            let cell = cells.swap_remove(rng.below(cells.len() as u32) as usize);
            board.place(board.to_move(), cell).expect("the cell is legal");
            if !board.outcome().is_over() {
                break cell;
            }
            board.undo();
        };
        opening.push(placed);
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_begin_differently() {
        let openings = Openings::Random { size: 5, plies: 4, seed: 7 };
        let mut found: Vec<String> = Vec::new();
        for pair in 0..50 {
            let moves = openings.moves(pair);
            assert_eq!((moves.len(), &moves), (4, &openings.moves(pair)), "always the same");
            found.push(format!("{moves:?}"));
        }
        found.sort();
        found.dedup();
        assert!(found.len() > 45, "{} openings", found.len());
    }

    #[test]
    fn lines_are_taken_in_turn() {
        let lines: Vec<Vec<Cell>> = (0..3).map(|index| vec![Cell::from_index(index)]).collect();
        let openings = Openings::Lines(lines.clone());
        for pair in 0..6 {
            let cell = lines[pair as usize % 3][0];
            assert_eq!(openings.moves(pair), [Turn::Place(Colour::White, cell)]);
        }
    }

    /// However many moves are asked for, the game goes on after them.
    #[test]
    fn openings_do_not_end_the_game() {
        for seed in 0..30 {
            let opening = random_opening(3, 19, &mut Rng::new(seed));
            assert!(opening.len() < 19);
        }
    }
}
