//! Chains of connected stones: quick-find with labels.
//!
//! Invariant: the label of a stone never changes; `roots` maps it to its chain and is always flat.
//! - A stone takes the label of a chain it touches, or starts a chain with a new label.
//! - When chains merge, one pass over `roots` (a few vector instructions) relabels the absorbed one.
//! - Labels of White are below [`Width::LABELS`], those of Black start there.
//!
//! The playout kernel works on the same rows.

use super::geometry::Cell;
use super::neighbourhood::{LOCAL_GROUPS, LocalGroups};
use super::rules::Colour;
use super::width::{Layout, Row, Width};

/// The chains of both colours.
#[derive(Clone, Copy, Debug)]
pub struct Chains<W: Width> {
    /// Label of each stone; meaningless on empty cells.
    pub(crate) labels: W::CellBytes,
    /// For each colour: label to chain.
    pub(crate) roots: [W::LabelBytes; 2],
    /// For each colour: the border bits of each chain.
    pub(crate) borders: [W::LabelBorders; 2],
    /// For each colour: the label of the next new chain.
    pub(crate) next_label: [u8; 2],
}

/// What happened to the chains when a stone was placed.
#[derive(Clone, Copy, Debug)]
pub struct Joined {
    /// The own neighbours of the stone.
    pub pattern: u8,
    /// The chain that the stone belongs to.
    pub chain: u8,
    /// The chain's border bits.
    pub borders: u16,
    /// The stone touched no own stone: the chain is new.
    pub founded: bool,
    /// The stone connects two groups of one chain: a ring.
    pub closed: bool,
    /// The chains merged into this one; unused entries hold the chain itself.
    pub absorbed: [u8; 2],
}

/// What is needed to undo a join.
#[cfg(any(test, feature = "internals"))]
#[derive(Clone, Copy, Debug)]
pub struct JoinLog<W: Width> {
    roots: W::LabelBytes,
    next_label: u8,
    chain: u8,
    borders: u16,
}

impl<W: Width> Chains<W> {
    pub fn new() -> Self {
        let row = |colour: usize| {
            let mut roots = W::LabelBytes::filled(0);
            let labels = (colour * W::LABELS) as u8..;
            roots.row_mut().iter_mut().zip(labels).for_each(|(root, label)| *root = label);
            roots
        };
        Self {
            labels: W::CellBytes::filled(0),
            roots: [row(0), row(1)],
            borders: [W::LabelBorders::filled(0); 2],
            next_label: [0, W::LABELS as u8],
        }
    }

    /// The chain of the stone at a cell.
    #[inline(always)]
    pub fn at(&self, cell: Cell) -> u8 {
        W::LabelBytes::flat(&self.roots)[self.labels.row()[cell.index()] as usize]
    }

    /// The border bits of a chain.
    #[inline(always)]
    pub fn borders(&self, chain: u8) -> u16 {
        W::LabelBorders::flat(&self.borders)[chain as usize]
    }

    /// Adds a stone whose own neighbours are `pattern`.
    #[inline(always)]
    pub fn join(
        &mut self,
        layout: &Layout<W>,
        colour: Colour,
        cell: Cell,
        pattern: usize,
    ) -> Joined {
        let side = colour.index();
        let groups = &LOCAL_GROUPS[pattern];
        let founded = groups.count == 0;
        let chain = if founded {
            self.next_label[side]
        } else {
            self.neighbour_chain(layout, cell, groups, 0)
        };
        self.next_label[side] += u8::from(founded);
        let mut joined = Joined {
            pattern: pattern as u8,
            chain,
            borders: layout.border[cell.index()] | self.borders(chain),
            founded,
            closed: false,
            absorbed: [chain; 2],
        };
        if groups.count >= 2 {
            self.absorb(side, self.neighbour_chain(layout, cell, groups, 1), 0, &mut joined);
        }
        if groups.count == 3 {
            self.absorb(side, self.neighbour_chain(layout, cell, groups, 2), 1, &mut joined);
        }
        W::LabelBorders::flat_mut(&mut self.borders)[chain as usize] = joined.borders;
        self.labels.row_mut()[cell.index()] = chain;
        joined
    }

    /// The chain of the neighbour that represents a local group.
    #[inline(always)]
    fn neighbour_chain(
        &self,
        layout: &Layout<W>,
        cell: Cell,
        groups: &LocalGroups,
        group: usize,
    ) -> u8 {
        let step = layout.steps()[groups.directions[group] as usize];
        self.at(Cell::from_index(cell.index().wrapping_add_signed(step)))
    }

    /// Merges a chain into the joined one, or detects that it is the same chain (a ring).
    #[inline(always)]
    fn absorb(&mut self, side: usize, other: u8, place: usize, joined: &mut Joined) {
        joined.closed |= other == joined.chain;
        joined.borders |= self.borders(other);
        joined.absorbed[place] = other;
        relabel(self.roots[side].row_mut(), [other], joined.chain);
    }

    /// [`join`](Self::join); also returns what [`part`](Self::part) needs.
    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn join_logged(
        &mut self,
        layout: &Layout<W>,
        colour: Colour,
        cell: Cell,
        pattern: usize,
    ) -> (Joined, JoinLog<W>) {
        let side = colour.index();
        let (roots, next_label) = (self.roots[side], self.next_label[side]);
        let before = self.borders;
        let joined = self.join(layout, colour, cell, pattern);
        let chain = joined.chain;
        let borders = W::LabelBorders::flat(&before)[chain as usize];
        (joined, JoinLog { roots, next_label, chain, borders })
    }

    /// Undoes the last join of a colour.
    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn part(&mut self, colour: Colour, log: &JoinLog<W>) {
        let side = colour.index();
        self.roots[side] = log.roots;
        self.next_label[side] = log.next_label;
        W::LabelBorders::flat_mut(&mut self.borders)[log.chain as usize] = log.borders;
    }
}

impl<W: Width> Default for Chains<W> {
    fn default() -> Self {
        Self::new()
    }
}

/// Replaces the chains `from` by `to` in a row of roots.
///
/// It works in pieces of one register: as one loop, the optimiser splits some widths into single bytes.
/// It uses `for` loops: the closure of a `for_each` would be compiled outside the kernel, without its
/// instruction set.
#[inline(always)]
pub(crate) fn relabel<const N: usize>(roots: &mut [u8], from: [u8; N], to: u8) {
    let (pieces, rest) = roots.as_chunks_mut::<32>();
    for piece in pieces {
        relabel_piece(piece, from, to);
    }
    for piece in rest.as_chunks_mut::<16>().0 {
        relabel_piece(piece, from, to);
    }
}

#[inline(always)]
fn relabel_piece<const N: usize, const LENGTH: usize>(
    piece: &mut [u8; LENGTH],
    from: [u8; N],
    to: u8,
) {
    for root in piece {
        // Wide pieces XOR the bits that change instead of selecting a label: the optimiser turns a select
        // into masked stores, and the reads that follow would wait for them.
        let (mut is_replaced, mut turned) = (false, 0);
        for from in from {
            is_replaced |= *root == from;
            turned |= if *root == from { from ^ to } else { 0 };
        }
        *root = if LENGTH > 16 {
            *root ^ turned
        } else if is_replaced {
            to
        } else {
            *root
        };
    }
}
