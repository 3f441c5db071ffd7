//! Playouts with policies: real games, the same with and without speculation and on every instruction
//! set; and every policy is asked, and changes what is played.

use std::sync::atomic::AtomicBool;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::HavannahEngine;
use ciclon::internals::game::Move;
use ciclon::internals::havannah::neighbourhood::flood;
use ciclon::internals::havannah::patterns::{dead_cells, dead_cells_as_published, is_dead};
use ciclon::internals::havannah::playout::Playouts;
use ciclon::internals::havannah::rules::wins_of_borders;
use ciclon::internals::havannah::threats::winning_cells;
use ciclon::internals::havannah::{AnyWidth, Board, Cell, Colour, Geometry, Outcome, Set, Width};
use ciclon::internals::params::{Params, PlayoutPolicy};
use ciclon::internals::rng::Rng;
use ciclon::internals::search::{Limits, MoveReport, PolicyReport};
use ciclon::internals::tools::playing::midgame_positions;

use crate::positions::{in_both_widths, move_words};

/// Settings that each put a policy, or several, into playouts; and the policies that must have chosen
/// moves.
pub const POLICIES: &[(&[&str], &[&str])] = &[
    (&["policy=random", "havannah_mate=true"], &["havannah_mate", "random"]),
    (&["havannah_mate=true", "havannah_mate_part=1"], &["mate", "havannah_mate", "random"]),
    (&["bridge_reply=true"], &["mate", "bridge_reply", "random"]),
    (&["lgr=lgr1"], &["mate", "lgr", "random"]),
    (&["lgr=lgr2"], &["lgr"]),
    (&["lgr=lgrf1", "policy=random"], &["lgr", "random"]),
    (&["lgr=lgrf2", "lgr_keep=false"], &["lgr"]),
    (&["ngram=1"], &["mate", "ngram", "random"]),
    (&["ngram=2", "ngram_threshold=3"], &["ngram"]),
    (&["ngram=average", "policy=random"], &["ngram"]),
    (&["ngram=mast", "ngram_decay=0.5"], &["ngram"]),
    (&["lgr=lgrf2", "ngram=1"], &["mate", "lgr", "ngram", "random"]),
    (&["ppr=true"], &["pool"]),
    (&["pool_rave=true", "policy=random"], &["pool", "random"]),
    (&["playout_weights=joint"], &["mate", "playout_weights"]),
    (&["playout_weights=patterns"], &["playout_weights"]),
    (&["playout_weights=patterns", "playout_choice=greedy", "policy=random"], &["playout_weights"]),
    (&["locality=near"], &["random"]),
    (&["locality=joint", "avoid_pairs=true", "locality_tries=5"], &["random"]),
    (&["proximity=own", "policy=random"], &["random"]),
    (&["proximity=opponent", "dead_cells=exact"], &["random"]),
    (&["playout_cut=12"], &["random"]),
    (&["ring_fill=0.6"], &["random"]),
    (&["ring_stones=2", "policy=random"], &["random"]),
    (
        &["bridge_reply=true", "lgr=lgrf2", "ngram=2", "ppr=true", "playout_weights=joint"],
        &["mate", "bridge_reply", "lgr", "ngram", "pool", "playout_weights"],
    ),
];

pub fn params(settings: &[&str]) -> Params {
    let mut params = Params::preset("rave").expect("a preset");
    params.memory = 8;
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

fn games(release: usize) -> usize {
    if cfg!(debug_assertions) { release.div_ceil(20) } else { release }
}

fn geometry(size: usize) -> &'static Geometry {
    Geometry::of_size(size).expect("a base")
}

/// The moves of a game played again on the board: legal, not over before the last, and what the
/// playout says of the end is so.
fn check_game(start: &Board, moves: &[Cell], outcome: Outcome, params: &Params) {
    if params.ring_fill < 1.0 || params.ring_stones > 0 {
        return check_game_without_some_rings(start, moves, outcome);
    }
    let mut board = *start;
    for (ply, cell) in moves.iter().enumerate() {
        assert!(!board.outcome().is_over(), "over before ply {ply}\n{board}");
        board.play(*cell).unwrap_or_else(|error| panic!("ply {ply}: {error}\n{board}"));
    }
    if board.outcome() == outcome {
        return;
    }
    match outcome {
        // Broken off.
        Outcome::Draw => assert!(params.playout_cut > 0, "{board}"),
        // Decided two plies ahead: two cells that win, and the other side has none.
        Outcome::Won { by, .. } => {
            assert!(params.havannah_mate, "{board}");
            assert_eq!(board.outcome(), Outcome::Ongoing, "{board}");
            assert_ne!(board.to_move(), by, "{board}");
            assert!(winning_cells(&board, by).all().len() >= 2, "{board}");
            assert!(winning_cells(&board, by.other()).all().is_empty(), "{board}");
        }
        Outcome::Ongoing => panic!("a playout ends\n{board}"),
    }
}

/// Whether wins in one are taken and those of the other side blocked, from ply `from` up to ply `until`.
fn check_obligations(start: &Board, moves: &[Cell], from: usize, until: usize) {
    let mut board = *start;
    for (ply, cell) in moves.iter().enumerate().take(until) {
        let side = board.to_move();
        let [winning, urgent] = [side, side.other()].map(|side| winning_cells(&board, side).all());
        let obliged = if winning.is_empty() { urgent } else { winning };
        let is_met = obliged.is_empty() || obliged.contains(cell.index());
        assert!(ply < from || is_met, "ply {ply} of {moves:?}\n{board}");
        board.place(*cell);
    }
}

/// The same as [`check_game`] where not every ring counts: no bridge and no fork is passed over, and a
/// win is a win.
fn check_game_without_some_rings(start: &Board, moves: &[Cell], outcome: Outcome) {
    let layout = start.layout();
    let mut side = start.to_move();
    let mut stones = Colour::BOTH.map(|colour| start.stones(colour));
    for (ply, cell) in moves.iter().enumerate() {
        assert!(stones.iter().all(|stones| !stones.contains(cell.index())));
        stones[side.index()].insert(cell.index());
        // The side's stones alone, as far as they connect borders.
        let chain = flood(layout, Set::<AnyWidth>::single(cell.index()), stones[side.index()]);
        let borders = chain.iter().fold(0, |bits, index| bits | layout.border[index]);
        let wins = wins_of_borders(borders);
        if ply + 1 < moves.len() {
            assert!(wins.is_empty(), "over before ply {ply}");
        } else if let Outcome::Won { by, wins: found } = outcome {
            assert!(by == side && found.contains(wins) && !found.is_empty());
        } else {
            assert!(wins.is_empty() && (stones[0] | stones[1]) == layout.on_board);
        }
        side = side.other();
    }
}

/// The beginning of a random game from a board, as a line of moves that do not end it.
fn line_from(board: &Board, length: usize, rng: &mut Rng) -> Vec<Move> {
    let mut board = *board;
    let mut line = Vec::new();
    for _ in 0..length {
        let empty = board.empty_cells();
        let index = empty.nth(rng.below(empty.len() as u32) as usize).expect("a cell");
        let mut next = board;
        next.place(Cell::from_index(index));
        // A line of the tree never passes up a win, nor leaves one to the other side.
        let side = board.to_move();
        let has_threats = !winning_cells(&next, side).all().is_empty()
            || !winning_cells(&next, side.other()).all().is_empty();
        if next.outcome().is_over() || has_threats {
            break;
        }
        line.push(board.geometry().move_to(Cell::from_index(index)));
        board = next;
    }
    line
}

#[test]
fn guided_playouts_are_games_on_the_board() {
    fn check(geometry: &Geometry) {
        let mut rng = Rng::new(21);
        let mut boards = vec![Board::of(geometry)];
        boards.extend(midgame_positions(geometry, geometry.size, 2, &mut rng));
        for (settings, _) in POLICIES {
            let params = params(settings);
            let mut playouts = Playouts::guided(&boards[0], Isa::best(), &params);
            for board in &boards {
                playouts.start_from(board);
                for game in 0..games(60) {
                    let line = line_from(board, game % 7, &mut rng);
                    let pool = board.empty_cells().iter().step_by(3);
                    let pool: Vec<u16> = pool.map(|index| geometry.ordinal[index]).collect();
                    playouts.set_pool(&pool);
                    let playout = playouts.run_line(&line, &mut rng).expect("a legal line");
                    assert_eq!(playout.length, playouts.moves().len(), "{settings:?}");
                    let cells = line.iter().map(|next| geometry.cell_of(*next));
                    assert!(cells.eq(playouts.moves()[..line.len()].iter().copied()));
                    check_game(board, playouts.moves(), playout.outcome, &params);
                    let counts_all_rings = params.ring_fill >= 1.0 && params.ring_stones == 0;
                    if params.policy == PlayoutPolicy::Mate && counts_all_rings {
                        let until = line.len() + params.mate_plies as usize * geometry.size;
                        check_obligations(board, playouts.moves(), line.len(), until);
                    }
                    let mut stones = Colour::BOTH.map(|colour| board.stones(colour));
                    for (ply, cell) in playouts.moves().iter().enumerate() {
                        stones[board.to_move().index() ^ (ply & 1)].insert(cell.index());
                    }
                    let stones = stones.map(|stones| move_words(geometry, stones));
                    assert_eq!(playouts.made(), stones, "{settings:?}");
                }
            }
        }
    }
    for size in [2, 3, 4, 5, 6, 8, 10] {
        check(geometry(size));
    }
}

/// Two playouts side by side: one as it is, one without speculation or on another instruction set.
#[test]
fn guided_playouts_are_the_same_without_speculation_and_everywhere() {
    fn check(geometry: &Geometry) {
        let mut lines = Rng::new(23);
        let (size, cells) = (geometry.size, geometry.cell_count());
        let mut boards = vec![Board::of(geometry)];
        boards.extend(midgame_positions(geometry, cells / 3, 1, &mut lines));
        boards.extend(midgame_positions(geometry, cells * 3 / 5, 1, &mut lines));
        for (settings, _) in POLICIES {
            let params = params(settings);
            for isa in Isa::available() {
                let mut rngs = [Rng::new(22), Rng::new(22)];
                let [playouts, looking] =
                    [Isa::best(), isa].map(|isa| Playouts::guided(&boards[0], isa, &params));
                let mut pair = [playouts, looking.without_speculation()];
                for board in &boards {
                    pair.iter_mut().for_each(|playouts| playouts.start_from(board));
                    for game in 0..games(40) {
                        let line = line_from(board, game % 5, &mut lines);
                        let mut play = |at: usize| {
                            let playout = pair[at].run_line(&line, &mut rngs[at]);
                            (playout, pair[at].moves().to_vec(), pair[at].made())
                        };
                        let what = format!("base {size}, {settings:?}, {isa}\n{board}");
                        let played = play(0);
                        assert!(played.0.is_ok(), "{what}");
                        assert_eq!(played, play(1), "{what}");
                    }
                    assert_eq!(pair[0].hits(), pair[1].hits(), "base {size}, {settings:?}");
                }
                assert_eq!(rngs[0], rngs[1], "base {size}, {settings:?}");
            }
        }
    }
    for size in [3, 4, 5, 6, 8] {
        check(geometry(size));
    }
}

/// Searches a position, and says what each policy did.
fn hits(params: &Params, isa: Isa) -> (Vec<PolicyReport>, Vec<MoveReport>) {
    let mut engine = HavannahEngine::new(5, isa, params).expect("a base");
    let limits = Limits { playouts: Some(2000), ..Limits::default() };
    let report = engine.analyze(&limits, &AtomicBool::new(false), None);
    (report.policies, report.moves)
}

#[test]
fn in_a_search_every_policy_is_asked_and_changes_what_is_played() {
    let plain = hits(&params(&[]), Isa::best());
    assert!(plain.0.is_empty(), "the random kernel plays alone");
    for (settings, wanted) in POLICIES {
        let (found, moves) = hits(&params(settings), Isa::best());
        for policy in *wanted {
            let row = found.iter().find(|row| row.policy == *policy);
            let count = row.map_or(0, |row| row.moves);
            assert!(count > 20, "{settings:?}: {policy} chose {count} of {found:?}");
        }
        assert_ne!(moves, plain.1, "{settings:?} changes nothing");
        for isa in Isa::available() {
            assert_eq!(hits(&params(settings), isa), (found.clone(), moves.clone()), "{isa}");
        }
    }
}

#[test]
fn one_dead_cell_at_a_time_is_what_the_whole_board_says() {
    fn check<W: Width>(size: usize) {
        let layout = W::layout(size).expect("a base");
        let mut rng = Rng::new(23);
        let mut found = [0; 2];
        for _ in 0..games(2000) {
            let mut board = Board::empty(layout);
            while !board.outcome().is_over() {
                let stones = Colour::BOTH.map(|colour| board.stones(colour));
                let sets = [dead_cells_as_published(&board), dead_cells(&board)];
                for index in board.empty_cells() {
                    for (exactly, set) in sets.iter().enumerate() {
                        let is_dead =
                            is_dead(layout, &stones, Cell::from_index(index), exactly == 1);
                        assert_eq!(is_dead, set.contains(index), "{index} {exactly}\n{board}");
                        found[exactly] += usize::from(is_dead);
                    }
                }
                let empty = board.empty_cells();
                let index = empty.nth(rng.below(empty.len() as u32) as usize).expect("a cell");
                board.place(Cell::from_index(index));
            }
        }
        assert!(found[0] > found[1] && found[1] > 0, "{found:?}");
    }
    for size in [5, 8] {
        in_both_widths!(size, W => check::<W>(size));
    }
}
