//! Text of any kind as a cell, as a set and as a board: it is read or refused, never a panic, and
//! what was read is written and read back as itself.
//!
//! Bytes: the text.

#![no_main]

use libfuzzer_sys::fuzz_target;

use ciclon::havannah::{Base, Board, Notation, picture};
use ciclon::with_base;

const SYSTEMS: [Notation; 2] = [Notation::Letternum, Notation::LittleGolem];

fn check_cell<B: Base>(text: &str) {
    for system in SYSTEMS {
        match system.read(B::TABLES, text) {
            Ok(cell) => {
                let written = system.write(B::TABLES, cell);
                assert!(written.eq_ignore_ascii_case(text), "{text} became {written}");
                assert_eq!(system.read(B::TABLES, &written), Ok(cell));
                assert_eq!(system.read(B::TABLES, &written.to_uppercase()), Ok(cell));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn check_pictures<B: Base>(text: &str) {
    if let Ok(set) = picture::read_set::<B>(text) {
        let drawn = picture::draw_set::<B>(set);
        assert_eq!(picture::read_set::<B>(&drawn), Ok(set), "\n{drawn}");
    }
    match picture::read_board::<B>(text) {
        Ok(board) => {
            let facts = |board: &Board<B>| (board.outcome(), board.hash(), board.stone_count());
            let again = picture::read_board::<B>(&board.to_string());
            assert_eq!(again, Ok(board), "\n{board}");
            assert_eq!(again.as_ref().map(facts), Ok(facts(&board)), "\n{board}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The marks of the text, as many as the board has cells: the rest is left empty.
fn fitted<B: Base>(text: &str, known: &str) -> String {
    let marks = text.chars().filter(|mark| known.contains(*mark));
    marks.chain(std::iter::repeat('.')).take(B::CELLS).collect()
}

fn check<B: Base>(text: &str) {
    check_cell::<B>(text);
    text.split_whitespace().for_each(check_cell::<B>);
    check_pictures::<B>(text);
    check_pictures::<B>(&fitted::<B>(text, ".OX"));
    check_pictures::<B>(&fitted::<B>(text, ".*"));
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for size in 2..=10 {
        with_base!(size, B => check::<B>(&text)).expect("a base");
    }
    for system in SYSTEMS {
        assert_eq!(system.to_string().parse(), Ok(system));
    }
    if let Ok(system) = text.parse::<Notation>() {
        assert_eq!(system.to_string(), text);
    }
});
