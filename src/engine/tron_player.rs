//! A Tron player that is shown the map before each move. It is always player `1` on the map.
//!
//! The contest protocol shows only maps. If a map follows from the last one by one step of both
//! sides, the search keeps its tree. Any other map begins a new game.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::tron::{TronEngine, tron_engine};
use crate::bits::Isa;
use crate::params::{ParamError, Params};
use crate::search::{Limits, Report};
use crate::tron::{Direction, Map, Side};

/// The side of this player on its maps.
const OWN: Side = 0;

/// Plays Tron from maps.
pub struct TronPlayer {
    isa: Isa,
    params: Params,
    engine: Option<Box<dyn TronEngine>>,
}

impl TronPlayer {
    /// A player that has not seen a map yet.
    pub fn new(isa: Isa, params: &Params) -> Self {
        Self { isa, params: params.clone(), engine: None }
    }

    /// The direction to go on a map, with the report of the search. If the player is stuck, any
    /// direction is returned. The error is a setting that has no meaning in Tron.
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
        // A position with a decided result is not searched, but a free cell must still be played.
        let way = if report.best.is_some() { best } else { free_way(map).unwrap_or(best) };
        Ok((way, report))
    }
}

/// The engine at `map`, if `map` is its position or the next one. `None` otherwise.
fn followed(mut engine: Box<dyn TronEngine>, map: &Map) -> Option<Box<dyn TronEngine>> {
    let last = engine.map();
    if last != *map {
        engine.play(ways_between(&last, map)?);
    }
    (engine.map() == *map).then_some(engine)
}

/// The directions of both sides from a map to the next. `None` if `next` does not follow from
/// `last`.
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

/// A direction to a free cell.
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
            // Nothing moved; a head jumped; a wall is missing; a wall is new.
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
        // The other side is stuck. So a free cell wins, and there is only one.
        let (way, _) = choose(&mut player(), &["#1  ", "####", "2###"]);
        assert_eq!(way, Direction::East);
        // Stuck: any direction is accepted.
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
