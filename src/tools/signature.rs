//! One number that depends on what the engine does, not on how fast. It is the same in debug and
//! release builds and for every instruction set, and changes only when behaviour changes.
//!
//! It is a hash of:
//!
//! - seeded games on every base, with both policies, from the empty board and from later positions:
//!   moves, outcomes, hashes and winning cells;
//! - searches with every preset of Havannah: the visits of the moves at the root;
//! - games of Tron on some maps, by several players.

use std::sync::atomic::AtomicBool;

use crate::bits::Isa;
use crate::engine::{HavannahEngine, tron_engine};
use crate::havannah::playout::{Playouts, Policy};
use crate::havannah::threats::winning_cells;
use crate::havannah::{Board, Cell, Colour, Geometry, Notation};
use crate::params::Params;
use crate::rng::Rng;
use crate::search::Limits;
use crate::tools::playing::midgame_positions;
use crate::tron::{Map, maps};

const SEED: u64 = 1979;
const GAMES: usize = 60;
const PLAYOUTS: u64 = 2000;

/// The maps are open, a ring and rooms. A player is a preset with settings.
const TRON_MAPS: [&str; 3] = ["A", "D", "E"];
const TRON_PLAYERS: [(&str, &[&str]); 6] = [
    ("laschet", &["proofs=true"]),
    ("laschet", &["lgr=lgrf2", "lgr_compare=true", "ngram=average", "ulm=all"]),
    ("laschet", &["ngram=average", "ngram_sequence=true", "separation_cut=true", "proofs=true"]),
    ("laschet", &["leaf_value=true"]),
    ("laschet", &["stacked=true", "bound=tuned"]),
    ("alpha-beta", &[]),
];
const TRON_STEPS: usize = 6;

/// The signature of this build on an instruction set.
pub fn signature(isa: Isa) -> u32 {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    for size in 2..=10 {
        let geometry = Geometry::of_size(size).expect("2 to 10 are bases");
        play_games(geometry, isa, &mut digest);
        search(geometry, isa, &mut digest);
    }
    for letter in TRON_MAPS {
        let map = &maps::by_letter(letter).expect("a map of the project").map();
        for (preset, settings) in TRON_PLAYERS {
            play_tron(isa, map, preset, settings, &mut digest);
        }
    }
    (digest.0 ^ digest.0 >> 32) as u32
}

/// An FNV-1a hash over 64-bit words.
struct Digest(u64);

impl Digest {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}

fn play_games(geometry: &'static Geometry, isa: Isa, digest: &mut Digest) {
    let mut rng = Rng::stream(SEED, geometry.size);
    let mut boards = vec![Board::of(geometry)];
    boards.extend(midgame_positions(geometry, geometry.size, 3, &mut rng));
    for board in &boards {
        for policy in [Policy::Random, Policy::mate(geometry.size)] {
            let mut playouts = Playouts::new(board, policy, isa);
            for _ in 0..GAMES / boards.len() {
                let playout = playouts.run(&mut rng);
                digest.add(playout.length as u64);
                replay(*board, playouts.moves(), digest);
            }
        }
    }
}

/// Searches two positions of a game with every preset. The tree is kept between them.
fn search(geometry: &'static Geometry, isa: Isa, digest: &mut Digest) {
    for (preset, _) in Params::PRESETS {
        let params = Params::preset(preset).expect("presets have names");
        let mut engine = HavannahEngine::at(Board::of(geometry), isa, &params);
        for _ in 0..2 {
            let limits = Limits { playouts: Some(PLAYOUTS), ..Limits::default() };
            let report = engine.analyze(&limits, &AtomicBool::new(false), None);
            for found in &report.moves {
                let name = geometry.write_move(Notation::Letternum, found.next);
                name.bytes().for_each(|byte| digest.add(byte.into()));
                digest.add(found.visits.into());
            }
            digest.add(report.stats.nodes as u64);
            digest.add(report.stats.playouts);
            let best = geometry.cell_of(report.best.expect("the game is not over"));
            engine.place(engine.to_move(), best).expect("the best move is legal");
            if engine.outcome().is_over() {
                break;
            }
        }
    }
}

/// Plays the first steps of a game of Tron between two copies of a player.
fn play_tron(isa: Isa, map: &Map, preset: &str, settings: &[&str], digest: &mut Digest) {
    let mut params = Params::preset(preset).expect("presets have names");
    settings.iter().for_each(|setting| params.assign(setting).expect("settings have names"));
    let mut players = [0, 1].map(|_| tron_engine(map, isa, &params).expect("settings for Tron"));
    let limits = Limits { playouts: Some(PLAYOUTS), ..Limits::default() };
    for _ in 0..TRON_STEPS {
        let ways = [0, 1].map(|side| {
            let (way, report) = players[side].choose(side, &limits, &AtomicBool::new(false));
            for found in &report.moves {
                digest.add(found.visits.into());
            }
            digest.add(report.stats.nodes as u64);
            way
        });
        players.iter_mut().for_each(|player| player.play(ways));
        players[0].map().to_string().bytes().for_each(|byte| digest.add(byte.into()));
        if players[0].result().is_some() {
            return;
        }
    }
}

/// Replays a game on the board, and adds winning cells and hashes of each position.
fn replay(mut board: Board, moves: &[Cell], digest: &mut Digest) {
    for cell in moves {
        for colour in Colour::BOTH {
            let cells = winning_cells(&board, colour);
            let sets = [cells.ring, cells.bridge, cells.fork];
            for set in sets {
                digest.add(set.len() as u64);
                set.iter().for_each(|index| digest.add(board.geometry().ordinal[index].into()));
            }
        }
        board.place(*cell);
        digest.add(board.hash());
    }
    digest.add(board.canonical_hash());
}
