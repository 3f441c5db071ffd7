//! Random late positions, and their values by plain minimax over the oracle; and checks of boards in
//! both of their widths.

use std::collections::HashMap;

use bitvec::prelude::BitVec;

use ciclon::internals::game::{DRAW, LOSS, MOVE_WORDS, MoveWords, WIN};
use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::havannah::threats::winning_cells;
use ciclon::internals::havannah::{AnyWidth, Board, Cell, Colour, Geometry, Set};
use ciclon::internals::rng::Rng;

/// Does something for the board of a size whose stride is known at run time, then for the one in the
/// width of its base: `in_both_widths!(size, W => check::<W>(size))`.
macro_rules! in_both_widths {
    ($size:expr, $width:ident => $body:expr) => {{
        {
            type $width = ciclon::internals::havannah::AnyWidth;
            $body;
        }
        {
            use ciclon::internals::havannah::width;
            ciclon::with_width!(width, $size, $width => $body).expect("a base");
        }
    }};
}

pub(crate) use in_both_widths;

/// A position with so many empty cells, where the game goes on. Players do not win, and most of
/// the time take the cells where the other side would: else hardly a game would last so long, and
/// hardly one would be a draw.
pub fn late_position(geometry: &Geometry, empty: usize, rng: &mut Rng) -> Board {
    loop {
        let board = play_on(geometry, empty, rng);
        let is_dull = !winning_cells(&board, board.to_move()).all().is_empty();
        // Most of these positions are won at once: one in ten of them will do.
        if !is_dull || rng.below(10) == 0 {
            return board;
        }
    }
}

fn play_on(geometry: &Geometry, empty: usize, rng: &mut Rng) -> Board {
    let mut board = Board::of(geometry);
    while board.empty_cells().len() > empty {
        let colour = board.to_move();
        let quiet = board.empty_cells() - winning_cells(&board, colour).all();
        let blocks = winning_cells(&board, colour.other()).all() & quiet;
        let is_blocked = !blocks.is_empty() && rng.below(8) > 0;
        let choices: Vec<usize> = if is_blocked { blocks } else { quiet }.iter().collect();
        if choices.is_empty() {
            board = Board::of(geometry);
        } else {
            let choice = rng.below(choices.len() as u32) as usize;
            board.place(Cell::from_index(choices[choice]));
        }
    }
    board
}

/// A set of cells by the ordinals of its members, as playouts tell what was played.
pub fn move_words(geometry: &Geometry, cells: Set<AnyWidth>) -> MoveWords {
    let mut words = [0; MOVE_WORDS];
    for index in cells {
        let ordinal = geometry.ordinal[index] as usize;
        words[ordinal / 64] |= 1 << (ordinal % 64);
    }
    words
}

/// What a position is worth to the side to move, and the plies to the end of the game.
pub type Value = (u32, u32);

/// Minimax with a memory, for one position and what can follow. Stones are bits by the ordinal of
/// their cell: bases up to 5 only.
pub struct Minimax {
    oracle: Oracle,
    cells: usize,
    known: HashMap<([u64; 2], usize), Value>,
}

impl Minimax {
    pub fn new(geometry: &'static Geometry) -> Self {
        let cells = geometry.cell_count();
        assert!(cells < 64);
        Self { oracle: Oracle::new(geometry), cells, known: HashMap::new() }
    }

    /// The value of a position, for its side to move.
    pub fn value(&mut self, board: &Board) -> Value {
        self.known.clear();
        self.solve(stones(board), board.to_move().index())
    }

    /// For each empty cell the value of a stone there, for the side to move.
    pub fn move_values(&mut self, board: &Board) -> Vec<(Cell, Value)> {
        let (stones, side) = (stones(board), board.to_move().index());
        let cells = board.empty_cells().iter().map(Cell::from_index);
        let value = |cell: Cell| {
            let ordinal = board.geometry().ordinal[cell.index()] as usize;
            (cell, self.value_of_move(stones, side, ordinal))
        };
        cells.map(value).collect()
    }

    /// Whether a set of stones shows a win.
    pub fn wins(&self, stones: u64) -> bool {
        let bits: BitVec = (0..self.cells).map(|cell| stones >> cell & 1 == 1).collect();
        !self.oracle.wins(&bits).is_empty()
    }

    fn solve(&mut self, stones: [u64; 2], side: usize) -> Value {
        if let Some(value) = self.known.get(&(stones, side)) {
            return *value;
        }
        let occupied = stones[0] | stones[1];
        let empty: Vec<usize> = (0..self.cells).filter(|cell| occupied >> cell & 1 == 0).collect();
        let values = empty.into_iter().map(|cell| self.value_of_move(stones, side, cell));
        let quality = |(points, plies): &Value| match *points {
            WIN => (WIN, -i64::from(*plies)),
            points => (points, i64::from(*plies)),
        };
        let best = values.max_by_key(quality).unwrap_or((DRAW, 0));
        self.known.insert((stones, side), best);
        best
    }

    fn value_of_move(&mut self, mut stones: [u64; 2], side: usize, cell: usize) -> Value {
        stones[side] |= 1 << cell;
        if self.wins(stones[side]) {
            return (WIN, 1);
        }
        let (points, plies) = self.solve(stones, 1 - side);
        (WIN - points, plies + 1)
    }
}

/// The stones of both sides by the ordinals of their cells.
pub fn stones(board: &Board) -> [u64; 2] {
    Colour::BOTH.map(|colour| {
        let cells = board.stones(colour).iter();
        cells.fold(0, |stones, index| stones | 1 << board.geometry().ordinal[index])
    })
}

/// The word of a report for a value.
pub fn name_of(points: u32) -> &'static str {
    match points {
        WIN => "win",
        DRAW => "draw",
        LOSS => "loss",
        _ => panic!("{points} points"),
    }
}
