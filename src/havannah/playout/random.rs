//! The random kernel: draw the moves first, judge them later, one *stretch* (a run of plies) at a time.
//!
//! 1. **Draw** a stretch of moves by lazy Fisher-Yates into a byte board of move times. Bit 7 is the
//!    colour, the low bits are the number of the colour's move in the stretch: 0 for stones from before
//!    the stretch, [`NEVER`] for empty cells.
//! 2. **Patterns** of all cells at once: comparing times gives the neighbours that were there before a
//!    stone, as six bits, and the time at which an own stone is surrounded (a ring around an own stone).
//! 3. **Label** the stones in order of play: each takes the label of an earlier neighbour or a new one. No
//!    branch depends on the moves. Stones that touch two groups or the border are recorded as events; no
//!    other stone can end a game, except by a ring of step 2.
//! 4. **Events** in order of play: merge chains, unite border bits, stop at the first ring, bridge or fork.
//!
//! Most games end in the first stretch. Chains are those of [`Chains`](crate::havannah::chains), so a game
//! can start from any board.

use std::hint::select_unpredictable;

use super::Playout;
use super::joins::{Constants, Event, Join, ON_RIM};
use super::rings::{ClosedRing, Rings};
use super::start::Start;
use super::unchecked::{get, set};
use crate::bits::{Words, bits_of};
use crate::game::Move;
use crate::havannah::chains::{Joined, relabel};
use crate::havannah::geometry::{MAX_CELLS, MAX_INDEX};
use crate::havannah::rules::wins_of_borders;
use crate::havannah::width::Row;
use crate::havannah::{Cell, Colour, Layout, Outcome, Set, Width, Wins};
use crate::rng::Rng;

/// The number of bytes before the first cell of a byte board: every neighbour has a valid index.
pub(super) const MARGIN: usize = 32;
/// The number of bytes of a byte board, including margins.
pub(super) const SPAN: usize = 512;
/// The time of cells that are empty or off the board.
pub(super) const NEVER: u8 = 127;
/// The length of the list of cells, with space for dummies after them.
pub(super) const LIST: usize = MAX_CELLS + 1;
/// Fills the list after the last empty cell; next to no cell of any board.
pub(super) const DUMMY: Cell = Cell::from_index(SPAN - MARGIN - 1);

const _: () = assert!(MARGIN > 2 * 10 + 1 && MARGIN + MAX_INDEX + 21 < MARGIN + DUMMY.index());

/// The maximum number of given moves that are judged in one stretch with drawn moves.
const LONGEST_LINE: usize = 128;
/// The number of moves that are labelled before their events are processed.
const BLOCK: usize = 32;

/// By base, the number of stones after which most random games are over: the end of the first stretch.
/// Measured: a few moves more or less make no difference.
const TYPICAL_END: [usize; 11] = [0, 0, 8, 18, 34, 54, 80, 104, 130, 160, 194];

/// The memory of one game. The field order matters: data that is read and written alternately is within
/// one page. Addresses with the same offset in two pages alias when a read follows a write.
#[repr(C, align(64))]
pub(super) struct Workspace<W: Width> {
    pub(super) times: [u8; SPAN],
    patterns: [u8; SPAN],
    labels: [u8; SPAN],
    roots: [W::LabelBytes; 2],
    pub(super) borders: [W::LabelBorders; 2],
    pub moves: [Cell; LIST],
    events: [Event; LIST],
    pub next_label: [u8; 2],
    pub move_count: usize,
    /// The index of the colour that moves at even plies.
    even: usize,
    /// For a place at the head of the list, the place its cell was swapped to.
    swapped_to: [u16; LIST],
    /// Byte boards of the speculation.
    pub(super) corners: [u8; SPAN],
    pub(super) edges: [u8; SPAN],
    pub layout: &'static Layout<W>,
}

/// A stretch of moves, and how far it has been judged.
pub(super) struct Stretch {
    pub from: usize,
    /// The first ply that is not judged yet.
    pub next: usize,
    /// The first ply that completes a ring around an own stone; `usize::MAX` if none does.
    pub surrounded: usize,
}

/// For each direction, the neighbours of all cells in a byte board. Not written as a `map` of the six
/// steps: the optimiser may leave a call, and without known lengths it does not vectorise.
#[inline(always)]
pub(super) fn neighbours<W: Width>(board: &[u8; SPAN]) -> [&[u8]; 6] {
    let stride = W::STRIDE as isize;
    [
        beside::<W>(board, stride),
        beside::<W>(board, stride + 1),
        beside::<W>(board, 1),
        beside::<W>(board, -stride),
        beside::<W>(board, -stride - 1),
        beside::<W>(board, -1),
    ]
}

#[inline(always)]
fn beside<W: Width>(board: &[u8; SPAN], step: isize) -> &[u8] {
    &board[MARGIN.wrapping_add_signed(step)..][..W::INDICES]
}

/// Draws two moves of a lazy Fisher-Yates shuffle, from one random word.
#[inline(always)]
pub(super) fn draw_two(list: &mut [Cell], count: usize, at: usize, rng: &mut Rng) -> [Cell; 2] {
    let left = (count - at) as u32;
    let (first, second) = rng.below_two(left, left - 1);
    [draw(list, at, first as usize), draw(list, at + 1, second as usize)]
}

/// Swaps the cell at `at + ahead` with the cell at `at`, and returns it.
#[inline(always)]
fn draw(list: &mut [Cell], at: usize, ahead: usize) -> Cell {
    let drawn = get(list, at + ahead);
    let other = get(list, at);
    set(list, at + ahead, other);
    set(list, at, drawn);
    drawn
}

impl<W: Width> Workspace<W> {
    /// The length of the stretches after the first.
    pub(super) const NEXT_STRETCH: usize = 32;

    pub fn new(layout: &'static Layout<W>) -> Self {
        Self {
            layout,
            times: [NEVER; SPAN],
            patterns: [0; SPAN],
            labels: [0; SPAN],
            roots: [W::LabelBytes::filled(0); 2],
            borders: [W::LabelBorders::filled(0); 2],
            next_label: [0; 2],
            moves: [DUMMY; LIST],
            move_count: 0,
            swapped_to: [0; LIST],
            even: 0,
            events: [Event::NONE; LIST],
            corners: [0; SPAN],
            edges: [0; SPAN],
        }
    }

    /// Prepares for a game.
    #[inline(always)]
    pub fn load(&mut self, start: &Start<W>) {
        self.moves = start.empty;
        self.move_count = start.empty_count;
        self.even = start.board.to_move().index();
        self.layout = start.board.layout();
        self.load_position(start);
    }

    /// Resets the board to the stones of the start position. The list of drawn moves is kept.
    #[inline(always)]
    pub fn load_position(&mut self, start: &Start<W>) {
        let cells = MARGIN..MARGIN + W::INDICES;
        self.times[cells.clone()].copy_from_slice(&start.times[cells.clone()]);
        let chains = start.board.chains();
        self.labels[cells].copy_from_slice(chains.labels.row());
        self.roots = chains.roots;
        self.borders = chains.borders;
        self.next_label = chains.next_label;
    }

    /// The end of the first stretch of a game with `line` given moves.
    #[inline(always)]
    pub fn first_stretch_end(&self, line: usize) -> usize {
        if line > LONGEST_LINE {
            return LONGEST_LINE;
        }
        let stones = self.layout.cell_count() - self.move_count;
        let length = TYPICAL_END[self.layout.size() % TYPICAL_END.len()]
            .saturating_sub(stones)
            .max(line + Self::NEXT_STRETCH);
        // Moves are drawn in pairs.
        (length - (length - line) % 2).min(self.move_count)
    }

    /// The end of a later stretch, if the moves below ply `drawn` are given or drawn. Moves are drawn in
    /// pairs, so the stretch holds either such moves or new ones, not both.
    #[inline(always)]
    pub fn next_stretch_end(&self, from: usize, drawn: usize) -> usize {
        if drawn > from {
            self.taken_stretch_end(from, drawn)
        } else {
            (from + Self::NEXT_STRETCH).min(self.move_count)
        }
    }

    /// The end of a stretch that holds only moves below ply `drawn`.
    #[inline(always)]
    pub fn taken_stretch_end(&self, from: usize, drawn: usize) -> usize {
        drawn.min(from + LONGEST_LINE)
    }

    /// Moves the given moves to the head of the list.
    #[inline(always)]
    pub fn lead_with(&mut self, line: &[Move], start: &Start<W>) {
        for (ply, next) in line.iter().enumerate() {
            let cell = self.layout.geometry.cell_of(*next);
            // Start at the original place of the cell. If it was swapped away, follow the swaps.
            let mut place = get(&start.places, cell.index()) as usize;
            while get(&self.moves, place) != cell {
                place = get(&self.swapped_to, place) as usize;
            }
            set(&mut self.swapped_to, ply, place as u16);
            let other = get(&self.moves, ply);
            set(&mut self.moves, place, other);
            set(&mut self.moves, ply, cell);
        }
    }

    /// Step 1: sets the times of a stretch, and draws its moves from ply `drawn` on. Returns the first ply
    /// that is not drawn.
    #[inline(always)]
    pub fn fill_stretch(&mut self, from: usize, drawn: usize, to: usize, rng: &mut Rng) -> usize {
        debug_assert!(to - from < 2 * (NEVER as usize - 1));
        let colours = self.colour_bits(from);
        for at in from..drawn.min(to) {
            let index = MARGIN + get(&self.moves, at).index();
            let time = ((at - from) / 2 + 1) as u8;
            set(&mut self.times, index, colours[(at - from) % 2] | time);
        }
        if drawn >= to {
            return drawn;
        }
        let begin = drawn.max(from);
        debug_assert!((to - begin).is_multiple_of(2) || to == self.move_count);
        let odd = (begin - from) % 2;
        let colours = [colours[odd], colours[1 - odd]];
        let mut time = ((begin - from) / 2 + 1) as u8;
        let mut at = begin;
        // Local copies stay in registers: otherwise, for the optimiser, writing a move may change them.
        let (mut local_rng, count) = (rng.clone(), self.move_count);
        while at < to {
            let cells = draw_two(&mut self.moves, count, at, &mut local_rng);
            set(&mut self.times, MARGIN + cells[0].index(), colours[0] | time);
            set(&mut self.times, MARGIN + cells[1].index(), colours[1] | (time + odd as u8));
            time += 1;
            at += 2;
        }
        *rng = local_rng;
        to
    }

    /// Sets the time of the move at `ply` again; its cell becomes empty if the ply is after the stretch.
    #[inline(always)]
    pub fn take_again(&mut self, stretch: &Stretch, to: usize, ply: usize) {
        let index = MARGIN + get(&self.moves, ply).index();
        let after = ply - stretch.from;
        let time = (self.side_at(ply) as u8) << 7 | (after / 2 + 1) as u8;
        set(&mut self.times, index, if ply < to { time } else { NEVER });
    }

    /// Sets the time of the stone at `ply`, in a stretch that begins at `from`.
    #[inline(always)]
    pub fn set_time(&mut self, from: usize, ply: usize) {
        let index = MARGIN + get(&self.moves, ply).index();
        let time = (self.side_at(ply) as u8) << 7 | ((ply - from) / 2 + 1) as u8;
        set(&mut self.times, index, time);
    }

    /// Sets the pattern of one stone from its own neighbours, outside of step 2.
    #[inline(always)]
    pub fn set_pattern(&mut self, cell: Cell, own: usize) {
        let rim = get(&self.layout.rim_bytes, cell.index());
        set(&mut self.patterns, MARGIN + cell.index(), own as u8 | rim);
    }

    /// Draws moves in pairs from ply `drawn` until `to` is reached, without setting times. Returns the first
    /// ply that is not drawn.
    #[inline(always)]
    pub fn draw_up_to(&mut self, drawn: usize, to: usize, rng: &mut Rng) -> usize {
        let mut drawn = drawn;
        while drawn < to {
            draw_two(&mut self.moves, self.move_count, drawn, rng);
            drawn = (drawn + 2).min(self.move_count);
        }
        drawn
    }

    /// Step 2: finds the patterns of all cells.
    #[inline(always)]
    pub fn look_at_stretch(&mut self, from: usize) -> Stretch {
        let first_surrounded = self.find_patterns();
        let ply = |side: usize| {
            let (time, behind) = (first_surrounded[side], side ^ self.side_at(from));
            // A time of 0 (before the stretch) occurs only if a rule excluded rings.
            let moves_before = (time as usize).saturating_sub(1);
            if time < NEVER { from + 2 * moves_before + behind } else { usize::MAX }
        };
        Stretch { from, next: from, surrounded: ply(0).min(ply(1)) }
    }

    /// Steps 3 and 4 for the moves of a stretch below ply `until`. Returns the result if the game ends there.
    #[inline(always)]
    pub fn judge(
        &mut self,
        stretch: &mut Stretch,
        until: usize,
        rings: &impl Rings<W>,
    ) -> Option<Playout> {
        while stretch.next < until {
            let block_end = (stretch.next + BLOCK).min(until);
            let event_count = self.label_block(stretch.next, block_end);
            let (ply, wins) = match self.first_win(event_count, stretch.from, rings) {
                Some((ply, wins)) if ply < stretch.surrounded => (ply, wins),
                Some((ply, wins)) if ply == stretch.surrounded => (ply, wins.union(Wins::RING)),
                _ if stretch.surrounded < block_end => (stretch.surrounded, Wins::RING),
                _ => {
                    stretch.next = block_end;
                    continue;
                }
            };
            let outcome = Outcome::Won { by: Colour::BOTH[self.side_at(ply)], wins };
            return Some(Playout { outcome, length: ply + 1 });
        }
        None
    }

    /// The index of the colour that moves at a ply.
    #[inline(always)]
    pub fn side_at(&self, ply: usize) -> usize {
        (self.even ^ ply) & 1
    }

    /// Bit 7 of the times at ply `from` and at the next ply.
    #[inline(always)]
    fn colour_bits(&self, from: usize) -> [u8; 2] {
        [(self.side_at(from) as u8) << 7, (self.side_at(from + 1) as u8) << 7]
    }

    /// Finds the pattern of every stone. For each colour, returns the first time at which one of its stones
    /// has six own neighbours.
    #[inline(always)]
    fn find_patterns(&mut self) -> [u8; 2] {
        let length = W::INDICES;
        let rim = &self.layout.rim_bytes[..length];
        let own = &self.times[MARGIN..][..length];
        let neighbours = neighbours::<W>(&self.times);
        let patterns = &mut self.patterns[MARGIN..][..length];
        let mut first_surrounded = [u8::MAX; 2];
        for cell in 0..length {
            // As signed numbers, times of the own colour are negative and those of the other colour are not:
            // "own and earlier" is one comparison.
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

    /// Updates the patterns of a cell and its neighbours after the time of the cell has changed.
    #[inline(always)]
    pub(super) fn look_around(&mut self, cell: Cell) {
        let stride = W::STRIDE as isize;
        let index = MARGIN + cell.index();
        let time = get(&self.times, index);
        // As in `find_patterns`.
        let is_earlier = |time: u8, than: u8| ((time ^ (!than & 0x80)) as i8) < (than | 0x80) as i8;
        let mut pattern = get(&self.layout.rim_bytes, cell.index());
        for (d, step) in [stride, stride + 1, 1, -stride, -stride - 1, -1].into_iter().enumerate() {
            let beside = index.wrapping_add_signed(step);
            let other = get(&self.times, beside);
            pattern |= u8::from(is_earlier(other, time)) << d;
            let back = (d + 3) % 6;
            let without = get(&self.patterns, beside) & !(1 << back);
            set(&mut self.patterns, beside, without | u8::from(is_earlier(time, other)) << back);
        }
        set(&mut self.patterns, index, pattern);
    }

    /// Labels the stones of a block in order of play, and records the events. Returns the number of events.
    #[inline(always)]
    fn label_block(&mut self, from: usize, to: usize) -> usize {
        let sides = [self.side_at(from), self.side_at(from + 1)];
        let mut next_label = [self.next_label[sides[0]], self.next_label[sides[1]]];
        let mut event_count = 0;
        let mut ply = from;
        while ply + 1 < to {
            event_count += self.label(ply, event_count, &mut next_label[0]);
            event_count += self.label(ply + 1, event_count, &mut next_label[1]);
            ply += 2;
        }
        if ply < to {
            event_count += self.label(ply, event_count, &mut next_label[0]);
        }
        self.next_label[sides[0]] = next_label[0];
        self.next_label[sides[1]] = next_label[1];
        event_count
    }

    /// Labels one stone and writes it as an event. Returns 1 if it is an event, otherwise 0.
    #[inline(always)]
    fn label(&mut self, ply: usize, event_count: usize, next_label: &mut u8) -> usize {
        let index = MARGIN + get(&self.moves, ply).index();
        let join = get(&Constants::<W>::JOINS.0, get(&self.patterns, index) as usize);
        let found = get(&self.labels, index.wrapping_add_signed(join.step(0)));
        let founds = join.has(Join::FOUNDS);
        set(&mut self.labels, index, select_unpredictable(founds, *next_label, found));
        *next_label += u8::from(founds);
        set(&mut self.events, event_count, Event::new(join, index, ply));
        join.is_event()
    }

    /// Processes the events of a block up to the first win.
    #[inline(always)]
    fn first_win(
        &mut self,
        event_count: usize,
        from: usize,
        rings: &impl Rings<W>,
    ) -> Option<(usize, Wins)> {
        let border = &self.layout.border;
        for at in 0..event_count {
            let event = get(&self.events, at);
            let (join, index, ply) = (event.join(), event.index(), event.ply());
            let side = self.side_at(ply);
            let chain = self.chain_at(index);
            let mut borders =
                get(border, index - MARGIN) | get(W::LabelBorders::flat(&self.borders), chain);
            // Without a second group the step is 0: a stone on the rim meets its own chain here.
            let mut closed = self.absorb(side, chain, index, join.step(1), &mut borders);
            closed &= join.has(Join::MERGES);
            if join.has(Join::MERGES_THREE) {
                closed |= self.absorb(side, chain, index, join.step(2), &mut borders);
            }
            set(W::LabelBorders::flat_mut(&mut self.borders), chain, borders);
            let wins = wins_of_borders(borders);
            if closed {
                let cell = Cell::from_index(index - MARGIN);
                let stones = || self.stones_of(side, from, ply + 1);
                closed = rings.counts(ClosedRing { layout: self.layout, side, cell, ply, stones });
            }
            if closed | !wins.is_empty() {
                let ring = if closed { Wins::RING } else { Wins::NONE };
                return Some((ply, wins.union(ring)));
            }
        }
        None
    }

    /// The chain of the stone at an index of the byte boards.
    #[inline(always)]
    pub(super) fn chain_at(&self, index: usize) -> usize {
        get(W::LabelBytes::flat(&self.roots), get(&self.labels, index) as usize) as usize
    }

    /// Merges the chain of a neighbour into `chain`; true if it already was the same chain.
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
        *borders |= get(W::LabelBorders::flat(&self.borders), other);
        relabel(self.roots[side].row_mut(), [other as u8], chain as u8);
        other == chain
    }

    /// Steps 3 and 4 for one stone that does not win.
    #[inline(always)]
    pub fn join(&mut self, side: usize, cell: Cell) -> Joined {
        let index = MARGIN + cell.index();
        let pattern = get(&self.patterns, index);
        let join = get(&Constants::<W>::JOINS.0, pattern as usize);
        let founded = join.has(Join::FOUNDS);
        let new = self.next_label[side];
        let found = self.chain_at(index.wrapping_add_signed(join.step(0)));
        let chain = select_unpredictable(founded, new as usize, found);
        self.next_label[side] = new + u8::from(founded);
        set(&mut self.labels, index, chain as u8);
        let mut borders = get(&self.layout.border, cell.index())
            | get(W::LabelBorders::flat(&self.borders), chain);
        let mut absorbed = [chain as u8; 2];
        if join.has(Join::MERGES) {
            // Without a third group the step is 0, to the stone itself.
            let second = self.chain_at(index.wrapping_add_signed(join.step(1)));
            let third = self.chain_at(index.wrapping_add_signed(join.step(2)));
            borders |= get(W::LabelBorders::flat(&self.borders), second)
                | get(W::LabelBorders::flat(&self.borders), third);
            absorbed = [second as u8, third as u8];
            relabel(self.roots[side].row_mut(), absorbed, chain as u8);
        }
        set(W::LabelBorders::flat_mut(&mut self.borders), chain, borders);
        Joined {
            pattern: pattern & !ON_RIM,
            chain: chain as u8,
            borders,
            founded,
            closed: false,
            absorbed,
        }
    }

    /// The stones of a side after `length` plies of a game whose last stretch began at ply `from`.
    #[inline(always)]
    pub fn stones_of(&self, side: usize, from: usize, length: usize) -> Set<W> {
        let turn = (side as u8) << 7;
        let last = ((length - from + usize::from(side == self.side_at(from))) / 2) as u8;
        let mut words = W::Words::zero();
        let times = self.times[MARGIN..][..W::INDICES].as_chunks::<64>().0;
        for (row, word) in times.iter().zip(words.words_mut()) {
            let mut stones = [0; 64];
            for cell in 0..64 {
                stones[cell] = u8::from(row[cell] ^ turn <= last);
            }
            *word = bits_of(&stones);
        }
        Set::<W>::from_words(words)
    }

    /// Ends a stretch: its stones become stones from before the next stretch.
    #[inline(always)]
    pub fn age(&mut self) {
        for time in &mut self.times[MARGIN..][..W::INDICES] {
            *time = if *time == NEVER { NEVER } else { *time & 0x80 };
        }
    }
}
