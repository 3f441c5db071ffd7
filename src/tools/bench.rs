//! Playouts per second, against the floor and the textbook baseline, measured in one run.
//!
//! Speed on a shared machine varies, so work that is compared is interleaved.
//!
//! - Each round measures a short slice of every kind of work. A ratio is the median of the ratios
//!   of the rounds.
//! - The *floor* is drawing the same number of moves and nothing else. The *baseline* is the
//!   textbook program of Nahue 2014 ch. 3.
//! - With several threads, each is pinned to its own core. Each round has a part for one thread
//!   alone and a part for all threads.
//! - Searches may use more threads than cores. That shows where threads wait for each other.

mod text;

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::parallel_bench::{self, ParallelRow};
use super::playing::{Tally, midgame_positions, play, played_positions};
use super::policy_bench::{self, PolicyRow};
use super::search_bench::{self, SearchRow};
use crate::bits::Isa;
use crate::cores;
use crate::havannah::baseline::Baseline;
use crate::havannah::playout::{Playouts, Policy};
use crate::havannah::{Board, Geometry};
use crate::rng::Rng;

/// What to measure.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    pub sizes: Vec<usize>,
    /// Time for the playouts of each size and instruction set. The policies and the search get the
    /// same.
    pub time: Duration,
    pub threads: usize,
    pub isas: Vec<Isa>,
}

/// Everything that was measured.
#[derive(Serialize)]
pub struct Report {
    pub machine: Machine,
    pub playout: Vec<PlayoutRow>,
    pub midgame: Vec<MidgameRow>,
    pub policies: Vec<PolicyRow>,
    pub search: Vec<SearchRow>,
    /// Searches with several threads. Empty if one thread was asked for.
    pub parallel: Vec<ParallelRow>,
}

#[derive(Serialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub system: &'static str,
    pub instruction_sets: Vec<&'static str>,
    pub version: &'static str,
    /// Bytes of machine code in this program, if the system tells.
    pub code_bytes: Option<u64>,
}

/// Playouts from the empty board. Shares are fractions of all games.
#[derive(Serialize)]
pub struct PlayoutRow {
    pub size: usize,
    pub policy: &'static str,
    pub isa: &'static str,
    pub threads: usize,
    pub per_second: f64,
    pub ns_per_move: f64,
    pub mean_length: f64,
    pub fork: f64,
    pub bridge: f64,
    pub ring: f64,
    pub draw: f64,
    pub first_player: f64,
    pub floor_ns_per_move: f64,
    /// Time of a playout, divided by the time to draw its moves.
    pub floor_ratio: f64,
    /// Speed relative to the baseline, which has no mate check.
    pub baseline_ratio: Option<f64>,
    /// Speed of the mate check relative to random playouts.
    pub random_ratio: Option<f64>,
    /// Speed relative to one thread.
    pub scaling: Option<f64>,
}

/// Playouts from positions in the middle of the game, one thread.
#[derive(Serialize)]
pub struct MidgameRow {
    pub size: usize,
    pub isa: &'static str,
    /// The source of the positions: `random` games with the mate check, or games `played` by the
    /// engine.
    pub games: &'static str,
    /// The mean number of stones on the board.
    pub stones: usize,
    pub random_per_second: f64,
    pub mate_per_second: f64,
    /// The median over the positions.
    pub mate_ratio: f64,
    /// Time to prepare playouts from a position.
    pub random_start_ns: f64,
    pub mate_start_ns: f64,
}

/// The time of one slice of work.
const SLICE: Duration = Duration::from_millis(8);
const POSITIONS: usize = 24;

/// Runs the benches. `progress` is called with the name of what is measured next.
pub fn run(options: &BenchOptions, mut progress: impl FnMut(&str)) -> Report {
    let mut report = Report {
        machine: machine(),
        playout: Vec::new(),
        midgame: Vec::new(),
        policies: Vec::new(),
        search: Vec::new(),
        parallel: Vec::new(),
    };
    for &isa in &options.isas {
        for &size in &options.sizes {
            progress(&format!("base {size}, {isa}"));
            let geometry = Geometry::of_size(size).expect("the sizes are bases");
            let (rows, midgame) = measure_base(geometry, isa, options);
            report.playout.extend(rows);
            report.midgame.extend(midgame);
            report.policies.extend(policy_bench::measure(size, isa, options.time));
            report.search.extend(search_bench::measure(size, isa, options.time));
            if options.threads > 1 {
                let rows = parallel_bench::measure(size, isa, options.threads, options.time);
                report.parallel.extend(rows);
            }
        }
    }
    report
}

/// Plays `games` seeded random games from the empty board. Returns the total number of moves.
pub fn play_games(size: usize, isa: Isa, games: u32) -> u64 {
    let board = Board::new(size).expect("the size is a base");
    let mut playouts = Playouts::new(&board, Policy::Random, isa);
    play(&mut playouts, &mut Rng::new(1), games.into()).moves
}

fn measure_base(
    geometry: &'static Geometry,
    isa: Isa,
    options: &BenchOptions,
) -> (Vec<PlayoutRow>, Vec<MidgameRow>) {
    // More threads than cores would share cores, and their rates could not be added.
    let threads = options.threads.min(cores::count());
    let empty = measure_empty_board(geometry, isa, threads, options.time.mul_f64(0.5));
    let mut rng = Rng::stream(2, geometry.size);
    let mut playouts = Playouts::new(&Board::of(geometry), Policy::Random, isa);
    let sample = play(&mut playouts, &mut rng, 1000);
    let stones = (sample.mean_length() / 2.0) as usize;
    let random = midgame_positions(geometry, stones, POSITIONS, &mut rng);
    // There are no recorded games for tiny boards.
    let sources = [("random", random), ("played", played_positions(geometry))];
    let midgame = sources.iter().filter(|(_, boards)| !boards.is_empty()).map(|(games, boards)| {
        measure_midgame(games, boards, isa, options.time.mul_f64(0.25), &mut rng)
    });
    (empty, midgame.collect())
}

/// The work of one thread, measured in slices.
struct Bench {
    playouts: [Playouts; 2],
    baseline: Baseline,
    rng: Rng,
    /// The last measured nanoseconds per game of each kind. They set the size of the slices.
    cost: [f64; 4],
}

/// The kinds of work.
const RANDOM: usize = 0;
const MATE: usize = 1;
const FLOOR: usize = 2;
const BASELINE: usize = 3;

impl Bench {
    fn new(geometry: &'static Geometry, isa: Isa, stream: usize) -> Self {
        let board = Board::of(geometry);
        let policies = [Policy::Random, Policy::mate(geometry.size)];
        Self {
            playouts: policies.map(|policy| Playouts::new(&board, policy, isa)),
            baseline: Baseline::new(geometry),
            rng: Rng::stream(1, stream),
            cost: [10_000.0; 4],
        }
    }

    /// Does one kind of work for about the time of a slice. Returns nanoseconds per game, and the
    /// tally.
    fn slice(&mut self, kind: usize, plies: usize) -> (f64, Tally) {
        let games = (SLICE.as_nanos() as f64 / self.cost[kind]).max(1.0) as u64;
        let begin = Instant::now();
        let tally = match kind {
            FLOOR => {
                self.playouts[RANDOM].draw_moves(plies, games, &mut self.rng);
                Tally::default()
            }
            BASELINE => {
                for _ in 0..games {
                    std::hint::black_box(self.baseline.playout(&mut self.rng));
                }
                Tally::default()
            }
            policy => play(&mut self.playouts[policy], &mut self.rng, games),
        };
        self.cost[kind] = begin.elapsed().as_nanos() as f64 / games as f64;
        (self.cost[kind], tally)
    }
}

/// Nanoseconds per game of each kind in one round; per move for the floor.
#[derive(Clone, Copy)]
struct BenchRound {
    alone: [f64; 4],
    /// With all threads running: the two policies and the floor.
    together: [f64; 3],
}

fn measure_empty_board(
    geometry: &'static Geometry,
    isa: Isa,
    threads: usize,
    time: Duration,
) -> Vec<PlayoutRow> {
    let barrier = Barrier::new(threads);
    let work = |index: usize| {
        cores::pin(index);
        let mut bench = Bench::new(geometry, isa, index);
        let mut tallies = [Tally::default(); 2];
        // The lengths for the floor, and a first estimate of the costs.
        let plies = [RANDOM, MATE].map(|kind| {
            bench.slice(kind, 0);
            bench.slice(kind, 0).1.mean_length()
        });
        let floor_plies = plies.map(|plies| (plies.round() as usize).next_multiple_of(2));
        bench.slice(FLOOR, floor_plies[RANDOM]);
        bench.slice(BASELINE, 0);
        let parts = 4 + if threads > 1 { 3 } else { 0 };
        let rounds = (time.as_secs_f64() / (SLICE.as_secs_f64() * f64::from(parts))).ceil();
        let rounds = (0..(rounds as usize).max(3)).map(|_| {
            let mut measure = |kind: usize| {
                let (cost, tally) = bench.slice(kind, floor_plies[RANDOM]);
                if kind < FLOOR {
                    tallies[kind].add(&tally);
                }
                if kind == FLOOR { cost / floor_plies[RANDOM] as f64 } else { cost }
            };
            let alone = if index == 0 { [0, 1, 2, 3].map(&mut measure) } else { [0.0; 4] };
            barrier.wait();
            let together = if threads > 1 { [0, 1, 2].map(&mut measure) } else { [0.0; 3] };
            barrier.wait();
            BenchRound { alone, together }
        });
        let rounds: Vec<BenchRound> = rounds.collect();
        (rounds, tallies)
    };
    // The list of cores must be read before the first thread is pinned.
    cores::count();
    let results: Vec<(Vec<BenchRound>, [Tally; 2])> = thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = (0..threads).map(|index| scope.spawn(move || work(index))).collect();
        handles.into_iter().map(|handle| handle.join().expect("a bench thread ends")).collect()
    });

    let mut tallies = [Tally::default(); 2];
    for (_, parts) in &results {
        tallies.iter_mut().zip(parts).for_each(|(tally, part)| tally.add(part));
    }
    let mut rows = Vec::new();
    let alone = &results[0].0;
    for threads in if threads > 1 { vec![1, threads] } else { vec![1] } {
        // Games per second of each round. For the floor, moves per second.
        let rate = |kind: usize, round: usize| -> f64 {
            if threads == 1 {
                1e9 / alone[round].alone[kind]
            } else {
                results.iter().map(|(rounds, _)| 1e9 / rounds[round].together[kind]).sum()
            }
        };
        let floor = |round: usize| -> f64 { threads as f64 * 1e9 / rate(FLOOR, round) };
        for (kind, policy) in [(RANDOM, "random"), (MATE, "mate")] {
            let tally = &tallies[kind];
            let length = tally.mean_length();
            let over_rounds = |f: &dyn Fn(usize) -> f64| median((0..alone.len()).map(f).collect());
            let ns_per_move = |round: usize| threads as f64 * 1e9 / rate(kind, round) / length;
            rows.push(PlayoutRow {
                size: geometry.size,
                policy,
                isa: isa.name(),
                threads,
                per_second: over_rounds(&|round| rate(kind, round)),
                ns_per_move: over_rounds(&ns_per_move),
                mean_length: length,
                fork: tally.share(tally.forks),
                bridge: tally.share(tally.bridges),
                ring: tally.share(tally.rings),
                draw: tally.share(tally.draws),
                first_player: tally.share(tally.first_player),
                floor_ns_per_move: over_rounds(&floor),
                floor_ratio: over_rounds(&|round| ns_per_move(round) / floor(round)),
                baseline_ratio: (kind == RANDOM && threads == 1)
                    .then(|| over_rounds(&|round| rate(kind, round) / rate(BASELINE, round))),
                random_ratio: (kind == MATE)
                    .then(|| over_rounds(&|round| rate(kind, round) / rate(RANDOM, round))),
                scaling: (threads > 1).then(|| {
                    over_rounds(&|round| rate(kind, round) * alone[round].alone[kind] / 1e9)
                }),
            });
        }
    }
    rows
}

fn measure_midgame(
    games: &'static str,
    boards: &[Board],
    isa: Isa,
    time: Duration,
    rng: &mut Rng,
) -> MidgameRow {
    let slice = time.div_f64(2.0 * boards.len() as f64);
    let (mut seconds, mut start_ns) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for board in boards {
        let policies = [Policy::Random, Policy::mate(board.geometry().size)];
        for (kind, policy) in policies.into_iter().enumerate() {
            let mut playouts = Playouts::new(board, policy, isa);
            let begin = Instant::now();
            playouts.start_from(board);
            start_ns[kind].push(begin.elapsed().as_nanos() as f64);
            let (begin, mut played) = (Instant::now(), 0);
            while begin.elapsed() < slice {
                played += play(&mut playouts, rng, 50).games;
            }
            seconds[kind].push(begin.elapsed().as_secs_f64() / played as f64);
        }
    }
    let ratios = seconds[RANDOM].iter().zip(&seconds[MATE]).map(|(random, mate)| random / mate);
    MidgameRow {
        size: boards[0].geometry().size,
        isa: isa.name(),
        games,
        stones: boards.iter().map(Board::stone_count).sum::<usize>() / boards.len(),
        mate_ratio: median(ratios.collect()),
        random_per_second: 1.0 / median(seconds[RANDOM].clone()),
        mate_per_second: 1.0 / median(seconds[MATE].clone()),
        random_start_ns: median(start_ns[RANDOM].clone()),
        mate_start_ns: median(start_ns[MATE].clone()),
    }
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub(super) fn machine() -> Machine {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.and_then(|rest| rest.split_once(':')).map(|(_, name)| name.trim());
    Machine {
        processor: model.unwrap_or("unknown").to_string(),
        cores: cores::count(),
        system: std::env::consts::OS,
        instruction_sets: Isa::available().into_iter().map(Isa::name).collect(),
        version: env!("CARGO_PKG_VERSION"),
        code_bytes: code_bytes(),
    }
}

/// The size of the executable mappings of this program.
fn code_bytes() -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let size = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        let (range, access) = (words.next()?, words.next()?);
        let path = line.split_once('/').map(|(_, path)| format!("/{path}"))?;
        let (from, to) = range.split_once('-')?;
        let [from, to] = [from, to].map(|text| u64::from_str_radix(text, 16).ok());
        (access.contains('x') && program.as_os_str() == path.as_str()).then_some(to? - from?)
    };
    Some(maps.lines().filter_map(size).sum()).filter(|bytes| *bytes > 0)
}
