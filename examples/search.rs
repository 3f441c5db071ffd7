//! Searches a position: which move is best, what the position is worth, and how the game may go on.
//!
//!     cargo run --release --example search                 # base 5, after three moves
//!     cargo run --release --example search -- 6 c4 d5      # base 6, after these moves

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ciclon::{Engine, Limits, Params};

/// Where the search ends, unless it has proven the value of the position before.
const PLAYOUTS: u64 = 50_000;

/// How often the search says what it has found so far.
const EVERY: Duration = Duration::from_secs(1);

/// An engine after some moves, with the settings that play tournaments, on one thread. White moves first,
/// and the sides take turns.
fn engine_after(size: usize, moves: &[String]) -> Result<Engine, Box<dyn Error>> {
    let mut engine = Engine::new(size, &Params::preset("tournament")?)?;
    for name in moves {
        engine.play(name.parse()?).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(engine)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut engine = match arguments.split_first() {
        Some((size, moves)) => engine_after(size.parse()?, moves)?,
        None => engine_after(5, &["e5", "d3", "f6"].map(String::from))?,
    };
    let board = engine.board();
    println!("{board}{} to move", board.to_move());
    if board.outcome().is_over() {
        println!("the game is over: {:?}", board.outcome());
        return Ok(());
    }

    // Another thread may set `stop` to end the search.
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(PLAYOUTS), ..Limits::default() };
    let report = engine.analyze_until(&limits, &stop, EVERY, &mut |so_far| {
        println!("{} playouts: {:?}", so_far.playouts, so_far.best);
    });

    let best = report.best.expect("the game is not over");
    println!("best move  {best}");
    match report.proven {
        Some(value) => println!("value      {value:?} (proven)"),
        None => println!("value      {:.1} % for {}", 100.0 * report.value, board.to_move()),
    }
    let line: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
    println!("main line  {}", line.join(" "));
    let per_second = report.playouts as f64 / report.time.as_secs_f64();
    println!("{} playouts, {per_second:.0} per second", report.playouts);
    Ok(())
}
