//! The program at the other end of a pipe: how it ends, how it gives way, how it keeps time, and
//! that it stays as small as it was.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use ciclon::internals::cores;
use ciclon::internals::rng::Rng;

use crate::scratch::Scratch;

/// How late something may be. Builds for debugging are slower by far.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 400 } else { 100 });

/// After which there will be no answer any more.
const LONG: Duration = Duration::from_secs(60);

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ciclon"))
        .arg("gtp")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs")
}

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.child.kill().ok();
    }
}

impl Client {
    fn new(arguments: &[&str]) -> Self {
        let mut child = start(arguments);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = channel();
        thread::spawn(move || {
            let output = BufReader::new(output.expect("a pipe"));
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        let mut client = Self { child, input, lines };
        assert_eq!(client.ask("name"), "= Ciclon");
        client
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the pipe is open");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("someone listens");
    }

    /// The next line; none at the end.
    fn read_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(LONG) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer for {LONG:?}"),
        }
    }

    /// The lines up to an empty one, or to the end.
    fn read_answer(&mut self) -> String {
        let mut lines = Vec::new();
        while let Some(line) = self.read_line().filter(|line| !line.is_empty()) {
            lines.push(line);
        }
        lines.join("\n")
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.read_answer()
    }

    /// The answer to a command that must succeed.
    fn obtain(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{line}: {answer}"));
        text.trim().to_string()
    }

    /// An analysis that is ended at once by the next command.
    fn analyze(&mut self, line: &str) -> String {
        self.send(line);
        self.send("name");
        let answer = self.read_answer();
        assert_eq!(self.read_answer(), "= Ciclon");
        answer
    }

    /// The exit code, and how long it took to end.
    fn wait(mut self) -> (Option<i32>, Duration) {
        let begin = Instant::now();
        let status = self.child.wait().expect("the program ends");
        (status.code(), begin.elapsed())
    }

    /// Megabytes of memory in use.
    fn megabytes(&self) -> f64 {
        let path = format!("/proc/{}/statm", self.child.id());
        let text = std::fs::read_to_string(path).expect("the system knows the process");
        let pages: f64 =
            text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("pages");
        pages * 4096.0 / f64::from(1 << 20)
    }
}

/// What a program may be doing when it has to end.
const STATES: [(&str, &[&str]); 5] = [
    ("nothing", &[]),
    ("thinking about a move", &["time -m 60", "genmove w"]),
    ("solving", &["solve 60"]),
    ("analysing", &["analyze w 0.05"]),
    ("pondering", &["ponder on", "time -i 50", "genmove w"]),
];

fn bring_to(state: &[&str]) -> Client {
    let mut client = Client::new(&["--size", "8"]);
    state.iter().for_each(|line| client.send(line));
    thread::sleep(Duration::from_millis(150));
    client
}

/// The least of some measurements: what another program takes of the machine is not ours.
fn least(measure: impl FnMut() -> Duration) -> Duration {
    std::iter::repeat_with(measure).take(3).min().expect("an attempt")
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    for (name, state) in STATES {
        let took = least(|| {
            let mut client = bring_to(state);
            drop(client.input.take());
            let (code, took) = client.wait();
            assert_eq!(code, Some(0), "{name}");
            took
        });
        assert!(took < PATIENCE, "{name}: {took:?}");
    }
}

#[test]
fn signals_end_the_program() {
    for (signal, expected) in [("INT", 130), ("TERM", 143)] {
        for (name, state) in STATES {
            let took = least(|| {
                let client = bring_to(state);
                let id = client.child.id().to_string();
                let sent = Command::new("kill").args(["-s", signal, &id]).status();
                assert!(sent.expect("kill is there").success());
                let (code, took) = client.wait();
                assert_eq!(code, Some(expected), "{name}");
                took
            });
            assert!(took < PATIENCE, "{signal} while {name}: {took:?}");
        }
    }
}

#[test]
fn a_client_that_went_away_ends_the_program() {
    for (name, state) in &STATES {
        let took = least(|| {
            let mut child = start(&["--size", "8"]);
            let mut input = child.stdin.take().expect("a pipe");
            for line in *state {
                writeln!(input, "{line}").expect("someone listens");
            }
            thread::sleep(Duration::from_millis(150));
            // The output is closed, the input stays open.
            drop(child.stdout.take());
            let begin = Instant::now();
            let status = child.wait().expect("the program ends");
            assert_eq!(status.code(), Some(0), "{name}");
            begin.elapsed()
        });
        assert!(took < PATIENCE, "{name}: {took:?}");
    }
}

/// A client that does not read, or asks for a file that never comes, does not keep the program from
/// ending; nor do many commands that wait.
#[test]
fn nothing_keeps_the_program_from_ending() {
    let floods: [(&str, String); 2] = [
        ("no one reads", "params\n".repeat(2000)),
        ("many wait", format!("time -m 60\ngenmove w\n{}", "name\n".repeat(3000))),
    ];
    for (name, text) in floods {
        let took = least(|| {
            let mut child = start(&["--size", "8"]);
            let mut input = child.stdin.take().expect("a pipe");
            let output = child.stdout.take().expect("a pipe");
            input.write_all(text.as_bytes()).expect("it reads");
            thread::sleep(Duration::from_millis(150));
            drop(input);
            let begin = Instant::now();
            if name == "many wait" {
                let answers = BufReader::new(output).lines().map_while(Result::ok);
                assert_eq!(answers.filter(|line| line == "= Ciclon").count(), 3000);
            } else {
                child.wait().expect("the program ends");
                drop(output);
            }
            let status = child.wait().expect("the program ends");
            assert_eq!(status.code(), Some(0), "{name}");
            begin.elapsed()
        });
        assert!(took < PATIENCE + Duration::from_millis(50), "{name}: {took:?}");
    }
}

/// Commands that are there before the end of the input are all answered, and those that think are
/// thought out if that is asked for.
#[test]
fn what_was_asked_before_the_end_is_answered() {
    for finish in [false, true] {
        let arguments: &[&str] =
            if finish { &["--size", "6", "--finish"] } else { &["--size", "6"] };
        let mut client = Client::new(arguments);
        let begin = Instant::now();
        for line in ["time -m 0.5", "1 genmove w", "2 genmove b", "3 history"] {
            client.send(line);
        }
        drop(client.input.take());
        let answers: Vec<String> = (0..4).map(|_| client.read_answer()).collect();
        let took = begin.elapsed();
        assert!(answers[1].starts_with("=1 ") && answers[2].starts_with("=2 "), "{answers:?}");
        assert_eq!(answers[3].split_whitespace().count(), 3, "{answers:?}");
        assert_eq!(took >= Duration::from_secs(1), finish, "{took:?}");
        assert_eq!(client.wait().0, Some(0));
    }
}

#[test]
fn playouts_are_the_limit_until_a_command_sets_another() {
    let mut client = Client::new(&["--size", "5", "--preset", "rave", "--playouts", "300"]);
    let visits = |client: &mut Client| -> u64 {
        client.obtain("genmove w");
        let stats = client.obtain("move_stats");
        let visits = stats.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<u64>().ok());
        visits.sum()
    };
    assert_eq!(client.obtain("time"), "-i 300");
    assert_eq!(visits(&mut client), 300);
    client.obtain("clear_board");
    client.obtain("time -i 200");
    assert_eq!(visits(&mut client), 200);
}

#[test]
fn an_analysis_goes_on_until_the_next_command() {
    let mut client = Client::new(&["--size", "8"]);
    client.send("7 analyze w 0.1");
    assert_eq!(client.read_line().as_deref(), Some("=7"));
    let begin = Instant::now();
    let mut playouts = 0;
    for _ in 0..4 {
        let line = client.read_line().expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        let value =
            |name: &str| words[1 + words.iter().position(|word| *word == name).expect(name)];
        let so_far: u64 = value("playouts").parse().expect("a number");
        assert!(so_far > playouts, "{line}");
        playouts = so_far;
        assert!(value("win_rate").parse::<f64>().is_ok_and(|rate| (0.0..=1.0).contains(&rate)));
        assert_eq!(value("move"), value("pv"), "{line}");
    }
    assert!(begin.elapsed() >= Duration::from_millis(390));
    let took = least(|| {
        client.send("8 name");
        let begin = Instant::now();
        let last = client.read_answer();
        let answer = client.read_answer();
        assert_eq!(answer, "=8 Ciclon");
        assert!(last.lines().all(|line| line.starts_with("move ")), "{last}");
        client.send("analyze");
        assert_eq!(client.read_line().as_deref(), Some("="));
        begin.elapsed()
    });
    assert!(took < PATIENCE, "{took:?}");
}

/// The opponent's time is used, and given back at once.
#[test]
fn pondering_uses_the_opponents_time() {
    let mut client = Client::new(&["--size", "6"]);
    for line in ["ponder on", "time -i 2000"] {
        client.obtain(line);
    }
    let took = least(|| {
        client.obtain("boardsize 6");
        client.obtain("genmove w");
        thread::sleep(Duration::from_millis(200));
        let begin = Instant::now();
        client.obtain("showboard");
        begin.elapsed()
    });
    assert!(took < PATIENCE, "{took:?}");
    // Questions do not end it, and what was found meanwhile is kept: in the end there are far more
    // visits than the move itself had.
    let begin = Instant::now();
    loop {
        client.obtain("havannah_winner");
        client.analyze("analyze b");
        let stats = client.obtain("move_stats");
        let visits: u64 = stats
            .lines()
            .filter_map(|line| line.split_whitespace().nth(2)?.parse::<u64>().ok())
            .sum();
        if visits > 6000 {
            break;
        }
        assert!(begin.elapsed() < LONG, "{visits} visits\n{stats}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn lines_of_any_length_and_kind_are_answered_once() {
    let mut client = Client::new(&["--size", "4"]);
    let long = "x".repeat(70_000);
    client.send(&format!("1 name {long}"));
    assert_eq!(client.read_answer(), "?1 syntax error: a line has 65536 bytes at most");
    client.send(&"z".repeat(65_536));
    assert_eq!(client.read_answer(), "? unknown command");
    assert_eq!(client.ask(&format!("2 name # {}", "y".repeat(65_000))), "=2 Ciclon");
    let input = client.input.as_mut().expect("the pipe is open");
    input.write_all(b"\xff\xfe\x00 \x80\n\n\r\n# nothing\n3 name\r\n4 name").expect("it listens");
    drop(client.input.take());
    let answers: Vec<String> = (0..3).map(|_| client.read_answer()).collect();
    assert_eq!(answers, ["? unknown command", "=3 Ciclon", "=4 Ciclon"]);
    assert_eq!(client.wait().0, Some(0));
}

#[test]
fn a_log_has_both_sides() {
    let scratch = Scratch::new("log");
    let path = scratch.file("log");
    let mut client = Client::new(&["--log", &path]);
    client.ask("5 boardsize 99");
    drop(client.input.take());
    client.wait();
    let log = std::fs::read_to_string(&path).expect("a log");
    assert!(log.contains(" > 5 boardsize 99\n"), "{log}");
    assert!(log.contains(" < ?5 unacceptable size\n"), "{log}");
}

/// How games are timed.
#[derive(Clone, Copy)]
enum Time {
    EachMove(f64),
    /// Sudden death; the client keeps the clocks and says so before each move.
    Game(f64),
}

/// Plays games of the program against itself; how late each move was beyond what it may take. A
/// game that is lost on time fails.
fn play_games(games: usize, size: usize, time: Time) -> Vec<Duration> {
    let mut client = Client::new(&["--set", "memory=64"]);
    let mut late = Vec::new();
    for game in 0..games {
        client.obtain(&format!("boardsize {size}"));
        client.obtain(&format!("set_option seed {game}"));
        let mut left = [0.0; 2];
        match time {
            Time::EachMove(seconds) => client.obtain(&format!("time -m {seconds}")),
            Time::Game(seconds) => {
                left = [seconds; 2];
                client.obtain(&format!("time_settings {seconds} 0 0"))
            }
        };
        let mut side = 0;
        while client.obtain("havannah_winner") == "none" {
            let colour = ["w", "b"][side];
            if let Time::Game(_) = time {
                client.obtain(&format!("time_left {colour} {:.3} 0", left[side]));
            }
            let begin = Instant::now();
            client.obtain(&format!("genmove {colour}"));
            let took = begin.elapsed();
            match time {
                Time::EachMove(seconds) => {
                    late.push(took.saturating_sub(Duration::from_secs_f64(seconds)));
                }
                Time::Game(_) => {
                    left[side] -= took.as_secs_f64();
                    assert!(left[side] > 0.0, "lost on time in game {game}");
                }
            }
            side = 1 - side;
        }
    }
    late.sort();
    late
}

#[test]
fn fast_games_are_not_lost_on_time() {
    let late = play_games(2, 4, Time::EachMove(0.05));
    // A machine with other work to do is late now and then.
    let median = late[late.len() / 2];
    assert!(median < PATIENCE / 4, "median {median:?} late");
    play_games(1, 4, Time::Game(3.0));
}

/// `cargo test --release -- --ignored --nocapture fast_games`: a thousand games in half an hour, or as many
/// as `FAST_GAMES` says.
#[test]
#[ignore = "takes long, and the machine for itself; .ci/run plays fewer"]
fn fast_games() {
    let games = std::env::var("FAST_GAMES").map_or(1000, |text| text.parse().expect("a number"));
    let (by_move, by_game) = (games * 7 / 10, games * 3 / 10);
    thread::scope(|scope| {
        scope.spawn(move || {
            let late = play_games(by_move, 4, Time::EachMove(0.05));
            let at = |share: f64| late[((late.len() - 1) as f64 * share) as usize];
            println!(
                "{by_move} games at 0.05 s a move, {} moves: late by {:?} at the median, {:?} at the 99th \
                 percentile, {:?} at the most",
                late.len(),
                at(0.5),
                at(0.99),
                at(1.0)
            );
            assert!(at(0.5) < Duration::from_millis(5) && at(0.99) < Duration::from_millis(30));
        });
        scope.spawn(move || {
            play_games(by_game, 4, Time::Game(3.0));
            println!("{by_game} games at 3 s a game: none lost on time");
        });
    });
}

/// Megabytes in use with nothing to remember.
fn at_rest(client: &mut Client) -> f64 {
    client.obtain("ponder off");
    client.obtain("boardsize 5");
    client.megabytes()
}

/// Random commands for a while: every one is answered, and memory does not grow.
fn soak(time: Duration) {
    let mut client = Client::new(&["--set", "memory=32", "--no-files"]);
    let mut rng = Rng::new(71);
    let cells: Vec<String> =
        (b'a'..=b'i').flat_map(|x| (1..=9).map(move |y| format!("{}{y}", x as char))).collect();
    let begin = Instant::now();
    let (mut early, mut commands) = (None, 0);
    client.obtain("boardsize 5");
    while begin.elapsed() < time {
        let colour = ["w", "b"][rng.below(2) as usize];
        let cell = &cells[rng.below(cells.len() as u32) as usize];
        let line = match rng.below(24) {
            0 => format!("boardsize {}", 2 + rng.below(9)),
            1 => "clear_board".to_string(),
            2 => format!("time -i {}", 1 + rng.below(3000)),
            3 => format!("time_settings {} {} {}", rng.below(3), rng.below(2), rng.below(4)),
            4 => format!("time_left {colour} 0.0{} {}", rng.below(10), rng.below(4)),
            5 => format!("ponder {}", ["on", "off"][rng.below(2) as usize]),
            6 => format!("swap {}", ["on", "off"][rng.below(2) as usize]),
            7 => format!("set_option seed {}", rng.below(100)),
            8 => "analyze".to_string(),
            9 => "solve 0.02".to_string(),
            10 => ["undo", "showboard", "history", "all_legal", "move_stats", "pv"]
                [rng.below(6) as usize]
                .to_string(),
            11 => {
                ["gridcoords", "hguicoords", "params", "winner"][rng.below(4) as usize].to_string()
            }
            12 => format!("preset {}", ["rave", "rave130", "uct", "flat"][rng.below(4) as usize]),
            13 => "set_option memory 32".to_string(),
            14..18 => format!("genmove {colour}"),
            _ => format!("play {colour} {cell}"),
        };
        if line.starts_with("time_settings") {
            client.obtain("time -m 0.02");
        }
        let is_analysis = line == "analyze";
        let answer = if is_analysis { client.analyze(&line) } else { client.ask(&line) };
        assert!(answer.starts_with(['=', '?']), "{line}: {answer}");
        commands += 1;
        if begin.elapsed() > time / 3 && early.is_none() {
            early = Some(at_rest(&mut client));
        }
    }
    let (early, late) = (early.expect("a third has passed"), at_rest(&mut client));
    println!(
        "{commands} commands in {time:?}: {early:.1} MB after a third, {late:.1} MB at the end"
    );
    assert!(late < early + 8.0, "{early:.1} MB, then {late:.1} MB");
    assert_eq!(client.ask("quit"), "=");
    assert_eq!(client.wait().0, Some(0));
}

#[test]
fn random_commands_leave_no_trace() {
    soak(Duration::from_secs(6));
}

/// `cargo test --release -- --ignored --nocapture ten_minutes_of_random_commands`
#[test]
#[ignore = "takes ten minutes"]
fn ten_minutes_of_random_commands() {
    soak(Duration::from_secs(600));
}

/// The lists of cores that the threads of a program may run on, as the system writes them.
#[cfg(target_os = "linux")]
fn allowed_cores(program: u32) -> Vec<String> {
    let threads =
        std::fs::read_dir(format!("/proc/{program}/task")).into_iter().flatten().flatten();
    let allowed = |status: String| {
        let line = status.lines().find(|line| line.starts_with("Cpus_allowed_list"))?;
        Some(line.split_whitespace().nth(1)?.to_string())
    };
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("status")).ok())
        .filter_map(allowed)
        .collect()
}

/// Waits for what may take a moment.
#[cfg(target_os = "linux")]
fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < LONG, "not seen: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn two_programs_search_on_the_cores_that_they_were_given() {
    let cores: Vec<usize> = (0..1024).filter(|core| cores::has(*core)).collect();
    let [first, .., last] = cores[..] else {
        println!("one core only: nothing to tell apart");
        return;
    };
    let search = |core: usize, threads: &str| {
        let core = format!("cores={core}");
        let mut client = Client::new(&["--size", "6", "--set", threads, "--set", &core]);
        assert_eq!(client.ask("time_settings 100 0 0"), "=");
        client.send("genmove white");
        client
    };
    // One thread is bound as several are.
    let (one, two) = (search(first, "threads=1"), search(last, "threads=3"));
    let is_bound = |client: &Client, core: usize, threads: usize| {
        let cores = allowed_cores(client.child.id());
        cores.iter().filter(|list| **list == core.to_string()).count() == threads
    };
    wait_for("one thread on the first core", || is_bound(&one, first, 1));
    wait_for("three threads on the last core", || is_bound(&two, last, 3));
    // This is what a third program chooses idle cores by.
    let running = |core: usize| cores::running_threads().get(&core).copied().unwrap_or(0);
    wait_for("a busy first core", || running(first) >= 1);
    wait_for("a busy last core", || running(last) >= 3);
}

#[test]
fn cores_that_are_not_there_are_refused() {
    for cores in ["cores=1000", "cores=1-0", "cores=", "cores=0,", "cores=all"] {
        let mut refused = start(&["--set", cores]);
        assert_eq!(refused.wait().expect("it ends").code(), Some(2), "{cores}");
    }
}
