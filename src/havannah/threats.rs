//! Winning cells: where a side completes a ring, a bridge or a fork with one stone.
//!
//! - A bridge or fork is won on a cell that reaches two corners or three edges, through the chains it
//!   touches or by lying on the border itself. [`Reach`] keeps one set per border and counts by bits.
//! - A ring is won on a cell next to two separate groups of one chain, or on the last missing neighbour
//!   of an own stone. Both need a chain of five stones.
//! - Invariant: both only grow as a side adds stones, and only next to the new stone or the chains it
//!   joins. [`SideThreats`] keeps the cells next to each chain, so no whole chain is read again: new ring
//!   cells are next to two chains that merged, or next to the stone and already next to its chain.

use std::sync::atomic::{Ordering::SeqCst, compiler_fence};

use super::board::Board;
use super::chains::Joined;
use super::geometry::{CORNER_BITS, Cell, EDGE_BITS};
use super::neighbourhood::{LOCAL_GROUPS, Neighbours, dilate, neighbour_planes};
use super::rules::{Colour, Wins};
use super::width::{Layout, Row, Set, Width};
use crate::bits::{Isa, Kernel, Words};

/// The minimum number of stones of a chain that one more stone can close into a ring.
pub const RING_CHAIN: usize = 5;

/// Placeholders for a chain without a corner, or without an edge.
const NO_CORNER: usize = 12;
const NO_EDGE: usize = 13;

/// Removes and returns the lowest border bit; `none` if there is none.
#[inline(always)]
fn take_lowest(borders: &mut u16, none: usize) -> usize {
    let lowest = (*borders | 1 << none).trailing_zeros() as usize;
    *borders &= borders.wrapping_sub(1);
    lowest
}

/// The cells where a stone of a side would be connected to each of the 12 borders, and to how many
/// corners and edges. The sets may contain occupied cells.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Reach<W: Width> {
    /// By border; the two entries after the last border are the whole board.
    borders: [Set<W>; NO_EDGE + 1],
    /// The cells that reach one edge or corner, and so on up to a fork (three edges) and a bridge (two
    /// corners). Fields that are written together are not adjacent: otherwise the optimiser merges them into
    /// wider registers, which costs more than it saves.
    one_edge: Set<W>,
    one_corner: Set<W>,
    two_edges: Set<W>,
    bridge: Set<W>,
    fork: Set<W>,
}

impl<W: Width> Reach<W> {
    /// The reach of a side without stones: each border cell reaches its own border.
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

    /// Connects cells to the borders of a chain they are next to; returns the cells that win now.
    #[inline(always)]
    pub fn extend(&mut self, borders: u16, cells: Set<W>) -> Set<W> {
        let mut won = Set::<W>::empty();
        let (mut corners, mut edges) = (borders & CORNER_BITS, borders & EDGE_BITS);
        // Whether a chain has a corner or an edge is unpredictable: wasted work costs less than a branch.
        // But on large boards few chains have a corner and sets are expensive, so there the branch pays.
        // Without the fences the optimiser would mix both parts, and the code after them, in registers that
        // hold words of each.
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

    /// Connects cells to a border; returns the newly connected cells.
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

/// The cells outside a chain where a stone closes a ring of this chain alone.
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

/// The cells where a side wins at once, by kind of win.
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

/// The cells where a side would win at once if it were to move.
pub fn winning_cells<W: Width>(board: &Board<W>, colour: Colour) -> WinningCells<W> {
    let SideThreats { reach, ring, .. } = SideThreats::new(board, colour);
    let empty = board.empty_cells();
    WinningCells { ring: ring & empty, bridge: reach.bridge() & empty, fork: reach.fork() & empty }
}

/// By the six neighbour bits of a new stone and by group among them: the neighbours of the stone that
/// close a ring if the group's chain was already next to them.
/// - These are the empty neighbours that are not next to the group itself.
/// - With five own neighbours, it is the sixth: a stone there closes the ring around the new one.
struct Closing([[Neighbours; 3]; 64]);

impl Closing {
    const fn new(stride: usize) -> Self {
        let mut table = [[Neighbours::new(stride, 0); 3]; 64];
        let mut pattern = 0;
        // Six neighbours have won already.
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

/// One table per stride.
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

/// The threats of one side, updated with each stone. The field order matters: the counts are not
/// adjacent, as in [`Reach`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SideThreats<W: Width> {
    /// The cells next to each chain, by label minus `first_label`. Indices off the board may be in the sets.
    /// Labels of absorbed chains keep their old sets. No side uses all labels ([`Width::LABELS`]): the last
    /// set stays empty and stands for no chain.
    chains: W::LabelSets,
    reach: Reach<W>,
    /// `ones`, `twos` and `fours` are the binary digits of the number of own neighbours of each cell.
    ones: Set<W>,
    /// The empty cells where the side wins at once.
    open: Set<W>,
    twos: Set<W>,
    /// The cells, empty or not, where the side closes a ring.
    ring: Set<W>,
    fours: Set<W>,
    /// The first label of the side.
    first_label: u8,
    /// Whether `open` is not empty.
    threatens: bool,
}

/// Finds the threats of a side from scratch, as a kernel for an instruction set.
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

    /// Finds the threats of a side on a board, from scratch.
    pub fn find(&mut self, isa: Isa, board: &Board<W>, colour: Colour) {
        isa.run_narrow(FindThreats { board, colour, side: self });
    }

    /// What the side reaches with its next stone.
    pub fn reach(&self) -> &Reach<W> {
        &self.reach
    }

    /// Copies the threats of another position; `next_label` bounds the labels in use.
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

    /// Whether the side wins at once on some empty cell.
    #[inline(always)]
    pub fn threatens(&self) -> bool {
        self.threatens
    }

    /// The empty cells where the side wins at once; `None` if there are none.
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

    /// Updates the threats after the side has placed a stone on `board` without winning.
    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn add(&mut self, board: &Board<W>, cell: Cell, joined: &Joined) {
        self.block(cell);
        let empty = board.empty_cells();
        self.join(board.layout(), cell, joined, &empty, empty);
    }

    /// Updates the threats after the side has placed a stone without winning, on a cell that was blocked.
    /// `empty` holds the cells that are empty now; `perhaps_empty` is a superset. `empty` is read only if
    /// something may be won: reading a set just after one of its words was written is slow.
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
            // A cell next to two of the merged chains is next to separate groups of one chain: a ring. The
            // neighbours of the stone are excepted: there the stone itself may link the groups.
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
            // Copies: a set whose address is taken would be in memory from the start.
            let (ring, won, five) = (ring, won, five);
            self.take_in(&ring, &won, empty);
            if !five.is_empty() {
                self.close_around(layout, cell, joined.pattern, &five, empty);
            }
        }
    }

    /// Adds winning cells; `ring` are those among them that close a ring. Separate from [`join`](Self::join),
    /// which tests one set for most stones: with this code inside, the optimiser would not vectorise it.
    #[cold]
    #[inline(never)]
    fn take_in(&mut self, ring: &Set<W>, won: &Set<W>, empty: &Set<W>) {
        self.ring |= *ring;
        self.open |= *won & *empty;
        self.threatens = !self.open.is_empty();
    }

    /// Adds the last empty neighbour of each own neighbour (`own`) of the stone that has five.
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

    /// Updates the threats after the other side has placed a stone.
    #[inline(always)]
    pub fn block(&mut self, cell: Cell) {
        if self.threatens {
            self.open -= Set::<W>::single(cell.index());
            self.threatens = !self.open.is_empty();
        }
    }

    /// Adds one to the neighbour count of some cells.
    #[inline(always)]
    fn count(&mut self, cells: Set<W>) {
        let carry = self.ones & cells;
        self.ones ^= cells;
        self.fours ^= self.twos & carry;
        self.twos ^= carry;
    }

    /// The cells with five own neighbours: the only count up to six with bits 1 and 4.
    #[inline(always)]
    fn five(&self) -> Set<W> {
        self.ones & self.fours
    }

    #[inline(always)]
    fn offset(&self, label: u8) -> usize {
        (label - self.first_label) as usize
    }
}
