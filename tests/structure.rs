//! The stones that win, against the oracle: they show the win, and not one of them can be spared.

use bitvec::prelude::BitVec;

use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::havannah::structure::winning_structure;
use ciclon::internals::havannah::{Board, Cell, Set, Width, WinKind};
use ciclon::internals::rng::Rng;

use crate::positions::in_both_widths;

fn check<W: Width>(size: usize, games: usize, seen: &mut Vec<WinKind>) {
    let layout = W::layout(size).expect("a base");
    let oracle = Oracle::new(layout.geometry);
    let wins = |stones: Set<W>| {
        let has = |cell: &Cell| stones.contains(cell.index());
        oracle.wins(&layout.geometry.cells().iter().map(has).collect::<BitVec>())
    };
    let mut rng = Rng::stream(80, size);
    for _ in 0..games {
        let mut board = Board::empty(layout);
        while !board.outcome().is_over() {
            assert!(winning_structure(&board).is_empty());
            let empty: Vec<usize> = board.empty_cells().iter().collect();
            board.place(Cell::from_index(empty[rng.below(empty.len() as u32) as usize]));
        }
        let structure = winning_structure(&board);
        let Some(winner) = board.outcome().winner() else {
            assert!(structure.is_empty());
            continue;
        };
        assert!((structure - board.stones(winner)).is_empty(), "\n{board}");
        seen.extend(wins(structure).kind());
        assert!(!wins(structure).is_empty(), "\n{board}");
        for index in structure {
            let mut fewer = structure;
            fewer.remove(index);
            assert!(wins(fewer).is_empty(), "\n{board}");
        }
    }
}

#[test]
fn no_stone_of_a_winning_structure_can_be_spared() {
    let mut seen = Vec::new();
    for size in 2..=7 {
        in_both_widths!(size, W => check::<W>(size, 20, &mut seen));
    }
    for kind in [WinKind::Ring, WinKind::Bridge, WinKind::Fork] {
        assert!(seen.contains(&kind), "no {kind}");
    }
}
