//! The experiments of the papers, sweeps and tuning.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

use ciclon::internals::experiments::catalogue::{self, Form, Game};

use crate::scratch::Scratch;

fn experiment(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ciclon"));
    command.arg("experiment").args(arguments).output().expect("the program runs")
}

fn text(arguments: &[&str]) -> String {
    let output = experiment(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn refusal(arguments: &[&str]) -> String {
    let output = experiment(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_string()
}

/// Every table of the list is there, and what it says can be.
#[test]
fn the_catalogue_is_sound() {
    let experiments = catalogue::catalogue();
    let ids: BTreeSet<&str> = experiments.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids.len(), experiments.len(), "every id once");
    for entry in &experiments {
        match entry.game {
            Game::Havannah => assert!((4..=10).contains(&entry.size), "{}", entry.id),
            Game::Tron => assert!(entry.size == 0 && !entry.maps.is_empty(), "{}", entry.id),
        }
        assert!(entry.games > 0 && !entry.rows.is_empty(), "{}", entry.id);
        assert!(!entry.about.is_empty() && !entry.source.is_empty(), "{}", entry.id);
        let names: BTreeSet<&str> = entry.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names.len(), entry.rows.len(), "{}: every row once", entry.id);
        for row in &entry.rows {
            assert!(row.paper_error.is_none_or(|error| (0.0..=20.0).contains(&error)));
            if let Ok(settings) = entry.settings(row, Form::Usual, 1) {
                assert_eq!(settings.limit_a.is_timed(), entry.timed || entry.playouts.is_none());
            }
        }
    }
    let tables = |author: &str, numbers: std::ops::RangeInclusive<usize>| {
        numbers.map(|number| format!("{author}-4.{number}")).collect::<Vec<_>>()
    };
    for id in [tables("stankiewicz", 1..=24), tables("nahue", 2..=14)].concat() {
        assert!(ids.contains(id.as_str()), "{id} is missing");
    }
    for table in 1..=13 {
        assert!(ids.contains(format!("laschet-{table}").as_str()), "table {table} is missing");
    }
}

#[test]
fn experiments_are_listed_played_and_reported() {
    let scratch = Scratch::new("experiments");
    let logs = scratch.file("logs");
    let playable = catalogue::catalogue().into_iter().find_map(|entry| {
        let row = entry.rows.iter().position(|row| entry.settings(row, Form::Usual, 1).is_ok())?;
        Some((entry.id.clone(), row + 1))
    });
    let (id, row) = playable.expect("an experiment that can be played");
    let row = row.to_string();
    assert!(text(&["list"]).lines().count() > 30);
    assert!(text(&["list", &id]).contains(&format!("{row:>3}. ")));
    let figures = text(&["list", "dugueperoux-figure-6"]);
    assert!(figures.contains("  1. 1,000 playouts, base 6: 70 to 80%"), "{figures}");
    let run = |games: &str| {
        let limits = ["--games", games, "--playouts", "20", "--logs", &logs];
        text(&[&["run", &id, "--row", &row], &limits[..]].concat())
    };
    assert!(run("4").contains("paper "));
    assert!(run("8").contains("paper "));
    let html = scratch.file("page.html");
    let report = text(&["report", "--logs", &logs, "--html", &html]);
    assert!(report.contains(&format!("## {id}")) && report.contains("| 8 |"), "{report}");
    let page = fs::read_to_string(&html).expect("a page");
    assert!(page.contains("<svg") && page.trim_end().ends_with("</html>"), "{page}");
    // With other settings the log is left alone.
    let other = ["run", &id, "--row", &row, "--playouts", "30", "--logs", &logs];
    assert!(refusal(&other).contains("another"), "{id}");
    assert!(refusal(&["run", "nobody-1.1"]).contains("'nobody-1.1'"));
    assert!(refusal(&["run", &id, "--row", "999"]).contains("'999'"));
    assert!(refusal(&["report", "--logs", "/no/such/folder"]).contains("'/no/such/folder'"));
}

/// A quick row: base 4, and a range in place of a figure.
const QUICK: [&str; 4] = ["run", "dugueperoux-figure-6", "--row", "3"];

/// The cells of the one row of a report.
fn reported(logs: &str) -> Vec<String> {
    let report = text(&["report", "--logs", logs]);
    let row = report.lines().last().expect("a row");
    row.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
}

/// Parts of a row have logs of their own, and the report has the games of them all.
#[test]
fn parts_are_joined_in_the_report() {
    let scratch = Scratch::new("parts");
    let (logs, whole, other) = (scratch.file("logs"), scratch.file("whole"), scratch.file("other"));
    let options = |logs, games, playouts, shard| {
        let limits = ["--games", games, "--playouts", playouts];
        [&QUICK[..], &limits, &["--shard", shard, "--logs", logs]].concat()
    };
    let run = |logs, games, shard| text(&options(logs, games, "20", shard));
    run(&logs, "8", "1/2");
    assert_eq!(reported(&logs)[5], "4");
    run(&logs, "8", "2/2");
    run(&whole, "8", "1/1");
    let (joined, expected) = (reported(&logs), reported(&whole));
    assert_eq!((joined[3].as_str(), joined[5].as_str()), ("0 to 60", "8"), "{joined:?}");
    assert_eq!(joined[..7], expected[..7]);
    // What a part has is not played again.
    run(&logs, "10", "1/1");
    assert_eq!(reported(&logs)[5], "10");
    let games = |name: &str| {
        let path = format!("{logs}/dugueperoux-figure-6/03-base-below-5{name}.jsonl");
        fs::read_to_string(path).expect("a log").lines().count() - 1
    };
    assert_eq!(["", ".1-of-2", ".2-of-2"].map(games), [2, 4, 4]);
    // A log with other settings is named, by a match that would add to it and by the report.
    let message = refusal(&options(&logs, "12", "30", "3/3"));
    assert!(message.contains("1-of-2.jsonl' is of a match with another 'limit_a'"), "{message}");
    text(&options(&other, "8", "30", "2/2"));
    let part = "dugueperoux-figure-6/03-base-below-5.2-of-2.jsonl";
    fs::copy(format!("{other}/{part}"), format!("{logs}/{part}")).expect("a log");
    let refused = experiment(&["report", "--logs", &logs]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!((refused.status.code(), message.lines().count()), (Some(2), 1), "{message}");
    assert!(refused.stdout.is_empty());
    assert!(message.contains("2-of-2.jsonl' is of a match with another 'limit_a'"), "{message}");
}

/// The settings that a log begins with; none if there is no whole line yet.
fn settings_of(log: &str) -> Option<Value> {
    let text = fs::read_to_string(log).ok()?;
    let (first, _) = text.split_once('\n')?;
    let mut header: Value = serde_json::from_str(first).expect("JSON");
    Some(header["settings"].take())
}

#[test]
fn an_experiment_takes_the_time_that_is_asked_for() {
    let scratch = Scratch::new("times");
    let logs = scratch.file("logs");
    let common = ["--games", "1", "--jobs", "1", "--logs", &logs];
    text(&[&QUICK[..], &["--seconds", "0.01"], &common].concat());
    assert_eq!(reported(&logs)[2], "0.01 s a move");
    // The paper has no times for this one, so there is nothing to play.
    let output = experiment(&[&QUICK[..], &["--timed"], &common].concat());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("base below 5: the paper has no such limit"), "{message}");
    assert!(output.status.success() && output.stdout.is_empty());
}

/// With the paper's times, in an entry that is played by playouts otherwise.
#[test]
fn an_experiment_can_be_played_with_the_papers_times() {
    let scratch = Scratch::new("timed");
    let logs = scratch.file("logs");
    let entry = catalogue::find("stankiewicz-4.14").expect("an entry");
    let usual = entry.settings(&entry.rows[0], Form::Usual, 1).expect("playable");
    assert!(!usual.limit_a.is_timed());
    let mut child = Command::new(env!("CARGO_BIN_EXE_ciclon"))
        .args(["experiment", "run", &entry.id, "--row", "1", "--timed", "--games", "1"])
        .args(["--jobs", "1", "--logs", &logs])
        .spawn()
        .expect("the program runs");
    // A game would take a minute; its settings are written before it.
    let begin = Instant::now();
    let settings = loop {
        let found = fs::read_dir(format!("{logs}/{}", entry.id)).ok().and_then(|mut files| {
            settings_of(&files.next()?.expect("a file").path().display().to_string())
        });
        if found.is_some() || begin.elapsed() > Duration::from_secs(20) {
            break found;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
    let settings = settings.expect("a log");
    let seconds = entry.seconds.expect("the paper's time");
    assert_eq!(settings["limit_a"]["seconds"], seconds, "{settings}");
    assert_eq!(settings["limit_b"]["seconds"], seconds, "{settings}");
}

#[test]
fn a_parameter_is_swept() {
    let scratch = Scratch::new("sweep");
    let (logs, svg) = (scratch.file("logs"), scratch.file("sweep.svg"));
    let common = ["--preset", "rave", "--against", "rave", "--size", "4", "--playouts", "40"];
    let arguments = [
        &["sweep", "--param", "exploration=0,50", "--games", "30", "--json"],
        &common[..],
        &["--logs", &logs, "--svg", &svg],
    ]
    .concat();
    let points: Value = serde_json::from_str(&text(&arguments)).expect("JSON");
    assert_eq!((&points[0]["value"], &points[1]["value"]), (&"0".into(), &"50".into()));
    assert_eq!(points[0]["games"], 30);
    let rate = |point: &Value| point["win_rate"].as_f64().expect("a rate");
    assert!(rate(&points[0]) > rate(&points[1]), "{points}");
    assert!(fs::read_to_string(&svg).expect("a picture").contains("<svg"));
    // In parts, with their logs in one folder: the second part finds the games of the first.
    let parts = scratch.file("parts");
    let part = |shard: &str| -> Value {
        let arguments = [
            &["sweep", "--param", "exploration=0,50", "--games", "8", "--json"],
            &common[..],
            &["--logs", &parts, "--shard", shard],
        ]
        .concat();
        serde_json::from_str(&text(&arguments)).expect("JSON")
    };
    assert_eq!(part("1/2")[0]["games"], 4);
    assert_eq!(part("2/2")[1]["games"], 8);
    let sweep = |param: &str| refusal(&[&["sweep", "--param", param], &common[..]].concat());
    assert!(sweep("speed=1,2").contains("'speed'"));
    assert!(sweep("exploration=1,-1").contains("'-1'"));
    assert!(sweep("exploration").contains("'exploration'"));
}

/// Too much exploration is bad, so it goes down; and a tuning that is broken off goes on.
#[test]
fn tuning_goes_towards_the_winner() {
    let scratch = Scratch::new("tune");
    let log = scratch.file("log");
    let tune = |steps: &str, more: &[&str]| {
        let common = ["tune", "--preset", "rave", "--set", "exploration=2.5", "--size", "4"];
        let games = ["--param", "exploration=0:3", "--playouts", "100", "--pairs", "6"];
        let gains = ["--perturbation", "0.3", "--gain", "0.5", "--steps", steps];
        text(&[&common[..], &games, &gains, more].concat())
    };
    let found = tune("60", &["--log", &log]);
    let value: f64 =
        found.trim().strip_prefix("exploration=").expect("a value").parse().expect("one");
    assert!(value < 2.2, "{found}");
    let whole = fs::read_to_string(&log).expect("a log");
    assert_eq!(whole.lines().count(), 61);
    let cut: String = whole.lines().take(30).map(|line| format!("{line}\n")).collect();
    fs::write(&log, cut + "{\"step\":29,").expect("a file");
    assert_eq!(tune("60", &["--log", &log]), found);
    assert_eq!(fs::read_to_string(&log).expect("a log"), whole);
    fs::write(&log, "hello\n").expect("a file");
    let arguments = ["tune", "--preset", "rave", "--size", "4", "--playouts", "9", "--log", &log];
    let message = refusal(&[&arguments[..], &["--param", "exploration=0:1"]].concat());
    assert!(message.contains("no log of a tuning"), "{message}");
    assert_eq!(fs::read_to_string(&log).expect("a file"), "hello\n");
    assert!(
        refusal(&[&arguments[..], &["--param", "exploration=0"]].concat())
            .contains("'exploration=0'")
    );
}
