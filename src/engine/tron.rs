//! An engine for Tron on a grid whose size is chosen at run time.
//! Moves are simultaneous. The search lets its own side choose first and the other reply (Laschet
//! 2012 §2.2).

use std::sync::atomic::AtomicBool;

use super::Engine;
use crate::alpha_beta::TerritorySearch;
use crate::bits::{Isa, Words};
use crate::game::{Move, Position as _};
use crate::mcts::Mcts;
use crate::params::{ParamError, Params, Selection};
use crate::search::{Limits, Report, Search};
use crate::tron::position::with_words;
use crate::tron::{Direction, Map, Position, Side};

/// Plays Tron: the game so far, and the search that follows it.
pub trait TronEngine: Send {
    /// The position as a map.
    fn map(&self) -> Map;

    /// The points of side 0, if the game is over.
    fn result(&self) -> Option<u32>;

    /// Searches the position for a side, which does not know the simultaneous move of the other.
    /// Returns the best direction, or north if there is none.
    fn choose(&mut self, side: Side, limits: &Limits, stop: &AtomicBool) -> (Direction, Report);

    /// Plays the simultaneous moves of both sides. Does nothing if the game is over.
    fn play(&mut self, ways: [Direction; 2]);
}

/// An engine at the position of a map. The error is a setting that has no meaning in Tron.
pub fn tron_engine(
    map: &Map,
    isa: Isa,
    params: &Params,
) -> Result<Box<dyn TronEngine>, ParamError> {
    let params = &params.clone().for_tron()?;
    Ok(with_words!(map.grid.span(), W => {
        Box::new(OnGrid::<W>::new(map, isa, params)) as Box<dyn TronEngine>
    }))
}

struct OnGrid<W: Words> {
    engine: Engine<Position<W>>,
}

impl<W: Words> OnGrid<W> {
    fn new(map: &Map, isa: Isa, params: &Params) -> Self {
        let params = params.clone();
        let new_search = move |position: &Position<W>| -> Box<dyn Search> {
            match params.selection {
                Selection::AlphaBeta => Box::new(TerritorySearch::new(isa, position.clone())),
                _ => Box::new(Mcts::new(isa, &params, position.boxed())),
            }
        };
        Self { engine: Engine::new(Position::new(map, 0), new_search) }
    }

    fn position(&self) -> &Position<W> {
        self.engine.position()
    }
}

impl<W: Words> TronEngine for OnGrid<W> {
    fn map(&self) -> Map {
        self.position().to_map()
    }

    fn result(&self) -> Option<u32> {
        self.position().result()
    }

    fn choose(&mut self, side: Side, limits: &Limits, stop: &AtomicBool) -> (Direction, Report) {
        // The side that searches chooses first (Laschet 2012 §2.2).
        if self.position().first() != side {
            let same = self.position().clone().with_first(side);
            self.engine.set_position(same);
        }
        let report = self.engine.analyze(limits, stop, &mut |_| {});
        let best = report.best.and_then(|best| self.position().direction(side, best));
        (best.unwrap_or(Direction::North), report)
    }

    fn play(&mut self, ways: [Direction; 2]) {
        let position = self.position();
        if position.result().is_some() {
            return;
        }
        let first = position.first();
        let cells = [0, 1].map(|side| position.grid().step(position.head(side), ways[side]));
        if cells.iter().any(|cell| position.taken().contains(*cell)) {
            let mut after = position.clone();
            after.play(ways);
            self.engine.set_position(after);
            return;
        }
        for side in [first, 1 - first] {
            self.engine.play(Move::new(cells[side])).expect("the cell is free");
        }
    }
}
