//! The board: stones, chains, side to move and outcome, kept up to date stone by stone.
//!
//! Chains are quick-find: a stone takes the label of the chain it is placed next to, or founds a
//! new one; `roots` sends every label to its chain and is kept flat, by relabelling the whole row
//! on a merge. A chain has 12 border bits. The six own neighbours of a new stone say all that is
//! needed: separate groups of one chain close a ring, separate chains merge, and three neighbours
//! in a row may complete a ring round the stone in the middle (Nahue 2014 §3.3, his "blob").
//!
//! A board is copied cheaply (a few hundred bytes, no pointers), and can also take a stone back:
//! `benches/board.rs` measures both.

use super::geometry::{Base, Cell, Row, Set};
use super::neighbourhood::{LOCAL_GROUPS, neighbour_pattern};
use super::rules::{Colour, Outcome, PlayError, Wins};
use super::zobrist;

/// A position, and everything the rules need to go on from it. Boards are equal when their
/// positions are: the same stones and the same side to move.
#[derive(Clone, Copy, Debug)]
pub struct Board<B: Base> {
    stones: [Set<B>; 2],
    /// Label of each stone's chain when it was placed; meaningless on empty cells.
    labels: B::CellBytes,
    /// For each colour, label to chain; a chain goes by the label of one of its founders.
    roots: [B::LabelBytes; 2],
    /// For each colour, border bits by chain.
    borders: [B::LabelBorders; 2],
    /// For each colour, how many labels were given out.
    label_count: [u8; 2],
    to_move: Colour,
    outcome: Outcome,
    hash: u64,
}

/// What [`Board::undo`] needs to take a stone back.
#[derive(Clone, Copy, Debug)]
pub struct Undo<B: Base> {
    cell: Cell,
    roots: B::LabelBytes,
    label_count: u8,
    chain: u8,
    chain_borders: u16,
}

impl<B: Base> PartialEq for Board<B> {
    fn eq(&self, other: &Self) -> bool {
        self.stones == other.stones && self.to_move == other.to_move
    }
}

impl<B: Base> Eq for Board<B> {}

impl<B: Base> Default for Board<B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Base> Board<B> {
    /// The empty board, White to move.
    pub fn new() -> Self {
        let mut roots = B::LabelBytes::filled(0);
        roots.row_mut().iter_mut().enumerate().for_each(|(label, root)| *root = label as u8);
        Self {
            stones: [Set::<B>::empty(); 2],
            labels: B::CellBytes::filled(0),
            roots: [roots; 2],
            borders: [B::LabelBorders::filled(0); 2],
            label_count: [0; 2],
            to_move: Colour::White,
            outcome: Outcome::Ongoing,
            hash: 0,
        }
    }

    #[inline(always)]
    pub fn stones(&self, colour: Colour) -> Set<B> {
        self.stones[colour.index()]
    }

    #[inline(always)]
    pub fn empty_cells(&self) -> Set<B> {
        B::ON_BOARD - (self.stones[0] | self.stones[1])
    }

    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|colour| self.stones(*colour).contains(cell.index()))
    }

    #[inline(always)]
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// Gives the move to a side, as when a position is set up.
    pub fn set_to_move(&mut self, colour: Colour) {
        if self.to_move != colour {
            self.pass_the_move();
        }
    }

    #[inline(always)]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Stones on the board.
    pub fn stone_count(&self) -> usize {
        self.stones[0].len() + self.stones[1].len()
    }

    /// Zobrist hash of stones and side to move.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// A hash that the twelve symmetric images of a position share: the smallest of theirs.
    pub fn canonical_hash(&self) -> u64 {
        let side = if self.to_move == Colour::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        let image = |symmetry: usize| {
            let keys = Colour::BOTH.into_iter().flat_map(|colour| {
                self.stones(colour).iter().map(move |index| {
                    let cell = B::TABLES.transform(Cell::from_index(index), symmetry);
                    zobrist::key(colour, cell)
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
        if index >= Set::<B>::CAPACITY || !B::ON_BOARD.contains(index) {
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
        Ok(self.place(cell))
    }

    /// [`play`](Self::play) without the legality check; the move must be legal.
    #[inline(always)]
    pub fn place(&mut self, cell: Cell) -> Outcome {
        self.place_logged(cell).0
    }

    /// [`place`](Self::place), with what [`undo`](Self::undo) needs to take the stone back.
    #[inline(always)]
    pub fn place_logged(&mut self, cell: Cell) -> (Outcome, Undo<B>) {
        debug_assert!(self.is_legal(cell), "illegal move at index {}", cell.index());
        let (colour, side, index) = (self.to_move, self.to_move.index(), cell.index());
        let pattern = neighbour_pattern::<B>(&self.stones[side], cell);
        let groups = &LOCAL_GROUPS[pattern];
        let roots = self.roots[side].row_mut();
        let borders = self.borders[side].row_mut();
        let labels = self.labels.row_mut();
        let root_of = |roots: &[u8], labels: &[u8], group: usize| {
            let step = B::TABLES.steps[groups.directions[group] as usize];
            roots[labels[index.wrapping_add_signed(step)] as usize]
        };

        let founds_chain = groups.count == 0;
        let chain =
            if founds_chain { self.label_count[side] } else { root_of(roots, labels, 0) };
        let undo = Undo {
            cell,
            roots: self.roots[side],
            label_count: self.label_count[side],
            chain,
            chain_borders: borders[chain as usize],
        };
        let roots = self.roots[side].row_mut();
        self.label_count[side] += u8::from(founds_chain);
        let mut merged = B::TABLES.border[index];
        merged |= if founds_chain { 0 } else { borders[chain as usize] };
        let mut wins = Wins::NONE;
        for group in 1..groups.count as usize {
            let other = root_of(roots, labels, group);
            if other == chain {
                wins = wins.union(Wins::RING);
            } else {
                roots.iter_mut().for_each(|root| *root = if *root == other { chain } else { *root });
                merged |= borders[other as usize];
            }
        }
        borders[chain as usize] = merged;
        labels[index] = chain;
        self.stones[side].insert(index);
        if self.completes_blob(side, cell, pattern) {
            wins = wins.union(Wins::RING);
        }
        wins = wins.union(Wins::of_borders(merged));

        self.hash ^= zobrist::key(colour, cell);
        self.pass_the_move();
        self.outcome = if !wins.is_empty() {
            Outcome::Won { by: colour, wins }
        } else if self.empty_cells().is_empty() {
            Outcome::Draw
        } else {
            Outcome::Ongoing
        };
        (self.outcome, undo)
    }

    /// Takes back the last stone placed.
    #[inline(always)]
    pub fn undo(&mut self, undo: &Undo<B>) {
        self.pass_the_move();
        let side = self.to_move.index();
        debug_assert!(self.stones[side].contains(undo.cell.index()));
        self.hash ^= zobrist::key(self.to_move, undo.cell);
        self.stones[side].remove(undo.cell.index());
        self.roots[side] = undo.roots;
        self.label_count[side] = undo.label_count;
        self.borders[side].row_mut()[undo.chain as usize] = undo.chain_borders;
        self.outcome = Outcome::Ongoing;
    }

    /// The chain of a stone, by a name that its stones share.
    pub fn chain_at(&self, cell: Cell) -> Option<u8> {
        let side = self.colour_at(cell)?.index();
        Some(self.roots[side].row()[self.labels.row()[cell.index()] as usize])
    }

    /// The border bits of a stone's chain.
    pub fn borders_at(&self, cell: Cell) -> Option<u16> {
        let side = self.colour_at(cell)?.index();
        let chain = self.chain_at(cell)?;
        Some(self.borders[side].row()[chain as usize])
    }

    /// The labels, roots and border bits behind the chains of a side, for the kernels.
    #[inline(always)]
    pub(crate) fn chains(&self, colour: Colour) -> Chains<'_> {
        let side = colour.index();
        Chains {
            labels: self.labels.row(),
            roots: self.roots[side].row(),
            borders: self.borders[side].row(),
            label_count: self.label_count[side],
        }
    }

    #[inline(always)]
    fn pass_the_move(&mut self) {
        self.to_move = self.to_move.other();
        self.hash ^= zobrist::BLACK_TO_MOVE;
    }

    /// Whether the stone at `cell` completes a ring round an own stone: a neighbour between two
    /// own neighbours that now has six.
    #[inline(always)]
    fn completes_blob(&self, side: usize, cell: Cell, pattern: usize) -> bool {
        let mut centres = pattern & rotate(pattern, 1) & rotate(pattern, 5);
        while centres != 0 {
            let direction = centres.trailing_zeros() as usize;
            let index = cell.index().wrapping_add_signed(B::TABLES.steps[direction]);
            if neighbour_pattern::<B>(&self.stones[side], Cell::from_index(index)) == 63 {
                return true;
            }
            centres &= centres - 1;
        }
        false
    }
}

/// Six bits rotated.
#[inline(always)]
fn rotate(pattern: usize, by: usize) -> usize {
    (pattern << by | pattern >> (6 - by)) & 63
}

/// The chains of one side as the board keeps them.
pub(crate) struct Chains<'a> {
    pub labels: &'a [u8],
    pub roots: &'a [u8],
    pub borders: &'a [u16],
    pub label_count: u8,
}
