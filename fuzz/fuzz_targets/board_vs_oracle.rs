//! A game on the incremental board and on the oracle, stone by stone, then taken back and played
//! again: on the board whose stride is known at run time, and on the board in the width of its base,
//! which playouts and search use. Everything any of them knows about the position has to agree.
//!
//! Bytes: the base; whether ends are avoided; a stray cell (two bytes); the moves.

#![no_main]

use bitvec::prelude::{BitSlice, BitVec};
use libfuzzer_sys::fuzz_target;

use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::havannah::threats::{self, SideThreats, WinningCells};
use ciclon::internals::havannah::{
    AnyWidth, Board, Cell, Colour, Geometry, Outcome, PlayError, Set, width,
};
use ciclon::internals::havannah::{Width, Wins, neighbourhood, patterns};
use ciclon::with_width;
use ciclon_fuzz::Source;

/// What the oracle may spend on outlooks: the time for one grows with the square of the cells.
const OUTLOOK_BUDGET: usize = 40_000;
/// The last stones that have their outlooks compared even on the largest board.
const FEWEST_OUTLOOKS: usize = 2;

/// The stray cell is below this: on any board, in its padding or beyond.
const STRAY_INDICES: usize = 512;

/// A set of cells, of a board of any width: a cell has the same index in all of them.
type Cells = Set<AnyWidth>;

fn cells_of<W: Width>(set: Set<W>) -> Cells {
    let mut words = [0; Cells::CAPACITY / 64];
    words[..set.words().len()].copy_from_slice(set.words());
    Cells::from_words(words)
}

/// A stone's chain: its first stone and its border bits.
type ChainOfStone = Option<(Cell, u16)>;

/// What every stone is checked for.
#[derive(PartialEq, Debug)]
struct Position {
    outcome: Outcome,
    to_move: Colour,
    hash: u64,
    canonical_hash: u64,
    stones: [Cells; 2],
    empty: Cells,
    /// By cell ordinal.
    chains: Vec<ChainOfStone>,
}

impl Position {
    fn of_board<W: Width>(board: &Board<W>) -> Self {
        let cells = board.geometry().cells();
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
            stones: Colour::BOTH.map(|colour| cells_of::<W>(board.stones(colour))),
            empty: cells_of::<W>(board.empty_cells()),
            chains: cells.iter().map(chain).collect(),
        }
    }

    fn of_oracle(geometry: &Geometry, oracle: &Oracle) -> Self {
        let cells = geometry.cells();
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
            stones: Colour::BOTH.map(|colour| set(geometry, oracle.stones(colour))),
            empty: set(geometry, &oracle.empty_cells()),
            chains,
        }
    }
}

/// What the cells of a position are good for; pairs go by colour.
#[derive(PartialEq, Debug)]
struct SearchState {
    neighbours: [Cells; 2],
    /// Cells with at least one, two and three groups around them.
    groups: [[Cells; 3]; 2],
    joints: [Cells; 2],
    /// Of a side that has not won yet.
    winning: [Option<WinningCells<AnyWidth>>; 2],
    /// By border, among the empty cells.
    reach: [[Cells; 12]; 2],
    dead: Cells,
    dead_as_published: Cells,
}

impl SearchState {
    fn of_board<W: Width>(board: &Board<W>) -> Self {
        let (layout, empty) = (board.layout(), board.empty_cells());
        let winner = board.outcome().winner();
        Self {
            neighbours: Colour::BOTH.map(|colour| {
                cells_of::<W>(neighbourhood::dilate(layout, board.stones(colour)) & empty)
            }),
            groups: Colour::BOTH.map(|colour| {
                neighbourhood::cells_by_groups(layout, board.stones(colour)).map(cells_of::<W>)
            }),
            joints: Colour::BOTH.map(|colour| {
                cells_of::<W>(neighbourhood::joint_cells(layout, board.stones(colour), empty))
            }),
            winning: Colour::BOTH.map(|colour| {
                (winner != Some(colour)).then(|| {
                    let WinningCells { ring, bridge, fork } = threats::winning_cells(board, colour);
                    let [ring, bridge, fork] = [ring, bridge, fork].map(cells_of::<W>);
                    WinningCells { ring, bridge, fork }
                })
            }),
            reach: Colour::BOTH.map(|colour| {
                let threats = SideThreats::new(board, colour);
                let reach = threats.reach();
                std::array::from_fn(|border| cells_of::<W>(reach.border(border) & empty))
            }),
            dead: cells_of::<W>(patterns::dead_cells(board)),
            dead_as_published: cells_of::<W>(patterns::dead_cells_as_published(board)),
        }
    }

    fn of_oracle(geometry: &Geometry, oracle: &Oracle) -> Self {
        let winner = oracle.outcome().winner();
        let empty = set(geometry, &oracle.empty_cells());
        Self {
            neighbours: Colour::BOTH.map(|colour| set(geometry, &oracle.neighbour_cells(colour))),
            groups: Colour::BOTH.map(|colour| groups(geometry, oracle, colour)),
            joints: Colour::BOTH.map(|colour| set(geometry, &oracle.joint_cells(colour))),
            winning: Colour::BOTH.map(|colour| {
                (winner != Some(colour)).then(|| winning_cells(geometry, oracle, colour, empty))
            }),
            reach: Colour::BOTH.map(|colour| reach(oracle, colour, empty)),
            dead: set(geometry, &oracle.dead_cells_exact()),
            dead_as_published: set(geometry, &oracle.dead_cells_paper()),
        }
    }
}

/// A set of cell ordinals as a set of cells.
fn set(geometry: &Geometry, ordinals: &BitSlice) -> Cells {
    ordinals.iter_ones().map(|ordinal| geometry.cells()[ordinal].index()).collect()
}

fn groups(geometry: &Geometry, oracle: &Oracle, colour: Colour) -> [Cells; 3] {
    let mut at_least = [Cells::empty(); 3];
    for cell in geometry.cells() {
        let counted = &mut at_least[..oracle.group_count(colour, *cell)];
        counted.iter_mut().for_each(|set| set.insert(cell.index()));
    }
    at_least
}

fn winning_cells(
    geometry: &Geometry,
    oracle: &Oracle,
    colour: Colour,
    empty: Cells,
) -> WinningCells<AnyWidth> {
    let none = Cells::empty();
    let mut winning = WinningCells { ring: none, bridge: none, fork: none };
    for index in empty {
        let mut stones: BitVec = oracle.stones(colour).to_bitvec();
        stones.set(usize::from(geometry.ordinal[index]), true);
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

fn reach(oracle: &Oracle, colour: Colour, empty: Cells) -> [Cells; 12] {
    let mut reach = [Cells::empty(); 12];
    for index in empty {
        let borders = oracle.connected_borders(colour, Cell::from_index(index));
        let reached = reach.iter_mut().enumerate().filter(|(bit, _)| borders >> bit & 1 != 0);
        reached.for_each(|(_, set)| set.insert(index));
    }
    reach
}

/// Everything the board knows.
fn facts<W: Width>(board: &Board<W>) -> (Position, SearchState) {
    (Position::of_board(board), SearchState::of_board(board))
}

type Played = Result<Outcome, PlayError>;

/// A move of a game, and what the oracle says about it.
struct Ply {
    cell: Cell,
    /// What a stray stone gets before the move, where it is illegal.
    refusal: Option<Played>,
    /// After the move.
    position: Position,
    /// For the last moves.
    state: Option<SearchState>,
}

/// A game as the oracle sees it.
struct Game {
    geometry: &'static Geometry,
    stray: Cell,
    plies: Vec<Ply>,
    /// What the last stone gets when it is played again.
    last_refusal: Option<Played>,
}

impl Game {
    fn read(geometry: &'static Geometry, source: &mut Source) -> Self {
        let ending = source.ending();
        let stray = Cell::from_index(usize::from(source.short()) % STRAY_INDICES);
        let cells = geometry.cell_count();
        let moves = source.moves(geometry, ending, cells);
        let outlooks = (OUTLOOK_BUDGET / (cells * cells)).max(FEWEST_OUTLOOKS);

        let mut oracle = Oracle::new(geometry);
        let mut plies = Vec::new();
        for (ply, cell) in moves.iter().enumerate() {
            // The game goes on, so that empty cells are legal.
            let is_legal = set(geometry, &oracle.empty_cells()).contains(stray.index());
            let refusal = (!is_legal).then(|| oracle.play(stray));
            oracle.play(*cell).expect("a legal move");
            let has_outlook = ply + outlooks >= moves.len();
            plies.push(Ply {
                cell: *cell,
                refusal,
                position: Position::of_oracle(geometry, &oracle),
                state: has_outlook.then(|| SearchState::of_oracle(geometry, &oracle)),
            });
        }
        let last_refusal = moves.last().map(|last| oracle.play(*last));
        Self { geometry, stray, plies, last_refusal }
    }

    /// Plays the game on a board of a width, takes it back and plays it again. In the `Other` width
    /// there is the same to know about its positions.
    fn check<W: Width, Other: Width>(&self) {
        let layout = W::layout(self.geometry.size).expect("the width has the base");
        let mut board = Board::<W>::empty(layout);
        let mut now = facts(&board);
        let mut history = Vec::new();
        for (number, ply) in self.plies.iter().enumerate() {
            if let Some(Ply { cell: later, .. }) = self.plies.get(number + 1) {
                let undo = board.place_logged(*later);
                board.undo(&undo);
                assert_eq!(Position::of_board(&board), now.0, "after trying {later:?}\n{board}");
            }
            assert_eq!(board.is_legal(self.stray), ply.refusal.is_none(), "\n{board}");
            if let Some(refusal) = ply.refusal {
                check_refusal(&mut board, self.stray, refusal);
            }
            let undo = board.place_logged(ply.cell);
            history.push((now, undo));
            now = facts(&board);
            let other: Board<Other> = board.widened().expect("the width has the base");
            assert_eq!(now.0, ply.position, "\n{board}");
            assert_eq!(Position::of_board(&other), ply.position, "in the other width\n{board}");
            if let Some(state) = &ply.state {
                assert_eq!(now.1, *state, "\n{board}");
                assert_eq!(SearchState::of_board(&other), *state, "in the other width\n{board}");
            }
        }
        if let (Some(last), Some(refusal)) = (self.plies.last(), self.last_refusal) {
            check_refusal(&mut board, last.cell, refusal);
        }
        for (before, undo) in history.iter().rev() {
            board.undo(undo);
            assert_eq!(facts(&board), *before, "taken back\n{board}");
        }
        self.replay_with_threats(&mut board);
        assert_eq!(facts(&board), now, "played again\n{board}");
    }

    /// Plays the game on an empty board; threats that are kept up to date are those of each position.
    fn replay_with_threats<W: Width>(&self, board: &mut Board<W>) {
        let mut kept = Colour::BOTH.map(|colour| SideThreats::new(board, colour));
        for Ply { cell, .. } in &self.plies {
            let mover = board.to_move();
            let joined = board.place(*cell);
            if board.outcome().winner().is_none() {
                kept[mover.index()].add(board, *cell, &joined);
                kept[mover.other().index()].block(*cell);
                for colour in Colour::BOTH {
                    let open = kept[colour.index()].open().unwrap_or_default();
                    let winning = threats::winning_cells(board, colour).all();
                    assert_eq!(open, winning, "threats of {colour}\n{board}");
                }
            }
        }
    }
}

/// The board refuses an illegal move for the same reason as the oracle, and stays as it is.
fn check_refusal<W: Width>(board: &mut Board<W>, cell: Cell, refusal: Played) {
    assert!(refusal.is_err(), "the oracle accepted {cell:?}\n{board}");
    let before = Position::of_board(board);
    assert_eq!(board.play(cell), refusal, "refusing {cell:?}\n{board}");
    assert_eq!(Position::of_board(board), before, "after refusing {cell:?}\n{board}");
}

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let geometry = source.geometry();
    let game = Game::read(geometry, &mut source);
    with_width!(width, geometry.size, W => {
        game.check::<AnyWidth, W>();
        game.check::<W, AnyWidth>();
    })
    .expect("every base has a width");
});
