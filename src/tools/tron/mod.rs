//! Tron commands: `bot` plays in the contest protocol, `play` is a game at the terminal.

pub mod bot;
pub mod play;
