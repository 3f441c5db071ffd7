//! Matches: the same games each time, none lost and none twice, and other programs as they come.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::scratch::{Scratch, games};

fn ciclon() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ciclon"))
}

fn run(arguments: &[&str]) -> Output {
    ciclon().arg("match").args(arguments).output().expect("the program runs")
}

fn json(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The one line that a match which cannot be played is refused with.
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    assert!(output.stdout.is_empty());
    text.lines().last().unwrap_or_default().to_string()
}

/// A program that answers by a line of shell for each command.
fn program(scratch: &Scratch, name: &str, genmove: &str) -> String {
    let text = format!(
        "#!/bin/sh\nwhile read command rest; do\ncase $command in\ngenmove) {genmove};;\n\
         *) echo '= '; echo;;\nesac\ndone\n"
    );
    format!("sh {}", scratch.write(name, &text))
}

const QUICK: [&str; 9] = [
    "rave130",
    "rave",
    "--size",
    "4",
    "--playouts",
    "60",
    "--opening-random",
    "2",
    "--set-a=memory=8",
];

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&QUICK[..], more].concat()
}

#[test]
fn a_match_reports_its_fields() {
    let report = json(&quick(&["--games", "21"]));
    let number = |name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name}: {report}"));
    assert_eq!(number("games"), 21.0);
    assert_eq!(number("wins") + number("draws") + number("losses"), 21.0);
    assert_eq!(number("errors"), 0.0);
    assert!(number("ci_low") <= number("win_rate") && number("win_rate") <= number("ci_high"));
    assert!(number("elo_low") <= number("elo") && number("elo") <= number("elo_high"));
    assert!((0.0..=1.0).contains(&number("los")));
    let of = |colour: &str| {
        ["wins", "draws", "losses"].map(|kind| report[colour][kind].as_u64().expect("a number"))
    };
    assert_eq!((of("as_white").iter().sum::<u64>(), of("as_black").iter().sum::<u64>()), (11, 10));
    assert!(number("mean_plies") > 5.0);
    assert!(report["playouts_per_second"][0].as_f64().is_some_and(|rate| rate > 1000.0));
}

/// The same settings give the same games, however many are played at a time.
#[test]
fn a_match_can_be_repeated() {
    let scratch = Scratch::new("repeat");
    let play = |name: &str, more: &[&str]| {
        let log = scratch.file(name);
        json(&quick(&[&["--games", "12", "--log", &log], more].concat()));
        games(&log)
    };
    let first = play("one", &["--jobs", "1"]);
    assert_eq!(first.len(), 12);
    assert_eq!(play("two", &["--jobs", "2"]), first);
    assert_ne!(play("other", &["--seed", "2"]), first);
    // Games of a pair begin alike, with colours swapped.
    for pair in first.chunks(2) {
        let opening = |game: &Value| game["moves"].as_array().expect("moves")[..2].to_vec();
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
        assert_eq!((&pair[0]["white"], &pair[1]["white"]), (&"a".into(), &"b".into()));
    }
}

/// A match that is killed goes on where it was, with the same command.
#[test]
fn a_killed_match_goes_on() {
    let scratch = Scratch::new("kill");
    let (whole, killed, sgf) = (scratch.file("whole"), scratch.file("killed"), scratch.file("sgf"));
    let arguments = |log| {
        let slow = ["rave", "uct", "--size", "5", "--playouts", "1500", "--set-a=memory=8"];
        [&slow[..], &["--games", "60", "--jobs", "2", "--log", log]].concat()
    };
    let mut kills = 0;
    loop {
        let mut child = ciclon()
            .arg("match")
            .args(arguments(&killed))
            .args(["--sgf", &sgf])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let begin = Instant::now();
        let wait = Duration::from_millis(150 + 130 * kills);
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child") {
                break Some(status);
            }
            if begin.elapsed() > wait {
                child.kill().expect("it is ours");
                child.wait().expect("it ends");
                break None;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        match status {
            Some(status) => {
                assert!(status.success());
                break;
            }
            None => kills += 1,
        }
    }
    json(&arguments(&whole));
    assert!(kills > 0, "it was never killed");
    assert_eq!(games(&killed).len(), 60);
    assert_eq!(games(&killed), games(&whole));
    let records = fs::read_to_string(&sgf).expect("records");
    assert_eq!(records.lines().count(), 60);
    assert_eq!(
        ciclon().args(["show", &sgf, "--game", "60"]).status().expect("it runs").code(),
        Some(0)
    );
}

#[test]
fn half_a_line_is_dropped() {
    let scratch = Scratch::new("half");
    let log = scratch.file("log");
    let arguments = quick(&["--games", "6", "--log", &log]);
    json(&arguments);
    let whole = fs::read_to_string(&log).expect("a log");
    for cut in [1, 30, whole.len() - whole.find('\n').expect("lines") - 2, whole.len() - 5] {
        fs::write(&log, &whole[..whole.len() - cut]).expect("a file");
        json(&arguments);
        let expected: Vec<Value> = games(&log);
        assert_eq!(expected.len(), 6, "{cut} bytes");
    }
}

/// Logs that were written before the games had one referee: what is finished stays as it is, and is not
/// played again.
#[test]
fn logs_of_earlier_programs_go_on() {
    let scratch = Scratch::new("earlier");
    let settings = ["--set-a=memory=8", "--set-b=memory=8"];
    let havannah = ["rave130", "rave", "--size", "4", "--playouts", "60"];
    let havannah = [&havannah[..], &["--opening-random", "1", "--pie"]].concat();
    let tron = ["uct", "laschet", "--game", "tron", "--maps", "A,7x6:4"];
    let tron = [&tron[..], &["--playouts-a", "40", "--playouts-b", "30"]].concat();
    for (name, text, finished, arguments) in [
        ("havannah", include_str!("logs/havannah.jsonl"), 4, havannah),
        ("tron", include_str!("logs/tron.jsonl"), 5, tron),
    ] {
        let log = scratch.write(name, text);
        let play = |count: u64| {
            let count = count.to_string();
            let series = ["--games", &count, "--jobs", "1", "--log", &log];
            let report = json(&[&arguments[..], &settings, &series].concat());
            (report["games"].as_u64(), fs::read_to_string(&log).expect("a log"))
        };
        let (count, after) = play(finished);
        assert_eq!((count, after.as_str()), (Some(finished), text), "{name}: nothing to play");
        let (count, after) = play(finished + 2);
        assert_eq!(count, Some(finished + 2), "{name}");
        let added = after.strip_prefix(text).unwrap_or_else(|| panic!("{name}: {after}"));
        let fields = |line: &str| -> Vec<String> {
            let game: Value = serde_json::from_str(line).expect("JSON");
            game.as_object().expect("an object").keys().cloned().collect()
        };
        let game = text.lines().next_back().expect("a game");
        assert_eq!(added.lines().count(), 2, "{name}: {added}");
        assert!(added.lines().all(|line| fields(line) == fields(game)), "{name}: {added}");
    }
}

#[test]
fn logs_of_other_matches_are_left_alone() {
    let scratch = Scratch::new("other");
    let log = scratch.file("log");
    json(&quick(&["--games", "4", "--log", &log]));
    let before = fs::read(&log).expect("a log");
    for (more, field) in [
        (&["--seed", "9"][..], "'seed'"),
        (&["--set-b", "exploration=1"], "'b'"),
        (&["--colours", "a-white"], "'colours'"),
        (&["--pie"], "'pie'"),
    ] {
        let arguments = quick(&[&["--games", "4", "--log", &log], more].concat());
        assert!(refusal(&arguments).contains(field), "{field}");
        assert_eq!(fs::read(&log).expect("a log"), before);
    }
    for text in ["hello\n", "hello", "{\"game\":1}\n"] {
        let path = scratch.file("text");
        fs::write(&path, text).expect("a file");
        let error = refusal(&quick(&["--games", "4", "--log", &path]));
        assert!(error.contains("line 1") && error.contains("no log of a match"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), text);
    }
    let broken = [&before[..], b"{\"game\":nonsense}\n"].concat();
    fs::write(&log, &broken).expect("a file");
    assert!(refusal(&quick(&["--games", "4", "--log", &log])).contains("line 6"));
    assert_eq!(fs::read(&log).expect("a log"), broken);
}

/// The parts of a match, played by processes that know nothing of each other, are the match.
#[test]
fn parts_are_merged_exactly() {
    let scratch = Scratch::new("shard");
    let whole = scratch.file("whole");
    json(&quick(&["--games", "14", "--log", &whole]));
    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let log = scratch.file(&shard.replace('/', "-"));
        let mut command = ciclon();
        command.arg("match").args(quick(&["--games", "14", "--shard", shard, "--log", &log]));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        (log, child.expect("the program runs"))
    });
    let logs: Vec<String> = parts
        .into_iter()
        .map(|(log, mut child)| {
            assert!(child.wait().expect("it ends").success());
            log
        })
        .collect();
    let merged = scratch.file("merged");
    let names: Vec<&str> = logs.iter().map(String::as_str).collect();
    let report = json(&[&["merge", "--output", &merged], &names[..]].concat());
    assert_eq!(report["games"], 14);
    assert_eq!(games(&merged), games(&whole));
    // The same log twice is no more games; another match is refused, and so is an old output.
    let report = json(&["merge", names[0], names[0], names[1]]);
    assert!(report["games"].as_u64().is_some_and(|games| games < 14));
    let other = scratch.file("other");
    json(&quick(&["--games", "2", "--seed", "5", "--log", &other]));
    assert!(refusal(&["merge", names[0], &other]).contains("'seed'"));
    assert!(refusal(&["merge", "--output", &merged, names[0]]).contains("merged"));
    assert!(refusal(&["merge", "/no/such/log"]).contains("'/no/such/log'"));
    // Another result of the same game.
    let text = fs::read_to_string(names[0])
        .expect("a log")
        .replace("\"winner\":\"a\"", "\"winner\":\"b\"");
    fs::write(&other, text).expect("a file");
    assert!(refusal(&["merge", names[0], &other]).contains("another result of game"));
}

#[test]
fn a_sequential_test_ends_a_match() {
    // Fifty times as many playouts are a sure win.
    let limits = ["--playouts-a", "500", "--playouts-b", "10"];
    let base = ["rave", "rave", "--size", "4", "--games", "500", "--jobs", "1", "--sprt", "0,100"];
    let report = json(&[&base[..], &limits].concat());
    assert_eq!(report["sprt"]["verdict"], "accepts_elo1", "{report}");
    assert!(report["games"].as_u64().is_some_and(|games| games < 200), "{report}");
    let turned = ["--playouts-b", "500", "--playouts-a", "10"];
    let report = json(&[&base[..], &turned].concat());
    assert_eq!(report["sprt"]["verdict"], "accepts_elo0", "{report}");
}

#[test]
fn openings_come_from_a_file() {
    let scratch = Scratch::new("openings");
    let (openings, log) = (scratch.file("openings.sgf"), scratch.file("log"));
    fs::write(&openings, "(;SZ[4];W[a1];B[d4];W[b2])(;SZ[4]RU[LG];W[f3])").expect("a file");
    let arguments = [
        "rave",
        "rave",
        "--size",
        "4",
        "--games",
        "6",
        "--playouts",
        "30",
        "--openings",
        &openings,
    ];
    json(&[&arguments[..], &["--log", &log]].concat());
    let begins: Vec<String> = games(&log).iter().map(|game| game["moves"][0].to_string()).collect();
    assert_eq!(begins, ["\"a1\"", "\"a1\"", "\"f5\"", "\"f5\"", "\"a1\"", "\"a1\""]);
    fs::write(&openings, "(;SZ[5];W[a1])").expect("a file");
    assert!(refusal(&arguments).contains("base 5, not 4"));
}

#[test]
fn another_program_can_play() {
    let scratch = Scratch::new("external");
    let program = format!("{} gtp --set memory=8", env!("CARGO_BIN_EXE_ciclon"));
    let log = scratch.file("log");
    let common = ["--size", "4", "--games", "4", "--playouts", "40", "--log", &log];
    let setup =
        ["--setup-b=gridcoords", "--setup-b=swap on", "--coordinates-b=littlegolem", "--pie"];
    let report = json(&[&["rave130", &program], &common[..], &setup[..]].concat());
    assert_eq!((&report["games"], &report["errors"]), (&4.into(), &0.into()), "{report}");
    // In the wrong coordinates it is told and says what cannot be, sooner or later.
    let wrong = ["--setup-b", "gridcoords", "--size", "4", "--games", "4", "--playouts", "40"];
    let report = json(&[&["rave130", &program], &wrong[..]].concat());
    assert!(report["errors"].as_u64().is_some_and(|errors| errors > 0), "{report}");
    for clock in [["--clock", "1"], ["--seconds", "0.05"]] {
        let timed = [&["rave130", &program, "--size", "4", "--games", "2"], &clock[..]].concat();
        assert_eq!(json(&timed)["errors"], 0);
    }
}

/// Programs are told their limits in words of their own.
#[test]
fn programs_are_told_their_time() {
    let scratch = Scratch::new("time");
    let program = |name: &str| {
        let (path, heard) = (scratch.file(name), scratch.file(&format!("{name}-heard")));
        let text = format!(
            "while read line; do\necho \"$line\" >> {heard}\ncase $line in\n\
             genmove*) echo '= resign';;\n*) echo '=';;\nesac\necho\ndone\n"
        );
        fs::write(&path, text).expect("a file");
        (format!("sh {path}"), heard)
    };
    let ((a, heard_a), (b, heard_b)) = (program("a"), program("b"));
    let limits = ["--size", "4", "--games", "1", "--playouts-a", "40", "--seconds-b", "0.5"];
    let times = ["--time-a", "think {playouts} playouts", "--time-b", "hurry {seconds} {playouts}"];
    let play = |times: &[&str]| {
        assert_eq!(json(&[&[a.as_str(), &b], &limits[..], times].concat())["errors"], 0);
        [&heard_a, &heard_b].map(|heard| {
            let text = fs::read_to_string(heard).expect("what it heard");
            fs::remove_file(heard).expect("the file goes");
            text.lines().nth(2).expect("a third line").to_string()
        })
    };
    assert_eq!(play(&times), ["think 40 playouts", "hurry 0.5 0"]);
    assert_eq!(play(&[]), ["time -i 40", "time_settings 0 0.5 1"], "what the protocol has");
}

/// A first move that is worth more than half is taken by the second player, if it may.
#[test]
fn the_pie_rule_is_played() {
    let scratch = Scratch::new("pie");
    let openings = scratch.file("openings.sgf");
    fs::write(&openings, "(;SZ[4];W[b3])").expect("a file");
    let moves = |name: &str, more: &[&str]| {
        let log = scratch.file(name);
        let common = ["rave", "rave", "--size", "4", "--games", "2", "--playouts", "30"];
        let files = ["--openings", &openings, "--log", &log];
        assert_eq!(json(&[&common[..], &files, more].concat())["errors"], 0);
        let moves = |game: &Value| game["moves"].as_array().expect("moves").clone();
        games(&log).iter().map(moves).collect::<Vec<_>>()
    };
    assert!(moves("with", &["--pie"]).iter().all(|moves| moves[1] == "swap"));
    assert!(moves("without", &[]).iter().all(|moves| !moves.contains(&"swap".into())));
}

#[test]
fn programs_that_misbehave_lose() {
    let scratch = Scratch::new("misbehave");
    let quick = ["--size", "4", "--games", "2", "--playouts", "20", "--patience", "0.5"];
    for (name, genmove, count, message) in [
        ("occupied", "echo '= a1'; echo", "illegal_moves", "illegal move 'a1'"),
        ("nowhere", "echo '= z99'; echo", "faults", "'z99'"),
        ("refuses", "echo '? no'; echo", "faults", "? no"),
        ("dies", "exit 3", "faults", "it ended before answering 'genmove"),
        ("resigns", "echo '= resign'; echo", "", ""),
    ] {
        let program = program(&scratch, name, genmove);
        let report = json(&[&["rave", &program], &quick[..]].concat());
        assert_eq!(report["wins"], 2, "{name}: {report}");
        if count.is_empty() {
            assert_eq!(report["errors"], 0, "{name}: {report}");
        } else {
            assert_eq!(report["errors_of"][1][count], 2, "{name}: {report}");
            assert!(report["first_errors"][0].as_str().is_some_and(|text| text.contains(message)));
        }
    }
    // What hangs is killed; what is late has lost on time.
    let hangs = program(&scratch, "hangs", "sleep 60");
    let timed = ["--size", "4", "--games", "2", "--seconds", "0.05", "--patience", "0.5"];
    let begin = Instant::now();
    let report = json(&[&["rave", &hangs], &timed[..]].concat());
    assert_eq!(report["errors_of"][1]["faults"], 2, "{report}");
    assert!(begin.elapsed() < Duration::from_secs(20));
    let late = program(&scratch, "late", "sleep 0.8; echo '= g7'; echo");
    let timed = ["--size", "4", "--games", "2", "--seconds", "0.05", "--patience", "5"];
    let report = json(&[&["rave", &late], &timed[..]].concat());
    assert_eq!(report["errors_of"][1]["time_losses"], 2, "{report}");
}

#[test]
fn matches_that_cannot_be_played_are_refused() {
    let scratch = Scratch::new("refused");
    let silent = scratch.file("silent.sh");
    fs::write(&silent, "cat > /dev/null\n").expect("a file");
    let silent = format!("sh {silent}");
    let cases: [(&[&str], &str); 12] = [
        (&["rave", "nobody", "--size", "4", "--playouts", "9"], "'nobody'"),
        (&["rave", "/no/such/engine", "--size", "4", "--playouts", "9"], "'/no/such/engine'"),
        (&["rave", "true", "--size", "4", "--playouts", "9"], "'true'"),
        (&["rave", &silent, "--size", "4", "--playouts", "9", "--patience", "0.2"], "no answer"),
        (&["rave", "rave", "--size", "4", "--playouts", "9", "--set-a", "speed=1"], "'speed'"),
        (&["rave", "true", "--size", "4", "--playouts", "9", "--set-b", "seed=1"], "'seed=1'"),
        (&["rave", "rave", "--size", "4", "--playouts-a", "9"], "player B has no limit"),
        (&["rave", "rave", "--size", "4", "--playouts", "9", "--sprt", "5"], "'5'"),
        (&["rave", "rave", "--size", "4", "--playouts", "9", "--shard", "3/2"], "'3/2'"),
        (&["rave", "rave", "--size", "4", "--seconds", "1", "--jobs", "1000"], "'1000'"),
        (
            &["rave", "rave", "--size", "4", "--playouts", "9", "--openings", "/no/such"],
            "'/no/such'",
        ),
        (&["rave", "rave", "--size", "4"], "the players have no limit: set --playouts"),
    ];
    for (arguments, token) in cases {
        let message = refusal(arguments);
        assert!(message.contains(token), "{arguments:?}: {message}");
    }
}

#[test]
fn a_log_is_used_by_one_match_at_a_time() {
    let scratch = Scratch::new("lock");
    let log = scratch.file("log");
    let mut first = ciclon()
        .args(["match", "rave", "rave", "--size", "8", "--playouts", "3000", "--games", "50"])
        .args(["--log", &log])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let begin = Instant::now();
    while !Path::new(&log).exists() && begin.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(50));
    let message = refusal(&[
        "rave",
        "rave",
        "--size",
        "8",
        "--playouts",
        "3000",
        "--games",
        "50",
        "--log",
        &log,
    ]);
    first.kill().expect("it is ours");
    first.wait().expect("it ends");
    assert!(message.contains("in use"), "{message}");
}

#[test]
fn a_round_robin_has_its_page() {
    let scratch = Scratch::new("robin");
    let (logs, html) = (scratch.file("logs"), scratch.file("page.html"));
    let robin = |more: &[&str]| {
        let output = ciclon()
            .args(["round-robin", "rave", "uct", "rave:exploration=0,memory=8", "--size", "4"])
            .args(["--games", "6", "--playouts", "40", "--opening-random", "2"])
            .args(["--logs", &logs, "--html", &html])
            .args(more)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let report: Value = serde_json::from_str(&robin(&["--json"])).expect("JSON");
    let meetings = report["meetings"].as_array().expect("meetings");
    assert_eq!(meetings.len(), 3);
    assert!(meetings.iter().all(|meeting| meeting["games"] == 6 && meeting["errors"] == 0));
    let elos = report["ratings"].as_array().expect("ratings").iter();
    let sum: f64 = elos.map(|rating| rating["elo"].as_f64().expect("a number")).sum();
    assert!(sum.abs() < 1e-6, "{report}");
    // A second time nothing is left to play, and the table is the same.
    let begin = Instant::now();
    let text = robin(&[]);
    assert!(text.lines().count() == 4 && text.contains("rave exploration=0 memory=8"), "{text}");
    assert!(begin.elapsed() < Duration::from_secs(5));
    let page = fs::read_to_string(&html).expect("a page");
    assert_eq!(page.matches("<svg").count(), 4);
    assert!(page.contains("<table>") && page.trim_end().ends_with("</html>"), "{page}");
    assert!(!page.contains("src=") && !page.contains("href="), "it needs nothing from elsewhere");
    let twice =
        ciclon().args(["round-robin", "rave", "rave", "--size", "4", "--playouts", "9"]).output();
    let message = String::from_utf8_lossy(&twice.expect("it runs").stderr).into_owned();
    assert!(message.contains("'rave' is there twice"), "{message}");
}

/// A timed match has a core for every thread of a player: with as many threads as there are cores, two
/// games cannot go on at once.
#[test]
fn threads_have_cores_of_their_own() {
    let threads = format!("threads={}", ciclon::internals::cores::count().max(2));
    let error = refusal(&[
        "rave",
        "rave",
        "--set-a",
        &threads,
        "--size",
        "4",
        "--games",
        "2",
        "--seconds",
        "0.1",
        "--jobs",
        "2",
    ]);
    assert!(error.contains("'2' is no number of games at a time"), "{error}");
    assert!(error.contains("threads a player"), "{error}");
}
