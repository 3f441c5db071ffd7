//! Playouts are games by the rules, policies choose in them, and contexts are the last cells of both.

use super::*;
use crate::tron::{Direction, Map, maps};

type Grid256 = [u64; 4];

const MAP: &str = "7 6\n1      \n  ##   \n       \n   #   \n  ##   \n      2\n";

fn start() -> Position<Grid256> {
    Position::new(&MAP.parse::<Map>().expect("a map"), 0)
}

fn params(settings: &[&str]) -> Params {
    let mut params = Params::preset("laschet").expect("a preset");
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

fn playouts(settings: &[&str]) -> TronPlayouts<Grid256> {
    TronPlayouts::new(Isa::PORTABLE, &params(settings), &start())
}

/// Plays a game that begins with a line of moves, which have to be legal, to a result: its points.
fn run(playouts: &mut TronPlayouts<Grid256>, line: &[Move], rng: &mut Rng) -> u32 {
    let mut position = playouts.start.clone();
    for next in line {
        assert!(position.is_legal(*next));
        position.make(*next);
    }
    // SAFETY: each move was legal when it was made.
    let value = unsafe { playouts.run(line, rng) };
    assert_eq!(value, Value::of_points(value.points()), "a result");
    value.points()
}

/// The ways of both sides in each step of the last game.
fn ways(of: &TronPlayouts<Grid256>) -> Vec<[Direction; 2]> {
    let grid = start().grid();
    let way = |from: u16, to: u16| grid.direction(from as usize, to as usize).expect("a step");
    let pairs = of.cells().windows(2);
    pairs.map(|pair| [0, 1].map(|side| way(pair[0][side], pair[1][side]))).collect()
}

#[test]
fn playouts_are_games_by_the_rules() {
    for settings in [&[][..], &["lgr=lgrf2"], &["ngram=average"], &["lgr=lgrf1", "ngram=1"]] {
        let mut playouts = playouts(settings);
        let mut rng = Rng::new(7);
        let mut seen = [0; 3];
        for _ in 0..500 {
            let points = run(&mut playouts, &[], &mut rng);
            seen[points as usize] += 1;
            let mut position = start();
            let mut result = None;
            for ways in ways(&playouts) {
                assert_eq!(result, None, "no move after the end");
                result = position.play(ways);
            }
            assert_eq!(result, Some(points), "{settings:?}");
        }
        assert!(seen.iter().all(|count| *count > 0), "{settings:?} {seen:?}");
    }
}

#[test]
fn a_line_is_played_before_the_playout() {
    let (mut playouts, mut rng) = (playouts(&[]), Rng::new(1));
    let grid = start().grid();
    let cells = [grid.cell(1, 0), grid.cell(5, 5), grid.cell(2, 0), grid.cell(4, 5)];
    for moves in 0..=cells.len() {
        let line: Vec<Move> = cells[..moves].iter().map(|cell| Move::new(*cell)).collect();
        run(&mut playouts, &line, &mut rng);
        let flat: Vec<usize> =
            playouts.cells()[1..].iter().flatten().map(|cell| *cell as usize).collect();
        assert_eq!(flat[..moves], cells[..moves]);
    }
    // Moves of both into the same cell end the game in a draw.
    let map: Map = "3 3\n1 2\n   \n   \n".parse().expect("a map");
    let start = Position::<Grid256>::new(&map, 1);
    let mut playouts = TronPlayouts::new(Isa::PORTABLE, &params(&[]), &start);
    let meeting = Move::new(map.grid.cell(1, 0));
    assert_eq!(run(&mut playouts, &[meeting, meeting], &mut rng), crate::game::DRAW);
}

#[test]
fn policies_choose_moves() {
    let shares = |settings: &[&str]| {
        let (mut playouts, mut rng) = (playouts(settings), Rng::new(3));
        (0..300).for_each(|_| {
            run(&mut playouts, &[], &mut rng);
        });
        playouts.hits().rows().into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(shares(&["lgr=lgrf2"]), ["lgr", "random"]);
    assert_eq!(shares(&["ngram=average"]), ["ngram", "random"]);
    assert_eq!(shares(&["lgr=lgrf2", "ngram=average"]), ["lgr", "ngram", "random"]);
}

/// What is learned makes a side with a way out take it.
#[test]
fn what_won_is_played_again() {
    // Player 1 has one cell to the west, and a lane to the east; player 2 three cells.
    let map: Map = "9 3\n 1       \n#########\n2   #####\n".parse().expect("a map");
    let start = Position::<Grid256>::new(&map, 0);
    for settings in [&["lgr=lgrf2"][..], &["ngram=average", "ngram_epsilon=0.1"]] {
        let mut playouts = TronPlayouts::new(Isa::PORTABLE, &params(settings), &start);
        let mut rng = Rng::new(1);
        (0..100).for_each(|_| {
            run(&mut playouts, &[], &mut rng);
        });
        let wins = (0..100).filter(|_| run(&mut playouts, &[], &mut rng) == WIN).count();
        assert!(wins > 85, "{settings:?}: {wins} of 100");
    }
}

#[test]
fn tables_are_kept_or_forgotten_from_turn_to_turn() {
    let mut rng = Rng::new(1);
    let mut learn = |settings: &[&str]| {
        let mut playouts = playouts(settings);
        (0..50).for_each(|_| {
            run(&mut playouts, &[], &mut rng);
        });
        playouts.advance(&[]);
        (playouts, Rng::new(2))
    };
    let chooses = |(mut playouts, mut rng): (TronPlayouts<Grid256>, Rng), name: &str| {
        run(&mut playouts, &[], &mut rng);
        let rows = playouts.hits().rows();
        rows.into_iter().any(|(policy, count)| policy == name && count > 0)
    };
    assert!(chooses(learn(&["lgr=lgrf2"]), "lgr"));
    assert!(!chooses(learn(&["lgr=lgrf2", "lgr_keep=false"]), "lgr"));
    assert!(chooses(learn(&["ngram=1", "ngram_epsilon=0"]), "ngram"));
    assert!(!chooses(learn(&["ngram=1", "ngram_epsilon=0", "ngram_decay=0"]), "ngram"));
}

/// The value of a move in the tree is the one that playouts have learned in its context.
#[test]
fn values_are_those_of_the_context() {
    let grid = start().grid();
    let at = |x, y| Move::new(grid.cell(x, y));
    // Both go along their rows; then 1 goes on, 2 turns north.
    let line = [at(1, 0), at(5, 5), at(2, 0), at(4, 5)];
    for (in_sequence, settings) in
        [(false, &["ngram=average"][..]), (true, &["ngram=average", "ngram_sequence=true"])]
    {
        let mut playouts = playouts(settings);
        run(&mut playouts, &line, &mut Rng::new(1));
        let points = run(&mut playouts, &line, &mut Rng::new(1)) as f32;
        let value = |line: &[Move], of: Move| {
            let mut values = Vec::new();
            playouts.list_values(line, &[of.number() as u16], &mut values);
            values[0]
        };
        let close = |value: Option<f32>, points: f32| {
            value.is_some_and(|value| (value - points / 2.0).abs() < 1e-3)
        };
        assert!(close(value(&[], line[0]), points));
        assert!(close(value(&line[..1], line[1]), 2.0 - points));
        assert!(close(value(&line[..2], line[2]), points));
        assert!(close(value(&line[..3], line[3]), 2.0 - points));
        assert_eq!(value(&[], at(0, 1)), None, "never played");
        // Another move of the first in the same step is another context only in sequence.
        let other = [line[0], line[1], at(1, 1)];
        assert_eq!(value(&other, line[3]).is_some(), !in_sequence);
    }
}

/// The first of the two moves before a move is the own one two steps back (Laschet 2012 §3.1): two ways to
/// the same cell are two contexts. In turn (§5.2) it is the last own one, and they are the same.
#[test]
fn the_way_to_a_cell_is_part_of_the_context() {
    let grid = start().grid();
    let at = |x, y| Move::new(grid.cell(x, y));
    let line = |corner: Move| [corner, at(5, 5), at(1, 1), at(4, 5), at(1, 2), at(3, 5)];
    let (by_east, by_south) = (line(at(1, 0)), line(at(0, 1)));
    for (are_equal, settings) in
        [(false, &["ngram=average"][..]), (true, &["ngram=average", "ngram_sequence=true"])]
    {
        // Two games that end differently.
        let play = |seed| {
            let mut playouts = playouts(settings);
            let points = run(&mut playouts, &by_east, &mut Rng::new(1));
            let other = run(&mut playouts, &by_south, &mut Rng::new(seed));
            (points != other).then_some(playouts)
        };
        let playouts = (0..100).find_map(play).expect("a seed");
        let value = |line: &[Move]| {
            let mut values = Vec::new();
            playouts.list_values(&line[..4], &[line[4].number() as u16], &mut values);
            values[0].expect("it was played")
        };
        assert_eq!(value(&by_east) == value(&by_south), are_equal, "{settings:?}");
    }
}

#[test]
fn an_evaluated_leaf_has_the_value_of_the_evaluation() {
    let mut playouts = playouts(&["leaf_value=true"]);
    let line = [Move::new(start().grid().cell(1, 0)), Move::new(start().grid().cell(5, 5))];
    let mut position = start();
    let mut seen = Vec::new();
    for moves in [0, 2] {
        line[..moves].iter().for_each(|next| position.make(*next));
        let expected = Value::of_share(position.evaluate(Isa::PORTABLE).expect("a value"));
        for seed in 0..10 {
            // SAFETY: the moves are legal.
            let value = unsafe { playouts.run(&line[..moves], &mut Rng::new(seed)) };
            assert_eq!(value, expected, "no chance in it");
            seen.push(value);
        }
    }
    assert!(seen.iter().any(|value| value.parts() % Value::PARTS != 0), "{seen:?}");
}

#[test]
fn a_cut_playout_is_a_draw() {
    let mut playouts = playouts(&["playout_cut=4"]);
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        assert_eq!(run(&mut playouts, &[], &mut rng), crate::game::DRAW);
        assert_eq!(playouts.cells().len(), 3);
    }
}

/// The pieces around a cell, counted by walking round it.
#[test]
fn pieces_around_a_cell_are_counted() {
    for (free, pieces) in PIECES.iter().enumerate() {
        let is_free = |at: usize| free >> (at % 8) & 1 == 1;
        // Every maximal run of free cells round the cell is a piece, if a side is among them. A side is
        // at an odd place.
        let whole = (0..8).all(is_free);
        let runs = (0..8).filter(|at| is_free(*at) && !is_free(at + 7));
        let has_side =
            |from: &usize| (*from..from + 8).take_while(|at| is_free(*at)).any(|at| at % 2 == 1);
        let expected = if whole { 0 } else { runs.filter(has_side).count() };
        assert_eq!(usize::from(*pieces), expected, "{free:08b}");
    }
}

fn are_separated(position: &Position<[u64; 4]>) -> bool {
    let heads = [position.head(0), position.head(1)];
    regions::are_separated(position.grid(), &position.taken(), heads)
}

/// The positions of the last game that was played.
fn positions(playouts: &TronPlayouts<[u64; 4]>) -> Vec<Position<[u64; 4]>> {
    let mut position = playouts.start.clone();
    let mut positions = vec![position.clone()];
    for cells in &playouts.cells()[1..] {
        let first = position.first();
        [first, 1 - first].iter().for_each(|side| {
            position.make(Move::new(cells[*side] as usize));
        });
        positions.push(position.clone());
    }
    positions
}

/// Games end with the first step that separates the players, however it comes about; then what
/// is left to each decides.
#[test]
fn separated_players_are_judged_by_their_space() {
    let params = Params { separation_cut: true, ..Params::default() };
    let (mut judged, mut side_by_side) = (0, 0);
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let sides = rng.below_two(9, 9);
        let size = [sides.0 as usize + 2, sides.1 as usize + 2];
        let Some(map) = maps::random_map(seed, size[0], size[1]) else { continue };
        let start = Position::<[u64; 4]>::new(&map, 0);
        let mut playouts = TronPlayouts::new(Isa::PORTABLE, &params, &start);
        let points = run(&mut playouts, &[], &mut rng);
        let positions = positions(&playouts);
        let (last, before) = positions.split_last().expect("the start");
        assert!(before.iter().all(|position| !are_separated(position)), "{map}");
        match last.result() {
            Some(result) if last.head(0) == last.head(1) => assert_eq!(points, result),
            _ if are_separated(last) => {
                let heads = [last.head(0), last.head(1)];
                assert_eq!(Some(points), regions::estimate(map.grid, &last.taken(), heads));
                let stride = map.grid.stride();
                side_by_side += u32::from([1, stride].contains(&heads[0].abs_diff(heads[1])));
                judged += 1;
            }
            result => assert_eq!(Some(points), result, "{map}"),
        }
    }
    assert!(judged > 500, "{judged}");
    assert!(side_by_side > 0);
}

#[test]
fn space_does_not_decide_unless_it_is_asked_to() {
    let map = "7 3\n1  #   \n   #   \n   #2  \n".parse().expect("a map");
    let start = Position::<[u64; 4]>::new(&map, 0);
    let mut rng = Rng::new(1);
    for (judges, steps) in [(true, 0..=0), (false, 3..=8)] {
        let params = Params { separation_cut: judges, ..Params::default() };
        let mut playouts = TronPlayouts::new(Isa::PORTABLE, &params, &start);
        let points = run(&mut playouts, &[], &mut rng);
        assert!(steps.contains(&(playouts.cells().len() - 1)));
        assert!(!judges || points == crate::game::DRAW);
    }
}
