//! What is proven of a node: a lower and an upper bound of its value.
//!
//! Bounds are points (2, 1, 0) for the player who moved into the node (Lorentz 2010 §3.2). A node is
//! proven when they are equal. Bounds are used instead of three flags because "at least a draw" is worth
//! keeping in games where draws are common.

use std::fmt;

use crate::game::{DRAW, LOSS, WIN};

/// Bits 0 and 1: the lower bound. Bits 2 and 3: the points that the upper bound is below a win. Bit 7: the
/// bounds are equal. So 0 means that nothing is known, and proven nodes are negative bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct Status(u8);

impl Status {
    pub const UNKNOWN: Status = Status::new(LOSS, WIN);
    pub const WON: Status = Status::new(WIN, WIN);
    pub const DRAWN: Status = Status::new(DRAW, DRAW);
    pub const LOST: Status = Status::new(LOSS, LOSS);

    pub const fn new(lower: u32, upper: u32) -> Self {
        assert!(lower <= upper && upper <= WIN);
        let proven = if lower == upper { 0x80 } else { 0 };
        Self(lower as u8 | ((WIN - upper) as u8) << 2 | proven)
    }

    #[inline(always)]
    pub const fn lower(self) -> u32 {
        (self.0 & 3) as u32
    }

    #[inline(always)]
    pub const fn upper(self) -> u32 {
        WIN - (self.0 >> 2 & 3) as u32
    }

    #[inline(always)]
    pub const fn is_proven(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// The byte in the column of statuses. Proven nodes are negative bytes.
    #[inline(always)]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The status of a byte made by [`byte`](Self::byte).
    #[inline(always)]
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// The points, if proven.
    pub fn value(self) -> Option<u32> {
        self.is_proven().then(|| self.lower())
    }

    /// The status for the other player.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self::new(WIN - self.upper(), WIN - self.lower())
    }

    /// The narrower of both bounds: what is known if both statuses hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::new(self.lower().max(other.lower()), self.upper().min(other.upper()))
    }

    /// The status of a position for the side to move, given the statuses of all its moves.
    pub fn best(moves: impl Iterator<Item = Status>) -> Status {
        let (mut lower, mut upper) = (LOSS, LOSS);
        for status in moves {
            lower = lower.max(status.lower());
            upper = upper.max(status.upper());
        }
        Self::new(lower, upper)
    }

    /// The name of the proven value, for the player who moved into the node; `none` if it is not proven.
    pub fn name(self) -> &'static str {
        match self {
            Self::WON => "win",
            Self::DRAWN => "draw",
            Self::LOST => "loss",
            _ => "none",
        }
    }
}

/// Serializes as its name.
#[cfg(feature = "serde")]
impl serde::Serialize for Status {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..={}", self.lower(), self.upper())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of bounds, with its status.
    fn all() -> Vec<(u32, u32, Status)> {
        let pairs = (LOSS..=WIN).flat_map(|lower| (lower..=WIN).map(move |upper| (lower, upper)));
        pairs.map(|(lower, upper)| (lower, upper, Status::new(lower, upper))).collect()
    }

    #[test]
    fn a_status_keeps_its_bounds() {
        assert_eq!(all().len(), 6);
        for (lower, upper, status) in all() {
            assert_eq!((status.lower(), status.upper()), (lower, upper));
            assert_eq!(status.is_proven(), lower == upper, "{status:?}");
            assert_eq!(status.value(), (lower == upper).then_some(lower), "{status:?}");
            assert_eq!((status.byte() as i8) < 0, lower == upper, "{status:?}");
            assert_eq!(Status::from_byte(status.byte()), status);
            assert_eq!(status == Status::default(), (lower, upper) == (LOSS, WIN), "{status:?}");
        }
    }

    #[test]
    fn the_other_player_gets_the_rest() {
        for (lower, upper, status) in all() {
            let turned = status.turned();
            assert_eq!((turned.lower(), turned.upper()), (WIN - upper, WIN - lower));
            assert_eq!(turned.turned(), status);
        }
    }

    /// The bounds of the best move are the minimum and the maximum of its value, over all values that
    /// the moves may turn out to have.
    #[test]
    fn the_best_of_moves_is_bounded_exactly() {
        let best_values = |moves: &[Status]| -> Vec<u32> {
            let worst_case = vec![LOSS];
            moves.iter().fold(worst_case, |bests, status| {
                let values = status.lower()..=status.upper();
                values.flat_map(|value| bests.iter().map(move |best| value.max(*best))).collect()
            })
        };
        for (_, _, first) in all() {
            for (_, _, second) in all() {
                for (_, _, third) in all() {
                    let moves = [first, second, third];
                    for count in 1..=moves.len() {
                        let (moves, best) =
                            (&moves[..count], Status::best(moves[..count].iter().copied()));
                        let values = best_values(moves);
                        assert_eq!(Some(&best.lower()), values.iter().min(), "{moves:?}");
                        assert_eq!(Some(&best.upper()), values.iter().max(), "{moves:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn only_proven_values_have_a_name() {
        let names = all().into_iter().map(|(lower, upper, status)| ((lower, upper), status.name()));
        for (bounds, name) in names {
            let expected = match bounds {
                (WIN, WIN) => "win",
                (DRAW, DRAW) => "draw",
                (LOSS, LOSS) => "loss",
                _ => "none",
            };
            assert_eq!(name, expected, "{bounds:?}");
        }
    }
}
