//! Writes the seeds of every target to `fuzz/seeds`, always the same: see the README beside it.

use std::path::Path;
use std::{fs, io};

use ciclon::internals::havannah::{Board, Geometry, Notation};
use ciclon::internals::rng::Rng;
use ciclon_fuzz::{Ending, Source};

const SIZES: std::ops::RangeInclusive<u8> = 2..=10;
/// More bytes than any target reads.
const BYTES: usize = 700;

fn random_bytes(rng: &mut Rng, count: usize) -> Vec<u8> {
    (0..count).map(|_| rng.below(256) as u8).collect()
}

/// A game that goes on as long as it can, as a picture with its last move as text below.
fn picture(geometry: &Geometry, bytes: &[u8]) -> String {
    let moves = Source::new(bytes).moves(geometry, Ending::Avoided, geometry.cell_count());
    let mut board = Board::of(geometry);
    for cell in &moves {
        board.place(*cell);
    }
    let last = moves.last().expect("a game has moves");
    let [one, other] = [Notation::Letternum, Notation::LittleGolem]
        .map(|system| geometry.write_cell(system, *last));
    format!("{board}{one} {}\n", other.to_uppercase())
}

fn main() -> io::Result<()> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let write = |target: &str, name: String, bytes: &[u8]| {
        fs::create_dir_all(seeds.join(target))?;
        fs::write(seeds.join(target).join(name), bytes)
    };
    for size in SIZES {
        let mut rng = Rng::stream(1, usize::from(size));
        let base = size - 2;
        for target in ["board_vs_oracle", "isa_agreement", "playout_vs_board"] {
            let random = random_bytes(&mut rng, BYTES);
            // The second byte of `board_vs_oracle` says whether ends are avoided: here in every
            // other base.
            let bytes = [&[base, base % 2], &random[..]].concat();
            write(target, format!("base_{size}"), &bytes)?;
        }
        let random = random_bytes(&mut rng, usize::from(size) * 20);
        let geometry = Geometry::of_size(usize::from(size)).expect("bases are 2 to 10");
        let text = picture(geometry, &random);
        write("notation", format!("base_{size}"), text.as_bytes())?;
    }
    write("notation", "cells".to_string(), b"a1 A01 s19 j10 t1 a0 b 1a +a1 \xc3\xa91 a999\n")
}
