//! The board: stones, chains, side to move and outcome. All are updated with each stone.
//!
//! The six own neighbours of a new stone decide everything:
//! - Separate groups of one chain close a ring; separate chains merge.
//! - Three neighbours in a row may complete a ring around the middle one (Nahue 2014 §3.3, his "blob").
//! - The border bits of the merged chain tell bridges and forks.
//!
//! A board has no owned heap data, so a copy is cheap; a stone can also be taken back. Measured by
//! `benches/board.rs`: a stone with a copy costs 23 ns on base 4 and 34 ns on base 10, a stone that
//! is taken back 17 and 35 ns. Playouts copy, and a search may; use undo for many moves on a small board.

#[cfg(any(test, feature = "internals"))]
use super::chains::JoinLog;
use super::chains::{Chains, Joined};
use super::geometry::{Cell, Geometry};
use super::neighbourhood::{neighbour_pattern, rotate};
use super::rules::{Colour, Outcome, PlayError, Wins, wins_of_borders};
use super::width::{AnyWidth, Layout, Set, Width};
use super::zobrist;

/// A position with all that the rules need to continue. Two boards are equal if their stones and their
/// sides to move are equal.
#[derive(Clone, Copy, Debug)]
pub struct Board<W: Width = AnyWidth> {
    layout: &'static Layout<W>,
    stones: [Set<W>; 2],
    chains: Chains<W>,
    stone_count: u16,
    to_move: Colour,
    outcome: Outcome,
    hash: u64,
}

/// What [`Board::undo`] needs to take a stone back.
#[cfg(any(test, feature = "internals"))]
#[derive(Clone, Copy, Debug)]
pub struct Undo<W: Width> {
    cell: Cell,
    chains: JoinLog<W>,
}

impl<W: Width> PartialEq for Board<W> {
    fn eq(&self, other: &Self) -> bool {
        let is_same_base = self.layout.size() == other.layout.size();
        is_same_base && self.stones == other.stones && self.to_move == other.to_move
    }
}

impl<W: Width> Eq for Board<W> {}

impl Board {
    /// The empty board of a base, White to move; `None` if the base does not exist.
    pub fn new(size: usize) -> Option<Self> {
        AnyWidth::layout(size).map(Self::empty)
    }

    /// The empty board of a geometry, White to move.
    pub fn of(geometry: &Geometry) -> Self {
        Self::new(geometry.size).expect("every geometry has a layout")
    }
}

impl<W: Width> Board<W> {
    /// The empty board, White to move.
    pub fn empty(layout: &'static Layout<W>) -> Self {
        Self {
            layout,
            stones: [Set::<W>::empty(); 2],
            chains: Chains::new(),
            stone_count: 0,
            to_move: Colour::White,
            outcome: Outcome::Ongoing,
            hash: 0,
        }
    }

    /// The same position in another width; `None` if that width does not have the base.
    pub fn widened<V: Width>(&self) -> Option<Board<V>> {
        let mut board = Board::<V>::empty(V::layout(self.layout.size())?);
        for colour in Colour::BOTH {
            for index in self.stones(colour) {
                board.set_to_move(colour);
                board.add(Cell::from_index(index));
            }
        }
        board.set_to_move(self.to_move);
        board.outcome = self.outcome;
        Some(board)
    }

    /// The tables of the base.
    pub fn geometry(&self) -> &'static Geometry {
        self.layout.geometry
    }

    #[inline(always)]
    pub fn layout(&self) -> &'static Layout<W> {
        self.layout
    }

    #[inline(always)]
    pub fn stones(&self, colour: Colour) -> Set<W> {
        self.stones[colour.index()]
    }

    /// The stones of White and of Black.
    #[inline(always)]
    pub fn both_stones(&self) -> [Set<W>; 2] {
        self.stones
    }

    #[inline(always)]
    pub fn empty_cells(&self) -> Set<W> {
        self.layout.on_board - (self.stones[0] | self.stones[1])
    }

    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|colour| self.stones(*colour).contains(cell.index()))
    }

    #[inline(always)]
    #[allow(clippy::wrong_self_convention, reason = "it is no conversion")]
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// Sets the side to move, for example when a position is set up.
    pub fn set_to_move(&mut self, colour: Colour) {
        if self.to_move != colour {
            self.pass_the_move();
        }
    }

    #[inline(always)]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The number of stones on the board.
    #[inline(always)]
    pub fn stone_count(&self) -> usize {
        self.stone_count as usize
    }

    /// Zobrist hash of stones and side to move.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The smallest hash of the twelve symmetric images: the same for all of them.
    pub fn canonical_hash(&self) -> u64 {
        let side = if self.to_move == Colour::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        let image = |symmetry: usize| {
            let keys = Colour::BOTH.into_iter().flat_map(|colour| {
                self.stones(colour).iter().map(move |index| {
                    let cell = self.geometry().transform(Cell::from_index(index), symmetry);
                    zobrist::key(colour, self.ordinal(cell))
                })
            });
            keys.fold(side, |hash, key| hash ^ key)
        };
        (0..12).map(image).min().expect("there are twelve images")
    }

    pub fn is_legal(&self, cell: Cell) -> bool {
        self.check(cell).is_ok()
    }

    fn check(&self, cell: Cell) -> Result<(), PlayError> {
        let index = cell.index();
        if index >= Set::<W>::CAPACITY || !self.layout.on_board.contains(index) {
            Err(PlayError::OffBoard)
        } else if self.outcome.is_over() {
            Err(PlayError::GameOver)
        } else if !self.empty_cells().contains(index) {
            Err(PlayError::Occupied)
        } else {
            Ok(())
        }
    }

    /// Plays a stone for the side to move.
    pub fn play(&mut self, cell: Cell) -> Result<Outcome, PlayError> {
        self.check(cell)?;
        self.place(cell);
        Ok(self.outcome)
    }

    /// [`play`](Self::play) for a legal move; returns what happened to the chains.
    ///
    /// # Panics
    /// If the move is illegal: playouts rely on valid boards.
    #[inline(always)]
    pub fn place(&mut self, cell: Cell) -> Joined {
        assert!(self.is_legal(cell), "illegal move at index {}", cell.index());
        self.add(cell)
    }

    /// Puts a stone on an empty cell, even if the game is over.
    #[inline(always)]
    fn add(&mut self, cell: Cell) -> Joined {
        let pattern = self.own_pattern(cell);
        let joined = self.chains.join(self.layout, self.to_move, cell, pattern);
        self.settle(cell, pattern, &joined);
        joined
    }

    /// [`place`](Self::place); returns what [`undo`](Self::undo) needs to take the stone back.
    ///
    /// # Panics
    /// If the move is illegal.
    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn place_logged(&mut self, cell: Cell) -> Undo<W> {
        assert!(self.is_legal(cell), "illegal move at index {}", cell.index());
        let pattern = self.own_pattern(cell);
        let (joined, chains) = self.chains.join_logged(self.layout, self.to_move, cell, pattern);
        self.settle(cell, pattern, &joined);
        Undo { cell, chains }
    }

    /// Takes back the last stone placed.
    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn undo(&mut self, undo: &Undo<W>) {
        self.pass_the_move();
        assert_eq!(self.colour_at(undo.cell), Some(self.to_move), "the stone is not there");
        self.hash ^= zobrist::key(self.to_move, self.ordinal(undo.cell));
        self.stones[self.to_move.index()].remove(undo.cell.index());
        self.stone_count -= 1;
        self.chains.part(self.to_move, &undo.chains);
        self.outcome = Outcome::Ongoing;
    }

    /// The label of a stone's chain: the same for all its stones.
    #[cfg(any(test, feature = "internals"))]
    pub fn chain_at(&self, cell: Cell) -> Option<u8> {
        self.colour_at(cell).map(|_| self.chains.at(cell))
    }

    /// The border bits of a stone's chain.
    #[cfg(any(test, feature = "internals"))]
    pub fn borders_at(&self, cell: Cell) -> Option<u16> {
        self.chain_at(cell).map(|chain| self.chains.borders(chain))
    }

    #[inline(always)]
    pub(crate) fn chains(&self) -> &Chains<W> {
        &self.chains
    }

    #[inline(always)]
    fn ordinal(&self, cell: Cell) -> u16 {
        self.layout.geometry.ordinal[cell.index()]
    }

    #[inline(always)]
    fn own_pattern(&self, cell: Cell) -> usize {
        neighbour_pattern(self.layout, &self.stones[self.to_move.index()], cell)
    }

    /// Puts the stone down after its chains were joined, and updates the outcome.
    #[inline(always)]
    fn settle(&mut self, cell: Cell, pattern: usize, joined: &Joined) {
        let colour = self.to_move;
        self.stones[colour.index()] |= Set::<W>::single(cell.index());
        self.stone_count += 1;
        self.hash ^= zobrist::key(colour, self.ordinal(cell));
        self.pass_the_move();
        let mut wins = wins_of_borders(joined.borders);
        if joined.closed || self.completes_blob(colour.index(), cell, pattern) {
            wins = wins.union(Wins::RING);
        }
        if !wins.is_empty() {
            self.outcome = Outcome::Won { by: colour, wins };
        } else if self.stone_count() == self.layout.cell_count() {
            self.outcome = Outcome::Draw;
        }
    }

    #[inline(always)]
    fn pass_the_move(&mut self) {
        self.to_move = self.to_move.other();
        self.hash ^= zobrist::BLACK_TO_MOVE;
    }

    /// Whether the stone at `cell` completes a ring around an own stone: a neighbour between two own
    /// neighbours that now has six own neighbours itself.
    #[inline(always)]
    fn completes_blob(&self, side: usize, cell: Cell, pattern: usize) -> bool {
        let mut centres = pattern & rotate(pattern, 1) & rotate(pattern, 5);
        while centres != 0 {
            let direction = centres.trailing_zeros() as usize;
            let index = cell.index().wrapping_add_signed(self.layout.steps()[direction]);
            if neighbour_pattern(self.layout, &self.stones[side], Cell::from_index(index)) == 63 {
                return true;
            }
            centres &= centres - 1;
        }
        false
    }
}
