//! What search needs of a game, and nothing else: the trait of a position, and of a thread's work at
//! the leaves of its tree.
//!
//! Two sides, 0 and 1, move in turn. A move is a number; the moves of a position are listed in rising
//! order. Results are counted in points: win 2, draw 1, loss 0. Leaves have values in parts of a point.
//!
//! Both traits are used as objects, so search is compiled once for all games. What runs once a ply
//! stays inside a call of [`LeafWork`].

use crate::bits::Isa;
use crate::params::Params;
use crate::rng::Rng;

/// A move, as its number in its game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// The move with a number.
    ///
    /// # Panics
    /// If the number does not fit 16 bits.
    #[inline(always)]
    pub const fn new(number: usize) -> Self {
        assert!(number <= u16::MAX as usize);
        Self(number as u16)
    }

    #[inline(always)]
    pub const fn number(self) -> usize {
        self.0 as usize
    }
}

/// The points of a win, a draw and a loss.
pub const WIN: u32 = 2;
pub const DRAW: u32 = 1;
pub const LOSS: u32 = 0;

/// The points of a side, from those of side 0.
#[inline(always)]
pub fn points_of(side: usize, points_of_side_0: u32) -> u32 {
    if side == 0 { points_of_side_0 } else { WIN - points_of_side_0 }
}

/// What a leaf is worth to a side, in parts of a point: from 0, a loss, to [`Value::WIN`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Value(u32);

impl Value {
    /// Parts of a point.
    pub const PARTS: u32 = 16;
    pub const LOSS: Self = Self::of_points(LOSS);
    pub const DRAW: Self = Self::of_points(DRAW);
    pub const WIN: Self = Self::of_points(WIN);

    /// The value of a result.
    #[inline(always)]
    pub const fn of_points(points: u32) -> Self {
        Self(points * Self::PARTS)
    }

    /// The value nearest to an expectation, from 0 to 1.
    pub fn of_share(share: f32) -> Self {
        Self((share.clamp(0.0, 1.0) * Self::WIN.0 as f32 + 0.5) as u32)
    }

    /// From 0 to 1.
    #[inline(always)]
    pub fn share(self) -> f32 {
        self.0 as f32 / Self::WIN.0 as f32
    }

    #[inline(always)]
    pub const fn parts(self) -> u32 {
        self.0
    }

    /// The points of the nearest result.
    #[inline(always)]
    pub const fn points(self) -> u32 {
        (self.0 + Self::PARTS / 2) / Self::PARTS
    }

    /// The value to a side of what is worth this to side 0.
    #[inline(always)]
    pub const fn of_side(self, side: usize) -> Self {
        if side == 0 { self } else { Self(Self::WIN.0 - self.0) }
    }
}

/// Words of a [`MoveWords`].
pub const MOVE_WORDS: usize = 5;

/// A set of moves, a bit for each number. Games with more move numbers have no RAVE, and need none.
pub type MoveWords = [u64; MOVE_WORDS];

/// What lies ahead of the side to move, as far as it can be told without search. It is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// The game is over: the points of side 0.
    Over(u32),
    /// It wins at once with this move.
    Win(Move),
    /// Whatever it does, the other side wins with the next move. This move at least parries
    /// something.
    Loss(Move),
    /// No one can win any more; the plies until the board is full.
    Draw { plies: u32 },
    /// The rest of the game is certain: the points of the side to move, the move that gets them, and
    /// the plies to the end.
    Settled { points: u32, best: Move, plies: u32 },
    /// The game goes on; the only move that does not lose at once, if there is but one.
    Open { forced: Option<Move> },
}

/// The moves that become the children of a node, with what is known of them before any playout. Its
/// memory is reused.
#[derive(Clone, Default, Debug)]
pub struct Children {
    /// In rising order.
    pub moves: Vec<u16>,
    /// The visits that all of them begin with: 0 if nothing is known, or wanted.
    pub prior_visits: u32,
    /// The wins that each begins with, if there are visits.
    pub prior_wins: Vec<u32>,
}

impl Children {
    pub fn clear(&mut self) {
        self.moves.clear();
        self.prior_visits = 0;
        self.prior_wins.clear();
    }
}

/// A position of a game.
pub trait Position: Send + Sync {
    /// The side to move.
    fn to_move(&self) -> usize;

    /// The points of side 0, if the game is over.
    fn result(&self) -> Option<u32>;

    /// Makes a legal move. It may panic if the move is not.
    fn advance(&mut self, next: Move);

    /// Adds the legal moves to a list in rising order; none if the game is over. If the sides move at
    /// once, those of the second do not depend on what the first has chosen.
    fn list_moves(&self, moves: &mut Vec<Move>);

    /// The legal moves in rising order.
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.list_moves(&mut moves);
        moves
    }

    /// Moves have numbers below this.
    fn move_span(&self) -> usize;

    /// Moves made so far.
    fn ply(&self) -> usize;

    /// Whether the sides move at once. Then one of them chooses first, its move is made with the
    /// other's, and who chooses second does not know it.
    fn is_simultaneous(&self) -> bool {
        false
    }

    /// Whether a move stays legal until one of the sides makes it, and all numbers fit into
    /// [`MoveWords`]: RAVE counts rest on that.
    fn has_rave(&self) -> bool {
        true
    }

    /// A move as text.
    fn name_of(&self, of: Move) -> String;

    /// A hash of the position.
    fn hash(&self) -> u64;

    /// A hash that all symmetric images of the position share.
    fn canonical_hash(&self) -> u64;

    fn boxed(&self) -> Box<dyn Position>;

    /// The work of one thread of a search from this position.
    fn leaf_work(&self, isa: Isa, params: &Params) -> Box<dyn LeafWork>;
}

/// A position that is worth something by itself, without search.
pub trait Evaluate: Position + Clone {
    /// What it is worth to side 0, from 0 to 1; none if that cannot be told.
    fn evaluate(&self, isa: Isa) -> Option<f32>;
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A line of moves as text, from a position on.
#[cfg(any(test, feature = "cli", feature = "internals"))]
pub fn names_of(position: &dyn Position, line: &[Move]) -> Vec<String> {
    let mut position = position.boxed();
    let mut name = |next: &Move| {
        let name = position.name_of(*next);
        position.advance(*next);
        name
    };
    line.iter().map(&mut name).collect()
}

/// What a thread of a search does at the leaves of its tree. Leaves are lines of legal moves from the
/// root, none of which but the last ends the game.
pub trait LeafWork: Send {
    /// Moves the root on by a line of legal moves.
    fn advance(&mut self, line: &[Move]);

    /// What lies ahead at the end of a line, as far as the settings say to look. If the game goes on,
    /// `children` are the moves that are worth looking at, if they are asked for.
    fn look(&mut self, line: &[Move], children: Option<&mut Children>) -> Prospect;

    /// Plays a game that begins with a line of moves, or judges the leaf otherwise; its value to side 0.
    ///
    /// # Safety
    /// The line is of legal moves, one after the other: playouts do not check them.
    unsafe fn run(&mut self, line: &[Move], rng: &mut Rng) -> Value;

    /// For each side, the moves it made in the last game. Only for games whose moves fit.
    fn made(&self) -> [MoveWords; 2];

    /// Adds the moves that a side made in the last game to a list.
    fn list_made(&self, side: usize, moves: &mut Vec<u16>) {
        for (word, bits) in self.made()[side].into_iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                moves.push((64 * word) as u16 + rest.trailing_zeros() as u16);
                rest &= rest - 1;
            }
        }
    }

    /// For each side, those of its moves in the last game that won at once or kept the other side from
    /// it, early in the game.
    fn killers(&self) -> [MoveWords; 2] {
        [[0; MOVE_WORDS]; 2]
    }

    /// Whether games are to prefer some moves of a list.
    fn wants_pool(&self) -> bool {
        false
    }

    /// Sets the list of moves that games are to prefer.
    fn set_pool(&mut self, _moves: &[u16]) {}

    /// Adds to a list, for each of some moves, what it was worth to the side to move after a line of
    /// moves, as far as games so far have shown.
    fn list_values(&self, line: &[Move], moves: &[u16], values: &mut Vec<Option<f32>>);

    /// The policies that chose moves since the position was set, and how many.
    fn hits(&self) -> Hits {
        Hits::default()
    }

    /// Memory of what was learned.
    fn bytes(&self) -> usize {
        0
    }
}

/// Who chose a move of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chooser {
    Mate,
    HavannahMate,
    BridgeReply,
    LastGoodReply,
    NGram,
    Pool,
    Weights,
    Random,
}

impl Chooser {
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Mate, "mate"),
        (Self::HavannahMate, "havannah_mate"),
        (Self::BridgeReply, "bridge_reply"),
        (Self::LastGoodReply, "lgr"),
        (Self::NGram, "ngram"),
        (Self::Pool, "pool"),
        (Self::Weights, "playout_weights"),
        (Self::Random, "random"),
    ];
}

/// How many moves each policy chose.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hits([u64; Chooser::ALL.len()]);

impl Hits {
    /// How many policies there are.
    pub const ROWS: usize = Chooser::ALL.len();

    #[inline(always)]
    pub fn count(&mut self, chooser: Chooser) {
        self.0[chooser as usize] += 1;
    }

    /// How many moves each policy chose, in the order of [`Chooser::ALL`].
    pub fn counts(&self) -> &[u64; Self::ROWS] {
        &self.0
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, counts: &[u64; Self::ROWS]) {
        self.0.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// The policies that chose something, and how often.
    pub fn rows(&self) -> Vec<(&'static str, u64)> {
        let rows = Chooser::ALL.map(|(chooser, name)| (name, self.0[chooser as usize]));
        rows.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}
