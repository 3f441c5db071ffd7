//! What users run of Tron: `bot` plays in the contest's protocol, `play` is a game at the terminal.

pub mod bot;
pub mod play;
