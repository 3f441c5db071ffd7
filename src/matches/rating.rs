//! Ratings of several players from the games between them (Bradley and Terry 1952).
//!
//! The strengths that make the results most likely, found by Hunter's iteration (2004), a draw counted
//! as half a win. Each pair that met is lent one drawn game, so that a player who won or lost
//! everything has a rating too. Errors are from the curvature of the likelihood around them, with the
//! mean of the ratings held at 0.

use serde::Serialize;

use super::statistics::Tally;

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    pub elo: f64,
    /// Half of the 95 % interval.
    pub error: f64,
}

/// Elo for each natural unit of strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Ratings from a table of results: `tallies[i][j]` as player `i` sees the games against `j`.
pub fn ratings(tallies: &[Vec<Tally>]) -> Vec<Rating> {
    let count = tallies.len();
    let games = |i: usize, j: usize| match tallies[i][j].games() {
        0 => 0.0,
        games => games as f64 + 1.0,
    };
    let points = |i: usize| -> f64 {
        let met = (0..count).filter(|j| tallies[i][*j].games() > 0);
        met.map(|j| tallies[i][j].points() + 0.5).sum()
    };
    let mut strength = vec![1.0_f64; count];
    for _ in 0..MOST_STEPS {
        let next: Vec<f64> = (0..count)
            .map(|i| {
                let expected: f64 = (0..count)
                    .filter(|j| *j != i)
                    .map(|j| games(i, j) / (strength[i] + strength[j]))
                    .sum();
                if expected > 0.0 { points(i) / expected } else { strength[i] }
            })
            .collect();
        let mean = next.iter().map(|s| s.ln()).sum::<f64>() / count as f64;
        let next: Vec<f64> = next.iter().map(|s| s / mean.exp()).collect();
        let change =
            next.iter().zip(&strength).map(|(a, b)| (a / b).ln().abs()).fold(0.0, f64::max);
        strength = next;
        if change < PRECISION {
            break;
        }
    }
    let information: Vec<Vec<f64>> = (0..count)
        .map(|i| {
            let weight = |j: usize| {
                let p = strength[i] / (strength[i] + strength[j]);
                games(i, j) * p * (1.0 - p)
            };
            (0..count)
                .map(|j| {
                    let own: f64 = (0..count).filter(|k| *k != i).map(weight).sum();
                    if i == j { own } else { -weight(j) }
                })
                .collect()
        })
        .collect();
    let errors = errors(&information);
    let rating = |i: usize| Rating { elo: ELO * strength[i].ln(), error: 1.96 * ELO * errors[i] };
    (0..count).map(rating).collect()
}

const MOST_STEPS: usize = 100_000;
const PRECISION: f64 = 1e-10;

/// The standard errors, where the mean is held at 0: the inverse of the information with the constant
/// direction filled in, less that direction.
fn errors(information: &[Vec<f64>]) -> Vec<f64> {
    let count = information.len();
    let fill = 1.0 / count as f64;
    let filled: Vec<Vec<f64>> =
        information.iter().map(|row| row.iter().map(|value| value + fill).collect()).collect();
    let inverse = inverse(filled);
    (0..count).map(|i| (inverse[i][i] - fill).max(0.0).sqrt()).collect()
}

/// By Gauss and Jordan; infinite where there is none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        if scale.abs() < 1e-12 {
            return vec![vec![f64::INFINITY; count]; count];
        }
        matrix[column].iter_mut().for_each(|value| *value /= scale);
        let row = matrix[column].clone();
        for (other, values) in matrix.iter_mut().enumerate() {
            let factor = values[column];
            if other != column {
                values.iter_mut().zip(&row).for_each(|(value, part)| *value -= factor * part);
            }
        }
    }
    matrix.into_iter().map(|row| row[count..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::statistics::elo_of;
    use crate::rng::Rng;

    fn tally(wins: u64, losses: u64) -> Tally {
        Tally { wins, draws: 0, losses }
    }

    fn table(count: usize, results: &[(usize, usize, Tally)]) -> Vec<Vec<Tally>> {
        let mut table = vec![vec![Tally::default(); count]; count];
        for (i, j, tally) in results {
            table[*i][*j] = *tally;
            table[*j][*i] = tally.turned();
        }
        table
    }

    /// Two players: the rate itself, but for the game that is lent.
    #[test]
    fn two_players_differ_by_their_rate() {
        let found = ratings(&table(2, &[(0, 1, tally(749, 249))]));
        let difference = found[0].elo - found[1].elo;
        assert!((difference - elo_of(749.5 / 999.0)).abs() < 0.01, "{difference}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
        // The error of the difference is twice that of each: sqrt(1 / (n p (1 - p))) in natural units.
        let expected = 1.96 * ELO / (999.0 * 0.75 * 0.25_f64).sqrt() / 2.0;
        assert!((found[0].error - expected).abs() < 0.05, "{} {expected}", found[0].error);
    }

    #[test]
    fn whoever_wins_everything_has_a_rating() {
        let found = ratings(&table(3, &[(0, 1, tally(10, 0)), (1, 2, tally(10, 0))]));
        assert!(found.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(found[0].elo > found[1].elo && found[1].elo > found[2].elo);
    }

    /// Games drawn at random from known ratings: most intervals have the truth in them.
    #[test]
    fn known_ratings_are_found() {
        let truth = [-120.0, -20.0, 40.0, 100.0];
        let mut rng = Rng::new(91);
        let (mut inside, mut all) = (0, 0);
        for _ in 0..60 {
            let mut results = Vec::new();
            for i in 0..4 {
                for j in i + 1..4 {
                    let rate = crate::matches::statistics::rate_of(truth[i] - truth[j]);
                    let wins = (0..100)
                        .filter(|_| f64::from(rng.below(1 << 20)) < rate * f64::from(1 << 20));
                    let wins = wins.count() as u64;
                    results.push((i, j, tally(wins, 100 - wins)));
                }
            }
            for (rating, truth) in ratings(&table(4, &results)).iter().zip(truth) {
                inside += usize::from((rating.elo - truth).abs() <= rating.error);
                all += 1;
            }
        }
        let share = inside as f64 / all as f64;
        assert!((0.90..=0.99).contains(&share), "{share}");
    }
}
