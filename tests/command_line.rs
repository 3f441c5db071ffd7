//! The command line as users see it: bad input gets one line that names it and exit code 2.

use std::process::{Command, Output};

use crate::scratch::Scratch;

fn ciclon(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ciclon");
    Command::new(program).args(arguments).output().expect("the program runs")
}

#[test]
fn bad_input_is_named_in_one_line() {
    let cases: [(&[&str], &str); 38] = [
        (&["bench", "--sizes", "11"], "'11'"),
        (&["bench", "--sizes", "4,x"], "'x'"),
        (&["bench", "--isa", "sse9"], "'sse9'"),
        (&["bench", "--seconds", "-1"], "-1"),
        (&["bench", "--threads", "0"], "'0'"),
        (&["bench", "--fast"], "'--fast'"),
        (&["bench", "--maps", "A"], "'--maps'"),
        (&["bench", "--game", "tron", "--sizes", "4"], "'--sizes'"),
        (&["bench", "--game", "tron", "--threads", "2"], "'--threads'"),
        (&["bench", "--game", "tron", "--signature"], "'--signature'"),
        (&["profile", "--size", "one"], "'one'"),
        (&["profile", "--isa", "all"], "'all'"),
        (&["profile", "--preset", "fast"], "'fast'"),
        (&["fly"], "'fly'"),
        (&["play", "--size", "1"], "'1'"),
        (&["play", "--side", "red"], "'red'"),
        (&["gtp", "--seconds", "soon"], "'soon'"),
        (&["gtp", "--set", "pie=apple"], "'apple'"),
        (&["show"], "<RECORD>"),
        (&["show", "/no/such.sgf"], "'/no/such.sgf'"),
        (&["analyze", "/no/such.sgf"], "'/no/such.sgf'"),
        (&["solve", "/no/such.sgf", "--size", "4"], "--size"),
        (&["openings", "--sizes", "3", "--playouts", "0"], "'0'"),
        (&["analyze"], "--size"),
        (&["analyze", "--size", "5", "--moves", "c3 a9"], "'a9'"),
        (&["analyze", "--size", "5", "--moves", "c3 c3"], "'c3'"),
        (&["analyze", "--size", "2", "--moves", "a1 b2 a2 b3"], "'b3'"),
        (&["analyze", "--size", "5", "--preset", "best"], "'best'"),
        (&["analyze", "--size", "5", "--playouts", "0"], "'0'"),
        (&["analyze", "--size", "5", "--set", "colour=red"], "'colour'"),
        (&["solve", "--size", "5", "--set", "memory=0"], "memory"),
        (&["params", "--set", "rave"], "'rave'"),
        (&["profile", "--preset", "alpha-beta"], "'alpha_beta'"),
        (&["analyze", "--size", "5", "--preset", "alpha-beta"], "'alpha_beta'"),
        (&["analyze", "--size", "5", "--set", "stacked=true"], "stacked"),
        (&["match", "alpha-beta", "rave", "--size", "4", "--playouts", "9"], "'alpha_beta'"),
        (
            &[
                "match",
                "rave",
                "uct",
                "--size",
                "4",
                "--playouts",
                "9",
                "--set-b",
                "leaf_value=true",
            ],
            "leaf_value",
        ),
        (&["gtp", "--set", "selection=alpha_beta"], "'alpha_beta'"),
    ];
    for (arguments, token) in cases {
        let output = ciclon(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{arguments:?}: {message}");
        assert!(message.contains(token), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_profile_that_cannot_be_written_says_so() {
    let output = ciclon(&["profile", "--seconds", "0.1", "--output", "/no/such/place.svg"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("'/no/such/place.svg'"));
}

#[test]
fn the_signature_is_the_recorded_one_on_every_instruction_set() {
    let output = ciclon(&["bench", "--signature", "--isa", "all"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/signature.txt");
    let recorded = std::fs::read_to_string(path).expect("the signature is on record");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.lines().count() > 0 && printed.lines().all(|line| line == recorded.trim()),
        "{printed}"
    );
}

#[test]
fn a_number_of_games_is_played_the_same_each_time() {
    let play = || ciclon(&["bench", "--sizes", "4", "--games", "50", "--isa", "portable"]).stdout;
    assert!(String::from_utf8_lossy(&play()).starts_with("base 4, portable: 1"));
    assert_eq!(play(), play());
}

#[test]
fn the_bench_report_has_its_fields() {
    let output = ciclon(&["bench", "--sizes", "3,4", "--seconds", "0.2", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let rows = report["playout"].as_array().expect("rows");
    assert_eq!(rows.len(), 4);
    for row in rows {
        for field in ["size", "threads"] {
            assert!(row[field].is_u64(), "{field} in {row}");
        }
        for field in ["policy", "isa"] {
            assert!(row[field].is_string(), "{field} in {row}");
        }
        let numbers = [
            "per_second",
            "ns_per_move",
            "mean_length",
            "fork",
            "bridge",
            "ring",
            "draw",
            "first_player",
            "floor_ns_per_move",
            "floor_ratio",
        ];
        for field in numbers {
            assert!(row[field].is_f64(), "{field} in {row}");
        }
        let shares = ["fork", "bridge", "ring", "draw"].map(|field| row[field].as_f64().unwrap());
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row}");
        assert_eq!(row["baseline_ratio"].is_f64(), row["policy"] == "random");
    }
    assert!(report["machine"]["processor"].is_string());
    let rows = report["search"].as_array().expect("rows");
    assert_eq!(
        rows.len(),
        2 * ciclon::internals::params::Params::PRESETS.len(),
        "a row for each base and preset"
    );
    for row in rows {
        assert!(row["size"].is_u64() && row["preset"].is_string(), "{row}");
        for field in ["per_second", "playout_ratio", "nodes_per_second", "bytes_per_node"] {
            assert!(row[field].as_f64().is_some_and(|number| number > 0.0), "{field} in {row}");
        }
        let shares = ["select_share", "expand_share", "playout_share", "backup_share"];
        let shares = shares.map(|field| row[field].as_f64().unwrap_or(f64::NAN));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{row}");
    }
}

fn json(arguments: &[&str]) -> (serde_json::Value, Option<i32>) {
    let output = ciclon(arguments);
    let value = serde_json::from_slice(&output.stdout);
    (value.expect("it is JSON"), output.status.code())
}

#[test]
fn an_analysis_has_its_fields() {
    let position = ["analyze", "--size", "4", "--moves", "a1 d4", "--preset", "rave"];
    let (report, code) = json(&[&position[..], &["--playouts", "3000", "--json"]].concat());
    assert_eq!(code, Some(0));
    assert_eq!((&report["size"], &report["to_move"]), (&4.into(), &"white".into()));
    assert_eq!((&report["status"], &report["playouts"]), (&"none".into(), &3000.into()));
    assert!(report["value"].as_f64().is_some_and(|value| (0.0..=1.0).contains(&value)));
    for field in ["per_second", "nodes", "bytes"] {
        assert!(report[field].as_f64().is_some_and(|number| number > 0.0), "{field}");
    }
    let moves = report["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 35);
    assert!(moves.iter().any(|found| found["move"] == report["best"]));
    assert_eq!(report["pv"][0], report["best"]);
    let visits: u64 = moves.iter().filter_map(|found| found["visits"].as_u64()).sum();
    assert_eq!(visits, 3000);
    assert!(moves.iter().all(|found| found["status"] == "none" && found["win_rate"].is_f64()));
    assert!(moves.iter().all(|found| found["rave"].is_f64()));
}

#[test]
fn records_are_analysed_and_solved() {
    let scratch = Scratch::new("record");
    let name = scratch.write("game.sgf", "(;SZ[4]RU[LG];W[a1];B[d1];W[a2];B[g1];W[a4];B[f5])");
    let (report, code) = json(&["solve", &name, "--json"]);
    assert_eq!((&report["status"], code), (&"win".into(), Some(0)));
    assert_eq!((&report["best"], &report["size"]), (&"a3".into(), &4.into()));
    let (report, code) = json(&["analyze", &name, "--ply", "1", "--playouts", "500", "--json"]);
    assert_eq!((&report["to_move"], code), (&"black".into(), Some(0)));
    assert_eq!((&report["status"], &report["playouts"]), (&"none".into(), &500.into()));
}

#[test]
fn a_game_of_several_is_analysed() {
    let scratch = Scratch::new("games");
    let name = scratch.write("games.sgf", "(;SZ[4];W[a1])(;SZ[5];W[a1];B[e5])");
    for (game, size, to_move) in [("1", 4, "black"), ("2", 5, "white")] {
        let (report, code) =
            json(&["analyze", &name, "--game", game, "--playouts", "50", "--json"]);
        assert_eq!((&report["size"], &report["to_move"]), (&size.into(), &to_move.into()));
        assert_eq!(code, Some(0));
    }
    let output = ciclon(&["analyze", &name, "--game", "3", "--playouts", "50"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("has 2 games, and no game 3"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn openings_are_tabulated() {
    let output = ciclon(&["openings", "--sizes", "2,3", "--playouts", "2000000"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').take(3).collect())
        .collect();
    let expected =
        ["2 a1 1.0000", "2 b2 0.0000", "3 a1 1.0000", "3 a2 0.0000", "3 b2 0.0000", "3 c3 0.0000"];
    assert_eq!(lines, expected.map(|line| line.split(' ').collect::<Vec<_>>()));
}

#[test]
fn solving_says_what_is_proven() {
    // The corner wins on base 2, the centre loses: for the side that is to answer it.
    for (opening, status) in [("a1", "loss"), ("b2", "win")] {
        let (report, code) = json(&["solve", "--size", "2", "--moves", opening, "--json"]);
        assert_eq!((&report["status"], code), (&status.into(), Some(0)), "{opening}");
    }
    let (report, code) = json(&["solve", "--size", "3", "--every-move", "--json"]);
    assert_eq!((&report["status"], code), (&"win".into(), Some(0)));
    for found in report["moves"].as_array().expect("moves") {
        let status = if found["move"] == "a1" { "win" } else { "loss" };
        assert_eq!(found["status"], status, "{found}");
    }
    let (report, code) = json(&["solve", "--size", "8", "--playouts", "500", "--json"]);
    assert_eq!((&report["status"], code), (&"none".into(), Some(3)));
}

#[test]
fn every_parameter_is_listed() {
    let (rows, code) = json(&["params", "--preset", "uct", "--set", "seed=7", "--json"]);
    assert_eq!(code, Some(0));
    let rows = rows.as_array().expect("rows");
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).expect("it is listed");
    assert_eq!((&row("seed")["value"], &row("seed")["default"]), (&"7".into(), &"1".into()));
    assert_eq!(row("expand_after")["value"], "5");
    assert!(rows.iter().all(|row| row["meaning"].as_str().is_some_and(|text| !text.is_empty())));
    for (name, group, games) in [
        ("exploration", "search", "both"),
        ("rave", "search", "havannah"),
        ("memory", "tree", "both"),
        ("lgr", "playout", "both"),
        ("pie", "player", "havannah"),
        ("ring_fill", "havannah", "havannah"),
        ("leaf_value", "tron", "tron"),
    ] {
        assert_eq!((&row(name)["group"], &row(name)["games"]), (&group.into(), &games.into()));
    }
    let text = String::from_utf8(ciclon(&["params"]).stdout).expect("text");
    let is_heading = |line: &&str| !line.starts_with(' ') && !line.contains(" = ");
    let headings: Vec<&str> =
        text.lines().filter(|line| !line.is_empty()).filter(is_heading).collect();
    assert_eq!(
        headings,
        [
            "Presets",
            "Search",
            "Search, in Havannah only",
            "Tree",
            "Tree, in Havannah only",
            "Playout",
            "Playout, in Tron only",
            "Player, in Havannah only",
            "Havannah",
            "Tron",
        ]
    );
}

#[test]
fn patterns_are_learned_from_games() {
    let scratch = Scratch::new("learn");
    let (weights, page) = (scratch.file("weights.txt"), scratch.file("weights.html"));
    let command = ["learn", "patterns", "--size", "4", "--games", "4", "--playouts", "20"];
    let output = ciclon(&[&command[..], &["--output", &weights, "--html", &page]].concat());
    assert_eq!(output.status.code(), Some(0));
    let text = std::fs::read_to_string(&weights).expect("weights");
    let learned =
        ciclon::internals::havannah::weights::PatternWeights::read(&text).expect("weights");
    assert_eq!(learned.base, 4);
    assert!(learned.origin.contains(&("games".to_string(), "4".to_string())), "{text}");
    assert!(learned.classes().count() > 10, "{text}");
    let html = std::fs::read_to_string(&page).expect("a page");
    assert_eq!(html.matches("<svg").count(), 3);
    let nowhere = ciclon(&[&command[..], &["--output", "/nowhere/weights.txt"]].concat());
    assert_eq!(nowhere.status.code(), Some(2));
}

/// A player who thinks alone has every core; a limit in playouts is for a search that can be repeated, and
/// what is set is set.
#[test]
fn every_core_is_used_unless_playouts_are_the_limit() {
    let threads = |arguments: &[&str]| {
        let (report, _) = json(&[&["analyze", "--size", "4", "--json"], arguments].concat());
        report["threads"].as_u64().expect("a number of threads")
    };
    assert_eq!(threads(&["--seconds", "0.05"]), ciclon::internals::cores::count() as u64);
    assert_eq!(threads(&["--playouts", "50"]), 1);
    assert_eq!(threads(&["--playouts", "50", "--set", "threads=3"]), 3);
}

/// With several threads the bench measures all three ways, step by step.
#[test]
fn searches_with_threads_are_measured() {
    let arguments = ["bench", "--sizes", "2", "--seconds", "0.05", "--threads", "3", "--json"];
    let report: serde_json::Value =
        serde_json::from_slice(&ciclon(&arguments).stdout).expect("it is JSON");
    let rows = report["parallel"].as_array().expect("rows");
    let row = |row: &serde_json::Value| {
        assert!(row["per_second"].as_f64().is_some_and(|rate| rate > 0.0), "{row}");
        (row["parallel"].as_str().expect("a way").to_string(), row["threads"].as_u64())
    };
    let found: Vec<_> = rows.iter().take(6).map(row).collect();
    let ways = ["tree", "root", "leaf"];
    let expected = ways.map(|way| [2, 3].map(|threads| (way.to_string(), Some(threads)))).concat();
    assert_eq!(found, expected);
}

/// Weights of patterns from a file are played with, and a file that cannot be used is named, with its line,
/// wherever settings come from.
#[test]
fn pattern_weights_come_from_a_file() {
    let scratch = Scratch::new("weights");
    // A move inside, with nothing around it, is all that is ever played.
    let heavy = "patterns 1\nbase 4\n000000 000000 000000 90 100\n000001 000000 000000 0 100\n";
    let files = [
        (scratch.write("other", "patterns 1\nbase 5\n"), "', line 2: the base is 5, not 4"),
        (scratch.write("broken", "patterns 1\nbase 4\n0 0 0 5\n"), "', line 3: "),
        (scratch.file("none"), "': No such file"),
    ];
    let search = |file: &str| {
        let setting = format!("pattern_file={file}");
        let set =
            ["--set", "playout_weights=patterns", "--set", "policy=random", "--set", &setting];
        let (report, code) =
            json(&[&["analyze", "--size", "4", "--playouts", "500", "--json"][..], &set].concat());
        assert_eq!(code, Some(0), "{file}");
        report["moves"].clone()
    };
    assert_ne!(search("shipped"), search(&scratch.write("heavy", heavy)));
    for (file, problem) in &files {
        let setting = format!("pattern_file={file}");
        let refused = [
            &["analyze", "--size", "4", "--playouts", "9", "--set", &setting][..],
            &["gtp", "--size", "4", "--set", &setting],
            &["play", "--size", "4", "--set", &setting],
            &["openings", "--sizes", "4", "--playouts", "9", "--set", &setting],
            &["match", "rave", "uct", "--set-b", &setting, "--size", "4", "--playouts", "9"],
        ];
        for arguments in refused {
            let output = ciclon(arguments);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
            assert!(errors.contains(problem) && errors.contains(file), "{arguments:?}: {errors}");
            assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        }
    }
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let text = |output: Output| {
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("text")
    };
    let help = text(ciclon(&["--help"]));
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"analyze") && commands.contains(&"man"), "{help}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(ciclon(&["completions", shell]));
        assert!(commands.iter().all(|name| script.contains(*name)), "{shell}");
        assert!(script.contains("opening-random"), "{shell}: options as well");
    }
    let page = text(ciclon(&["man"]));
    assert!(page.contains(".TH ciclon 1"), "{page}");
    let scratch = Scratch::new("man");
    let dir = scratch.path().to_str().expect("a path").to_string();
    text(ciclon(&["man", "--dir", &dir]));
    for name in commands.iter().filter(|name| **name != "help") {
        let page = std::fs::read_to_string(scratch.path().join(format!("ciclon-{name}.1")));
        assert!(page.expect("a page").contains(".SH"), "{name}");
    }
    let refused = ciclon(&["man", "--dir", "/no/such/folder"]);
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(error.contains("'/no/such/folder'") && error.lines().count() == 1, "{error}");
}
