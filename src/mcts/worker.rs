//! One thread of a search: iterations in four numbered steps.
//!
//! The path down the tree is followed by its columns alone. The position at its end is only set
//! up where children are to be added, once in so many visits, or where the leaf is evaluated; the
//! playout plays the moves of the path as the first of its own.
//!
//! **Batches.** With `leaf_batch` above 1 a thread selects several leaves before it expands, evaluates
//! and backs up the first. Until a leaf has its value, the nodes of its path have visits without points
//! (virtual loss), so that the next selection goes elsewhere. Two leaves of a batch may still be the
//! same node, or one may lie below a node that another leaf proves: both are the cases that threads in a
//! shared tree meet, and are handled as there.

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

/// What a thread has for itself, from search to search. What playouts learn is among it: each thread
/// learns from its own games (see `parallel` for why). It lies on cache lines of its own.
#[repr(align(128))]
pub struct Worker {
    pub thread: usize,
    pub leaves: Box<dyn LeafWork>,
    pub rng: Rng,
    selector: Selector,
    /// The nodes from the root to a leaf, and the moves to them.
    pub path: Vec<NodeRef>,
    pub line: Vec<Move>,
    /// The paths and lines of the leaves of a batch that wait for their values, and what they were
    /// evaluated to.
    waiting_paths: Vec<Vec<NodeRef>>,
    waiting_lines: Vec<Vec<Move>>,
    evaluations: Vec<Option<Value>>,
    /// How each side fared with each move, where that counts.
    pub history: History,
    /// Room for the children of a node, for a list of moves, and for their values.
    pub children: Children,
    pub moves: Vec<u16>,
    pub values: Vec<Option<f32>>,
    /// The counts where it is often, if the tree is shared.
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

    /// Exchanges the path and the line with those of a leaf of the batch that waits for its value.
    #[inline(always)]
    fn swap_waiting(&mut self, leaf: usize) {
        std::mem::swap(&mut self.path, &mut self.waiting_paths[leaf]);
        std::mem::swap(&mut self.line, &mut self.waiting_lines[leaf]);
    }

    /// Goes to work in its tree.
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
    /// Of the root: as many as there were playouts.
    visits: u32,
    /// Values for the player who moved to the root, in parts of a point.
    parts: u32,
    depth: usize,
}

/// A thread at work in a tree.
pub struct ActiveWorker<'a> {
    worker: &'a mut Worker,
    state: &'a SearchState,
    tree: &'a Tree,
    allocator: MutexGuard<'a, ThreadAllocator>,
    /// The threads that help with the playouts of a leaf, if any do.
    leaf_threads: Option<&'a LeafThreads>,
    /// The visits of the root: those known of when the batch began, and the own since.
    root_visits: u32,
    done: Done,
}

impl ActiveWorker<'_> {
    /// Iterates until there are no playouts left to make, or the round is over.
    pub fn work(&mut self, epoch: &Epoch) {
        loop {
            let playouts = epoch.take(self.each());
            if playouts == 0 || self.batch(playouts, &|| epoch.is_over()) || epoch.is_late() {
                break;
            }
        }
        self.worker.own_blocks.give(self.tree);
    }

    /// The playouts of a leaf.
    fn each(&self) -> u64 {
        let each = self.state.params.playouts;
        u64::from(
            self.leaf_threads.map_or(each, |leaf_threads| each.max(leaf_threads.threads() as u32)),
        )
    }

    /// Iterates until so many playouts are made; true if the tree was solved or `is_over` says so first.
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

    /// Writes down what was done.
    fn tell(&mut self) {
        let progress_of_thread = &self.state.thread_progress[self.worker.thread];
        let Done { visits, parts, depth } = self.done;
        // No one else writes to the tally: a load and a store are enough.
        progress_of_thread
            .playouts
            .store(progress_of_thread.playouts.load(Relaxed) + u64::from(visits), Relaxed);
        progress_of_thread.add_to_root(visits, parts);
        progress_of_thread.depth.store(depth.max(progress_of_thread.depth.load(Relaxed)), Relaxed);
        progress_of_thread.set_hits(&self.worker.leaves.hits());
    }

    /// One iteration: a leaf, or a batch of them.
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

            // 2. Expand: add its children, after some visits, and go to one of them; or find that
            // its value is certain.
            let certain = self.expand_leaf();
            self.worker.stopwatch.lap(Phase::Expand);

            // 3. Simulate, unless there is nothing to find out.
            let (parts_of_side_0, playouts) = match certain {
                Some(value) => (value.parts(), 1),
                None => self.simulate(self.worker.evaluations.get(leaf).copied().flatten()),
            };

            // 4. Back up: visits and points along the path. (RAVE counts have been added playout by
            // playout.)
            self.back_up(parts_of_side_0, playouts);
            self.worker.stopwatch.lap(Phase::BackUp);
        }
    }

    /// Evaluates the leaves of a batch, if evaluations count.
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

    /// Whether other threads count in a block where this one does.
    #[inline(always)]
    fn is_shared(&self, handle: Handle) -> bool {
        self.tree.is_shared() && !self.worker.own_blocks.has(handle)
    }

    /// What is added to nodes on the way down.
    #[inline(always)]
    fn virtual_loss(&self) -> VirtualLoss {
        let Params { leaf_batch, virtual_loss, .. } = self.state.params;
        match (leaf_batch, self.tree.is_shared()) {
            (1, false) => VirtualLoss::None,
            (1, true) => VirtualLoss::Shared(virtual_loss),
            _ => VirtualLoss::Everywhere(virtual_loss),
        }
    }

    /// The visits that are added to a node of a block on the way down.
    #[inline(always)]
    fn virtual_visits(&self, handle: Handle) -> u32 {
        match self.virtual_loss() {
            VirtualLoss::None => 0,
            virtual_loss => virtual_loss.visits(self.is_shared(handle)),
        }
    }

    /// Goes from the children of a node with so many visits to a leaf.
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

    /// The value to side 0, if it is certain at the leaf.
    fn expand_leaf(&mut self) -> Option<Value> {
        let params = &self.state.params;
        let place = *self.worker.path.last().expect("the root has children");
        let block = self.worker.own_blocks.block(self.tree, place.block);
        let visits = block.real_visits(place.index) - self.virtual_visits(place.block);
        let status = block.status(place.index);
        let needed = params.expand_after.max(self.tree.needed_visits());
        // The moves of the root are looked at the first time, lest a win in two waits for others.
        let is_first_look = visits == 0 && self.worker.path.len() == 1;
        let is_due = visits >= needed;
        if !(is_due || is_first_look) || params.selection == Selection::Flat {
            return None;
        }
        let mover = self.state.position.to_move() ^ ((self.worker.path.len() - 1) & 1);
        if let Some(points) = status.value() {
            // Another thread has proven it, on this one's way down.
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
                // An evaluation is of the leaf itself; a playout may as well begin with a child.
                if params.leaf_mix == 0.0 {
                    self.go_down(handle, visits);
                }
                None
            }
            // The status is that of the player who moved to the leaf.
            Prospect::Win(_) => Some(self.prove(Status::LOST, 1, mover)),
            Prospect::Loss(_) => Some(self.prove(Status::WON, 2, mover)),
            Prospect::Settled { points, plies, .. } => {
                Some(self.prove(Status::new(points, points).turned(), plies, mover))
            }
            Prospect::Draw { plies } => Some(self.prove(Status::DRAWN, plies, mover)),
        }
    }

    /// Notes what is certain of the leaf of the path, and what follows for the nodes above it. The
    /// path then ends at the highest node that is proven. Returns the value to side 0 at the leaf,
    /// where `mover` is the side that moved there.
    fn prove(&mut self, status: Status, depth: u32, mover: usize) -> Value {
        let Params { proofs, dead_cells, stacked, .. } = self.state.params;
        // By the published rule for dead cells, moves may have been left out that were of use.
        if proofs && dead_cells != DeadCells::Local {
            let Worker { path, line, .. } = &mut *self.worker;
            let allocator = &mut self.allocator;
            let proven = super::proof::prove(self.tree, allocator, path, stacked, status, depth);
            // What was below a proven node is cut off.
            path.truncate(proven + 1);
            line.truncate(proven + 1);
        }
        Value::of_points(status.lower()).of_side(mover)
    }

    /// Gives a node its children, with what is known of them before any playout. None if there is no
    /// memory for them, or the node was proven meanwhile.
    fn add_children(&mut self, place: NodeRef) -> Option<Handle> {
        let (children, params) = (&self.worker.children, &self.state.params);
        let prepare = |block: &mut BlockMut| set_priors(block, children, params);
        self.tree.expand(&mut self.allocator, place, &children.moves, prepare)
    }

    /// Values the leaf by playouts, by what it was evaluated to, or by both: the values to side 0 in all,
    /// in parts of a point, and how many visits they count for.
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

    /// Counts the moves of a playout where they count; its value to side 0.
    fn count(&mut self, game: &PlayoutResult) -> Value {
        let params = &self.state.params;
        let mut value = game.value;
        // (An evaluation that is even is no draw.)
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

    /// The first level of the path whose node has few enough visits to count killers.
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

    /// Adds visits, and the values to side 0 in all, to the nodes of the path.
    fn back_up(&mut self, parts: u32, visits: u32) {
        let root_side = self.state.position.to_move();
        for (level, place) in self.worker.path.iter().enumerate() {
            let parts = parts_of(root_side ^ (level & 1), parts, visits);
            let block = self.worker.own_blocks.block(self.tree, place.block);
            // What was added on the way down is no more needed.
            let visits = visits.wrapping_sub(self.virtual_visits(place.block));
            block.add(place.index, visits, parts, self.is_shared(place.block));
        }
        self.root_visits += visits;
        self.done.visits += visits;
        self.done.parts += parts_of(1 - root_side, parts, visits);
    }
}

/// The values to a side of some playouts, from those to side 0, in parts of a point.
#[inline(always)]
fn parts_of(side: usize, parts_of_side_0: u32, playouts: u32) -> u32 {
    if side == 0 { parts_of_side_0 } else { Value::WIN.parts() * playouts - parts_of_side_0 }
}

/// Lets nodes begin with what is known of their moves: prior probabilities, or visits and wins.
pub fn set_priors(block: &mut BlockMut, children: &Children, params: &Params) {
    if params.bound == Bound::Puct {
        block.set_probabilities(children.probabilities());
    } else if children.prior_visits > 0 {
        let parts = children.prior_wins.iter().map(|wins| Value::WIN.parts() * wins);
        block.set_priors(children.prior_visits.min(MOST_PRIOR_VISITS), parts);
    }
}

/// A playout that was made.
pub struct PlayoutResult {
    /// To side 0.
    pub value: Value,
    /// For each side, its moves, and those that won or saved the game; where they count.
    made: [MoveWords; 2],
    killers: [MoveWords; 2],
    /// Its moves as a list, where the history of moves counts.
    listed: [Vec<u16>; 2],
}

impl PlayoutResult {
    /// Makes a playout.
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
