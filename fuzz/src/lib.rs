//! What the fuzz targets share: games and positions read out of bytes.
//!
//! Every input means something: bytes that are missing read as zero, and a byte that names an
//! occupied cell stands for the next cell that is free. A byte names the same cell whatever came
//! before it, so that a small change of the input is a small change of the game.

use ciclon::internals::havannah::{Board, Cell, Geometry, Outcome, Set, Width};

/// The bytes of an input, taken from the front.
pub struct Source<'a> {
    bytes: &'a [u8],
}

/// What becomes of a stone that would end the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It is played.
    Allowed,
    /// Another is played in its place, as long as there is one that does not end the game.
    Avoided,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn is_used_up(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        *first
    }

    pub fn short(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    pub fn word(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A base.
    pub fn geometry(&mut self) -> &'static Geometry {
        let size = 2 + usize::from(self.byte()) % 9;
        Geometry::of_size(size).expect("bases are 2 to 10")
    }

    pub fn ending(&mut self) -> Ending {
        if self.byte().is_multiple_of(2) { Ending::Allowed } else { Ending::Avoided }
    }

    /// A set of any numbers there is room for, on the board or not.
    pub fn set<W: Width>(&mut self) -> Set<W> {
        let words: Vec<u64> = (0..Set::<W>::CAPACITY / 64).map(|_| self.word()).collect();
        let is_member = |index: &usize| words[index / 64] >> (index % 64) & 1 != 0;
        (0..Set::<W>::CAPACITY).filter(is_member).collect()
    }

    /// A game of at most `most` moves, as far as the bytes go.
    pub fn moves(&mut self, geometry: &Geometry, ending: Ending, most: usize) -> Vec<Cell> {
        let mut board = Board::of(geometry);
        let mut moves = Vec::new();
        while moves.len() < most && board.outcome() == Outcome::Ongoing && !self.is_used_up() {
            let named = self.ordinal(geometry);
            let cells = || {
                let (before, after) = geometry.cells().split_at(named);
                let cells = after.iter().chain(before).copied();
                cells.filter(|cell| board.is_legal(*cell))
            };
            let goes_on = |cell: &Cell| {
                let mut after = board;
                after.place(*cell);
                after.outcome() == Outcome::Ongoing
            };
            let quiet = match ending {
                Ending::Allowed => None,
                Ending::Avoided => cells().find(goes_on),
            };
            let cell = quiet.or_else(|| cells().next());
            let cell = cell.expect("a game that goes on has a move");
            board.place(cell);
            moves.push(cell);
        }
        moves
    }

    /// A position where the game is not over: how full the board is (one byte), and the moves.
    pub fn position(&mut self, geometry: &Geometry) -> Board {
        let most = geometry.cell_count() * usize::from(self.byte()) / usize::from(u8::MAX);
        let mut board = Board::of(geometry);
        for cell in self.moves(geometry, Ending::Avoided, most) {
            let mut after = board;
            after.place(cell);
            if after.outcome().is_over() {
                break;
            }
            board = after;
        }
        board
    }

    fn ordinal(&mut self, geometry: &Geometry) -> usize {
        let fits_a_byte = geometry.cell_count() <= 1 << 8;
        let number = if fits_a_byte { u16::from(self.byte()) } else { self.short() };
        usize::from(number) % geometry.cell_count()
    }
}
