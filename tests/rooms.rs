//! The rooms of the house: `lib.rs` lists them from the ground up, and [`ROOMS`] says which room may use
//! which. Every permission is for a room that comes earlier in the list, and every one is needed. Unit
//! tests may use all earlier rooms. In `havannah` and `tron`, the oracles and the baseline are visitors:
//! nothing but the list of modules may name them.
//!
//! Sources are read as text, without their comments: each `crate::` (and each chain of `super::`
//! that is long enough to leave the room) leads to the name behind it, or to those in its braces.

use std::fs;
use std::path::{Path, PathBuf};

/// A room, and what its files may use besides itself.
struct Room {
    name: &'static str,
    uses: &'static [&'static str],
    /// What its unit tests may use although it comes later in the list.
    tests_use: &'static [&'static str],
}

const fn room(name: &'static str, uses: &'static [&'static str]) -> Room {
    Room { name, uses, tests_use: &[] }
}

/// Which room may use which, in the order of `lib.rs`.
const ROOMS: &[Room] = &[
    room("rng", &[]),
    room("bits", &[]),
    room("cores", &[]),
    room("params", &["cores"]),
    // Games know nothing of trees and searches, nor of each other.
    room("game", &["rng", "bits", "params"]),
    Room { tests_use: &["tron"], ..room("policies", &["rng", "bits", "params"]) },
    room("havannah", &["rng", "bits", "params", "game", "policies"]),
    room("tron", &["rng", "bits", "params", "game", "policies"]),
    room("tree", &["game"]),
    // Searches know what a game is, but no rules; territory is of Tron.
    room("search", &["game", "tree"]),
    room("mcts", &["rng", "bits", "cores", "params", "game", "tree", "search"]),
    room("alpha_beta", &["bits", "game", "tron", "tree", "search"]),
    room(
        "engine",
        &[
            "rng",
            "bits",
            "params",
            "game",
            "havannah",
            "tron",
            "tree",
            "search",
            "mcts",
            "alpha_beta",
        ],
    ),
    // What is outside asks the engine. Only tools, which measure it, make searches of their own.
    room("record", &["havannah", "engine"]),
    room("gtp", &["bits", "params", "game", "havannah", "tree", "search", "engine", "record"]),
    room(
        "api",
        &[
            "rng", "bits", "params", "game", "havannah", "tron", "tree", "search", "engine",
            "record", "gtp",
        ],
    ),
    room(
        "matches",
        &[
            "rng", "bits", "cores", "params", "game", "havannah", "tron", "search", "engine",
            "record",
        ],
    ),
    room("experiments", &["rng", "bits", "params", "matches"]),
    room(
        "tools",
        &[
            "rng",
            "bits",
            "cores",
            "params",
            "game",
            "havannah",
            "tron",
            "tree",
            "search",
            "mcts",
            "engine",
            "record",
            "matches",
            "experiments",
        ],
    ),
    room(
        "cli",
        &[
            "bits",
            "cores",
            "params",
            "havannah",
            "tron",
            "search",
            "engine",
            "record",
            "gtp",
            "matches",
            "experiments",
            "tools",
        ],
    ),
];

/// The rooms that have visitors.
const HOSTS: [&str; 2] = ["havannah", "tron"];

/// The visitors, by the file that is theirs.
const VISITORS: [&str; 2] = ["oracle", "baseline"];

/// A source file, by its path below `src`.
struct Source {
    path: PathBuf,
    text: String,
}

/// A line that should not be.
#[derive(PartialEq, Eq, Debug)]
struct Offence {
    path: PathBuf,
    line: usize,
    what: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Self { path: PathBuf::from(path), text: text.to_string() }
    }

    /// The modules from the crate down to this file.
    fn modules(&self) -> Vec<String> {
        let path = self.path.with_extension("");
        let names = path.iter().map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name != "mod").collect()
    }

    /// The text with blanks in the place of comments, so that lines keep their numbers.
    fn code(&self) -> String {
        let without_comment = |line: &str| line.split("//").next().unwrap_or_default().to_string();
        self.text.lines().map(without_comment).collect::<Vec<_>>().join("\n")
    }

    /// Where the unit tests begin: modules of tests come last in a file, or are files of their own.
    fn tests_begin(&self, code: &str) -> usize {
        if self.modules().last().is_some_and(|module| module == "tests") {
            return 0;
        }
        let is_module = |at: &usize| {
            let item = code[*at..].trim_start();
            let body = item.find(['{', ';']).and_then(|end| item.as_bytes().get(end));
            item.starts_with("mod ") && body == Some(&b'{')
        };
        let marks = code.match_indices("#[cfg(test)]").map(|(at, mark)| at + mark.len());
        marks.into_iter().find(is_module).unwrap_or(code.len())
    }

    fn offence(&self, code: &str, at: usize, what: String) -> Offence {
        let line = 1 + code[..at].matches('\n').count();
        Offence { path: Path::new("src").join(&self.path), line, what }
    }
}

/// The rooms in the order of `lib.rs`.
fn listed_rooms(library: &Source) -> Vec<String> {
    let code = library.code();
    let declared = code.lines().filter_map(|line| line.trim().strip_prefix("mod "));
    declared.filter_map(|rest| rest.strip_suffix(';')).map(str::to_string).collect()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word_at(code: &str, at: usize) -> &str {
    let length = code[at..].bytes().take_while(|byte| is_word(*byte)).count();
    &code[at..at + length]
}

/// Every word of the code, and where it begins.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let begins = |at: &usize| {
        let bytes = code.as_bytes();
        is_word(bytes[*at]) && (*at == 0 || !is_word(bytes[at - 1]))
    };
    (0..code.len()).filter(begins).map(|at| (at, word_at(code, at)))
}

/// The names that a path leads to, where the path before them ends at `at`.
fn names_behind(code: &str, at: usize) -> Vec<&str> {
    let Some(list) = code[at..].strip_prefix('{') else {
        return vec![word_at(code, at)];
    };
    let mut names = Vec::new();
    let (mut depth, mut expected) = (0, true);
    for (i, byte) in list.bytes().enumerate() {
        match byte {
            b'}' if depth == 0 => break,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => expected = true,
            _ if expected && is_word(byte) => {
                names.push(word_at(list, i));
                expected = false;
            }
            _ => {}
        }
    }
    names
}

/// The names right below the crate that a file uses, and where.
fn names_used<'a>(code: &'a str, modules: &[String]) -> Vec<(usize, &'a str)> {
    let mut used = Vec::new();
    // Where the next `super::` of a chain would stand, and how many came before it.
    let (mut chain_end, mut chain_length) = (0, 0);
    for (at, word) in words(code) {
        let end = at + word.len();
        let Some(path) = code[end..].strip_prefix("::") else { continue };
        let behind = code.len() - path.len();
        if word == "super" {
            chain_length = if at == chain_end { chain_length + 1 } else { 1 };
            chain_end = behind;
        }
        if word == "crate" || word == "super" && chain_length == modules.len() {
            used.extend(names_behind(code, behind).into_iter().map(|name| (at, name)));
        }
    }
    used
}

/// A room that a file uses: where, and whether only its tests do.
struct Use<'a> {
    at: usize,
    room: &'a str,
    in_tests: bool,
}

/// The other rooms that a file uses, and the names that are no rooms.
fn rooms_used<'a>(source: &Source, code: &'a str, house: &[Room]) -> Vec<Use<'a>> {
    let (modules, tests) = (source.modules(), source.tests_begin(code));
    let is_room = |name: &str| house.iter().any(|room| room.name == name);
    let used = names_used(code, &modules).into_iter();
    let used = used.map(|(at, room)| Use { at, room, in_tests: at >= tests });
    // `super::` also leads out of a module inside the file.
    used.filter(|Use { at, room, .. }| is_room(room) || code[*at..].starts_with("crate"))
        .filter(|Use { room, .. }| *room != modules[0])
        .collect()
}

/// What a file uses although its room may not.
fn forbidden_uses(source: &Source, house: &[Room]) -> Vec<Offence> {
    let (code, own_name) = (source.code(), source.modules().remove(0));
    let rank = |name: &str| house.iter().position(|room| room.name == name);
    let Some(own) = rank(&own_name) else {
        return vec![source.offence(&code, 0, format!("{own_name} is not in the table"))];
    };
    let Room { uses, tests_use, .. } = house[own];
    let mut offences = Vec::new();
    for Use { at, room, in_tests } in rooms_used(source, &code, house) {
        let problem = match rank(room) {
            None => "is no room for",
            Some(_) if uses.contains(&room) => continue,
            Some(rank) if in_tests && (rank < own || tests_use.contains(&room)) => continue,
            Some(_) if in_tests => "is not for the tests of",
            Some(_) => "is not for",
        };
        offences.push(source.offence(&code, at, format!("{room} {problem} {own_name}")));
    }
    offences
}

/// What is wrong with the table itself: it has the rooms of `lib.rs` in their order, and permissions for
/// earlier rooms only, each of which some file needs.
fn check_table(house: &[Room], library: &Source, sources: &[Source]) {
    let names: Vec<&str> = house.iter().map(|room| room.name).collect();
    assert_eq!(names, listed_rooms(library), "the rooms of the table and of lib.rs");
    for (rank, room) in house.iter().enumerate() {
        let own = sources.iter().filter(|source| source.modules()[0] == room.name);
        let own: Vec<(&Source, String)> = own.map(|source| (source, source.code())).collect();
        let is_used = |name: &str, in_tests: bool| {
            own.iter().any(|(source, code)| {
                let uses = rooms_used(source, code, house);
                uses.iter().any(|found| found.room == name && found.in_tests == in_tests)
            })
        };
        for name in room.uses {
            assert!(names[..rank].contains(name), "{name} does not come before {}", room.name);
            assert!(is_used(name, false), "{} does not use {name}", room.name);
        }
        for name in room.tests_use {
            assert!(names[rank + 1..].contains(name), "{name} is not after {}", room.name);
            assert!(is_used(name, true), "the tests of {} do not use {name}", room.name);
        }
    }
}

fn visitors_named(source: &Source) -> Vec<Offence> {
    let (code, modules) = (source.code(), source.modules());
    if !HOSTS.contains(&modules[0].as_str()) || modules.len() == 1 {
        return Vec::new();
    }
    let is_named = |word: &str| {
        let visitors = VISITORS.iter().filter(|visitor| modules[1] != **visitor);
        visitors.into_iter().any(|visitor| visitor.eq_ignore_ascii_case(word))
    };
    let named = words(&code).filter(|(_, word)| is_named(word));
    named.map(|(at, word)| source.offence(&code, at, format!("{word} is a visitor"))).collect()
}

/// `lib.rs`, and the files of the rooms. `main.rs` and `internals.rs` stand outside.
fn parted(sources: Vec<Source>) -> (Source, Vec<Source>) {
    let (roots, sources): (Vec<Source>, Vec<Source>) = sources.into_iter().partition(|source| {
        ["lib.rs", "main.rs", "internals.rs"].iter().any(|root| source.path.starts_with(root))
    });
    let library = roots.into_iter().find(|root| root.path == Path::new("lib.rs"));
    (library.expect("lib.rs"), sources)
}

/// What is wrong with the files of some rooms.
fn offences(house: &[Room], sources: &[Source]) -> Vec<Offence> {
    let uses = sources.iter().flat_map(|source| forbidden_uses(source, house));
    uses.chain(sources.iter().flat_map(visitors_named)).collect()
}

fn read_sources(folder: &Path, root: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            read_sources(&path, root, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let path = path.strip_prefix(root).expect("a path below src").to_path_buf();
            sources.push(Source { path, text });
        }
    }
}

#[test]
fn rooms_use_what_they_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    read_sources(&root, &root, &mut sources);
    let (library, sources) = parted(sources);
    let found = offences(ROOMS, &sources);
    let lines = found
        .iter()
        .map(|Offence { path, line, what }| format!("{}:{line}: {what}", path.display()));
    assert!(found.is_empty(), "\n{}", lines.collect::<Vec<_>>().join("\n"));
    check_table(ROOMS, &library, &sources);
}

/// What examples and the documentation show is what users of the library have.
#[test]
fn examples_use_the_public_interface() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    read_sources(&root.join("examples"), root, &mut sources);
    assert!(!sources.is_empty());
    for Source { path, text } in &sources {
        assert!(!text.contains("internals"), "{}", path.display());
    }
    read_sources(&root.join("src"), root, &mut sources);
    let lines = sources.iter().flat_map(|source| source.text.lines());
    let shown = lines.filter(|line| line.trim_start().starts_with("//"));
    let uses: Vec<&str> = shown.filter(|line| line.contains("use ciclon::")).collect();
    assert!(uses.iter().all(|line| !line.contains("internals")), "{uses:?}");
    assert!(uses.len() > 3, "{uses:?}");
}

/// A small house. `tools` may not use `bits` itself.
const SMALL: &[Room] = &[
    Room { tests_use: &["tron"], ..room("bits", &[]) },
    room("havannah", &["bits"]),
    room("tron", &["bits"]),
    room("tools", &["havannah", "tron"]),
];

fn small_library() -> Source {
    let text =
        "// Sets.\nmod bits;\nmod havannah; // rules\nmod tron;\nmod tools;\npub mod internals;";
    Source::new("lib.rs", text)
}

/// The lines with an offence in a file of the small house.
fn lines_found(path: &str, text: &str) -> Vec<usize> {
    let sources = vec![
        small_library(),
        Source::new("main.rs", "use crate::nowhere;"),
        Source::new("internals.rs", "use crate::nowhere;"),
        Source::new(path, text),
    ];
    let found = offences(SMALL, &parted(sources).1);
    assert!(found.iter().all(|offence| offence.path == Path::new("src").join(path)), "{found:?}");
    found.into_iter().map(|offence| offence.line).collect()
}

#[test]
fn a_forbidden_use_is_found() {
    let cases: [(&str, &str, &[usize]); 25] = [
        ("bits/set.rs", "use std::fmt;\n\nuse crate::tools::bench;", &[3]),
        (
            "bits/set.rs",
            "fn f() -> crate::havannah::Cell {\n    crate::havannah::Cell(0)\n}",
            &[1, 2],
        ),
        ("havannah/board.rs", "use crate::{bits::{Bits, tools}, havannah};", &[]),
        ("havannah/board.rs", "use crate::{\n    bits::{Bits, Isa},\n    tools::bench,\n};", &[1]),
        ("bits.rs", "crate::havannah::with_width!(2, W => 1)", &[1]),
        ("tools/bench.rs", "crate::havannah::with_width!(2, W => crate::tron::f())", &[]),
        ("bits/set.rs", "// crate::tools\n/// [`bench`](crate::tools)\npub(crate) struct S;", &[]),
        ("bits/set.rs", "use super::super::tools::bench;", &[1]),
        ("bits.rs", "use super::tools::bench;", &[1]),
        ("bits/mod.rs", "use super::{havannah, tools};", &[1, 1]),
        ("bits/set.rs", "use super::tools;", &[]),
        ("bits/set.rs", "use crate::nowhere;", &[1]),
        ("attic.rs", "", &[1]),
        // A room that comes earlier is not for everyone.
        ("tron/grid.rs", "use crate::havannah::Board;", &[1]),
        ("tools/bench.rs", "use crate::havannah::Board;\nuse crate::bits::Bits;", &[2]),
        ("tools/bench.rs", "use crate::{tron::Grid, bits::Bits};", &[1]),
        ("tools/bench.rs", "use crate::tools::show;", &[]),
        // Tests may use what comes earlier, and what is theirs.
        ("tools/tests.rs", "use crate::bits::Bits;", &[]),
        ("tools/bench/tests.rs", "use crate::bits::Bits;\nuse crate::nowhere;", &[2]),
        ("tron/grid.rs", "#[cfg(test)]\nmod tests {\n    use crate::havannah::Board;\n}", &[]),
        ("tron/grid.rs", "#[cfg(test)]\nmod tests {\n    use crate::tools::bench;\n}", &[3]),
        ("bits/set.rs", "#[cfg(test)]\nmod tests {\n    use crate::tron::Grid;\n}", &[]),
        ("bits/set.rs", "use crate::tron::Grid;\n#[cfg(test)]\nmod tests {}", &[1]),
        // The tests are elsewhere, or what is for tests is no module.
        ("tron/grid.rs", "#[cfg(test)]\nmod tests;\nuse crate::havannah::Board;", &[3]),
        ("tron/grid.rs", "#[cfg(test)]\nfn f() {}\nuse crate::havannah::Board;", &[3]),
    ];
    for (path, text, expected) in cases {
        assert_eq!(lines_found(path, text), expected, "{path}: {text}");
    }
}

/// The files of the small house, each permission needed.
fn small_sources() -> Vec<Source> {
    vec![
        Source::new("bits/tests.rs", "use crate::tron::Grid;"),
        Source::new("havannah/board.rs", "use crate::bits::Bits;"),
        Source::new("tron/grid.rs", "use crate::bits::Bits;"),
        Source::new("tools/bench.rs", "use crate::{havannah::Board, tron::Grid};"),
    ]
}

#[test]
fn the_table_is_what_the_rooms_need() {
    check_table(SMALL, &small_library(), &small_sources());
}

#[test]
#[should_panic(expected = "the rooms of the table and of lib.rs")]
fn a_room_that_is_not_in_the_table_is_found() {
    let library = Source::new("lib.rs", "mod bits;\nmod havannah;\nmod tron;");
    check_table(SMALL, &library, &small_sources());
}

#[test]
#[should_panic(expected = "tron does not use bits")]
fn a_permission_that_no_one_needs_is_found() {
    let mut sources = small_sources();
    sources[2] = Source::new("tron/tests.rs", "use crate::bits::Bits;");
    check_table(SMALL, &small_library(), &sources);
}

#[test]
#[should_panic(expected = "the tests of bits do not use tron")]
fn a_permission_that_no_test_needs_is_found() {
    check_table(SMALL, &small_library(), &small_sources()[1..]);
}

#[test]
#[should_panic(expected = "tron does not come before bits")]
fn a_permission_for_a_later_room_is_found() {
    let house =
        [room("bits", &["tron"]), room("havannah", &[]), room("tron", &[]), room("tools", &[])];
    check_table(&house, &small_library(), &small_sources());
}

#[test]
fn a_named_visitor_is_found() {
    let cases: [(&str, &str, &[usize]); 7] = [
        ("tron/position.rs", "use super::oracle::Oracle;", &[1, 1]),
        ("havannah/board.rs", "use super::board;\nuse super::oracle::Oracle;", &[2, 2]),
        ("havannah/board.rs", "fn f(baseline: u8) {}", &[1]),
        ("havannah/mod.rs", "pub mod oracle;\npub mod baseline;", &[]),
        ("havannah/oracle.rs", "struct Oracle;", &[]),
        ("havannah/oracle.rs", "use super::baseline::Baseline;", &[1, 1]),
        ("tools/bench.rs", "use crate::havannah::baseline::Baseline;", &[]),
    ];
    for (path, text, expected) in cases {
        assert_eq!(lines_found(path, text), expected, "{path}: {text}");
    }
}
