//! One game: the players take turns, the rules decide.
//!
//! What the players say about legality or results is not asked for. A player loses that makes an
//! illegal move, runs out of time, crashes or talks nonsense, and the reason is kept.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::contestant::{Contestant, Fault, Limit, Move, Start};
use super::meters::Meters;
use super::schedule::Pairing;
use crate::bits::Isa;
use crate::engine::{Choice, HavannahEngine, Turn};
use crate::havannah::{Colour, Notation, Outcome};
use crate::params::Params;

/// One of the two players of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    A,
    B,
}

impl Seat {
    pub const BOTH: [Seat; 2] = [Seat::A, Seat::B];

    pub const fn index(self) -> usize {
        self as usize
    }

    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    Ring,
    Bridge,
    Fork,
    Draw,
    /// In Tron: the loser moved into a wall, or had nowhere else to go.
    Crash,
    /// Both did.
    BothCrash,
    /// Both moved to the same cell.
    SameCell,
    Resigned,
    OutOfTime,
    /// The loser did something that cannot be.
    IllegalMove(String),
    Fault(String),
}

impl End {
    /// Whether a game says something about the program that lost it rather than about its play.
    pub fn is_error(&self) -> bool {
        matches!(self, Self::OutOfTime | Self::IllegalMove(_) | Self::Fault(_))
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    pub game: u64,
    /// The player that was White at the beginning; in Tron, `1` on the map.
    pub white: Seat,
    /// None for a draw.
    pub winner: Option<Seat>,
    pub end: End,
    /// The turns, those of the opening among them, in letternum; in Tron the steps, each with the first
    /// letters of the ways of `1` and `2`.
    pub moves: Vec<String>,
    pub opening_plies: usize,
    /// For A and B: seconds spent, playouts made (as far as they are known) and own moves.
    pub seconds: [f64; 2],
    pub playouts: [u64; 2],
    pub turns: [u64; 2],
}

/// Plays a game; none if it was stopped.
pub fn play<'a>(
    pairing: &'a Pairing,
    size: usize,
    limits: [Limit; 2],
    players: [&'a mut (dyn Contestant + 'a); 2],
    params: &Params,
    stop: &AtomicBool,
) -> Option<GameResult> {
    let board = HavannahEngine::new(size, Isa::PORTABLE, params).expect("the size is a base");
    let meters = Meters::new(limits);
    let mut game = Game { pairing, size, limits, players, board, meters, pie: params.pie };
    let (winner, end) = game.play(stop)?;
    let Game { board, meters: Meters { seconds, playouts, turns, .. }, .. } = game;
    Some(GameResult {
        game: pairing.game,
        white: pairing.white,
        winner,
        end,
        moves: names(&board),
        opening_plies: pairing.opening.len(),
        seconds,
        playouts,
        turns,
    })
}

fn names(board: &HavannahEngine) -> Vec<String> {
    let name = |turn: &Turn| match turn {
        Turn::Place(_, cell) => Notation::Letternum.write(board.geometry(), *cell),
        Turn::Swap => "swap".to_string(),
    };
    board.turns().iter().map(name).collect()
}

struct Game<'a> {
    pairing: &'a Pairing,
    size: usize,
    limits: [Limit; 2],
    players: [&'a mut (dyn Contestant + 'a); 2],
    board: HavannahEngine,
    meters: Meters,
    pie: bool,
}

/// Who has won, and how.
type Verdict = (Option<Seat>, End);

impl Game<'_> {
    /// None if the game was stopped.
    fn play(&mut self, stop: &AtomicBool) -> Option<Verdict> {
        for seat in Seat::BOTH {
            let start = Start {
                size: self.size,
                limit: self.limits[seat.index()],
                seed: self.pairing.seeds[seat.index()],
            };
            if let Err(fault) = self.players[seat.index()].begin(&start) {
                return self.at_fault(seat, fault);
            }
        }
        for cell in self.pairing.opening.clone() {
            let turn = Turn::Place(self.board.to_move(), cell);
            self.make(turn);
            if let Some((seat, fault)) = self.tell(turn, &Seat::BOTH) {
                return self.at_fault(seat, fault);
            }
        }
        loop {
            if let Some(verdict) = self.verdict() {
                return Some(verdict);
            }
            if let Some(verdict) = self.turn(stop) {
                return verdict;
            }
        }
    }

    fn at_fault(&self, seat: Seat, fault: Fault) -> Option<Verdict> {
        match fault {
            Fault::Stopped => None,
            fault => Some((Some(seat.other()), End::Fault(fault.to_string()))),
        }
    }

    fn seat_of(&self, side: Colour) -> Seat {
        match side {
            Colour::White => self.pairing.white,
            Colour::Black => self.pairing.white.other(),
        }
    }

    /// How the game stands by the rules, if it is over.
    fn verdict(&self) -> Option<Verdict> {
        use crate::havannah::WinKind;
        match self.board.outcome() {
            Outcome::Ongoing => None,
            Outcome::Draw => Some((None, End::Draw)),
            Outcome::Won { by, wins } => {
                let end = match wins.kind() {
                    Some(WinKind::Ring) => End::Ring,
                    Some(WinKind::Bridge) => End::Bridge,
                    _ => End::Fork,
                };
                Some((Some(self.seat_of(by)), end))
            }
        }
    }

    fn make(&mut self, turn: Turn) {
        match turn {
            Turn::Place(side, cell) => {
                self.board.place(side, cell).expect("the move was seen to be legal");
            }
            Turn::Swap => {
                self.board.swap();
            }
        }
    }

    /// Tells players of a turn; the one that cannot take it.
    fn tell(&mut self, turn: Turn, seats: &[Seat]) -> Option<(Seat, Fault)> {
        seats.iter().find_map(|seat| {
            let told = self.players[seat.index()].watch(turn);
            told.err().map(|fault| (*seat, fault))
        })
    }

    /// One turn: `Some` if the game ends with it (and not by the rules), `None` in it if it was
    /// stopped.
    fn turn(&mut self, stop: &AtomicBool) -> Option<Option<Verdict>> {
        let side = self.board.to_move();
        let seat = self.seat_of(side);
        let index = seat.index();
        let begin = Instant::now();
        let answer = self.players[index].choose(side, self.meters.left[index], stop);
        let took = begin.elapsed();
        self.meters.count_turn(index, took);
        let Move { choice, playouts } = match answer {
            Ok(answer) => answer,
            Err(fault) => return Some(self.at_fault(seat, fault)),
        };
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Some(None);
        }
        self.meters.playouts[index] += playouts.unwrap_or(0);
        if self.meters.is_late(index, took) {
            return Some(Some((Some(seat.other()), End::OutOfTime)));
        }
        let illegal = |text: String| Some(Some((Some(seat.other()), End::IllegalMove(text))));
        let turn = match choice {
            Choice::Resign => return Some(Some((Some(seat.other()), End::Resigned))),
            Choice::Swap if self.pie && self.board.can_swap() => Turn::Swap,
            Choice::Swap => return illegal("swap".to_string()),
            Choice::Place(cell) if self.board.legal_cells().contains(&cell) => {
                Turn::Place(side, cell)
            }
            Choice::Place(cell) => {
                return illegal(Notation::Letternum.write(self.board.geometry(), cell));
            }
        };
        self.make(turn);
        let (other, fault) = self.tell(turn, &[seat.other()])?;
        Some(self.at_fault(other, fault))
    }
}
