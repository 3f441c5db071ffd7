//! How a match stands, as the first player sees it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::Settings;
use super::game_result::{End, GameResult, PlayerSide};
use super::schedule::Colours;
use super::statistics::{Interval, Sprt, Tally, Verdict, elo_of, paired};

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtStanding {
    pub elo0: f64,
    pub elo1: f64,
    pub ratio: f64,
    pub bound: f64,
    pub verdict: Verdict,
}

/// What went wrong with a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Errors {
    pub illegal_moves: u64,
    pub faults: u64,
    pub time_losses: u64,
}

/// What the games of a match say.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub win_rate: f64,
    /// Wilson's interval.
    pub ci_low: f64,
    pub ci_high: f64,
    /// From pairs of games with the same opening, if there are some.
    pub paired_rate: Option<f64>,
    pub paired_interval: Option<Interval>,
    pub elo: f64,
    pub elo_low: f64,
    pub elo_high: f64,
    /// The likelihood of superiority.
    pub los: f64,
    pub as_white: Tally,
    pub as_black: Tally,
    /// For each map of Tron.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_map: BTreeMap<String, Tally>,
    /// For A and B: how games were won.
    pub win_kinds: [BTreeMap<&'static str, u64>; 2],
    pub mean_plies: f64,
    /// For A and B; none where it is not known.
    pub playouts_per_second: [Option<f64>; 2],
    pub seconds_per_move: [f64; 2],
    /// Games that ended with an error of either side.
    pub errors: u64,
    pub errors_of: [Errors; 2],
    /// What the first errors were.
    pub first_errors: Vec<String>,
    pub sprt: Option<SprtStanding>,
}

/// Errors that are shown in full.
const SHOWN_ERRORS: usize = 5;

impl Standing {
    pub fn new(settings: &Settings, games: &[GameResult], sprt: Option<Sprt>) -> Self {
        let mut by_colour = [Tally::default(); 2];
        for game in games {
            let tally = &mut by_colour[usize::from(game.white == PlayerSide::B)];
            *tally = tally.and(tally_of(game));
        }
        let tally = by_colour[0].and(by_colour[1]);
        let Interval { low, high } = tally.interval();
        let pairs = paired(&pair_points(settings, games));
        let sum = |of: &dyn Fn(&GameResult) -> f64| games.iter().map(of).sum::<f64>();
        let each = [PlayerSide::A, PlayerSide::B].map(PlayerSide::index);
        let seconds = each.map(|seat| sum(&|game| game.seconds[seat]));
        let playouts = each.map(|seat| sum(&|game| game.playouts[seat] as f64));
        let turns = each.map(|seat| sum(&|game| game.turns[seat] as f64));
        Self {
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            win_rate: tally.rate(),
            ci_low: low,
            ci_high: high,
            paired_rate: pairs.map(|(mean, _)| mean),
            paired_interval: pairs.map(|(_, interval)| interval),
            elo: elo_of(tally.rate()),
            elo_low: elo_of(low),
            elo_high: elo_of(high),
            los: tally.superiority(),
            as_white: by_colour[0],
            as_black: by_colour[1],
            by_map: by_map(settings, games),
            win_kinds: PlayerSide::BOTH.map(|seat| win_kinds(games, seat)),
            mean_plies: sum(&|game| game.moves.len() as f64) / (games.len() as f64).max(1.0),
            playouts_per_second: each.map(|seat| {
                let is_known = playouts[seat] > 0.0 && seconds[seat] > 0.0;
                is_known.then(|| playouts[seat] / seconds[seat])
            }),
            seconds_per_move: each.map(|seat| seconds[seat] / turns[seat].max(1.0)),
            errors: games.iter().filter(|game| game.end.is_error()).count() as u64,
            errors_of: PlayerSide::BOTH.map(|seat| errors_of(games, seat)),
            first_errors: first_errors(games),
            sprt: sprt.map(|sprt| SprtStanding {
                elo0: sprt.elo0,
                elo1: sprt.elo1,
                ratio: sprt.ratio(&tally),
                bound: Sprt::bound(),
                verdict: sprt.verdict(&tally),
            }),
        }
    }

    /// One line, for the time of waiting.
    pub fn line(&self) -> String {
        let sprt = self.sprt.map_or(String::new(), |sprt| {
            format!(", test {:+.2} of {:.2}", sprt.ratio, sprt.bound)
        });
        format!(
            "+{} ={} -{}  {:.1}% [{:.1}, {:.1}]{sprt}",
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.win_rate,
            100.0 * self.ci_low,
            100.0 * self.ci_high
        )
    }

    /// Everything, for people.
    pub fn to_text(&self, settings: &Settings) -> String {
        let mut text = String::new();
        let percent = |rate: f64| format!("{:.1}%", 100.0 * rate);
        let mut line = |words: String| {
            writeln!(text, "{}", words.trim_end()).expect("strings take everything");
        };
        line(format!("A  {} ({})", settings.a, settings.limit_a));
        line(format!("B  {} ({})", settings.b, settings.limit_b));
        line(format!("{}, {} games, as A sees them:", settings.place(), self.games));
        line(format!(
            "  +{} ={} -{}  {}  95% interval {} to {}",
            self.wins,
            self.draws,
            self.losses,
            percent(self.win_rate),
            percent(self.ci_low),
            percent(self.ci_high)
        ));
        if let (Some(rate), Some(interval)) = (self.paired_rate, self.paired_interval) {
            let (low, high) = (percent(interval.low), percent(interval.high));
            line(format!("  by pairs {}  95% interval {low} to {high}", percent(rate)));
        }
        line(format!(
            "  Elo {:+.0}  95% interval {:+.0} to {:+.0}; likelihood of superiority {}",
            self.elo,
            self.elo_low,
            self.elo_high,
            percent(self.los)
        ));
        let by_side = settings.game.side_names().into_iter().zip([self.as_white, self.as_black]);
        let by_side = by_side.map(|(name, tally)| (format!("as {name}"), tally));
        let by_map = self.by_map.iter().map(|(name, tally)| (format!("on map {name}"), *tally));
        for (name, tally) in by_side.chain(by_map) {
            if tally.games() > 0 {
                let Tally { wins, draws, losses } = tally;
                let rate = percent(tally.rate());
                line(format!("  {name} +{wins} ={draws} -{losses}  {rate}"));
            }
        }
        for seat in PlayerSide::BOTH {
            let index = seat.index();
            let kinds: Vec<String> = self.win_kinds[index]
                .iter()
                .map(|(kind, count)| format!("{kind} {count}"))
                .collect();
            let rate = self.playouts_per_second[index]
                .map_or(String::new(), |rate| format!(", {rate:.0} playouts/s"));
            line(format!(
                "  {seat:?} won by {}; {:.3} s a move{rate}",
                if kinds.is_empty() { "nothing".to_string() } else { kinds.join(", ") },
                self.seconds_per_move[index]
            ));
        }
        let unit = settings.game.length_unit();
        line(format!("  mean length {:.1} {unit}; {} errors", self.mean_plies, self.errors));
        for error in &self.first_errors {
            line(format!("  {error}"));
        }
        if let Some(sprt) = &self.sprt {
            let verdict = match sprt.verdict {
                Verdict::AcceptsElo0 => format!("rather {:+} Elo", sprt.elo0),
                Verdict::AcceptsElo1 => format!("rather {:+} Elo", sprt.elo1),
                Verdict::GoesOn => "not decided".to_string(),
            };
            line(format!(
                "  sequential test of {:+} against {:+} Elo: {verdict} ({:+.2} of {:.2})",
                sprt.elo0, sprt.elo1, sprt.ratio, sprt.bound
            ));
        }
        text
    }
}

/// A game as A sees it.
fn tally_of(game: &GameResult) -> Tally {
    let (won, lost) = (game.winner == Some(PlayerSide::A), game.winner == Some(PlayerSide::B));
    let is_draw = game.winner.is_none();
    Tally { wins: won.into(), draws: is_draw.into(), losses: lost.into() }
}

fn by_map(settings: &Settings, games: &[GameResult]) -> BTreeMap<String, Tally> {
    let mut tallies = BTreeMap::<String, Tally>::new();
    for game in games {
        if let Some(map) = settings.map_of(game.game) {
            let tally = tallies.entry(map.name.clone()).or_default();
            *tally = tally.and(tally_of(game));
        }
    }
    tallies
}

/// The points of A in each pair whose games are both finished, from 0 to 1.
fn pair_points(settings: &Settings, games: &[GameResult]) -> Vec<f64> {
    if settings.colours != Colours::Swap {
        return Vec::new();
    }
    let points = |game: &GameResult| match game.winner {
        Some(PlayerSide::A) => 1.0,
        None => 0.5,
        Some(PlayerSide::B) => 0.0,
    };
    let mut pairs: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for game in games {
        pairs.entry(game.game / 2).or_default().push(points(game));
    }
    let whole = pairs.into_values().filter(|points| points.len() == 2);
    whole.map(|points| points.iter().sum::<f64>() / 2.0).collect()
}

fn win_kinds(games: &[GameResult], seat: PlayerSide) -> BTreeMap<&'static str, u64> {
    let mut kinds = BTreeMap::new();
    for game in games.iter().filter(|game| game.winner == Some(seat)) {
        let kind = match game.end {
            End::Ring => "ring",
            End::Bridge => "bridge",
            End::Fork => "fork",
            End::Resigned => "resignation",
            End::Crash => "crash",
            _ => "error",
        };
        *kinds.entry(kind).or_insert(0) += 1;
    }
    kinds
}

fn errors_of(games: &[GameResult], seat: PlayerSide) -> Errors {
    let mut errors = Errors::default();
    for game in games.iter().filter(|game| game.winner == Some(seat.other())) {
        match game.end {
            End::IllegalMove(_) => errors.illegal_moves += 1,
            End::Fault(_) => errors.faults += 1,
            End::OutOfTime => errors.time_losses += 1,
            _ => {}
        }
    }
    errors
}

fn first_errors(games: &[GameResult]) -> Vec<String> {
    let describe = |game: &GameResult| {
        let loser = game.winner?.other();
        let what = match &game.end {
            End::IllegalMove(text) => format!("illegal move '{}'", text.escape_debug()),
            End::Fault(what) => what.clone(),
            End::OutOfTime => "lost on time".to_string(),
            _ => return None,
        };
        Some(format!("game {}, {loser:?}: {what}", game.game))
    };
    games.iter().filter_map(describe).take(SHOWN_ERRORS).collect()
}
