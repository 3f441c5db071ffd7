//! Commands that search, and commands that set how.
//!
//! An analysis runs in `session`, because it ends at the next command. All other searches here are
//! finished before the next command is taken.

use std::time::Duration;

use super::{colour, done, exactly, expect, number, on_or_off, seconds};
use crate::engine::{Choice, GameTime, TimeControl, read_files};
use crate::gtp::session::{Reply, Session};
use crate::gtp::wire::Answer;
use crate::havannah::Colour;
use crate::params::Params;
use crate::search::Limits;
use crate::tree::Status;

pub fn genmove(session: &mut Session, arguments: &[String]) -> Answer {
    let [side] = exactly(arguments)?;
    let side = colour(side)?;
    let choice = choose(session, side)?;
    session.player.make(side, choice);
    if choice == Choice::Resign {
        session.resigned = Some(side);
    }
    session.generated_at = Some(session.engine().turns().len());
    Ok(name_of(session, choice))
}

pub fn reg_genmove(session: &mut Session, arguments: &[String]) -> Answer {
    let [side] = exactly(arguments)?;
    let side = colour(side)?;
    let turn = session.engine().to_move();
    let clock = session.player.clock().clone();
    let choice = choose(session, side);
    *session.player.clock_mut() = clock;
    session.player.engine_mut().give_move_to(turn);
    Ok(name_of(session, choice?))
}

fn choose(session: &mut Session, side: Colour) -> Result<Choice, String> {
    if session.is_over() {
        return Err("the game is over".to_string());
    }
    let found = session.undisturbed(|player, stop| player.choose(side, stop));
    let (choice, report) = found.ok_or_else(|| "the game is over".to_string())?;
    session.last_report = Some(report);
    Ok(choice)
}

fn name_of(session: &Session, choice: Choice) -> String {
    choice.name(session.engine().geometry(), session.notation)
}

/// The default time between two lines of an analysis.
const INTERVAL: Duration = Duration::from_secs(1);

/// The shortest time between two lines of an analysis.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

pub fn analyze(session: &mut Session, arguments: &[String]) -> Reply {
    analysis(session, arguments).unwrap_or_else(|error| Err(error).into())
}

fn analysis(session: &mut Session, arguments: &[String]) -> Result<Reply, String> {
    let [first, second] = expect(arguments, 0)?;
    let side = first.map(colour).and_then(Result::ok);
    let interval = match (side, first, second) {
        (None, Some(_), Some(_)) => return Err(colour(first.unwrap_or_default()).unwrap_err()),
        (None, interval, None) | (Some(_), _, interval) => interval,
        (None, None, second) => second,
    };
    let every = interval.map_or(Ok(INTERVAL), seconds)?.max(SHORTEST_INTERVAL);
    if session.is_over() {
        return Err("the game is over".to_string());
    }
    let then = session.engine().to_move();
    if let Some(side) = side {
        session.player.engine_mut().give_move_to(side);
    }
    Ok(Reply::Analysis { every, then })
}

/// The default time after which a position counts as not solved.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn solve(session: &mut Session, arguments: &[String]) -> Answer {
    let [time] = expect(arguments, 0)?;
    let time = time.map_or(Ok(PATIENCE), seconds)?;
    if session.is_over() {
        return Err("the game is over".to_string());
    }
    let limits = Limits { time: Some(time), until_solved: true, ..Limits::default() };
    let report = session.undisturbed(|player, stop| player.analyze(limits, stop, None));
    let side = session.engine().to_move();
    let can_swap = session.player.params().pie && session.engine().can_swap();
    let (winner, is_swapped) = match report.status {
        Status::WON => (side.to_string(), false),
        // After a swap the other side is in this position.
        Status::LOST if can_swap => (side.to_string(), true),
        Status::LOST => (side.other().to_string(), false),
        other => (other.name().to_string(), false),
    };
    let answer = match (report.best, report.proof_depth) {
        (Some(_), Some(depth)) if is_swapped => format!("{winner} swap {}", depth + 1),
        (Some(best), Some(depth)) => format!("{winner} {} {depth}", session.write_move(best)),
        _ => winner,
    };
    session.last_report = Some(report);
    Ok(answer)
}

pub fn move_stats(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    let Some(report) = &session.last_report else {
        return done();
    };
    let rate = |rate: Option<f64>| rate.map_or("-".to_string(), |rate| format!("{rate:.4}"));
    let lines = report.moves.iter().map(|found| {
        let name = session.write_move(found.next);
        let (win_rate, rave) = (rate(found.win_rate), rate(found.rave));
        let (visits, status) = (found.visits, found.status.name());
        let prior = found.prior.map_or(String::new(), |prior| format!(" prior {prior:.4}"));
        format!("{name} visits {visits} win_rate {win_rate} rave {rave} status {status}{prior}")
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

pub fn pv(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    let report = session.last_report.as_ref();
    Ok(report.map_or(String::new(), |report| session.write_line(&report.pv)))
}

pub fn ponder(session: &mut Session, arguments: &[String]) -> Answer {
    let [setting] = expect(arguments, 0)?;
    if let Some(text) = setting {
        let params = Params { ponder: on_or_off(text)?, ..session.player.params().clone() };
        session.player.set_params(&params);
        return done();
    }
    Ok(if session.player.params().ponder { "on" } else { "off" }.to_string())
}

pub fn time(session: &mut Session, arguments: &[String]) -> Answer {
    if arguments.is_empty() {
        return Ok(describe(session));
    }
    let mut control = TimeControl::default();
    for pair in arguments.chunks(2) {
        let [flag, value] = pair else {
            return Err(format!("syntax error: '{}' needs a value", pair[0].escape_debug()));
        };
        // Zero means no limit.
        let time = |text: &str| Ok::<_, String>(Some(seconds(text)?).filter(|t| !t.is_zero()));
        match flag.as_str() {
            "-m" => control.move_time = time(value)?,
            "-i" => {
                control.move_playouts = Some(number(value)?).filter(|playouts| *playouts > 0);
            }
            "-g" => {
                let period = Duration::ZERO;
                control.game = time(value)?.map(|main| GameTime { main, period, stones: 0 });
            }
            other => return Err(format!("syntax error: '{}' is no flag", other.escape_debug())),
        }
    }
    let is_set = control != TimeControl::default();
    session.player.set_control(if is_set { control } else { session.default_control });
    done()
}

/// The time control, and what is left of it.
fn describe(session: &Session) -> String {
    let clock = session.player.clock();
    let TimeControl { move_time, move_playouts, game } = clock.control();
    let mut lines = Vec::new();
    lines.extend(move_time.map(|time| format!("-m {}", time.as_secs_f64())));
    lines.extend(move_playouts.map(|playouts| format!("-i {playouts}")));
    if let Some(GameTime { main, period, stones }) = game {
        let (main, period) = (main.as_secs_f64(), period.as_secs_f64());
        lines.push(format!("-g {main}, then {period} for {stones} stones"));
        for side in Colour::BOTH {
            let (time, stones) = clock.left(side);
            lines.push(format!("{side} {:.2} {stones}", time.as_secs_f64()));
        }
    }
    lines.join("\n")
}

pub fn time_settings(session: &mut Session, arguments: &[String]) -> Answer {
    let [main, period, stones] = exactly(arguments)?;
    let game = GameTime { main: seconds(main)?, period: seconds(period)?, stones: number(stones)? };
    // A period without stones means no limit. Stones without a period are ignored.
    let has_limit = game.period.is_zero() || game.stones > 0;
    let stones = if game.period.is_zero() { 0 } else { game.stones };
    let control = TimeControl { game: Some(GameTime { stones, ..game }), ..TimeControl::default() };
    session.player.set_control(if has_limit { control } else { session.default_control });
    done()
}

pub fn time_left(session: &mut Session, arguments: &[String]) -> Answer {
    let [side, time, stones] = exactly(arguments)?;
    // A side that has exceeded its time may have a negative rest.
    let time = if time.starts_with('-') { "0" } else { time };
    let (side, time, stones) = (colour(side)?, seconds(time)?, number(stones)?);
    let control = session.player.clock().control();
    if control.game.is_none() {
        // The client keeps a clock without having announced it.
        let (main, period) =
            if stones == 0 { (time, Duration::ZERO) } else { (Duration::ZERO, time) };
        let game = Some(GameTime { main, period, stones });
        session.player.set_control(TimeControl { game, ..control });
    }
    session.player.clock_mut().set_left(side, time, stones);
    done()
}

pub fn params(session: &mut Session, arguments: &[String]) -> Answer {
    let [name] = expect(arguments, 0)?;
    let rows = session.player.params().rows();
    let Some(name) = name else {
        let lines = rows.iter().map(|row| format!("{} = {}", row.name, row.value));
        return Ok(lines.collect::<Vec<_>>().join("\n"));
    };
    let row = rows.iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| format!("unknown parameter '{}'", name.escape_debug()))?;
    let source = if row.source.is_empty() { "" } else { &format!(" [{}]", row.source) };
    Ok(format!("{} = {} ({}): {}{source}", row.name, row.value, row.range, row.meaning))
}

pub fn set_option(session: &mut Session, arguments: &[String]) -> Answer {
    let mut params = session.player.params().clone();
    let set = match expect(arguments, 1)? {
        [Some(name), Some(value)] => params.set(name, value),
        [assignment, _] => params.assign(assignment.unwrap_or_default()),
    };
    let params = set.and_then(|()| params.for_havannah()).map_err(|error| error.to_string())?;
    if params.pattern_file != session.player.params().pattern_file {
        if params.pattern_file.path().is_some() {
            session.may_use_files()?;
        }
        let size = session.engine().geometry().size;
        read_files(&params, size).map_err(|error| error.to_string())?;
    }
    session.player.set_params(&params);
    done()
}

pub fn preset(session: &mut Session, arguments: &[String]) -> Answer {
    let [name] = exactly(arguments)?;
    let params = session.player.params().with_preset(name).and_then(Params::for_havannah);
    let params = params.map_err(|error| error.to_string())?;
    session.player.set_params(&params);
    done()
}
