//! The rooms of the house: `lib.rs` lists them from the ground up, and no file imports from a
//! room that stands below its own in that list. In `havannah` and `tron`, the oracles and the baseline
//! are visitors: nothing but the list of modules may name them.
//!
//! Sources are read as text, without their comments: each `crate::` (and each chain of `super::`
//! that is long enough to leave the room) leads to the name behind it, or to those in its braces.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

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

    fn offence(&self, code: &str, at: usize, what: String) -> Offence {
        let line = 1 + code[..at].matches('\n').count();
        Offence { path: Path::new("src").join(&self.path), line, what }
    }
}

/// The rooms in the order of the list.
fn rooms(library: &Source) -> Vec<String> {
    let code = library.code();
    let declared = code.lines().filter_map(|line| line.trim().strip_prefix("pub mod "));
    declared.filter_map(|rest| rest.strip_suffix(';')).map(str::to_string).collect()
}

/// The room of each exported macro: those are reached without its name.
fn macro_rooms(sources: &[Source]) -> HashMap<String, String> {
    let of_source = |source: &Source| {
        let (code, room) = (source.code(), source.modules().remove(0));
        let defined = code.match_indices("macro_rules! ").map(|(at, found)| at + found.len());
        let names = defined.map(|at| word_at(&code, at).to_string());
        names.map(|name| (name, room.clone())).collect::<Vec<_>>()
    };
    sources.iter().flat_map(of_source).collect()
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

fn imports_from_below(
    source: &Source,
    rooms: &[String],
    macros: &HashMap<String, String>,
) -> Vec<Offence> {
    let (code, modules) = (source.code(), source.modules());
    let rank = |name: &str| {
        let room = macros.get(name).map_or(name, String::as_str);
        rooms.iter().position(|listed| listed == room)
    };
    let Some(own) = rank(&modules[0]) else {
        return vec![source.offence(&code, 0, format!("{} is not in lib.rs", modules[0]))];
    };
    let mut offences = Vec::new();
    for (at, name) in names_used(&code, &modules) {
        let problem = match rank(name) {
            Some(rank) if rank <= own => continue,
            Some(_) => "stands below",
            // `super::` also leads out of a module inside the file.
            None if !code[at..].starts_with("crate") => continue,
            None => "is no room for",
        };
        offences.push(source.offence(&code, at, format!("{name} {problem} {}", modules[0])));
    }
    offences
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

/// What is wrong with some files, `lib.rs` among them. `main.rs` and `cli` stand outside.
fn offences(sources: Vec<Source>) -> Vec<Offence> {
    let (roots, sources): (Vec<Source>, Vec<Source>) = sources.into_iter().partition(|source| {
        ["lib.rs", "main.rs", "cli"].iter().any(|root| source.path.starts_with(root))
    });
    let library = roots.iter().find(|root| root.path == Path::new("lib.rs")).expect("lib.rs");
    let (rooms, macros) = (rooms(library), macro_rooms(&sources));
    assert!(!rooms.is_empty(), "lib.rs lists no rooms");
    let imports = sources.iter().flat_map(|source| imports_from_below(source, &rooms, &macros));
    imports.chain(sources.iter().flat_map(visitors_named)).collect()
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
fn imports_go_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    read_sources(&root, &root, &mut sources);
    let found = offences(sources);
    let lines = found
        .iter()
        .map(|Offence { path, line, what }| format!("{}:{line}: {what}", path.display()));
    assert!(found.is_empty(), "\n{}", lines.collect::<Vec<_>>().join("\n"));
}

/// The lines with an offence in a file of a house with the rooms `bits`, `havannah`, `tron` and `tools`.
fn lines_found(path: &str, text: &str) -> Vec<usize> {
    let sources = vec![
        Source::new(
            "lib.rs",
            "/// Sets.\npub mod bits;\npub mod havannah; // rules\npub mod tron;\npub mod tools;",
        ),
        Source::new("havannah/geometry.rs", "macro_rules! with_base { () => {} }"),
        Source::new(path, text),
    ];
    let found = offences(sources);
    assert!(found.iter().all(|offence| offence.path == Path::new("src").join(path)), "{found:?}");
    found.into_iter().map(|offence| offence.line).collect()
}

#[test]
fn an_import_from_below_is_found() {
    let cases: [(&str, &str, &[usize]); 13] = [
        ("bits/set.rs", "use std::fmt;\n\nuse crate::tools::bench;", &[3]),
        (
            "bits/set.rs",
            "fn f() -> crate::havannah::Cell {\n    crate::havannah::Cell(0)\n}",
            &[1, 2],
        ),
        ("havannah/board.rs", "use crate::{bits::{Bits, tools}, havannah};", &[]),
        ("havannah/board.rs", "use crate::{\n    bits::{Bits, Isa},\n    tools::bench,\n};", &[1]),
        ("bits.rs", "crate::with_base!(2, B => 1)", &[1]),
        ("tools/bench.rs", "crate::with_base!(2, B => crate::bits::f())", &[]),
        ("bits/set.rs", "// crate::tools\n/// [`bench`](crate::tools)\npub(crate) struct S;", &[]),
        ("bits/set.rs", "use super::super::tools::bench;", &[1]),
        ("bits.rs", "use super::tools::bench;", &[1]),
        ("bits/mod.rs", "use super::{havannah, tools};", &[1, 1]),
        ("bits/set.rs", "use super::tools;", &[]),
        ("bits/set.rs", "use crate::nowhere;", &[1]),
        ("attic.rs", "", &[1]),
    ];
    for (path, text, expected) in cases {
        assert_eq!(lines_found(path, text), expected, "{path}: {text}");
    }
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
