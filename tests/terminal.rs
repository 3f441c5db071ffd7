//! What people see: a game at the terminal, and records as text and as pictures.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use ciclon::internals::bits::Isa;
use ciclon::internals::havannah::{Colour, Notation};
use ciclon::internals::params::Params;
use ciclon::internals::search::Limits;
use ciclon::internals::tools::{play, show};

use crate::scratch::Scratch;

fn play(side: Colour, settings: &[&str], typed: &str) -> String {
    let mut params = Params { memory: 16, ..Params::default() };
    settings.iter().try_for_each(|text| params.assign(text)).expect("settings");
    let options = play::PlayOptions {
        size: 3,
        time: Duration::from_millis(30),
        side,
        notation: Notation::Letternum,
        params,
        isa: Isa::best(),
    };
    let mut output = Vec::new();
    play::play(options, typed.as_bytes(), &mut output).expect("memory takes everything");
    anstream::adapter::strip_str(std::str::from_utf8(&output).expect("text")).to_string()
}

fn has_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "'{part}' is missing in\n{text}");
    }
}

#[test]
fn a_game_is_played_at_the_terminal() {
    let text = play(
        Colour::White,
        &[],
        "\u{fffd}\u{1}\nhelp\nc3\nhint\nc3\nz9\nboard\nundo\nundo\nquit\n",
    );
    has_all(
        &text,
        &[
            "You are white",
            "  undo ",
            "black plays ",
            "I would play ",
            "the cell is occupied",
            "'z9' is no cell of a base-3 board",
            "there is nothing to take back",
        ],
    );
    assert!(text.matches("your move: ").count() >= 8, "{text}");
    // The end of the input is the end of the game.
    has_all(&play(Colour::Black, &[], ""), &["You are black", "white plays ", "your move: "]);
}

#[test]
fn a_game_has_an_end() {
    let text = play(Colour::White, &[], &"engine\n".repeat(20));
    has_all(&text, &["has won with a "]);
    let text = play(Colour::Black, &[], "resign\n");
    has_all(&text, &["black resigned, white has won"]);
    let text = play(Colour::Black, &["pie=true"], "swap\nswap\nquit\n");
    has_all(&text, &["white plays ", "you can swap as your first move only"]);
    let text = play(Colour::Black, &[], "swap\nquit\n");
    has_all(&text, &["you can swap as your first move only, with --set pie=true"]);
}

/// Only Little Golem begins every line of the board with 1.
#[test]
fn cells_are_written_as_asked_for() {
    let play = |coordinates: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ciclon"))
            .args(["play", "--size", "4", "--seconds", "0.05", "--set", "memory=16"])
            .args(coordinates)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(b"g1\n").expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8(output.stdout).expect("text")
    };
    let text = play(&["--coordinates", "littlegolem"]);
    has_all(&text, &["   g1 . . . . 4\n", "   g1 O ", "black plays "]);
    let text = play(&[]);
    has_all(&text, &["   g4 . . . . 7\n", "'g1' is no cell of a base-4 board"]);
}

const WON: &str = "(;SZ[4]PW[Ann &\u{7} <Co>]SO[http://www.littlegolem.com];W[d4];B[A1];W[d3];B[a2];W[e3];\
    B[a3];W[f3];B[a4])";

fn options(record: PathBuf) -> show::ShowOptions {
    show::ShowOptions {
        record,
        game: 1,
        ply: None,
        svg: None,
        heat: None,
        params: Params { memory: 16, ..Params::default() },
        isa: Isa::best(),
    }
}

#[test]
fn records_are_shown() {
    let scratch = Scratch::new("show");
    let record = scratch.path().join("game.hgf");
    std::fs::write(&record, WON).expect("a file");
    let text = show::show(&options(record.clone())).expect("a record");
    let text = anstream::adapter::strip_str(&text).to_string();
    has_all(
        &text,
        &[
            "Ann &  <Co> - Black, base 4, turn 8 of 8\n",
            "    a1 X X X X 4\n",
            "  e1 . . O . . . 6\n",
            "black has won with a bridge\n",
        ],
    );
    let svg = scratch.path().join("board.svg");
    let with_picture = show::ShowOptions { svg: Some(svg.clone()), ..options(record.clone()) };
    show::show(&with_picture).expect("a record");
    let picture = std::fs::read_to_string(&svg).expect("a picture");
    has_all(&picture, &["<svg", "Ann &amp;  &lt;Co&gt;", ">\ne4\n</text>", "</svg>"]);
    assert_eq!(picture.matches("<polygon").count(), 37 + 1, "every cell, and the background");
    assert_eq!(picture.matches("#1e9e3a").count(), 4, "the bridge stands out");
    assert_eq!(picture.matches("#d4342c").count(), 1, "the last stone is marked");

    let heat = Limits { playouts: Some(500), ..Limits::default() };
    let hot = show::ShowOptions {
        ply: Some(3),
        heat: Some(heat),
        svg: Some(svg.clone()),
        ..options(record.clone())
    };
    let text = show::show(&hot).expect("a record");
    has_all(&text, &["turn 3 of 8", "black to move"]);
    let picture = std::fs::read_to_string(&svg).expect("a picture");
    assert!(picture.matches("%\n</text>").count() > 3, "{picture}");
    assert_eq!(picture.matches("#1e9e3a").count(), 0, "no one has won yet");
}

#[test]
fn records_that_cannot_be_shown_say_why() {
    let scratch = Scratch::new("show-errors");
    let write = |name: &str, text: &str| {
        std::fs::write(scratch.path().join(name), text).expect("a file");
        options(scratch.path().join(name))
    };
    let cases = [
        (options(scratch.path().join("none.sgf")), "none.sgf'"),
        (write("text.sgf", "no record"), "text.sgf'"),
        (write("go.sgf", "(;GM[1]SZ[19])"), "GM[1]"),
        (write("occupied.sgf", "(;SZ[4];W[a1];B[a1])"), "turn 2, 'a1': the cell is occupied"),
        (write("cell.sgf", "(;SZ[4];W[a9])"), "turn 1, 'a9'"),
        (write("swap.sgf", "(;SZ[4];W[swap])"), "turn 1, 'swap'"),
        (write("resigned.sgf", "(;SZ[4];W[resign];B[a1])"), "turn 2, 'a1': a side has resigned"),
        (write("set_up.sgf", "(;SZ[4]AW[a1]AB[a1])"), "a stone set up, 'a1'"),
        (show::ShowOptions { game: 3, ..write("one.sgf", WON) }, "has 1 games, and no game 3"),
        (
            show::ShowOptions {
                svg: Some(scratch.path().join("no/place.svg")),
                ..write("won.sgf", WON)
            },
            "cannot write the picture",
        ),
    ];
    for (options, expected) in cases {
        let error = show::show(&options).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
