//! Monte-Carlo tree search: threads that iterate in trees, and the loop around them.
//!
//! `worker` is a thread and its iterations, in four numbered steps; `score` says which child to go to,
//! `steering` what else that depends on, `advice` which moves a playout should prefer, `rave` how
//! playouts count for moves made later, `proof` what is certain, `parallel` how several threads work
//! together, `outlook` what they all see; `limits` says when to stop, `ending` which move to play,
//! `report` what was found, and `stopwatch` where the time goes. `alpha_beta` is another search, without
//! playouts. Nothing here knows the rules of a game:
//! positions come from [`Game`], playouts from [`Playouts`].

mod advice;
mod alpha_beta;
mod ending;
mod limits;
mod outlook;
mod parallel;
mod proof;
mod rave;
mod report;
mod score;
mod steering;
mod stopwatch;
mod worker;

pub use alpha_beta::alpha_beta;
pub use limits::{Ending, Limits};
pub use outlook::Outlook;
pub use report::{MoveReport, PolicyReport, Report};
pub use stopwatch::Stopwatch;

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::bits::Isa;
use crate::game::{Game, Move, MoveSet, Prospect, WIN};
use crate::params::{Parallel, Params};
use crate::playout::Playouts;
use crate::tree::{BlockMut, Root, Status, Tree};
use parallel::Ledger;
use worker::{Worker, set_priors};

/// A search from one position, which can be moved on.
pub struct Search<P: Playouts> {
    outlook: Outlook<P::Game>,
    workers: Vec<Worker<P>>,
}

impl<P: Playouts> Search<P> {
    /// A search with as many threads as the settings say, each with its own playouts.
    pub fn new(isa: Isa, params: &Params, position: P::Game, playouts: impl Fn() -> P) -> Self {
        // Where sides take turns there is nothing to stack.
        let stacked = params.stacked && P::Game::IS_SIMULTANEOUS;
        let params = &Params { stacked, ..params.clone() };
        let threads = params.thread_count();
        let worker = |thread| {
            let mut playouts = playouts();
            playouts.start_from(&position);
            Worker::new(isa, params, thread, playouts)
        };
        let workers: Vec<Worker<P>> = (0..threads).map(worker).collect();
        let learned: usize = workers.iter().map(|worker| worker.playouts.bytes()).sum();
        let memory = ((params.memory as usize) << 20).saturating_sub(learned);
        let trees = match params.parallel {
            Parallel::Tree => vec![Tree::for_threads(memory, threads)],
            Parallel::Root => (0..threads).map(|_| Tree::new(memory / threads)).collect(),
            Parallel::Leaf => vec![Tree::new(memory)],
        };
        let outlook = Outlook {
            isa,
            params: params.clone(),
            position,
            prospect: None,
            trees,
            ledger: Ledger::default(),
            tallies: workers.iter().map(|_| outlook::Tally::default()).collect(),
        };
        Self { outlook, workers }
    }

    /// What is known of the position.
    pub fn outlook(&self) -> &Outlook<P::Game> {
        &self.outlook
    }

    pub fn position(&self) -> &P::Game {
        &self.outlook.position
    }

    /// The tree, or the first of several.
    pub fn tree(&self) -> &Tree {
        self.outlook.tree()
    }

    /// Playouts since the last [`run`](Self::run) began.
    pub fn playout_count(&self) -> u64 {
        self.outlook.playout_count()
    }

    /// What is known after a search that took some time.
    pub fn report(&self, time: Duration) -> Report {
        self.outlook.report(time)
    }

    /// The stopwatch of the first thread.
    pub fn stopwatch(&mut self) -> &mut Stopwatch {
        &mut self.workers[0].stopwatch
    }

    /// Makes some moves, and keeps the part of the tree below them.
    pub fn advance(&mut self, line: &[Move]) {
        if line.is_empty() {
            return;
        }
        let Outlook { position, trees, params, .. } = &mut self.outlook;
        line.iter().for_each(|next| position.advance(*next));
        for tree in trees {
            if params.reuse_tree { tree.advance(line) } else { tree.clear() }
        }
        self.start_again(P::move_on_to);
    }

    /// Frees what was dropped or cut off and has yet to be freed.
    pub fn sweep(&mut self) {
        self.outlook.trees.iter_mut().for_each(|tree| {
            tree.sweep(|| false);
        });
    }

    /// Goes to another position, with an empty tree.
    pub fn set_position(&mut self, position: P::Game) {
        self.outlook.position = position;
        self.outlook.trees.iter_mut().for_each(Tree::clear);
        self.start_again(P::start_from);
    }

    fn start_again(&mut self, begin: impl Fn(&mut P, &P::Game)) {
        let Self { outlook, workers } = self;
        outlook.prospect = None;
        outlook.ledger = Ledger::default();
        outlook.tallies.iter_mut().for_each(|tally| *tally = outlook::Tally::default());
        for worker in workers {
            worker.history.clear();
            if outlook.position.result().is_none() {
                begin(&mut worker.playouts, &outlook.position);
            }
        }
    }

    /// Finds what is certain at the root, and gives it its children.
    fn prepare_root(&mut self) {
        let outlook = &mut self.outlook;
        if outlook.prospect.is_some() {
            return;
        }
        let prospect = outlook.position.prospect(outlook.isa, &outlook.params);
        outlook.prospect = Some(prospect);
        outlook.tallies.iter().for_each(|tally| tally.depth.store(0, Relaxed));
        let (status, depth) = match prospect {
            Prospect::Win(_) => (Status::LOST, 1),
            Prospect::Loss(_) => (Status::WON, 2),
            Prospect::Draw => (Status::DRAWN, outlook.position.legal_moves().len() as u32),
            Prospect::Settled { points, plies, .. } => {
                (Status::new(points, points).turned(), plies)
            }
            Prospect::Open(moves) => return outlook.add_root_children(moves),
        };
        for tree in &mut outlook.trees {
            let root = Root { status, proof_depth: depth, ..tree.root() };
            tree.set_root(root);
        }
    }
}

impl<G: Game> Outlook<G> {
    /// Gives the root its children, unless they are kept from an earlier search.
    fn add_root_children(&mut self, moves: MoveSet<G>) {
        let moves = self.worth_looking_at(&self.position, moves);
        let mut wins = vec![0; MoveSet::<G>::CAPACITY];
        let visits = self.priors_of(&self.position, &mut wins);
        for tree in &mut self.trees {
            if tree.children().is_none() {
                let prepare = |block: &mut BlockMut| set_priors(block, visits, &wins);
                let expanded = tree.expand_root(moves.len(), moves.iter(), prepare);
                expanded.expect("an empty tree has room for the root's children");
            }
        }
        if self.trees.len() > 1 {
            self.trees.iter_mut().for_each(count_root_anew);
        }
        let children = self.tree().children().expect("they were added");
        let block = self.tree().block(children);
        let points = |number: &u16| if visits > 0 { WIN * wins[*number as usize] } else { 0 };
        self.ledger = Ledger::new(block.prior(), block.moves.iter().map(points));
    }
}

/// Gives the root of a tree what its children have. What was kept of a root's move is the sum over all
/// trees, and would be added up once more.
fn count_root_anew(tree: &mut Tree) {
    let block = tree.block(tree.children().expect("the root has children"));
    let visits: u32 = (0..block.count()).map(|index| block.real_visits(index)).sum();
    let share = |index: usize| {
        let all = block.visits(index).max(1);
        f64::from(block.wins(index)) * f64::from(block.real_visits(index)) / f64::from(all)
    };
    let points: f64 = (0..block.count()).map(share).sum();
    let root =
        Root { visits, wins: WIN * visits - (points as u32).min(WIN * visits), ..tree.root() };
    tree.set_root(root);
}

/// The points of a side, from those of side 0 in some playouts.
#[inline(always)]
fn points_of(side: usize, points_of_side_0: u32, playouts: u32) -> u32 {
    if side == 0 { points_of_side_0 } else { WIN * playouts - points_of_side_0 }
}
