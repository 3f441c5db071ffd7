//! A player of Tron that is shown the map before each move, and is `1` on it.
//!
//! The contest's protocol says no more than that. Where a map follows from the last one by a step of
//! both, the search goes on in the tree that it has; any other map begins a new game.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::tron::{TronEngine, tron_engine};
use crate::bits::Isa;
use crate::params::{ParamError, Params};
use crate::search::{Limits, Report};
use crate::tron::{Direction, Map, Side};

/// The side that the player is on its maps.
const OWN: Side = 0;

/// Plays Tron by the maps it is shown.
pub struct TronPlayer {
    isa: Isa,
    params: Params,
    engine: Option<Box<dyn TronEngine>>,
}

impl TronPlayer {
    /// A player that has seen no map yet.
    pub fn new(isa: Isa, params: &Params) -> Self {
        Self { isa, params: params.clone(), engine: None }
    }

    /// The way to go on a map, with what was found by search. If it cannot move, any way will do. An
    /// error if the settings make no sense.
    pub fn choose(
        &mut self,
        map: &Map,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<(Direction, Report), ParamError> {
        let begin = Instant::now();
        let kept = self.engine.take().and_then(|engine| followed(engine, map));
        let engine = match kept {
            Some(engine) => engine,
            None => tron_engine(map, self.isa, &self.params)?,
        };
        let engine = self.engine.insert(engine);
        let time = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let (best, report) = engine.choose(OWN, &Limits { time, ..*limits }, stop);
        // A game that is as good as over is not searched, but has to be ended.
        let way = if report.best.is_some() { best } else { free_way(map).unwrap_or(best) };
        Ok((way, report))
    }
}

/// The engine at a map, if that is where it stands or a step further.
fn followed(mut engine: Box<dyn TronEngine>, map: &Map) -> Option<Box<dyn TronEngine>> {
    let last = engine.map();
    if last != *map {
        engine.play(ways_between(&last, map)?);
    }
    (engine.map() == *map).then_some(engine)
}

/// The ways of both sides from a map to the next one of the same game; none if it is not.
fn ways_between(last: &Map, next: &Map) -> Option<[Direction; 2]> {
    let grid = last.grid;
    if next.grid != grid {
        return None;
    }
    let way = |side: Side| grid.direction(last.heads[side], next.heads[side]);
    let ways = [way(0)?, way(1)?];
    let is_wall = |cell: usize| last.walls[cell] || last.heads.contains(&cell);
    let is_same = grid.cells().all(|cell| next.walls[cell] == is_wall(cell));
    is_same.then_some(ways)
}

/// A way to a free cell.
fn free_way(map: &Map) -> Option<Direction> {
    let is_free =
        |cell: usize| map.grid.cells().any(|other| other == cell) && map.letter(cell) == ' ';
    Direction::ALL.into_iter().find(|way| is_free(map.grid.step(map.heads[OWN], *way)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(rows: &[&str]) -> Map {
        let text = format!("{} {}\n{}\n", rows[0].len(), rows.len(), rows.join("\n"));
        text.parse().expect("a map")
    }

    fn player() -> TronPlayer {
        let params = Params { memory: 1, ..Params::preset("uct").expect("a preset") };
        TronPlayer::new(Isa::PORTABLE, &params)
    }

    fn choose(player: &mut TronPlayer, rows: &[&str]) -> (Direction, Report) {
        let limits = Limits { playouts: Some(200), ..Limits::default() };
        let chosen = player.choose(&map(rows), &limits, &AtomicBool::new(false));
        chosen.expect("the settings make sense")
    }

    #[test]
    fn ways_are_found_between_maps_of_a_game() {
        let last = map(&["1   ", "    ", "   2"]);
        for (rows, ways) in [
            (["#1  ", "    ", "  2#"], Some([Direction::East, Direction::West])),
            (["#   ", "1  2", "   #"], Some([Direction::South, Direction::North])),
            // Nothing moved, a head jumped, a wall is missing, a wall came from nowhere.
            (["1   ", "    ", "   2"], None),
            (["# 1 ", "    ", "  2#"], None),
            ([" 1  ", "    ", "  2#"], None),
            (["#1  ", "#   ", "  2#"], None),
        ] {
            assert_eq!(ways_between(&last, &map(&rows)), ways, "{rows:?}");
        }
    }

    #[test]
    fn the_tree_is_kept_from_map_to_map() {
        let mut player = player();
        let (_, first) = choose(&mut player, &["1   ", "    ", "    ", "   2"]);
        assert_eq!(first.stats.kept, 0);
        let (_, second) = choose(&mut player, &["#1  ", "    ", "    ", "  2#"]);
        assert!(second.stats.kept > 0, "{second:?}");
        let (_, other) = choose(&mut player, &["1   ", "    ", "  # ", "   2"]);
        assert_eq!((other.stats.kept, other.stats.recycled), (0, 0), "another game");
    }

    #[test]
    fn a_game_that_is_as_good_as_over_is_ended() {
        // The other side is stuck; so a free cell wins, and there is but one.
        let (way, _) = choose(&mut player(), &["#1  ", "####", "2###"]);
        assert_eq!(way, Direction::East);
        // Nowhere to go: any way will do.
        choose(&mut player(), &["1#  ", "####", "  2 "]);
        choose(&mut player(), &["12"]);
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let (map, params) = (map(&["1  2"]), Params::preset("rave").expect("a preset"));
        let mut player = TronPlayer::new(Isa::PORTABLE, &params);
        let chosen = player.choose(&map, &Limits::default(), &AtomicBool::new(false));
        assert!(chosen.is_err_and(|error| error.to_string().contains("rave")));
    }
}
