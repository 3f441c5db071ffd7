//! One number that depends on what the engine does and not on how fast it does it.
//!
//! Seeded games on every base, with both policies, from the empty board and from positions on the
//! way: their moves, outcomes, hashes and winning cells, hashed. The same number in debug and
//! release builds and for every instruction set; it changes only when behaviour changes.

use crate::bits::Isa;
use crate::havannah::threats::winning_cells;
use crate::havannah::{Base, Board, Cell, Colour};
use crate::playout::{Policy, Simulator, Start};
use crate::rng::Rng;
use crate::tools::playing::midgame_positions;
use crate::with_base;

const SEED: u64 = 1979;
const GAMES: usize = 60;

/// The signature of this build on an instruction set.
pub fn signature(isa: Isa) -> u32 {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    for size in 2..=10 {
        with_base!(size, B => play_games::<B>(isa, &mut digest)).expect("2 to 10 are bases");
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

fn play_games<B: Base>(isa: Isa, digest: &mut Digest) {
    let mut rng = Rng::stream(SEED, B::SIZE);
    let mut boards = vec![Board::<B>::new()];
    boards.extend(midgame_positions::<B>(B::SIZE, 3, &mut rng));
    let mut simulator = Simulator::new();
    for board in &boards {
        for policy in [Policy::Random, Policy::mate::<B>()] {
            let start = Start::new(board, policy);
            for _ in 0..GAMES / boards.len() {
                let playout = simulator.run(isa, &start, &mut rng);
                digest.add(playout.length as u64);
                replay(*board, simulator.moves(), digest);
            }
        }
    }
}

/// Plays a game again on the board, and takes in what the board says of it.
fn replay<B: Base>(mut board: Board<B>, moves: &[Cell], digest: &mut Digest) {
    for cell in moves {
        for colour in Colour::BOTH {
            let cells = winning_cells(&board, colour);
            let sets = [cells.ring, cells.bridge, cells.fork];
            sets.iter().flat_map(|set| set.words()).for_each(|word| digest.add(*word));
        }
        board.place(*cell);
        digest.add(board.hash());
    }
    digest.add(board.canonical_hash());
}
