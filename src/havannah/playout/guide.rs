//! The policies of a playout, in the order in which they are asked for a move.
//!
//! 1. A side that can win at once, or must block, does (`mate`, in the kernel).
//! 2. Replies to intrusions, last good replies, N-grams, the list from search.
//! 3. The default move: by weight, or random.
//!
//! Last good replies before N-grams before the default is the order of Stankiewicz 2011 §4.4.3; the papers
//! do not combine the others. A policy without a move leaves it to the next one. A policy sees the moves
//! so far and the stones, never the tree.

use super::bridge_reply::bridge_reply;
use super::joint_sampler::JointSampler;
use super::locality::{DEAD_TRIES, Filter, LastMoves};
use super::pattern_sampler::PatternSampler;
use super::pool::{Pick, Pool};
use super::position::SimulatedPosition;
use super::random::{MARGIN, NEVER, Workspace};
use super::rings::RingRule;
use super::start::Start;
use super::unchecked::{get, set};
use crate::game::{Chooser, Hits, Move};
use crate::havannah::geometry::MAX_INDEX;
use crate::havannah::weights::PatternWeights as Learned;
use crate::havannah::{Board, Cell, Layout, Set, Width};
use crate::params::{NGram, Params, PlayoutPolicy, PlayoutWeights};
use crate::policies::games::{Context, SequentialGame};
use crate::policies::lgr::Replies;
use crate::policies::ngram::NGrams;
use crate::rng::Rng;

/// One game has the weight 1 / `END_PARTS` in the mean of the game lengths.
const END_PARTS: usize = 16;

/// The policies of the playouts of a search thread, and what they have learned.
pub struct Guide<W: Width> {
    /// The number of plies with the check for wins in one, and with the check for double threats.
    pub mate_plies: usize,
    pub havannah_mate_plies: usize,
    /// The number of plies after which a playout is stopped.
    cut: usize,
    /// The share of the empty cells after which rings do not count, and the number of old stones they need.
    pub ring_fill: f32,
    ring_stones: usize,
    replies_to_bridges: bool,
    keeps_replies: bool,
    replies: Option<Replies>,
    ngrams: Option<NGrams>,
    epsilon: f32,
    asks_ngrams: bool,
    pool: Option<Pool>,
    joint_sampler: Option<JointSampler>,
    pattern_sampler: Option<PatternSampler<W>>,
    filter: Option<Filter>,
    /// The start position of the playouts, and the position in the current playout.
    begin: SimulatedPosition<W>,
    pub position: SimulatedPosition<W>,
    /// Whether anything reads `position`.
    keeps_position: bool,
    /// The place of each cell in the list of moves.
    places: [u16; MAX_INDEX],
    /// The winning and blocking moves of each side in this playout.
    pub killers: [Set<W>; 2],
    pub hits: Hits,
    /// The mean number of stones at the end of recent games, times [`END_PARTS`]; 0 before the first game.
    mean_end: usize,
    script: Vec<u16>,
}

impl<W: Width> Guide<W> {
    /// The policies that the settings ask for; `None` if the random kernel with its mate check is enough.
    pub fn new(layout: &'static Layout<W>, params: &Params) -> Option<Self> {
        let board = Board::empty(layout);
        let filter = Filter::new(params);
        let needs_near = filter.as_ref().is_some_and(Filter::needs_near);
        let needs_filter = filter.is_some();
        let begin = SimulatedPosition::new(&board, needs_near);
        let is_mate = params.policy == PlayoutPolicy::Mate;
        let guide = Self {
            mate_plies: if is_mate { params.mate_plies as usize * layout.size() } else { 0 },
            havannah_mate_plies: if params.havannah_mate {
                layout.cell_count() / params.havannah_mate_part as usize
            } else {
                0
            },
            cut: if params.playout_cut > 0 { params.playout_cut as usize } else { usize::MAX },
            ring_fill: params.ring_fill,
            ring_stones: params.ring_stones as usize,
            replies_to_bridges: params.bridge_reply,
            keeps_replies: params.lgr_keep,
            replies: Replies::new(params, W::INDICES),
            ngrams: NGrams::new(params, W::INDICES),
            epsilon: params.ngram_epsilon,
            asks_ngrams: params.ngram != NGram::Off,
            pool: Pool::new(params),
            joint_sampler: (params.playout_weights == PlayoutWeights::Joint)
                .then(|| JointSampler::new(params)),
            pattern_sampler: (params.playout_weights == PlayoutWeights::Patterns).then(|| {
                let learned = Learned::named(&params.pattern_file, layout.size());
                PatternSampler::new(layout, params, &learned)
            }),
            filter,
            begin,
            position: begin,
            keeps_position: is_mate
                || params.havannah_mate
                || params.bridge_reply
                || params.ppr
                || needs_filter
                || params.playout_weights == PlayoutWeights::Joint,
            places: [0; MAX_INDEX],
            killers: [Set::<W>::empty(); 2],
            hits: Hits::default(),
            mean_end: 0,
            script: Vec::with_capacity(layout.cell_count()),
        };
        let is_needed = guide.havannah_mate_plies > 0
            || guide.cut < usize::MAX
            || guide.ring_fill < 1.0
            || guide.ring_stones > 0
            || guide.replies_to_bridges
            || guide.replies.is_some()
            || guide.ngrams.is_some()
            || guide.pool.is_some()
            || guide.joint_sampler.is_some()
            || guide.pattern_sampler.is_some()
            || guide.filter.is_some()
            || params.killer_rave;
        is_needed.then_some(guide)
    }

    /// Whether a policy needs a list of moves from search.
    pub fn wants_pool(&self) -> bool {
        self.pool.is_some()
    }

    /// Sets the list of moves from search.
    pub fn set_pool(&mut self, moves: &[u16]) {
        let cells = self.begin.layout.geometry.cells();
        if let Some(pool) = &mut self.pool {
            let list = pool.list_mut();
            list.clear();
            list.extend(moves.iter().map(|number| cells[*number as usize].index() as u16));
        }
    }

    pub fn ngrams(&self) -> Option<&NGrams> {
        self.ngrams.as_ref()
    }

    #[cfg(test)]
    pub fn ngrams_mut(&mut self) -> Option<&mut NGrams> {
        self.ngrams.as_mut()
    }

    /// The size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        self.replies.as_ref().map_or(0, Replies::bytes)
            + self.ngrams.as_ref().map_or(0, NGrams::bytes)
    }

    /// Prepares for the next move of the real game: clears or ages what was learned.
    pub fn next_turn(&mut self) {
        if !self.keeps_replies
            && let Some(replies) = &mut self.replies
        {
            replies.clear();
        }
        if let Some(ngrams) = &mut self.ngrams {
            ngrams.age();
        }
        self.hits = Hits::default();
    }

    /// Forgets everything learned.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn forget(&mut self) {
        if let Some(replies) = &mut self.replies {
            replies.clear();
        }
        if let Some(ngrams) = &mut self.ngrams {
            ngrams.clear();
        }
        self.mean_end = 0;
        self.hits = Hits::default();
    }

    /// Prepares for playouts from a position.
    pub fn start_from(&mut self, board: &Board<W>) {
        let needs_near = self.filter.as_ref().is_some_and(Filter::needs_near);
        self.begin = SimulatedPosition::new(board, needs_near);
        if let Some(weights) = &mut self.pattern_sampler {
            weights.start_from(board);
        }
    }

    /// Starts a playout.
    #[inline(always)]
    pub(super) fn begin(&mut self, start: &Start<W>) {
        self.places = start.places;
        self.position = self.begin;
        self.killers = [Set::<W>::empty(); 2];
        if let Some(pool) = &mut self.pool {
            pool.begin();
        }
        if let Some(weights) = &mut self.pattern_sampler {
            weights.begin();
        }
    }

    /// The ply at which most playouts from a position with `empty` empty cells are over; `None` before the
    /// first playout.
    #[inline(always)]
    pub(super) fn typical_end(&self, empty: usize) -> Option<usize> {
        let layout = self.begin.layout;
        let stones = layout.cell_count() - empty;
        let typical = self.mean_end / END_PARTS + layout.size();
        (self.mean_end > 0).then(|| typical.saturating_sub(stones))
    }

    /// Records the length of a playout.
    #[inline(always)]
    pub(super) fn note_end(&mut self, empty: usize, length: usize) {
        let stones = self.begin.layout.cell_count() - empty + length;
        let before = if self.mean_end == 0 { stones * END_PARTS } else { self.mean_end };
        self.mean_end = before - before / END_PARTS + stones;
    }

    /// The ply at which a playout with `line` given moves stops, from a position with `empty` empty cells.
    #[inline(always)]
    pub(super) fn last_ply(&self, line: usize, empty: usize) -> usize {
        line.saturating_add(self.cut).min(empty)
    }

    /// Which rings count in a playout that begins with a line of moves; `None` if all do. The caller sets the
    /// ply limit.
    #[inline(always)]
    pub(super) fn ring_rule(&self, line: &[Move], first_side: usize) -> Option<RingRule<W>> {
        if self.ring_fill >= 1.0 && self.ring_stones == 0 {
            return None;
        }
        let mut old = self.begin.stones;
        for (ply, given) in line.iter().enumerate() {
            let cell = self.begin.layout.geometry.cell_of(*given);
            old[first_side ^ (ply & 1)].insert(cell.index());
        }
        Some(RingRule { until: usize::MAX, needed: self.ring_stones, old })
    }

    /// Swaps a move to place `ply` of the list, and places its stone.
    #[inline(always)]
    pub(super) fn take(&mut self, workspace: &mut Workspace<W>, ply: usize, cell: Cell) {
        let place = get(&self.places, cell.index());
        let other = get(&workspace.moves, ply);
        set(&mut workspace.moves, place as usize, other);
        set(&mut self.places, other.index(), place);
        set(&mut workspace.moves, ply, cell);
        let side = workspace.side_at(ply);
        if self.keeps_position {
            self.position.place(side, cell);
        }
        if let Some(weights) = &mut self.pattern_sampler {
            weights.place(side, cell);
        }
    }

    /// The move for a ply.
    #[inline(always)]
    pub(super) fn choose(&mut self, workspace: &Workspace<W>, ply: usize, rng: &mut Rng) -> Cell {
        let side = workspace.side_at(ply);
        let earlier = |plies: usize| {
            if ply >= plies { get(&workspace.moves, ply - plies).index() } else { W::INDICES }
        };
        let context = Context { before: earlier(2), last: earlier(1) };
        let is_legal = |number: usize| get(&workspace.times, MARGIN + number) == NEVER;
        if self.replies_to_bridges
            && ply > 0
            && let Some(cell) = bridge_reply(&self.position, side, context.last, rng)
        {
            self.hits.count(Chooser::BridgeReply);
            return cell;
        }
        if let Some(replies) = &self.replies
            && let Some(number) = replies.reply(side, context, is_legal)
        {
            self.hits.count(Chooser::LastGoodReply);
            return Cell::from_index(number);
        }
        if self.asks_ngrams
            && let Some(ngrams) = &mut self.ngrams
        {
            let legal = &workspace.times[MARGIN..][..W::INDICES];
            if rng.unit() >= self.epsilon
                && let Some(number) = ngrams.best(side, context, legal, NEVER, rng)
            {
                self.hits.count(Chooser::NGram);
                return Cell::from_index(number);
            }
        }
        if let Some(pool) = &mut self.pool
            && let Some(pick) = pool.pick((workspace.move_count - ply) as u32, is_legal, rng)
        {
            self.hits.count(Chooser::Pool);
            return match pick {
                Pick::Listed(number) => Cell::from_index(number),
                // The head of the list stands for the end of the paper's list: its move fills the gap.
                Pick::OfList(part) => get(&workspace.moves, ply + rng.below(part) as usize),
                Pick::OfBoard(part) => {
                    let number = self.position.empty_count - 1 - rng.below(part) as usize;
                    Cell::from_index(self.position.empty.nth(number).expect("there are as many"))
                }
            };
        }
        self.default_move(workspace, ply, side, context, rng)
    }

    /// The move if no other policy has one.
    #[inline(always)]
    fn default_move(
        &mut self,
        workspace: &Workspace<W>,
        ply: usize,
        side: usize,
        context: Context,
        rng: &mut Rng,
    ) -> Cell {
        let by_weight = if let Some(weights) = &self.pattern_sampler {
            weights.choose(side, &workspace.moves[ply..workspace.move_count], rng)
        } else if let Some(weights) = &self.joint_sampler {
            weights.choose(&self.position, side, rng)
        } else {
            None
        };
        if let Some(cell) = by_weight {
            self.hits.count(Chooser::Weights);
            return cell;
        }
        self.hits.count(Chooser::Random);
        let left = (workspace.move_count - ply) as u32;
        let mut draw = || get(&workspace.moves, ply + rng.below(left) as usize);
        let mut cell = draw();
        let Some(filter) = &self.filter else {
            return cell;
        };
        let known = |number: usize| (number < W::INDICES).then(|| Cell::from_index(number));
        let last = LastMoves { own: known(context.before), opponent: known(context.last) };
        if filter.prefers() {
            for _ in 1..filter.tries {
                if filter.likes(&self.position, side, cell, last) {
                    break;
                }
                cell = draw();
            }
        }
        for _ in 0..DEAD_TRIES {
            if !filter.is_dead(&self.position, cell) {
                break;
            }
            cell = draw();
        }
        cell
    }

    /// Learns from a playout of `length` moves, the first `line` of which were given.
    #[inline(always)]
    pub(super) fn learn(
        &mut self,
        workspace: &Workspace<W>,
        line: usize,
        length: usize,
        winner: Option<usize>,
    ) {
        if self.replies.is_none() && self.ngrams.is_none() {
            return;
        }
        self.script.clear();
        self.script.extend(workspace.moves[..length].iter().map(|cell| cell.index() as u16));
        let script =
            SequentialGame { moves: &self.script, line, first_side: workspace.side_at(0), winner };
        if let Some(replies) = &mut self.replies {
            replies.learn(&script);
        }
        if let Some(ngrams) = &mut self.ngrams {
            ngrams.learn(&script);
        }
    }
}
