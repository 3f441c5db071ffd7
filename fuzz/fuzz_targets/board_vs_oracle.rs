//! A game on the incremental board and on the oracle, stone by stone, then taken back and played
//! again. Everything either of them knows about the position has to agree.
//!
//! Bytes: the base; whether ends are avoided; a stray cell (two bytes); the moves.

#![no_main]

use bitvec::prelude::{BitSlice, BitVec};
use libfuzzer_sys::fuzz_target;

use ciclon::havannah::oracle::Oracle;
use ciclon::havannah::threats::{self, SideThreats, WinningCells};
use ciclon::havannah::{Base, Board, Cell, Colour, Outcome, Set, Wins};
use ciclon::havannah::{neighbourhood, patterns};
use ciclon::with_base;
use ciclon_fuzz::Source;

/// What the oracle may spend on outlooks: the time for one grows with the square of the cells.
const OUTLOOK_BUDGET: usize = 40_000;
/// The last stones that have their outlooks compared even on the largest board.
const FEWEST_OUTLOOKS: usize = 2;

/// The stray cell is below this: on any board, in its padding or beyond.
const STRAY_INDICES: usize = 512;

/// A stone's chain: its first stone and its border bits.
type ChainOfStone = Option<(Cell, u16)>;

/// What every stone is checked for.
#[derive(PartialEq, Debug)]
struct Position<B: Base> {
    outcome: Outcome,
    to_move: Colour,
    hash: u64,
    canonical_hash: u64,
    stones: [Set<B>; 2],
    empty: Set<B>,
    /// By cell ordinal.
    chains: Vec<ChainOfStone>,
}

impl<B: Base> Position<B> {
    fn of_board(board: &Board<B>) -> Self {
        let cells = B::TABLES.cells();
        let mut first_stones = [None; 1 << u8::BITS];
        let chain = |cell: &Cell| {
            let name = usize::from(board.chain_at(*cell)?);
            let first = *first_stones[name].get_or_insert(*cell);
            Some((first, board.borders_at(*cell)?))
        };
        Self {
            outcome: board.outcome(),
            to_move: board.to_move(),
            hash: board.hash(),
            canonical_hash: board.canonical_hash(),
            stones: Colour::BOTH.map(|colour| board.stones(colour)),
            empty: board.empty_cells(),
            chains: cells.iter().map(chain).collect(),
        }
    }

    fn of_oracle(oracle: &Oracle) -> Self {
        let cells = B::TABLES.cells();
        let mut chains = vec![None; cells.len()];
        for chain in Colour::BOTH.map(|colour| oracle.chains(colour)).concat() {
            let borders = oracle.borders(&chain);
            let first = chain.first_one().expect("a chain has a stone");
            chain.iter_ones().for_each(|stone| chains[stone] = Some((cells[first], borders)));
        }
        Self {
            outcome: oracle.outcome(),
            to_move: oracle.to_move(),
            hash: oracle.hash(),
            canonical_hash: oracle.canonical_hash(),
            stones: Colour::BOTH.map(|colour| set::<B>(oracle.stones(colour))),
            empty: set::<B>(&oracle.empty_cells()),
            chains,
        }
    }
}

/// What the cells of a position are good for; pairs go by colour.
#[derive(PartialEq, Debug)]
struct Outlook<B: Base> {
    neighbours: [Set<B>; 2],
    /// Cells with at least one, two and three groups around them.
    groups: [[Set<B>; 3]; 2],
    joints: [Set<B>; 2],
    /// Of a side that has not won yet.
    winning: [Option<WinningCells<B>>; 2],
    /// By border, among the empty cells.
    reach: [[Set<B>; 12]; 2],
    dead: Set<B>,
    dead_as_published: Set<B>,
}

impl<B: Base> Outlook<B> {
    fn of_board(board: &Board<B>) -> Self {
        let empty = board.empty_cells();
        let winner = board.outcome().winner();
        Self {
            neighbours: Colour::BOTH
                .map(|colour| neighbourhood::dilate::<B>(board.stones(colour)) & empty),
            groups: Colour::BOTH
                .map(|colour| neighbourhood::cells_by_groups::<B>(board.stones(colour))),
            joints: Colour::BOTH
                .map(|colour| neighbourhood::joint_cells::<B>(board.stones(colour), empty)),
            winning: Colour::BOTH.map(|colour| {
                (winner != Some(colour)).then(|| threats::winning_cells(board, colour))
            }),
            reach: Colour::BOTH.map(|colour| {
                let reach = threats::reach(board, colour);
                std::array::from_fn(|border| reach.border(border) & empty)
            }),
            dead: patterns::dead_cells(board),
            dead_as_published: patterns::dead_cells_as_published(board),
        }
    }

    fn of_oracle(oracle: &Oracle) -> Self {
        let winner = oracle.outcome().winner();
        let empty = set::<B>(&oracle.empty_cells());
        Self {
            neighbours: Colour::BOTH.map(|colour| set::<B>(&oracle.neighbour_cells(colour))),
            groups: Colour::BOTH.map(|colour| groups::<B>(oracle, colour)),
            joints: Colour::BOTH.map(|colour| set::<B>(&oracle.joint_cells(colour))),
            winning: Colour::BOTH.map(|colour| {
                (winner != Some(colour)).then(|| winning_cells(oracle, colour, empty))
            }),
            reach: Colour::BOTH.map(|colour| reach::<B>(oracle, colour, empty)),
            dead: set::<B>(&oracle.dead_cells_exact()),
            dead_as_published: set::<B>(&oracle.dead_cells_paper()),
        }
    }
}

/// A set of cell ordinals as a set of cells.
fn set<B: Base>(ordinals: &BitSlice) -> Set<B> {
    ordinals.iter_ones().map(|ordinal| B::TABLES.cells()[ordinal].index()).collect()
}

fn groups<B: Base>(oracle: &Oracle, colour: Colour) -> [Set<B>; 3] {
    let mut at_least = [Set::<B>::empty(); 3];
    for cell in B::TABLES.cells() {
        let counted = &mut at_least[..oracle.group_count(colour, *cell)];
        counted.iter_mut().for_each(|set| set.insert(cell.index()));
    }
    at_least
}

fn winning_cells<B: Base>(oracle: &Oracle, colour: Colour, empty: Set<B>) -> WinningCells<B> {
    let none = Set::<B>::empty();
    let mut winning = WinningCells { ring: none, bridge: none, fork: none };
    for index in empty {
        let mut stones: BitVec = oracle.stones(colour).to_bitvec();
        stones.set(usize::from(B::TABLES.ordinal[index]), true);
        let wins = oracle.wins(&stones);
        let kinds = [
            (Wins::RING, &mut winning.ring),
            (Wins::BRIDGE, &mut winning.bridge),
            (Wins::FORK, &mut winning.fork),
        ];
        let won = kinds.into_iter().filter(|(kind, _)| wins.contains(*kind));
        won.for_each(|(_, set)| set.insert(index));
    }
    winning
}

fn reach<B: Base>(oracle: &Oracle, colour: Colour, empty: Set<B>) -> [Set<B>; 12] {
    let mut reach = [Set::<B>::empty(); 12];
    for index in empty {
        let borders = oracle.connected_borders(colour, Cell::from_index(index));
        let reached = reach.iter_mut().enumerate().filter(|(bit, _)| borders >> bit & 1 != 0);
        reached.for_each(|(_, set)| set.insert(index));
    }
    reach
}

/// Everything the board knows.
fn facts<B: Base>(board: &Board<B>) -> (Position<B>, Outlook<B>) {
    (Position::of_board(board), Outlook::of_board(board))
}

/// Both refuse an illegal move for the same reason, and stay as they are.
fn check_refusal<B: Base>(board: &mut Board<B>, oracle: &mut Oracle, cell: Cell) {
    let before = Position::of_board(board);
    let refusal = board.play(cell);
    assert!(refusal.is_err(), "{cell:?} was accepted\n{board}");
    assert_eq!(refusal, oracle.play(cell), "refusing {cell:?}\n{board}");
    assert_eq!(Position::of_board(board), before, "after refusing {cell:?}\n{board}");
}

fn check_game<B: Base>(source: &mut Source) {
    let ending = source.ending();
    let stray = Cell::from_index(usize::from(source.short()) % STRAY_INDICES);
    let moves = source.moves::<B>(ending, B::CELLS);
    let outlooks = (OUTLOOK_BUDGET / (B::CELLS * B::CELLS)).max(FEWEST_OUTLOOKS);

    let mut board = Board::<B>::new();
    let mut oracle = Oracle::new(B::TABLES);
    let mut now = facts(&board);
    let mut history = Vec::new();
    for (ply, cell) in moves.iter().enumerate() {
        if let Some(later) = moves.get(ply + 1) {
            let undo = board.place_logged(*later);
            board.undo(&undo);
            assert_eq!(Position::of_board(&board), now.0, "after trying {later:?}\n{board}");
        }
        if !board.is_legal(stray) {
            check_refusal(&mut board, &mut oracle, stray);
        }
        let undo = board.place_logged(*cell);
        history.push((now, undo));
        now = facts(&board);
        oracle.play(*cell).expect("a legal move");
        assert_eq!(now.0, Position::of_oracle(&oracle), "\n{board}");
        if ply + outlooks >= moves.len() {
            assert_eq!(now.1, Outlook::of_oracle(&oracle), "\n{board}");
        }
    }
    if let Some(last) = moves.last() {
        check_refusal(&mut board, &mut oracle, *last);
    }
    for (before, undo) in history.iter().rev() {
        board.undo(undo);
        assert_eq!(facts(&board), *before, "taken back\n{board}");
    }
    let mut kept = Colour::BOTH.map(|colour| SideThreats::new(&board, colour));
    for cell in &moves {
        let mover = board.to_move();
        let joined = board.place(*cell);
        if board.outcome().winner().is_none() {
            kept[mover.index()].add(&board, *cell, &joined);
            kept[mover.other().index()].block(*cell);
            for colour in Colour::BOTH {
                let open = kept[colour.index()].open().unwrap_or_default();
                let winning = threats::winning_cells(&board, colour).all();
                assert_eq!(open, winning, "threats of {colour}\n{board}");
            }
        }
    }
    assert_eq!(facts(&board), now, "played again\n{board}");
}

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let size = source.size();
    with_base!(size, B => check_game::<B>(&mut source)).expect("a base");
});
