//! Alpha-beta against plain minimax, on small maps of Tron.

use super::*;
use crate::game::Position as _;
use crate::rng::Rng;
use crate::tron::{Grid, Map, Position};

type Small = Position<[u64; 4]>;

static GO_ON: AtomicBool = AtomicBool::new(false);
const FREELY: Limits = Limits {
    playouts: None,
    time: None,
    extra_time: Duration::ZERO,
    stop_when_decided: false,
    until_solved: true,
};

fn look(position: &Small, limits: Limits) -> Report {
    alpha_beta(position, Isa::best(), &limits, &GO_ON)
}

/// The score by plain minimax to a depth.
fn minimax(position: &Small, depth: usize, ply: usize) -> i32 {
    if let Some(points) = position.result() {
        return ended(position, points, ply);
    }
    if depth == 0 {
        let value = position.evaluate(Isa::PORTABLE).expect("positions can be judged");
        let score = ((2.0 * value - 1.0) * JUDGED as f32) as i32;
        return if position.to_move() == 0 { score } else { -score };
    }
    let score = |next: &Move| {
        let mut child = position.clone();
        child.make(*next);
        -minimax(&child, depth - 1, ply + 1)
    };
    position.legal_moves().iter().map(score).max().expect("a move")
}

fn random_position(rng: &mut Rng, most: u32) -> Small {
    let sides = [2 + rng.below(most - 1), 2 + rng.below(most - 1)].map(|side| side as usize);
    let grid = Grid::new(sides[0], sides[1]).expect("a grid");
    let mut cells: Vec<usize> = grid.cells().collect();
    let mut draw = || cells.swap_remove(rng.below(cells.len() as u32) as usize);
    let mut map = Map::open(grid, [draw(), draw()]);
    let walls = rng.below(4);
    cells.iter().for_each(|cell| map.walls[*cell] = rng.below(10) < walls);
    Position::new(&map, rng.below(2) as usize)
}

#[test]
fn each_depth_has_the_score_of_trying_everything() {
    let mut rng = Rng::new(31);
    let mut ended_early = 0;
    for _ in 0..150 {
        let position = random_position(&mut rng, 7);
        let clock = SearchClock { begin: Instant::now(), limits: FREELY, stop: &GO_ON };
        let mut search = AlphaBeta::new(&position, Isa::best(), clock);
        for depth in [2, 4, 6] {
            if search.roots.is_empty() {
                break;
            }
            search.search_root(depth).expect("there is no limit");
            let expected = minimax(&position, depth, 0);
            assert_eq!(search.score, expected, "depth {depth}:\n{}", position.to_map());
            if search.score.abs() > JUDGED {
                ended_early += 1;
                break;
            }
            search.prepare_next();
        }
    }
    assert!(ended_early > 20, "{ended_early}");
}

#[test]
fn small_maps_are_solved_and_only_wins_are_said() {
    let mut rng = Rng::new(32);
    let mut counts = [0; 3];
    for _ in 0..300 {
        let position = random_position(&mut rng, 4);
        let report = look(&position, FREELY);
        let expected = minimax(&position, usize::MAX, 0);
        let place = (expected.signum() + 1) as usize;
        let text = || format!("{}\n{report:?}", position.to_map());
        assert_eq!(report.value, [0.0, 0.5, 1.0][place], "{}", text());
        if position.result().is_some() {
            assert_eq!(
                report.status,
                [Status::LOST, Status::DRAWN, Status::WON][place],
                "{}",
                text()
            );
            assert_eq!(report.best, None);
            continue;
        }
        counts[place] += 1;
        let statuses = [Status::UNKNOWN, Status::UNKNOWN, Status::WON];
        assert_eq!(report.status, statuses[place], "{}", text());
        let plies = (expected > 0).then_some((WON - expected) as u32);
        assert_eq!(report.proof_depth, plies, "{}", text());
        assert_eq!(report.moves.len(), position.legal_moves().len());
        assert_eq!(report.best.as_ref(), report.pv.first());
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

#[test]
fn a_cell_that_both_choose_is_a_draw() {
    let map: Map = "3 2\n1 2\n# #\n".parse().expect("a map");
    let mut position: Small = Position::new(&map, 0);
    let report = look(&position, FREELY);
    assert_eq!((report.status, report.value), (Status::UNKNOWN, 0.5));
    let names = report.pv.iter().map(|next| {
        let name = position.name_of(*next);
        position.make(*next);
        name
    });
    assert_eq!(names.collect::<Vec<_>>(), ["east", "west"]);
}

#[test]
fn a_lost_end_is_put_off_and_a_won_one_is_not() {
    // One cell to the west or two to the east; the other side has three.
    let map: Map = "9 1\n 1  #2   \n".parse().expect("a map");
    let position: Small = Position::new(&map, 0);
    let lost = look(&position, FREELY);
    assert_eq!((lost.status, lost.value), (Status::UNKNOWN, 0.0));
    let best = lost.best.map(|best| position.name_of(best));
    assert_eq!(best.as_deref(), Some("east"), "{lost:?}");
    let won = look(&Position::new(&map, 1), FREELY);
    assert_eq!((won.status, won.proof_depth), (Status::WON, Some(4)), "{won:?}");
}

#[test]
fn depths_are_even_and_limits_are_kept() {
    let grid = Grid::new(9, 9).expect("a grid");
    let map = Map::open(grid, [grid.cell(1, 1), grid.cell(7, 7)]);
    let position: Small = Position::new(&map, 0);
    for most in [1, 100, 2_000, 20_000] {
        let limits = Limits { playouts: Some(most), ..Limits::default() };
        let report = look(&position, limits);
        assert!(report.stats.depth >= 2 && report.stats.depth.is_multiple_of(2), "{report:?}");
        assert!(report.stats.playouts <= most.max(20), "{report:?}");
        assert!(
            most < 2_000 || (report.stats.playouts == most && report.stats.depth >= 4),
            "{report:?}"
        );
        let again = look(&position, limits);
        let SearchStats { seconds, per_second, .. } = report.stats;
        let stats = SearchStats { seconds, per_second, ..again.stats };
        assert_eq!(Report { stats, ..again }, report);
    }
    let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert!(look(&position, no_time).stats.playouts <= LOOK_EVERY);
    let stopped = alpha_beta(&position, Isa::best(), &FREELY, &AtomicBool::new(true));
    assert!(stopped.stats.playouts <= LOOK_EVERY && stopped.best.is_some());
}

#[test]
fn who_has_seen_a_choice_proves_nothing() {
    let map: Map = "4 2\n1 2 \n#   \n".parse().expect("a map");
    let mut position: Small = Position::new(&map, 0);
    position.make(Move::new(position.head(0) + 1));
    let report = look(&position, FREELY);
    assert_eq!(report.status, Status::UNKNOWN);
    assert!(report.stats.depth % 2 == 1 && report.best.is_some(), "{report:?}");
}
