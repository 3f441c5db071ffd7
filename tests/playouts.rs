//! Playouts: honest samples of random play, the same on every instruction set, reproducible from
//! a seed, and with the mate check exactly what checking every ply gives.

use std::fmt::Write;

use ciclon::bits::Isa;
use ciclon::game::Move;
use ciclon::havannah::threats::winning_cells;
use ciclon::havannah::{Base, Board, Cell, Colour, Notation, Outcome, Size};
use ciclon::playout::{Playout, Policy, Simulator, Start};
use ciclon::rng::Rng;
use ciclon::tools::playing::{Tally, midgame_positions, play};
use ciclon::with_base;

fn games(release: u64) -> u64 {
    if cfg!(debug_assertions) { release / 20 } else { release }
}

/// Plays the moves again on the board: legal, not over before the last, and the same end.
fn replay<B: Base>(start: &Board<B>, moves: &[Cell], playout: Playout) -> Result<(), String> {
    let mut board = *start;
    for (ply, cell) in moves.iter().enumerate() {
        if board.outcome() != Outcome::Ongoing {
            return Err(format!("over before ply {ply}\n{board}"));
        }
        board.play(*cell).map_err(|error| format!("ply {ply}: {error}\n{board}"))?;
    }
    if (board.outcome(), moves.len()) != (playout.outcome, playout.length) {
        return Err(format!("{:?} is not {playout:?}\n{board}", board.outcome()));
    }
    Ok(())
}

#[test]
fn every_playout_is_a_game_on_the_board() {
    fn check<B: Base>() {
        let mut rng = Rng::new(11);
        let mut boards = vec![Board::<B>::new()];
        boards.extend(midgame_positions::<B>(B::SIZE, 4, &mut rng));
        let mut simulator = Simulator::new();
        for board in &boards {
            for policy in [Policy::Random, Policy::mate::<B>(), Policy::Mate { plies: 1000 }] {
                let start = Start::new(board, policy);
                for _ in 0..games(1000) {
                    let playout = simulator.run(Isa::best(), &start, &mut rng);
                    if let Err(reason) = replay(board, simulator.moves(), playout) {
                        panic!("base {}, {policy:?}: {reason}", B::SIZE);
                    }
                    let mut end = *board;
                    simulator.moves().iter().for_each(|cell| {
                        end.place(*cell);
                    });
                    let stones = Colour::BOTH.map(|colour| end.stones(colour));
                    assert_eq!(simulator.stones(Isa::best()), stones);
                }
            }
        }
    }
    (2..=10).for_each(|size| with_base!(size, B => check::<B>()).unwrap());
}

/// The beginnings of other games, up to lines that take several stretches of the kernel.
#[test]
fn a_playout_can_begin_with_given_moves() {
    fn check<B: Base>() {
        let mut rng = Rng::new(12);
        let board = Board::<B>::new();
        let (isa, mut simulator) = (Isa::best(), Simulator::new());
        let random = Start::new(&board, Policy::Random);
        let policies = [Policy::Random, Policy::mate::<B>(), Policy::Mate { plies: 1000 }];
        let starts = policies.map(|policy| Start::new(&board, policy));
        let mut other = Simulator::new();
        let lengths = [0, 1, 2, 3, 17, 32, 33, 63, 64, 127, 128, 129, 130, 131, 151, 159, 160, 161];
        for _ in 0..games(200) {
            simulator.run(isa, &random, &mut rng);
            let game = simulator.moves().to_vec();
            let given = lengths.into_iter().chain([game.len() - 1]);
            for length in given.filter(|length| *length < game.len()) {
                let cells = &game[..length];
                let line: Vec<Move> = cells.iter().map(|cell| Move::new(cell.index())).collect();
                for start in &starts {
                    let mut same = rng.clone();
                    let playout = simulator.run_line(isa, start, &line, &mut rng);
                    let looking = start.clone().without_speculation();
                    assert_eq!(playout, other.run_line(isa, &looking, &line, &mut same));
                    assert_eq!((simulator.moves(), &rng), (other.moves(), &same));
                    assert_eq!(&simulator.moves()[..length], cells, "base {}", B::SIZE);
                    if let Err(reason) = replay(&board, simulator.moves(), playout) {
                        panic!("base {}, {length} given moves: {reason}", B::SIZE);
                    }
                    let mut end = board;
                    simulator.moves().iter().for_each(|cell| {
                        end.place(*cell);
                    });
                    let stones = Colour::BOTH.map(|colour| end.stones(colour));
                    assert_eq!(simulator.stones(isa), stones, "base {}, {length}", B::SIZE);
                }
            }
        }
    }
    (2..=10).for_each(|size| with_base!(size, B => check::<B>()).unwrap());
}

/// Mean length, then forks, bridges and rings in 10,000 games, for uniformly random games.
const KNOWN: [(usize, f64, [f64; 3]); 5] = [
    (4, 27.95, [4404.0, 5000.0, 589.0]),
    (5, 46.54, [5120.0, 2945.0, 1932.0]),
    (6, 68.65, [4557.0, 1675.0, 3768.0]),
    (8, 120.5, [2306.0, 484.0, 7210.0]),
    (10, 179.8, [790.0, 119.0, 9091.0]),
];

#[test]
fn random_games_look_as_they_must() {
    for (size, length, shares) in KNOWN {
        let count = games(200_000);
        let sample = |isa: Isa| -> Tally {
            fn sample<B: Base>(isa: Isa, count: u64) -> Tally {
                let start = Start::new(&Board::<B>::new(), Policy::Random);
                play(isa, &mut Simulator::new(), &start, &mut Rng::new(5), count)
            }
            with_base!(size, B => sample::<B>(isa, count)).unwrap()
        };
        let tally = sample(Isa::best());
        // Five standard errors of the sample, and half a unit of the figures' last digit.
        let error = 5.0 * 0.2 * length / (count as f64).sqrt() + 0.05;
        assert!((tally.mean_length() - length).abs() < error, "base {size}: {tally:?}");
        for (found, known) in [tally.forks, tally.bridges, tally.rings].into_iter().zip(shares) {
            let share = known / 10_000.0;
            let error = 5.0 * (share * (1.0 - share) / count as f64).sqrt() + 0.0015;
            assert!((tally.share(found) - share).abs() < error, "base {size}: {tally:?}");
        }
        for isa in Isa::available() {
            assert_eq!(sample(isa), tally, "base {size} on {isa}");
        }
    }
}

/// The mate check as it is defined, from the exact winning cells at every ply; the order of the
/// random moves comes from a playout that had nothing to check.
#[test]
fn the_mate_check_wins_and_blocks_and_nothing_else() {
    fn check<B: Base>() {
        let mut rng = Rng::new(13);
        let mut boards = vec![Board::<B>::new()];
        boards.extend(midgame_positions::<B>(2 * B::SIZE, 6, &mut rng));
        // Where what is left to play is shorter than the plies of the check.
        boards.extend(midgame_positions::<B>(B::CELLS * 3 / 5, 6, &mut rng));
        assert!(boards.len() == 13 || B::SIZE < 7, "base {}: {}", B::SIZE, boards.len());
        let (mut wins, mut blocks, mut quiet) = (0, 0, 0);
        for board in &boards {
            let start = Start::new(board, Policy::mate::<B>());
            let looking = start.clone().without_speculation();
            let (mut simulator, mut other) = (Simulator::new(), Simulator::new());
            for _ in 0..games(400) {
                let mut same = rng.clone();
                let playout = simulator.run(Isa::best(), &start, &mut rng);
                assert_eq!(playout, other.run(Isa::PORTABLE, &looking, &mut same));
                assert_eq!(simulator.moves(), other.moves());
                assert_eq!(rng, same);
                let mut board = *board;
                for cell in simulator.moves().iter().take(5 * B::SIZE) {
                    let [own, threat] = [board.to_move(), board.to_move().other()]
                        .map(|colour| winning_cells(&board, colour).all());
                    let urgent = if own.is_empty() { threat } else { own };
                    assert!(urgent.is_empty() || urgent.contains(cell.index()), "\n{board}");
                    wins += u64::from(!own.is_empty());
                    blocks += u64::from(own.is_empty() && !threat.is_empty());
                    quiet += u64::from(urgent.is_empty());
                    board.place(*cell);
                }
            }
        }
        let all_occurred = wins > 0 && blocks > 0 && quiet > 0;
        let too_few = cfg!(debug_assertions) && B::SIZE > 6;
        assert!(all_occurred || too_few, "base {}: {wins} {blocks} {quiet}", B::SIZE);
    }
    (3..=10).for_each(|size| with_base!(size, B => check::<B>()).unwrap());
}

/// After a random move, the cell drawn is any empty one with the same probability.
#[test]
fn every_first_move_is_as_likely() {
    let start = Start::new(&Board::<Size<3>>::new(), Policy::Random);
    let (mut simulator, mut rng) = (Simulator::new(), Rng::new(17));
    let mut counts = std::collections::HashMap::new();
    let count = 19 * games(40_000);
    for _ in 0..count {
        simulator.run(Isa::best(), &start, &mut rng);
        *counts.entry((simulator.moves()[0], simulator.moves()[1])).or_insert(0_u64) += 1;
    }
    // Chi-square over the 19 * 18 first pairs, 341 degrees of freedom: 5 standard deviations.
    let expected = count as f64 / (19.0 * 18.0);
    let square: f64 = counts.values().map(|n| (*n as f64 - expected).powi(2) / expected).sum();
    assert_eq!(counts.len(), 19 * 18);
    assert!((square - 341.0).abs() < 5.0 * (2.0_f64 * 341.0).sqrt(), "chi-square {square}");
}

#[test]
fn golden_games_move_by_move() {
    fn record<B: Base>(text: &mut String) {
        let mut simulator = Simulator::new();
        for policy in [Policy::Random, Policy::mate::<B>()] {
            let start = Start::new(&Board::<B>::new(), policy);
            let mut rng = Rng::new(2011);
            let playout = simulator.run(Isa::best(), &start, &mut rng);
            writeln!(text, "base {} {policy:?}: {:?}", B::SIZE, playout.outcome).unwrap();
            let moves = simulator.moves().iter();
            let moves: Vec<_> =
                moves.map(|cell| Notation::Letternum.write(B::TABLES, *cell)).collect();
            writeln!(text, "{}", moves.join(" ")).unwrap();
        }
    }
    let mut text = String::new();
    for size in [2, 3, 4, 5, 6, 8, 10] {
        with_base!(size, B => record::<B>(&mut text)).unwrap();
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/playouts.txt");
    if std::env::var_os("CICLON_WRITE_GOLDEN").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "CICLON_WRITE_GOLDEN=1 writes anew");
}
