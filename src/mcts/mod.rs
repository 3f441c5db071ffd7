//! Monte-Carlo tree search: threads that iterate in trees, and the loop around them.
//!
//! Nothing here knows the rules of a game. Positions come from [`Position`], the work at leaves from
//! [`LeafWork`](crate::game::LeafWork).
//! - `worker`: a thread and its iterations, in four numbered steps. `run`: the loop around them.
//! - `score`: selection of a child. `bias`: what else changes its score.
//! - `rave`: back-up of the moves of playouts. `pool`: moves that a playout should prefer.
//! - `proof`: what is certain, and what follows for the nodes above.
//! - `parallel`: how several threads work together. `state`: what all of them read.
//! - `ending`: the move to play. `report`: what was found. `stopwatch`: where the time goes.

mod bias;
mod ending;
mod parallel;
mod pool;
mod proof;
mod rave;
mod report;
mod run;
mod score;
mod state;
mod stopwatch;
mod worker;

pub use state::SearchState;
#[cfg(any(test, feature = "cli", feature = "internals"))]
pub use stopwatch::Stopwatch;

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::bits::Isa;
use crate::game::{Children, Move, Position, Prospect, Value};
use crate::params::{Bound, Parallel, Params, Rave};
use crate::search::{Ending, Limits, Report, Reporter, Search};
use crate::tree::{BlockMut, Root, Status, Tree};
use parallel::RootTotals;
use worker::{Worker, set_priors};

/// Monte-Carlo tree search.
pub struct Mcts {
    state: SearchState,
    workers: Vec<Worker>,
    /// The cores that the threads of the current search are bound to; empty if they are not bound.
    places: Vec<usize>,
}

impl Search for Mcts {
    fn advance(&mut self, line: &[Move]) {
        self.advance(line);
    }

    fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Ending {
        self.run(limits, stop, progress)
    }
}

impl Reporter for Mcts {
    fn report(&self, time: Duration) -> Report {
        self.state.report(time)
    }
}

impl Mcts {
    /// A search with the number of threads in the settings, each with its own work at the leaves.
    pub fn new(isa: Isa, params: &Params, position: Box<dyn Position>) -> Self {
        // Where sides take turns there is nothing to stack. There is no RAVE where moves do not stay
        // legal, or where priors are stored in the RAVE column.
        let stacked = params.stacked && position.is_simultaneous();
        let has_rave = position.has_rave() && params.bound != Bound::Puct;
        let rave = if has_rave { params.rave } else { Rave::Off };
        let params = &Params { stacked, rave, ..params.clone() };
        let threads = params.thread_count();
        let worker = |thread| Worker::new(isa, params, thread, &*position);
        let workers: Vec<Worker> = (0..threads).map(worker).collect();
        let learned: usize = workers.iter().map(|worker| worker.leaves.bytes()).sum();
        let memory = ((params.memory as usize) << 20).saturating_sub(learned);
        let trees = match params.parallel {
            Parallel::Tree => vec![Tree::for_threads(memory, threads)],
            Parallel::Root => (0..threads).map(|_| Tree::new(memory / threads)).collect(),
            Parallel::Leaf => vec![Tree::new(memory)],
        };
        let state = SearchState {
            isa,
            params: params.clone(),
            legal: state::words_of(params, &*position),
            move_words: position.move_span().div_ceil(64),
            position,
            prospect: None,
            trees,
            root_totals: RootTotals::default(),
            thread_progress: workers.iter().map(|_| state::ThreadProgress::default()).collect(),
        };
        Self { state, workers, places: Vec::new() }
    }

    /// What all threads read: the position, the trees, and what is known.
    #[cfg(any(test, feature = "internals"))]
    pub fn state(&self) -> &SearchState {
        &self.state
    }

    /// The position that the search begins at.
    #[cfg(any(test, feature = "internals"))]
    pub fn position(&self) -> &dyn Position {
        &*self.state.position
    }

    /// The tree, or the first of several.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn tree(&self) -> &Tree {
        self.state.tree()
    }

    /// Playouts since the last [`run`](Self::run) began.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn playout_count(&self) -> u64 {
        self.state.playout_count()
    }

    /// The stopwatch of the first thread.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn stopwatch(&mut self) -> &mut Stopwatch {
        &mut self.workers[0].stopwatch
    }

    /// Makes the moves of `line`, and keeps the part of the tree below them.
    ///
    /// # Panics
    /// If a move is illegal.
    pub fn advance(&mut self, line: &[Move]) {
        if line.is_empty() {
            return;
        }
        let mut ahead = self.state.position.clone();
        for next in line {
            assert!(ahead.legal_moves().contains(next), "move {} is illegal", next.number());
            ahead.advance(*next);
        }
        let SearchState { position, trees, params, .. } = &mut self.state;
        line.iter().for_each(|next| position.advance(*next));
        for tree in trees {
            if params.reuse_tree { tree.advance(line) } else { tree.clear() }
        }
        self.start_again();
        if self.state.position.result().is_none() {
            self.workers.iter_mut().for_each(|worker| worker.leaves.advance(line));
        }
    }

    /// Frees all blocks that are no longer part of a tree and are not freed yet.
    #[cfg(any(test, feature = "internals"))]
    pub fn sweep(&mut self) {
        self.state.trees.iter_mut().for_each(|tree| {
            tree.sweep(|| false);
        });
    }

    /// Sets another position of the same game and board, with an empty tree.
    ///
    /// # Panics
    /// If moves have other numbers there.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn set_position(&mut self, position: Box<dyn Position>) {
        let span = self.state.position.move_span();
        assert_eq!(position.move_span(), span, "the board is another");
        let SearchState { isa, params, trees, .. } = &mut self.state;
        for worker in &mut self.workers {
            worker.leaves = position.leaf_work(*isa, params);
        }
        trees.iter_mut().for_each(Tree::clear);
        self.state.position = position;
        self.start_again();
    }

    fn start_again(&mut self) {
        let Self { state, workers, .. } = self;
        state.prospect = None;
        state.legal = state::words_of(&state.params, &*state.position);
        state.root_totals = RootTotals::default();
        state
            .thread_progress
            .iter_mut()
            .for_each(|thread| *thread = state::ThreadProgress::default());
        workers.iter_mut().for_each(|worker| worker.history.clear());
    }

    /// Finds what is certain at the root. If nothing is, adds the root's children.
    fn prepare_root(&mut self) {
        let Self { state, workers, .. } = self;
        if state.prospect.is_some() {
            return;
        }
        let Worker { leaves, children, .. } = &mut workers[0];
        let prospect = leaves.look(&[], Some(children));
        state.prospect = Some(prospect);
        state.thread_progress.iter().for_each(|thread| thread.depth.store(0, Relaxed));
        let (status, depth) = match prospect {
            Prospect::Win(_) => (Status::LOST, 1),
            Prospect::Loss(_) => (Status::WON, 2),
            Prospect::Over(_) => return,
            Prospect::Draw { plies } => (Status::DRAWN, plies),
            Prospect::Settled { points, plies, .. } => {
                (Status::new(points, points).turned(), plies)
            }
            Prospect::Open { .. } => return state.add_root_children(children),
        };
        for tree in &mut state.trees {
            let root = Root { status, proof_depth: depth, ..tree.root() };
            tree.set_root(root);
        }
    }
}

impl SearchState {
    /// Adds the root's children, unless they are kept from an earlier search.
    fn add_root_children(&mut self, children: &Children) {
        for tree in &mut self.trees {
            if tree.children().is_none() {
                let params = &self.params;
                let prepare = |block: &mut BlockMut| set_priors(block, children, params);
                let expanded = tree.expand_root(&children.moves, prepare);
                expanded.expect("an empty tree has room for the root's children");
            }
        }
        if self.trees.len() > 1 {
            self.trees.iter_mut().for_each(count_root_anew);
        }
        let block = self.tree().block(self.tree().children().expect("they were added"));
        let points = |number: &u16| {
            // Without prior visits there are no prior points: PUCT has probabilities instead.
            let known = children.moves.binary_search(number).ok().filter(|_| block.prior() > 0);
            let wins = known.and_then(|index| children.prior_wins.get(index)).copied();
            Value::WIN.parts() * wins.unwrap_or(0)
        };
        self.root_totals = RootTotals::new(block.prior(), block.moves.iter().map(points));
    }
}

/// Recomputes the counts of the root of a tree from its children. The counts kept from a root's move are
/// sums over all trees: as counts of each tree they would be added once more.
fn count_root_anew(tree: &mut Tree) {
    let block = tree.block(tree.children().expect("the root has children"));
    let visits: u32 = (0..block.count()).map(|index| block.real_visits(index)).sum();
    let share = |index: usize| {
        let all = block.visits(index).max(1);
        f64::from(block.wins(index)) * f64::from(block.real_visits(index)) / f64::from(all)
    };
    let points: f64 = (0..block.count()).map(share).sum();
    let most = Value::WIN.parts() * visits;
    let root = Root { visits, wins: most - (points as u32).min(most), ..tree.root() };
    tree.set_root(root);
}
