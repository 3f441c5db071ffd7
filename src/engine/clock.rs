//! The clock of a game: the limits of a side's next move. No I/O; time is told by the caller.
//!
//! - A fixed time per move is used in full.
//! - Game time is divided by the number of moves that are likely to come. That number follows from
//!   the free cells and has a lower bound, so that most time goes to the opening and the middle
//!   game, and the time never runs out.
//! - With game time, a search ends early when no other move can overtake the best. It may take
//!   extra time when visits and value disagree.
//! - Byo-yomi is counted in stones: each period is an amount of time for a number of stones.

use std::time::Duration;

use crate::havannah::Colour;
use crate::search::Limits;

/// The time settings of a game. With nothing set, the caller chooses the limits of each move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeControl {
    /// For each move.
    pub move_time: Option<Duration>,
    pub move_playouts: Option<u64>,
    /// For the game.
    pub game: Option<GameTime>,
}

/// Game time: main time, then byo-yomi periods of `stones` stones each. With 0 stones, sudden
/// death.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTime {
    pub main: Duration,
    pub period: Duration,
    pub stones: u32,
}

/// What is left of a side's time. `stones` is 0 in main time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    time: Duration,
    stones: u32,
}

#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: [Left; 2],
}

/// Safety margin for the delay between this clock and that of the other program.
const MARGIN: Duration = Duration::from_millis(20);

/// The share of the cells that is filled when a game between equals ends.
const FILLED: f64 = 0.5;

/// Lower bound of the number of own moves still to come.
const LAST_MOVES: f64 = 12.0;

/// The most that one move may take, as a multiple of its share.
const LARGEST: f64 = 1.5;

impl Clock {
    pub fn new(control: TimeControl) -> Self {
        let game = control.game.unwrap_or(GameTime {
            main: Duration::ZERO,
            period: Duration::ZERO,
            stones: 0,
        });
        let left = if game.main.is_zero() {
            Left { time: game.period, stones: game.stones }
        } else {
            Left { time: game.main, stones: 0 }
        };
        Self { control, left: [left; 2] }
    }

    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Sets what a side has left, as reported by the program that keeps the time.
    pub fn set_left(&mut self, side: Colour, time: Duration, stones: u32) {
        self.left[side.index()] = Left { time, stones };
    }

    /// What a side has left, and the number of stones to play in that time (0 in main time).
    pub fn left(&self, side: Colour) -> (Duration, u32) {
        let Left { time, stones } = self.left[side.index()];
        (time, stones)
    }

    /// Subtracts the time of a move from a side.
    pub fn spend(&mut self, side: Colour, time: Duration) {
        let Some(game) = self.control.game else {
            return;
        };
        let left = &mut self.left[side.index()];
        let period = Left { time: game.period, stones: game.stones };
        let is_main = left.stones == 0;
        if left.time < time && is_main && game.stones > 0 {
            // Main time ran out during this move. It is the first move of byo-yomi.
            let over = time - left.time;
            *left = Left { time: period.time.saturating_sub(over), stones: period.stones };
        } else {
            left.time = left.time.saturating_sub(time);
        }
        if left.stones > 0 {
            left.stones -= 1;
            if left.stones == 0 {
                *left = period;
            }
        }
    }

    /// The limits of a side's next move, on a board with `cells` cells and `stones` stones. `None`
    /// if no time was set.
    pub fn limits(&self, side: Colour, cells: usize, stones: usize) -> Option<Limits> {
        let TimeControl { move_time, move_playouts, game } = self.control;
        if move_time.is_none() && move_playouts.is_none() && game.is_none() {
            return None;
        }
        let mut limits = Limits { playouts: move_playouts, time: move_time, ..Limits::default() };
        if let Some(game) = game {
            let (share, most) = self.share(game, side, cells, stones);
            let time = move_time.map_or(share, |time| time.min(share));
            limits.time = Some(time);
            limits.extra_time = most.saturating_sub(time).min(time);
            limits.stop_when_decided = true;
        }
        Some(limits)
    }

    /// The time that a move should take of the game time, and the most that it may take.
    fn share(
        &self,
        game: GameTime,
        side: Colour,
        cells: usize,
        stones: usize,
    ) -> (Duration, Duration) {
        let left = self.left[side.index()];
        let usable = left.time.saturating_sub(MARGIN.min(left.time / 2));
        if left.stones > 0 {
            let each = usable / left.stones;
            // The last stone of a period uses all that is left of it.
            let most = if left.stones == 1 { each } else { each.mul_f64(LARGEST) };
            return (each, most);
        }
        let plies_left = FILLED * cells as f64 - stones as f64;
        let moves_left = (plies_left / 2.0).max(LAST_MOVES);
        let share = usable.mul_f64(1.0 / moves_left);
        let most = share.mul_f64(LARGEST);
        if game.stones == 0 {
            return (share, most);
        }
        // Byo-yomi follows. So a move in main time gets at least the time of one byo-yomi stone,
        // even if it uses up the first of them.
        let of_period = game.period.saturating_sub(MARGIN.min(game.period / 2)) / game.stones;
        (share.max(of_period), most.max(of_period))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: usize = 91;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(main: f64, period: f64, stones: u32) -> Clock {
        let game = Some(GameTime { main: seconds(main), period: seconds(period), stones });
        Clock::new(TimeControl { game, ..TimeControl::default() })
    }

    fn next(clock: &Clock, stones: usize) -> Limits {
        clock.limits(Colour::White, CELLS, stones).expect("time was set")
    }

    #[test]
    fn a_fixed_time_is_used_in_full() {
        assert_eq!(Clock::new(TimeControl::default()).limits(Colour::White, CELLS, 0), None);
        let control =
            TimeControl { move_time: Some(seconds(2.0)), move_playouts: Some(700), game: None };
        let mut clock = Clock::new(control);
        for stones in [0, 50] {
            let limits = next(&clock, stones);
            assert_eq!((limits.time, limits.playouts), (Some(seconds(2.0)), Some(700)));
            assert!(limits.extra_time.is_zero() && !limits.stop_when_decided);
            clock.spend(Colour::White, seconds(5.0));
        }
    }

    /// Sudden death never runs out, even in a full-length game where every move is late.
    #[test]
    fn sudden_death_never_comes() {
        for (main, late) in [(3.0, 0.0005), (60.0, 0.005), (0.2, 0.0001)] {
            let mut clock = clock(main, 0.0, 0);
            let mut first = Duration::ZERO;
            for ply in (0..CELLS).step_by(2) {
                let limits = next(&clock, ply);
                let time = limits.time.expect("a limit") + limits.extra_time;
                if ply == 0 {
                    first = limits.time.expect("a limit");
                    assert!(first > seconds(main / 60.0), "{first:?}");
                }
                assert!(time <= clock.left(Colour::White).0, "{main} s, ply {ply}");
                clock.spend(Colour::White, time + seconds(late));
                assert!(clock.left(Colour::White).0 > Duration::ZERO, "{main} s, ply {ply}");
            }
            assert!(next(&clock, CELLS - 1).time < Some(first));
        }
    }

    #[test]
    fn byo_yomi_is_counted_in_stones() {
        let mut clock = clock(1.0, 10.0, 5);
        assert_eq!(clock.left(Colour::White), (seconds(1.0), 0));
        // Main time ends during a move, and the first period begins.
        clock.spend(Colour::White, seconds(3.0));
        assert_eq!(clock.left(Colour::White), (seconds(8.0), 4));
        for left in [3, 2, 1] {
            let limits = next(&clock, 30);
            let (time, stones) = clock.left(Colour::White);
            assert!(limits.time.expect("a limit") <= time / stones, "{stones} stones");
            assert!(limits.time.expect("a limit") + limits.extra_time <= time, "{stones} stones");
            clock.spend(Colour::White, seconds(1.0));
            assert_eq!(clock.left(Colour::White), (time - seconds(1.0), left));
        }
        clock.spend(Colour::White, seconds(1.0));
        assert_eq!(clock.left(Colour::White), (seconds(10.0), 5), "a new period");
        assert_eq!(clock.left(Colour::Black), (seconds(1.0), 0), "the other clock stood still");
        clock.set_left(Colour::White, seconds(0.5), 1);
        let limits = next(&clock, 30);
        assert!(limits.time > Some(seconds(0.4)) && limits.time < Some(seconds(0.5)));
        assert!(limits.extra_time.is_zero());
    }

    /// From main time to byo-yomi, every move gets at least the time of one stone, and no time is
    /// lost.
    #[test]
    fn main_time_goes_over_into_byo_yomi() {
        let mut clock = clock(1.0, 5.0, 5);
        for ply in (0..60).step_by(2) {
            let limits = next(&clock, ply);
            let (time, stones) = clock.left(Colour::White);
            let (least, most) = (limits.time.expect("a limit"), seconds(5.0 / 5.0));
            assert!(least >= seconds(0.9), "ply {ply}: {least:?} of {time:?} for {stones}");
            let allowed = if stones == 0 { time + most } else { time };
            assert!(least + limits.extra_time <= allowed, "ply {ply}");
            clock.spend(Colour::White, least);
        }
        assert!(clock.left(Colour::White).1 > 0, "main time is over");
    }

    #[test]
    fn without_main_time_byo_yomi_comes_first() {
        let clock = clock(0.0, 10.0, 5);
        assert_eq!(clock.left(Colour::Black), (seconds(10.0), 5));
        assert!(next(&clock, 0).time <= Some(seconds(2.0)));
    }

    #[test]
    fn no_time_is_no_time() {
        let mut clock = clock(5.0, 0.0, 0);
        clock.set_left(Colour::White, Duration::ZERO, 0);
        let limits = next(&clock, 0);
        assert_eq!((limits.time, limits.extra_time), (Some(Duration::ZERO), Duration::ZERO));
    }
}
