//! Win rates of moves in their context: N-grams (Stankiewicz 2011 §2.2.5, §4.4), of which the one
//! without context is MAST and the one with a single move before is NAST2 (Duguépéroux 2016 §3.2).
//!
//! For each side, `w / p`: how often a move was played after the same one or two moves, and how
//! often the side won. A playout takes the legal move of the highest rate with probability `1 -
//! epsilon`. An N-gram that was never played, or less often than the threshold, is not considered;
//! with two moves of context, the rate after one move stands in, move by move; the average is that
//! of both where both are known. Of equal rates a random one is taken.
//! Duguépéroux 2016 says neither how MAST and NAST2 choose nor with what epsilon: the rule and the
//! value are Stankiewicz's here.
//!
//! Where sides move at once, the two moves are those of `games::StepOrder`: selection (Laschet 2012
//! §4) looks up the same sequences as playouts. Its formula speaks of a child, its parent and the parent's
//! parent, which are a sequence of sides that move in turn; the tables of §3.1 hold no such one.
//!
//! Every move of a simulated game counts, those of the tree too (Laschet 2012 §3.1). After a turn
//! the counts are multiplied by the decay; 0, the best in the paper, empties the tables.
//!
//! Tables without context and with one move are dense rows; those with two are `sparse`, or `near` if
//! moves are steps on a grid.

mod near;
mod sparse;

use self::near::{Near, Reach, WAYS};
use self::sparse::Sparse;
use super::games::{Context, LearnableGame};
use crate::bits::bits_of;
use crate::params::{NGram, Params, Ulm};
use crate::rng::Rng;

/// How often something was played and won. Fractions, since they decay.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Count {
    wins: f32,
    plays: f32,
}

/// Counts below this have decayed to nothing.
const NOTHING: f32 = 1e-3;

impl Count {
    #[inline(always)]
    fn add(&mut self, reward: f32) {
        self.wins += reward;
        self.plays += 1.0;
    }

    fn decay(&mut self, factor: f32) {
        self.wins *= factor;
        self.plays *= factor;
    }

    /// The rate as a number that orders moves: 0 if it does not count, else 1 to 65,535.
    #[inline(always)]
    fn rank(self, threshold: f32) -> u16 {
        if self.plays < threshold.max(NOTHING) {
            return 0;
        }
        1 + (self.wins / self.plays * TOP_RANK + 0.5) as u16
    }
}

/// The rank of a move that always won, less one.
const TOP_RANK: f32 = 65_000.0;

/// The rate behind a rank.
#[inline(always)]
fn rate(rank: u16) -> f32 {
    f32::from(rank - 1) / TOP_RANK
}

/// Counts of moves, in rows: one for each context.
struct Dense {
    span: usize,
    counts: Vec<Count>,
    /// The ranks of the counts, to be searched.
    ranks: Vec<u16>,
}

impl Dense {
    fn new(rows: usize, span: usize) -> Self {
        Self { span, counts: vec![Count::default(); rows * span], ranks: vec![0; rows * span] }
    }

    /// Bytes of a row.
    fn row_bytes(span: usize) -> usize {
        span * (size_of::<Count>() + size_of::<u16>())
    }

    /// How many rows there are.
    fn len(&self) -> usize {
        self.ranks.len() / self.span
    }

    fn push_row(&mut self) -> usize {
        let row = self.len();
        self.counts.resize((row + 1) * self.span, Count::default());
        self.ranks.resize((row + 1) * self.span, 0);
        row
    }

    fn remove_rows(&mut self) {
        self.counts.clear();
        self.ranks.clear();
    }

    fn set(&mut self, row: usize, number: usize, count: Count, threshold: f32) {
        let at = row * self.span + number;
        (self.counts[at], self.ranks[at]) = (count, count.rank(threshold));
    }

    #[inline(always)]
    fn add(&mut self, row: usize, number: usize, reward: f32, threshold: f32) {
        let at = row * self.span + number;
        self.counts[at].add(reward);
        self.ranks[at] = self.counts[at].rank(threshold);
    }

    #[inline(always)]
    fn ranks(&self, row: usize) -> &[u16] {
        &self.ranks[row * self.span..][..self.span]
    }

    fn decay(&mut self, factor: f32, threshold: f32) {
        if factor == 0.0 {
            self.counts.fill(Count::default());
            self.ranks.fill(0);
            return;
        }
        for (count, rank) in self.counts.iter_mut().zip(&mut self.ranks) {
            count.decay(factor);
            *rank = count.rank(threshold);
        }
    }
}

/// The N-grams of both sides.
pub struct NGrams {
    kind: NGram,
    span: usize,
    threshold: f32,
    decay: f32,
    /// Whether there are rows for contexts, and the row without context, if there is one.
    has_contexts: bool,
    row_without: Option<usize>,
    /// For each side.
    dense: [Dense; 2],
    /// Whether moves are steps: the first of a game has no two moves before it, and no such N-gram.
    are_steps: bool,
    /// After two moves, one or the other.
    near: Option<[Near; 2]>,
    sparse: Option<[Sparse; 2]>,
    /// Ranks put together from several tables.
    mixed: Vec<u16>,
}

/// Of the memory of a search, the part that the tables after two moves may take.
const TWO_PART: usize = 8;

impl NGrams {
    /// Tables for moves that are steps to cells with numbers below `span` on a grid with rows of `stride`
    /// numbers, where a side goes on from its last move; none if nothing asks for them.
    pub fn of_steps(params: &Params, span: usize, stride: usize) -> Option<Self> {
        Self::build(params, span, Some(stride))
    }

    /// Tables for moves with numbers below `span`; none if nothing asks for them.
    pub fn new(params: &Params, span: usize) -> Option<Self> {
        Self::build(params, span, None)
    }

    fn build(params: &Params, span: usize, stride: Option<usize>) -> Option<Self> {
        let is_biased = params.bias_weight > 0.0 || params.ulm != Ulm::Off;
        let kind = match params.ngram {
            // Selection takes the mean of both.
            NGram::Off if is_biased => NGram::Average,
            NGram::Off => return None,
            kind => kind,
        };
        let has_two = is_biased || matches!(kind, NGram::Two | NGram::Average);
        let has_contexts = is_biased || kind != NGram::Mast;
        let rows_with = if has_contexts { span + 1 } else { 0 };
        let row_without = (kind == NGram::Mast).then_some(rows_with);
        let rows = rows_with + usize::from(row_without.is_some());
        let pairs = (span + 1) * (span + 1);
        let bytes = ((params.memory as usize) << 20) / TWO_PART / 2 / params.thread_count();
        let reach = if params.ngram_sequence { Reach::OneStep } else { Reach::TwoSteps };
        let near = |stride| Near::new(span, stride, reach, bytes);
        let near =
            stride.filter(|_| has_two).and_then(|stride| Some([near(stride)?, near(stride)?]));
        let has_sparse = has_two && near.is_none();
        let sparse = || Sparse::new(pairs, span, bytes);
        Some(Self {
            kind,
            span,
            threshold: params.ngram_threshold,
            decay: params.ngram_decay,
            has_contexts,
            row_without,
            dense: [Dense::new(rows, span), Dense::new(rows, span)],
            are_steps: stride.is_some(),
            near,
            sparse: has_sparse.then(|| [sparse(), sparse()]),
            mixed: vec![0; span],
        })
    }

    /// The move of the highest rate among the legal ones, those whose byte is the mark; none if none
    /// is known.
    #[inline(always)]
    pub fn best(
        &mut self,
        side: usize,
        context: Context,
        legal: &[u8],
        mark: u8,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (kind, row) = (self.kind, self.row_without.unwrap_or(context.last));
        let Self { span, dense, sparse, mixed, .. } = self;
        let ranks = dense[side].ranks(row);
        match sparse {
            Some(sparse) if matches!(kind, NGram::Two | NGram::Average) => {
                mixed.copy_from_slice(ranks);
                let context = context.before * (*span + 1) + context.last;
                let averages = kind == NGram::Average;
                sparse[side].mix_into(mixed, context, |one, two| mixed_rank(averages, one, two));
                highest_legal(mixed, legal, mark, rng)
            }
            _ => highest_legal(ranks, legal, mark, rng),
        }
    }

    /// The step of the highest rate among those to the cells `around` the last move of a side; none if
    /// none is known. Only those count that have their bit in `legal`; all are looked at, since that needs
    /// no branch.
    #[inline(always)]
    pub fn best_of(
        &self,
        side: usize,
        context: Context,
        around: [u16; WAYS],
        legal: u8,
        rng: &mut Rng,
    ) -> Option<usize> {
        let ranks = self.dense[side].ranks(self.row_without.unwrap_or(context.last));
        let ones = around.map(|number| ranks[number as usize]);
        let twos = match (&self.near, self.kind) {
            (Some(near), NGram::Two | NGram::Average) if self.has_both(context) => {
                near[side].ranks(context, around, self.threshold)
            }
            (None, NGram::Two | NGram::Average) => {
                around.map(|number| self.rank_after_two(side, context, number as usize))
            }
            _ => [0; WAYS],
        };
        let averages = self.kind == NGram::Average;
        let mut highest = 0;
        let mut ranks = [0; WAYS];
        for way in 0..WAYS {
            let is_legal = u16::from(legal >> way & 1).wrapping_neg();
            let (one, two) = (ones[way], twos[way]);
            let rank = if two == 0 { one } else { mixed_rank(averages, one, two) };
            ranks[way] = rank & is_legal;
            highest = highest.max(ranks[way]);
        }
        if highest == 0 {
            return None;
        }
        // Equal ones are drawn uniformly.
        let mut equal = 0_u32;
        for (way, rank) in ranks.iter().enumerate() {
            equal |= u32::from(*rank == highest) << way;
        }
        for _ in 0..rng.below(equal.count_ones()) {
            equal &= equal - 1;
        }
        Some(around[equal.trailing_zeros() as usize] as usize)
    }

    /// Whether there are two moves before one.
    #[inline(always)]
    fn has_both(&self, context: Context) -> bool {
        !self.are_steps || context.before < self.span
    }

    /// The rank of a move after two others; 0 if it does not count, or there are no such tables.
    #[inline(always)]
    fn rank_after_two(&self, side: usize, context: Context, number: usize) -> u16 {
        match (&self.near, &self.sparse) {
            _ if !self.has_both(context) => 0,
            (Some(near), _) => near[side].ranks(context, [number as u16; WAYS], self.threshold)[0],
            (_, Some(sparse)) => {
                sparse[side].rank(context.before * (self.span + 1) + context.last, number)
            }
            _ => 0,
        }
    }

    /// The mean rate of a move after one move and after two, as far as they are known.
    pub fn value(&self, side: usize, context: Context, number: usize) -> Option<f32> {
        let one = self.dense[side].ranks(context.last)[number];
        let two = self.rank_after_two(side, context, number);
        match (one, two) {
            (0, 0) => None,
            (0, known) | (known, 0) => Some(rate(known)),
            (one, two) => Some((rate(one) + rate(two)) / 2.0),
        }
    }

    /// Learns from a playout.
    #[inline(always)]
    pub fn learn(&mut self, game: &impl LearnableGame) {
        let rewards = [game.reward(0), game.reward(1)];
        // Not a loop: the moves come in pairs, and inside they are gone through faster.
        game.all(self.span).for_each(|played| {
            let (side, reward) = (played.side, rewards[played.side]);
            if let Some(row) = self.row_without {
                self.dense[side].add(row, played.number, reward, self.threshold);
            }
            if self.has_contexts {
                self.dense[side].add(played.context.last, played.number, reward, self.threshold);
            }
            if !self.has_both(played.context) {
                return;
            }
            if let Some(near) = &mut self.near {
                near[side].add(played.context, played.number, reward);
            } else if let Some(sparse) = &mut self.sparse {
                let context = played.context.before * (self.span + 1) + played.context.last;
                sparse[side].add(context, played.number, reward, self.threshold);
            }
        });
    }

    /// The game goes on by a turn.
    pub fn age(&mut self) {
        self.decay_by(self.decay);
    }

    /// Forgets everything.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn clear(&mut self) {
        self.decay_by(0.0);
    }

    fn decay_by(&mut self, factor: f32) {
        if factor == 1.0 {
            return;
        }
        self.dense.iter_mut().for_each(|table| table.decay(factor, self.threshold));
        self.near.iter_mut().flatten().for_each(|table| table.decay(factor));
        let tables = self.sparse.iter_mut().flatten();
        tables.for_each(|table| table.decay(factor, self.threshold));
    }

    pub fn bytes(&self) -> usize {
        let dense = self.dense.iter().map(|table| table.len() * Dense::row_bytes(self.span));
        let sparse = self.sparse.iter().flatten().map(Sparse::bytes);
        let near = self.near.iter().flatten().map(Near::bytes);
        dense.sum::<usize>() + near.sum::<usize>() + sparse.sum::<usize>()
    }
}

/// The rank after two moves, in its own right or averaged with the one after one move.
#[inline(always)]
fn mixed_rank(averages: bool, one: u16, two: u16) -> u16 {
    let mean = one / 2 + two / 2 + (one & two & 1);
    if averages && one > 0 { mean } else { two }
}

/// Ranks looked at together.
const WIDTH: usize = 16;

/// The place of the highest rank among legal moves, those whose byte is the mark; none if there is
/// none above 0. Equal ones are drawn uniformly.
///
/// One pass finds, as vectors, the highest rank of each lane, how often it comes there, and where it came
/// first. Most often there is but one of them, and no more is to be done.
#[inline(always)]
fn highest_legal(ranks: &[u16], legal: &[u8], mark: u8, rng: &mut Rng) -> Option<usize> {
    let (ranks, _) = ranks.as_chunks::<WIDTH>();
    let (legal, _) = legal.as_chunks::<WIDTH>();
    debug_assert_eq!(ranks.len(), legal.len());
    let (mut highest, mut counts, mut firsts) = ([0; WIDTH], [0_u16; WIDTH], [0_u16; WIDTH]);
    for (chunk, (ranks, legal)) in (0_u16..).zip(ranks.iter().zip(legal)) {
        for at in 0..WIDTH {
            // Masks, not conditions: those would become branches.
            let mask = u16::from(legal[at] == mark).wrapping_neg();
            let rank = ranks[at] & mask;
            let is_kept = u16::from(rank <= highest[at]).wrapping_neg();
            counts[at] = (counts[at] & is_kept) + u16::from(rank >= highest[at]);
            firsts[at] = (firsts[at] & is_kept) | (chunk & !is_kept);
            highest[at] = highest[at].max(rank);
        }
    }
    let mut best = 0;
    for rank in highest {
        best = best.max(rank);
    }
    if best == 0 {
        return None;
    }
    let (mut count, mut is_best) = (0, [0; WIDTH]);
    for at in 0..WIDTH {
        is_best[at] = u8::from(highest[at] == best);
        count += counts[at] & u16::from(highest[at] == best).wrapping_neg();
    }
    if count == 1 {
        let lane = bits_of(&is_best).trailing_zeros() as usize % WIDTH;
        return Some(WIDTH * usize::from(firsts[lane]) + lane);
    }
    let mut skipped = rng.below(count.into());
    for (chunk, (ranks, legal)) in ranks.iter().zip(legal).enumerate() {
        let mut is_best = [0; WIDTH];
        for at in 0..WIDTH {
            is_best[at] = u8::from((ranks[at] == best) & (legal[at] == mark));
        }
        let mut bits = bits_of(&is_best);
        if skipped < bits.count_ones() {
            for _ in 0..skipped {
                bits &= bits - 1;
            }
            return Some(WIDTH * chunk + bits.trailing_zeros() as usize);
        }
        skipped -= bits.count_ones();
    }
    None
}

#[cfg(test)]
mod tests;
