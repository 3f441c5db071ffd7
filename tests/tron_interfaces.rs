//! Tron as users and other programs meet it: the bot, the game at the terminal, matches, experiments.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use ciclon::internals::bits::Isa;
use ciclon::internals::experiments::catalogue::{self, Experiment, Form, Game};
use ciclon::internals::experiments::{report, trial};
use ciclon::internals::matches::contestant::Limit;
use ciclon::internals::params::Params;
use ciclon::internals::search::Limits;
use ciclon::internals::tools::tron::play;
use ciclon::internals::tron::{Map, maps};
use serde_json::Value;

use crate::scratch::{Scratch, games};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ciclon");

fn ciclon(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().expect("the program runs")
}

/// The one line that something is refused with.
fn refusal(arguments: &[&str]) -> String {
    let output = ciclon(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    assert!(output.stdout.is_empty());
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    text
}

/// A bot of a line of shell for each map of `SMALL`.
fn shell_bot(scratch: &Scratch, name: &str, answer: &str) -> String {
    let rows = "read row; ".repeat(SMALL.lines().count() - 1);
    let text = format!("while read size; do {rows}\n{answer}\ndone\n");
    format!("sh {}", scratch.write(name, &text))
}

const SMALL: &str = "6 4\n######\n#1   #\n#   2#\n######\n";

const BOT: [&str; 6] = ["tron", "bot", "--seconds", "0.02", "--set", "memory=8"];

/// What the bot says to an input that ends.
fn bot(input: &str) -> Output {
    let mut child = Command::new(PROGRAM)
        .args(BOT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // It may have ended before it has read everything.
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).ok();
    child.wait_with_output().expect("it ends")
}

#[test]
fn the_bot_answers_in_time_and_ends_with_its_input() {
    let mut child = Command::new(PROGRAM)
        .args(BOT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    // The second map follows from the first, the third is another game, in the last it is stuck.
    let follows = "6 4\n######\n##1  #\n#  2##\n######\n";
    let stuck = "6 4\n######\n#1#  #\n###2 #\n######\n";
    for (map, free) in [(SMALL, "23"), (follows, "23"), (SMALL, "23"), (stuck, "1234")] {
        let begin = Instant::now();
        input.write_all(map.as_bytes()).expect("it reads");
        let answer = answers.next().expect("an answer").expect("a line");
        assert!(answer.len() == 1 && free.contains(&answer), "{map}{answer}");
        assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    }
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(answers.next().is_none());
}

#[test]
fn the_bot_refuses_what_is_no_map() {
    for (input, line) in [
        ("hello\n".to_string(), "line 1: 'hello'"),
        (SMALL.replace("2#", "2"), "line 4: the row has 5 characters, not 6"),
        (SMALL.replace('2', "?"), "line 4: '?'"),
        (SMALL[..20].to_string(), "line 4: "),
        (format!("{SMALL}{}", SMALL.replace('1', " ")), "line 10: there is no '1'"),
    ] {
        let output = bot(&input);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(line) && message.lines().count() == 1, "{message}");
    }
    assert!(bot("").status.success() && bot("").stdout.is_empty());
    assert!(refusal(&["tron", "bot", "--preset", "nobody"]).contains("'nobody'"));
    assert!(refusal(&["tron", "bot", "--set", "speed=1"]).contains("'speed'"));
    assert!(refusal(&["tron", "bot", "--preset", "rave"]).contains("in Tron: off"));
    assert!(refusal(&["tron", "bot", "--seconds", "0"]).contains("'0'"));
}

/// What a person sees who types something on a small map.
fn played(typed: &str) -> String {
    let options = play::TronPlayOptions {
        map: SMALL.parse::<Map>().expect("a map"),
        limits: Limits { playouts: Some(100), ..Limits::default() },
        params: Params { memory: 8, ..Params::preset("uct").expect("a preset") },
        isa: Isa::best(),
    };
    let mut output = Vec::new();
    play::play(options, typed.as_bytes(), &mut output).expect("memory takes everything");
    anstream::adapter::strip_str(std::str::from_utf8(&output).expect("text")).to_string()
}

#[test]
fn a_game_of_tron_is_played_at_the_terminal() {
    let text = played("help\nsideways\nundo\nhint\ne\nundo\nboard\nquit\n");
    for part in [
        "Tron on 6 by 4 cells",
        "# O . . . #",
        "  undo ",
        "'sideways' is no way",
        "there is nothing to take back",
        "I would go ",
        "the engine goes ",
        "# o O . ",
    ] {
        assert!(text.contains(part), "'{part}' is missing in\n{text}");
    }
    let crash = played("\u{1b}[A\n");
    assert!(crash.contains("you crashed: the engine has won"), "{crash}");
    // The end of the input is the end of the game.
    assert!(played("").ends_with("your way: \n"));
    assert!(played("\u{0}\u{fffd}\n\n").contains("is no way"));
    for (arguments, token) in [
        (&["--map", "/no/such/map"][..], "'/no/such/map'"),
        (&["--size", "1x9"], "'1x9'"),
        (&["--size", "nine"], "'nine'"),
        (&["--size", "5x5", "--map", "A"], "--map"),
        (&["--preset", "rave"], "rave"),
    ] {
        let message = refusal(&[&["tron", "play"], arguments].concat());
        assert!(message.contains(token), "{message}");
    }
}

/// A match of plain UCT on a map of few cells.
fn contest(map: &str, more: &[&str]) -> Value {
    let common = ["match", "--game", "tron", "--maps", map, "--json"];
    let output = ciclon(&[&common[..], more].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{more:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const PRESETS: [&str; 4] = ["uct", "uct", "--set-a=memory=8", "--set-b=memory=8"];

#[test]
fn presets_play_on_maps_in_turn() {
    let scratch = Scratch::new("tron-maps");
    let maps = format!("{},A", scratch.write("small", SMALL));
    let log = scratch.file("log");
    let limits = ["--games", "8", "--playouts-a", "60", "--playouts-b", "20", "--log", &log];
    let report = contest(&maps, &[&PRESETS[..], &limits].concat());
    let number = |name: &str| report[name].as_u64().unwrap_or_else(|| panic!("{name}: {report}"));
    assert_eq!(number("wins") + number("draws") + number("losses"), 8);
    assert_eq!((number("games"), number("errors")), (8, 0));
    let by_map = report["by_map"].as_object().expect("tallies");
    for (map, tally) in by_map {
        let count = |name: &str| tally[name].as_u64().expect("a number");
        assert_eq!(count("wins") + count("draws") + count("losses"), 4, "{map}: {tally}");
    }
    assert_eq!(by_map.len(), 2);
    let games = games(&log);
    let white = |game: &Value| game["white"].as_str().expect("a player").to_string();
    assert!(games.chunks(2).all(|pair| white(&pair[0]) == "a" && white(&pair[1]) == "b"));
    for game in &games {
        let end = game["end"].as_str().expect("a kind");
        assert_eq!(end == "crash", !game["winner"].is_null(), "{game}");
        assert!(["crash", "both_crash", "same_cell"].contains(&end), "{game}");
        let steps = game["moves"].as_array().expect("steps");
        let is_step = |step: &Value| {
            step.as_str().is_some_and(|s| s.len() == 2 && s.chars().all(|c| "nesw".contains(c)))
        };
        assert!(steps.iter().all(is_step), "{game}");
    }
    // As text, with the rates of each map.
    let text = ciclon(&["match", "merge", &log]).stdout;
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("2 maps, 8 games") && text.contains("  on map A +"), "{text}");
}

#[test]
fn a_match_of_tron_goes_on_from_its_log() {
    let scratch = Scratch::new("tron-resume");
    let map = scratch.write("small", SMALL);
    let (whole, cut) = (scratch.file("whole"), scratch.file("cut"));
    let play = |log: &str, more: &[&str]| {
        let common = ["--games", "6", "--playouts", "30", "--log", log];
        contest(&map, &[&PRESETS[..], &common, more].concat())
    };
    play(&whole, &["--jobs", "1"]);
    let text = fs::read_to_string(&whole).expect("a log");
    fs::write(&cut, &text[..text.len() - 30]).expect("a file");
    assert_eq!(play(&cut, &["--jobs", "2"])["games"], 6);
    assert_eq!(games(&cut), games(&whole));
    let parts = ["1/2", "2/2"].map(|shard| {
        let log = scratch.file(&shard.replace('/', "-"));
        play(&log, &["--shard", shard]);
        games(&log)
    });
    assert_eq!(parts.map(|games| games.len()), [4, 2]);
    // On another map it is another match, and Havannah is another game.
    let other = ["match", "uct", "uct", "--games", "6", "--playouts", "30", "--log", &whole];
    let settings = ["--set-a=memory=8", "--set-b=memory=8"];
    let game = ["--game", "tron", "--maps", "A"];
    let message = refusal(&[&other[..], &settings, &game].concat());
    assert!(message.contains("another 'game'"), "{message}");
    let message = refusal(&[&other[..], &settings, &["--size", "4"]].concat());
    assert!(message.contains("another 'game'"), "{message}");
}

#[test]
fn other_bots_can_play() {
    let scratch = Scratch::new("tron-external");
    let map = scratch.write("small", SMALL);
    let program = format!("{PROGRAM} {}", BOT.join(" "));
    let common = ["--games", "4", "--playouts", "50", "--set-a=memory=8"];
    let report = contest(&map, &[&["uct", &program], &common[..]].concat());
    assert_eq!((&report["games"], &report["errors"]), (&4.into(), &0.into()), "{report}");
    // Into the wall at once: that is no error of the program, but it loses.
    let crash = shell_bot(&scratch, "crash", "echo 1; echo 3 >&2");
    let limits = ["--games", "1", "--playouts", "50", "--set-a=memory=8", "--colours", "a-black"];
    let report = contest(&map, &[&["uct", &crash], &limits[..]].concat());
    assert_eq!((&report["wins"], &report["errors"]), (&1.into(), &0.into()), "{report}");
    assert_eq!(report["win_kinds"][0]["crash"], 1, "{report}");
}

#[test]
fn bots_that_misbehave_lose() {
    let scratch = Scratch::new("tron-misbehave");
    let map = scratch.write("small", SMALL);
    for (name, answer, count, message) in [
        ("nonsense", "echo west", "faults", "'a map' was answered with 'west'"),
        ("number", "echo 5", "faults", "'a map' was answered with '5'"),
        ("dies", "exit 3", "faults", "it ended before answering 'a map'"),
        // Half a second, and three times as long for the first move.
        ("hangs", "sleep 60", "faults", "no answer for 0.6 s"),
        ("late", "sleep 1.8; echo 2", "time_losses", "lost on time"),
    ] {
        let patience = if name == "late" { "5" } else { "0.5" };
        let limits = ["--games", "2", "--seconds", "0.02", "--patience", patience];
        let bot = shell_bot(&scratch, name, answer);
        let report = contest(&map, &[&["uct", &bot, "--set-a=memory=8"], &limits[..]].concat());
        assert_eq!(report["wins"], 2, "{name}: {report}");
        assert_eq!(report["errors_of"][1][count], 2, "{name}: {report}");
        let first = report["first_errors"][0].as_str().expect("an error");
        assert!(first.contains(message), "{name}: {first}");
    }
}

#[test]
fn what_tron_has_not_is_refused() {
    let scratch = Scratch::new("tron-refused");
    let broken = scratch.write("broken", "3 1\n1 3\n");
    let log = scratch.file("log");
    let tron = ["match", "uct", "uct", "--game", "tron", "--playouts", "9"];
    for (more, token) in [
        (&["--pie"][..], "'--pie'"),
        (&["--opening-random", "2"], "'--opening-random'"),
        (&["--openings", "file.sgf"], "'--openings'"),
        (&["--sgf", "file.sgf", "--log", &log], "'--sgf'"),
        (&["--clock-a", "9"], "'--clock'"),
        (&["--setup-a", "hello"], "'--setup-a'"),
        (&["--setup-b", "hello"], "'--setup-b'"),
        (&["--size", "5"], "'--size'"),
        (&["--maps", "A,Z"], "'Z'"),
        (&["--maps", &broken], "line 2: '3'"),
        (&["--set-a", "rave=alpha"], "'alpha'"),
    ] {
        let message = refusal(&[&tron[..], more].concat());
        assert!(message.contains(token), "{message}");
    }
    let havannah = ["match", "uct", "uct", "--playouts", "9"];
    assert!(refusal(&havannah).contains("--size"));
    assert!(
        refusal(&[&havannah[..], &["--size", "4", "--maps", "A"]].concat()).contains("'--maps'")
    );
    let chess = refusal(&[&havannah[..], &["--game", "chess"]].concat());
    assert!(chess.contains("'chess'"), "{chess}");
}

/// Logs from before there was Tron do not name their game.
#[test]
fn old_logs_are_logs_of_havannah() {
    let scratch = Scratch::new("tron-old");
    let log = scratch.file("log");
    let arguments =
        ["match", "uct", "uct", "--size", "3", "--playouts", "9", "--games", "2", "--log", &log];
    assert!(ciclon(&arguments).status.success());
    let text = fs::read_to_string(&log).expect("a log");
    let old = text.replacen("\"game\":\"havannah\",", "", 1);
    assert!(old.len() < text.len(), "{text}");
    fs::write(&log, &old).expect("a file");
    assert!(ciclon(&arguments).status.success());
    assert_eq!(fs::read_to_string(&log).expect("a log"), old, "nothing was left to play");
}

#[test]
fn laschets_tables_are_in_the_catalogue() {
    let rows = |table: usize| {
        let entry = catalogue::find(&format!("laschet-{table}")).expect("a table");
        assert_eq!(entry.game, Game::Tron);
        let maps = if table <= 3 { "ADFGI" } else { "ABCDEFGHIJ" };
        assert_eq!(entry.maps.concat(), maps, "table {table}");
        assert_eq!(entry.games, 200 * maps.len() as u64);
        entry.rows.len()
    };
    let expected = [11, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1];
    assert_eq!((1..=13).map(rows).collect::<Vec<_>>(), expected);
    let row = |table: usize| {
        let entry = catalogue::find(&format!("laschet-{table}")).expect("a table");
        let row = &entry.rows[0];
        (row.playouts_a, row.playouts_b, entry.seconds, row.paper)
    };
    let is_playable = |entry: &Experiment| {
        entry.rows.iter().all(|row| entry.settings(row, Form::Usual, 1).is_ok())
    };
    let ours = catalogue::catalogue().into_iter().filter(|entry| entry.id.starts_with("laschet-"));
    let known = ours.filter(|entry| entry.maps.iter().all(|map| maps::by_letter(map).is_some()));
    assert!(known.into_iter().all(|entry| is_playable(&entry)));
    assert_eq!(row(7), (Some(150_000), Some(110_000), Some(2.0), Some(56.3)));
    assert_eq!(row(8), (Some(40_000), Some(75_000), Some(1.0), Some(53.8)));
    let list =
        String::from_utf8(ciclon(&["experiment", "list", "laschet-1"]).stdout).expect("text");
    assert!(list.contains("  4. epsilon 0.3: 64.0 +- 2.1%"), "{list}");
}

/// An experiment of Tron is played and reported like the others.
#[test]
fn an_experiment_of_tron_is_played_and_reported() {
    let scratch = Scratch::new("tron-experiment");
    let mut entry: Experiment = catalogue::find("laschet-5").expect("a table");
    entry.maps = vec!["A".to_string(), "B".to_string()];
    let row = &mut entry.rows[0];
    (row.a, row.b) = ("uct".to_string(), "uct".to_string());
    row.set_b = vec!["memory=8".to_string()];
    let options = trial::TrialOptions {
        form: Form::Scaled(0.0005),
        games: Some(4),
        seed: 1,
        jobs: 1,
        isa: Isa::best(),
        shard: (1, 1),
        folder: scratch.path().to_path_buf(),
    };
    let outcome = trial::play(&entry, 0, &options, &mut |_, _| {}).expect("it is played");
    assert_eq!(outcome.settings.limit_a, Limit::Playouts(37));
    assert_eq!((outcome.standing.games, outcome.standing.errors), (4, 0));
    let chapters = report::chapters(scratch.path(), vec![entry]).expect("logs");
    let text = report::markdown(&chapters);
    assert!(text.contains("| average | AB | 37 playouts a move | 62.6 +- 2.1 |"), "{text}");
}

/// Series of games, and the bench, are for Tron as well.
#[test]
fn other_tools_know_tron() {
    let scratch = Scratch::new("tron-tools");
    let map = scratch.write("small", SMALL);
    let json = |arguments: &[&str]| -> Value {
        let output = ciclon(&[arguments, &["--json"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let game = ["--game", "tron", "--maps", &map, "--games", "4", "--playouts", "20"];
    let robin = json(&[&["round-robin", "laschet", "uct"], &game[..]].concat());
    assert_eq!(robin["meetings"][0]["games"], 4, "{robin}");
    let sweep = ["--preset", "laschet", "--param", "exploration=1,5", "--against", "uct"];
    let points = json(&[&["experiment", "sweep"], &sweep[..], &game].concat());
    assert_eq!(points.as_array().map(Vec::len), Some(2), "{points}");
    assert_eq!(points[1]["games"], 4, "{points}");
    let rows = json(&["bench", "--game", "tron", "--maps", &map, "--seconds", "0.05"]);
    let rows = rows["tron"].as_array().expect("rows");
    assert!(rows.len() > 3 && rows.iter().all(|row| row["search_per_second"].as_f64() > Some(0.0)));
    let clocked = ["--against", "uct", "--size", "4", "--games", "2", "--clock", "0.2"];
    let points =
        json(&[&["experiment", "sweep"], &sweep[..4], &["--set", "memory=8"], &clocked].concat());
    assert_eq!(points[0]["games"], 2, "{points}");
}

/// The first move has a time of its own.
#[test]
fn a_bot_takes_its_time_for_the_first_move() {
    let turn = "5 5\n     \n 1   \n     \n   2 \n     \n";
    let took = |times: &[&str]| {
        let mut child = Command::new(PROGRAM)
            .args([&["tron", "bot", "--set", "memory=8"], times].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let begin = Instant::now();
        child.stdin.take().expect("a pipe").write_all(turn.as_bytes()).expect("a reader");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && !output.stdout.is_empty());
        begin.elapsed()
    };
    let short = took(&["--seconds", "0.05"]);
    let long = took(&["--seconds", "0.05", "--first-seconds", "1"]);
    // A busy machine makes both longer.
    assert!(long > Duration::from_millis(900) && short + Duration::from_millis(500) < long);
}
