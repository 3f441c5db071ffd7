//! One thread of a search: iterations in four numbered steps.
//!
//! The path down the tree is followed by its columns alone. The position at its end is only set
//! up where children are to be added, once in so many visits; the playout plays the moves of the
//! path as the first of its own.

use std::sync::MutexGuard;
use std::sync::atomic::Ordering::Relaxed;

use super::outlook::{Outlook, is_solved};
use super::parallel::{Crew, OwnBlocks, Round};
use super::rave::RaveBackUp;
use super::score::{Formula, Selector, Shared, Steer, Way};
use super::steering::{self, History, Steering};
use super::stopwatch::{Phase, Stopwatch};
use super::{advice, points_of};
use crate::bits::Isa;
use crate::game::{DRAW, Game, Move, MoveSet, Prospect, WIN};
use crate::params::{DeadCells, Params, Rave, Selection};
use crate::playout::Playouts;
use crate::rng::Rng;
use crate::tree::{BlockMut, Handle, MOST_PRIOR_VISITS, Place, Plot, RaveCount, Status, Tree};

/// What a thread has for itself, from search to search. What playouts learn is among it: each thread
/// learns from its own games (see `parallel` for why). It lies on cache lines of its own.
#[repr(align(128))]
pub struct Worker<P: Playouts> {
    pub thread: usize,
    pub playouts: P,
    pub rng: Rng,
    selector: Selector,
    /// The nodes from the root to a leaf, and the moves to them.
    pub path: Vec<Place>,
    pub line: Vec<Move>,
    /// How each side fared with each move, where that counts.
    pub history: History,
    /// The prior wins of moves, by their numbers.
    priors: Vec<u32>,
    /// The counts where it is often, if the tree is shared.
    own_blocks: OwnBlocks,
    pub stopwatch: Stopwatch,
}

impl<P: Playouts> Worker<P> {
    pub fn new(isa: Isa, params: &Params, thread: usize, playouts: P) -> Self {
        let span = MoveSet::<P::Game>::CAPACITY;
        Self {
            thread,
            playouts,
            rng: Rng::stream(params.seed, thread),
            selector: Selector::new(isa, Formula::new(params)),
            path: Vec::new(),
            line: Vec::new(),
            history: History::new(if params.history_weight > 0.0 { span } else { 0 }),
            priors: vec![0; span],
            own_blocks: OwnBlocks::default(),
            stopwatch: Stopwatch::default(),
        }
    }

    /// Goes to work in its tree.
    pub fn enter<'a>(
        &'a mut self,
        outlook: &'a Outlook<P::Game>,
        crew: Option<&'a Crew<P::Game>>,
    ) -> Shift<'a, P> {
        let tree = outlook.tree_of(self.thread);
        let plot = tree.plot(self.thread / outlook.trees.len());
        Shift { worker: self, outlook, tree, plot, crew, root_visits: 0, done: Done::default() }
    }
}

/// What a thread did in a batch of iterations.
#[derive(Clone, Copy, Default)]
struct Done {
    /// Of the root: as many as there were playouts.
    visits: u32,
    /// Of the player who moved to the root.
    points: u32,
    depth: usize,
}

/// A thread at work in a tree.
pub struct Shift<'a, P: Playouts> {
    worker: &'a mut Worker<P>,
    outlook: &'a Outlook<P::Game>,
    tree: &'a Tree,
    plot: MutexGuard<'a, Plot>,
    /// The threads that help with the playouts of a leaf, if any do.
    crew: Option<&'a Crew<P::Game>>,
    /// The visits of the root: those known of when the batch began, and the own since.
    root_visits: u32,
    done: Done,
}

impl<P: Playouts> Shift<'_, P> {
    /// Iterates until there are no playouts left to make, or the round is over.
    pub fn work(&mut self, round: &Round) {
        loop {
            let playouts = round.take(self.each());
            if playouts == 0 || self.batch(playouts, || round.is_over()) || round.is_late() {
                break;
            }
        }
        self.worker.own_blocks.give(self.tree);
    }

    /// The playouts of an iteration.
    fn each(&self) -> u64 {
        let each = self.outlook.params.playouts;
        u64::from(self.crew.map_or(each, |crew| each.max(crew.threads() as u32)))
    }

    /// Iterates until so many playouts are made; true if the tree was solved or `is_over` says so first.
    pub fn batch(&mut self, playouts: u64, is_over: impl Fn() -> bool) -> bool {
        let tree = self.worker.thread % self.outlook.trees.len();
        (self.root_visits, _) = self.outlook.root_counts(tree);
        if self.tree.is_shared() {
            let playouts = playouts.next_multiple_of(self.each());
            self.worker.own_blocks.refresh(self.tree, self.root_visits, playouts);
        }
        self.done = Done::default();
        let mut ended = false;
        for _ in 0..playouts.div_ceil(self.each()) {
            self.iterate();
            ended = is_solved(self.tree) || is_over();
            if ended {
                break;
            }
        }
        self.tell();
        ended
    }

    /// Writes down what was done.
    fn tell(&mut self) {
        let tally = &self.outlook.tallies[self.worker.thread];
        let Done { visits, points, depth } = self.done;
        // No one else writes to the tally: a load and a store are enough.
        tally.playouts.store(tally.playouts.load(Relaxed) + u64::from(visits), Relaxed);
        tally.add_to_root(visits, points);
        tally.depth.store(depth.max(tally.depth.load(Relaxed)), Relaxed);
        tally.set_hits(&self.worker.playouts.hits());
    }

    /// One iteration.
    fn iterate(&mut self) {
        self.worker.stopwatch.begin();

        // 1. Select: go down to a leaf.
        self.descend();
        self.worker.stopwatch.lap(Phase::Select);

        // 2. Expand: add its children, after some visits, and go to one of them; or find that
        // its value is certain.
        let certain = self.expand_leaf();
        self.worker.stopwatch.lap(Phase::Expand);

        // 3. Simulate, unless there is nothing to find out.
        let (points_of_side_0, playouts) = match certain {
            Some(points) => (points, 1),
            None => self.simulate(),
        };
        // 4. Back up: visits and points along the path. (RAVE counts have been added playout by
        // playout.)
        self.back_up(points_of_side_0, playouts);
        self.worker.stopwatch.lap(Phase::BackUp);
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

    /// The visits that are added to a node of a block on the way down.
    #[inline(always)]
    fn virtual_visits(&self, handle: Handle) -> u32 {
        if self.is_shared(handle) { self.outlook.params.virtual_loss } else { 0 }
    }

    /// Goes from the children of a node with so many visits to a leaf.
    fn go_down(&mut self, children: Handle, visits: u32) {
        let Worker { selector, rng, path, line, playouts, history, own_blocks, .. } =
            &mut *self.worker;
        let params = &self.outlook.params;
        let shared = self
            .tree
            .is_shared()
            .then_some(Shared { own_blocks, virtual_visits: params.virtual_loss });
        let root_side = self.outlook.position.to_move();
        let steering = Steering { params, playouts, history, root_side };
        let steer = steering::is_wanted(params).then_some(&steering as &dyn Steer);
        let way = Way { tree: self.tree, children, visits, shared, rng, steer };
        selector.descend(way, path, line);
        self.done.depth = self.done.depth.max(self.worker.path.len());
    }

    /// The points of side 0, if they are certain at the leaf.
    fn expand_leaf(&mut self) -> Option<u32> {
        let params = &self.outlook.params;
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
        let mut position = self.outlook.position.clone();
        self.worker.line.iter().for_each(|next| position.advance(*next));
        let mover = 1 - position.to_move();
        if let Some(points) = status.value() {
            // Another thread has proven it, on this one's way down.
            return Some(points_of(mover, points, 1));
        }
        if let Some(points) = position.result() {
            let value = points_of(mover, points, 1);
            return Some(self.prove(Status::new(value, value), 0, mover));
        }
        match position.prospect(self.outlook.isa, params) {
            Prospect::Open(_) if !is_due => None,
            Prospect::Open(moves) => {
                let handle = self.add_children(place, &position, moves)?;
                self.go_down(handle, visits);
                None
            }
            // The status is that of the player who moved to the leaf.
            Prospect::Win(_) => Some(self.prove(Status::LOST, 1, mover)),
            Prospect::Loss(_) => Some(self.prove(Status::WON, 2, mover)),
            Prospect::Settled { points, plies, .. } => {
                Some(self.prove(Status::new(points, points).turned(), plies, mover))
            }
            Prospect::Draw => {
                let plies_left = position.legal_moves().len() as u32;
                Some(self.prove(Status::DRAWN, plies_left, mover))
            }
        }
    }

    /// Notes what is certain of the leaf of the path, and what follows for the nodes above it. The
    /// path then ends at the highest node that is proven. Returns the points of side 0 at the leaf,
    /// where `mover` is the side that moved there.
    fn prove(&mut self, status: Status, depth: u32, mover: usize) -> u32 {
        let Params { proofs, dead_cells, stacked, .. } = self.outlook.params;
        // By the published rule for dead cells, moves may have been left out that were of use.
        if proofs && dead_cells != DeadCells::Local {
            let Worker { path, line, .. } = &mut *self.worker;
            let plot = &mut self.plot;
            let proven = super::proof::prove(self.tree, plot, path, stacked, status, depth);
            // What was below a proven node is cut off.
            path.truncate(proven + 1);
            line.truncate(proven + 1);
        }
        points_of(mover, status.lower(), 1)
    }

    /// Gives a node its children, with what is known of them before any playout. None if there is no
    /// memory for them, or the node was proven meanwhile.
    fn add_children(
        &mut self,
        place: Place,
        position: &P::Game,
        moves: MoveSet<P::Game>,
    ) -> Option<Handle> {
        let moves = self.outlook.worth_looking_at(position, moves);
        let priors = &mut self.worker.priors;
        let visits = self.outlook.priors_of(position, priors);
        let prepare = |block: &mut BlockMut| set_priors(block, visits, priors);
        self.tree.expand(&mut self.plot, place, moves.len(), moves.iter(), prepare)
    }

    /// Playouts from the leaf: the points of side 0 in all, and how many there were.
    fn simulate(&mut self) -> (u32, u32) {
        let params = &self.outlook.params;
        let worker = &mut *self.worker;
        if let Some(list) = worker.playouts.pool_mut() {
            let look = |handle| worker.own_blocks.block(self.tree, handle);
            advice::fill_pool(params, look, self.root_visits, &worker.path, list);
        }
        if let Some(crew) = self.crew {
            let played = crew.simulate(worker, params);
            self.worker.stopwatch.lap(Phase::Playout);
            let sum = played.iter().map(|game| self.count(game)).sum();
            return (sum, played.len() as u32);
        }
        let mut sum = 0;
        for _ in 0..params.playouts {
            let worker = &mut *self.worker;
            let game = Played::new(params, &mut worker.playouts, &worker.line, &mut worker.rng);
            self.worker.stopwatch.lap(Phase::Playout);
            sum += self.count(&game);
        }
        (sum, params.playouts)
    }

    /// Counts the moves of a playout where they count; the points of side 0.
    fn count(&mut self, game: &Played<P::Game>) -> u32 {
        let params = &self.outlook.params;
        let mut points = game.points;
        if params.ties_win && points == DRAW {
            points = points_of(self.outlook.position.to_move(), WIN, 1);
        }
        if params.rave != Rave::Off {
            self.back_up_rave(points, if params.killer_rave { game.killers } else { game.made });
            self.worker.stopwatch.lap(Phase::BackUp);
        }
        if params.history_weight > 0.0 {
            let reward = |side| points_of(side, points, 1) as f32 / WIN as f32;
            self.worker.history.add::<P::Game>(&game.made, [reward(0), reward(1)]);
        }
        points
    }

    /// Adds the moves of a playout to the RAVE counts along the path.
    fn back_up_rave(&mut self, points: u32, made: [MoveSet<P::Game>; 2]) {
        let Outlook { isa, params, position, .. } = self.outlook;
        let Worker { path, line, own_blocks, .. } = &*self.worker;
        let from_level = if params.killer_rave { self.first_killer_level() } else { 0 };
        let mut legal = position.legal_moves();
        let legal_count = legal.len();
        line.iter().for_each(|next| legal.remove(next.number()));
        let back_up = RaveBackUp {
            tree: self.tree,
            own_blocks,
            path,
            line,
            from_level,
            legal,
            legal_count,
            made,
            gain: [
                RaveCount::new(1, points_of(0, points, 1)),
                RaveCount::new(1, points_of(1, points, 1)),
            ],
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
                let Place { block, index } = path[level - 1];
                own_blocks.block(self.tree, block).real_visits(index)
            }
        };
        let has_few = |level: &usize| visits(*level) < self.outlook.params.killer_visits;
        (0..path.len()).find(has_few).unwrap_or(path.len())
    }

    /// Adds visits, and the points of side 0 in all, to the nodes of the path.
    fn back_up(&mut self, points: u32, visits: u32) {
        let root_side = self.outlook.position.to_move();
        for (level, place) in self.worker.path.iter().enumerate() {
            let points = points_of(root_side ^ (level & 1), points, visits);
            let block = self.worker.own_blocks.block(self.tree, place.block);
            // What was added on the way down is no more needed.
            let visits = visits.wrapping_sub(self.virtual_visits(place.block));
            block.add(place.index, visits, points, self.is_shared(place.block));
        }
        self.root_visits += visits;
        self.done.visits += visits;
        self.done.points += points_of(1 - root_side, points, visits);
    }
}

/// Lets nodes begin with visits and with the wins of their moves.
pub fn set_priors(block: &mut BlockMut, visits: u32, wins: &[u32]) {
    if visits > 0 {
        block.set_priors(visits.min(MOST_PRIOR_VISITS), |number| WIN * wins[number]);
    }
}

impl<G: Game> Outlook<G> {
    /// Of moves, those that are of use and, early in the game, that no symmetry makes equal to another.
    pub(super) fn worth_looking_at(&self, position: &G, moves: MoveSet<G>) -> MoveSet<G> {
        let mut worth = moves;
        if self.params.dead_cells != DeadCells::Off {
            let is_exact = self.params.dead_cells == DeadCells::Exact;
            let alive = worth - position.dead_moves(self.isa, is_exact);
            worth = if alive.is_empty() { worth } else { alive };
        }
        let is_early = position.ply() < self.params.symmetry_plies as usize;
        if is_early { position.distinct(worth) } else { worth }
    }

    /// The visits that the moves of a position begin with; the wins of each are written down.
    pub(super) fn priors_of(&self, position: &G, wins: &mut [u32]) -> u32 {
        wins.fill(0);
        position.add_priors(self.isa, &self.params, wins)
    }
}

/// A playout that was made.
pub struct Played<G: Game> {
    /// Of side 0.
    pub points: u32,
    /// For each side, its moves, and those that won or saved the game; where they count.
    made: [MoveSet<G>; 2],
    killers: [MoveSet<G>; 2],
}

impl<G: Game> Played<G> {
    /// Makes a playout.
    #[inline]
    pub fn new<P: Playouts<Game = G>>(
        params: &Params,
        playouts: &mut P,
        line: &[Move],
        rng: &mut Rng,
    ) -> Self {
        let points = playouts.run(line, rng);
        let none = [MoveSet::<G>::empty(); 2];
        let is_made_counted =
            (params.rave != Rave::Off && !params.killer_rave) || params.history_weight > 0.0;
        let is_killer_counted = params.rave != Rave::Off && params.killer_rave;
        Self {
            points,
            made: if is_made_counted { playouts.made() } else { none },
            killers: if is_killer_counted { playouts.killers() } else { none },
        }
    }
}
