//! What is added to the scores of children besides their value and exploration: history, bias, and
//! which children are let in at all. None of it costs anything when it is off.
//!
//! **Progressive history** (Stankiewicz 2011 eq. 2.3): `(w / n) W / (l + 1)`, where `w / n` is how the
//! side fared with the move over the whole search, and `l` the losses of the child. Losses are of real
//! visits, without prior ones.
//!
//! **Progressive bias** (Laschet 2012 §4.2): `W H / (l + 1)`, where `H` is the mean of the move's 2- and
//! 3-gram values. There, values and `H` are from -1 to 1: where they are from 0 to 1 it is
//! `W (H - 1/2) / (l + 1)`. A move of which nothing is known is worth as much as a draw.
//!
//! **UCT-ULM** (Laschet 2012 §4.1): while a node has children without visits, the one with the highest
//! N-gram value is taken; or (§6) at every node, whatever its visits.
//!
//! **Progressive widening** (Lorentz 2010 §3.4): only so many children are let in, in random order from
//! the first visit on, or, after a number of visits, those with the most wins; the others come back
//! evenly over the span. At least [`LEAST_CHILDREN`] are always in.

use super::score::AdjustScores;
use crate::game::{LeafWork, Move, Value};
use crate::params::{Params, Ulm, Widening};
use crate::tree::Block;

/// The children that widening begins with.
const LEAST_CHILDREN: usize = 8;

/// How each side fared with each move, over the whole search.
#[derive(Default)]
pub struct History {
    /// For each side, points and plays by the number of the move.
    counts: [Vec<(f32, f32)>; 2],
}

impl History {
    /// An empty history of moves with numbers below `span`.
    pub fn new(span: usize) -> Self {
        Self { counts: [vec![(0.0, 0.0); span], vec![(0.0, 0.0); span]] }
    }

    pub fn clear(&mut self) {
        self.counts.iter_mut().for_each(|counts| counts.fill((0.0, 0.0)));
    }

    /// Adds the moves of a side in a playout, with what it was worth to the side.
    pub fn add(&mut self, side: usize, moves: &[u16], reward: f32) {
        for number in moves {
            let (wins, plays) = &mut self.counts[side][*number as usize];
            *wins += reward;
            *plays += 1.0;
        }
    }

    fn rate(&self, side: usize, number: usize) -> f32 {
        let (wins, plays) = self.counts[side][number];
        if plays > 0.0 { wins / plays } else { 0.0 }
    }
}

/// Steers a way down the tree.
pub struct ScoreBias<'a> {
    pub params: &'a Params,
    pub leaves: &'a dyn LeafWork,
    pub history: &'a History,
    pub root_side: usize,
    /// Room for the values of moves.
    pub values: &'a mut Vec<Option<f32>>,
}

/// Whether anything is to be steered.
pub fn is_wanted(params: &Params) -> bool {
    params.history_weight > 0.0
        || params.bias_weight > 0.0
        || params.ulm != Ulm::Off
        || params.widening != Widening::Off
}

impl AdjustScores for ScoreBias<'_> {
    fn adjust(&mut self, block: &Block, visits: u32, line: &[Move], scores: &mut [f32]) {
        let Params { history_weight, bias_weight, ulm, widening, .. } = *self.params;
        if visits < self.params.node_trials {
            // Scores do not count yet; which child without visits is taken does.
            if ulm != Ulm::Off {
                choose_by_value(block, self.ngram_values(block, line), ulm, scores);
            }
            return;
        }
        let side = self.root_side ^ (line.len() & 1);
        if history_weight > 0.0 {
            for (index, number) in block.moves.iter().enumerate() {
                let rate = self.history.rate(side, *number as usize);
                scores[index] += history_weight * rate / (losses(block, index) + 1.0);
            }
        }
        if bias_weight > 0.0 || ulm != Ulm::Off {
            let values = self.ngram_values(block, line);
            if bias_weight > 0.0 {
                for (index, value) in values.iter().enumerate() {
                    let value = value.unwrap_or(0.5) - 0.5;
                    scores[index] += bias_weight * value / (losses(block, index) + 1.0);
                }
            }
            if ulm != Ulm::Off {
                choose_by_value(block, values, ulm, scores);
            }
        }
        if widening != Widening::Off {
            self.shut_out(block, visits, line, scores);
        }
    }
}

impl ScoreBias<'_> {
    fn ngram_values(&mut self, block: &Block, line: &[Move]) -> &[Option<f32>] {
        self.values.clear();
        self.leaves.list_values(line, block.moves, self.values);
        self.values
    }

    /// Shuts out the children that are not let in yet.
    fn shut_out(&self, block: &Block, visits: u32, line: &[Move], scores: &mut [f32]) {
        let Params { widening, widening_start, widening_span, .. } = *self.params;
        let is_by_wins = widening == Widening::Wins;
        let start = if is_by_wins { widening_start } else { 0 };
        if visits < start {
            return;
        }
        let share = f64::from(visits - start) / f64::from(widening_span);
        let let_in = ((share * block.count() as f64) as usize).max(LEAST_CHILDREN);
        let seed = line.last().map_or(0, |last| last.number() as u64 + 1);
        let order = |index: usize| {
            if is_by_wins {
                u64::from(block.wins(index))
            } else {
                shuffled(block.moves[index] as u64, seed)
            }
        };
        let open = (0..block.count()).filter(|index| !block.status(*index).is_proven());
        let mut open: Vec<(u64, usize)> = open.map(|index| (order(index), index)).collect();
        if let_in < open.len() {
            open.select_nth_unstable_by(let_in, |a, b| b.cmp(a));
            for (_, index) in &open[let_in..] {
                scores[*index] = SHUT_OUT;
            }
        }
    }
}

/// Below the score of any child that is let in, above those that are proven.
const SHUT_OUT: f32 = -1e8;

/// The losses of a child by playouts.
fn losses(block: &Block, index: usize) -> f32 {
    let visits = block.visits(index);
    if visits == 0 {
        return 0.0;
    }
    let rate = block.wins(index) as f32 / (Value::WIN.parts() as f32 * visits as f32);
    block.real_visits(index) as f32 * (1.0 - rate).max(0.0)
}

/// Lets the N-gram values decide among the children without visits, or among all.
fn choose_by_value(block: &Block, values: &[Option<f32>], ulm: Ulm, scores: &mut [f32]) {
    let is_candidate = |index: &usize| {
        !block.status(*index).is_proven() && (ulm == Ulm::All || block.real_visits(*index) == 0)
    };
    let candidates: Vec<usize> = (0..block.count()).filter(is_candidate).collect();
    if candidates.iter().all(|index| values[*index].is_none()) {
        return;
    }
    for (index, score) in scores[..block.count()].iter_mut().enumerate() {
        if !block.status(index).is_proven() {
            *score = SHUT_OUT;
        }
    }
    for index in candidates {
        scores[index] = values[index].unwrap_or(-1.0);
    }
}

/// A number that orders moves at random, the same for a seed every time.
fn shuffled(number: u64, seed: u64) -> u64 {
    let mixed = (number ^ seed << 32).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests;
