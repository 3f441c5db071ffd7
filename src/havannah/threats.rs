//! Winning cells: where a side completes a ring, a bridge or a fork with one stone.
//!
//! A bridge or fork is won on a cell that reaches two corners or three edges, through the chains
//! it touches and by lying on the border itself: [`Reach`] keeps a board per border and counts
//! them bit by bit. A ring is won on a cell that has two separate groups of one chain around it,
//! or that is the last neighbour missing round an own stone; either needs a chain of five stones.
//! Both only grow as a side adds stones, so both can be kept up to date chain by chain.

use super::board::Board;
use super::chains::Joined;
use super::geometry::{Base, Cell, Row, Set};
use super::neighbourhood::{dilate, neighbour_planes};
use super::rules::Colour;
use crate::bits::Words;

/// The fewest stones a chain has when one more can close a ring.
pub const RING_CHAIN: usize = 5;

/// For each of the 12 borders, the cells where a stone of a side would be connected to it.
/// Occupied cells may be in the sets.
#[derive(Clone, Copy, Debug)]
pub struct Reach<B: Base>([Set<B>; 12]);

impl<B: Base> Default for Reach<B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Base> Reach<B> {
    /// What a side without stones reaches: every border cell its own border.
    #[inline(always)]
    pub fn new() -> Self {
        Self(B::BORDERS)
    }

    /// Connects cells to the borders of a chain they lie next to.
    #[inline(always)]
    pub fn extend(&mut self, borders: u16, cells: Set<B>) {
        if B::Words::LEN == 1 {
            // Twelve masked words cost less than a loop of unknown length.
            for (border, reached) in self.0.iter_mut().enumerate() {
                *reached |= cells.only_if(borders >> border & 1 != 0);
            }
        } else {
            let mut rest = borders;
            while rest != 0 {
                self.0[rest.trailing_zeros() as usize] |= cells;
                rest &= rest - 1;
            }
        }
    }

    /// The cells connected to a border, by its bit number.
    pub fn border(&self, border: usize) -> Set<B> {
        self.0[border]
    }

    /// The cells that reach two corners.
    #[inline(always)]
    pub fn bridge(&self) -> Set<B> {
        let (mut one, mut two) = (Set::<B>::empty(), Set::<B>::empty());
        for corner in &self.0[..6] {
            two |= one & *corner;
            one |= *corner;
        }
        two
    }

    /// The cells that reach three edges.
    #[inline(always)]
    pub fn fork(&self) -> Set<B> {
        let e = &self.0[6..];
        let ones = [e[0] ^ e[1] ^ e[2], e[3] ^ e[4] ^ e[5]];
        let twos = [e[0] & e[1] | (e[0] | e[1]) & e[2], e[3] & e[4] | (e[3] | e[4]) & e[5]];
        twos[0] & twos[1] | (twos[0] | twos[1]) & (ones[0] | ones[1])
    }
}

/// The cells outside a chain where a stone joined to it alone closes a ring.
#[inline(always)]
pub fn ring_cells<B: Base>(chain: Set<B>) -> Set<B> {
    let planes = neighbour_planes::<B>(chain);
    let (mut one_group, mut two_groups) = (Set::<B>::empty(), Set::<B>::empty());
    let (mut one_missing, mut two_missing) = (Set::<B>::empty(), Set::<B>::empty());
    for d in 0..6 {
        let begins = planes[d] - planes[(d + 5) % 6];
        two_groups |= one_group & begins;
        one_group |= begins;
        two_missing |= one_missing - planes[d];
        one_missing |= B::ON_BOARD - planes[d];
    }
    let almost_surrounded = chain - two_missing;
    (two_groups | dilate::<B>(almost_surrounded)) - chain
}

/// The cells where a side wins at once, by what it completes there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinningCells<B: Base> {
    pub ring: Set<B>,
    pub bridge: Set<B>,
    pub fork: Set<B>,
}

impl<B: Base> WinningCells<B> {
    #[inline(always)]
    pub fn all(&self) -> Set<B> {
        self.ring | self.bridge | self.fork
    }
}

/// What a side reaches with its next stone.
#[inline(always)]
pub fn reach<B: Base>(board: &Board<B>, colour: Colour) -> Reach<B> {
    SideThreats::new(board, colour).reach
}

/// The cells where a side, if it were to move, would win at once.
#[inline(always)]
pub fn winning_cells<B: Base>(board: &Board<B>, colour: Colour) -> WinningCells<B> {
    let SideThreats { reach, ring, .. } = SideThreats::new(board, colour);
    let empty = board.empty_cells();
    WinningCells { ring: ring & empty, bridge: reach.bridge() & empty, fork: reach.fork() & empty }
}

/// The threats of one side, kept up to date stone by stone.
#[derive(Clone, Copy, Debug)]
pub struct SideThreats<B: Base> {
    /// The first label of the side.
    first_label: u8,
    /// Whether `open` has members.
    threatens: bool,
    /// The empty cells where the side wins.
    open: Set<B>,
    reach: Reach<B>,
    /// The cells, empty or not, where the side closes a ring.
    ring: Set<B>,
    /// Stones of each chain, by its label less the first: how many, and which. Labels that name
    /// no chain any more keep what they had.
    sizes: B::LabelBytes,
    chains: B::LabelSets,
}

impl<B: Base> SideThreats<B> {
    #[inline(always)]
    pub fn new(board: &Board<B>, colour: Colour) -> Self {
        let mut side = Self {
            first_label: (colour.index() * B::LABELS) as u8,
            threatens: false,
            open: Set::<B>::empty(),
            reach: Reach::new(),
            ring: Set::<B>::empty(),
            sizes: B::LabelBytes::filled(0),
            chains: B::LabelSets::filled(Set::<B>::empty()),
        };
        for cell in board.stones(colour) {
            let chain = side.offset(board.chains().at(Cell::from_index(cell)));
            side.chains.row_mut()[chain].insert(cell);
            side.sizes.row_mut()[chain] += 1;
        }
        for label in side.first_label..board.chains().next_label[colour.index()] {
            let chain = side.offset(label);
            if side.sizes.row()[chain] > 0 {
                side.grow(chain, board.chains().borders(label));
            }
        }
        side.open = side.winning() & board.empty_cells();
        side.threatens = !side.open.is_empty();
        side
    }

    /// Copies the threats of another position, as far as its labels go.
    #[inline(always)]
    pub fn copy_from(&mut self, other: &Self, next_label: u8) {
        let used = other.offset(next_label);
        self.first_label = other.first_label;
        self.threatens = other.threatens;
        self.open = other.open;
        self.reach = other.reach;
        self.ring = other.ring;
        self.sizes = other.sizes;
        self.chains.row_mut()[..used].copy_from_slice(&other.chains.row()[..used]);
    }

    /// The empty cells where the side wins, if there are any.
    #[inline(always)]
    pub fn open(&self) -> Option<Set<B>> {
        self.threatens.then_some(self.open)
    }

    /// Takes in a stone that the side has just placed on `board`.
    #[inline(always)]
    pub fn add(&mut self, board: &Board<B>, cell: Cell, joined: &Joined) {
        let chain = self.offset(joined.chain);
        let mut stones = Set::<B>::single(cell.index());
        let mut size = 1;
        if !joined.founded {
            stones |= self.chains.row()[chain];
            size += self.sizes.row()[chain];
        }
        for other in joined.absorbed {
            if other != joined.chain {
                stones |= self.chains.row()[self.offset(other)];
                size += self.sizes.row()[self.offset(other)];
            }
        }
        self.chains.row_mut()[chain] = stones;
        self.sizes.row_mut()[chain] = size;
        if joined.borders != 0 || usize::from(size) >= RING_CHAIN {
            self.grow(chain, joined.borders);
            self.open = self.winning() & board.empty_cells();
            self.threatens = !self.open.is_empty();
        }
    }

    /// Takes in a stone that the other side has just placed.
    #[inline(always)]
    pub fn block(&mut self, cell: Cell) {
        if self.threatens {
            self.open -= Set::<B>::single(cell.index());
            self.threatens = !self.open.is_empty();
        }
    }

    #[inline(always)]
    fn offset(&self, label: u8) -> usize {
        (label - self.first_label) as usize
    }

    #[inline(always)]
    fn winning(&self) -> Set<B> {
        self.ring | self.reach.bridge() | self.reach.fork()
    }

    #[inline(always)]
    fn grow(&mut self, chain: usize, borders: u16) {
        let stones = self.chains.row()[chain];
        if borders != 0 {
            self.reach.extend(borders, dilate::<B>(stones) - stones);
        }
        if usize::from(self.sizes.row()[chain]) >= RING_CHAIN {
            self.ring |= ring_cells::<B>(stones);
        }
    }
}
