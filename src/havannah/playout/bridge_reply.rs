//! Replies that keep virtual connections: two own stones with two empty cells between them are as good as
//! connected. If the opponent takes one of the cells, the reply is the other. No source of this engine
//! measures it; it is usual in programs for connection games.

use super::position::SimulatedPosition;
use crate::havannah::neighbourhood::{neighbour_pattern, rotate};
use crate::havannah::{Cell, Width};
use crate::rng::Rng;

/// The reply of a side to the last move, if that move intruded on one of its connections. Ties are drawn
/// uniformly.
#[inline(always)]
pub fn bridge_reply<W: Width>(
    position: &SimulatedPosition<W>,
    side: usize,
    last: usize,
    rng: &mut Rng,
) -> Option<Cell> {
    let intruder = Cell::from_index(last);
    let own = neighbour_pattern(position.layout, &position.stones[side], intruder);
    let empty = neighbour_pattern(position.layout, &position.empty, intruder);
    // An empty neighbour between two own stones: the intruder took the other cell between them.
    let cells = empty & rotate(own, 1) & rotate(own, 5);
    if cells == 0 {
        return None;
    }
    let count = cells.count_ones();
    let mut rest = cells;
    for _ in 0..if count == 1 { 0 } else { rng.below(count) } {
        rest &= rest - 1;
    }
    let step = position.layout.steps()[rest.trailing_zeros() as usize];
    Some(Cell::from_index(last.wrapping_add_signed(step)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::width::Width10;
    use crate::havannah::{Board, Notation};

    #[test]
    fn the_other_cell_of_a_broken_connection_is_the_answer() {
        let mut board = Board::empty(Width10::layout(5).expect("a base"));
        let geometry = board.geometry();
        let cell = |name| geometry.read_cell(Notation::Letternum, name).expect("a cell");
        // White d4 and e6 have d5 and e5 between them.
        for name in ["d4", "i9", "e6"] {
            board.play(cell(name)).expect("legal");
        }
        let mut rng = Rng::new(1);
        for (intruder, answer) in [("d5", "e5"), ("e5", "d5")] {
            let mut after = board;
            after.play(cell(intruder)).expect("legal");
            let position = SimulatedPosition::of(&after);
            let reply =
                |side| bridge_reply(&position, side, cell(intruder).index(), &mut rng.clone());
            assert_eq!(reply(0), Some(cell(answer)));
            assert_eq!(reply(1), None, "it is no connection of Black's");
            // If both cells are taken, there is nothing to reply.
            after.play(cell(answer)).expect("legal");
            let position = SimulatedPosition::of(&after);
            assert_eq!(bridge_reply(&position, 0, cell(intruder).index(), &mut rng), None);
        }
    }
}
