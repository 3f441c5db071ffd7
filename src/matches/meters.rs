//! The clocks and counts of a game.

use std::time::Duration;

use super::contestant::Limit;

/// How late a move may be that has a time of its own.
const GRACE: Duration = Duration::from_millis(500);

/// What the players of a game have taken, and what they have left: A and B.
pub struct Meters {
    limits: [Limit; 2],
    /// On the clock, if there is one.
    pub left: [Option<Duration>; 2],
    pub seconds: [f64; 2],
    pub playouts: [u64; 2],
    pub turns: [u64; 2],
}

impl Meters {
    /// For players with these limits.
    pub fn new(limits: [Limit; 2]) -> Self {
        let left = limits.map(|limit| match limit {
            Limit::Clock(seconds) => Some(Duration::from_secs_f64(seconds)),
            _ => None,
        });
        Self { limits, left, seconds: [0.0; 2], playouts: [0; 2], turns: [0; 2] }
    }

    /// Counts a turn of a player that took some time.
    pub fn count_turn(&mut self, index: usize, took: Duration) {
        self.seconds[index] += took.as_secs_f64();
        self.turns[index] += 1;
    }

    /// Takes the time of a turn from a player's clock; whether there was not enough.
    pub fn is_late(&mut self, index: usize, took: Duration) -> bool {
        match (self.limits[index], &mut self.left[index]) {
            (_, Some(left)) => {
                let is_late = took > *left;
                *left = left.saturating_sub(took);
                is_late
            }
            (Limit::Seconds(seconds), None) => took > Duration::from_secs_f64(seconds) + GRACE,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out() {
        let second = Duration::from_secs(1);
        let mut meters = Meters::new([Limit::Clock(2.5), Limit::Seconds(1.0)]);
        assert!(!meters.is_late(0, second) && !meters.is_late(0, second));
        assert!(meters.is_late(0, second), "half a second was left");
        assert!(!meters.is_late(1, second + GRACE));
        assert!(meters.is_late(1, second + GRACE + Duration::from_millis(1)));
        assert!(!Meters::new([Limit::Playouts(1); 2]).is_late(0, 1000 * second));
    }
}
