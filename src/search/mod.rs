//! Monte-Carlo tree search: one iteration in four numbered steps, and the loop around it.
//!
//! `score` says which child to go to, `steering` what else that depends on, `advice` which moves a
//! playout should prefer, `rave` how playouts count for moves made later, `proof` what
//! is certain, `ending` which move to play, `limits` when to stop, `report` what was found, and
//! `stopwatch` where the time goes. Nothing here knows the rules of a game: positions come from
//! [`Game`], playouts from [`Playouts`].
//!
//! The path down the tree is followed by its columns alone. The position at its end is only set
//! up where children are to be added, once in so many visits; the playout plays the moves of the
//! path as the first of its own.

mod advice;
mod ending;
mod limits;
mod proof;
mod rave;
mod report;
mod score;
mod steering;
mod stopwatch;

pub use limits::{Ending, Limits};
pub use report::{MoveReport, PolicyReport, Report};
pub use stopwatch::Stopwatch;

use crate::bits::Isa;
use crate::game::{DRAW, Game, Move, MoveSet, Prospect, WIN};
use crate::params::{DeadCells, Params, Rave, Selection};
use crate::playout::Playouts;
use crate::rng::Rng;
use crate::tree::{Handle, MOST_PRIOR_VISITS, Place, RaveCount, Status, Tree};
use rave::RaveBackUp;
use score::{Formula, Selector, Steer, Way};
use steering::{History, Steering};
use stopwatch::Phase;

/// A search from one position, which can be moved on.
pub struct Search<P: Playouts> {
    isa: Isa,
    params: Params,
    position: P::Game,
    playouts: P,
    tree: Tree,
    rng: Rng,
    selector: Selector,
    /// The nodes from the root to a leaf, and the moves to them.
    path: Vec<Place>,
    line: Vec<Move>,
    /// What is certain at the root without search.
    prospect: Option<Prospect<MoveSet<P::Game>>>,
    /// Playouts since the search began, and the longest path.
    playout_count: u64,
    depth: usize,
    /// How each side fared with each move, where that counts.
    history: History,
    /// The prior wins of moves, by their numbers.
    priors: Vec<u32>,
    stopwatch: Stopwatch,
}

impl<P: Playouts> Search<P> {
    pub fn new(isa: Isa, params: &Params, position: P::Game, mut playouts: P) -> Self {
        playouts.start_from(&position);
        let span = MoveSet::<P::Game>::CAPACITY;
        let memory = ((params.memory as usize) << 20).saturating_sub(playouts.bytes());
        Self {
            isa,
            params: params.clone(),
            position,
            playouts,
            tree: Tree::new(memory),
            rng: Rng::new(params.seed),
            selector: Selector::new(isa, Formula::new(params)),
            path: Vec::new(),
            line: Vec::new(),
            prospect: None,
            playout_count: 0,
            depth: 0,
            history: History::new(if params.history_weight > 0.0 { span } else { 0 }),
            priors: vec![0; span],
            stopwatch: Stopwatch::default(),
        }
    }

    pub fn position(&self) -> &P::Game {
        &self.position
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Playouts since the last [`run`](Self::run) began.
    pub fn playout_count(&self) -> u64 {
        self.playout_count
    }

    pub fn stopwatch(&mut self) -> &mut Stopwatch {
        &mut self.stopwatch
    }

    /// Makes some moves, and keeps the part of the tree below them.
    pub fn advance(&mut self, line: &[Move]) {
        if line.is_empty() {
            return;
        }
        line.iter().for_each(|next| self.position.advance(*next));
        if self.params.reuse_tree {
            self.tree.advance(line)
        } else {
            self.tree.clear()
        }
        self.start_again();
        if self.position.result().is_none() {
            self.playouts.move_on_to(&self.position);
        }
    }

    /// Frees what was dropped or cut off and has yet to be freed.
    pub fn sweep(&mut self) {
        self.tree.sweep(|| false);
    }

    /// Goes to another position, with an empty tree.
    pub fn set_position(&mut self, position: P::Game) {
        self.position = position;
        self.tree.clear();
        self.start_again();
        if self.position.result().is_none() {
            self.playouts.start_from(&self.position);
        }
    }

    fn start_again(&mut self) {
        self.prospect = None;
        (self.playout_count, self.depth) = (0, 0);
        self.history.clear();
    }

    /// Finds what is certain at the root, and gives it its children.
    fn prepare_root(&mut self) {
        if self.prospect.is_some() {
            return;
        }
        let prospect = self.position.prospect(self.isa);
        self.prospect = Some(prospect);
        self.depth = 0;
        let (status, depth) = match prospect {
            Prospect::Win(_) => (Status::LOST, 1),
            Prospect::Loss(_) => (Status::WON, 2),
            Prospect::Draw => (Status::DRAWN, self.position.legal_moves().len() as u32),
            // What is known of a part of the tree that was kept stays known.
            Prospect::Open(moves) => {
                if self.tree.children().is_none() {
                    let position = self.position.clone();
                    let expanded = self.add_children(None, &position, moves);
                    expanded.expect("an empty tree has room for the root's children");
                }
                return;
            }
        };
        let root = self.tree.root_mut();
        (root.status, root.proof_depth) = (status, depth);
    }

    /// Of moves, those that are of use and, early in the game, that no symmetry makes equal to another.
    fn worth_looking_at(&self, position: &P::Game, moves: MoveSet<P::Game>) -> MoveSet<P::Game> {
        let mut worth = moves;
        if self.params.dead_cells != DeadCells::Off {
            let is_exact = self.params.dead_cells == DeadCells::Exact;
            let alive = worth - position.dead_moves(self.isa, is_exact);
            worth = if alive.is_empty() { worth } else { alive };
        }
        let is_early = position.ply() < self.params.symmetry_plies as usize;
        if is_early { position.distinct(worth) } else { worth }
    }

    /// Gives a node (the root, if no place is given) its children, with what is known of them before
    /// any playout. None if there is no memory for them.
    fn add_children(
        &mut self,
        place: Option<Place>,
        position: &P::Game,
        moves: MoveSet<P::Game>,
    ) -> Option<Handle> {
        let moves = self.worth_looking_at(position, moves);
        let handle = self.tree.expand(place, moves.len(), moves.iter())?;
        self.priors.fill(0);
        let visits = position.add_priors(self.isa, &self.params, &mut self.priors);
        if visits > 0 {
            let visits = visits.min(MOST_PRIOR_VISITS);
            let priors = &self.priors;
            let points = |number: usize| WIN * priors[number];
            self.tree.block_mut(handle).set_priors(visits, points);
        }
        Some(handle)
    }

    /// One iteration. Making room for it may take long, and can be interrupted.
    fn iterate(&mut self, is_interrupted: impl Fn() -> bool) {
        self.tree.make_room(is_interrupted);
        self.stopwatch.begin();

        // 1. Select: go down to a leaf.
        self.descend();
        self.stopwatch.lap(Phase::Select);

        // 2. Expand: add its children, after some visits, and go to one of them; or find that
        // its value is certain.
        let certain = self.expand_leaf();
        self.stopwatch.lap(Phase::Expand);

        let points_of_side_0 = match certain {
            Some(points) => {
                self.playout_count += 1;
                self.back_up(points, 1);
                return;
            }
            None => self.simulate(),
        };
        // 4. Back up: visits and points along the path. (RAVE counts have been added playout by
        // playout.)
        self.playout_count += u64::from(self.params.playouts);
        self.back_up(points_of_side_0, self.params.playouts);
        self.stopwatch.lap(Phase::BackUp);
    }

    fn descend(&mut self) {
        self.path.clear();
        self.line.clear();
        let children = self.tree.children().expect("the root has children");
        self.go_down(children, self.tree.root().visits);
        self.depth = self.depth.max(self.path.len());
    }

    /// Goes from the children of a node with so many visits to a leaf.
    fn go_down(&mut self, children: Handle, visits: u32) {
        let Self { tree, selector, rng, path, line, params, playouts, history, position, .. } =
            self;
        let root_side = position.to_move();
        let steering = Steering { params, playouts, history, root_side };
        let steer = steering::is_wanted(params).then_some(&steering as &dyn Steer);
        selector.descend(Way { tree, children, visits, rng, steer }, path, line);
    }

    /// The points of side 0, if they are certain at the leaf.
    fn expand_leaf(&mut self) -> Option<u32> {
        let place = *self.path.last().expect("the root has children");
        let visits = self.tree.block(place.block).real_visits(place.index);
        let needed = self.params.expand_after.max(self.tree.needed_visits());
        // The moves of the root are looked at the first time, lest a win in two waits for others.
        let is_first_look = visits == 0 && self.path.len() == 1;
        let is_due = visits >= needed;
        if !(is_due || is_first_look) || self.params.selection == Selection::Flat {
            return None;
        }
        let mut position = self.position.clone();
        self.line.iter().for_each(|next| position.advance(*next));
        let mover = 1 - position.to_move();
        if let Some(points) = position.result() {
            let value = points_of(mover, points, 1);
            return Some(self.prove(Status::new(value, value), 0, mover));
        }
        match position.prospect(self.isa) {
            Prospect::Open(_) if !is_due => None,
            Prospect::Open(moves) => {
                let handle = self.add_children(Some(place), &position, moves)?;
                self.go_down(handle, visits);
                None
            }
            // The status is that of the player who moved to the leaf.
            Prospect::Win(_) => Some(self.prove(Status::LOST, 1, mover)),
            Prospect::Loss(_) => Some(self.prove(Status::WON, 2, mover)),
            Prospect::Draw => {
                let plies_left = position.legal_moves().len() as u32;
                Some(self.prove(Status::DRAWN, plies_left, mover))
            }
        }
    }

    /// 3. Simulate: playouts from the leaf; the points of side 0 in all.
    fn simulate(&mut self) -> u32 {
        let searcher = self.position.to_move();
        let mut sum = 0;
        if let Some(list) = self.playouts.pool_mut() {
            advice::fill_pool(&self.params, &self.tree, &self.path, list);
        }
        for _ in 0..self.params.playouts {
            let mut points = self.playouts.run(&self.line, &mut self.rng);
            if self.params.ties_win && points == DRAW {
                points = points_of(searcher, WIN, 1);
            }
            self.stopwatch.lap(Phase::Playout);
            if self.params.rave != Rave::Off {
                self.back_up_rave(points);
                self.stopwatch.lap(Phase::BackUp);
            }
            if self.params.history_weight > 0.0 {
                let reward = |side| points_of(side, points, 1) as f32 / WIN as f32;
                let made = self.playouts.made();
                self.history.add::<P::Game>(&made, [reward(0), reward(1)]);
            }
            sum += points;
        }
        sum
    }

    /// Adds the moves of the last playout to the RAVE counts along the path.
    fn back_up_rave(&mut self, points: u32) {
        let is_killer = self.params.killer_rave;
        let made = if is_killer { self.playouts.killers() } else { self.playouts.made() };
        let from_level = if is_killer { self.first_killer_level() } else { 0 };
        let mut legal = self.position.legal_moves();
        let legal_count = legal.len();
        self.line.iter().for_each(|next| legal.remove(next.number()));
        let back_up = RaveBackUp {
            tree: &mut self.tree,
            path: &self.path,
            line: &self.line,
            from_level,
            legal,
            legal_count,
            made,
            gain: [
                RaveCount::new(1, points_of(0, points, 1)),
                RaveCount::new(1, points_of(1, points, 1)),
            ],
            counted: self.params.rave_moves,
            root_side: self.position.to_move(),
            squeezes: self.isa.can_squeeze(),
        };
        self.isa.run_lanes(back_up);
    }

    /// The first level of the path whose node has few enough visits to count killers.
    fn first_killer_level(&self) -> usize {
        let visits = |level: usize| match level {
            0 => self.tree.root().visits,
            _ => {
                let Place { block, index } = self.path[level - 1];
                self.tree.block(block).real_visits(index)
            }
        };
        let has_few = |level: &usize| visits(*level) < self.params.killer_visits;
        (0..self.path.len()).find(has_few).unwrap_or(self.path.len())
    }

    /// Adds visits, and the points of side 0 in all, to the nodes of the path.
    fn back_up(&mut self, points: u32, visits: u32) {
        let root_side = self.position.to_move();
        for (level, place) in self.path.iter().enumerate() {
            let block = self.tree.block_mut(place.block);
            block.visits[place.index] += visits;
            block.wins[place.index] += points_of(root_side ^ (level & 1), points, visits);
        }
        let root = self.tree.root_mut();
        root.visits += visits;
        root.wins += points_of(1 - root_side, points, visits);
    }
}

/// The points of a side, from those of side 0 in some playouts.
#[inline(always)]
fn points_of(side: usize, points_of_side_0: u32, playouts: u32) -> u32 {
    if side == 0 { points_of_side_0 } else { WIN * playouts - points_of_side_0 }
}
