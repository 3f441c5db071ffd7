//! The command line as users see it: bad input gets one line that names it and exit code 2.

use std::process::{Command, Output};

fn ciclon(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ciclon");
    Command::new(program).args(arguments).output().expect("the program runs")
}

#[test]
fn bad_input_is_named_in_one_line() {
    let cases: [(&[&str], &str); 9] = [
        (&["bench", "--sizes", "11"], "'11'"),
        (&["bench", "--sizes", "4,x"], "'x'"),
        (&["bench", "--isa", "sse9"], "'sse9'"),
        (&["bench", "--seconds", "-1"], "-1"),
        (&["bench", "--threads", "0"], "'0'"),
        (&["bench", "--fast"], "'--fast'"),
        (&["profile", "--size", "one"], "'one'"),
        (&["profile", "--isa", "all"], "'all'"),
        (&["play"], "'play'"),
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
    assert!(report["search"].is_array());
}
