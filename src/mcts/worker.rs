//! One thread of a search: iterations in four numbered steps.
//!
//! Selection reads only the columns of the tree. A position is set up at a leaf only to add children,
//! after a number of visits, or to evaluate it. The playout makes the moves of the path as its first
//! moves.
//!
//! **Batches.** With `leaf_batch` above 1 a thread selects several leaves before it expands, evaluates
//! and backs up the first.
//! - Until a leaf has its value, the nodes of its path have visits without points (virtual loss), so
//!   that the next selection goes elsewhere.
//! - Two leaves of a batch may still be the same node, or one may lie below a node that another leaf
//!   proves. Threads in a shared tree meet the same cases, and they are handled in the same way.

use std::sync::MutexGuard;
use std::sync::atomic::Ordering::Relaxed;

use super::bias::{self, History, ScoreBias};
use super::parallel::{Epoch, LeafThreads, OwnBlocks};
use super::pool;
use super::rave::RaveBackUp;
use super::score::{AdjustScores, DescentInput, Formula, Selector, VirtualLoss};
use super::state::{SearchState, is_solved};
use super::stopwatch::{Phase, Stopwatch};
use crate::bits::Isa;
use crate::game::{
    Children, LeafWork, MOVE_WORDS, Move, MoveWords, Position, Prospect, Value, points_of,
};
use crate::params::{Bound, DeadCells, Params, Rave, Selection};
use crate::rng::Rng;
use crate::tree::{
    BlockMut, Handle, MOST_PRIOR_VISITS, NodeRef, RaveCount, Status, ThreadAllocator, Tree,
};

/// What belongs to one thread and is kept from search to search. What playouts learn is part of it: each
/// thread learns from its own games (see `parallel` for the reason). It has its own cache lines.
#[repr(align(128))]
pub struct Worker {
    pub thread: usize,
    pub leaves: Box<dyn LeafWork>,
    pub rng: Rng,
    selector: Selector,
    /// The nodes from the root to a leaf, and the moves to them.
    pub path: Vec<NodeRef>,
    pub line: Vec<Move>,
    /// The paths and lines of the leaves of a batch that wait for their values, and the evaluations of
    /// these leaves.
    waiting_paths: Vec<Vec<NodeRef>>,
    waiting_lines: Vec<Vec<Move>>,
    evaluations: Vec<Option<Value>>,
    /// The results of each side with each move; empty if the history has no weight.
    pub history: History,
    /// Buffers for the children of a node, for a list of moves, and for their values.
    pub children: Children,
    pub moves: Vec<u16>,
    pub values: Vec<Option<f32>>,
    /// The thread's own counts in blocks that it visits often, if the tree is shared.
    own_blocks: OwnBlocks,
    pub stopwatch: Stopwatch,
}

impl Worker {
    pub fn new(isa: Isa, params: &Params, thread: usize, position: &dyn Position) -> Self {
        let span = position.move_span();
        Self {
            thread,
            leaves: position.leaf_work(isa, params),
            rng: Rng::stream(params.seed, thread),
            selector: Selector::new(isa, Formula::new(params)),
            path: Vec::new(),
            line: Vec::new(),
            waiting_paths: vec![Vec::new(); params.leaf_batch as usize],
            waiting_lines: vec![Vec::new(); params.leaf_batch as usize],
            evaluations: Vec::new(),
            history: History::new(if params.history_weight > 0.0 { span } else { 0 }),
            children: Children::default(),
            moves: Vec::new(),
            values: Vec::new(),
            own_blocks: OwnBlocks::default(),
            stopwatch: Stopwatch::default(),
        }
    }

    /// Swaps the path and the line with those of a waiting leaf of the batch.
    #[inline(always)]
    fn swap_waiting(&mut self, leaf: usize) {
        std::mem::swap(&mut self.path, &mut self.waiting_paths[leaf]);
        std::mem::swap(&mut self.line, &mut self.waiting_lines[leaf]);
    }

    /// Lets the worker search in its tree, until the [`ActiveWorker`] is dropped.
    pub fn enter<'a>(
        &'a mut self,
        state: &'a SearchState,
        leaf_threads: Option<&'a LeafThreads>,
    ) -> ActiveWorker<'a> {
        let tree = state.tree_of(self.thread);
        let allocator = tree.allocator(self.thread / state.trees.len());
        ActiveWorker {
            worker: self,
            state,
            tree,
            allocator,
            leaf_threads,
            root_visits: 0,
            done: Done::default(),
        }
    }
}

/// What a thread did in a batch of iterations.
#[derive(Clone, Copy, Default)]
struct Done {
    /// Visits of the root: the number of playouts.
    visits: u32,
    /// The sum of the values for the side that moved to the root, in parts of a point.
    parts: u32,
    depth: usize,
}

/// A worker in a tree. It holds its thread's allocator.
pub struct ActiveWorker<'a> {
    worker: &'a mut Worker,
    state: &'a SearchState,
    tree: &'a Tree,
    allocator: MutexGuard<'a, ThreadAllocator>,
    /// The threads that make playouts together with this one (leaf parallelisation).
    leaf_threads: Option<&'a LeafThreads>,
    /// The visits of the root: those known when the batch began, and this thread's since then.
    root_visits: u32,
    done: Done,
}

impl ActiveWorker<'_> {
    /// Iterates until no playouts are left, or the epoch is over.
    pub fn work(&mut self, epoch: &Epoch) {
        loop {
            let playouts = epoch.take(self.each());
            if playouts == 0 || self.batch(playouts, &|| epoch.is_over()) || epoch.is_late() {
                break;
            }
        }
        self.worker.own_blocks.give(self.tree);
    }

    /// The number of playouts of a leaf.
    fn each(&self) -> u64 {
        let each = self.state.params.playouts;
        u64::from(
            self.leaf_threads.map_or(each, |leaf_threads| each.max(leaf_threads.threads() as u32)),
        )
    }

    /// Iterates until `playouts` are made. Returns true if the tree was solved or `is_over` held first.
    pub fn batch(&mut self, playouts: u64, is_over: &dyn Fn() -> bool) -> bool {
        let tree = self.worker.thread % self.state.trees.len();
        (self.root_visits, _) = self.state.root_counts(tree);
        if self.tree.is_shared() {
            let playouts = playouts.next_multiple_of(self.each());
            self.worker.own_blocks.refresh(self.tree, self.root_visits, playouts);
        }
        self.done = Done::default();
        let mut ended = false;
        let mut leaves = playouts.div_ceil(self.each());
        while leaves > 0 && !ended {
            let count = leaves.min(u64::from(self.state.params.leaf_batch));
            self.iterate(count as usize);
            leaves -= count;
            ended = is_solved(self.tree) || is_over();
        }
        self.tell();
        ended
    }

    /// Adds what was done to the thread's `ThreadProgress`.
    fn tell(&mut self) {
        let thread = &self.state.thread_progress[self.worker.thread];
        let Done { visits, parts, depth } = self.done;
        // No other thread writes to it: a load and a store are enough.
        thread.playouts.store(thread.playouts.load(Relaxed) + u64::from(visits), Relaxed);
        thread.add_to_root(visits, parts);
        thread.depth.store(depth.max(thread.depth.load(Relaxed)), Relaxed);
        thread.set_hits(&self.worker.leaves.hits());
    }

    /// One iteration: with one leaf, or with a batch of leaves.
    fn iterate(&mut self, leaves: usize) {
        self.worker.stopwatch.begin();

        // 1. Select: go down to a leaf, or to several.
        for leaf in 0..leaves {
            self.descend();
            self.worker.swap_waiting(leaf);
        }
        self.worker.stopwatch.lap(Phase::Select);

        self.evaluate(leaves);
        for leaf in 0..leaves {
            self.worker.swap_waiting(leaf);

            // 2. Expand: after some visits, add children and go to one of them; or find that the value
            // of the leaf is certain.
            let certain = self.expand_leaf();
            self.worker.stopwatch.lap(Phase::Expand);

            // 3. Simulate, unless the value is certain.
            let (parts_of_side_0, playouts) = match certain {
                Some(value) => (value.parts(), 1),
                None => self.simulate(self.worker.evaluations.get(leaf).copied().flatten()),
            };

            // 4. Back up: visits and points along the path. (RAVE counts were added after each playout.)
            self.back_up(parts_of_side_0, playouts);
            self.worker.stopwatch.lap(Phase::BackUp);
        }
    }

    /// Evaluates the leaves of a batch, if evaluations have a weight.
    fn evaluate(&mut self, leaves: usize) {
        if self.state.params.leaf_mix > 0.0 {
            let Worker { leaves: work, waiting_lines, evaluations, .. } = &mut *self.worker;
            evaluations.clear();
            work.evaluate(&waiting_lines[..leaves], evaluations);
            self.worker.stopwatch.lap(Phase::Playout);
        }
    }

    fn descend(&mut self) {
        self.worker.path.clear();
        self.worker.line.clear();
        let children = self.tree.children().expect("the root has children");
        self.go_down(children, self.root_visits);
    }

    /// Whether other threads add to the same counts of a block.
    #[inline(always)]
    fn is_shared(&self, handle: Handle) -> bool {
        self.tree.is_shared() && !self.worker.own_blocks.has(handle)
    }

    /// The virtual loss that is added to nodes on the way down.
    #[inline(always)]
    fn virtual_loss(&self) -> VirtualLoss {
        let Params { leaf_batch, virtual_loss, .. } = self.state.params;
        match (leaf_batch, self.tree.is_shared()) {
            (1, false) => VirtualLoss::None,
            (1, true) => VirtualLoss::Shared(virtual_loss),
            _ => VirtualLoss::Everywhere(virtual_loss),
        }
    }

    /// The virtual visits of a node in a block.
    #[inline(always)]
    fn virtual_visits(&self, handle: Handle) -> u32 {
        match self.virtual_loss() {
            VirtualLoss::None => 0,
            virtual_loss => virtual_loss.visits(self.is_shared(handle)),
        }
    }

    /// Selects from the children of a node with `visits` visits down to a leaf.
    fn go_down(&mut self, children: Handle, visits: u32) {
        let virtual_loss = self.virtual_loss();
        let Worker { selector, rng, path, line, leaves, history, own_blocks, values, .. } =
            &mut *self.worker;
        let params = &self.state.params;
        let own_blocks = self.tree.is_shared().then_some(&*own_blocks);
        let root_side = self.state.position.to_move();
        let mut bias = ScoreBias { params, leaves: &**leaves, history, root_side, values };
        let adjust = bias::is_wanted(params).then_some(&mut bias as &mut dyn AdjustScores);
        let input = DescentInput {
            tree: self.tree,
            children,
            visits,
            own_blocks,
            virtual_loss,
            rng,
            adjust,
        };
        selector.descend(input, path, line);
        self.done.depth = self.done.depth.max(self.worker.path.len());
    }

    /// Expands the leaf, if it is due. Returns the value to side 0, if it is certain at the leaf.
    fn expand_leaf(&mut self) -> Option<Value> {
        let params = &self.state.params;
        let place = *self.worker.path.last().expect("the root has children");
        let block = self.worker.own_blocks.block(self.tree, place.block);
        let visits = block.real_visits(place.index) - self.virtual_visits(place.block);
        let status = block.status(place.index);
        let needed = params.expand_after.max(self.tree.needed_visits());
        // A move of the root is looked at on its first visit, so that a proof there does not wait for
        // more visits.
        let is_first_look = params.look_ahead && visits == 0 && self.worker.path.len() == 1;
        let is_due = visits >= needed;
        if !(is_due || is_first_look) || params.selection == Selection::Flat {
            return None;
        }
        let mover = self.state.position.to_move() ^ ((self.worker.path.len() - 1) & 1);
        if let Some(points) = status.value() {
            // Another thread has proven it since this one selected it.
            return Some(Value::of_points(points).of_side(mover));
        }
        let Worker { leaves, line, children, .. } = &mut *self.worker;
        match leaves.look(line, is_due.then_some(children)) {
            Prospect::Over(points) => {
                let own = points_of(mover, points);
                Some(self.prove(Status::new(own, own), 0, mover))
            }
            Prospect::Open { .. } if !is_due => None,
            Prospect::Open { .. } => {
                let handle = self.add_children(place)?;
                // An evaluation belongs to the leaf itself. A playout may begin at a child.
                if params.leaf_mix == 0.0 {
                    self.go_down(handle, visits);
                }
                None
            }
            // The status is seen by the side that moved to the leaf.
            Prospect::Win(_) => Some(self.prove(Status::LOST, 1, mover)),
            Prospect::Loss(_) => Some(self.prove(Status::WON, 2, mover)),
            Prospect::Settled { points, plies, .. } => {
                Some(self.prove(Status::new(points, points).turned(), plies, mover))
            }
            Prospect::Draw { plies } => Some(self.prove(Status::DRAWN, plies, mover)),
        }
    }

    /// Marks what is certain of the leaf of the path, and what follows for the nodes above it. Cuts the
    /// path after the highest proven node. Returns the value to side 0 at the leaf; `mover` is the side
    /// that moved there.
    fn prove(&mut self, status: Status, depth: u32, mover: usize) -> Value {
        let Params { proofs, dead_cells, stacked, .. } = self.state.params;
        // The published rule for dead cells may leave out useful moves: with it nothing is proven.
        if proofs && dead_cells != DeadCells::Local {
            let Worker { path, line, .. } = &mut *self.worker;
            let allocator = &mut self.allocator;
            let proven = super::proof::prove(self.tree, allocator, path, stacked, status, depth);
            // Blocks below a proven node are cut off.
            path.truncate(proven + 1);
            line.truncate(proven + 1);
        }
        Value::of_points(status.lower()).of_side(mover)
    }

    /// Adds the children of a node, with their priors. None if there is no memory for them, or the node
    /// was proven in the meantime.
    fn add_children(&mut self, place: NodeRef) -> Option<Handle> {
        let (children, params) = (&self.worker.children, &self.state.params);
        let prepare = |block: &mut BlockMut| set_priors(block, children, params);
        self.tree.expand(&mut self.allocator, place, &children.moves, prepare)
    }

    /// Values the leaf by playouts, by its evaluation, or by a mixture of both. Returns the sum of the
    /// values to side 0, in parts of a point, and the number of visits.
    fn simulate(&mut self, evaluation: Option<Value>) -> (u32, u32) {
        let params = &self.state.params;
        let mix = if evaluation.is_some() { params.leaf_mix } else { 0.0 };
        let evaluation = evaluation.unwrap_or(Value::DRAW);
        if mix == 1.0 {
            return (evaluation.parts(), 1);
        }
        let worker = &mut *self.worker;
        if worker.leaves.wants_pool() {
            let look = |handle| worker.own_blocks.block(self.tree, handle);
            pool::fill_pool(params, look, self.root_visits, &worker.path, &mut worker.moves);
            worker.leaves.set_pool(&worker.moves);
        }
        if let Some(leaf_threads) = self.leaf_threads {
            let played = leaf_threads.simulate(worker, params);
            self.worker.stopwatch.lap(Phase::Playout);
            let sum = played.iter().map(|game| self.count(game).mixed(evaluation, mix).parts());
            return (sum.sum(), played.len() as u32);
        }
        let mut sum = 0;
        for _ in 0..params.playouts {
            let worker = &mut *self.worker;
            let game =
                PlayoutResult::new(params, &mut *worker.leaves, &worker.line, &mut worker.rng);
            self.worker.stopwatch.lap(Phase::Playout);
            sum += self.count(&game).mixed(evaluation, mix).parts();
        }
        (sum, params.playouts)
    }

    /// Adds the moves of a playout to RAVE counts and history, if they are used. Returns its value to
    /// side 0.
    fn count(&mut self, game: &PlayoutResult) -> Value {
        let params = &self.state.params;
        let mut value = game.value;
        // An even evaluation is not a draw.
        if params.ties_win && value == Value::DRAW && !params.leaf_value {
            value = Value::WIN.of_side(self.state.position.to_move());
        }
        if params.rave != Rave::Off {
            self.back_up_rave(value, if params.killer_rave { game.killers } else { game.made });
            self.worker.stopwatch.lap(Phase::BackUp);
        }
        if params.history_weight > 0.0 {
            for side in 0..2 {
                let reward = value.of_side(side).share();
                self.worker.history.add(side, &game.listed[side], reward);
            }
        }
        value
    }

    /// Adds the moves of a playout to the RAVE counts along the path.
    fn back_up_rave(&mut self, value: Value, made: [MoveWords; 2]) {
        let SearchState { isa, params, position, legal, .. } = self.state;
        let Worker { path, line, own_blocks, .. } = &*self.worker;
        let from_level = if params.killer_rave { self.first_killer_level() } else { 0 };
        let (mut legal, legal_count) = *legal;
        line.iter().for_each(|next| legal[next.number() / 64] &= !(1 << (next.number() % 64)));
        let back_up = RaveBackUp {
            tree: self.tree,
            own_blocks,
            path,
            line,
            from_level,
            legal,
            legal_count,
            words: self.state.move_words,
            made,
            gain: [RaveCount::new(1, value.points()), RaveCount::new(1, value.of_side(1).points())],
            counted: params.rave_moves,
            root_side: position.to_move(),
            squeezes: isa.can_squeeze(),
        };
        isa.run_lanes(back_up);
    }

    /// The first level of the path whose node has fewer than `killer_visits` visits.
    fn first_killer_level(&self) -> usize {
        let Worker { path, own_blocks, .. } = &*self.worker;
        let visits = |level: usize| match level {
            0 => self.root_visits,
            _ => {
                let NodeRef { block, index } = path[level - 1];
                own_blocks.block(self.tree, block).real_visits(index)
            }
        };
        let has_few = |level: &usize| visits(*level) < self.state.params.killer_visits;
        (0..path.len()).find(has_few).unwrap_or(path.len())
    }

    /// Adds `visits` visits to the nodes of the path, and the values, of which `parts` is the sum to
    /// side 0.
    fn back_up(&mut self, parts: u32, visits: u32) {
        let root_side = self.state.position.to_move();
        for (level, place) in self.worker.path.iter().enumerate() {
            let parts = parts_of(root_side ^ (level & 1), parts, visits);
            let block = self.worker.own_blocks.block(self.tree, place.block);
            // The virtual visits of the way down are taken back.
            let visits = visits.wrapping_sub(self.virtual_visits(place.block));
            block.add(place.index, visits, parts, self.is_shared(place.block));
        }
        self.root_visits += visits;
        self.done.visits += visits;
        self.done.parts += parts_of(1 - root_side, parts, visits);
    }
}

/// The sum of the values of playouts to a side, from the sum to side 0, in parts of a point.
#[inline(always)]
fn parts_of(side: usize, parts_of_side_0: u32, playouts: u32) -> u32 {
    if side == 0 { parts_of_side_0 } else { Value::WIN.parts() * playouts - parts_of_side_0 }
}

/// Sets the priors of new nodes: probabilities for PUCT, otherwise visits and wins.
pub fn set_priors(block: &mut BlockMut, children: &Children, params: &Params) {
    if params.bound == Bound::Puct {
        block.set_probabilities(children.probabilities());
    } else if children.prior_visits > 0 {
        let parts = children.prior_wins.iter().map(|wins| Value::WIN.parts() * wins);
        block.set_priors(children.prior_visits.min(MOST_PRIOR_VISITS), parts);
    }
}

/// The result of a playout.
pub struct PlayoutResult {
    /// To side 0.
    pub value: Value,
    /// For each side, the moves it made, and the moves that won or saved the game; filled if RAVE uses
    /// them.
    made: [MoveWords; 2],
    killers: [MoveWords; 2],
    /// For each side, the moves it made as a list; filled if the history has a weight.
    listed: [Vec<u16>; 2],
}

impl PlayoutResult {
    /// Makes a playout from the end of `line`.
    #[inline]
    pub fn new(params: &Params, leaves: &mut dyn LeafWork, line: &[Move], rng: &mut Rng) -> Self {
        // SAFETY: the line is a path down the tree, whose children are legal moves.
        let value = unsafe { leaves.run(line, rng) };
        let mut game = Self {
            value,
            made: [[0; MOVE_WORDS]; 2],
            killers: [[0; MOVE_WORDS]; 2],
            listed: [Vec::new(), Vec::new()],
        };
        if params.rave != Rave::Off && !params.killer_rave {
            game.made = leaves.made();
        }
        if params.rave != Rave::Off && params.killer_rave {
            game.killers = leaves.killers();
        }
        if params.history_weight > 0.0 {
            (0..2).for_each(|side| leaves.list_made(side, &mut game.listed[side]));
        }
        game
    }
}
