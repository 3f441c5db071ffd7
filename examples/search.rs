//! Searches a position: which move is best, what the position is worth, and how the game may go on.
//!
//!     cargo run --release --example search                 # base 5, after three moves
//!     cargo run --release --example search -- 6 c4 d5      # base 6, after these moves

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ciclon::bits::Isa;
use ciclon::game::Move;
use ciclon::havannah::{Board, Notation};
use ciclon::mcts::Mcts;
use ciclon::params::Params;
use ciclon::search::{Found, Limits};

/// Where the search ends, unless it has proven the value of the position before.
const PLAYOUTS: u64 = 50_000;

/// The board after some moves. White moves first, and the sides take turns.
fn board_after(size: usize, moves: &[String]) -> Result<Board, Box<dyn Error>> {
    let mut board = Board::new(size).ok_or("bases are 2 to 10")?;
    for name in moves {
        let cell =
            Notation::Letternum.read(board.geometry(), name).map_err(|error| error.to_string())?;
        board.play(cell).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(board)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let board = match arguments.split_first() {
        Some((size, moves)) => board_after(size.parse()?, moves)?,
        None => board_after(5, &["e5", "d3", "f6"].map(String::from))?,
    };
    println!("{board}{} to move", board.to_move());
    if board.outcome().is_over() {
        println!("the game is over: {:?}", board.outcome());
        return Ok(());
    }

    // The settings that play tournaments, on one thread. `Isa::best` is the widest instruction set of
    // this processor.
    let params = Params::preset("tournament")?;
    let mut search = Mcts::new(Isa::best(), &params, Box::new(board));
    let limits = Limits { playouts: Some(PLAYOUTS), ..Limits::default() };

    // Another thread may set `stop` to end the search; the closure could show its progress.
    let stop = AtomicBool::new(false);
    let begin = Instant::now();
    let ending = search.run(&limits, &stop, &mut |_| ());
    let report = search.report(begin.elapsed());

    // Moves are numbers; the board knows their names.
    let name = |next: &Move| Notation::Letternum.write_move(board.geometry(), *next);
    let line: Vec<String> = report.pv.iter().map(name).collect();
    println!("best move  {}", line.first().map_or("none", String::as_str));
    if report.status.is_proven() {
        println!("value      {} (proven)", report.status.name());
    } else {
        println!("value      {:.1} % for {}", 100.0 * report.value, board.to_move());
    }
    println!("main line  {}", line.join(" "));
    println!(
        "{} playouts, {:.0} per second; ended by {ending:?}",
        report.stats.playouts, report.stats.per_second
    );
    Ok(())
}
