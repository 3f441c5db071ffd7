//! Playouts of Tron: both sides move at once (Laschet 2012 §2.2, §3).
//!
//! Last good replies are asked first, then N-grams, then a random free cell is taken (§3.3): no side
//! crashes while it has another move. What a side answers to is where both heads are, and for N-grams
//! where its own was a step earlier (§3.1): a move is the cell it leads to, so the last moves of both are
//! their heads.
//!
//! When the players are separated, the space that is left to each may decide (§5.5). That can only come
//! about with a wall that splits the free cells around it, between heads side by side, or when a head
//! goes on from such a cell and so leaves all but one piece. Only then are the regions looked at.

use std::cmp::Ordering;

use crate::bits::{Bits, Isa, Kernel, Words};
use crate::game::{
    Children, Chooser, Evaluate, Hits, LeafWork, MOVE_WORDS, Move, MoveWords, Position as _,
    Prospect, Value, WIN,
};
use crate::params::{NGram, Params};
use crate::policies::games::{SimultaneousGame, StepOrder};
use crate::policies::lgr::Replies;
use crate::policies::ngram::NGrams;
use crate::rng::Rng;
use crate::tron::position::Exits;
use crate::tron::{Grid, Position, Side, regions};

/// Plays the games of a search.
pub struct TronPlayouts<W: Words> {
    start: Position<W>,
    /// Where the heads were a step before, if that is known.
    earlier: Option<[u16; 2]>,
    /// Whether the search ends where players are separated.
    settles: bool,
    replies: Option<Replies>,
    keeps_replies: bool,
    ngrams: Option<NGrams>,
    asks_ngrams: bool,
    epsilon: f32,
    in_sequence: bool,
    /// Whether the space that is left decides once the players are separated.
    judges_space: bool,
    /// Steps after which a playout is broken off, and whether the evaluation judges then.
    cut: usize,
    evaluates: bool,
    isa: Isa,
    /// Where the sides are after each step of the last game; before the first, where they began.
    cells: Vec<[u16; 2]>,
    hits: Hits,
}

impl<W: Words> TronPlayouts<W> {
    /// Playouts on a grid.
    pub fn new(isa: Isa, params: &Params, start: &Position<W>) -> Self {
        let span = start.grid().span();
        let evaluates = params.leaf_value;
        let cut = match params.playout_cut as usize {
            0 if !evaluates => usize::MAX,
            plies => plies.div_ceil(2),
        };
        Self {
            start: start.clone(),
            earlier: None,
            settles: params.separation_cut,
            replies: Replies::new(params, span),
            keeps_replies: params.lgr_keep,
            ngrams: NGrams::of_steps(params, span, start.grid().stride()),
            asks_ngrams: params.ngram != NGram::Off,
            epsilon: params.ngram_epsilon,
            in_sequence: params.ngram_sequence,
            judges_space: params.separation_cut,
            cut,
            evaluates,
            isa,
            cells: Vec::with_capacity(span),
            hits: Hits::default(),
        }
    }

    /// Where the sides were after each step of the last game; before the first, where it began.
    #[cfg(any(test, feature = "cli"))]
    pub fn cells(&self) -> &[[u16; 2]] {
        &self.cells
    }

    /// The moves that N-grams take to come before one.
    #[inline(always)]
    fn order(&self) -> StepOrder {
        match self.in_sequence {
            true => StepOrder::InTurn { second: 1 - self.start.first() },
            false => StepOrder::AtOnce,
        }
    }

    /// The cells of a step; numbers that are no cell's if there was none.
    #[inline(always)]
    fn numbers(&self, cells: Option<[u16; 2]>) -> [usize; 2] {
        cells.map_or([self.start.grid().span(); 2], |cells| cells.map(usize::from))
    }

    /// The move of a side. The heads were at the cells of the last two steps; the other side goes to a cell
    /// of `next`, which counts only if it moves first.
    #[inline(always)]
    fn choose(
        &mut self,
        side: Side,
        [earlier, heads]: [[usize; 2]; 2],
        next: [u16; 2],
        exits: &Exits,
        rng: &mut Rng,
    ) -> u16 {
        let next = next.map(usize::from);
        let context = |order: StepOrder| order.context(side, earlier, heads, next);
        if let Some(replies) = &self.replies
            && let Some(cell) =
                replies.reply(side, context(StepOrder::StepBefore), |cell| exits.contains(cell))
        {
            self.hits.count(Chooser::LastGoodReply);
            return cell as u16;
        }
        let around = self.start.grid().around(heads[side]);
        let context = context(self.order());
        if self.asks_ngrams
            && let Some(ngrams) = &self.ngrams
            && (self.epsilon == 0.0 || rng.unit() >= self.epsilon)
            && let Some(cell) = ngrams.best_of(side, context, around, exits.ways(), rng)
        {
            self.hits.count(Chooser::NGram);
            return cell as u16;
        }
        self.hits.count(Chooser::Random);
        exits.cells()[rng.below(exits.len() as u32) as usize]
    }

    /// The moves of both sides, of which one may be chosen already.
    #[inline(always)]
    fn choose_both(
        &mut self,
        heads: [[usize; 2]; 2],
        chosen: Option<(Side, u16)>,
        exits: &[Exits; 2],
        rng: &mut Rng,
    ) -> [u16; 2] {
        let mut next = [0; 2];
        let first = if self.in_sequence { self.start.first() } else { 0 };
        for side in [first, 1 - first] {
            next[side] = match chosen {
                Some((chooser, cell)) if chooser == side => cell,
                _ => self.choose(side, heads, next, &exits[side], rng),
            };
        }
        next
    }

    /// Plays on from a position; the value to side 0.
    fn play_on(&mut self, position: &Position<W>, rng: &mut Rng) -> Value {
        let grid = position.grid();
        let mut taken = position.taken();
        let mut heads = heads_of(position);
        let mut chosen = position.chosen().map(|cell| (position.first(), cell.number() as u16));
        let last = self.cells.len().saturating_add(self.cut);
        if self.judges_space
            && let Some(points) = self.isa.run_narrow(BySpace { grid, taken: &taken, heads })
        {
            return Value::of_points(points);
        }
        let mut might_before = true;
        loop {
            if self.cells.len() == last {
                // What is chosen counts as made.
                let here = match chosen {
                    Some(_) => position.clone(),
                    None => position.at(taken, heads),
                };
                return self.judge(&here);
            }
            let exits =
                heads.map(|head| Exits::of(grid, head as usize, |cell| !taken.contains(cell)));
            match exits.each_ref().map(Exits::is_empty) {
                [false, false] => {}
                [true, true] => return Value::DRAW,
                [true, false] => return Value::LOSS,
                [false, true] => return Value::WIN,
            }
            let next = if self.replies.is_none() && !self.asks_ngrams && chosen.is_none() {
                let (one, two) = rng.below_two(exits[0].len() as u32, exits[1].len() as u32);
                [exits[0].cells()[one as usize], exits[1].cells()[two as usize]]
            } else {
                let earlier = match self.cells[..] {
                    [.., earlier, _] => Some(earlier),
                    _ => self.earlier,
                };
                let steps = [self.numbers(earlier), heads.map(usize::from)];
                self.choose_both(steps, chosen.take(), &exits, rng)
            };
            self.cells.push(next);
            if next[0] == next[1] {
                return Value::DRAW;
            }
            heads = next;
            next.iter().for_each(|cell| taken.insert(*cell as usize));
            if self.judges_space {
                let might = may_separate(grid, heads, &taken);
                if (might || might_before)
                    && let Some(points) =
                        self.isa.run_narrow(BySpace { grid, taken: &taken, heads })
                {
                    return Value::of_points(points);
                }
                might_before = might;
            }
        }
    }

    /// The value to side 0 of a game that is broken off: what the evaluation says, or a draw.
    fn judge(&self, here: &Position<W>) -> Value {
        match self.evaluates.then(|| here.evaluate(self.isa)).flatten() {
            Some(share) => Value::of_share(share),
            None => Value::DRAW,
        }
    }

    /// Learns from a game; a side that was ahead where it was broken off counts as its winner.
    fn learn(&mut self, line: usize, value: Value) {
        let winner = match value.cmp(&Value::DRAW) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        };
        let order = self.order();
        let Self { replies, ngrams, cells, earlier, .. } = self;
        let steps = SimultaneousGame { cells, earlier: *earlier, line, order, winner };
        if let Some(replies) = replies {
            // Replies are to the step before, in either way (§3.2).
            replies.learn(&SimultaneousGame { order: StepOrder::StepBefore, ..steps });
        }
        if let Some(ngrams) = ngrams {
            ngrams.learn(&steps);
        }
    }
}

/// Whether a step to these heads may have separated them, or the next one may.
#[inline(always)]
fn may_separate<W: Words>(grid: Grid, heads: [u16; 2], taken: &Bits<W>) -> bool {
    let apart = heads[0].abs_diff(heads[1]) as usize;
    // Heads side by side: each hides the other one's side.
    apart == 1
        || apart == grid.stride()
        || heads.iter().any(|head| splits(grid, *head as usize, taken))
}

/// Whether a wall at a cell may have split the free cells around it: those among its eight neighbours
/// are in more than one piece.
#[inline(always)]
fn splits<W: Words>(grid: Grid, cell: usize, taken: &Bits<W>) -> bool {
    let stride = grid.stride();
    let around = [
        // The first cell has no number before its northern one, which is wall as well.
        (cell - stride).saturating_sub(1),
        cell - stride,
        cell - stride + 1,
        cell + 1,
        cell + stride + 1,
        cell + stride,
        cell + stride - 1,
        cell - 1,
    ];
    let mut free = 0u8;
    for (at, near) in around.into_iter().enumerate() {
        free |= u8::from(!taken.contains(near)) << at;
    }
    PIECES[free as usize] > 1
}

/// The pieces that free cells around a cell are in, by a bit for each, clockwise from the north-west.
/// A free corner belongs to a piece only with a free side next to it: the way from a side to the next
/// leads over the corner between them.
static PIECES: [u8; 256] = {
    let mut pieces = [0; 256];
    let mut free = 0;
    while free < 256 {
        let mut count = 0;
        let mut side = 1;
        while side < 8 {
            let here = free >> side & 1 == 1;
            let corner = free >> ((side + 1) % 8) & 1 == 1;
            let next = free >> ((side + 2) % 8) & 1 == 1;
            // A piece ends where a free side is not joined to the next one.
            if here && !(corner && next) {
                count += 1;
            }
            side += 2;
        }
        pieces[free] = count;
        free += 1;
    }
    pieces
};

/// The points of side 0 by the space that is left to each side, if they are separated.
struct BySpace<'a, W: Words> {
    grid: Grid,
    taken: &'a Bits<W>,
    heads: [u16; 2],
}

impl<W: Words> Kernel for BySpace<'_, W> {
    type Output = Option<u32>;

    #[inline(always)]
    fn run(self) -> Option<u32> {
        regions::estimate(self.grid, self.taken, self.heads.map(usize::from))
    }
}

fn heads_of<W: Words>(position: &Position<W>) -> [u16; 2] {
    [0, 1].map(|side| position.head(side) as u16)
}

impl<W: Words> LeafWork for TronPlayouts<W> {
    fn advance(&mut self, line: &[Move]) {
        for next in line {
            let heads = heads_of(&self.start);
            self.start.make(*next);
            if self.start.chosen().is_none() {
                self.earlier = Some(heads);
            }
        }
        if let Some(replies) = &mut self.replies
            && !self.keeps_replies
        {
            replies.clear();
        }
        if let Some(ngrams) = &mut self.ngrams {
            ngrams.age();
        }
        self.hits = Hits::default();
    }

    /// Separated players fill the space that is left to each (Laschet 2012 §5.5).
    fn look(&mut self, line: &[Move], children: Option<&mut Children>) -> Prospect {
        let mut position = self.start.clone();
        line.iter().for_each(|next| position.make(*next));
        if let Some(points) = position.result() {
            return Prospect::Over(points);
        }
        if self.settles
            && position.chosen().is_none()
            && let Some(settled) = regions::settle(&position)
        {
            let side = position.to_move();
            let points = if side == 0 { settled.points } else { WIN - settled.points };
            let best = Move::new(settled.first[side]);
            return Prospect::Settled { points, best, plies: 2 * settled.steps as u32 };
        }
        if let Some(children) = children {
            children.clear();
            let moves = position.legal_moves();
            children.moves.extend(moves.iter().map(|next| next.number() as u16));
        }
        Prospect::Open { forced: None }
    }

    fn evaluate(&mut self, lines: &[Vec<Move>], values: &mut Vec<Option<Value>>) {
        let value = |line: &Vec<Move>| {
            let mut position = self.start.clone();
            line.iter().for_each(|next| position.make(*next));
            match position.result() {
                Some(points) => Some(Value::of_points(points)),
                None => position.evaluate(self.isa).map(Value::of_share),
            }
        };
        values.extend(lines.iter().map(value));
    }

    unsafe fn run(&mut self, line: &[Move], rng: &mut Rng) -> Value {
        let mut position = self.start.clone();
        self.cells.clear();
        self.cells.push(heads_of(&position));
        for (ply, next) in line.iter().enumerate() {
            position.make(*next);
            if ply % 2 == 1 {
                self.cells.push(heads_of(&position));
            }
        }
        let steps = self.cells.len() - 1;
        let value = match position.result() {
            Some(points) => Value::of_points(points),
            None => self.play_on(&position, rng),
        };
        self.learn(steps, value);
        value
    }

    /// Grids have more cells than fit, and moves do not stay legal: no RAVE asks for them.
    fn made(&self) -> [MoveWords; 2] {
        [[0; MOVE_WORDS]; 2]
    }

    fn list_made(&self, side: Side, moves: &mut Vec<u16>) {
        moves.extend(self.cells[1..].iter().map(|cells| cells[side]));
    }

    fn list_values(&self, line: &[Move], moves: &[u16], values: &mut Vec<Option<f32>>) {
        let (first, side) = (self.start.first(), self.start.first() ^ (line.len() & 1));
        // Where the sides were after so many steps of the line.
        let after = |steps: usize| {
            let cell = |side: Side| line[2 * steps - 2 + usize::from(side != first)].number();
            if steps == 0 { heads_of(&self.start).map(usize::from) } else { [0, 1].map(cell) }
        };
        let steps = line.len() / 2;
        let earlier = if steps > 0 { after(steps - 1) } else { self.numbers(self.earlier) };
        // What the first has chosen counts only if moves are taken in turn.
        let mut next = [0; 2];
        next[first] = line.get(2 * steps).map_or(0, |chosen| chosen.number());
        let context = self.order().context(side, earlier, after(steps), next);
        let value = |number: &u16| self.ngrams.as_ref()?.value(side, context, *number as usize);
        values.extend(moves.iter().map(value));
    }

    fn hits(&self) -> Hits {
        self.hits
    }

    fn bytes(&self) -> usize {
        self.replies.as_ref().map_or(0, Replies::bytes)
            + self.ngrams.as_ref().map_or(0, NGrams::bytes)
    }
}

#[cfg(test)]
mod tests;
