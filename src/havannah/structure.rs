//! The stones that make a win: of a won position, a minimal subset that still wins.

use super::board::Board;
use super::geometry::Cell;
use super::rules::{Colour, Outcome};
use super::width::{Layout, Set, Width};

/// A minimal winning subset of the winner's stones: without any one of them the win is gone. Empty if
/// neither side has won.
pub fn winning_structure<W: Width>(board: &Board<W>) -> Set<W> {
    let Outcome::Won { by, .. } = board.outcome() else {
        return Set::<W>::empty();
    };
    let mut needed = board.stones(by);
    for index in board.stones(by) {
        let mut fewer = needed;
        fewer.remove(index);
        if is_won(board.layout(), fewer, by) {
            needed = fewer;
        }
    }
    needed
}

/// Whether some stones of one colour make a win.
fn is_won<W: Width>(layout: &'static Layout<W>, stones: Set<W>, colour: Colour) -> bool {
    let mut board = Board::empty(layout);
    stones.iter().any(|index| {
        board.set_to_move(colour);
        board.place(Cell::from_index(index));
        board.outcome().is_over()
    })
}
