//! Commands of the board: set-up, moves and the result.
//!
//! No command here searches. After an error the game is unchanged.

use super::{colour, done, exactly, expect, number, on_or_off};
use crate::engine::{Turn, read_files};
use crate::gtp::session::Session;
use crate::gtp::wire::Answer;
use crate::havannah::Geometry;
use crate::havannah::{Colour, Notation, Outcome, picture};
use crate::params::Params;

pub fn boardsize(session: &mut Session, arguments: &[String]) -> Answer {
    let [size] = exactly(arguments)?;
    let size: usize = number(size)?;
    if Geometry::of_size(size).is_none() {
        return Err("unacceptable size".to_string());
    }
    read_files(session.player.params(), size).map_err(|error| error.to_string())?;
    session.start(size);
    done()
}

pub fn clear_board(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    let size = session.engine().geometry().size;
    session.start(size);
    done()
}

pub fn komi(_: &mut Session, arguments: &[String]) -> Answer {
    let [komi] = exactly(arguments)?;
    let komi: f64 = number(komi)?;
    if komi.is_finite() { done() } else { Err("syntax error: komi is a finite number".to_string()) }
}

pub fn play(session: &mut Session, arguments: &[String]) -> Answer {
    let [side, action] = exactly(arguments)?;
    make(session, colour(side)?, action)
}

/// Makes a move, swaps or resigns.
pub fn make(session: &mut Session, side: Colour, action: &str) -> Answer {
    let illegal = |why: &str| format!("illegal move: {why}");
    if session.is_over() {
        return Err(illegal("the game is over"));
    }
    match action.to_ascii_lowercase().as_str() {
        "resign" => session.resigned = Some(side),
        "swap" if !session.player.params().pie => {
            return Err(illegal("the pie rule is off (swap on)"));
        }
        "swap" => {
            let is_turn = session.engine().to_move() == side;
            if !(is_turn && session.player.engine_mut().swap()) {
                return Err(illegal("only the first stone can be taken, as a first move"));
            }
        }
        _ => {
            let cell = session.read_cell(action).map_err(|error| illegal(&error))?;
            let placed = session.player.engine_mut().place(side, cell);
            placed.map_err(|error| illegal(&error.to_string()))?;
        }
    }
    done()
}

pub fn playgame(session: &mut Session, arguments: &[String]) -> Answer {
    for (made, action) in arguments.iter().enumerate() {
        let side = session.engine().to_move();
        if let Err(error) = make(session, side, action) {
            (0..made).for_each(|_| take_back(session));
            return Err(format!("move {}, '{}': {error}", made + 1, action.escape_debug()));
        }
    }
    done()
}

pub fn undo(session: &mut Session, arguments: &[String]) -> Answer {
    let [count] = expect(arguments, 0)?;
    let count: usize = count.map_or(Ok(1), number)?;
    let made = session.engine().turns().len() + usize::from(session.resigned.is_some());
    if count > made {
        return Err("cannot undo".to_string());
    }
    (0..count).for_each(|_| take_back(session));
    done()
}

fn take_back(session: &mut Session) {
    if session.resigned.take().is_none() {
        session.player.undo();
    }
}

pub fn swap(session: &mut Session, arguments: &[String]) -> Answer {
    let [setting] = expect(arguments, 0)?;
    if let Some(text) = setting {
        let params = Params { pie: on_or_off(text)?, ..session.player.params().clone() };
        session.player.set_params(&params);
        return done();
    }
    Ok(if session.player.params().pie { "on" } else { "off" }.to_string())
}

pub fn showboard(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    let stands = match winner_name(session) {
        "none" => format!("{} to move", session.engine().to_move()),
        "draw" => "a draw".to_string(),
        name => format!("{name} has won"),
    };
    let mark = |cell| match session.engine().colour_at(cell) {
        None => ".".to_string(),
        Some(Colour::White) => "O".to_string(),
        Some(Colour::Black) => "X".to_string(),
    };
    let board = picture::draw_labelled(session.engine().geometry(), session.notation, mark);
    Ok(format!("\n{board}{stands}"))
}

pub fn all_legal(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    if session.is_over() {
        return done();
    }
    let cells = session.engine().legal_cells();
    let mut moves: Vec<String> = cells.into_iter().map(|cell| session.write_cell(cell)).collect();
    if session.player.params().pie && session.engine().can_swap() {
        moves.push("swap".to_string());
    }
    Ok(moves.join(" "))
}

pub fn history(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    let name = |turn: &Turn| match turn {
        Turn::Place(_, cell) => session.write_cell(*cell),
        Turn::Swap => "swap".to_string(),
    };
    let turns = session.engine().turns().iter().map(name);
    let end = session.resigned.map(|_| "resign".to_string());
    Ok(turns.chain(end).collect::<Vec<_>>().join(" "))
}

pub fn winner_name(session: &Session) -> &'static str {
    let name = |colour: Colour| match colour {
        Colour::White => "white",
        Colour::Black => "black",
    };
    match (session.resigned, session.engine().outcome()) {
        (Some(side), _) => name(side.other()),
        (None, Outcome::Won { by, .. }) => name(by),
        (None, Outcome::Draw) => "draw",
        (None, Outcome::Ongoing) => "none",
    }
}

pub fn winner(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    Ok(winner_name(session).to_string())
}

pub fn final_score(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    match winner_name(session) {
        "none" => Err("cannot score: the game is not over".to_string()),
        "white" => Ok("W+1".to_string()),
        "black" => Ok("B+1".to_string()),
        _ => Ok("0".to_string()),
    }
}

pub fn hguicoords(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    session.notation = Notation::Letternum;
    done()
}

pub fn gridcoords(session: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    session.notation = Notation::LittleGolem;
    done()
}
