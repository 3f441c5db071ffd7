//! Playouts per second with each policy, against random playouts, measured in one run.
//!
//! - Games start from the empty board. The tables have learned from earlier games, as in a search.
//!   The lists that a search would supply hold every second move.
//! - Slices of a policy alternate with slices of random playouts. The ratio is the median over the
//!   turns.
//! - Only the policy `mate` looks for wins in one.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::bench::median;
use crate::bits::Isa;
use crate::havannah::Board;
use crate::havannah::playout::Playouts;
use crate::params::Params;
use crate::rng::Rng;

/// The policies, each with the settings that turn it on.
const POLICIES: [(&str, &[&str]); 13] = [
    ("mate", &["policy=mate"]),
    ("havannah-mate", &["havannah_mate=true"]),
    ("bridge reply", &["bridge_reply=true"]),
    ("LGRF-1", &["lgr=lgrf1"]),
    ("LGRF-2", &["lgr=lgrf2"]),
    ("MAST", &["ngram=mast"]),
    ("N-gram1", &["ngram=1"]),
    ("N-gram2", &["ngram=2"]),
    ("LGRF-2, N-gram1", &["lgr=lgrf2", "ngram=1"]),
    ("PPR", &["ppr=true"]),
    ("patterns", &["playout_weights=patterns"]),
    ("joint moves", &["playout_weights=joint"]),
    ("locality", &["locality=near"]),
];

/// Playouts with a policy, one thread.
#[derive(Serialize)]
pub struct PolicyRow {
    pub size: usize,
    pub isa: &'static str,
    pub policy: &'static str,
    pub per_second: f64,
    /// Speed relative to random playouts.
    pub random_ratio: f64,
}

/// The time of one slice.
const SLICE: Duration = Duration::from_millis(5);

/// Measures every policy on a base. `time` is the total.
pub fn measure(size: usize, isa: Isa, time: Duration) -> Vec<PolicyRow> {
    let share = time.div_f64(POLICIES.len() as f64);
    let board = Board::new(size).expect("the size is a base");
    POLICIES.into_iter().map(|policy| measure_policy(&board, policy, isa, share)).collect()
}

fn measure_policy(
    board: &Board,
    (policy, settings): (&'static str, &[&str]),
    isa: Isa,
    time: Duration,
) -> PolicyRow {
    let random = Params::preset("rave130").expect("presets have names");
    let mut params = random.clone();
    settings.iter().for_each(|setting| params.assign(setting).expect("settings have names"));
    let mut pair = [random, params].map(|params| Playouts::guided(board, isa, &params));
    let every_second: Vec<u16> = (0..board.geometry().cell_count() as u16).step_by(2).collect();
    pair[1].set_pool(&every_second);
    let mut rng = Rng::new(1);
    let (mut rates, mut ratios) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    while rates.is_empty() || begin.elapsed() < time {
        let [plain, guided] = pair.each_mut().map(|playouts| rate(playouts, &mut rng));
        rates.push(guided);
        ratios.push(guided / plain);
    }
    PolicyRow {
        size: board.geometry().size,
        isa: isa.name(),
        policy,
        per_second: median(rates),
        random_ratio: median(ratios),
    }
}

/// Games per second in one slice.
fn rate(playouts: &mut Playouts, rng: &mut Rng) -> f64 {
    let (begin, mut games) = (Instant::now(), 0);
    while begin.elapsed() < SLICE {
        (0..20).for_each(|_| {
            playouts.run(rng);
        });
        games += 20;
    }
    f64::from(games) / begin.elapsed().as_secs_f64()
}
