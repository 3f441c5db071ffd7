//! Simulated games from a position.
//!
//! A thin layer over the room `havannah`: it adds a seeded generator and public cells, and refuses
//! lines with illegal moves.

use std::fmt;

use super::{Board, Cell};
use crate::bits::Isa;
use crate::game::Move;
use crate::havannah::playout::{self, IllegalLine, Playout, Policy};
use crate::rng::Rng;

/// Plays simulated games from a position to the end, one at a time, and reuses its memory. The
/// games depend only on the position, the policy and the seed.
///
/// ```
/// use ciclon::{Board, Playouts, Policy};
///
/// let board = Board::new(5).expect("a base");
/// let mut playouts = Playouts::new(&board, Policy::Random, 1);
/// let lengths: usize = (0..1000).map(|_| playouts.run().length).sum();
/// assert!((45_000..48_000).contains(&lengths), "{lengths}");
///
/// let opening = "e5".parse()?;
/// let game = playouts.run_line(&[opening])?;
/// assert!(game.outcome.is_over());
/// assert_eq!(playouts.moves().next(), Some(opening));
/// assert_eq!(playouts.moves().count(), game.length);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Playouts {
    playouts: playout::Playouts,
    rng: Rng,
}

impl Playouts {
    /// Playouts from a position. If the game is over there, they have no moves.
    pub fn new(board: &Board, policy: Policy, seed: u64) -> Self {
        let playouts = playout::Playouts::new(board.inner(), policy, Isa::best());
        Self { playouts, rng: Rng::new(seed) }
    }

    /// Restarts the random numbers from a seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Plays one game.
    pub fn run(&mut self) -> Playout {
        self.playouts.run(&mut self.rng)
    }

    /// Plays one game that begins with `line`. Only the last move of `line` may end the game.
    pub fn run_line(&mut self, line: &[Cell]) -> Result<Playout, IllegalLine> {
        let geometry = self.playouts.board().geometry();
        // A number that is no cell: the move is refused as illegal.
        let off_board = Move::new(geometry.cell_count());
        let number =
            |cell: &Cell| cell.on(geometry).map_or(off_board, |cell| geometry.move_to(cell));
        let line: Vec<Move> = line.iter().map(number).collect();
        self.playouts.run_line(&line, &mut self.rng)
    }

    /// The moves of the last game, in order.
    pub fn moves(&self) -> impl Iterator<Item = Cell> {
        let geometry = self.playouts.board().geometry();
        self.playouts.moves().iter().map(|cell| Cell::of(geometry, *cell))
    }
}

impl fmt::Debug for Playouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = Board::of(self.playouts.board());
        f.debug_struct("Playouts").field("board", &board).finish_non_exhaustive()
    }
}
