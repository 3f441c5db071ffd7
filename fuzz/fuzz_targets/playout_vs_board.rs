//! Playouts replayed on the board: every move legal, the game over with the last and not before,
//! and the mate check never passes over a win or a block. (`board_vs_oracle` stands for the board
//! and its winning cells.) Playouts with policies too, the same with and without speculation.
//!
//! Bytes: the base; plies of the mate check (two bytes); a seed (eight bytes); a byte for each
//! [`OPTIONS`]; a position.

#![no_main]

use std::ops::Range;

use libfuzzer_sys::fuzz_target;

use ciclon::bits::Isa;
use ciclon::game::Move;
use ciclon::havannah::{Base, Board, Colour, Outcome, threats};
use ciclon::params::Params;
use ciclon::playout::{BoardPlayouts, Playout, Playouts, Policy, Simulator, Start};
use ciclon::rng::Rng;
use ciclon::with_base;
use ciclon_fuzz::Source;

const GAMES: usize = 4;

/// Replays the last game of a simulator; at each of the `checked` plies a win in one has to be taken, or else a threat of one blocked.
fn check_replay<B: Base>(
    position: &Board<B>,
    simulator: &Simulator<B>,
    playout: Playout,
    checked: Range<usize>,
) {
    let moves = simulator.moves();
    assert_eq!(moves.len(), playout.length);
    let mut board = *position;
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
    let stones = Colour::BOTH.map(|colour| board.stones(colour));
    assert_eq!(simulator.stones(Isa::best()), stones, "\n{board}");
}

fn check_games<B: Base>(source: &mut Source) {
    let plies = usize::from(source.short()) % (B::CELLS + 2);
    let mut rng = Rng::new(source.word());
    let params = params(source);
    let position = source.position::<B>();
    check_guided(&position, &params, &mut rng);
    let isa = Isa::best();
    let mut simulator = Simulator::new();

    let start = Start::new(&position, Policy::Random);
    for _ in 0..GAMES {
        let playout = simulator.run(isa, &start, &mut rng);
        check_replay(&position, &simulator, playout, 0..0);
    }

    let start = Start::new(&position, Policy::Mate { plies });
    let plain = start.clone().without_speculation();
    let mut looker = Simulator::new();
    for _ in 0..GAMES {
        let mut rng_of_looker = rng.clone();
        let playout = simulator.run(isa, &start, &mut rng);
        check_replay(&position, &simulator, playout, 0..plies);
        assert_eq!(looker.run(isa, &plain, &mut rng_of_looker), playout, "\n{position}");
        assert_eq!(looker.moves(), simulator.moves(), "\n{position}");
        assert_eq!(rng_of_looker, rng, "\n{position}");
    }

    // Games that begin with given moves: those of another game, up to the last but one.
    for (policy, plies) in [(Policy::Random, 0), (Policy::Mate { plies }, plies)] {
        let start = Start::new(&position, policy);
        for _ in 0..GAMES {
            let playout = simulator.run(isa, &start, &mut rng);
            let length = rng.below(playout.length as u32) as usize;
            let line = simulator.moves()[..length].iter().map(|cell| Move::new(cell.index()));
            let line: Vec<Move> = line.collect();
            let playout = simulator.run_line(isa, &start, &line, &mut rng);
            let begin = simulator.moves()[..length].iter().map(|cell| Move::new(cell.index()));
            assert!(begin.eq(line.iter().copied()), "{line:?}\n{position}");
            check_replay(&position, &simulator, playout, length..length + plies);
        }
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

/// Playouts with policies, from a position and from moves behind it.
fn check_guided<B: Base>(position: &Board<B>, params: &Params, rng: &mut Rng) {
    let isa = Isa::best();
    let mut pair = [(); 2].map(|()| BoardPlayouts::<B>::new(isa, params));
    pair.iter_mut().for_each(|playouts| playouts.start_from(position));
    pair[1].without_speculation();
    for game in 0..2 * GAMES {
        let line: Vec<Move> = match game % 2 {
            0 => Vec::new(),
            _ => {
                let moves = pair[0].moves();
                let length = rng.below(moves.len() as u32) as usize;
                moves[..length].iter().map(|cell| Move::new(cell.index())).collect()
            }
        };
        let mut rngs = [rng.clone(), rng.clone()];
        let outcomes: Vec<Outcome> = pair
            .iter_mut()
            .zip(&mut rngs)
            .map(|(playouts, rng)| {
                if let Some(list) = playouts.pool_mut() {
                    list.clear();
                    list.extend(position.empty_cells().iter().step_by(2).map(|cell| cell as u16));
                }
                playouts.play(&line, rng)
            })
            .collect();
        assert_eq!(outcomes[0], outcomes[1], "{params:?}\n{position}");
        assert_eq!(pair[0].moves(), pair[1].moves(), "{params:?}\n{position}");
        assert_eq!(rngs[0], rngs[1], "{params:?}\n{position}");
        *rng = rngs[0].clone();

        let mut board = *position;
        for (ply, cell) in pair[0].moves().iter().enumerate() {
            assert!(board.is_legal(*cell), "{cell:?} at ply {ply}, {params:?}\n{board}");
            board.place(*cell);
        }
        let stones = Colour::BOTH.map(|colour| board.stones(colour));
        assert_eq!(pair[0].made(), stones, "{params:?}\n{board}");
        if board.outcome() == outcomes[0] {
            continue;
        }
        match outcomes[0] {
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
    let size = source.size();
    with_base!(size, B => check_games::<B>(&mut source)).expect("a base");
});
