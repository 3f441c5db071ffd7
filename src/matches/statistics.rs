//! What results say: rates with intervals, Elo, likelihood of superiority, the sequential test.
//!
//! A game is worth 1, one half or 0 points to the player that is looked at. Intervals are of 95 %.

use serde::Serialize;

/// The quantile of the normal distribution behind intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Results of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points: a draw is half a win.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of the points; one half without games.
    pub fn rate(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Wilson's interval of the rate, a draw counted as half a success.
    pub fn interval(&self) -> Interval {
        let games = self.games() as f64;
        if games == 0.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let (rate, z2) = (self.rate(), Z * Z);
        let middle = (rate + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let spread = rate * (1.0 - rate) / games + z2 / (4.0 * games * games);
        let half = Z / (1.0 + z2 / games) * spread.sqrt();
        Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }

    /// How likely it is that the player is the better one: the decided games against a fair coin.
    pub fn superiority(&self) -> f64 {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        if wins + losses == 0.0 {
            return 0.5;
        }
        normal_distribution((wins - losses) / (wins + losses).sqrt())
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The same games as the opponent sees them.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The mean of the points of pairs of games, each from 0 to 1, with its interval: games of a pair
/// begin alike, so what the opening is worth cancels out. None with fewer than two pairs.
pub fn paired(pairs: &[f64]) -> Option<(f64, Interval)> {
    let count = pairs.len() as f64;
    if pairs.len() < 2 {
        return None;
    }
    let mean = pairs.iter().sum::<f64>() / count;
    let variance = pairs.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = Z * (variance / count).sqrt();
    Some((mean, Interval { low: (mean - half).max(0.0), high: (mean + half).min(1.0) }))
}

/// The difference in Elo that a rate stands for; infinite for 0 and 1.
pub fn elo_of(rate: f64) -> f64 {
    if rate <= 0.0 {
        f64::NEG_INFINITY
    } else if rate >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / rate - 1.0).log10()
    }
}

/// The rate that a difference in Elo stands for.
pub fn rate_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The distribution function of the normal distribution, to about 1e-7 (Abramowitz and Stegun 1964,
/// 7.1.26).
fn normal_distribution(x: f64) -> f64 {
    let scaled = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * scaled);
    let terms = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let sum = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let upper = 0.5 * sum * (-scaled * scaled).exp();
    if x < 0.0 { upper } else { 1.0 - upper }
}

/// Wald's sequential probability ratio test between two differences in Elo. A draw counts as half a
/// win and half a loss.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference is rather the first one.
    AcceptsElo0,
    /// The difference is rather the second one.
    AcceptsElo1,
    GoesOn,
}

/// The share of wrong verdicts, either way.
const WRONG: f64 = 0.05;

impl Sprt {
    /// The logarithm of the ratio of likelihoods.
    pub fn ratio(&self, tally: &Tally) -> f64 {
        let (p0, p1) = (rate_of(self.elo0), rate_of(self.elo1));
        let (won, lost) = (tally.points(), tally.turned().points());
        won * (p1 / p0).ln() + lost * ((1.0 - p1) / (1.0 - p0)).ln()
    }

    /// The ratio from which on the second difference is accepted; the first from its negative.
    pub fn bound() -> f64 {
        ((1.0 - WRONG) / WRONG).ln()
    }

    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let ratio = self.ratio(tally);
        if ratio >= Self::bound() {
            Verdict::AcceptsElo1
        } else if ratio <= -Self::bound() {
            Verdict::AcceptsElo0
        } else {
            Verdict::GoesOn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance
    }

    /// Values from the literature and by hand.
    #[test]
    fn rates_and_intervals() {
        assert_eq!(tally(0, 0, 0).rate(), 0.5);
        assert_eq!(tally(6, 2, 2).rate(), 0.7);
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20.
        for (wins, games, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let Interval { low: found_low, high: found_high } =
                tally(wins, 0, games - wins).interval();
            assert!(is_near(found_low, low, 5e-5) && is_near(found_high, high, 5e-5), "{wins}");
        }
        let all = tally(5, 0, 0).interval();
        assert!(all.high == 1.0 && all.low > 0.5);
    }

    #[test]
    fn elo_and_back() {
        assert!(is_near(elo_of(0.75), 190.85, 0.01));
        assert_eq!((elo_of(0.0), elo_of(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        for elo in [-300.0, -10.0, 0.0, 35.0, 400.0] {
            assert!(is_near(elo_of(rate_of(elo)), elo, 1e-9));
        }
    }

    #[test]
    fn superiority_is_that_of_a_coin() {
        assert_eq!(tally(0, 9, 0).superiority(), 0.5);
        assert!(is_near(tally(60, 0, 40).superiority(), 0.977_250, 1e-5));
        assert!(is_near(tally(40, 7, 60).superiority(), 0.022_750, 1e-5));
    }

    #[test]
    fn pairs_are_averaged() {
        assert_eq!(paired(&[0.5]), None);
        let (mean, interval) = paired(&[0.5, 0.5, 0.5]).expect("pairs");
        assert_eq!((mean, interval.low, interval.high), (0.5, 0.5, 0.5));
        let (mean, interval) = paired(&[1.0, 0.5, 0.5, 0.0, 1.0]).expect("pairs");
        // The standard deviation is 0.41833.
        assert!(is_near(mean, 0.6, 1e-12));
        assert!(is_near(interval.low, 0.6 - 1.95996 * 0.41833 / 5_f64.sqrt(), 1e-4));
    }

    /// The test errs about as often as it may, and less often outside its bounds.
    #[test]
    fn the_sequential_test_keeps_its_word() {
        let sprt = Sprt { elo0: 0.0, elo1: 40.0 };
        let mut rng = Rng::new(90);
        for (elo, expected) in [(0.0, Verdict::AcceptsElo0), (40.0, Verdict::AcceptsElo1)] {
            let mut wrong = 0;
            for _ in 0..1000 {
                let mut found = tally(0, 0, 0);
                while sprt.verdict(&found) == Verdict::GoesOn {
                    let wins = f64::from(rng.below(1 << 30)) < rate_of(elo) * f64::from(1 << 30);
                    found = found.and(if wins { tally(1, 0, 0) } else { tally(0, 0, 1) });
                }
                wrong += usize::from(sprt.verdict(&found) != expected);
            }
            assert!((15..=65).contains(&wrong), "{elo}: {wrong} of 1000 wrong");
        }
        assert_eq!(sprt.verdict(&tally(0, 0, 0)), Verdict::GoesOn);
        assert_eq!(sprt.ratio(&tally(4, 0, 4)), sprt.ratio(&tally(0, 8, 0)));
    }
}
