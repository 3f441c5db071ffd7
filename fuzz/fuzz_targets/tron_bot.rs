//! Text of any kind to the bot of Tron: it is refused or answered, with one way for each whole map.
//!
//! Bytes: the input.

#![no_main]

use libfuzzer_sys::fuzz_target;

use ciclon::internals::bits::Isa;
use ciclon::internals::params::Params;
use ciclon::internals::search::Limits;
use ciclon::internals::tools::tron::bot::{self, BotError, BotOptions, Maps};

/// Bytes of one input: more would only take longer.
const MOST_BYTES: usize = 2000;

fuzz_target!(|bytes: &[u8]| {
    let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
    let params = Params { memory: 1, ..Params::preset("uct").expect("a preset") };
    let limits = Limits { playouts: Some(4), ..Limits::default() };
    let options = BotOptions { params, isa: Isa::best(), first: limits, later: limits };
    let mut output = Vec::new();
    let ended = bot::run(&options, bytes, &mut output);
    let mut maps = Maps::new(bytes);
    let mut whole = 0;
    let is_broken = loop {
        match maps.read() {
            Ok(Some(map)) => {
                whole += 1;
                assert_eq!(map.to_string().parse().ok(), Some(map), "a map is read back as itself");
            }
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert_eq!(is_broken, matches!(ended, Err(BotError::Map(_))));
    assert_eq!(ended.is_ok(), !is_broken, "{ended:?}");
    let text = String::from_utf8(output).expect("numbers");
    assert_eq!(text.lines().count(), whole);
    assert!(text.lines().all(|line| ["1", "2", "3", "4"].contains(&line)), "{text}");
});
