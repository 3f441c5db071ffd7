//! A player: an engine with a clock, who decides about swapping and resigning too.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::{Clock, HavannahEngine, TimeControl, Updates, openings};
use crate::bits::Isa;
use crate::havannah::{Cell, Colour, Geometry, Notation};
use crate::params::Params;
use crate::rng::Rng;
use crate::search::{Limits, Report};
use crate::tree::Status;

/// What a player does when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Place(Cell),
    Swap,
    Resign,
}

impl Choice {
    /// As text.
    pub fn name(self, geometry: &Geometry, notation: Notation) -> String {
        match self {
            Self::Place(cell) => geometry.write_cell(notation, cell),
            Self::Swap => "swap".to_string(),
            Self::Resign => "resign".to_string(),
        }
    }
}

/// Openings whose value is no farther from one half count as even under the pie rule. (Win rates of
/// playouts lie close together on large boards, where an edge is worth 0.50 and the centre 0.51.)
const EVEN: f64 = 0.003;

pub struct Player {
    isa: Isa,
    params: Params,
    engine: HavannahEngine,
    clock: Clock,
    rng: Rng,
    /// For each side, the moves in a row whose win rate was below that of resigning.
    hopeless: [u32; 2],
    /// Whether the last choice was made in a position that looked hopeless.
    looked_hopeless: bool,
    /// No search takes more than this, whatever the clock says.
    most: Limits,
}

impl Player {
    /// A player at an empty board; none if there is no base of that size.
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

    /// Limits that hold whatever the clock says.
    pub fn limit(&mut self, most: Limits) {
        self.most = most;
    }

    /// Begins a new game, on a board of a size; false if there is no such base.
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

    /// Changes the settings in the middle of a game.
    pub fn set_params(&mut self, params: &Params) {
        if params.seed != self.params.seed {
            self.rng = Rng::new(params.seed);
        }
        if !params.is_same_search(&self.params) {
            self.engine.set_params(params);
        }
        self.params = params.clone();
    }

    /// Does what was chosen for a side; resigning is for the caller to note.
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

    /// Takes the last turn back; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.hopeless = [0; 2];
        self.looked_hopeless = false;
        self.engine.undo()
    }

    pub fn set_control(&mut self, control: TimeControl) {
        self.clock = Clock::new(control);
    }

    /// Decides what a side should do, on its clock; what was found by search comes with it. None if
    /// the game is over. Nothing is played.
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

    /// Searches the position, within the limits that always hold.
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

    /// Searches for the side to move until it is stopped, while the opponent thinks.
    pub fn ponder(&mut self, stop: &AtomicBool) {
        self.analyze(Limits::default(), stop, None);
    }

    /// An opening that is worth as much to either side, as far as is known.
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

    /// Whether the second player should take the first stone. One search tells both: the position
    /// after the swap is the same with the colours exchanged, so what one side can expect of
    /// moving now the other can expect after the swap. A table made by longer searches knows
    /// better than a short one.
    fn swaps(&self, report: &Report) -> bool {
        let geometry = self.engine.geometry();
        let stone = geometry.cells().iter().find(|cell| self.engine.colour_at(**cell).is_some());
        let known = stone.and_then(|stone| openings::value_of(geometry, *stone));
        match known {
            Some(opening) if !report.status.is_proven() && opening.playouts > report.playouts => {
                opening.value > 0.5
            }
            _ => report.value < 0.5,
        }
    }

    /// Whether to give up: when the position is lost for certain, or has looked lost for long.
    fn resigns(&mut self, side: Colour, report: &Report) -> bool {
        self.looked_hopeless = report.value < f64::from(self.params.resign);
        let streak = self.hopeless[side.index()] + 1;
        let is_long = self.looked_hopeless && streak >= self.params.resign_streak;
        self.params.resign > 0.0 && (report.status == Status::LOST || is_long)
    }
}
