//! Illegal moves are refused in every build: what comes after them rests on positions that are possible.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ciclon::internals::bits::Isa;
use ciclon::internals::game::{Move, Position};
use ciclon::internals::havannah::{Board, Cell, Notation, PlayError};
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::Params;
use ciclon::internals::tron::{Map, Position as TronPosition};

fn cell(board: &Board, name: &str) -> Cell {
    board.geometry().read_cell(Notation::Letternum, name).expect("a cell")
}

/// A game of base 4 that White has won with a bridge, and one that goes on.
fn boards() -> [Board; 2] {
    [&["a1", "d4", "a2", "d5", "a3", "e4", "a4"][..], &["a1", "d4", "a2"]].map(|moves| {
        let mut board = Board::new(4).expect("a base");
        for name in moves {
            board.play(cell(&board, name)).expect("a legal move");
        }
        board
    })
}

/// Cells that no stone can be placed on, and why.
fn refused_cells() -> Vec<(Board, Cell, PlayError)> {
    let [won, open] = boards();
    assert!(won.outcome().is_over() && !open.outcome().is_over());
    let beside = open.geometry().cells()[0].index() + open.geometry().stride - 1;
    assert!(open.geometry().cells().iter().all(|cell| cell.index() != beside));
    vec![
        (open, cell(&open, "a2"), PlayError::Occupied),
        (open, cell(&open, "d4"), PlayError::Occupied),
        (open, Cell::from_index(beside), PlayError::OffBoard),
        (open, Cell::from_index(usize::from(u16::MAX)), PlayError::OffBoard),
        (won, cell(&won, "g7"), PlayError::GameOver),
    ]
}

fn panics(what: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(what)).is_err()
}

#[test]
fn boards_refuse_illegal_moves() {
    for (board, cell, error) in refused_cells() {
        let mut tried = board;
        assert_eq!(tried.play(cell), Err(error), "{cell:?}\n{board}");
        assert!(panics(|| _ = tried.place(cell)), "{cell:?}\n{board}");
        assert!(panics(|| _ = tried.place_logged(cell)), "{cell:?}\n{board}");
        assert_eq!((tried, tried.hash()), (board, board.hash()));
        assert_eq!(tried.stone_count(), board.stone_count());
    }
}

/// Lines of moves of which the last is illegal; the search stays where it was.
fn check_search<P: Position + Clone + 'static>(position: &P, lines: &[&[Move]]) {
    let mut mcts = Mcts::new(Isa::best(), &Params::default(), position.boxed());
    for line in lines {
        assert!(panics(|| mcts.advance(line)), "{line:?}");
        assert_eq!(mcts.position().hash(), position.hash(), "{line:?}");
        assert_eq!(mcts.position().ply(), position.ply(), "{line:?}");
    }
    if let Some(next) = position.legal_moves().first() {
        mcts.advance(&[*next]);
        assert_eq!(mcts.position().ply(), position.ply() + 1);
    }
}

#[test]
fn searches_refuse_illegal_moves() {
    let [won, open] = boards();
    let at = |name: &str| open.geometry().move_to(cell(&open, name));
    let beyond = Move::new(open.geometry().cell_count());
    check_search(&open, &[&[at("a2")], &[beyond], &[at("b1"), at("b1")], &[at("b1"), at("d4")]]);
    check_search(&won, &[&[at("g7")]]);

    let map: Map = "4 3\n1  #\n    \n   2\n".parse().expect("a map");
    let position = TronPosition::<[u64; 4]>::new(&map, 0);
    let at = |x: usize, y: usize| Move::new(map.grid.cell(x, y));
    let beyond = Move::new(map.grid.span());
    check_search(
        &position,
        &[
            // Where it stands, two steps away, into a wall, off the grid.
            &[at(0, 0)],
            &[at(2, 0)],
            &[at(1, 0), at(2, 0)],
            &[at(0, 1), at(3, 1), at(0, 0)],
            &[Move::new(0)],
            &[beyond],
        ],
    );
}
