//! The rules of Tron against the oracle: games on many maps, the space that is left, and what is
//! settled. Maps are drawn at random, of all shapes, lanes of one cell among them.

use std::collections::HashSet;

use ciclon::internals::bits::{Bits, Isa, Words};
use ciclon::internals::game::{Children, DRAW, Move, Position as _, Prospect, WIN};
use ciclon::internals::params::Params;
use ciclon::internals::rng::Rng;
use ciclon::internals::tron::chambers::most_cells;
use ciclon::internals::tron::filling::longest_path;
use ciclon::internals::tron::oracle::{Minimax, Oracle};
use ciclon::internals::tron::{Direction, Grid, Map, Position, maps, regions};

/// A map with walls on a part of its cells and the heads anywhere; none if there is room for one only.
fn any_map(rng: &mut Rng, width: usize, height: usize) -> Option<Map> {
    let grid = Grid::new(width, height)?;
    let part = rng.unit() * 0.5;
    let count = rng.below_two((width * height) as u32, (width * height) as u32);
    let heads = [count.0, count.1].map(|at| grid.cells().nth(at as usize).expect("a cell"));
    let mut map = Map::open(grid, heads);
    for cell in grid.cells() {
        map.walls[cell] = !heads.contains(&cell) && rng.unit() < part;
    }
    (heads[0] != heads[1]).then_some(map)
}

/// Maps of many shapes: all small ones, and some that are long or large.
pub fn any_maps(seed: u64, each: usize) -> Vec<Map> {
    let mut rng = Rng::new(seed);
    let small = (1..=6).flat_map(|width| (1..=6).map(move |height| (width, height)));
    let shapes = small.chain([(1, 30), (30, 1), (2, 17), (13, 13), (20, 9)]);
    let mut maps = Vec::new();
    for (width, height) in shapes {
        maps.extend((0..each).filter_map(|_| any_map(&mut rng, width, height)));
    }
    maps
}

/// A map so small that every path can be tried.
fn tiny_map(rng: &mut Rng, most: u32) -> Option<Map> {
    let (width, height) = rng.below_two(most, most);
    any_map(rng, width as usize + 1, height as usize + 1)
}

fn any_ways(rng: &mut Rng) -> [Direction; 2] {
    let (one, two) = rng.below_two(4, 4);
    [Direction::ALL[one as usize], Direction::ALL[two as usize]]
}

/// Ways to free cells, where there are some.
fn safe_ways<W: Words>(position: &Position<W>, rng: &mut Rng) -> [Direction; 2] {
    [0, 1].map(|side| {
        let exits = position.exits(side);
        let cell = exits.cells()[rng.below(exits.len() as u32) as usize] as usize;
        position.direction(side, Move::new(cell)).expect("the cell is next to the head")
    })
}

fn heads<W: Words>(position: &Position<W>) -> [usize; 2] {
    [position.head(0), position.head(1)]
}

fn places(grid: Grid, cells: impl IntoIterator<Item = usize>) -> HashSet<(usize, usize)> {
    cells.into_iter().map(|cell| grid.place(cell)).collect()
}

/// Everything that both know, once nobody has met in a cell.
fn compare<W: Words>(position: &Position<W>, oracle: &Oracle) {
    let (map, grid) = (position.to_map(), position.grid());
    let text = map.to_string();
    assert_eq!(text.split_once('\n').map(|(_, rows)| rows), Some(oracle.text().as_str()));
    for side in [0, 1] {
        assert_eq!(grid.place(position.head(side)), oracle.head(side), "{text}");
        let exits = position.exits(side);
        let exits = places(grid, exits.cells().iter().map(|cell| *cell as usize));
        assert_eq!(exits, HashSet::from_iter(oracle.exits(side)), "{text}");
        let region = regions::reachable(grid, &position.taken(), position.head(side));
        assert_eq!(places(grid, region), oracle.reachable(side), "{text}");
    }
    let are_separated = regions::are_separated(grid, &position.taken(), heads(position));
    assert_eq!(are_separated, oracle.are_separated(), "{text}");
    assert_eq!(position.result(), oracle.foreseen(), "{text}");
}

/// A game in which now and then someone crashes, with as many steps as it took.
fn play_along<W: Words>(map: &Map, rng: &mut Rng) -> usize {
    let mut position = Position::<W>::new(map, 0);
    let mut oracle = Oracle::new(map);
    let mut steps = 0;
    compare(&position, &oracle);
    while position.result().is_none() {
        let ways = if rng.below(12) == 0 { any_ways(rng) } else { safe_ways(&position, rng) };
        let before = position.clone();
        let points = position.play(ways);
        steps += 1;
        assert_eq!(position.ply(), 2 * steps);
        assert_eq!(points, position.result());
        match oracle.step(ways) {
            Some(crash) => assert_eq!(points, Some(crash), "{ways:?} in\n{}", before.to_map()),
            None => compare(&position, &oracle),
        }
        check_serial(&before, ways, &position);
    }
    steps
}

/// Moves that are made one after the other, whoever chooses first, lead to the same position.
fn check_serial<W: Words>(before: &Position<W>, ways: [Direction; 2], after: &Position<W>) {
    let cells = [0, 1].map(|side| before.grid().step(before.head(side), ways[side]));
    if cells.iter().any(|cell| before.taken().contains(*cell)) {
        return;
    }
    for first in [0, 1] {
        let mut serial = before.clone().with_first(first);
        let second_s = serial.exits(1 - first);
        for side in [first, 1 - first] {
            assert_eq!(serial.to_move(), side);
            assert!(serial.is_legal(Move::new(cells[side])));
            assert_eq!(serial.exits(1 - first), second_s, "it does not know the first one's");
            serial.make(Move::new(cells[side]));
        }
        assert_eq!(serial.with_first(after.first()), *after);
    }
}

#[test]
fn games_are_the_oracle_s() {
    let mut rng = Rng::new(1);
    let mut steps = 0;
    for map in any_maps(2, 20) {
        if map.grid.span() <= 256 {
            steps += play_along::<[u64; 4]>(&map, &mut rng);
        }
        steps += play_along::<[u64; 8]>(&map, &mut rng);
        steps += play_along::<[u64; 16]>(&map, &mut rng);
        steps += play_along::<[u64; 64]>(&map, &mut rng);
    }
    assert!(steps > 5000, "{steps}");
}

#[test]
fn games_on_large_and_named_maps_are_the_oracle_s() {
    let mut rng = Rng::new(3);
    for named in maps::all() {
        play_along::<[u64; 16]>(&named.map(), &mut rng);
    }
    for (seed, (width, height)) in [(62, 62), (62, 1), (1, 62), (30, 62)].into_iter().enumerate() {
        let map = maps::random_map(seed as u64, width, height).expect("there is room");
        play_along::<[u64; 64]>(&map, &mut rng);
    }
}

#[test]
fn crashes_and_meetings_end_the_game() {
    use Direction::{East, North, South, West};
    for (text, ways, points) in [
        ("4 2\n1  2\n    \n", [North, South], 0),
        ("4 2\n1  2\n    \n", [South, East], WIN),
        ("4 2\n1  2\n    \n", [West, East], DRAW),
        ("3 2\n1 2\n   \n", [East, West], DRAW),
        ("2 2\n12\n  \n", [East, West], DRAW),
        ("2 2\n12\n  \n", [East, South], 0),
    ] {
        let map: Map = text.parse().expect("a map");
        let mut position = Position::<[u64; 4]>::new(&map, 0);
        assert_eq!(position.play(ways), Some(points), "{ways:?} in {text}");
        assert_eq!(position.result(), Some(points));
        assert_eq!(Oracle::new(&map).step(ways), Some(points), "{ways:?} in {text}");
        assert!(position.legal_moves().is_empty());
    }
}

/// A crash is never better than a free cell, and a side without one has lost: that is why the
/// position knows no crashes as moves.
#[test]
fn to_crash_is_never_better() {
    let mut rng = Rng::new(4);
    for _ in 0..150 {
        let Some(map) = tiny_map(&mut rng, 4) else { continue };
        let oracle = Oracle::new(&map);
        let [low, high] = [1, 0].map(|informed| {
            let points = Minimax::new(informed, false).value(&oracle);
            assert_eq!(Minimax::new(informed, true).value(&oracle), points, "{map}");
            points
        });
        assert!(low <= high, "{map}");
        if let Some(points) = Position::<[u64; 4]>::new(&map, 0).result() {
            assert_eq!([low, high], [points, points], "{map}");
        }
    }
}

/// Whether cells are a path from a head.
fn is_path<W: Words>(position: &Position<W>, head: usize, path: &[u16]) -> bool {
    let (mut taken, mut cell) = (position.taken(), head);
    path.iter().all(|next| {
        let next = *next as usize;
        let goes_on = position.grid().direction(cell, next).is_some() && !taken.contains(next);
        taken.insert(next);
        cell = next;
        goes_on
    })
}

#[test]
fn bounds_hold_and_paths_are_paths() {
    let mut rng = Rng::new(5);
    let (mut regions, mut exact, mut found) = (0, 0, 0);
    while regions < 6000 {
        let Some(map) = tiny_map(&mut rng, 6) else { continue };
        let free = map.grid.cells().filter(|cell| !map.walls[*cell]).count();
        if free > 22 {
            continue;
        }
        regions += 1;
        let (position, oracle) = (Position::<[u64; 4]>::new(&map, 0), Oracle::new(&map));
        let (taken, head, longest) = (position.taken(), position.head(0), oracle.longest_path(0));
        let bound = bound_of(map.grid, &taken, head);
        assert!(bound >= longest, "{bound} < {longest}\n{map}");
        exact += usize::from(bound == longest);
        let filling = longest_path(map.grid, taken, head, &[], |_, _| false);
        let path = filling.path;
        assert!(filling.is_longest);
        assert_eq!(path.len(), longest, "{path:?}\n{map}");
        assert!(is_path(&position, head, &path), "{path:?}\n{map}");
        let path = longest_path(map.grid, taken, head, &[], |nodes, _| nodes > 40).path;
        assert!(is_path(&position, head, &path), "{path:?}\n{map}");
        found += usize::from(path.len() == longest);
    }
    assert!(exact > regions * 8 / 10, "{exact} of {regions}");
    assert!(found > regions * 99 / 100, "{found} of {regions}");
}

/// The most moves from a head.
fn bound_of(grid: Grid, taken: &Bits<[u64; 4]>, head: usize) -> usize {
    most_cells(grid, &regions::reachable(grid, taken, head), head)
}

/// A map with a wall down the middle and a player on either side, of any walls besides.
fn split_map(rng: &mut Rng) -> Option<Map> {
    let (left, height) = (2 + rng.below(3) as usize, 1 + rng.below(4) as usize);
    let width = left + 3 + rng.below(2) as usize;
    let map = any_map(rng, width, height)?;
    let mut walls = map.walls.clone();
    (0..height).for_each(|y| walls[map.grid.cell(left, y)] = true);
    let columns = map.heads.map(|head| map.grid.place(head).0);
    (columns[0] < left && columns[1] > left).then_some(Map { walls, ..map })
}

#[test]
fn what_is_settled_is_so() {
    let mut rng = Rng::new(6);
    let (mut seen, mut settled) = (0, [0; 3]);
    while seen < 500 {
        let Some(map) = split_map(&mut rng) else { continue };
        let position = Position::<[u64; 4]>::new(&map, 0);
        if position.result().is_some() {
            continue;
        }
        seen += 1;
        let oracle = Oracle::new(&map);
        let lengths = [0, 1].map(|side| oracle.longest_path(side));
        let Some(found) = regions::settle(&position) else { continue };
        settled[found.points as usize] += 1;
        let expected = match lengths[0].cmp(&lengths[1]) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => DRAW,
            std::cmp::Ordering::Greater => WIN,
        };
        assert_eq!(found.points, expected, "{map}");
        assert_eq!(found.steps, lengths[0].min(lengths[1]), "{map}");
        check_first_cells(&position, found.first, lengths);
        for side in [0, 1] {
            check_prospect(&position.clone().with_first(side), &found);
        }
        if map.grid.cells().filter(|cell| !map.walls[*cell]).count() <= 12 {
            for informed in [0, 1] {
                assert_eq!(Minimax::new(informed, false).value(&oracle), expected, "{map}");
            }
        }
    }
    assert!(settled.iter().sum::<u32>() > 480, "{settled:?}");
    assert!(settled.iter().all(|count| *count > 20), "{settled:?}");
}

/// After their first cells, the sides can still make as many moves as they need.
fn check_first_cells(position: &Position<[u64; 4]>, cells: [usize; 2], lengths: [usize; 2]) {
    let mut after = position.clone();
    cells.iter().for_each(|cell| {
        let side = after.to_move();
        assert!(after.exits(side).contains(*cell));
        after.make(Move::new(*cell));
    });
    let oracle = Oracle::new(&after.to_map());
    let shorter = lengths[0].min(lengths[1]);
    for side in [0, 1] {
        let needed = lengths[side].min(shorter + 1) - 1;
        assert!(oracle.longest_path(side) >= needed, "{}", position.to_map());
    }
}

fn check_prospect(position: &Position<[u64; 4]>, settled: &regions::Settled) {
    let off = Params::default();
    check_open(position, &off);
    let on = Params { separation_cut: true, ..Params::default() };
    let side = position.to_move();
    let points = if side == 0 { settled.points } else { WIN - settled.points };
    let best = Move::new(settled.first[side]);
    let plies = 2 * settled.steps as u32;
    let expected = Prospect::Settled { points, best, plies };
    let mut leaves = position.leaf_work(Isa::PORTABLE, &on);
    assert_eq!(leaves.look(&[], None), expected);
    assert_eq!(leaves.look(&[], Some(&mut Children::default())), expected);
    let mut chosen = position.clone();
    chosen.make(best);
    check_open(&chosen, &on);
    // The same by a line of moves: one has chosen.
    assert_eq!(leaves.look(&[best], None), Prospect::Open { forced: None });
}

/// Nothing is known of a position, and all its moves are worth looking at.
fn check_open(position: &Position<[u64; 4]>, params: &Params) {
    let mut children = Children::default();
    let prospect = position.leaf_work(Isa::PORTABLE, params).look(&[], Some(&mut children));
    assert_eq!(prospect, Prospect::Open { forced: None }, "{}", position.to_map());
    let moves: Vec<Move> =
        children.moves.iter().map(|number| Move::new(*number as usize)).collect();
    assert_eq!(moves, position.legal_moves(), "{}", position.to_map());
    assert_eq!(children.prior_visits, 0);
}

/// The estimate is what the bounds say, and mostly what the paths say.
#[test]
fn estimates_are_mostly_right() {
    let mut rng = Rng::new(7);
    let (mut seen, mut right) = (0, 0);
    while seen < 1000 {
        let Some(map) = split_map(&mut rng) else { continue };
        seen += 1;
        let position = Position::<[u64; 4]>::new(&map, 0);
        let oracle = Oracle::new(&map);
        let (one, two) = (oracle.longest_path(0), oracle.longest_path(1));
        let estimate = |heads| regions::estimate(map.grid, &position.taken(), heads);
        let points = estimate(map.heads).expect("they are separated");
        right += usize::from((points > DRAW) == (one > two) && (points < DRAW) == (one < two));
        let turned = [map.heads[1], map.heads[0]];
        let other = estimate(turned).expect("they are separated");
        assert_eq!(other, WIN - points, "{map}");
    }
    assert!(right > 950, "{right} of {seen}");
}
