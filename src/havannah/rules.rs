//! The vocabulary of the rules: colours, kinds of win, outcomes and move errors. No board lives here.

use std::fmt;

use super::geometry::{CORNER_BITS, EDGE_BITS};

/// A colour of stones, and the side that has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Colour {
    /// Moves first.
    White = 0,
    /// Moves second.
    Black = 1,
}

impl Colour {
    /// White, then Black.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline(always)]
    pub const fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::White => "white",
            Colour::Black => "black",
        })
    }
}

/// The kinds of win that one stone completed. It is a set: one stone can complete several.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Wins(u8);

impl Wins {
    /// No win.
    pub const NONE: Wins = Wins(0);
    /// A ring alone.
    pub const RING: Wins = Wins(1);
    /// A bridge alone.
    pub const BRIDGE: Wins = Wins(2);
    /// A fork alone.
    pub const FORK: Wins = Wins(4);

    /// Whether there is no win.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this set contains all kinds of the other set.
    #[inline(always)]
    pub const fn contains(self, other: Wins) -> bool {
        self.0 & other.0 == other.0
    }

    /// The kinds of both sets.
    #[inline(always)]
    pub const fn union(self, other: Wins) -> Wins {
        Wins(self.0 | other.0)
    }

    /// The one kind that is counted: fork, else bridge, else ring.
    pub const fn kind(self) -> Option<WinKind> {
        match self {
            _ if self.contains(Wins::FORK) => Some(WinKind::Fork),
            _ if self.contains(Wins::BRIDGE) => Some(WinKind::Bridge),
            _ if self.contains(Wins::RING) => Some(WinKind::Ring),
            _ => None,
        }
    }
}

/// The wins of a chain by its border bits: a bridge has two corners, a fork three edges.
#[inline(always)]
pub fn wins_of_borders(borders: u16) -> Wins {
    WINS_OF_BORDERS[borders as usize & (WINS_OF_BORDERS.len() - 1)]
}

/// Indexed by the 12 border bits.
static WINS_OF_BORDERS: [Wins; 4096] = {
    let mut table = [Wins::NONE; 4096];
    let mut borders = 0;
    while borders < 4096 {
        if (borders as u16 & CORNER_BITS).count_ones() >= 2 {
            table[borders] = table[borders].union(Wins::BRIDGE);
        }
        if (borders as u16 & EDGE_BITS).count_ones() >= 3 {
            table[borders] = table[borders].union(Wins::FORK);
        }
        borders += 1;
    }
    table
};

impl fmt::Debug for Wins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [(Wins::FORK, "fork"), (Wins::BRIDGE, "bridge"), (Wins::RING, "ring")];
        let names = names.iter().filter(|(kind, _)| self.contains(*kind)).map(|(_, name)| name);
        f.debug_set().entries(names).finish()
    }
}

/// A kind of win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinKind {
    /// A chain that connects three edges; corners belong to no edge.
    Fork,
    /// A chain that connects two corners.
    Bridge,
    /// A chain around one or more cells, empty or of either colour.
    Ring,
}

impl fmt::Display for WinKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WinKind::Fork => "fork",
            WinKind::Bridge => "bridge",
            WinKind::Ring => "ring",
        })
    }
}

/// The state of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The game is not over.
    Ongoing,
    /// One side has won.
    Won {
        /// The winner.
        by: Colour,
        /// What its last stone completed.
        wins: Wins,
    },
    /// The board is full and neither side has won.
    Draw,
}

impl Outcome {
    /// Whether the game has ended.
    #[inline(always)]
    pub fn is_over(self) -> bool {
        self != Outcome::Ongoing
    }

    /// The side that has won.
    pub fn winner(self) -> Option<Colour> {
        match self {
            Outcome::Won { by, .. } => Some(by),
            _ => None,
        }
    }
}

/// A move that cannot be played. The board is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// There is a stone on the cell.
    #[error("the cell is occupied")]
    Occupied,
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The board does not have the cell.
    #[error("the cell is not on the board")]
    OffBoard,
}
