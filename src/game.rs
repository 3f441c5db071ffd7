//! What search needs of a game: the trait of a position, and of a thread's work at the leaves of its
//! tree.
//!
//! - Two sides, 0 and 1, move in turn.
//! - A move is a number. The moves of a position are listed in ascending order.
//! - Results are points: win 2, draw 1, loss 0. Leaves have values in fractions of a point.
//! - Both traits are used as `dyn` objects, so search is compiled once for all games. What runs once per
//!   ply stays inside a call of [`LeafWork`].

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
    /// If the number does not fit into 16 bits.
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

/// The points of a side, given those of side 0.
#[inline(always)]
pub fn points_of(side: usize, points_of_side_0: u32) -> u32 {
    if side == 0 { points_of_side_0 } else { WIN - points_of_side_0 }
}

/// The value of a leaf to a side, in parts of a point: from 0, a loss, to [`Value::WIN`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Value(u32);

impl Value {
    /// The parts of one point.
    pub const PARTS: u32 = 16;
    pub const LOSS: Self = Self::of_points(LOSS);
    pub const DRAW: Self = Self::of_points(DRAW);
    pub const WIN: Self = Self::of_points(WIN);

    /// The value of a result.
    #[inline(always)]
    pub const fn of_points(points: u32) -> Self {
        Self(points * Self::PARTS)
    }

    /// The value nearest to an expectation from 0 to 1.
    pub fn of_share(share: f32) -> Self {
        Self((share.clamp(0.0, 1.0) * Self::WIN.0 as f32 + 0.5) as u32)
    }

    /// The value on a scale from 0 to 1.
    #[inline(always)]
    pub fn share(self) -> f32 {
        self.0 as f32 / Self::WIN.0 as f32
    }

    #[inline(always)]
    pub const fn parts(self) -> u32 {
        self.0
    }

    /// The weighted mean with another value. The weight of the other value is from 0 to 1.
    #[inline(always)]
    #[must_use]
    pub fn mixed(self, other: Self, weight: f32) -> Self {
        if weight == 0.0 {
            return self;
        }
        Self::of_share((1.0 - weight) * self.share() + weight * other.share())
    }

    /// The points of the nearest result.
    #[inline(always)]
    pub const fn points(self) -> u32 {
        (self.0 + Self::PARTS / 2) / Self::PARTS
    }

    /// The value to a side, where `self` is the value to side 0.
    #[inline(always)]
    pub const fn of_side(self, side: usize) -> Self {
        if side == 0 { self } else { Self(Self::WIN.0 - self.0) }
    }
}

/// The number of words of a [`MoveWords`].
pub const MOVE_WORDS: usize = 5;

/// A set of moves, one bit per move number. Games with more move numbers do not use RAVE, nor these sets.
pub type MoveWords = [u64; MOVE_WORDS];

/// What is known of the result for the side to move without search. It is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// The game is over: the points of side 0.
    Over(u32),
    /// The side to move wins at once with this move.
    Win(Move),
    /// The other side wins with its next move, after any move. This move parries at least one threat.
    Loss(Move),
    /// Neither side can win any more. `plies` until the board is full.
    Draw { plies: u32 },
    /// The rest of the game is certain: the points of the side to move, the move that gets them, and the
    /// plies to the end.
    Settled { points: u32, best: Move, plies: u32 },
    /// The game goes on. `forced` is the only move that does not lose at once, if there is exactly one.
    Open { forced: Option<Move> },
}

/// The moves that become the children of a node, with their priors. The memory is reused.
#[derive(Clone, Default, Debug)]
pub struct Children {
    /// In ascending order.
    pub moves: Vec<u16>,
    /// The visits that every child starts with; 0 if there is no prior.
    pub prior_visits: u32,
    /// The wins that each child starts with, if `prior_visits` is not 0.
    pub prior_wins: Vec<u32>,
    /// The probability that each child is the best move, if the game has a policy; PUCT reads it.
    /// Otherwise the shares of `prior_wins` are used.
    pub policy: Vec<f32>,
}

impl Children {
    pub fn clear(&mut self) {
        self.moves.clear();
        self.prior_visits = 0;
        self.prior_wins.clear();
        self.policy.clear();
    }

    /// The prior probability of each child: from the policy, otherwise from the shares of prior wins,
    /// otherwise uniform. The sum is 1.
    pub fn probabilities(&self) -> impl Iterator<Item = f32> + '_ {
        let count = self.moves.len();
        let weight = |index: usize| match self.policy.get(index) {
            Some(probability) => *probability,
            None => self.prior_wins.get(index).map_or(0.0, |wins| *wins as f32),
        };
        let sum: f32 = (0..count).map(weight).sum();
        (0..count)
            .map(move |index| if sum > 0.0 { weight(index) / sum } else { 1.0 / count as f32 })
    }
}

/// A position of a game.
pub trait Position: Send + Sync {
    /// The side to move.
    fn to_move(&self) -> usize;

    /// The points of side 0, if the game is over.
    fn result(&self) -> Option<u32>;

    /// Makes a legal move. It may panic if the move is illegal.
    fn advance(&mut self, next: Move);

    /// Appends the legal moves in ascending order; none if the game is over. If the sides move
    /// simultaneously, the moves of the second side do not depend on the choice of the first.
    fn list_moves(&self, moves: &mut Vec<Move>);

    /// The legal moves in ascending order.
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.list_moves(&mut moves);
        moves
    }

    /// All move numbers are below this.
    fn move_span(&self) -> usize;

    /// The number of moves made so far.
    fn ply(&self) -> usize;

    /// Whether the sides move simultaneously. Then one side chooses first, the other chooses without
    /// knowing that choice, and both moves are made together.
    fn is_simultaneous(&self) -> bool {
        false
    }

    /// Whether RAVE can be used: a move stays legal until one of the sides makes it, and all move
    /// numbers fit into [`MoveWords`].
    fn has_rave(&self) -> bool {
        true
    }

    /// A move as text.
    fn name_of(&self, of: Move) -> String;

    /// A hash of the position.
    fn hash(&self) -> u64;

    /// A hash shared by all symmetric images of the position.
    fn canonical_hash(&self) -> u64;

    fn boxed(&self) -> Box<dyn Position>;

    /// The leaf work of one thread of a search from this position.
    fn leaf_work(&self, isa: Isa, params: &Params) -> Box<dyn LeafWork>;
}

/// A position that has a static evaluation.
pub trait Evaluate: Position + Clone {
    /// The value to side 0, from 0 to 1; `None` if there is none.
    fn evaluate(&self, isa: Isa) -> Option<f32>;
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// What a thread of a search does at the leaves of its tree. A leaf is a line of legal moves from the root;
/// only the last move may end the game.
///
/// - The value of a leaf comes from a playout ([`run`](Self::run)), from an evaluation
///   ([`evaluate`](Self::evaluate)), or from a mixture of both.
/// - Leaves are evaluated in batches. A batch is evaluated before [`look`](Self::look) is called for any of
///   its leaves, so an evaluation can supply the priors of the children.
pub trait LeafWork: Send {
    /// Advances the root by a line of legal moves.
    fn advance(&mut self, line: &[Move]);

    /// What is known at the end of a line, as far as the settings say to look. If the game goes on and
    /// `children` is given, it is filled with the moves worth searching.
    fn look(&mut self, line: &[Move], children: Option<&mut Children>) -> Prospect;

    /// Appends the values of some leaves to side 0, by evaluation; exact where the game is over. `None`
    /// if the game has no evaluation: then only playouts count.
    fn evaluate(&mut self, lines: &[Vec<Move>], values: &mut Vec<Option<Value>>) {
        values.extend(lines.iter().map(|_| None));
    }

    /// Plays a game that starts with a line of moves, or judges the leaf otherwise. Returns its value to
    /// side 0.
    ///
    /// # Safety
    /// Every move of the line is legal after the moves before it: playouts do not check this.
    unsafe fn run(&mut self, line: &[Move], rng: &mut Rng) -> Value;

    /// For each side, the moves it made in the last game. Only for games whose moves fit into
    /// [`MoveWords`].
    fn made(&self) -> [MoveWords; 2];

    /// Appends the moves that a side made in the last game.
    fn list_made(&self, side: usize, moves: &mut Vec<u16>) {
        for (word, bits) in self.made()[side].into_iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                moves.push((64 * word) as u16 + rest.trailing_zeros() as u16);
                rest &= rest - 1;
            }
        }
    }

    /// For each side, its moves early in the last game that won at once or prevented an immediate win of
    /// the other side.
    fn killers(&self) -> [MoveWords; 2] {
        [[0; MOVE_WORDS]; 2]
    }

    /// Whether playouts prefer moves of a list (the pool).
    fn wants_pool(&self) -> bool {
        false
    }

    /// Sets the list of moves that playouts prefer.
    fn set_pool(&mut self, _moves: &[u16]) {}

    /// Appends, for each of `moves`, its value to the side to move after `line`, as learned from the
    /// games so far.
    fn list_values(&self, line: &[Move], moves: &[u16], values: &mut Vec<Option<f32>>);

    /// The number of moves that each policy chose since the position was set.
    fn hits(&self) -> Hits {
        Hits::default()
    }

    /// The memory of what was learned, in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// What chose a move of a playout.
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

/// The number of moves that each policy chose.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hits([u64; Chooser::ALL.len()]);

impl Hits {
    /// The number of policies.
    pub const ROWS: usize = Chooser::ALL.len();

    #[inline(always)]
    pub fn count(&mut self, chooser: Chooser) {
        self.0[chooser as usize] += 1;
    }

    /// The number of moves that each policy chose, in the order of [`Chooser::ALL`].
    pub fn counts(&self) -> &[u64; Self::ROWS] {
        &self.0
    }

    /// Adds counts from elsewhere.
    pub fn add(&mut self, counts: &[u64; Self::ROWS]) {
        self.0.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// The policies that chose at least one move, with their counts.
    pub fn rows(&self) -> Vec<(&'static str, u64)> {
        let rows = Chooser::ALL.map(|(chooser, name)| (name, self.0[chooser as usize]));
        rows.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}
