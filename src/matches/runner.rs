//! Plays the games of a match on the cores of the machine.
//!
//! A thread a game in flight, each bound to a core of its own (to the first of several, if a player has
//! several threads); another program that it starts stays on that core. The two players of a game take
//! turns, so no two engines think on one core, as long as there are no more games than cores for them: a
//! timed match has no more.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::{fs, io, thread};

use super::Settings;
use super::contestant::{Contestant, Limit};
use super::game_spec::MapSpecError;
use super::log::{Log, LogError};
use super::referee::{self, End, GameResult, Seat};
use super::rider::Rider;
use super::schedule::{Openings, Schedule};
use super::standing::Standing;
use super::statistics::{Sprt, Verdict};
use super::tron;
use crate::bits::Isa;
use crate::cores;
use crate::engine::read_files;
use crate::havannah::Geometry;
use crate::havannah::notation::NotationError;
use crate::havannah::{Colour, Notation};
use crate::params::{ParamError, Params};
use crate::record::sgf::Collection;
use crate::record::{Action, Record, Turn};
use crate::tron::Map;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Options {
    pub settings: Settings,
    pub games: u64,
    /// Part `.0` of `.1`, from 1: pairs of games are dealt out in turn.
    pub shard: (u64, u64),
    /// Games in flight.
    pub jobs: usize,
    pub isa: Isa,
    pub sprt: Option<Sprt>,
    pub log: Option<PathBuf>,
    /// Games of this match that other logs have: they count, and are not played again.
    pub elsewhere: Vec<GameResult>,
    /// Where the games go as records, in Havannah.
    pub sgf: Option<PathBuf>,
}

/// A match that cannot be played.
#[derive(Debug)]
pub enum MatchError {
    Log(LogError),
    Sgf {
        path: PathBuf,
        error: io::Error,
    },
    /// A player never came to the table.
    Player {
        name: String,
        why: String,
    },
    Opening {
        line: String,
        error: NotationError,
    },
    Map(MapSpecError),
    /// The contest's protocol has times for moves only.
    Clock,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => error.fmt(f),
            Self::Sgf { path, error } => {
                write!(f, "the records '{}': {error}", path.display().to_string().escape_debug())
            }
            Self::Player { name, why } => write!(f, "'{}': {why}", name.escape_debug()),
            Self::Opening { line, error } => {
                write!(f, "the opening '{}': {error}", line.escape_debug())
            }
            Self::Map(error) => error.fmt(f),
            Self::Clock => f.write_str("in Tron players have times for moves, not for the game"),
        }
    }
}

impl std::error::Error for MatchError {}

/// Plays what is not in a log yet; all games that there are, in the order of their numbers. `show` is
/// called after each, with how the match stands and how many games are to come at the most.
pub fn run(
    options: &Options,
    show: &mut dyn FnMut(&Standing, u64),
) -> Result<Vec<GameResult>, MatchError> {
    let schedule = schedule(&options.settings)?;
    let maps = maps(&options.settings)?;
    check_players(&options.settings)?;
    let (mut log, mut games) = match &options.log {
        None => (None, Vec::new()),
        Some(path) => {
            let (log, games) = Log::open(path, &options.settings).map_err(MatchError::Log)?;
            (Some(log), games)
        }
    };
    if let Some(path) = &options.sgf {
        write_all_records(path, &options.settings, &games)?;
    }
    let is_new = |other: &&GameResult| games.iter().all(|played| played.game != other.game);
    let elsewhere: Vec<GameResult> = options.elsewhere.iter().filter(is_new).cloned().collect();
    games.extend(elsewhere);
    let (part, parts) = options.shard;
    let is_mine = |game: &u64| schedule.pair_of(*game) % parts == part - 1;
    let is_missing = |game: &u64| games.iter().all(|played| played.game != *game);
    let missing: Vec<u64> = (0..options.games).filter(is_mine).filter(is_missing).collect();
    let is_decided =
        |standing: &Standing| standing.sprt.is_some_and(|sprt| sprt.verdict != Verdict::GoesOn);
    let standing = Standing::new(&options.settings, &games, options.sprt);
    show(&standing, missing.len() as u64);
    if is_decided(&standing) {
        return Ok(games);
    }
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut failure = None;
    // A game has as many cores as the player with the most threads needs.
    let threads = options.settings.a.threads().max(options.settings.b.threads());
    thread::scope(|scope| {
        let (sender, results) = channel();
        for job in 0..options.jobs.min(missing.len()) {
            let (sender, schedule, missing) = (sender.clone(), &schedule, &missing);
            let maps = &maps[..];
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                cores::pin(job * threads);
                let mut table = Table::new(options, maps);
                while !stop.load(Ordering::Relaxed) {
                    let Some(game) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    let Some(result) = table.play(schedule, *game, stop) else {
                        return;
                    };
                    if sender.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut left = missing.len() as u64;
        for result in results {
            if let Some(absent) = absent_player(&options.settings, &result) {
                failure.get_or_insert(absent);
                stop.store(true, Ordering::Relaxed);
                continue;
            }
            let kept = log.as_mut().map_or(Ok(()), |log| log.add(&result)).map_err(MatchError::Log);
            let kept = kept.and_then(|()| match &options.sgf {
                Some(path) => add_record(path, &options.settings, &result),
                None => Ok(()),
            });
            games.push(result);
            left -= 1;
            let standing = Standing::new(&options.settings, &games, options.sprt);
            show(&standing, left);
            if let Err(error) = kept {
                failure.get_or_insert(error);
            }
            if failure.is_some() || is_decided(&standing) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    games.sort_by_key(|game| game.game);
    failure.map_or(Ok(games), Err)
}

/// The player of a game that failed before the first move: that is no game.
fn absent_player(settings: &Settings, game: &GameResult) -> Option<MatchError> {
    let End::Fault(why) = &game.end else {
        return None;
    };
    let absent = game.winner?.other();
    let name = match absent {
        Seat::A => settings.a.to_string(),
        Seat::B => settings.b.to_string(),
    };
    (game.turns == [0, 0]).then(|| MatchError::Player { name, why: why.clone() })
}

/// The players of one game in flight.
struct Table<'a> {
    settings: &'a Settings,
    players: Players<'a>,
}

enum Players<'a> {
    Havannah { players: [Box<dyn Contestant>; 2], rules: Box<Params> },
    Tron { players: [Box<dyn Rider>; 2], maps: &'a [Map] },
}

impl<'a> Table<'a> {
    fn new(options: &'a Options, maps: &'a [Map]) -> Self {
        let settings @ Settings { a, b, pie, .. } = &options.settings;
        let players = if settings.game.is_tron() {
            Players::Tron { players: [a, b].map(|player| player.rider(options.isa)), maps }
        } else {
            let players = [a, b].map(|player| player.contestant(options.isa, *pie));
            let rules = Box::new(Params { memory: 1, pie: *pie, ..Params::default() });
            Players::Havannah { players, rules }
        };
        Self { settings, players }
    }

    fn play(&mut self, schedule: &Schedule, game: u64, stop: &AtomicBool) -> Option<GameResult> {
        let Settings { size, limit_a, limit_b, .. } = *self.settings;
        let (pairing, limits) = (schedule.game(game), [limit_a, limit_b]);
        match &mut self.players {
            Players::Havannah { players: [a, b], rules } => {
                referee::play(&pairing, size, limits, [&mut **a, &mut **b], rules, stop)
            }
            Players::Tron { players: [a, b], maps } => {
                let map = &maps[self.settings.map_of(game)?];
                tron::play(&pairing, map, limits, [&mut **a, &mut **b], stop)
            }
        }
    }
}

/// Looks whether players of Havannah make sense, and reads the files they are set up with.
fn check_players(settings: &Settings) -> Result<(), MatchError> {
    for player in [&settings.a, &settings.b].into_iter().filter(|_| !settings.game.is_tron()) {
        let refuse = |why: String| MatchError::Player { name: player.to_string(), why };
        let params = player.params().map_err(|error| refuse(error.to_string()))?;
        if let Some(params) = params {
            let params = params.for_havannah().map_err(|error| refuse(error.to_string()))?;
            read_files(&params, settings.size).map_err(|error| refuse(error.to_string()))?;
        }
    }
    Ok(())
}

/// The maps of a match of Tron, whose players were seen to make sense; none in Havannah.
fn maps(settings: &Settings) -> Result<Vec<Map>, MatchError> {
    let maps = settings.game.maps().iter().map(|map| map.map());
    let maps: Vec<Map> = maps.collect::<Result<_, _>>().map_err(MatchError::Map)?;
    for player in [&settings.a, &settings.b].into_iter().filter(|_| settings.game.is_tron()) {
        let refuse = |error: ParamError| MatchError::Player {
            name: player.to_string(),
            why: error.to_string(),
        };
        player.check_tron().map_err(refuse)?;
    }
    let has_clock = |limit: &Limit| matches!(limit, Limit::Clock(_));
    if settings.game.is_tron() && [settings.limit_a, settings.limit_b].iter().any(has_clock) {
        return Err(MatchError::Clock);
    }
    Ok(maps)
}

/// Which games a match has.
fn schedule(settings: &Settings) -> Result<Schedule, MatchError> {
    let Settings { size, seed, colours, .. } = *settings;
    if settings.game.is_tron() {
        return Ok(Schedule { size, seed, colours, openings: Openings::Random(0) });
    }
    let tables = Geometry::of_size(size).expect("the size is a base");
    let read = |line: &String| {
        let cells = line.split_whitespace().map(|text| Notation::Letternum.read(tables, text));
        let cells: Result<Vec<_>, _> = cells.collect();
        cells.map_err(|error| MatchError::Opening { line: line.clone(), error })
    };
    let lines: Vec<_> = settings.opening_lines.iter().map(read).collect::<Result<_, _>>()?;
    let openings = if lines.is_empty() {
        Openings::Random(settings.opening_random)
    } else {
        Openings::Lines(lines)
    };
    Ok(Schedule { size, seed, colours, openings })
}

/// A game as a record.
fn record_of(settings: &Settings, game: &GameResult) -> Record {
    let mut record = Record::new(settings.size, Notation::Letternum);
    let name = |seat: Seat| match seat {
        Seat::A => settings.a.to_string(),
        Seat::B => settings.b.to_string(),
    };
    record.white = Some(name(game.white));
    record.black = Some(name(game.white.other()));
    record.event = Some(format!("game {}", game.game));
    let side_of = |seat: Seat| if seat == game.white { Colour::White } else { Colour::Black };
    let mut side = Colour::White;
    for text in &game.moves {
        let action = if text == "swap" { Action::Swap } else { Action::Place(text.clone()) };
        record.turns.push(Turn { side, action, comment: None });
        side = side.other();
    }
    let letter = |seat: Seat| if side_of(seat) == Colour::White { 'W' } else { 'B' };
    record.result = Some(match (game.winner, &game.end) {
        (None, _) => "Draw".to_string(),
        (Some(seat), End::Resigned) => format!("{}+Resign", letter(seat)),
        (Some(seat), End::OutOfTime) => format!("{}+Time", letter(seat)),
        (Some(seat), end) if end.is_error() => format!("{}+Forfeit", letter(seat)),
        (Some(seat), _) => format!("{}+", letter(seat)),
    });
    record
}

fn text_of(settings: &Settings, game: &GameResult) -> String {
    Collection::from(record_of(settings, game).to_tree()).write() + "\n"
}

/// Writes the records of the games so far: what was there is replaced, once the new is whole.
fn write_all_records(
    path: &Path,
    settings: &Settings,
    games: &[GameResult],
) -> Result<(), MatchError> {
    let failed = |error| MatchError::Sgf { path: path.to_path_buf(), error };
    if games.is_empty() && fs::metadata(path).is_ok_and(|file| file.len() > 0) {
        return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, "it is there already")));
    }
    let text: String = games.iter().map(|game| text_of(settings, game)).collect();
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, path)).map_err(failed)
}

fn add_record(path: &Path, settings: &Settings, game: &GameResult) -> Result<(), MatchError> {
    use std::io::Write as _;
    let file = fs::OpenOptions::new().append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text_of(settings, game).as_bytes()));
    written.map_err(|error| MatchError::Sgf { path: path.to_path_buf(), error })
}
