//! One game of any kind: the contestants are asked for moves, the rules decide.
//!
//! What the contestants say about legality or results is not asked for. A contestant loses that makes an
//! illegal move, runs out of time, crashes or talks nonsense, and the reason is kept. Contestants that
//! move at once are asked one after the other, so that each has the machine for itself; if both fail,
//! the one that was asked first has lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::contestant::{Contestant, Fault, Limit, Start};
use super::game::{Game, Opening};
use super::game_result::{End, GameResult, PlayerSide};
use super::meters::Meters;
use super::schedule::Pairing;
use crate::havannah::Colour;

/// Plays a game between A and B; none if it was stopped.
pub fn play<'a, G: Game>(
    pairing: &'a Pairing,
    opening: Opening<G>,
    limits: [Limit; 2],
    contestants: [&'a mut (dyn Contestant<G> + 'a); 2],
    stop: &'a AtomicBool,
) -> Option<GameResult> {
    let Opening { game, moves: opening } = opening;
    let meters = Meters::new(limits);
    let mut referee = Referee { pairing, limits, contestants, game, meters, stop };
    let (winner, end) = match referee.play(&opening) {
        Ok((winner, end)) => (winner, end),
        Err(Abort::Lost(loser, end)) => (Some(loser.other()), end),
        Err(Abort::Stopped) => return None,
    };
    let Referee { game, meters: Meters { seconds, playouts, turns, .. }, .. } = referee;
    Some(GameResult {
        game: pairing.game,
        white: pairing.white,
        winner,
        end,
        moves: game.move_names(),
        opening_plies: opening.len(),
        seconds,
        playouts,
        turns,
    })
}

/// Why a game ends before the rules end it.
enum Abort {
    Lost(PlayerSide, End),
    Stopped,
}

impl Abort {
    fn by_fault(seat: PlayerSide, fault: Fault) -> Self {
        match fault {
            Fault::Stopped => Self::Stopped,
            fault => Self::Lost(seat, End::Fault(fault.to_string())),
        }
    }
}

struct Referee<'a, G: Game> {
    pairing: &'a Pairing,
    limits: [Limit; 2],
    contestants: [&'a mut (dyn Contestant<G> + 'a); 2],
    game: G,
    meters: Meters,
    stop: &'a AtomicBool,
}

impl<G: Game> Referee<'_, G> {
    /// The winner by the rules, and how it won.
    fn play(&mut self, opening: &[G::Move]) -> Result<(Option<PlayerSide>, End), Abort> {
        for seat in PlayerSide::BOTH {
            let index = seat.index();
            let start = Start { limit: self.limits[index], seed: self.pairing.seeds[index] };
            let begun = self.contestants[index].begin(&self.game, &start);
            begun.map_err(|fault| Abort::by_fault(seat, fault))?;
        }
        for played in opening {
            self.game.play(&[*played]);
            PlayerSide::BOTH.into_iter().try_for_each(|seat| self.tell(seat, *played))?;
        }
        loop {
            if let Some((winner, end)) = self.game.verdict() {
                return Ok((winner.map(|side| self.seat_of(side)), end));
            }
            self.turn()?;
        }
    }

    fn seat_of(&self, side: Colour) -> PlayerSide {
        match side {
            Colour::White => self.pairing.white,
            Colour::Black => self.pairing.white.other(),
        }
    }

    /// Tells a contestant of a move that is not its own.
    fn tell(&mut self, seat: PlayerSide, played: G::Move) -> Result<(), Abort> {
        let told = self.contestants[seat.index()].watch(&self.game, played);
        told.map_err(|fault| Abort::by_fault(seat, fault))
    }

    /// Every side whose turn it is moves.
    fn turn(&mut self) -> Result<(), Abort> {
        let sides = self.game.to_move();
        let mut moves = Vec::with_capacity(sides.len());
        for side in &sides {
            moves.push(self.ask(*side)?);
        }
        self.game.play(&moves);
        let opponents = sides.into_iter().map(|side| self.seat_of(side).other());
        let opponents: Vec<PlayerSide> = opponents.collect();
        opponents.into_iter().zip(moves).try_for_each(|(seat, played)| self.tell(seat, played))
    }

    /// The move of a side.
    fn ask(&mut self, side: Colour) -> Result<G::Move, Abort> {
        let seat = self.seat_of(side);
        let index = seat.index();
        let begin = Instant::now();
        let left = self.meters.left[index];
        let answer = self.contestants[index].choose(&self.game, side, left, self.stop);
        let took = begin.elapsed();
        self.meters.count_turn(index, took);
        let answer = answer.map_err(|fault| Abort::by_fault(seat, fault))?;
        if self.stop.load(Ordering::Relaxed) {
            return Err(Abort::Stopped);
        }
        self.meters.playouts[index] += answer.playouts.unwrap_or(0);
        let is_first = self.meters.turns[index] == 1;
        let counted = if is_first { took / G::FIRST_MOVE } else { took };
        if self.meters.is_late(index, counted) {
            return Err(Abort::Lost(seat, End::OutOfTime));
        }
        let chosen = answer.choice.ok_or(Abort::Lost(seat, End::Resigned))?;
        let illegal = |text: String| Abort::Lost(seat, End::IllegalMove(text));
        self.game.check(chosen).map_err(illegal)?;
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Turn;
    use crate::havannah::Notation;
    use crate::matches::contestant::Answer;
    use crate::matches::havannah::HavannahGame;
    use crate::matches::tron::TronGame;
    use crate::tron::Direction::{self, East, North, South, West};

    /// Answers with the moves of a list, each after a while, and keeps what it is shown and told.
    struct Script<M> {
        moves: Vec<Option<M>>,
        delay: Duration,
        shown: Vec<String>,
        told: Vec<M>,
    }

    impl<M: Copy> Script<M> {
        fn new(moves: &[M]) -> Self {
            Self::with(moves.iter().copied().map(Some))
        }

        fn with(moves: impl DoubleEndedIterator<Item = Option<M>>) -> Self {
            let moves = moves.rev().collect();
            Self { moves, delay: Duration::ZERO, shown: Vec::new(), told: Vec::new() }
        }

        fn answer(&mut self, shown: String) -> Result<Answer<M>, Fault> {
            std::thread::sleep(self.delay);
            self.shown.push(shown);
            let crash = || Fault::Crash("out of moves".to_string());
            Ok(Answer { choice: self.moves.pop().ok_or_else(crash)?, playouts: Some(7) })
        }
    }

    impl Contestant<TronGame> for Script<Direction> {
        fn begin(&mut self, _game: &TronGame, _start: &Start) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(
            &mut self,
            game: &TronGame,
            side: Colour,
            _left: Option<Duration>,
            _stop: &AtomicBool,
        ) -> Result<Answer<Direction>, Fault> {
            self.answer(game.map_for(side).to_string())
        }
    }

    impl Contestant<HavannahGame> for Script<Turn> {
        fn begin(&mut self, _game: &HavannahGame, _start: &Start) -> Result<(), Fault> {
            Ok(())
        }

        fn watch(&mut self, _game: &HavannahGame, played: Turn) -> Result<(), Fault> {
            self.told.push(played);
            Ok(())
        }

        fn choose(
            &mut self,
            game: &HavannahGame,
            _side: Colour,
            _left: Option<Duration>,
            _stop: &AtomicBool,
        ) -> Result<Answer<Turn>, Fault> {
            self.answer(game.move_names().join(" "))
        }
    }

    fn played<G: Game>(
        white: PlayerSide,
        opening: Opening<G>,
        limit: Limit,
        a: &mut dyn Contestant<G>,
        b: &mut dyn Contestant<G>,
    ) -> GameResult {
        let pairing = Pairing { game: 3, white, seeds: [1, 2] };
        play(&pairing, opening, [limit; 2], [a, b], &AtomicBool::new(false)).expect("a game")
    }

    fn tron(white: PlayerSide, a: &mut Script<Direction>, b: &mut Script<Direction>) -> GameResult {
        timed_tron(white, Limit::Playouts(1), a, b)
    }

    fn timed_tron(
        white: PlayerSide,
        limit: Limit,
        a: &mut Script<Direction>,
        b: &mut Script<Direction>,
    ) -> GameResult {
        let game = TronGame::new(&"4 2\n1   \n   2\n".parse().expect("a map"));
        played(white, Opening { game, moves: Vec::new() }, limit, a, b)
    }

    #[test]
    fn the_rules_decide_for_either_side() {
        for (white, winner) in [(PlayerSide::A, PlayerSide::B), (PlayerSide::B, PlayerSide::A)] {
            // To the south there is room for `1` only, to the north for `2`.
            let south = tron(white, &mut Script::new(&[South]), &mut Script::new(&[South]));
            assert_eq!((south.winner, &south.end), (Some(white), &End::Crash));
            assert_eq!(south.moves, ["ss"]);
            let north = tron(white, &mut Script::new(&[North]), &mut Script::new(&[North]));
            assert_eq!((north.winner, north.turns), (Some(winner), [1, 1]));
            assert_eq!(north.playouts, [7, 7]);
        }
        let both = tron(PlayerSide::A, &mut Script::new(&[West]), &mut Script::new(&[East]));
        assert_eq!((both.winner, both.end), (None, End::BothCrash));
    }

    #[test]
    fn who_moves_at_once_does_not_know_of_the_other() {
        let (mut one, mut two) = (Script::new(&[East]), Script::new(&[West]));
        tron(PlayerSide::B, &mut two, &mut one);
        assert_eq!(one.shown, ["4 2\n1   \n   2\n", "4 2\n#1  \n  2#\n"]);
        assert_eq!(two.shown, ["4 2\n2   \n   1\n"], "who is asked first is out of moves");
    }

    #[test]
    fn only_the_first_move_may_take_longer() {
        let (mut fast, mut slow) = (Script::new(&[East, East]), Script::new(&[West, West]));
        slow.delay = Duration::from_millis(600);
        let late = timed_tron(PlayerSide::A, Limit::Seconds(0.01), &mut fast, &mut slow);
        assert_eq!((late.winner, late.end), (Some(PlayerSide::A), End::OutOfTime));
        assert_eq!((late.moves.len(), late.turns), (1, [2, 2]));
    }

    #[test]
    fn faults_lose() {
        let (mut a, mut b) = (Script::new(&[East, South]), Script::new(&[North]));
        let fault = tron(PlayerSide::A, &mut a, &mut b);
        assert_eq!(fault.winner, Some(PlayerSide::A));
        assert!(matches!(&fault.end, End::Fault(why) if why.contains("out of moves")));
        assert_eq!((fault.moves.len(), fault.turns), (1, [2, 2]));
    }

    /// A turn of Havannah on base 4, with the letter of its side before the cell.
    fn turn(text: &str) -> Turn {
        let (side, cell) = text.split_at(1);
        let side = if side == "w" { Colour::White } else { Colour::Black };
        let tables = HavannahGame::new(4, false).geometry();
        Turn::Place(side, tables.read_cell(Notation::Letternum, cell).expect("a cell"))
    }

    fn havannah(pie: bool, a: &mut Script<Turn>, b: &mut Script<Turn>) -> GameResult {
        let opening = Opening { game: HavannahGame::new(4, pie), moves: vec![turn("wa1")] };
        played(PlayerSide::A, opening, Limit::Playouts(1), a, b)
    }

    #[test]
    fn each_is_told_of_what_it_has_not_played() {
        let (mut a, mut b) = (Script::with([None].into_iter()), Script::new(&[turn("bd4")]));
        let resigned = havannah(false, &mut a, &mut b);
        assert_eq!((resigned.winner, resigned.end), (Some(PlayerSide::B), End::Resigned));
        assert_eq!((resigned.moves, resigned.opening_plies), (vec!["a1".into(), "d4".into()], 1));
        assert_eq!((resigned.turns, resigned.playouts), ([1, 1], [7, 7]));
        assert_eq!(a.told, [turn("wa1"), turn("bd4")]);
        assert_eq!(b.told, [turn("wa1")]);
        assert_eq!((a.shown, b.shown), (vec!["a1 d4".to_string()], vec!["a1".to_string()]));
    }

    #[test]
    fn illegal_moves_lose() {
        for (moves, text) in [([turn("ba1")], "a1"), ([Turn::Swap], "swap")] {
            let illegal = havannah(false, &mut Script::new(&[]), &mut Script::new(&moves));
            assert_eq!(illegal.winner, Some(PlayerSide::A));
            assert_eq!(illegal.end, End::IllegalMove(text.to_string()));
            assert_eq!(illegal.moves, ["a1"]);
        }
        let swapped = havannah(true, &mut Script::new(&[]), &mut Script::new(&[Turn::Swap]));
        assert_eq!(
            (swapped.winner, swapped.moves),
            (Some(PlayerSide::B), vec!["a1".into(), "swap".into()])
        );
    }
}
