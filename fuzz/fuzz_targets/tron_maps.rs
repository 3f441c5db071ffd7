//! Text of any kind as a map of Tron: it is read or refused, never a panic, and what was read is
//! written and read back as itself. Games on it are the same on the position and on the oracle.
//!
//! Bytes: the text. They are read again, round and round, as the ways that both sides go.

#![no_main]

use libfuzzer_sys::fuzz_target;

use ciclon::internals::bits::Words;
use ciclon::internals::tron::oracle::Oracle;
use ciclon::internals::tron::{Direction, Map, Position, Side, regions};

/// The way that a byte names, or the next one that is free; one byte in eight insists on its way.
fn way<W: Words>(position: &Position<W>, side: Side, byte: u8) -> Direction {
    let named = usize::from(byte >> (2 * side)) % 4;
    if byte.is_multiple_of(8) {
        return Direction::ALL[named];
    }
    let from = position.head(side);
    let is_free = |way: &Direction| !position.taken().contains(position.grid().step(from, *way));
    let mut ways = Direction::ALL.into_iter().cycle().skip(named).take(4);
    ways.find(is_free).unwrap_or(Direction::ALL[named])
}

fn compare<W: Words>(position: &Position<W>, oracle: &Oracle) {
    let grid = position.grid();
    assert_eq!(position.result(), oracle.foreseen(), "\n{}", oracle.text());
    assert_eq!(position.to_map().to_string().split_once('\n').expect("a size").1, oracle.text());
    for side in [0, 1] {
        assert_eq!(grid.place(position.head(side)), oracle.head(side));
        assert_eq!(position.exits(side).len(), oracle.exits(side).len());
    }
    let heads = [position.head(0), position.head(1)];
    let are_separated = regions::are_separated(grid, &position.taken(), heads);
    assert_eq!(are_separated, oracle.are_separated(), "\n{}", oracle.text());
}

fn play<W: Words>(map: &Map, bytes: &[u8]) {
    let mut position = Position::<W>::new(map, 0);
    let mut oracle = Oracle::new(map);
    compare(&position, &oracle);
    for byte in bytes.iter().cycle() {
        if position.result().is_some() {
            return;
        }
        let ways = [0, 1].map(|side| way(&position, side, *byte));
        let points = position.play(ways);
        match oracle.step(ways) {
            Some(crash) => assert_eq!(points, Some(crash), "\n{}", oracle.text()),
            None => compare(&position, &oracle),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Map>() {
        Ok(map) => {
            let written = map.to_string();
            assert_eq!(written.parse().as_ref(), Ok(&map), "\n{written}");
            assert_eq!(map.turned().turned(), map);
            if map.grid.span() <= 256 {
                play::<[u64; 4]>(&map, bytes);
            }
            play::<[u64; 64]>(&map, bytes);
        }
        Err(error) => assert!(error.line > 0 && !error.to_string().is_empty()),
    }
});
