//! Playouts replayed on the board: every move legal, the game over with the last and not before,
//! and the mate check never passes over a win or a block. (`board_vs_oracle` stands for the board
//! and its winning cells.)
//!
//! Bytes: the base; plies of the mate check (two bytes); a seed (eight bytes); a
//! position.

#![no_main]

use libfuzzer_sys::fuzz_target;

use ciclon::bits::Isa;
use ciclon::havannah::{Base, Board, Colour, Outcome, Set, threats};
use ciclon::playout::{Playout, Policy, Simulator, Start};
use ciclon::rng::Rng;
use ciclon::with_base;
use ciclon_fuzz::Source;

const GAMES: usize = 4;

/// Replays the last game of a simulator; at each of the first `checked` plies a win in one has to
/// be taken, or else a threat of one blocked.
fn check_replay<B: Base>(
    position: &Board<B>,
    simulator: &Simulator<B>,
    playout: Playout,
    checked: usize,
) {
    let moves = simulator.moves();
    assert_eq!(moves.len(), playout.length);
    let mut board = *position;
    let mut taken = [Set::<B>::empty(); 2];
    for (ply, cell) in moves.iter().enumerate() {
        assert_eq!(board.outcome(), Outcome::Ongoing, "over before ply {ply}\n{board}");
        assert!(board.is_legal(*cell), "{cell:?} at ply {ply}\n{board}");
        let mover = board.to_move();
        if ply < checked {
            let [own, other] =
                [mover, mover.other()].map(|colour| threats::winning_cells(&board, colour).all());
            let urgent = if own.is_empty() { other } else { own };
            assert!(
                urgent.is_empty() || urgent.contains(cell.index()),
                "{cell:?} at ply {ply} of {checked}, urgent {urgent:?}\n{board}"
            );
        }
        taken[mover.index()].insert(cell.index());
        board.place(*cell);
    }
    assert_eq!(board.outcome(), playout.outcome, "\n{board}");
    assert_eq!(Colour::BOTH.map(|colour| simulator.cells_of(colour)), taken, "\n{board}");
}

fn check_games<B: Base>(source: &mut Source) {
    let plies = usize::from(source.short()) % (B::CELLS + 2);
    let mut rng = Rng::new(source.word());
    let position = source.position::<B>();
    let isa = Isa::best();
    let mut simulator = Simulator::new();

    let start = Start::new(&position, Policy::Random);
    for _ in 0..GAMES {
        let playout = simulator.run(isa, &start, &mut rng);
        check_replay(&position, &simulator, playout, 0);
    }

    let start = Start::new(&position, Policy::Mate { plies });
    let plain = start.clone().without_speculation();
    let mut looker = Simulator::new();
    for _ in 0..GAMES {
        let mut rng_of_looker = rng.clone();
        let playout = simulator.run(isa, &start, &mut rng);
        check_replay(&position, &simulator, playout, plies);
        assert_eq!(looker.run(isa, &plain, &mut rng_of_looker), playout, "\n{position}");
        assert_eq!(looker.moves(), simulator.moves(), "\n{position}");
        assert_eq!(rng_of_looker, rng, "\n{position}");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let size = source.size();
    with_base!(size, B => check_games::<B>(&mut source)).expect("a base");
});
