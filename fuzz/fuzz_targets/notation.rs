//! Text of any kind as a cell, as a set and as a board: it is read or refused, never a panic, and
//! what was read is written and read back as itself.
//!
//! Bytes: the text.

#![no_main]

use libfuzzer_sys::fuzz_target;

use ciclon::internals::havannah::{Board, Geometry, Notation, picture};

const SYSTEMS: [Notation; 2] = [Notation::Letternum, Notation::LittleGolem];

fn check_cell(geometry: &Geometry, text: &str) {
    for system in SYSTEMS {
        match geometry.read_cell(system, text) {
            Ok(cell) => {
                let written = geometry.write_cell(system, cell);
                assert!(written.eq_ignore_ascii_case(text), "{text} became {written}");
                assert_eq!(geometry.read_cell(system, &written), Ok(cell));
                assert_eq!(geometry.read_cell(system, &written.to_uppercase()), Ok(cell));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn check_pictures(geometry: &Geometry, text: &str) {
    if let Ok(set) = picture::read_set(geometry, text) {
        let drawn = picture::draw_set(geometry, set);
        assert_eq!(picture::read_set(geometry, &drawn), Ok(set), "\n{drawn}");
    }
    match picture::read_board(geometry, text) {
        Ok(board) => {
            let facts = |board: &Board| (board.outcome(), board.hash(), board.stone_count());
            let again = picture::read_board(geometry, &board.to_string());
            assert_eq!(again, Ok(board), "\n{board}");
            assert_eq!(again.as_ref().map(facts), Ok(facts(&board)), "\n{board}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The marks of the text, as many as the board has cells: the rest is left empty.
fn fitted(geometry: &Geometry, text: &str, known: &str) -> String {
    let marks = text.chars().filter(|mark| known.contains(*mark));
    marks.chain(std::iter::repeat('.')).take(geometry.cell_count()).collect()
}

fn check(geometry: &Geometry, text: &str) {
    check_cell(geometry, text);
    text.split_whitespace().for_each(|word| check_cell(geometry, word));
    check_pictures(geometry, text);
    check_pictures(geometry, &fitted(geometry, text, ".OX"));
    check_pictures(geometry, &fitted(geometry, text, ".*"));
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for size in 2..=10 {
        check(Geometry::of_size(size).expect("bases are 2 to 10"), &text);
    }
    for system in SYSTEMS {
        assert_eq!(system.to_string().parse(), Ok(system));
    }
    if let Ok(system) = text.parse::<Notation>() {
        assert_eq!(system.to_string(), text);
    }
});
