//! Playouts replayed on the board: every move legal, the game over with the last and not before,
//! and the mate check never passes over a win or a block. (`board_vs_oracle` stands for the board
//! and its winning cells.) Playouts with policies too, the same with and without speculation.
//!
//! Bytes: the base; plies of the mate check (two bytes); a seed (eight bytes); a byte for each
//! [`OPTIONS`]; a position.

#![no_main]

use std::ops::Range;

use libfuzzer_sys::fuzz_target;

use ciclon::internals::bits::Isa;
use ciclon::internals::game::{MOVE_WORDS, Move, MoveWords};
use ciclon::internals::havannah::playout::{IllegalLine, Playout, Playouts, Policy};
use ciclon::internals::havannah::{Board, Cell, Colour, Geometry, Outcome, threats};
use ciclon::internals::params::Params;
use ciclon::internals::rng::Rng;
use ciclon_fuzz::Source;

const GAMES: usize = 4;

/// Cells as moves.
fn line_of(geometry: &Geometry, cells: &[Cell]) -> Vec<Move> {
    cells.iter().map(|cell| geometry.move_to(*cell)).collect()
}

/// The stones of each side, as bits by the ordinals of their cells.
fn stones(board: &Board) -> [MoveWords; 2] {
    Colour::BOTH.map(|colour| {
        let mut words = [0; MOVE_WORDS];
        for index in board.stones(colour) {
            let number = board.geometry().move_to(Cell::from_index(index)).number();
            words[number / 64] |= 1 << (number % 64);
        }
        words
    })
}

/// Replays the last game; at each of the `checked` plies a win in one has to be taken, or else a
/// threat of one blocked.
fn check_replay(playouts: &Playouts, playout: Playout, checked: Range<usize>) {
    let moves = playouts.moves();
    assert_eq!(moves.len(), playout.length);
    let mut board = *playouts.board();
    for (ply, cell) in moves.iter().enumerate() {
        assert_eq!(board.outcome(), Outcome::Ongoing, "over before ply {ply}\n{board}");
        assert!(board.is_legal(*cell), "{cell:?} at ply {ply}\n{board}");
        let mover = board.to_move();
        if checked.contains(&ply) {
            let [own, other] =
                [mover, mover.other()].map(|colour| threats::winning_cells(&board, colour).all());
            let urgent = if own.is_empty() { other } else { own };
            assert!(
                urgent.is_empty() || urgent.contains(cell.index()),
                "{cell:?} at ply {ply} of {checked:?}, urgent {urgent:?}\n{board}"
            );
        }
        board.place(*cell);
    }
    assert_eq!(board.outcome(), playout.outcome, "\n{board}");
    assert_eq!(playouts.made(), stones(&board), "\n{board}");
}

fn check_games(geometry: &'static Geometry, source: &mut Source) {
    let plies = usize::from(source.short()) % (geometry.cell_count() + 2);
    let mut rng = Rng::new(source.word());
    let params = params(source);
    let position = source.position(geometry);
    check_guided(&position, &params, &mut rng);
    let playouts = |policy: Policy| Playouts::new(&position, policy, Isa::best());

    let mut random = playouts(Policy::Random);
    for _ in 0..GAMES {
        let playout = random.run(&mut rng);
        check_replay(&random, playout, 0..0);
    }

    let mut mate = playouts(Policy::Mate { plies });
    let mut looker = playouts(Policy::Mate { plies }).without_speculation();
    for _ in 0..GAMES {
        let mut rng_of_looker = rng.clone();
        let playout = mate.run(&mut rng);
        check_replay(&mate, playout, 0..plies);
        assert_eq!(looker.run(&mut rng_of_looker), playout, "\n{position}");
        assert_eq!(looker.moves(), mate.moves(), "\n{position}");
        assert_eq!(rng_of_looker, rng, "\n{position}");
    }

    for (mut playouts, plies) in [(random, 0), (mate, plies)] {
        for _ in 0..GAMES {
            check_lines(&mut playouts, plies, &mut rng);
        }
    }
}

/// Games that begin with given moves: those of another game. The mate check has so many plies.
fn check_lines(playouts: &mut Playouts, plies: usize, rng: &mut Rng) {
    let position = *playouts.board();
    let game = playouts.run(rng);
    let line = line_of(position.geometry(), playouts.moves());

    // All of them: the game is over, and there is nothing to play.
    assert_eq!(playouts.run_line(&line, rng), Ok(game), "{line:?}\n{position}");

    // Up to the last but one.
    let length = rng.below(game.length as u32) as usize;
    let begin = &line[..length];
    let playout = playouts.run_line(begin, rng).expect("the moves are legal");
    let played = line_of(position.geometry(), &playouts.moves()[..length]);
    assert_eq!(played, begin, "\n{position}");
    check_replay(playouts, playout, length..length + plies);

    // An illegal move is refused: one made before, one after the end of the game, one off the board.
    let off_board = Move::new(position.geometry().cell_count());
    let refused = Err(IllegalLine { at: length });
    for illegal in begin.first().copied().into_iter().chain([off_board]) {
        let line = [begin, &[illegal]].concat();
        assert_eq!(playouts.run_line(&line, rng), refused, "{line:?}\n{position}");
    }
    if let Some(cell) = playouts.board().empty_cells().first() {
        let line = [&line[..], &[position.geometry().move_to(Cell::from_index(cell))]].concat();
        let refused = Err(IllegalLine { at: game.length });
        assert_eq!(playouts.run_line(&line, rng), refused, "{line:?}\n{position}");
    }
}

/// The policies of playouts, each with the values it may have here.
const OPTIONS: &[(&str, &[&str])] = &[
    ("policy", &["random", "mate"]),
    ("havannah_mate", &["false", "true"]),
    ("bridge_reply", &["false", "true"]),
    ("lgr", &["off", "lgr1", "lgr2", "lgrf1", "lgrf2"]),
    ("ngram", &["off", "mast", "1", "2", "average"]),
    ("ppr", &["false", "true"]),
    ("pool_rave", &["false", "true"]),
    ("playout_weights", &["off", "patterns", "joint"]),
    ("playout_choice", &["roulette", "greedy"]),
    ("locality", &["off", "near", "joint"]),
    ("avoid_pairs", &["false", "true"]),
    ("proximity", &["off", "own", "opponent"]),
    ("dead_cells", &["off", "exact", "local"]),
    ("playout_cut", &["0", "1", "7", "40"]),
];

fn params(source: &mut Source) -> Params {
    let mut params = Params { memory: 2, ..Params::default() };
    for (name, values) in OPTIONS {
        let value = values[usize::from(source.byte()) % values.len()];
        params.set(name, value).expect("the option has the value");
    }
    params
}

/// Playouts with policies, from a position and from moves after it: the same with and without
/// speculation, and whether they were made for the position or began at another.
fn check_guided(position: &Board, params: &Params, rng: &mut Rng) {
    let (isa, geometry) = (Isa::best(), position.geometry());
    let empty = Board::of(geometry);
    let mut pair = [
        Playouts::guided(position, isa, params),
        Playouts::guided(&empty, isa, params).without_speculation(),
    ];
    pair[1].run(&mut rng.clone());
    pair[1].start_from(position);
    let every_other_cell = position.empty_cells().iter().step_by(2).map(Cell::from_index);
    let pool: Vec<u16> =
        every_other_cell.map(|cell| geometry.move_to(cell).number() as u16).collect();
    pair.iter_mut().for_each(|playouts| playouts.set_pool(&pool));
    for game in 0..2 * GAMES {
        let line = match game % 2 {
            0 => Vec::new(),
            _ => {
                let moves = pair[0].moves();
                let length = rng.below(moves.len() as u32) as usize;
                line_of(geometry, &moves[..length])
            }
        };
        let mut rngs = [rng.clone(), rng.clone()];
        let [playout, other] = [0, 1].map(|index| {
            pair[index].run_line(&line, &mut rngs[index]).expect("the moves are legal")
        });
        assert_eq!(playout, other, "{params:?}\n{position}");
        assert_eq!(playout.length, pair[0].moves().len(), "{params:?}\n{position}");
        assert_eq!(pair[0].moves(), pair[1].moves(), "{params:?}\n{position}");
        assert_eq!(pair[0].hits(), pair[1].hits(), "{params:?}\n{position}");
        assert_eq!(rngs[0], rngs[1], "{params:?}\n{position}");
        *rng = rngs[0].clone();

        let mut board = *position;
        for (ply, cell) in pair[0].moves().iter().enumerate() {
            assert!(board.is_legal(*cell), "{cell:?} at ply {ply}, {params:?}\n{board}");
            board.place(*cell);
        }
        assert_eq!(pair[0].made(), stones(&board), "{params:?}\n{board}");
        if board.outcome() == playout.outcome {
            continue;
        }
        match playout.outcome {
            Outcome::Won { by, .. } => {
                // Decided two plies ahead.
                assert!(params.havannah_mate && board.to_move() != by, "{params:?}\n{board}");
                let cells = |colour| threats::winning_cells(&board, colour).all().len();
                assert!(cells(by) >= 2 && cells(by.other()) == 0, "{params:?}\n{board}");
            }
            _ => assert!(params.playout_cut > 0, "{params:?}\n{board}"),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let geometry = source.geometry();
    check_games(geometry, &mut source);
});
