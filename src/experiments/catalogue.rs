//! The entries: one file a source, in the words of its tables.
//!
//! A row is a match: two players, and the win rate of the first in the paper, as a number or as the range
//! that is left of it. What most rows share is said once for the experiment. Thinking times of older
//! machines mean few playouts, so each entry says how many playouts a second the paper's machine made,
//! and is played with as many playouts; where cost is the finding (`timed`) it is played by the clock.

use serde::Deserialize;

use super::figure::{Figure, FigureError};
use crate::matches::contestant::Limit;
use crate::matches::game_spec::GameSpec;
use crate::matches::schedule::Colours;
use crate::matches::{PlayerSpec, Settings};
use crate::params::{self, Params};

/// The files, by their names.
const FILES: [(&str, &str); 5] = [
    ("dugueperoux.toml", include_str!("dugueperoux.toml")),
    ("laschet.toml", include_str!("laschet.toml")),
    ("lorentz.toml", include_str!("lorentz.toml")),
    ("nahue.toml", include_str!("nahue.toml")),
    ("stankiewicz.toml", include_str!("stankiewicz.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    experiment: Vec<Experiment>,
}

/// An experiment of a paper.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub id: String,
    pub source: String,
    /// What is compared, and what was found.
    pub about: String,
    #[serde(default)]
    pub game: Game,
    /// The base, in Havannah.
    #[serde(default)]
    pub size: usize,
    /// The letters of the maps, in Tron.
    #[serde(default)]
    pub maps: Vec<String>,
    pub games: u64,
    #[serde(default = "swap")]
    pub colours: Colours,
    /// Cost is the finding: it is played by the clock, unless something else is asked for.
    #[serde(default)]
    pub timed: bool,
    /// The paper's seconds for each move.
    pub seconds: Option<f64>,
    /// Playouts a second of the paper's machine, as far as they are known.
    pub paper_rate: Option<f64>,
    pub playouts: Option<u64>,
    /// Parameters of both players that are numbers of playouts: with a part of these they are as small a
    /// part.
    #[serde(default)]
    pub scaled: Vec<String>,
    /// Random moves at the beginning of each pair of games.
    #[serde(default)]
    pub opening_random: usize,
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// The game of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Game {
    #[default]
    Havannah,
    Tron,
}

fn swap() -> Colours {
    Colours::Swap
}

/// A row of a table. What it does not say is said by its experiment.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub name: String,
    pub a: String,
    #[serde(default)]
    pub set_a: Vec<String>,
    pub b: String,
    #[serde(default)]
    pub set_b: Vec<String>,
    /// The paper's win rate of the first player, in per cent.
    pub paper: Option<f64>,
    /// Half of the paper's interval.
    pub paper_error: Option<f64>,
    #[serde(default)]
    pub error_kind: ErrorKind,
    /// In place of a win rate: where it lies, by what the text says.
    pub paper_low: Option<f64>,
    pub paper_high: Option<f64>,
    pub as_white: Option<f64>,
    pub as_black: Option<f64>,
    pub size: Option<usize>,
    pub games: Option<u64>,
    pub colours: Option<Colours>,
    pub seconds: Option<f64>,
    pub playouts: Option<u64>,
    pub seconds_a: Option<f64>,
    pub seconds_b: Option<f64>,
    pub playouts_a: Option<u64>,
    pub playouts_b: Option<u64>,
}

/// What a paper's interval is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub enum ErrorKind {
    /// 95 %.
    #[default]
    #[serde(rename = "95")]
    Interval,
    /// One standard error.
    #[serde(rename = "se")]
    StandardError,
}

/// What the players of an experiment may take.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Form {
    /// As the entry has it.
    #[default]
    Usual,
    /// The paper's times.
    Timed,
    /// As the entry has it, times a number: for what would take too long, and where the players differ.
    Scaled(f64),
    /// The same for both players.
    Given(Limit),
}

/// A row that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RowError {
    /// A player is not known here, or a setting of it.
    #[error("{0}")]
    Player(String),
    /// A map is not known here.
    #[error("{0}")]
    Map(String),
    #[error("the paper has no such limit (give one)")]
    NoLimit,
}

impl Experiment {
    /// The match that a row is.
    pub fn settings(&self, row: &Row, form: Form, seed: u64) -> Result<Settings, RowError> {
        let player = |preset: &str, settings: &[String]| {
            let engine = |settings| PlayerSpec::Engine { preset: preset.to_string(), settings };
            let params = engine(settings.to_vec())
                .params()
                .map_err(|error| RowError::Player(error.to_string()))?;
            let part = self.part_of_playouts(row, form);
            let scaled = params.map(|params| self.scaled_settings(&params, part));
            Ok(engine([settings, &scaled.unwrap_or_default()].concat()))
        };
        let game = match self.game {
            Game::Havannah => GameSpec::Havannah,
            Game::Tron => {
                GameSpec::tron(&self.maps).map_err(|error| RowError::Map(error.to_string()))?
            }
        };
        let limit = |seconds: Option<f64>, playouts: Option<u64>| {
            let seconds = seconds.or(row.seconds).or(self.seconds).map(Limit::Seconds);
            let playouts = playouts.or(row.playouts).or(self.playouts).map(Limit::Playouts);
            let usual = if self.timed { seconds.or(playouts) } else { playouts.or(seconds) };
            match form {
                Form::Given(limit) => Ok(limit),
                Form::Timed => seconds.ok_or(RowError::NoLimit),
                Form::Usual => usual.ok_or(RowError::NoLimit),
                Form::Scaled(by) => usual.map(|limit| limit.times(by)).ok_or(RowError::NoLimit),
            }
        };
        Ok(Settings {
            game,
            size: row.size.unwrap_or(self.size),
            a: player(&row.a, &row.set_a)?,
            b: player(&row.b, &row.set_b)?,
            limit_a: limit(row.seconds_a, row.playouts_a)?,
            limit_b: limit(row.seconds_b, row.playouts_b)?,
            colours: row.colours.unwrap_or(self.colours),
            opening_random: self.opening_random,
            opening_lines: Vec::new(),
            pie: false,
            seed,
        })
    }

    /// The part of the entry's playouts that the first player of a row has.
    fn part_of_playouts(&self, row: &Row, form: Form) -> f64 {
        let usual = row.playouts_a.or(row.playouts).or(self.playouts);
        match (form, usual) {
            (Form::Scaled(by), _) => by,
            (Form::Given(Limit::Playouts(given)), Some(usual)) => given as f64 / usual as f64,
            _ => 1.0,
        }
    }

    /// What is to be set for a player that has a part of the playouts.
    fn scaled_settings(&self, params: &Params, part: f64) -> Vec<String> {
        if part == 1.0 {
            return Vec::new();
        }
        let scaled =
            params.rows().into_iter().filter(|row| self.scaled.iter().any(|it| it == row.name));
        let setting = |row: params::Row| {
            let value: f64 = row.value.parse().expect("a number of playouts");
            format!("{}={}", row.name, (value * part).round().max(1.0))
        };
        scaled.map(setting).collect()
    }

    /// What the paper says of a row.
    ///
    /// # Panics
    /// If the row makes no sense: the rows of the catalogue were seen to when it was read.
    pub fn figure(&self, row: &Row) -> Figure {
        row.figure(self.games_of(row)).expect("rows are checked when they are read")
    }

    /// The games that the paper played for a row.
    pub fn games_of(&self, row: &Row) -> u64 {
        row.games.unwrap_or(self.games)
    }
}

impl Row {
    /// The paper's figure. Where no interval is printed it is that of as many games.
    fn figure(&self, games: u64) -> Result<Figure, FigureError> {
        let percent = |number: f64| {
            let is_percentage = (0.0..=100.0).contains(&number);
            is_percentage.then_some(number).ok_or(FigureError::NoPercentage(number))
        };
        match (self.paper, self.paper_error, self.paper_low, self.paper_high) {
            (Some(rate), error, None, None) => {
                let share = (percent(rate)? / 100.0).clamp(0.01, 0.99);
                let error = match (error, self.error_kind) {
                    (Some(error), ErrorKind::Interval) => error,
                    (Some(error), ErrorKind::StandardError) => 1.96 * error,
                    (None, _) => 196.0 * (share * (1.0 - share) / games as f64).sqrt(),
                };
                Ok(Figure::Rate { rate, error })
            }
            (None, None, Some(low), Some(high)) => {
                let (low, high) = (percent(low)?, percent(high)?);
                let range = (low <= high).then_some(Figure::Range { low, high });
                range.ok_or(FigureError::Turned { low, high })
            }
            _ => Err(FigureError::NotOne),
        }
    }
}

/// The experiments of a file, with every figure checked; or what is wrong, and where.
fn read(text: &str) -> Result<Vec<Experiment>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    for experiment in &file.experiment {
        for row in &experiment.rows {
            row.figure(experiment.games_of(row))
                .map_err(|error| format!("{}, '{}': {error}", experiment.id, row.name))?;
        }
    }
    Ok(file.experiment)
}

/// Every experiment, source by source.
///
/// # Panics
/// If a file is not as it should be; a test reads them all.
pub fn catalogue() -> Vec<Experiment> {
    let experiments =
        |(name, text): &(&str, &str)| read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    FILES.iter().flat_map(experiments).collect()
}

/// The experiment of a name.
pub fn find(id: &str) -> Option<Experiment> {
    catalogue().into_iter().find(|experiment| experiment.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{PlayoutPolicy, Rave};

    #[test]
    fn a_part_of_the_limits_keeps_what_differs_between_players() {
        let experiment = find("nahue-4.3").expect("an entry");
        let limits = |form| {
            let settings = experiment.settings(&experiment.rows[0], form, 1).expect("playable");
            (settings.limit_a, settings.limit_b)
        };
        let (Limit::Playouts(a), Limit::Playouts(b)) = limits(Form::Usual) else {
            panic!("playouts by default");
        };
        assert_eq!(b, 2 * a, "the opponent has twice the time");
        let scaled = (Limit::Playouts(a / 100), Limit::Playouts(b / 100));
        assert_eq!(limits(Form::Scaled(0.01)), scaled);
        assert_eq!(limits(Form::Scaled(1e-6)).0, Limit::Playouts(1), "one at the least");
    }

    /// Lorentz 2010, figure 3: widening is not idle with a part of the playouts, both sides choose their
    /// move alike, and the player without killer RAVE has no RAVE.
    #[test]
    fn what_counts_playouts_is_scaled_with_them() {
        let experiment = find("lorentz-figure-3").expect("an entry");
        let players = |row: &Row, form| {
            let settings = experiment.settings(row, form, 1).expect("playable");
            let params =
                |player: PlayerSpec| player.params().expect("settings").expect("an engine");
            [settings.a, settings.b].map(params)
        };
        let hundredth = [Form::Scaled(0.01), Form::Given(Limit::Playouts(3600))];
        for (row, form) in experiment.rows.iter().flat_map(|row| hundredth.map(|form| (row, form)))
        {
            let scaled = |params: Params| (params.widening_start, params.widening_span);
            assert_eq!(players(row, Form::Usual).map(scaled), [(50_000, 500_000); 2]);
            assert_eq!(players(row, form).map(scaled), [(500, 5000); 2], "{}", row.name);
            let [a, b] = players(row, form);
            assert_eq!(a.final_move, b.final_move, "{}", row.name);
        }
        let killers = experiment.rows.iter().find(|row| row.name.contains("Killer RAVE"));
        let [a, b] = players(killers.expect("a row"), Form::Usual);
        assert_eq!((a.rave, a.killer_rave), (Rave::Alpha, true));
        assert_eq!(b.rave, Rave::Off);
    }

    /// The players of every row of the entries of an author.
    fn players_of(author: &str) -> Vec<Params> {
        let mut players = Vec::new();
        for experiment in catalogue().iter().filter(|entry| entry.id.starts_with(author)) {
            for row in &experiment.rows {
                let settings = experiment.settings(row, Form::Usual, 1).expect("playable");
                for player in [settings.a, settings.b] {
                    players.push(player.params().expect("settings").expect("an engine"));
                }
            }
        }
        assert!(!players.is_empty());
        players
    }

    #[test]
    fn players_of_papers_without_a_look_ahead_have_none() {
        for player in [players_of("nahue"), players_of("dugueperoux")].concat() {
            assert!(!player.proofs && !player.look_ahead && player.symmetry_plies == 0);
        }
    }

    #[test]
    fn stankiewicz_s_players_have_havannah_mate_and_add_a_node_a_simulation() {
        for player in players_of("stankiewicz") {
            assert!(player.havannah_mate && player.policy == PlayoutPolicy::Random);
            assert!(player.expand_after == 1 && !player.reuse_tree);
            assert_eq!(
                (player.rave, player.rave_weight, player.exploration),
                (Rave::Alpha, 50.0, 0.4)
            );
        }
    }

    /// What a row with some lines about its figure is read as.
    fn figure_of(lines: &str) -> Result<Figure, String> {
        let text = format!(
            "[[experiment]]\nid = \"one\"\nsource = \"\"\nabout = \"\"\nsize = 5\ngames = 100\n\
             [[experiment.row]]\nname = \"first\"\na = \"rave\"\nb = \"rave\"\n{lines}\n"
        );
        let experiments = read(&text)?;
        Ok(experiments[0].figure(&experiments[0].rows[0]))
    }

    #[test]
    fn figures_are_numbers_or_ranges() {
        let rate = |rate, error| Ok(Figure::Rate { rate, error });
        assert_eq!(figure_of("paper = 60.0\npaper_error = 3.0"), rate(60.0, 3.0));
        assert_eq!(
            figure_of("paper = 60.0\npaper_error = 2.0\nerror_kind = \"se\""),
            rate(60.0, 3.92)
        );
        assert_eq!(figure_of("paper = 50.0"), rate(50.0, 9.8), "the interval of 100 games");
        let range = |low, high| Ok(Figure::Range { low, high });
        assert_eq!(figure_of("paper_low = 70.0\npaper_high = 80.0"), range(70.0, 80.0));
        assert_eq!(figure_of("paper_low = 80.0\npaper_high = 80.0"), range(80.0, 80.0));
    }

    #[test]
    fn figures_that_make_no_sense_are_refused() {
        let not_one = "either 'paper' or both";
        for (lines, message) in [
            ("", not_one),
            ("paper_low = 70.0", not_one),
            ("paper_high = 70.0", not_one),
            ("paper_error = 3.0", not_one),
            ("paper = 75.0\npaper_high = 80.0", not_one),
            ("paper = 75.0\npaper_low = 70.0\npaper_high = 80.0", not_one),
            ("paper_low = 70.0\npaper_high = 80.0\npaper_error = 3.0", not_one),
            ("paper_low = 80.0\npaper_high = 70.0", "'80' to '70' is no range"),
            ("paper_low = -1.0\npaper_high = 70.0", "'-1'"),
            ("paper_low = 70.0\npaper_high = 101.0", "'101'"),
            ("paper = nan", "'NaN'"),
        ] {
            let error = figure_of(lines).expect_err(lines);
            assert!(error.starts_with("one, 'first': ") && error.contains(message), "{error}");
        }
    }
}
