//! Text of any kind as a game record: it is read or refused, what was read is written and read back
//! as itself, and a game that can be played is written down and played again to the same position.
//!
//! Bytes: the text.

#![no_main]

use libfuzzer_sys::fuzz_target;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::HavannahEngine;
use ciclon::internals::havannah::{Colour, Notation};
use ciclon::internals::params::Params;
use ciclon::internals::record::Record;
use ciclon::internals::record::replay::{replay, write_down};
use ciclon::internals::record::sgf::{Collection, read};

fn board(engine: &HavannahEngine) -> Vec<Option<Colour>> {
    engine.geometry().cells().iter().map(|cell| engine.colour_at(*cell)).collect()
}

/// The position of a record, with the side that resigned.
fn played(record: &Record) -> Option<(HavannahEngine, Option<Colour>)> {
    let params = Params { memory: 1, ..Params::default() };
    let mut engine = HavannahEngine::new(record.size, Isa::PORTABLE, &params).expect("a base");
    let resigned = replay(record, usize::MAX, &mut engine).ok()?;
    Some((engine, resigned))
}

fn check_game(record: &Record) {
    let Some((engine, resigned)) = played(record) else {
        return;
    };
    for notation in [Notation::Letternum, Notation::LittleGolem] {
        let written = write_down(&engine, resigned, notation);
        let again = Record::from_tree(&written.to_tree()).expect("it was written as a record");
        assert_eq!(again, written);
        let (other, other_resigned) = played(&again).expect("it was played before");
        assert_eq!(board(&other), board(&engine));
        assert_eq!(other.board(), engine.board());
        assert_eq!((other.outcome(), other_resigned), (engine.outcome(), resigned));
        assert_eq!(other.to_move(), engine.to_move());
        assert_eq!(other.setup().len(), engine.setup().len());
        assert_eq!(other.turns(), engine.turns());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let collection = match read(&text) {
        Ok(collection) => collection,
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1);
            return;
        }
    };
    assert_eq!(read(&collection.write()).as_ref(), Ok(&collection));
    for tree in collection.trees() {
        match Record::from_tree(tree) {
            Ok(record) => {
                let again = Collection::from(record.to_tree());
                assert_eq!(Record::from_tree(&again.trees()[0]).as_ref(), Ok(&record));
                check_game(&record);
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});
