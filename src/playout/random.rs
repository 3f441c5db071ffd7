//! The random kernel: draw the moves first, judge them afterwards.
//!
//! 1. **Draw** a stretch of moves by lazy Fisher-Yates into a byte board of move times: bit 7 the
//!    colour, the low bits the number of the colour's move in the stretch, 0 for stones that were
//!    there before, [`NEVER`] for empty cells.
//! 2. **Patterns** of all cells at once: comparing times tells which neighbours of a stone were
//!    there before it, as six bits; and when the last stone round an own stone came (a ring round
//!    an own stone).
//! 3. **Label** the stones in order of play: each takes the label of an earlier neighbour or a
//!    new one. No branch depends on the moves. Stones that touch two groups or the border are
//!    noted as events; the others cannot end a game.
//! 4. **Events** in order of play: merge chains, unite border bits, and stop at the first ring,
//!    bridge or fork.
//!
//! Stretches are long enough that most games end in the first. Chains are those of
//! [`Chains`](crate::havannah::chains), so a game goes on from any board.

use std::hint::select_unpredictable;

use super::Playout;
use super::start::Start;
use super::unchecked::{get, set};
use crate::havannah::chains::relabel;
use crate::havannah::geometry::{MAX_CELLS, MAX_INDEX, Row};
use crate::havannah::neighbourhood::LOCAL_GROUPS;
use crate::havannah::{Base, Board, Cell, Colour, Outcome, Set, Wins};
use crate::rng::Rng;

/// Bytes before the first cell of a byte board, so that every neighbour has an index.
pub(super) const MARGIN: usize = 32;
/// Bytes of a byte board, margins included.
pub(super) const SPAN: usize = 512;
/// The time of cells that are empty or off the board.
pub(super) const NEVER: u8 = 127;
/// Room for the list of cells and for dummies behind it.
pub(super) const LIST: usize = MAX_CELLS + 1;
/// Stands in the list behind the last empty cell: next to no cell of any board.
pub(super) const DUMMY: Cell = Cell::from_index(SPAN - MARGIN - 1);

const _: () = assert!(MARGIN > 2 * 10 + 1 && MARGIN + MAX_INDEX + 21 < MARGIN + DUMMY.index());

/// The moves drawn after a first stretch that did not end the game.
const NEXT_STRETCH: usize = 32;
/// The moves labelled before their events are looked at.
const BLOCK: usize = 32;

/// The stones on the board, by base, after which most random games are over: the first stretch
/// goes as far. Measured: a few moves more or less make no difference.
const TYPICAL_END: [usize; 11] = [0, 0, 8, 18, 34, 54, 80, 104, 130, 160, 194];

/// The memory of one game.
#[repr(align(64))]
pub(super) struct Workspace<B: Base> {
    times: [u8; SPAN],
    patterns: [u8; SPAN],
    labels: [u8; SPAN],
    roots: [B::LabelBytes; 2],
    borders: [B::LabelBorders; 2],
    next_label: [u8; 2],
    pub moves: [Cell; LIST],
    pub move_count: usize,
    events: [Event; LIST],
}

/// A stone that may end the game: its join, index in a byte board, and ply.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Event {
    join: Join,
    index: u16,
    ply: u16,
}

/// What a pattern means for the stone: steps to a neighbour in each group around it, and flags.
#[derive(Clone, Copy)]
struct Join(u32);

impl Join {
    const FOUNDS: u32 = 1 << 24;
    const MERGES: u32 = 1 << 25;
    const MERGES_THREE: u32 = 1 << 26;
    const IS_EVENT_SHIFT: u32 = 31;

    const fn new(size: usize, pattern: usize) -> Self {
        let stride = 2 * size as i32;
        let steps = [stride, stride + 1, 1, -stride, -stride - 1, -1];
        let groups = LOCAL_GROUPS[pattern & 63];
        let mut join = 0;
        let mut group = 0;
        while group < groups.count as usize {
            let step = steps[groups.directions[group] as usize] as i8 as u8;
            join |= (step as u32) << (8 * group);
            group += 1;
        }
        if groups.count == 0 {
            join |= Self::FOUNDS;
        }
        if groups.count >= 2 {
            join |= Self::MERGES;
        }
        if groups.count == 3 {
            join |= Self::MERGES_THREE;
        }
        let is_event = groups.count >= 2 || pattern & ON_RIM as usize != 0;
        Join(join | (is_event as u32) << Self::IS_EVENT_SHIFT)
    }

    /// The index distance to a neighbour in the group.
    #[inline(always)]
    fn step(self, group: u32) -> isize {
        (self.0 >> (8 * group)) as i8 as isize
    }

    #[inline(always)]
    fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    #[inline(always)]
    fn is_event(self) -> usize {
        (self.0 >> Self::IS_EVENT_SHIFT) as usize
    }
}

/// A pattern bit above the six neighbours: the cell lies on the rim of the board.
const ON_RIM: u8 = 64;

/// The constant tables of the kernel for one base.
struct KernelTables {
    joins: [Join; 128],
    /// [`ON_RIM`] for the cells on the rim.
    rim: [u8; MAX_INDEX],
}

const fn kernel_tables<B: Base>() -> KernelTables {
    let mut tables = KernelTables { joins: [Join(0); 128], rim: [0; MAX_INDEX] };
    let mut pattern = 0;
    while pattern < 128 {
        tables.joins[pattern] = Join::new(B::SIZE, pattern);
        pattern += 1;
    }
    let mut index = 0;
    while index < MAX_INDEX {
        tables.rim[index] = if B::TABLES.border[index] != 0 { ON_RIM } else { 0 };
        index += 1;
    }
    tables
}

struct Constants<B>(std::marker::PhantomData<B>);

impl<B: Base> Constants<B> {
    const TABLES: &'static KernelTables = &kernel_tables::<B>();
}

/// Whether border bits win.
static WINNING_BORDERS: [bool; 4096] = {
    let mut table = [false; 4096];
    let mut borders = 0;
    while borders < 4096 {
        table[borders] = !Wins::of_borders(borders as u16).is_empty();
        borders += 1;
    }
    table
};

/// Draws two moves of a lazy Fisher-Yates shuffle, from one random word.
#[inline(always)]
fn draw_two(list: &mut [Cell], count: usize, at: usize, rng: &mut Rng) -> [Cell; 2] {
    let left = (count - at) as u32;
    let (first, second) = rng.below_two(left, left - 1);
    [draw(list, at, first as usize), draw(list, at + 1, second as usize)]
}

/// Swaps the cell `ahead` places behind `at` to `at`.
#[inline(always)]
pub(super) fn draw(list: &mut [Cell], at: usize, ahead: usize) -> Cell {
    let drawn = get(list, at + ahead);
    let other = get(list, at);
    set(list, at + ahead, other);
    set(list, at, drawn);
    drawn
}

/// Draws moves as a playout does and does nothing else with them: the floor under its cost.
#[inline(always)]
pub fn draw_moves<B: Base>(start: &Start<B>, plies: usize, rng: &mut Rng) -> Cell {
    let mut list = start.empty;
    for at in (0..plies.min(start.empty_count)).step_by(2) {
        draw_two(&mut list, start.empty_count, at, rng);
    }
    std::hint::black_box(&list)[0]
}

impl<B: Base> Workspace<B> {
    pub fn new() -> Self {
        Self {
            times: [NEVER; SPAN],
            patterns: [0; SPAN],
            labels: [0; SPAN],
            roots: [B::LabelBytes::filled(0); 2],
            borders: [B::LabelBorders::filled(0); 2],
            next_label: [0; 2],
            moves: [DUMMY; LIST],
            move_count: 0,
            events: [Event { join: Join(0), index: 0, ply: 0 }; LIST],
        }
    }

    /// Makes ready for a game.
    #[inline(always)]
    pub fn load(&mut self, start: &Start<B>) {
        let cells = MARGIN..MARGIN + Set::<B>::CAPACITY;
        self.times[cells.clone()].copy_from_slice(&start.times[cells]);
        self.moves = start.empty;
        self.move_count = start.empty_count;
    }

    /// Notes a stone placed by other means than the kernel's.
    #[inline(always)]
    pub fn note_stone(&mut self, colour: Colour, cell: Cell) {
        self.times[MARGIN + cell.index()] = (colour.index() as u8) << 7;
    }

    /// Plays the game to its end from `board`, after `played` moves of the list. (The moves and
    /// times of the workspace and the stones of the board say the same.)
    #[inline(always)]
    pub fn finish(&mut self, board: &Board<B>, played: usize, rng: &mut Rng) -> Playout {
        let chains = board.chains();
        self.labels[MARGIN..][..Set::<B>::CAPACITY].copy_from_slice(chains.labels.row());
        self.roots = chains.roots;
        self.borders = chains.borders;
        self.next_label = chains.next_label;
        let first = board.to_move();
        let colour_at = |ply: usize| if (ply - played) % 2 == 0 { first } else { first.other() };

        let stones = B::CELLS - self.move_count + played;
        let mut stretch = TYPICAL_END[B::SIZE].saturating_sub(stones).max(NEXT_STRETCH) & !1;
        let mut from = played;
        while from < self.move_count {
            let to = (from + stretch).min(self.move_count);
            // 1.
            self.draw_stretch(from, to, colour_at(from), rng);
            // 2.
            let surrounded = self.find_patterns();
            let surrounded_ply = Colour::BOTH
                .map(|colour| {
                    let time = surrounded[colour.index()];
                    let behind = usize::from(colour != colour_at(from));
                    if time < NEVER { from + 2 * (time as usize - 1) + behind } else { usize::MAX }
                })
                .into_iter()
                .fold(usize::MAX, usize::min);
            let mut block = from;
            while block < to {
                let block_end = (block + BLOCK).min(to);
                // 3.
                let event_count = self.label_block(block, block_end, colour_at(block));
                // 4.
                let event = self.first_win(event_count, colour_at(0));
                let (ply, wins) = match event {
                    Some((ply, wins)) if ply < surrounded_ply => (ply, wins),
                    Some((ply, wins)) if ply == surrounded_ply => (ply, wins.union(Wins::RING)),
                    _ if surrounded_ply < block_end => (surrounded_ply, Wins::RING),
                    _ => {
                        block = block_end;
                        continue;
                    }
                };
                let outcome = Outcome::Won { by: colour_at(ply), wins };
                return Playout { outcome, length: ply + 1 };
            }
            self.age();
            from = to;
            stretch = NEXT_STRETCH;
        }
        Playout { outcome: Outcome::Draw, length: self.move_count }
    }

    #[inline(always)]
    fn draw_stretch(&mut self, from: usize, to: usize, first: Colour, rng: &mut Rng) {
        let colours = [first, first.other()].map(|colour| (colour.index() as u8) << 7);
        let mut time = 1;
        for at in (from..to).step_by(2) {
            let cells = draw_two(&mut self.moves, self.move_count, at, rng);
            set(&mut self.times, MARGIN + cells[0].index(), colours[0] | time);
            set(&mut self.times, MARGIN + cells[1].index(), colours[1] | time);
            time += 1;
        }
    }

    /// Finds the pattern of every stone; for each colour, returns the first time at which one of
    /// its stones has six own neighbours.
    #[inline(always)]
    fn find_patterns(&mut self) -> [u8; 2] {
        let rim = &Constants::<B>::TABLES.rim;
        let length = Set::<B>::CAPACITY;
        let times = |step: isize| &self.times[MARGIN.wrapping_add_signed(step)..][..length];
        let stride = B::STRIDE as isize;
        let own = times(0);
        let neighbours =
            [stride, stride + 1, 1, -stride, -stride - 1, -1].map(|step| times(step));
        let patterns = &mut self.patterns[MARGIN..][..length];
        let mut first_surrounded = [u8::MAX; 2];
        for cell in 0..length {
            // As signed numbers, times of the own colour are negative and those of the other
            // colour are not: "earlier" is one comparison.
            let this = (own[cell] | 0x80) as i8;
            let turn = !own[cell] & 0x80;
            let (mut pattern, mut latest) = (rim[cell], this);
            for (d, neighbour) in neighbours.iter().enumerate() {
                let time = (neighbour[cell] ^ turn) as i8;
                pattern |= if time < this { 1 << d } else { 0 };
                latest = latest.max(time);
            }
            patterns[cell] = pattern;
            let surrounded = latest as u8 ^ 0x80;
            let is_black = ((own[cell] as i8) >> 7) as u8;
            first_surrounded[0] = first_surrounded[0].min(surrounded | is_black);
            first_surrounded[1] = first_surrounded[1].min(surrounded | !is_black);
        }
        first_surrounded
    }

    /// Labels the stones of a block in order of play, and notes the events among them.
    #[inline(always)]
    fn label_block(&mut self, from: usize, to: usize, first: Colour) -> usize {
        let joins = &Constants::<B>::TABLES.joins;
        let sides = [first.index(), first.other().index()];
        let mut next_label = sides.map(|side| self.next_label[side]);
        let mut event_count = 0;
        for ply in (from..to).step_by(2) {
            for (second, next_label) in next_label.iter_mut().enumerate() {
                let ply = ply + second;
                let index = MARGIN + get(&self.moves, ply).index();
                let join = get(joins, get(&self.patterns, index) as usize);
                let found = get(&self.labels, index.wrapping_add_signed(join.step(0)));
                let founds = join.has(Join::FOUNDS);
                set(&mut self.labels, index, select_unpredictable(founds, *next_label, found));
                *next_label += u8::from(founds);
                let event = Event { join, index: index as u16, ply: ply as u16 };
                set(&mut self.events, event_count, event);
                event_count += join.is_event();
            }
        }
        self.next_label[sides[0]] = next_label[0];
        self.next_label[sides[1]] = next_label[1];
        event_count
    }

    /// Goes through the events of a block up to the first that wins.
    #[inline(always)]
    fn first_win(&mut self, event_count: usize, even: Colour) -> Option<(usize, Wins)> {
        for at in 0..event_count {
            let Event { join, index, ply } = get(&self.events, at);
            let index = index as usize;
            let side = (ply as usize & 1) ^ even.index();
            let chain = self.chain_at(index);
            let mut borders = get(&B::TABLES.border, index - MARGIN)
                | get(B::LabelBorders::flat(&self.borders), chain);
            // A stone on the rim without a second group meets its own chain here.
            let mut closed = self.absorb(side, chain, index, join.step(1), &mut borders);
            closed &= join.has(Join::MERGES);
            if join.has(Join::MERGES_THREE) {
                closed |= self.absorb(side, chain, index, join.step(2), &mut borders);
            }
            set(B::LabelBorders::flat_mut(&mut self.borders), chain, borders);
            if closed | get(&WINNING_BORDERS, borders as usize) {
                let ring = if closed { Wins::RING } else { Wins::NONE };
                return Some((ply as usize, Wins::of_borders(borders).union(ring)));
            }
        }
        None
    }

    /// The chain of the stone at an index of the byte boards.
    #[inline(always)]
    fn chain_at(&self, index: usize) -> usize {
        get(B::LabelBytes::flat(&self.roots), get(&self.labels, index) as usize) as usize
    }

    /// Merges the chain of a neighbour into `chain`; true if it was the same chain already.
    #[inline(always)]
    fn absorb(
        &mut self,
        side: usize,
        chain: usize,
        index: usize,
        step: isize,
        borders: &mut u16,
    ) -> bool {
        let other = self.chain_at(index.wrapping_add_signed(step));
        *borders |= get(B::LabelBorders::flat(&self.borders), other);
        relabel(self.roots[side].row_mut(), other as u8, chain as u8);
        other == chain
    }

    /// Makes the stones of a stretch stones that were there before.
    #[inline(always)]
    fn age(&mut self) {
        for time in &mut self.times[MARGIN..][..Set::<B>::CAPACITY] {
            *time = if *time == NEVER { NEVER } else { *time & 0x80 };
        }
    }
}
