//! One game of Tron: both players say where they go, neither knows of the other, the rules decide.
//!
//! They are asked one after the other, so that each has the machine for itself. Who runs out of time,
//! crashes as a program or talks nonsense loses, and the reason is kept; if both do in the same step,
//! who was asked first does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::contestant::{Fault, Limit, Start};
use super::meters::Meters;
use super::race::{Finish, Race};
use super::referee::{End, GameResult, Seat};
use super::rider::Rider;
use super::schedule::Pairing;
use crate::tron::{Direction, Map, Side};

/// As in the contest, the first move of a game may take so many times as long as the others: programs
/// have to start.
pub(super) const FIRST: u32 = 3;

/// Plays a game on a map, where White is `1`; none if it was stopped.
pub fn play<'a>(
    pairing: &'a Pairing,
    map: &Map,
    limits: [Limit; 2],
    players: [&'a mut (dyn Rider + 'a); 2],
    stop: &AtomicBool,
) -> Option<GameResult> {
    let meters = Meters::new(limits);
    let mut game = Game { pairing, limits, players, race: Race::new(map), meters };
    let (winner, end) = game.play(stop)?;
    let Game { race, meters: Meters { seconds, playouts, turns, .. }, .. } = game;
    Some(GameResult {
        game: pairing.game,
        white: pairing.white,
        winner,
        end,
        moves: race.steps().iter().map(name).collect(),
        opening_plies: 0,
        seconds,
        playouts,
        turns,
    })
}

/// A step as text: the first letters of the ways of `1` and `2`.
fn name(ways: &[Direction; 2]) -> String {
    ways.iter().filter_map(|way| way.name().chars().next()).collect()
}

struct Game<'a> {
    pairing: &'a Pairing,
    limits: [Limit; 2],
    players: [&'a mut (dyn Rider + 'a); 2],
    race: Race,
    meters: Meters,
}

/// Who has won, and how.
type Verdict = (Option<Seat>, End);

/// Why a game ends before the rules say so: who has lost by it; none if it was stopped.
type Abort = Option<Verdict>;

impl Game<'_> {
    /// None if the game was stopped.
    fn play(&mut self, stop: &AtomicBool) -> Option<Verdict> {
        for seat in Seat::BOTH {
            let (limit, seed) = (self.limits[seat.index()], self.pairing.seeds[seat.index()]);
            let begun = self.players[seat.index()].begin(&Start { size: 0, limit, seed });
            if let Err(fault) = begun {
                return at_fault(seat, fault);
            }
        }
        loop {
            if let Some(verdict) = self.verdict() {
                return Some(verdict);
            }
            match self.ways(stop) {
                Ok(ways) => self.race.step(ways),
                Err(abort) => return abort,
            }
        }
    }

    fn seat_of(&self, side: Side) -> Seat {
        if side == 0 { self.pairing.white } else { self.pairing.white.other() }
    }

    /// How the game stands by the rules, if it is over.
    fn verdict(&self) -> Option<Verdict> {
        let end = match self.race.finish()? {
            Finish::Crash => End::Crash,
            Finish::BothCrash => End::BothCrash,
            Finish::SameCell => End::SameCell,
        };
        Some((self.race.winner().map(|side| self.seat_of(side)), end))
    }

    /// Where both sides go.
    fn ways(&mut self, stop: &AtomicBool) -> Result<[Direction; 2], Abort> {
        let map = self.race.map();
        let first = self.ask(0, &map, stop)?;
        Ok([first, self.ask(1, &map.turned(), stop)?])
    }

    /// Where a side goes on a map on which it is `1`.
    fn ask(&mut self, side: Side, map: &Map, stop: &AtomicBool) -> Result<Direction, Abort> {
        let seat = self.seat_of(side);
        let index = seat.index();
        let begin = Instant::now();
        let answer = self.players[index].choose(map, stop);
        let took = begin.elapsed();
        self.meters.count_turn(index, took);
        let ride = answer.map_err(|fault| at_fault(seat, fault))?;
        if stop.load(Ordering::Relaxed) {
            return Err(None);
        }
        self.meters.playouts[index] += ride.playouts.unwrap_or(0);
        let counted = if self.meters.turns[index] == 1 { took / FIRST } else { took };
        if self.meters.is_late(index, counted) {
            return Err(Some((Some(seat.other()), End::OutOfTime)));
        }
        Ok(ride.way)
    }
}

fn at_fault(seat: Seat, fault: Fault) -> Abort {
    match fault {
        Fault::Stopped => None,
        fault => Some((Some(seat.other()), End::Fault(fault.to_string()))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::rider::Ride;
    use super::*;
    use Direction::{East, North, South, West};

    /// Goes its ways, and keeps the maps it was shown.
    struct Script {
        ways: Vec<Direction>,
        seen: Vec<String>,
    }

    impl Script {
        fn new(ways: &[Direction]) -> Self {
            Self { ways: ways.iter().rev().copied().collect(), seen: Vec::new() }
        }
    }

    impl Rider for Script {
        fn begin(&mut self, _start: &Start) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, map: &Map, _stop: &AtomicBool) -> Result<Ride, Fault> {
            self.seen.push(map.to_string());
            let crash = || Fault::Crash("out of ways".to_string());
            Ok(Ride { way: self.ways.pop().ok_or_else(crash)?, playouts: Some(7) })
        }
    }

    fn game(white: Seat, a: &mut Script, b: &mut Script) -> GameResult {
        let pairing = Pairing { game: 3, white, opening: Vec::new(), seeds: [1, 2] };
        let map = "4 2\n1   \n   2\n".parse().expect("a map");
        let never = AtomicBool::new(false);
        play(&pairing, &map, [Limit::Playouts(1); 2], [a, b], &never).expect("a game")
    }

    #[test]
    fn the_rules_decide_for_either_side() {
        for (white, winner) in [(Seat::A, Seat::B), (Seat::B, Seat::A)] {
            // To the south there is room for `1` only, to the north for `2`.
            let south = game(white, &mut Script::new(&[South]), &mut Script::new(&[South]));
            assert_eq!((south.winner, &south.end), (Some(white), &End::Crash));
            assert_eq!(south.moves, ["ss"]);
            let north = game(white, &mut Script::new(&[North]), &mut Script::new(&[North]));
            assert_eq!((north.winner, north.turns), (Some(winner), [1, 1]));
            assert_eq!(north.playouts, [7, 7]);
        }
        let both = game(Seat::A, &mut Script::new(&[West]), &mut Script::new(&[East]));
        assert_eq!((both.winner, both.end), (None, End::BothCrash));
    }

    #[test]
    fn each_is_shown_the_map_as_its_own() {
        let (mut one, mut two) = (Script::new(&[East]), Script::new(&[West]));
        game(Seat::B, &mut two, &mut one);
        assert_eq!(one.seen, ["4 2\n1   \n   2\n", "4 2\n#1  \n  2#\n"]);
        assert_eq!(two.seen, ["4 2\n2   \n   1\n"], "who is asked first is out of ways");
    }

    /// Takes a while for its moves.
    struct Slow(Duration);

    impl Rider for Slow {
        fn begin(&mut self, _start: &Start) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, _map: &Map, _stop: &AtomicBool) -> Result<Ride, Fault> {
            std::thread::sleep(self.0);
            Ok(Ride { way: West, playouts: None })
        }
    }

    #[test]
    fn only_the_first_move_may_take_longer() {
        let pairing = Pairing { game: 0, white: Seat::A, opening: Vec::new(), seeds: [1, 2] };
        let map = "4 2\n1   \n   2\n".parse().expect("a map");
        let (mut fast, mut slow) = (Script::new(&[East, East]), Slow(Duration::from_millis(600)));
        let limits = [Limit::Seconds(0.01); 2];
        let never = AtomicBool::new(false);
        let late = play(&pairing, &map, limits, [&mut fast, &mut slow], &never).expect("a game");
        assert_eq!((late.winner, late.end), (Some(Seat::A), End::OutOfTime));
        assert_eq!((late.moves.len(), late.turns), (1, [2, 2]));
    }

    #[test]
    fn faults_lose() {
        let (mut a, mut b) = (Script::new(&[East, South]), Script::new(&[North]));
        let fault = game(Seat::A, &mut a, &mut b);
        assert_eq!(fault.winner, Some(Seat::A));
        assert!(matches!(&fault.end, End::Fault(why) if why.contains("out of ways")));
        assert_eq!((fault.moves.len(), fault.turns), (1, [2, 2]));
    }
}
