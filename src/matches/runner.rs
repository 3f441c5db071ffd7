//! Plays the games of a match on the cores of the machine.
//!
//! A thread a game in flight, each bound to a core of its own (to the first of several, if a player has
//! several threads); another program that it starts stays on that core. The two players of a game take
//! turns, so no two engines think on one core, as long as there are no more games than cores for them: a
//! timed match has no more.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use super::error::MatchError;
use super::game_result::{End, GameResult};
use super::log::Log;
use super::standing::Standing;
use super::statistics::{Sprt, Verdict};
use super::{Settings, records, worker};
use crate::bits::Isa;
use crate::cores;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct MatchOptions {
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

/// Plays what is not in a log yet; all games that there are, in the order of their numbers. `show` is
/// called after each, with how the match stands and how many games are to come at the most.
pub fn run(
    options: &MatchOptions,
    show: &mut dyn FnMut(&Standing, u64),
) -> Result<Vec<GameResult>, MatchError> {
    let game = worker::game(&options.settings)?;
    let (mut log, mut games) = match &options.log {
        None => (None, Vec::new()),
        Some(path) => {
            let (log, games) = Log::open(path, &options.settings).map_err(MatchError::Log)?;
            (Some(log), games)
        }
    };
    if let Some(path) = &options.sgf {
        records::write_all(path, &options.settings, &games)?;
    }
    let is_new = |other: &&GameResult| games.iter().all(|played| played.game != other.game);
    let elsewhere: Vec<GameResult> = options.elsewhere.iter().filter(is_new).cloned().collect();
    games.extend(elsewhere);
    let (part, parts) = options.shard;
    let is_mine = |game: &u64| options.settings.colours.pair_of(*game) % parts == part - 1;
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
            let (sender, game, missing) = (sender.clone(), &*game, &missing);
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                cores::pin(job * threads);
                let mut play = game.worker(&options.settings, options.isa);
                while !stop.load(Ordering::Relaxed) {
                    let Some(number) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    let Some(result) = play(*number, stop) else {
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
                Some(path) => records::add(path, &options.settings, &result),
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
    let name = settings.player(absent).to_string();
    (game.turns == [0, 0]).then(|| MatchError::Player { name, why: why.clone() })
}
