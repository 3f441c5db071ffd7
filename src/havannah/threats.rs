//! Winning cells: where a side completes a ring, a bridge or a fork with one stone.
//!
//! A bridge or fork is won on a cell that reaches two corners or three edges, through the chains
//! it touches and by lying on the border itself: [`Reach`] keeps a board per border and counts
//! them bit by bit. A ring is won on a cell that has two separate groups of one chain around it,
//! or that is the last neighbour missing round an own stone; either needs a chain of five stones.
//!
//! Both only grow as a side adds stones, and what a stone adds is next to it or next to the chains
//! it joins. So [`SideThreats`] keeps the cells next to each chain, and no whole chain is looked at
//! again: new ring cells lie next to two chains that have become one, or next to the stone and to
//! its chain already.

use std::sync::atomic::{Ordering::SeqCst, compiler_fence};

use super::board::Board;
use super::chains::Joined;
use super::geometry::{CORNER_BITS, Cell, EDGE_BITS};
use super::neighbourhood::{LOCAL_GROUPS, Neighbours, dilate, neighbour_planes};
use super::rules::{Colour, Wins};
use super::width::{Layout, Row, Set, Width};
use crate::bits::{Isa, Kernel, Words};

/// The fewest stones a chain has when one more can close a ring.
pub const RING_CHAIN: usize = 5;

/// Stand for the corner of a chain that has none, and for the edge.
const NO_CORNER: usize = 12;
const NO_EDGE: usize = 13;

/// Takes the lowest of some borders out of them; `none` if there is none.
#[inline(always)]
fn take_lowest(borders: &mut u16, none: usize) -> usize {
    let lowest = (*borders | 1 << none).trailing_zeros() as usize;
    *borders &= borders.wrapping_sub(1);
    lowest
}

/// The cells where a stone of a side would be connected to borders: to each of the 12, and to how
/// many. Occupied cells may be in the sets.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Reach<W: Width> {
    /// By border; behind the last, every cell, twice.
    borders: [Set<W>; NO_EDGE + 1],
    /// The cells that reach an edge, or a corner, and so on up to a fork of three edges and a bridge of two
    /// corners. (What is written together lies apart: the optimiser joins neighbours into wider registers,
    /// and spends more on that than it gains.)
    one_edge: Set<W>,
    one_corner: Set<W>,
    two_edges: Set<W>,
    bridge: Set<W>,
    fork: Set<W>,
}

impl<W: Width> Reach<W> {
    /// What a side without stones reaches: every border cell its own border.
    #[inline(always)]
    pub fn new(layout: &Layout<W>) -> Self {
        let none = Set::<W>::empty();
        let (mut one_corner, mut one_edge) = (none, none);
        for border in 0..6 {
            one_corner |= layout.borders[border];
            one_edge |= layout.borders[6 + border];
        }
        let mut borders = [layout.on_board; NO_EDGE + 1];
        borders[..NO_CORNER].copy_from_slice(&layout.borders);
        Self { borders, one_edge, one_corner, two_edges: none, bridge: none, fork: none }
    }

    /// Connects cells to the borders of a chain they lie next to; returns those that win now.
    #[inline(always)]
    pub fn extend(&mut self, borders: u16, cells: Set<W>) -> Set<W> {
        let mut won = Set::<W>::empty();
        let (mut corners, mut edges) = (borders & CORNER_BITS, borders & EDGE_BITS);
        // Whether a chain has a corner or an edge cannot be foretold: work in vain costs less than not
        // knowing. But on large boards few have a corner, and sets cost more. Without the fences the
        // optimiser would work on both parts, and on what follows, at once, in registers with words of each.
        loop {
            if W::Words::LEN <= 4 || corners != 0 {
                let new = self.connect(take_lowest(&mut corners, NO_CORNER), cells);
                won |= self.one_corner & new;
                self.bridge |= self.one_corner & new;
                self.one_corner |= new;
                compiler_fence(SeqCst);
            }
            let new = self.connect(take_lowest(&mut edges, NO_EDGE), cells);
            won |= self.two_edges & new;
            self.fork |= self.two_edges & new;
            self.two_edges |= self.one_edge & new;
            self.one_edge |= new;
            compiler_fence(SeqCst);
            if corners | edges == 0 {
                return won;
            }
        }
    }

    /// Connects cells to a border; returns those that were not connected to it before.
    #[inline(always)]
    fn connect(&mut self, border: usize, cells: Set<W>) -> Set<W> {
        let before = self.borders[border];
        self.borders[border] = before | cells;
        cells - before
    }

    /// The cells connected to a border, by its bit number.
    pub fn border(&self, border: usize) -> Set<W> {
        self.borders[border]
    }

    /// The cells that reach two corners.
    #[inline(always)]
    pub fn bridge(&self) -> Set<W> {
        self.bridge
    }

    /// The cells that reach three edges.
    #[inline(always)]
    pub fn fork(&self) -> Set<W> {
        self.fork
    }
}

/// The cells outside a chain where a stone joined to it alone closes a ring.
#[inline(always)]
pub fn ring_cells<W: Width>(layout: &Layout<W>, chain: Set<W>) -> Set<W> {
    let planes = neighbour_planes(layout, chain);
    let (mut one_group, mut two_groups) = (Set::<W>::empty(), Set::<W>::empty());
    let (mut one_missing, mut two_missing) = (Set::<W>::empty(), Set::<W>::empty());
    for d in 0..6 {
        let begins = planes[d] - planes[(d + 5) % 6];
        two_groups |= one_group & begins;
        one_group |= begins;
        two_missing |= one_missing - planes[d];
        one_missing |= layout.on_board - planes[d];
    }
    let almost_surrounded = chain - two_missing;
    (two_groups | dilate(layout, almost_surrounded)) - chain
}

/// The cells where a side wins at once, by what it completes there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinningCells<W: Width> {
    pub ring: Set<W>,
    pub bridge: Set<W>,
    pub fork: Set<W>,
}

impl<W: Width> WinningCells<W> {
    #[inline(always)]
    pub fn all(&self) -> Set<W> {
        self.ring | self.bridge | self.fork
    }
}

/// The cells where a side, if it were to move, would win at once.
pub fn winning_cells<W: Width>(board: &Board<W>, colour: Colour) -> WinningCells<W> {
    let SideThreats { reach, ring, .. } = SideThreats::new(board, colour);
    let empty = board.empty_cells();
    WinningCells { ring: ring & empty, bridge: reach.bridge() & empty, fork: reach.fork() & empty }
}

/// For the six neighbour bits of a new stone, and for each group among them: the neighbours of the
/// stone where the group's chain, if it had stones there before, has two groups now. These are the
/// ones that do not lie next to the group itself; and if five neighbours are there, the sixth, where
/// a stone closes the ring round the new one.
struct Closing([[Neighbours; 3]; 64]);

impl Closing {
    const fn new(stride: usize) -> Self {
        let mut table = [[Neighbours::new(stride, 0); 3]; 64];
        let mut pattern = 0;
        // Six neighbours are a win already.
        while pattern < 63 {
            let groups = &LOCAL_GROUPS[pattern];
            let mut group = 0;
            while group < groups.count as usize {
                let mut beside = 0;
                let mut d = groups.directions[group] as usize;
                while pattern >> d & 1 == 1 {
                    beside |= 1 << ((d + 1) % 6) | 1 << ((d + 5) % 6);
                    d = (d + 1) % 6;
                }
                let five = pattern.count_ones() == 5;
                let cells = !pattern & if five { 63 } else { 63 & !beside };
                table[pattern][group] = Neighbours::new(stride, cells);
                group += 1;
            }
            pattern += 1;
        }
        Self(table)
    }
}

/// The tables for the strides of boards.
static CLOSING: [Closing; 5] =
    [Closing::new(8), Closing::new(10), Closing::new(12), Closing::new(16), Closing::new(20)];

impl Closing {
    #[inline(always)]
    fn of_stride(stride: usize) -> &'static Self {
        match stride {
            8 => &CLOSING[0],
            10 => &CLOSING[1],
            12 => &CLOSING[2],
            16 => &CLOSING[3],
            _ => &CLOSING[4],
        }
    }
}

/// The threats of one side, kept up to date stone by stone. In this order: the counts lie apart, as
/// in [`Reach`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SideThreats<W: Width> {
    /// The cells next to each chain, and perhaps indices off the board, by its label less the first.
    /// Labels that name no chain any more keep what they had. No side has chains for all labels
    /// ([`Width::LABELS`]): the last stays empty and stands for no chain.
    chains: W::LabelSets,
    reach: Reach<W>,
    /// Own neighbours of each cell, counted in binary, here and in `twos` and `fours`.
    ones: Set<W>,
    /// The empty cells where the side wins.
    open: Set<W>,
    twos: Set<W>,
    /// The cells, empty or not, where the side closes a ring.
    ring: Set<W>,
    fours: Set<W>,
    /// The first label of the side.
    first_label: u8,
    /// Whether `open` has members.
    threatens: bool,
}

/// Finds the threats of a side from scratch, as work for an instruction set.
struct FindThreats<'a, W: Width> {
    board: &'a Board<W>,
    colour: Colour,
    side: &'a mut SideThreats<W>,
}

impl<W: Width> Kernel for FindThreats<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { board, colour, side } = self;
        let layout = board.layout();
        let none = Set::<W>::empty();
        side.chains.row_mut().fill(none);
        side.reach = Reach::new(layout);
        (side.ones, side.twos, side.fours, side.ring) = (none, none, none, none);
        side.first_label = (colour.index() * W::LABELS) as u8;
        for plane in neighbour_planes(layout, board.stones(colour)) {
            side.count(plane);
        }
        for cell in board.stones(colour) {
            let chain = side.offset(board.chains().at(Cell::from_index(cell)));
            side.chains.row_mut()[chain].insert(cell);
        }
        for label in side.first_label..board.chains().next_label[colour.index()] {
            let chain = &mut side.chains.row_mut()[(label - side.first_label) as usize];
            if !chain.is_empty() {
                if chain.len() >= RING_CHAIN {
                    side.ring |= ring_cells(layout, *chain);
                }
                *chain = dilate(layout, *chain);
                side.reach.extend(board.chains().borders(label), *chain);
            }
        }
        side.open = (side.ring | side.reach.bridge() | side.reach.fork()) & board.empty_cells();
        side.threatens = !side.open.is_empty();
    }
}

impl<W: Width> SideThreats<W> {
    const NO_CHAIN: usize = W::LABELS - 1;

    /// No threats at all.
    pub fn none(layout: &Layout<W>) -> Self {
        let none = Set::<W>::empty();
        Self {
            chains: W::LabelSets::filled(none),
            reach: Reach::new(layout),
            ones: none,
            open: none,
            twos: none,
            ring: none,
            fours: none,
            first_label: 0,
            threatens: false,
        }
    }

    /// The threats of a side on a board.
    pub fn new(board: &Board<W>, colour: Colour) -> Self {
        let mut side = Self::none(board.layout());
        side.find(Isa::PORTABLE, board, colour);
        side
    }

    /// Finds the threats of a side on a board.
    pub fn find(&mut self, isa: Isa, board: &Board<W>, colour: Colour) {
        isa.run_narrow(FindThreats { board, colour, side: self });
    }

    /// What the side reaches with its next stone.
    pub fn reach(&self) -> &Reach<W> {
        &self.reach
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
        (self.ones, self.twos, self.fours) = (other.ones, other.twos, other.fours);
        self.chains.row_mut()[..used].copy_from_slice(&other.chains.row()[..used]);
    }

    /// Whether the side wins on an empty cell.
    #[inline(always)]
    pub fn threatens(&self) -> bool {
        self.threatens
    }

    /// The empty cells where the side wins, if there are any.
    #[inline(always)]
    pub fn open(&self) -> Option<Set<W>> {
        self.threatens.then_some(self.open)
    }

    /// What the side completes with a stone at a cell.
    #[inline(always)]
    pub fn wins_at(&self, cell: Cell) -> Wins {
        let kinds = [
            (self.ring, Wins::RING),
            (self.reach.bridge(), Wins::BRIDGE),
            (self.reach.fork(), Wins::FORK),
        ];
        let mut wins = Wins::NONE;
        for (cells, kind) in kinds {
            if cells.contains(cell.index()) {
                wins = wins.union(kind);
            }
        }
        wins
    }

    /// Takes in a stone that the side has just placed on `board` without winning.
    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn add(&mut self, board: &Board<W>, cell: Cell, joined: &Joined) {
        self.block(cell);
        let empty = board.empty_cells();
        self.join(board.layout(), cell, joined, &empty, empty);
    }

    /// Takes in a stone that the side has just placed without winning, on a cell that was blocked. Given are
    /// the cells that are empty now, and a set that has all of these and may have more: the first is read
    /// only where something may be won, since reading a set just after one of its words was written takes
    /// long.
    #[inline(always)]
    pub(crate) fn join(
        &mut self,
        layout: &Layout<W>,
        cell: Cell,
        joined: &Joined,
        empty: &Set<W>,
        perhaps_empty: Set<W>,
    ) {
        let near = Neighbours::new(layout.stride(), 63).of(layout, cell);
        let closing = &Closing::of_stride(layout.stride()).0[joined.pattern as usize % 64];
        let chain = self.offset(joined.chain);
        debug_assert_ne!(chain, Self::NO_CHAIN);
        let first = self.chains.row()[if joined.founded { Self::NO_CHAIN } else { chain }];
        let mut ring = first & closing[0].of(layout, cell);
        let mut cells = first | near;
        if joined.absorbed[0] != joined.chain {
            // A cell next to two of the chains lies between separate groups of the one they have
            // become; but for the neighbours of the stone, where it may be the link.
            let second = self.chains.row()[self.offset(joined.absorbed[0])];
            let third = self.chains.row()[self.offset(joined.absorbed[1])]
                .only_if(joined.absorbed[1] != joined.chain);
            ring |= (first & (second | third) | second & third) - near;
            ring |= second & closing[1].of(layout, cell) | third & closing[2].of(layout, cell);
            cells |= second | third;
        }
        self.chains.row_mut()[chain] = cells;
        let won = ring | self.reach.extend(joined.borders, cells);
        self.count(near);
        let five = self.five() & near;
        let alarm = won & perhaps_empty | five;
        if !alarm.is_empty() {
            // Copies: sets whose address is taken would live in memory from the beginning.
            let (ring, won, five) = (ring, won, five);
            self.take_in(&ring, &won, empty);
            if !five.is_empty() {
                self.close_around(layout, cell, joined.pattern, &five, empty);
            }
        }
    }

    /// Takes in cells that win, with those that close a ring among them. Apart from [`join`](Self::join),
    /// which has one question to ask of one set for most stones: with more in it, the optimiser would not
    /// make vectors of it.
    #[cold]
    #[inline(never)]
    fn take_in(&mut self, ring: &Set<W>, won: &Set<W>, empty: &Set<W>) {
        self.ring |= *ring;
        self.open |= *won & *empty;
        self.threatens = !self.open.is_empty();
    }

    /// Takes in the last neighbours of a stone's `own` neighbours among the cells that have five.
    #[cold]
    #[inline(never)]
    fn close_around(
        &mut self,
        layout: &Layout<W>,
        cell: Cell,
        own: u8,
        five: &Set<W>,
        empty: &Set<W>,
    ) {
        let stride = layout.stride();
        let mut last = Set::<W>::empty();
        for centre in *five & Neighbours::new(stride, own as usize).of(layout, cell) {
            last |= Neighbours::new(stride, 63).of(layout, Cell::from_index(centre));
        }
        self.take_in(&last, &last, empty);
    }

    /// Takes in a stone that the other side has just placed.
    #[inline(always)]
    pub fn block(&mut self, cell: Cell) {
        if self.threatens {
            self.open -= Set::<W>::single(cell.index());
            self.threatens = !self.open.is_empty();
        }
    }

    /// Counts a neighbour more for some cells.
    #[inline(always)]
    fn count(&mut self, cells: Set<W>) {
        let carry = self.ones & cells;
        self.ones ^= cells;
        self.fours ^= self.twos & carry;
        self.twos ^= carry;
    }

    /// The cells with five own neighbours. (No number up to six but five is odd and above three.)
    #[inline(always)]
    fn five(&self) -> Set<W> {
        self.ones & self.fours
    }

    #[inline(always)]
    fn offset(&self, label: u8) -> usize {
        (label - self.first_label) as usize
    }
}
