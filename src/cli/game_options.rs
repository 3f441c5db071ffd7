//! The options of what is played: Havannah on a base, or Tron on maps.

use crate::matches::game_spec::GameSpec;
use clap::{Args, ValueEnum};

use super::matches::BadMatch;
use super::parse_size;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GameName {
    Havannah,
    Tron,
}

/// What is played, and where.
#[derive(Args)]
pub struct GameOptions {
    /// The game
    #[arg(long, default_value = "havannah")]
    game: GameName,
    /// Base of the board, in Havannah
    #[arg(long, value_parser = parse_size)]
    size: Option<usize>,
    /// Maps of Tron: letters, files, or random ones as WxH:SEED; each pair of games is on the next
    /// [default: all of ours]
    #[arg(long, value_name = "A,FILE,WxH:SEED", value_delimiter = ',')]
    maps: Vec<String>,
}

impl GameOptions {
    /// The game, and the base in Havannah. Tron refuses the first option that was given of those that
    /// only Havannah has.
    pub fn read(&self, of_havannah: &[(&str, bool)]) -> Result<(GameSpec, usize), BadMatch> {
        let refuse = |text: &str| Err(BadMatch(text.to_string()));
        match (self.game, self.size) {
            (GameName::Havannah, _) if !self.maps.is_empty() => {
                refuse("'--maps' are for Tron (--game tron)")
            }
            (GameName::Havannah, Some(size)) => Ok((GameSpec::Havannah, size)),
            (GameName::Havannah, None) => refuse("Havannah needs the base of the board (--size)"),
            (GameName::Tron, Some(_)) => refuse("'--size' is for Havannah; Tron has '--maps'"),
            (GameName::Tron, None) => {
                let game = GameSpec::tron(&self.maps);
                let game = game.map_err(|error| BadMatch(error.to_string()))?;
                match of_havannah.iter().find(|(_, is_given)| *is_given) {
                    Some((name, _)) => refuse(&format!("'{name}' is not for Tron")),
                    None => Ok((game, 0)),
                }
            }
        }
    }
}
