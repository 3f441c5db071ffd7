//! Lines of any kind to a live engine with tiny limits: one answer for each command, framed as the
//! protocol says, and a game that can be taken back to its beginning.
//!
//! Bytes: the lines.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::TimeControl;
use ciclon::internals::gtp::{Command, Interrupt, Session, Setup};
use ciclon::internals::params::Params;
use ciclon::internals::search::Limits;

/// Lines of one input: more would only take longer.
const MOST_LINES: usize = 60;

fn session() -> Session {
    let setup = Setup {
        size: 4,
        isa: Isa::best(),
        params: Params { memory: 1, ..Params::default() },
        control: TimeControl { move_playouts: Some(8), ..TimeControl::default() },
        most: Limits {
            playouts: Some(16),
            time: Some(Duration::from_millis(20)),
            ..Limits::default()
        },
        files: false,
    };
    Session::new(&setup, Interrupt::default())
}

/// What comes after the mark of an answer that must succeed.
fn obtain(session: &mut Session, line: &str) -> String {
    let answer = session.answer(line.as_bytes()).expect("an answer");
    answer.strip_prefix('=').unwrap_or_else(|| panic!("{line}: {answer}")).trim().to_string()
}

fuzz_target!(|bytes: &[u8]| {
    let mut session = session();
    for line in bytes.split(|byte| *byte == b'\n').take(MOST_LINES) {
        let command = Command::read(line);
        let answer = session.answer(line);
        assert_eq!(command.is_some(), answer.is_some());
        let (Some(command), Some(answer)) = (command, answer) else {
            continue;
        };
        let head = command.id.map_or(String::new(), |id| id.to_string());
        assert!(answer.strip_prefix(['=', '?']).is_some_and(|rest| rest.starts_with(&head)));
        assert_eq!(answer.find("\n\n"), Some(answer.len() - 2), "{answer:?}");
    }
    let turns = obtain(&mut session, "history").split_whitespace().count();
    obtain(&mut session, "showboard");
    obtain(&mut session, &format!("undo {turns}"));
    assert_eq!(obtain(&mut session, "history"), "");
    assert_eq!(obtain(&mut session, "winner"), "none");
    assert!(session.answer(b"undo").is_some_and(|answer| answer == "? cannot undo\n\n"));
});
