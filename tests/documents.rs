//! The documents: links between them lead somewhere, files that they name exist, the README is short, and
//! the page about GTP has every command.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Lines that the README may have.
const README_LINES: usize = 200;

/// The folders whose files documents name by their paths from the root.
const FOLDERS: [&str; 6] = ["src/", "tests/", "docs/", "examples/", "benches/", "fuzz/"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The README, the changelog and the pages in `docs`.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join("docs")).expect("a folder of pages");
    let pages = pages.map(|page| page.expect("a page").path());
    let is_text = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut documents = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    documents.extend(pages.filter(is_text));
    documents.sort();
    documents
}

/// The lines of a document without its blocks of code.
fn prose(text: &str) -> String {
    let mut in_code = false;
    let is_prose = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    };
    text.lines().filter(is_prose).collect::<Vec<_>>().join("\n")
}

/// What lies between two marks, everywhere in a text.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, tail)) = rest.split_once(begin) {
        let Some((inside, tail)) = tail.split_once(end) else { break };
        found.push(inside);
        rest = tail;
    }
    found
}

/// The names that headings have in links: small letters, hyphens for spaces, no punctuation.
fn anchors(text: &str) -> Vec<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    let anchor = |heading: &str| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        title.chars().filter(kept).collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// Whether a path can be looked at: the package has no fuzz targets.
fn is_here(path: &Path) -> bool {
    root().join("fuzz").exists() || !path.components().any(|part| part.as_os_str() == "fuzz")
}

/// What is wrong with a link of a document.
fn broken(document: &Path, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => document.to_path_buf(),
        _ => document.parent().expect("a folder").join(file),
    };
    if !is_here(&target) {
        return None;
    }
    let has_anchor = || anchors(&read(&target)).iter().any(|name| name == anchor);
    let is_good = target.exists() && (anchor.is_empty() || has_anchor());
    (!is_good).then(|| format!("{}: {link}", document.display()))
}

/// The files of the project that a document names.
fn paths_named(text: &str) -> Vec<&str> {
    let is_path = |code: &&str| {
        FOLDERS.iter().any(|folder| code.starts_with(folder))
            && !code.contains([' ', '*', '<', '\n'])
    };
    between(text, "`", "`").into_iter().filter(is_path).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for document in documents() {
        let text = prose(&read(&document));
        let links = between(&text, "](", ")");
        count += links.len();
        wrong.extend(links.into_iter().filter_map(|link| broken(&document, link)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 20, "{count} links");
}

#[test]
fn files_that_are_named_exist() {
    let mut count = 0;
    for document in documents() {
        let text = prose(&read(&document));
        for path in paths_named(&text).into_iter().filter(|path| is_here(Path::new(path))) {
            assert!(root().join(path).exists(), "{}: {path}", document.display());
            count += 1;
        }
    }
    assert!(count > 20, "{count} files");
}

#[test]
fn wrong_links_and_names_are_found() {
    let readme = root().join("README.md");
    for link in ["docs/gtp.md", "docs/gtp.md#time", "#license", "https://semver.org/x"] {
        assert_eq!(broken(&readme, link), None);
    }
    for link in ["docs/gtb.md", "docs/gtp.md#times", "#licence"] {
        assert!(broken(&readme, link).is_some(), "{link}");
    }
    let text = "`src/lib.rs` and `cargo test`, `src/*.toml`, ```\n# no heading\n```";
    assert_eq!(paths_named(text), ["src/lib.rs"]);
    assert_eq!(anchors("# Pie rule, and `resign`!\n```\n# code\n```"), ["pie-rule-and-resign"]);
}

#[test]
fn the_readme_is_short() {
    let lines = read(&root().join("README.md")).lines().count();
    assert!(lines < README_LINES, "{lines} lines");
}

#[test]
fn the_page_about_gtp_has_every_command() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_ciclon"))
        .args(["gtp", "--size", "4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    engine.stdin.take().expect("a pipe").write_all(b"list_commands\n").expect("it reads");
    let answer = engine.wait_with_output().expect("it ends").stdout;
    let answer = String::from_utf8(answer).expect("text");
    let commands: Vec<&str> = answer.trim_start_matches('=').split_whitespace().collect();
    assert!(commands.len() > 30, "{answer}");
    let page = read(&root().join("docs/gtp.md"));
    for command in commands {
        assert!(page.contains(&format!("`{command}`")), "{command}");
    }
}
