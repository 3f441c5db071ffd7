//! Playouts: honest samples of random play, the same on every instruction set, reproducible from
//! a seed, and with the mate check exactly what checking every ply gives.

use std::fmt::Write;

use ciclon::internals::bits::Isa;
use ciclon::internals::game::{Move, MoveWords};
use ciclon::internals::havannah::playout::{IllegalLine, Playout, Playouts, Policy};
use ciclon::internals::havannah::threats::winning_cells;
use ciclon::internals::havannah::{Board, Cell, Colour, Geometry, Notation, Outcome};
use ciclon::internals::rng::Rng;
use ciclon::internals::tools::playing::{Tally, midgame_positions, play};

use crate::positions::move_words;

fn games(release: u64) -> u64 {
    if cfg!(debug_assertions) { release / 20 } else { release }
}

fn geometry(size: usize) -> &'static Geometry {
    Geometry::of_size(size).expect("a base")
}

/// The policies of the random kernel, on a base.
fn policies(size: usize) -> [Policy; 3] {
    [Policy::Random, Policy::mate(size), Policy::Mate { plies: 1000 }]
}

/// The stones of both sides after some moves.
fn stones_after(start: &Board, moves: &[Cell]) -> [MoveWords; 2] {
    let mut end = *start;
    moves.iter().for_each(|cell| {
        end.place(*cell);
    });
    Colour::BOTH.map(|colour| move_words(end.geometry(), end.stones(colour)))
}

/// Plays the moves again on the board: legal, not over before the last, and the same end.
fn replay(start: &Board, moves: &[Cell], playout: Playout) -> Result<(), String> {
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
    fn check(size: usize) {
        let mut rng = Rng::new(11);
        let mut boards = vec![Board::of(geometry(size))];
        boards.extend(midgame_positions(geometry(size), size, 4, &mut rng));
        for policy in policies(size) {
            let mut playouts = Playouts::new(&boards[0], policy, Isa::best());
            for board in &boards {
                playouts.start_from(board);
                for _ in 0..games(1000) {
                    let playout = playouts.run(&mut rng);
                    if let Err(reason) = replay(board, playouts.moves(), playout) {
                        panic!("base {size}, {policy:?}: {reason}");
                    }
                    assert_eq!(playouts.made(), stones_after(board, playouts.moves()));
                }
            }
        }
    }
    (2..=10).for_each(check);
}

/// The beginnings of other games, up to lines that take several stretches of the kernel.
#[test]
fn a_playout_can_begin_with_given_moves() {
    fn check(size: usize) {
        let mut rng = Rng::new(12);
        let (isa, geometry) = (Isa::best(), geometry(size));
        let board = Board::of(geometry);
        let mut random = Playouts::new(&board, Policy::Random, isa);
        let mut pairs = policies(size).map(|policy| {
            let [playouts, other] = [(); 2].map(|()| Playouts::new(&board, policy, isa));
            [playouts, other.without_speculation()]
        });
        let lengths = [0, 1, 2, 3, 17, 32, 33, 63, 64, 127, 128, 129, 130, 131, 151, 159, 160, 161];
        for _ in 0..games(200) {
            random.run(&mut rng);
            let game = random.moves().to_vec();
            let given = lengths.into_iter().chain([game.len() - 1]);
            for length in given.filter(|length| *length < game.len()) {
                let cells = &game[..length];
                let line: Vec<Move> = cells.iter().map(|cell| geometry.move_to(*cell)).collect();
                for [playouts, looking] in &mut pairs {
                    let mut same = rng.clone();
                    let playout = playouts.run_line(&line, &mut rng).expect("a legal line");
                    assert_eq!(looking.run_line(&line, &mut same), Ok(playout));
                    assert_eq!((playouts.moves(), &rng), (looking.moves(), &same));
                    assert_eq!(&playouts.moves()[..length], cells, "base {size}");
                    if let Err(reason) = replay(&board, playouts.moves(), playout) {
                        panic!("base {size}, {length} given moves: {reason}");
                    }
                    let stones = stones_after(&board, playouts.moves());
                    assert_eq!(playouts.made(), stones, "base {size}, {length}");
                }
            }
        }
    }
    (2..=10).for_each(check);
}

/// A whole game as a line is that game; a move that cannot be made is named by its place.
#[test]
fn lines_are_checked() {
    fn check(size: usize) {
        let mut rng = Rng::new(14);
        let board = Board::of(geometry(size));
        let mut playouts = Playouts::new(&board, Policy::Random, Isa::best());
        let playout = playouts.run(&mut rng);
        let moves = playouts.moves().iter().map(|cell| board.geometry().move_to(*cell));
        let mut line: Vec<Move> = moves.collect();
        let (cells, made) = (playouts.moves().to_vec(), playouts.made());
        playouts.run(&mut rng);
        assert_eq!(playouts.run_line(&line, &mut rng), Ok(playout));
        assert_eq!((playouts.moves(), playouts.made()), (&cells[..], made), "the game of the line");
        let mut over = board;
        cells.iter().for_each(|cell| {
            over.play(*cell).expect("legal");
        });
        let mut after = Playouts::new(&over, Policy::Random, Isa::best());
        assert_eq!(after.run(&mut rng).length, 0, "nothing is left to play");
        assert_eq!((after.moves(), after.made()), (&[][..], made));
        line.push(line[0]);
        let at = line.len() - 1;
        assert_eq!(playouts.run_line(&line, &mut rng), Err(IllegalLine { at }), "after the end");
        assert_eq!(
            playouts.run_line(&[line[0], line[0]], &mut rng),
            Err(IllegalLine { at: 1 }),
            "on a stone"
        );
        for number in [board.geometry().cell_count(), 65_535] {
            let off_board = Move::new(number);
            let found = playouts.run_line(&[off_board], &mut rng);
            assert_eq!(found, Err(IllegalLine { at: 0 }), "off the board");
        }
    }
    (2..=10).for_each(check);
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
            let mut playouts = Playouts::new(&Board::of(geometry(size)), Policy::Random, isa);
            play(&mut playouts, &mut Rng::new(5), count)
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
    fn check(size: usize) {
        let mut rng = Rng::new(13);
        let geometry = geometry(size);
        let mut boards = vec![Board::of(geometry)];
        boards.extend(midgame_positions(geometry, 2 * size, 6, &mut rng));
        // Where what is left to play is shorter than the plies of the check.
        boards.extend(midgame_positions(geometry, geometry.cell_count() * 3 / 5, 6, &mut rng));
        assert!(boards.len() == 13 || size < 7, "base {size}: {}", boards.len());
        let (mut wins, mut blocks, mut quiet) = (0, 0, 0);
        for board in &boards {
            let [mut playouts, looking] = [Isa::best(), Isa::PORTABLE]
                .map(|isa| Playouts::new(board, Policy::mate(size), isa));
            let mut looking = looking.without_speculation();
            for _ in 0..games(400) {
                let mut same = rng.clone();
                let playout = playouts.run(&mut rng);
                assert_eq!(playout, looking.run(&mut same));
                assert_eq!(playouts.moves(), looking.moves());
                assert_eq!(playouts.made(), looking.made());
                assert_eq!(rng, same);
                let mut board = *board;
                for cell in playouts.moves().iter().take(5 * size) {
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
        let too_few = cfg!(debug_assertions) && size > 6;
        assert!(all_occurred || too_few, "base {size}: {wins} {blocks} {quiet}");
    }
    (3..=10).for_each(check);
}

/// After a random move, the cell drawn is any empty one with the same probability.
#[test]
fn every_first_move_is_as_likely() {
    let mut playouts = Playouts::new(&Board::of(geometry(3)), Policy::Random, Isa::best());
    let mut rng = Rng::new(17);
    let mut counts = std::collections::HashMap::new();
    let count = 19 * games(40_000);
    for _ in 0..count {
        playouts.run(&mut rng);
        *counts.entry((playouts.moves()[0], playouts.moves()[1])).or_insert(0_u64) += 1;
    }
    // Chi-square over the 19 * 18 first pairs, 341 degrees of freedom: 5 standard deviations.
    let expected = count as f64 / (19.0 * 18.0);
    let square: f64 = counts.values().map(|n| (*n as f64 - expected).powi(2) / expected).sum();
    assert_eq!(counts.len(), 19 * 18);
    assert!((square - 341.0).abs() < 5.0 * (2.0_f64 * 341.0).sqrt(), "chi-square {square}");
}

#[test]
fn golden_games_move_by_move() {
    fn record(geometry: &Geometry, text: &mut String) {
        let size = geometry.size;
        for policy in [Policy::Random, Policy::mate(size)] {
            let mut playouts = Playouts::new(&Board::of(geometry), policy, Isa::best());
            let mut rng = Rng::new(2011);
            let playout = playouts.run(&mut rng);
            writeln!(text, "base {size} {policy:?}: {:?}", playout.outcome).unwrap();
            let moves = playouts.moves().iter();
            let moves: Vec<_> =
                moves.map(|cell| geometry.write_cell(Notation::Letternum, *cell)).collect();
            writeln!(text, "{}", moves.join(" ")).unwrap();
        }
    }
    let mut text = String::new();
    for size in [2, 3, 4, 5, 6, 8, 10] {
        record(geometry(size), &mut text);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/playouts.txt");
    if std::env::var_os("CICLON_WRITE_GOLDEN").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "CICLON_WRITE_GOLDEN=1 writes anew");
}
