//! Base 3, without exception: each of the 2^19 sets of stones of one colour.
//!
//! The oracle says from scratch what a set wins. The board gets the same stones one by one, and
//! must find a win exactly in the sets that hold one, and on every move from a set without a win
//! exactly the kinds that the set with the move shows. Wins grow with the stones, which is why
//! comparing the ends of a game (`tests/games.rs`) says all about its middle.

use std::sync::LazyLock;

use bitvec::prelude::BitVec;

use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::havannah::{
    Board, Cell, Colour, Geometry, Layout, Outcome, Width, Wins, picture,
};

use crate::positions::in_both_widths;

const CELLS: usize = 19;
const SETS: usize = 1 << CELLS;

fn geometry() -> &'static Geometry {
    Geometry::of_size(3).expect("a base")
}

/// The kinds of win in each set, indexed by the set as bits of cell ordinals.
static WINS: LazyLock<Vec<Wins>> = LazyLock::new(|| {
    let oracle = Oracle::new(geometry());
    let stones = |set: usize| -> BitVec { (0..CELLS).map(|i| set >> i & 1 == 1).collect() };
    (0..SETS).map(|set| oracle.wins(&stones(set))).collect()
});

fn cells(set: usize) -> impl Iterator<Item = Cell> {
    let cells = geometry().cells().iter().enumerate();
    cells.filter_map(move |(i, cell)| (set >> i & 1 == 1).then_some(*cell))
}

fn place_white<W: Width>(board: &mut Board<W>, cell: Cell) -> Wins {
    board.set_to_move(Colour::White);
    board.place(cell);
    match board.outcome() {
        Outcome::Won { by: Colour::White, wins } => wins,
        Outcome::Ongoing | Outcome::Draw => Wins::NONE,
        outcome => panic!("white moved: {outcome:?}\n{board}"),
    }
}

/// The board with the stones of the set in rising order, up to the first that wins.
fn place_all<W: Width>(layout: &'static Layout<W>, set: usize) -> (Board<W>, Wins) {
    let mut board = Board::empty(layout);
    for cell in cells(set) {
        let wins = place_white(&mut board, cell);
        if !wins.is_empty() {
            return (board, wins);
        }
    }
    (board, Wins::NONE)
}

fn draw(set: usize) -> String {
    picture::draw_set(geometry(), cells(set).map(Cell::index).collect())
}

fn check_every_set<W: Width>() {
    let layout = W::layout(3).expect("a base");
    assert_eq!(layout.cell_count(), CELLS);
    let mut moves_checked = 0;
    for set in 0..SETS {
        let (board, found) = place_all(layout, set);
        assert_eq!(found.is_empty(), WINS[set].is_empty(), "\n{}", draw(set));
        let is_complete = board.stone_count() == set.count_ones() as usize;
        if is_complete {
            assert_eq!(found, WINS[set], "\n{}", draw(set));
        }
        if found.is_empty() {
            for i in (0..CELLS).filter(|i| set >> i & 1 == 0) {
                let with_move = set | 1 << i;
                let mut after = board;
                let found = place_white(&mut after, geometry().cells()[i]);
                assert_eq!(found, WINS[with_move], "\n{}", draw(with_move));
                moves_checked += 1;
            }
        }
    }
    assert!(moves_checked > 500_000, "{moves_checked}");
}

#[test]
fn the_board_finds_every_win_of_base_3() {
    in_both_widths!(3, W => check_every_set::<W>());
}

#[test]
fn more_stones_never_win_less() {
    for set in 0..SETS {
        for i in 0..CELLS {
            assert!(WINS[set | 1 << i].contains(WINS[set]), "\n{}", draw(set));
        }
    }
}

/// The census was also taken outside this crate, with the holes of a set counted by Euler's
/// formula: stones minus pairs of neighbours plus triangles are chains minus holes.
#[test]
fn the_wins_of_base_3_are_as_many_as_ever() {
    let (ring, bridge, fork) = (Wins::RING, Wins::BRIDGE, Wins::FORK);
    let census = [
        (Wins::NONE, 122_550),
        (ring, 908),
        (bridge, 173_250),
        (fork, 27_915),
        (ring.union(bridge), 6_900),
        (ring.union(fork), 2_748),
        (bridge.union(fork), 143_387),
        (ring.union(bridge).union(fork), 46_630),
    ];
    for (kinds, expected) in census {
        let count = WINS.iter().filter(|found| **found == kinds).count();
        assert_eq!(count, expected, "{kinds:?}");
    }
}
