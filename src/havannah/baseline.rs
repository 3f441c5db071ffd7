//! The textbook program that speed is compared with: random playouts as Wanderer plays them
//! (Nahue 2014 ch. 2-3, appendices A-B), without avoidable slowness.
//!
//! - A board is an array of points with lists of neighbours counter-clockwise.
//! - Chains are union-find with recursive path compression: the root of the played point joins the root
//!   of each own neighbour.
//! - Bridges and forks are looked up by the OR-ed chain bits, rings by the `loop_sum` of the neighbours
//!   that share a root, rings around an own stone ("blobs") by the neighbours of the neighbours.
//! - `WEIGHTED` joins the lower tree to the higher (§5.7); `COUNTED` counts the steps to the roots
//!   (§3.3). Both cost nothing when off.

use super::geometry::{Cell, Geometry};
#[cfg(any(test, feature = "internals"))]
use super::rules::PlayError;
use super::rules::{Colour, Wins};
use crate::rng::Rng;

/// The parent of a root.
const NO_PARENT: u16 = u16::MAX;

/// A point of the board, within one cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Point {
    colour: Option<Colour>,
    parent: u16,
    /// Corner and edge bits of the point; for a root, of its whole chain.
    chain: u16,
    /// Upper bound on the height of the tree; updated only if `WEIGHTED`.
    height: u8,
    neighbour_count: u8,
    /// Counter-clockwise. On the rim the list starts after the gap, so the first and the last neighbour are
    /// adjacent only if there are six.
    neighbours: [u16; 6],
}

impl Point {
    fn new(tables: &Geometry, cell: Cell) -> Self {
        let neighbour = |d: usize| tables.neighbour(cell, d % 6);
        let begins = |d: &usize| neighbour(*d).is_some() && neighbour(d + 5).is_none();
        let first = (0..6).find(begins).unwrap_or(0);
        let mut point = Point {
            colour: None,
            parent: NO_PARENT,
            chain: tables.border[cell.index()],
            height: 0,
            neighbour_count: 0,
            neighbours: [0; 6],
        };
        for next in (first..first + 6).filter_map(neighbour) {
            point.neighbours[point.neighbour_count as usize] = tables.ordinal[next.index()];
            point.neighbour_count += 1;
        }
        point
    }

    #[inline(always)]
    fn neighbours(&self) -> &[u16] {
        &self.neighbours[..self.neighbour_count as usize]
    }
}

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BaselineResult {
    /// `None` after a draw.
    pub winner: Option<Colour>,
    pub wins: Wins,
    /// The number of stones on the board at the end.
    pub length: usize,
}

/// Statistics of the root searches.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FindStatistics {
    /// The number of root searches.
    pub calls: u64,
    /// The total number of steps from child to parent.
    pub steps: u64,
    /// The maximum number of steps of one search.
    pub longest: u64,
}

/// A start position for playouts, and the last playout from it.
#[derive(Clone)]
pub struct Baseline<const WEIGHTED: bool = false, const COUNTED: bool = false> {
    points: Box<[Point]>,
    available_moves: Box<[u16]>,
    points_backup: Box<[Point]>,
    available_moves_backup: Box<[u16]>,
    to_move: Colour,
    played: usize,
    statistics: FindStatistics,
}

impl<const WEIGHTED: bool, const COUNTED: bool> Baseline<WEIGHTED, COUNTED> {
    /// The empty board.
    pub fn new(tables: &'static Geometry) -> Self {
        let points: Box<[Point]> =
            tables.cells().iter().map(|cell| Point::new(tables, *cell)).collect();
        let available_moves: Box<[u16]> = (0..points.len() as u16).collect();
        Self {
            points_backup: points.clone(),
            available_moves_backup: available_moves.clone(),
            points,
            available_moves,
            to_move: Colour::White,
            played: 0,
            statistics: FindStatistics::default(),
        }
    }

    /// The position after some moves, White first. A move that wins is an error.
    #[cfg(any(test, feature = "internals"))]
    pub fn after(tables: &'static Geometry, moves: &[Cell]) -> Result<Self, PlayError> {
        let mut baseline = Self::new(tables);
        for cell in moves {
            let point = *tables.ordinal.get(cell.index()).ok_or(PlayError::OffBoard)?;
            if point == Geometry::OFF_BOARD {
                return Err(PlayError::OffBoard);
            }
            if baseline.points[point as usize].colour.is_some() {
                return Err(PlayError::Occupied);
            }
            if !baseline.place(point, baseline.to_move).is_empty() {
                return Err(PlayError::GameOver);
            }
            baseline.to_move = baseline.to_move.other();
        }
        baseline.points_backup = baseline.points.clone();
        let is_available = |point: &u16| baseline.points[*point as usize].colour.is_none();
        baseline.available_moves = (0..baseline.points.len() as u16).filter(is_available).collect();
        baseline.available_moves_backup = baseline.available_moves.clone();
        Ok(baseline)
    }

    /// Plays random moves from the start position until the game is over.
    pub fn playout(&mut self, rng: &mut Rng) -> BaselineResult {
        self.points.copy_from_slice(&self.points_backup);
        self.available_moves.copy_from_slice(&self.available_moves_backup);
        let mut colour = self.to_move;
        let mut wins = Wins::NONE;
        let mut available = self.available_moves.len();
        while available > 0 && wins.is_empty() {
            let choice = rng.below(available as u32) as usize;
            available -= 1;
            self.available_moves.swap(choice, available);
            wins = self.place(self.available_moves[available], colour);
            colour = colour.other();
        }
        self.played = self.available_moves.len() - available;
        BaselineResult {
            winner: (!wins.is_empty()).then_some(colour.other()),
            wins,
            length: self.points.len() - available,
        }
    }

    /// The random moves of the last playout.
    #[cfg(any(test, feature = "internals"))]
    pub fn moves(&self, tables: &Geometry) -> impl Iterator<Item = Cell> {
        let moves = self.available_moves.iter().rev().take(self.played);
        moves.map(|point| tables.cells()[*point as usize])
    }

    /// The statistics of `COUNTED`.
    #[cfg(any(test, feature = "internals"))]
    pub fn statistics(&self) -> FindStatistics {
        self.statistics
    }

    /// Places a stone and joins it to its neighbours. Returns what it wins.
    #[inline(always)]
    fn place(&mut self, played: u16, colour: Colour) -> Wins {
        self.points[played as usize].colour = Some(colour);
        let mut wins = Wins::NONE;
        for i in 0..self.points[played as usize].neighbour_count as usize {
            let neighbour = self.points[played as usize].neighbours[i];
            if self.points[neighbour as usize].colour != Some(colour) {
                continue;
            }
            let neighbour_root = self.find_root(neighbour);
            let own_root = self.find_root(played);
            if own_root == neighbour_root {
                continue;
            }
            let loop_sum = self.loop_sum(played, i, neighbour_root, colour);
            if RING_BY_LOOP_SUM[loop_sum]
                || BLOB_BY_LOOP_SUM[loop_sum] && self.completes_blob(played, colour)
            {
                wins = wins.union(Wins::RING);
            }
            let chain = self.join(own_root, neighbour_root) as usize;
            if BRIDGE_BY_CORNERS[chain & 63] {
                wins = wins.union(Wins::BRIDGE);
            }
            if FORK_BY_EDGES[chain >> 6] {
                wins = wins.union(Wins::FORK);
            }
        }
        wins
    }

    /// Bit `i` is set if the neighbour at `first + i` has the same root; bit 0 always is.
    #[inline(always)]
    fn loop_sum(&mut self, played: u16, first: usize, root: u16, colour: Colour) -> usize {
        let mut loop_sum = 1;
        for i in first + 1..self.points[played as usize].neighbour_count as usize {
            let neighbour = self.points[played as usize].neighbours[i];
            if self.points[neighbour as usize].colour == Some(colour)
                && self.find_root(neighbour) == root
            {
                loop_sum |= 1 << (i - first);
            }
        }
        loop_sum
    }

    /// Whether an own neighbour of the played point has six own neighbours.
    fn completes_blob(&self, played: u16, colour: Colour) -> bool {
        let is_own = |point: &&u16| self.points[**point as usize].colour == Some(colour);
        self.points[played as usize].neighbours().iter().filter(is_own).any(|centre| {
            self.points[*centre as usize].neighbours().iter().filter(is_own).count() == 6
        })
    }

    /// Joins two chains. Returns the chain bits of both together.
    #[inline(always)]
    fn join(&mut self, own_root: u16, neighbour_root: u16) -> u16 {
        let (mut child, mut parent) = (own_root as usize, neighbour_root as usize);
        if WEIGHTED {
            if self.points[child].height > self.points[parent].height {
                (child, parent) = (parent, child);
            } else if self.points[child].height == self.points[parent].height {
                self.points[parent].height += 1;
            }
        }
        self.points[child].parent = parent as u16;
        self.points[parent].chain |= self.points[child].chain;
        self.points[parent].chain
    }

    #[inline(always)]
    fn find_root(&mut self, point: u16) -> u16 {
        if COUNTED {
            let steps = self.steps_to_root(point);
            self.statistics.calls += 1;
            self.statistics.steps += steps;
            self.statistics.longest = self.statistics.longest.max(steps);
        }
        let parent = self.points[point as usize].parent;
        if parent == NO_PARENT {
            point
        } else if self.points[parent as usize].parent == NO_PARENT {
            parent
        } else {
            compress_to_root(&mut self.points, point)
        }
    }

    fn steps_to_root(&self, point: u16) -> u64 {
        match self.points[point as usize].parent {
            NO_PARENT => 0,
            parent => 1 + self.steps_to_root(parent),
        }
    }
}

/// Finds the root of a point and makes it the parent of every point on the path.
fn compress_to_root(points: &mut [Point], point: u16) -> u16 {
    let parent = points[point as usize].parent;
    if parent == NO_PARENT {
        return point;
    }
    let root = compress_to_root(points, parent);
    points[point as usize].parent = root;
    root
}

static BRIDGE_BY_CORNERS: [bool; 64] = tabulate(Property::SetBits(2));
static FORK_BY_EDGES: [bool; 64] = tabulate(Property::SetBits(3));
static RING_BY_LOOP_SUM: [bool; 64] = tabulate(Property::SeparateRuns);
static BLOB_BY_LOOP_SUM: [bool; 64] = tabulate(Property::ThreeInARow);

/// A property of six bits in a circle.
#[derive(Clone, Copy)]
enum Property {
    /// At least `n` bits are set.
    SetBits(u32),
    /// The set bits form more than one run.
    SeparateRuns,
    /// Three adjacent bits are set.
    ThreeInARow,
}

const fn tabulate(property: Property) -> [bool; 64] {
    let mut table = [false; 64];
    let mut bits: u32 = 0;
    while bits < 64 {
        let (after, before) = ((bits << 1 | bits >> 5) & 63, (bits >> 1 | bits << 5) & 63);
        table[bits as usize] = match property {
            Property::SetBits(least) => bits.count_ones() >= least,
            Property::SeparateRuns => (bits & !after).count_ones() > 1,
            Property::ThreeInARow => bits & after & before != 0,
        };
        bits += 1;
    }
    table
}
