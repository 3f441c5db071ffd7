//! Playouts and search iterations of Tron per second, one thread, measured in one run.
//!
//! - Playouts start at the start of a map. The tables have learned from earlier games, as in a
//!   search.
//! - Slices of the policies alternate. A rate is the median over the turns.
//! - The paper's rates (Laschet 2012 §5.3) are of whole searches on a 2.4 GHz Opteron: 75,000 with
//!   LGR, 55,000 with N-grams and 40,000 with both.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::bench::{Machine, machine, median};
use super::table::lay_out;
use crate::bits::{Isa, Words};
use crate::engine::tron_engine;
use crate::game::LeafWork as _;
use crate::params::Params;
use crate::rng::Rng;
use crate::search::Limits;
use crate::tron::playout::TronPlayouts;
use crate::tron::position::with_words;
use crate::tron::{Map, Position};

/// The players: name, settings, and the rate of the paper.
const PLAYERS: [(&str, &[&str], Option<f64>); 7] = [
    ("random", &[], None),
    ("LGRF-2", &["lgr=lgrf2", "lgr_compare=true"], Some(75_000.0)),
    ("N-grams", &["ngram=average"], Some(55_000.0)),
    ("LGRF-2, N-grams", &["lgr=lgrf2", "lgr_compare=true", "ngram=average"], Some(40_000.0)),
    ("separation", &["separation_cut=true"], None),
    ("evaluation", &["leaf_value=true"], None),
    ("stacked", &["stacked=true", "bound=tuned"], None),
];

/// What was measured.
#[derive(Serialize)]
pub struct Report {
    pub machine: Machine,
    pub tron: Vec<Row>,
}

/// A player on a map.
#[derive(Serialize)]
pub struct Row {
    pub map: String,
    pub player: &'static str,
    pub isa: &'static str,
    pub playouts_per_second: f64,
    /// The mean number of steps of a playout.
    pub mean_length: f64,
    pub search_per_second: f64,
    /// The search rate relative to the paper's.
    pub paper_ratio: Option<f64>,
}

/// The time of one slice.
const SLICE: Duration = Duration::from_millis(5);

/// Measures each map for `time` in playouts and `time` in searches.
pub fn run(
    maps: &[(String, Map)],
    isa: Isa,
    time: Duration,
    mut progress: impl FnMut(&str),
) -> Report {
    let mut tron = Vec::new();
    for (name, map) in maps {
        progress(&format!("map {name}, {isa}"));
        let rows = with_words!(map.grid.span(), W => playout_rates::<W>(map, isa, time));
        let each = time.div_f64(PLAYERS.len() as f64);
        for ((player, settings, paper), (rate, length)) in PLAYERS.into_iter().zip(rows) {
            let search = search_rate(map, isa, settings, each);
            tron.push(Row {
                map: name.clone(),
                player,
                isa: isa.name(),
                playouts_per_second: rate,
                mean_length: length,
                search_per_second: search,
                paper_ratio: paper.map(|paper| search / paper),
            });
        }
    }
    Report { machine: machine(), tron }
}

fn params(settings: &[&str]) -> Params {
    let mut params = Params::preset("laschet").expect("presets have names");
    settings.iter().for_each(|setting| params.assign(setting).expect("settings have names"));
    params
}

/// For each player: playouts per second from the start of a map, and their mean length.
fn playout_rates<W: Words>(map: &Map, isa: Isa, time: Duration) -> Vec<(f64, f64)> {
    let start = Position::<W>::new(map, 0);
    let mut players: Vec<TronPlayouts<W>> = PLAYERS
        .iter()
        .map(|(_, settings, _)| TronPlayouts::new(isa, &params(settings), &start))
        .collect();
    let mut rates = vec![Vec::new(); players.len()];
    let (mut steps, mut games) = (vec![0; players.len()], vec![0; players.len()]);
    let mut rng = Rng::new(1);
    let begin = Instant::now();
    while rates[0].is_empty() || begin.elapsed() < time {
        for (at, playouts) in players.iter_mut().enumerate() {
            let (begin, mut count) = (Instant::now(), 0);
            while begin.elapsed() < SLICE {
                for _ in 0..20 {
                    // SAFETY: no moves are given.
                    unsafe { playouts.run(&[], &mut rng) };
                    steps[at] += playouts.cells().len() - 1;
                }
                count += 20;
            }
            rates[at].push(f64::from(count) / begin.elapsed().as_secs_f64());
            games[at] += count as usize;
        }
    }
    let length = |at: usize| steps[at] as f64 / games[at] as f64;
    rates.into_iter().enumerate().map(|(at, rates)| (median(rates), length(at))).collect()
}

/// Search iterations per second from the start of a map.
fn search_rate(map: &Map, isa: Isa, settings: &[&str], time: Duration) -> f64 {
    let mut engine = tron_engine(map, isa, &params(settings)).expect("the settings are for Tron");
    let limits = Limits { time: Some(time), ..Limits::default() };
    let (_, report) = engine.choose(0, &limits, &AtomicBool::new(false));
    report.stats.per_second
}

impl Report {
    /// The report as a text table.
    pub fn to_text(&self) -> String {
        let heading = ["map", "player", "isa", "playouts/s", "steps", "search/s", "search x paper"];
        let rows = self.tron.iter().map(|row| {
            vec![
                row.map.clone(),
                row.player.to_string(),
                row.isa.to_string(),
                format!("{:.0}", row.playouts_per_second),
                format!("{:.1}", row.mean_length),
                format!("{:.0}", row.search_per_second),
                row.paper_ratio.map_or("-".to_string(), |ratio| format!("{ratio:.1}")),
            ]
        });
        let Machine { processor, cores, .. } = &self.machine;
        format!("{processor}, {cores} cores\n\n{}", lay_out(&heading, &rows.collect::<Vec<_>>()))
    }
}
