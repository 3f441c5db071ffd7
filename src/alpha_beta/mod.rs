//! Alpha-beta search with iterative deepening, for games with an evaluation that needs no playouts.
//!
//! - Moves are made in turn, also where they are simultaneous: then the second side sees the choice of
//!   the first. Depths rise by two, so that both sides have moved at the leaves, which the game evaluates.
//! - Move order: the best line of the depth before, then moves that refuted others at the same ply
//!   (killers), then the moves that refuted most often (history). All moves but the first get a window
//!   of one, to show that they are no better (Marsland and Campbell 1982).
//! - A search that needs no evaluation has proven its value. Where moves are simultaneous, the side that
//!   chooses first shows its choice: a win there is a win, but a loss or a draw may be more in the game.
//!   So only its wins are reported as proven.
//!
//! Laschet 2012 §6 names alpha-beta as the opponent to be measured with.

mod territory;

pub use territory::TerritorySearch;

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::bits::Isa;
use crate::game::{DRAW, Evaluate, LOSS, Move, WIN, points_of};
use crate::search::{Limits, MoveReport, Report, SearchClock, SearchStats};
use crate::tree::Status;

/// Scores are seen by the side to move. A won end is `WON` minus the plies to it. A draw is 0.
/// Evaluations are at most [`JUDGED`] away from it.
const WON: i32 = 1 << 26;
const JUDGED: i32 = 1 << 24;
/// More than any score.
const BEYOND: i32 = WON + 1;

/// Depths stay below this, for the stack.
const MOST_DEPTH: usize = 256;

/// Positions between two readings of the clock.
const LOOK_EVERY: u64 = 128;

/// Searches a position. In the report `playouts` are the positions visited, `depth` is the last depth
/// that was completed. Nothing is kept for the next search.
pub fn alpha_beta<G: Evaluate>(
    position: &G,
    isa: Isa,
    limits: &Limits,
    stop: &AtomicBool,
) -> Report {
    let clock = SearchClock { begin: Instant::now(), limits: *limits, stop };
    let mut search = AlphaBeta::new(position, isa, clock);
    search.deepen();
    search.report(clock.begin.elapsed())
}

/// A move at the root.
struct RootMove {
    next: Move,
    /// From the last time it was searched: its score, or an upper bound.
    score: i32,
    nodes: u64,
}

struct AlphaBeta<'a, G: Evaluate> {
    position: &'a G,
    isa: Isa,
    clock: SearchClock<'a>,
    /// Whether limits are checked: the first depth is always completed.
    is_limited: bool,
    nodes: u64,
    /// Leaves of this depth that were evaluated.
    judged: u64,
    roots: Vec<RootMove>,
    /// The best line, its score, and whether the score is proven.
    line: Vec<Move>,
    score: i32,
    is_proven: bool,
    /// The last depth that was completed.
    depth: usize,
    /// By plies from the root: the best line from there, the killers, and a buffer for moves.
    lines: Vec<Vec<Move>>,
    killers: Vec<[Option<Move>; 2]>,
    rooms: Vec<Vec<(u32, Move)>>,
    legal: Vec<Move>,
    /// For each side, a count for each move that refuted others; refutations of deeper searches weigh
    /// more.
    history: [Vec<u32>; 2],
}

impl<'a, G: Evaluate> AlphaBeta<'a, G> {
    fn new(position: &'a G, isa: Isa, clock: SearchClock<'a>) -> Self {
        let root = |next| RootMove { next, score: 0, nodes: 0 };
        let history = || vec![0; position.move_span()];
        let score = position.result().map_or(0, |points| ended(position, points, 0));
        Self {
            position,
            isa,
            clock,
            is_limited: false,
            nodes: 0,
            judged: 0,
            roots: position.legal_moves().into_iter().map(root).collect(),
            line: Vec::new(),
            score,
            is_proven: position.result().is_some(),
            depth: 0,
            lines: vec![Vec::new(); MOST_DEPTH + 1],
            killers: vec![[None; 2]; MOST_DEPTH + 1],
            rooms: vec![Vec::new(); MOST_DEPTH + 1],
            legal: Vec::new(),
            history: [history(), history()],
        }
    }

    /// Searches depth after depth, until the value is proven or a limit is reached.
    fn deepen(&mut self) {
        if self.roots.is_empty() {
            return;
        }
        // If one side has already chosen, the leaves are at odd depths.
        let is_half_way = self.position.is_simultaneous() && self.position.ply() % 2 == 1;
        let depths = (if is_half_way { 1 } else { 2 }..MOST_DEPTH).step_by(2);
        let is_forced = self.roots.len() == 1 && !self.clock.limits.until_solved;
        for depth in depths {
            if self.search_root(depth).is_none() {
                return;
            }
            self.depth = depth;
            self.is_proven = self.judged == 0 || self.score.abs() > JUDGED;
            if self.is_proven || is_forced {
                return;
            }
            self.is_limited = true;
            self.prepare_next();
        }
    }

    /// Searches all moves to a depth; none if a limit came first. What was found until then is kept: it
    /// is about the best move of the depth before, or a better one.
    fn search_root(&mut self, depth: usize) -> Option<()> {
        self.judged = 0;
        let mut best = -BEYOND;
        for index in 0..self.roots.len() {
            let next = self.roots[index].next;
            let nodes = self.nodes;
            let mut child = self.position.clone();
            child.advance(next);
            let score = self.child_score(&child, depth - 1, 1, (best, BEYOND), index == 0);
            let root = &mut self.roots[index];
            root.nodes += self.nodes - nodes;
            root.score = score?;
            if root.score > best {
                best = root.score;
                self.score = best;
                self.line.clear();
                self.line.push(next);
                self.line.extend_from_slice(&self.lines[1]);
            }
            if best > JUDGED {
                // A win. No shorter one exists: the depth before would have found it.
                break;
            }
        }
        Some(())
    }

    /// Sorts the moves for the next depth: the best first, then by score. Halves the history.
    fn prepare_next(&mut self) {
        let best = self.line.first().copied();
        self.roots.sort_by_key(|root| (Some(root.next) != best, Reverse(root.score)));
        self.history.iter_mut().flatten().for_each(|count| *count /= 2);
    }

    /// The score of a move, for the side that makes it: exact within the window, otherwise a bound.
    fn child_score(
        &mut self,
        child: &G,
        depth: usize,
        ply: usize,
        (alpha, beta): (i32, i32),
        is_first: bool,
    ) -> Option<i32> {
        if !is_first {
            let score = -self.score_of(child, depth, ply, (-alpha - 1, -alpha))?;
            if score <= alpha || score >= beta {
                return Some(score);
            }
        }
        Some(-self.score_of(child, depth, ply, (-beta, -alpha))?)
    }

    /// The score of a position, for the side to move: exact within the window, otherwise a bound. None
    /// if a limit is reached.
    fn score_of(
        &mut self,
        position: &G,
        depth: usize,
        ply: usize,
        (mut alpha, beta): (i32, i32),
    ) -> Option<i32> {
        if self.is_over() {
            return None;
        }
        self.nodes += 1;
        self.lines[ply].clear();
        if let Some(points) = position.result() {
            return Some(ended(position, points, ply));
        }
        if depth == 0 {
            return Some(self.judge(position));
        }
        let mut best = -BEYOND;
        let moves = self.ordered_moves(position, ply);
        for (index, (_, next)) in moves.iter().enumerate() {
            let mut child = position.clone();
            child.advance(*next);
            let score = self.child_score(&child, depth - 1, ply + 1, (alpha, beta), index == 0)?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.lengthen_line(*next, ply);
            }
            if alpha >= beta {
                self.remember(*next, position.to_move(), depth, ply);
                break;
            }
        }
        self.rooms[ply] = moves;
        Some(best)
    }

    /// Whether a limit is reached.
    fn is_over(&self) -> bool {
        let is_spent = || self.clock.left(self.nodes) == 0;
        let is_time_to_look = self.nodes.is_multiple_of(LOOK_EVERY);
        let is_late = || is_time_to_look && (self.clock.is_late() || self.clock.is_stopped());
        self.is_limited && (is_spent() || is_late())
    }

    /// The game's own evaluation, for the side to move.
    fn judge(&mut self, position: &G) -> i32 {
        self.judged += 1;
        let value = position.evaluate(self.isa).unwrap_or(0.5);
        let score = ((2.0 * value - 1.0) * JUDGED as f32) as i32;
        if position.to_move() == 0 { score } else { -score }
    }

    /// The moves in the order to try them.
    fn ordered_moves(&mut self, position: &G, ply: usize) -> Vec<(u32, Move)> {
        let mut moves = std::mem::take(&mut self.rooms[ply]);
        moves.clear();
        let (hint, killers) = (self.line.get(ply).copied(), self.killers[ply]);
        let history = &self.history[position.to_move()];
        self.legal.clear();
        position.list_moves(&mut self.legal);
        moves.extend(self.legal.iter().map(|next| {
            let next = *next;
            let key = match Some(next) {
                next if next == hint => u32::MAX,
                next if next == killers[0] => u32::MAX - 1,
                next if next == killers[1] => u32::MAX - 2,
                _ => history[next.number()],
            };
            (key, next)
        }));
        moves.sort_unstable_by_key(|(key, next)| (Reverse(*key), *next));
        moves
    }

    /// The best line from a ply is this move and the best line after it.
    fn lengthen_line(&mut self, next: Move, ply: usize) {
        let (before, behind) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(next);
        line.extend_from_slice(&behind[0]);
    }

    /// Remembers a move that refuted the one before it.
    fn remember(&mut self, next: Move, side: usize, depth: usize, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(next) {
            *killers = [Some(next), killers[0]];
        }
        let count = &mut self.history[side][next.number()];
        *count = count.saturating_add((depth * depth) as u32).min(u32::MAX - 3);
    }

    /// What is proven of the position.
    fn status(&self) -> Status {
        // Where moves are simultaneous, the first side has shown its choice, and the second has seen it.
        let is_fair = !self.position.is_simultaneous() || self.position.result().is_some();
        match self.score {
            _ if !self.is_proven => Status::UNKNOWN,
            1.. if is_fair || self.position.ply().is_multiple_of(2) => Status::WON,
            0 if is_fair => Status::DRAWN,
            ..0 if is_fair => Status::LOST,
            _ => Status::UNKNOWN,
        }
    }

    fn report(mut self, time: Duration) -> Report {
        self.prepare_next();
        let status = self.status();
        let proof_depth = status.is_proven().then(|| (WON - self.score.abs()) as u32);
        Report {
            status,
            value: value_of(self.score),
            best: self.line.first().copied(),
            proof_depth: proof_depth.filter(|_| self.score != 0),
            stats: SearchStats { depth: self.depth, ..SearchStats::new(self.nodes, time) },
            pv: self.line.clone(),
            policies: Vec::new(),
            moves: self.moves(status),
        }
    }

    /// The moves, best first. Of all but the best it is only known that they are no better.
    fn moves(&self, status: Status) -> Vec<MoveReport> {
        let report = |(index, root): (usize, &RootMove)| {
            let status = if index == 0 { status } else { Status::UNKNOWN };
            MoveReport {
                next: root.next,
                visits: u32::try_from(root.nodes).unwrap_or(u32::MAX),
                win_rate: (index == 0).then(|| value_of(self.score)),
                rave: None,
                prior: None,
                status,
                proof_depth: (status == Status::WON).then(|| (WON - self.score) as u32),
            }
        };
        self.roots.iter().enumerate().map(report).collect()
    }
}

/// The score of an end `ply` plies from the root, for the side to move. A win is better sooner, a loss
/// later.
fn ended<G: Evaluate>(position: &G, points: u32, ply: usize) -> i32 {
    match points_of(position.to_move(), points) {
        WIN => WON - ply as i32,
        DRAW => 0,
        LOSS.. => ply as i32 - WON,
    }
}

/// A score as a value from 0 to 1.
fn value_of(score: i32) -> f64 {
    let share = f64::from(score) / f64::from(JUDGED);
    (share.clamp(-1.0, 1.0) + 1.0) / 2.0
}

#[cfg(test)]
mod tests;
