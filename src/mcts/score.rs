//! Selection: the scores of the children of a block, column by column, and the best of them.
//!
//! The score of a child is its value, blended with its RAVE value, plus an exploration term (Stankiewicz
//! 2011 eq. 2.1 and 2.2; Duguépéroux 2016 §3.1; Lorentz 2010 §2), or a term by the prior probability of
//! the child (PUCT; Rosin 2011). Every instruction set gives the same numbers.
//! - Eight children are scored at once. The formula is chosen once for a block, not for each child.
//! - `terms` are the parts of a score. `joint` sums counts for simultaneous moves. `logarithm` is the
//!   same on every machine.

mod joint;
mod logarithm;
mod terms;

pub use logarithm::natural_logarithm;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU32};

use super::parallel::OwnBlocks;
use crate::bits::Isa;
use crate::bits::lanes::{LANES, LaneKernel, Lanes};
use crate::game::{Move, Value};
use crate::params::{Bound, Params, Rave, Selection};
use crate::rng::Rng;
use crate::tree::{Block, Handle, NodeRef, RaveCount, Tree};
use joint::Sums;
use terms::{
    Alpha, Bernstein, Beta, Counts, Hoeffding, LeastVisited, Nothing, Plain, Puct, Term, Tuned,
};

/// Above every other score: children that have to be tried first.
const FIRST: f32 = 1e9;
/// Below every other score: proven children.
const NEVER: f32 = -1e9;
/// Below `NEVER`: lanes without a child.
const NO_CHILD: f32 = -2e9;

/// The formula of the scores.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    selection: Selection,
    exploration: f32,
    bound: Bound,
    child_trials: u32,
    node_trials: u32,
    first_play: f32,
    rave: Rave,
    rave_weight: f32,
    /// Whether sides that move simultaneously choose by separate counts.
    is_stacked: bool,
}

impl Formula {
    pub fn new(params: &Params) -> Self {
        Self {
            selection: params.selection,
            exploration: params.exploration,
            bound: params.bound,
            child_trials: params.child_trials,
            node_trials: params.node_trials,
            first_play: params.first_play,
            rave: params.rave,
            rave_weight: params.rave_weight,
            is_stacked: params.stacked,
        }
    }
}

/// Selects paths down the tree. Its memory is reused.
pub struct Selector {
    isa: Isa,
    formula: Formula,
    scores: Vec<f32>,
    sums: Sums,
}

impl Selector {
    pub fn new(isa: Isa, formula: Formula) -> Self {
        Self { isa, formula, scores: vec![NO_CHILD; 64 * MOST_WORDS], sums: Sums::default() }
    }

    /// Selects from the given children down to a leaf. Adds the nodes of the path and the moves to them
    /// to `path` and `line`.
    pub fn descend<'a>(
        &'a mut self,
        input: DescentInput<'a, '_>,
        path: &'a mut Vec<NodeRef>,
        line: &'a mut Vec<Move>,
    ) {
        let Self { isa, formula, scores, sums } = self;
        isa.run_lanes(Descent { input, formula, scores, sums, path, line });
    }
}

/// Where selection begins: the children of a node with `visits` visits.
pub struct DescentInput<'a, 's> {
    pub tree: &'a Tree,
    pub children: Handle,
    pub visits: u32,
    /// The thread's own counts, if other threads are in the tree.
    pub own_blocks: Option<&'a OwnBlocks>,
    pub virtual_loss: VirtualLoss,
    pub rng: &'a mut Rng,
    pub adjust: Option<&'a mut (dyn AdjustScores + 's)>,
}

/// Visits without points that are added to the nodes of a path, until its leaf has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VirtualLoss {
    None,
    /// In blocks that other threads add to, so that they see them.
    Shared(u32),
    /// In all blocks, also for the next leaves of the same batch.
    Everywhere(u32),
}

impl VirtualLoss {
    /// The virtual visits of a node in a block that is shared with other threads or not.
    #[inline(always)]
    pub fn visits(self, is_shared: bool) -> u32 {
        match self {
            Self::Shared(visits) if is_shared => visits,
            Self::Everywhere(visits) => visits,
            Self::None | Self::Shared(_) => 0,
        }
    }
}

/// Changes the scores of the children of a node.
pub trait AdjustScores {
    /// Changes the scores of the children of a node with `visits` visits, at the end of `line`.
    fn adjust(&mut self, block: &Block, visits: u32, line: &[Move], scores: &mut [f32]);
}

/// The whole path down the tree as one lane kernel: to enter the code for an instruction set at every
/// level would cost a tenth of the time.
struct Descent<'a, 's> {
    input: DescentInput<'a, 's>,
    formula: &'a Formula,
    scores: &'a mut [f32],
    sums: &'a mut Sums,
    path: &'a mut Vec<NodeRef>,
    line: &'a mut Vec<Move>,
}

impl LaneKernel for Descent<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Descent { input, formula, scores, sums, path, line } = self;
        let DescentInput { tree, children, mut visits, own_blocks, virtual_loss, rng, mut adjust } =
            input;
        let look = |handle| match own_blocks {
            Some(own_blocks) => own_blocks.block(tree, handle),
            None => tree.block(handle),
        };
        let mut visits_above = 0;
        let mut next = Some(children);
        while let Some(handle) = next {
            let level = path.len();
            let block = look(handle);
            block.prefetch_links();
            let bias = adjust.as_deref_mut().map(|adjust| Adjusted { adjust, line });
            // The second side does not know the choice of the first.
            let index = if formula.is_stacked && level % 2 == 1 {
                let first = path.last().expect("a move was chosen").block;
                let summed = sums.over(look, first, handle);
                choose::<L>(formula, &summed, visits_above.max(visits), scores, bias, rng)
            } else {
                choose::<L>(formula, &block, visits, scores, bias, rng)
            };
            path.push(NodeRef { block: handle, index });
            line.push(Move::new(block.moves[index] as usize));
            (visits_above, visits) = (visits, block.real_visits(index));
            if virtual_loss != VirtualLoss::None {
                let is_shared = own_blocks.is_some_and(|own_blocks| !own_blocks.has(handle));
                match virtual_loss.visits(is_shared) {
                    0 => {}
                    visits => block.add_visits(index, visits),
                }
            }
            next = block.child(index);
            if let Some(children) = next {
                tree.prefetch(children, block.count() - 1);
            }
        }
    }
}

/// The object that changes the scores of a node, and the line of moves to the node.
struct Adjusted<'a, 's> {
    adjust: &'a mut (dyn AdjustScores + 's),
    line: &'a [Move],
}

/// The child to select below a node with `visits` visits. Ties are drawn uniformly. It is unproven,
/// unless another thread has just proven all of them.
#[inline(always)]
fn choose<'a, L: Lanes>(
    formula: &'a Formula,
    block: &'a Block<'a>,
    visits: u32,
    scores: &'a mut [f32],
    adjusted: Option<Adjusted<'a, '_>>,
    rng: &mut Rng,
) -> usize {
    if block.count() == 1 {
        return 0;
    }
    let scores = &mut scores[..block.count().next_multiple_of(LANES)];
    let best = Scores { formula, block, visits, scores, adjusted }.best::<L>();
    best.nth(if best.count == 1 { 0 } else { rng.below(best.count) })
}

/// Words for a bit of every child: more than any game has moves.
pub(super) const MOST_WORDS: usize = 8;

/// The children with the best score, as a bit set.
struct Best {
    count: u32,
    words: [u64; MOST_WORDS],
}

impl Best {
    /// The child with the given rank among them.
    #[inline(always)]
    fn nth(&self, number: u32) -> usize {
        let mut left = number;
        for (at, word) in self.words.iter().enumerate() {
            let here = word.count_ones();
            if left < here {
                let mut rest = *word;
                for _ in 0..left {
                    rest &= rest - 1;
                }
                return 64 * at + rest.trailing_zeros() as usize;
            }
            left -= here;
        }
        unreachable!("there are as many as were counted")
    }
}

/// Scores the children of a block and finds the best.
struct Scores<'a, 's> {
    formula: &'a Formula,
    block: &'a Block<'a>,
    visits: u32,
    scores: &'a mut [f32],
    adjusted: Option<Adjusted<'a, 's>>,
}

impl Scores<'_, '_> {
    #[inline(always)]
    fn best<L: Lanes>(mut self) -> Best {
        let score = self.best_score::<L>();
        let best = self.find::<L>(score);
        if best.count > 0 { best } else { self.find::<L>(self.best_written()) }
    }

    /// The best of the stored scores. The last vector may overlap the one before, so some children are
    /// scored twice. If another thread changes their counts in between, the better score may be
    /// overwritten.
    #[cold]
    fn best_written(&self) -> f32 {
        self.scores.iter().copied().fold(NO_CHILD, f32::max)
    }

    /// Scores all children. Returns the best score.
    #[inline(always)]
    fn best_score<L: Lanes>(&mut self) -> f32 {
        let Formula { first_play, rave_weight: weight, child_trials: trials, .. } = *self.formula;
        if self.formula.selection == Selection::Flat {
            return self.score_all::<L>(0, LeastVisited, Nothing);
        }
        if self.visits < self.formula.node_trials {
            let best = self.score_all::<L>(0, Nothing, Nothing);
            return if self.adjusted.is_some() { self.adjust() } else { best };
        }
        // With so few visits at least one child lacks trials: no formula is needed, unless all such
        // children are proven.
        if u64::from(self.visits) < u64::from(trials) * self.block.count() as u64 {
            let best = self.score_all::<L>(trials, Nothing, Nothing);
            if best == FIRST {
                return best;
            }
        }
        let best = match self.formula.rave {
            Rave::Off if self.formula.bound == Bound::Puct => self.score_by_prior::<L>(),
            Rave::Off => self.score_with_bound::<L>(Plain { first_play }),
            Rave::Alpha => self.score_with_bound::<L>(Alpha { weight, first_play }),
            Rave::Beta => self.score_with_bound::<L>(Beta { weight, first_play }),
        };
        if self.adjusted.is_some() { self.adjust() } else { best }
    }

    /// Lets the scores be changed. Returns the best score after that.
    #[cold]
    fn adjust(&mut self) -> f32 {
        if let Some(Adjusted { adjust, line }) = &mut self.adjusted {
            adjust.adjust(self.block, self.visits, line, self.scores);
        }
        self.best_written()
    }

    /// Scores all children by a value and the exploration term of the formula, if it has one.
    #[inline(always)]
    fn score_with_bound<L: Lanes>(&mut self, value: impl Term) -> f32 {
        let Formula { exploration: weight, child_trials: trials, bound, .. } = *self.formula;
        let log = natural_logarithm(self.visits.max(1));
        if weight == 0.0 {
            self.score_all::<L>(trials, value, Nothing)
        } else {
            match bound {
                Bound::Hoeffding => self.score_all::<L>(trials, value, Hoeffding { weight, log }),
                Bound::Bernstein => self.score_all::<L>(trials, value, Bernstein { weight, log }),
                Bound::Tuned => self.score_all::<L>(trials, value, Tuned { weight, log }),
                Bound::Puct => unreachable!("there is no RAVE beside priors"),
            }
        }
    }

    /// Scores all children by win rate and prior probability.
    #[inline(always)]
    fn score_by_prior<L: Lanes>(&mut self) -> f32 {
        let Formula { exploration, first_play, child_trials: trials, .. } = *self.formula;
        let visits = self.visits.max(1) as f32;
        let weight = exploration * visits.sqrt() / RaveCount::PRIOR_ONE as f32;
        self.score_all::<L>(trials, Plain { first_play }, Puct { weight })
    }

    /// Scores all children. Returns the best score. Whole vectors first; then the last eight children
    /// again, instead of the remainder one by one.
    #[inline(always)]
    fn score_all<L: Lanes>(
        &mut self,
        trials: u32,
        value: impl Term,
        exploration: impl Term,
    ) -> f32 {
        let (visits, wins, rave, status) = self.block.scored();
        let count = visits.len();
        let mut best = L::floats(NO_CHILD);
        if count < LANES {
            let scores = score_eight::<L>(
                &filled_up(visits),
                &filled_up(wins),
                &filled_up(rave),
                &filled_up(status),
                trials,
                value,
                exploration,
            );
            let mut eight = [0.0; LANES];
            L::store_floats(scores, &mut eight);
            eight[count..].fill(NO_CHILD);
            best = L::load_floats(&eight);
            self.scores.copy_from_slice(&eight);
        } else {
            let mut at = 0;
            loop {
                let scores = score_eight::<L>(
                    eight(visits, at),
                    eight(wins, at),
                    eight(rave, at),
                    eight(status, at),
                    trials,
                    value,
                    exploration,
                );
                best = L::max(scores, best);
                let place = self.scores[at..].first_chunk_mut().expect("there are eight");
                L::store_floats(scores, place);
                if at + LANES == count {
                    break;
                }
                at = (at + LANES).min(count - LANES);
            }
            self.scores[count..].fill(NO_CHILD);
        }
        L::largest(best)
    }

    /// The children with a given score.
    #[inline(always)]
    fn find<L: Lanes>(&self, score: f32) -> Best {
        let wanted = L::floats(score);
        let mut best = Best { count: 0, words: [0; MOST_WORDS] };
        // 64 scores to a word: a branch for every eight would often be mispredicted.
        for (word, scores) in best.words.iter_mut().zip(self.scores.chunks(64)) {
            for (at, piece) in scores.as_chunks::<LANES>().0.iter().enumerate() {
                let equal = L::equal_bits(L::load_floats(piece), wanted);
                *word |= u64::from(equal) << (LANES * at);
            }
            best.count += word.count_ones();
        }
        best
    }
}

#[inline(always)]
fn eight<T>(column: &[T], at: usize) -> &[T; LANES] {
    column[at..].first_chunk().expect("there are eight")
}

/// A column of fewer than eight cells, padded with zeros.
#[inline(always)]
fn filled_up<C: Cell>(column: &[C]) -> [C; LANES] {
    std::array::from_fn(|lane| column.get(lane).map_or_else(C::default, C::copy))
}

/// A cell of a column.
trait Cell: Default {
    fn copy(&self) -> Self;
}

impl Cell for AtomicU32 {
    fn copy(&self) -> Self {
        Self::new(self.load(Relaxed))
    }
}

impl Cell for AtomicU8 {
    fn copy(&self) -> Self {
        Self::new(self.load(Relaxed))
    }
}

#[inline(always)]
fn score_eight<L: Lanes>(
    visits: &[AtomicU32; LANES],
    wins: &[AtomicU32; LANES],
    rave: &[AtomicU32; LANES],
    status: &[AtomicU8; LANES],
    trials: u32,
    value: impl Term,
    exploration: impl Term,
) -> L::Floats {
    let rave = L::load_cells(rave);
    let counts = Counts::<L> {
        visits: L::load_cells(visits),
        // In points: exact, since the factor is a power of two.
        wins: L::mul(L::to_floats(L::load_cells(wins)), L::floats(1.0 / Value::PARTS as f32)),
        rave_visits: L::low_half(rave),
        rave_points: L::to_floats(L::high_half(rave)),
    };
    let sum = exploration.added_to(value.of(&counts), &counts);
    let sum = L::div(sum.above, sum.below);
    let is_on_trial = L::less(counts.visits, L::ints(trials as i32));
    let sum = L::either(is_on_trial, L::floats(FIRST), sum);
    // The status byte of a proven node is negative.
    let is_proven = L::less(L::load_byte_cells(status), L::ints(0));
    L::either(is_proven, L::floats(NEVER), sum)
}

#[cfg(test)]
mod tests;
