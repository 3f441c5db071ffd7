//! Conversations: what is sent, and what must come back.
//!
//! The transcripts stand in `tests/transcripts`. Lines that begin with `> ` are sent; the lines
//! after them, up to an empty one, are the answer. `*` in an answer stands for anything on its
//! line, and a last line of it alone for any number of lines.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::TimeControl;
use ciclon::internals::gtp::{COMMANDS, Interrupt, Session, Setup};
use ciclon::internals::params::Params;
use ciclon::internals::search::Limits;

use crate::scratch::Scratch;

fn setup() -> Setup {
    Setup {
        size: 4,
        isa: Isa::best(),
        params: Params { memory: 16, ..Params::default() },
        control: TimeControl {
            move_time: Some(Duration::from_millis(50)),
            ..TimeControl::default()
        },
        most: Limits { time: Some(Duration::from_millis(500)), ..Limits::default() },
        files: true,
    }
}

struct Exchange {
    line: usize,
    sent: String,
    answer: Vec<String>,
}

fn read_transcript(text: &str) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(sent) = line.strip_prefix("> ") {
            let (sent, answer) = (sent.to_string(), Vec::new());
            exchanges.push(Exchange { line: number + 1, sent, answer });
        } else if !line.is_empty() && !line.starts_with('#') {
            exchanges.last_mut().expect("something was sent").answer.push(line.to_string());
        }
    }
    exchanges
}

/// Whether a line is as expected, where `*` stands for anything.
fn line_matches(expected: &str, found: &str) -> bool {
    let Some((before, after)) = expected.split_once('*') else {
        return expected == found;
    };
    let Some(rest) = found.strip_prefix(before) else {
        return false;
    };
    let ends = (0..=rest.len()).filter(|end| rest.is_char_boundary(*end));
    ends.into_iter().any(|end| line_matches(after, &rest[end..]))
}

fn answer_matches(expected: &[String], found: &[&str]) -> bool {
    match (expected, found) {
        ([], []) => true,
        ([last], _) if last == "*" => true,
        ([first, others @ ..], [line, rest @ ..]) => {
            line_matches(first, line) && answer_matches(others, rest)
        }
        _ => false,
    }
}

fn transcripts() -> Vec<(String, Vec<Exchange>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let paths =
        fs::read_dir(folder).expect("transcripts").map(|entry| entry.expect("a file").path());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a transcript");
        (path.display().to_string(), read_transcript(&text))
    };
    paths.map(read).collect()
}

#[test]
fn conversations_go_as_written() {
    let scratch = Scratch::new("gtp");
    scratch.write("broken.sgf", "(;SZ[4];W[a1]");
    scratch.write("set_up.sgf", "(;SZ[4]AW[a1]AB[d4]PL[B])");
    scratch.write("illegal.sgf", "(;SZ[4];W[a1];B[a1])");
    scratch.write("weights.txt", "patterns 1\nbase 4\n000000 000000 000000 5 30\n");
    let scratch_name = scratch.path().display().to_string();
    for (path, exchanges) in transcripts() {
        let mut session = Session::new(&setup(), Interrupt::default());
        assert!(!exchanges.is_empty(), "{path}");
        for Exchange { line, sent, answer } in exchanges {
            let sent = sent.replace("DIR", &scratch_name);
            let answer: Vec<String> =
                answer.iter().map(|line| line.replace("DIR", &scratch_name)).collect();
            let found = session.answer(sent.as_bytes()).expect("an answer");
            assert!(found.ends_with("\n\n"), "{path} line {line}: {found:?}");
            let lines: Vec<&str> = found.trim_end_matches('\n').lines().collect();
            assert!(
                answer_matches(&answer, &lines),
                "{path} line {line}: {sent}\nexpected {answer:#?}\nfound {lines:#?}"
            );
        }
    }
}

/// Every command of the list is said in a transcript and succeeds there at least once.
#[test]
fn every_command_has_a_transcript() {
    let mut missing: BTreeSet<&str> = COMMANDS.iter().map(|entry| entry.name).collect();
    for (_, exchanges) in transcripts() {
        for exchange in exchanges {
            let words = exchange.sent.split_whitespace();
            let name = words.into_iter().find(|word| word.parse::<u32>().is_err());
            if exchange.answer.first().is_some_and(|line| line.starts_with('=')) {
                missing.remove(name.unwrap_or_default());
            }
        }
    }
    assert!(missing.is_empty(), "no transcript has {missing:?}");
}

#[test]
fn commands_are_listed_once_and_described() {
    let names: BTreeSet<&str> = COMMANDS.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), COMMANDS.len());
    assert!(COMMANDS.iter().all(|entry| !entry.meaning.is_empty()));
}

#[test]
fn lines_without_a_command_have_no_answer() {
    let mut session = Session::new(&setup(), Interrupt::default());
    for line in [&b""[..], b" \t ", b"# name", b"\r", b"\x07"] {
        assert_eq!(session.answer(line), None);
    }
    assert_eq!(session.answer(b"\t17\tna\x03me # what?\r"), Some("=17 Ciclon\n\n".to_string()));
}

/// What comes out for arbitrary bytes is one answer with two newlines at its end and nowhere else.
#[test]
fn any_bytes_are_answered() {
    let mut rng = ciclon::internals::rng::Rng::new(70);
    let mut session = Session::new(&Setup { files: false, ..setup() }, Interrupt::default());
    for line in [&b"loadsgf /dev/null"[..], b"set_option pattern_file /dev/null"] {
        let answer = session.answer(line).expect("an answer");
        assert_eq!(answer, "? files are out of bounds here\n\n");
    }
    let words: Vec<&str> = COMMANDS.iter().map(|entry| entry.name).chain(WORDS).collect();
    for _ in 0..3000 {
        let mut line = Vec::new();
        for _ in 0..1 + rng.below(5) {
            match rng.below(10) {
                0 => line.extend((0..rng.below(6)).map(|_| rng.below(256) as u8)),
                _ => line.extend(words[rng.below(words.len() as u32) as usize].bytes()),
            }
            line.push(b' ');
        }
        if line.starts_with(b"solve") || line.contains(&b'\n') {
            continue;
        }
        session.answer(b"time -i 30").expect("an answer");
        let Some(answer) = session.answer(&line) else {
            continue;
        };
        let context = String::from_utf8_lossy(&line).into_owned();
        assert!(answer.starts_with(['=', '?']), "{context}");
        assert_eq!(answer.find("\n\n"), Some(answer.len() - 2), "{context}: {answer:?}");
    }
}

const WORDS: [&str; 24] = [
    "w",
    "b",
    "white",
    "BLACK",
    "a1",
    "c3",
    "d4",
    "z9",
    "swap",
    "resign",
    "on",
    "off",
    "0",
    "1",
    "2",
    "3",
    "5",
    "-1",
    "1e9",
    "nan",
    "rave",
    "exploration=0.2",
    "0.05",
    "-m",
];
