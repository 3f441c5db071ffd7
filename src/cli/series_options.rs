//! The options that every series of games has.

use crate::cores;
use crate::matches::PlayerSpec;
use clap::Args;

use super::matches::BadMatch;

/// Which games, and how many at once.
#[derive(Args)]
pub struct SeriesOptions {
    /// Seed of openings and players
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Games at a time, each with a core for every thread of a player [default: as the cores allow]
    #[arg(long)]
    jobs: Option<usize>,
}

impl SeriesOptions {
    /// Games at a time: as many as were asked for, or as the cores allow, each player with a core for
    /// every thread. Refuses more than that, if time is what counts.
    pub fn jobs<'a>(
        &self,
        is_timed: bool,
        players: impl IntoIterator<Item = &'a PlayerSpec>,
    ) -> Result<usize, BadMatch> {
        let threads = players.into_iter().map(PlayerSpec::threads).max().unwrap_or(1);
        let fit = (cores::count() / threads).max(1);
        let most = if is_timed { fit } else { usize::MAX };
        let jobs = self.jobs.unwrap_or(fit);
        if (1..=most).contains(&jobs) {
            return Ok(jobs);
        }
        let most = match (is_timed, threads) {
            (false, _) => "1 or more".to_string(),
            (true, 1) => format!("1 to {most}, the cores here"),
            (true, _) => format!("1 to {most}: the cores here, with {threads} threads a player"),
        };
        Err(BadMatch(format!("'{jobs}' is no number of games at a time ({most})")))
    }
}
