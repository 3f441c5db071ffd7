//! Several players, each against each other: the table of results, and the ratings behind it.

use std::path::PathBuf;

use serde::Serialize;

use super::error::MatchError;
#[cfg(feature = "plots")]
use super::game_result::GameResult;
use super::rating::{Rating, ratings};
use super::runner;
use super::standing::Standing;
use super::statistics::Tally;
use super::{PlayerSpec, Settings};
use crate::bits::Isa;

/// Who plays, and how.
#[derive(Clone, Debug)]
pub struct RoundRobinSettings {
    pub players: Vec<PlayerSpec>,
    /// The settings of every match; its players are replaced.
    pub settings: Settings,
    /// Games of each pair of players.
    pub games: u64,
    pub jobs: usize,
    pub isa: Isa,
    /// Where the logs of the matches go, one for each pair of players.
    pub folder: Option<PathBuf>,
}

/// A match of two of the players, by their numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Meeting {
    pub a: usize,
    pub b: usize,
    #[serde(flatten)]
    pub standing: Standing,
    #[cfg(feature = "plots")]
    #[serde(skip)]
    pub games: Vec<GameResult>,
}

/// Everything that was played.
#[derive(Clone, Debug, Serialize)]
pub struct RoundRobin {
    pub players: Vec<String>,
    pub ratings: Vec<Rating>,
    pub meetings: Vec<Meeting>,
    #[cfg(feature = "plots")]
    #[serde(skip)]
    pub settings: Settings,
}

/// Plays all matches, one after the other. `show` is called after each game, with the players of the
/// match, how it stands and how many games are to come.
pub fn run(
    options: &RoundRobinSettings,
    mut show: impl FnMut((usize, usize), &Standing, u64),
) -> Result<RoundRobin, MatchError> {
    let count = options.players.len();
    let mut meetings = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            let settings = Settings {
                a: options.players[a].clone(),
                b: options.players[b].clone(),
                ..options.settings.clone()
            };
            let contest = runner::MatchOptions {
                settings: settings.clone(),
                games: options.games,
                shard: (1, 1),
                jobs: options.jobs,
                isa: options.isa,
                sprt: None,
                log: options.folder.as_ref().map(|folder| folder.join(format!("{a}-{b}.jsonl"))),
                elsewhere: Vec::new(),
                sgf: None,
            };
            let games = runner::run(&contest, &mut |standing, left| show((a, b), standing, left))?;
            let standing = Standing::new(&settings, &games, None);
            meetings.push(Meeting {
                a,
                b,
                standing,
                #[cfg(feature = "plots")]
                games,
            });
        }
    }
    let mut robin = RoundRobin {
        players: options.players.iter().map(PlayerSpec::to_string).collect(),
        ratings: Vec::new(),
        meetings,
        #[cfg(feature = "plots")]
        settings: options.settings.clone(),
    };
    robin.ratings = ratings(&robin.table());
    Ok(robin)
}

impl RoundRobin {
    /// The results of each player against each other, as the player of the row sees them.
    pub fn table(&self) -> Vec<Vec<Tally>> {
        let count = self.players.len();
        let mut table = vec![vec![Tally::default(); count]; count];
        for Meeting { a, b, standing, .. } in &self.meetings {
            let tally = standing.as_white.and(standing.as_black);
            table[*a][*b] = tally;
            table[*b][*a] = tally.turned();
        }
        table
    }

    /// The players, the best first.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| self.ratings[*b].elo.total_cmp(&self.ratings[*a].elo));
        order
    }
}
