//! The stones that win: of a won position, as few as still show the win.

use super::board::Board;
use super::geometry::{Base, Cell, Set};
use super::rules::{Colour, Outcome};

/// The stones of the winner without which there would be no win: none of them can be spared. Empty
/// as long as no one has won.
pub fn winning_structure<B: Base>(board: &Board<B>) -> Set<B> {
    let Outcome::Won { by, .. } = board.outcome() else {
        return Set::<B>::empty();
    };
    let mut needed = board.stones(by);
    for index in board.stones(by) {
        let mut fewer = needed;
        fewer.remove(index);
        if is_won::<B>(fewer, by) {
            needed = fewer;
        }
    }
    needed
}

/// Whether some stones of a colour show a win.
fn is_won<B: Base>(stones: Set<B>, colour: Colour) -> bool {
    let mut board = Board::<B>::new();
    stones.iter().any(|index| {
        board.set_to_move(colour);
        board.place(Cell::from_index(index));
        board.outcome().is_over()
    })
}
