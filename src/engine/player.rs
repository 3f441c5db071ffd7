//! A Havannah player: an engine with a clock that also decides about swapping and resigning.
//!
//! `choose` decides and does not play; `make` plays. Who resigned is recorded by the caller.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::{Clock, HavannahEngine, TimeControl, Updates, openings};
use crate::bits::Isa;
use crate::havannah::{Cell, Colour, Geometry, Notation};
use crate::params::Params;
use crate::rng::Rng;
use crate::search::{Limits, Report};
use crate::tree::Status;

/// What a player does in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Place(Cell),
    Swap,
    Resign,
}

impl Choice {
    /// The choice as text.
    pub fn name(self, geometry: &Geometry, notation: Notation) -> String {
        match self {
            Self::Place(cell) => geometry.write_cell(notation, cell),
            Self::Swap => "swap".to_string(),
            Self::Resign => "resign".to_string(),
        }
    }
}

/// Openings at most this far from one half count as even under the pie rule. (Win rates of playouts
/// lie close together on large boards, where an edge is worth 0.50 and the centre 0.51.)
const EVEN: f64 = 0.003;

pub struct Player {
    isa: Isa,
    params: Params,
    engine: HavannahEngine,
    clock: Clock,
    rng: Rng,
    /// For each side, the number of its last moves in a row with a win rate below `resign`.
    hopeless: [u32; 2],
    /// Whether the last choice was made with a win rate below `resign`.
    looked_hopeless: bool,
    /// Upper limits of every search, independent of the clock.
    most: Limits,
}

impl Player {
    /// A player at an empty board. `None` if there is no such base.
    pub fn new(size: usize, isa: Isa, params: &Params, control: TimeControl) -> Option<Self> {
        Some(Self {
            isa,
            params: params.clone(),
            engine: HavannahEngine::new(size, isa, params)?,
            clock: Clock::new(control),
            rng: Rng::new(params.seed),
            hopeless: [0; 2],
            looked_hopeless: false,
            most: Limits::default(),
        })
    }

    pub fn engine(&self) -> &HavannahEngine {
        &self.engine
    }

    pub fn engine_mut(&mut self) -> &mut HavannahEngine {
        &mut self.engine
    }

    pub fn isa(&self) -> Isa {
        self.isa
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    pub fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Sets the upper limits of every search, independent of the clock.
    pub fn limit(&mut self, most: Limits) {
        self.most = most;
    }

    /// Begins a new game on a board of a size. False if there is no such base.
    pub fn start(&mut self, size: usize) -> bool {
        let Some(engine) = HavannahEngine::new(size, self.isa, &self.params) else {
            return false;
        };
        self.engine = engine;
        self.clock = Clock::new(self.clock.control());
        self.hopeless = [0; 2];
        self.looked_hopeless = false;
        true
    }

    /// Changes the settings during a game. The tree stays if the search is the same.
    pub fn set_params(&mut self, params: &Params) {
        if params.seed != self.params.seed {
            self.rng = Rng::new(params.seed);
        }
        if !params.is_same_search(&self.params) {
            self.engine.set_params(params);
        }
        self.params = params.clone();
    }

    /// Makes the chosen move for a side. For `Resign` the caller has to record the result.
    pub fn make(&mut self, side: Colour, choice: Choice) {
        match choice {
            Choice::Place(cell) => {
                self.engine.place(side, cell).expect("the engine makes legal moves");
            }
            Choice::Swap => {
                self.engine.swap();
            }
            Choice::Resign => {}
        }
        let hopeless = &mut self.hopeless[side.index()];
        *hopeless = if self.looked_hopeless { *hopeless + 1 } else { 0 };
    }

    /// Takes the last turn back. False if there is none.
    pub fn undo(&mut self) -> bool {
        self.hopeless = [0; 2];
        self.looked_hopeless = false;
        self.engine.undo()
    }

    pub fn set_control(&mut self, control: TimeControl) {
        self.clock = Clock::new(control);
    }

    /// Chooses a move for a side, on its clock. Returns it with the report of the search. `None` if
    /// the game is over. The move is not played.
    pub fn choose(&mut self, side: Colour, stop: &AtomicBool) -> Option<(Choice, Report)> {
        let begin = Instant::now();
        if self.engine.outcome().is_over() {
            return None;
        }
        self.engine.give_move_to(side);
        let geometry = self.engine.geometry();
        let is_opening = self.params.pie && self.engine.turns().is_empty();
        if let Some(cell) = is_opening.then(|| self.even_opening()).flatten() {
            let (known, next) = (self.engine.report(), geometry.move_to(cell));
            let report = Report { best: Some(next), pv: vec![next], ..known };
            return Some((Choice::Place(cell), report));
        }
        let report = self.analyze(self.limits(side), stop, None);
        let best = report.best.expect("a game that is not over has moves");
        let choice = if self.params.pie && self.engine.can_swap() && self.swaps(&report) {
            Choice::Swap
        } else if self.resigns(side, &report) {
            Choice::Resign
        } else {
            Choice::Place(geometry.cell_of(best))
        };
        self.clock.spend(side, begin.elapsed());
        Some((choice, report))
    }

    /// The limits of a side's next move.
    pub fn limits(&self, side: Colour) -> Limits {
        let (cells, stones) =
            (self.engine.geometry().cell_count(), self.engine.board().stone_count());
        self.clock.limits(side, cells, stones).unwrap_or_default()
    }

    /// Searches the position. The upper limits of the player hold too.
    pub fn analyze(
        &mut self,
        limits: Limits,
        stop: &AtomicBool,
        updates: Option<Updates<'_>>,
    ) -> Report {
        let limits = Limits {
            playouts: limits.playouts.into_iter().chain(self.most.playouts).min(),
            time: limits.time.into_iter().chain(self.most.time).min(),
            ..limits
        };
        self.engine.analyze(&limits, stop, updates)
    }

    /// Searches for the side to move until `stop` is set, on the opponent's time.
    pub fn ponder(&mut self, stop: &AtomicBool) {
        self.analyze(Limits::default(), stop, None);
    }

    /// Draws uniformly one of the openings that count as even by the table. If none is within [`EVEN`],
    /// the closest to one half are used. `None` if the table has no openings of this size.
    fn even_opening(&mut self) -> Option<Cell> {
        let openings = openings::of_size(self.engine.geometry());
        let distance = |value: f64| (value - 0.5).abs();
        let least =
            openings.iter().map(|opening| distance(opening.value)).min_by(f64::total_cmp)?;
        let is_even = |value: f64| distance(value) <= least.max(EVEN);
        let even: Vec<Cell> = openings
            .iter()
            .filter(|opening| is_even(opening.value))
            .flat_map(|opening| openings::images(self.engine.geometry(), opening.cell))
            .collect();
        Some(even[self.rng.below(even.len() as u32) as usize])
    }

    /// Whether the second player should take the first stone.
    ///
    /// One search is enough. The position after the swap is the same with the colours exchanged, so
    /// the value of moving now is the value of the opponent after the swap. The table of openings
    /// is used instead if its search had more playouts and the value is not proven.
    fn swaps(&self, report: &Report) -> bool {
        let geometry = self.engine.geometry();
        let stone = geometry.cells().iter().find(|cell| self.engine.colour_at(**cell).is_some());
        let known = stone.and_then(|stone| openings::value_of(geometry, *stone));
        match known {
            Some(opening)
                if !report.status.is_proven() && opening.playouts > report.stats.playouts =>
            {
                opening.value > 0.5
            }
            _ => report.value < 0.5,
        }
    }

    /// Whether to resign: the position is a proven loss, or the win rate was low for
    /// `resign_streak` moves.
    fn resigns(&mut self, side: Colour, report: &Report) -> bool {
        self.looked_hopeless = report.value < f64::from(self.params.resign);
        let streak = self.hopeless[side.index()] + 1;
        let is_long = self.looked_hopeless && streak >= self.params.resign_streak;
        self.params.resign > 0.0 && (report.status == Status::LOST || is_long)
    }
}
