//! What is played: Havannah on a base, or Tron on maps.

use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::tron::{Map, MapError, maps};

/// A map of a match as it is written down: with its cells, so that a log says what was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MapSpec {
    /// The letter of one of our maps, the size and seed of a random one, or the name of a file.
    pub name: String,
    pub text: String,
}

/// A map that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MapSpecError {
    /// It is neither the letter of a map nor a file that can be read.
    #[error("'{}' is neither the letter of a map nor a file of one ({error})", .name.escape_debug())]
    Unknown {
        name: String,
        #[source]
        error: io::Error,
    },
    /// A random map of this size has no room for two players.
    #[error("there is no room for a game on '{name}'")]
    NoRoom { name: String },
    /// The text is no map.
    #[error("the map '{}', {error}", .name.escape_debug())]
    Broken {
        name: String,
        #[source]
        error: MapError,
    },
}

impl MapSpec {
    fn of(map: &maps::NamedMap) -> Self {
        Self { name: map.letter.to_string(), text: map.text.to_string() }
    }

    /// A map by its letter, a random one by its size and seed like `15x13:7`, or one from a file.
    pub fn read(name: &str) -> Result<Self, MapSpecError> {
        if let Some(map) = maps::by_letter(name) {
            return Ok(Self::of(map));
        }
        if let Some((width, height, seed)) = size_and_seed(name) {
            let map = maps::random_map(seed, width, height);
            let map = map.ok_or_else(|| MapSpecError::NoRoom { name: name.to_string() })?;
            return Ok(Self { name: name.to_string(), text: map.to_string() });
        }
        let text = fs::read_to_string(name)
            .map_err(|error| MapSpecError::Unknown { name: name.to_string(), error })?;
        let spec = Self { name: name.to_string(), text };
        spec.map().map(|_| spec)
    }

    /// The map itself.
    pub fn map(&self) -> Result<Map, MapSpecError> {
        let broken = |error| MapSpecError::Broken { name: self.name.clone(), error };
        self.text.parse().map_err(broken)
    }
}

/// The size and the seed of a random map.
fn size_and_seed(name: &str) -> Option<(usize, usize, u64)> {
    let (size, seed) = name.split_once(':')?;
    let (width, height) = size.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?, seed.parse().ok()?))
}

/// The game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameSpec {
    #[default]
    Havannah,
    /// Each pair of games is on the next of the maps.
    Tron { maps: Vec<MapSpec> },
}

impl GameSpec {
    /// Tron on maps by their letters or files; on all of ours if none is named.
    pub fn tron(names: &[String]) -> Result<Self, MapSpecError> {
        if names.is_empty() {
            return Ok(Self::Tron { maps: maps::all().iter().map(MapSpec::of).collect() });
        }
        let maps: Result<Vec<MapSpec>, _> = names.iter().map(|name| MapSpec::read(name)).collect();
        Ok(Self::Tron { maps: maps? })
    }

    /// What the sides are called, White first.
    pub fn side_names(&self) -> [&'static str; 2] {
        match self {
            Self::Havannah => ["White", "Black"],
            Self::Tron { .. } => ["1", "2"],
        }
    }

    /// What the length of a game is counted in.
    pub fn length_unit(&self) -> &'static str {
        match self {
            Self::Havannah => "plies",
            Self::Tron { .. } => "steps",
        }
    }

    /// The maps that it is played on; none in Havannah.
    pub fn maps(&self) -> &[MapSpec] {
        match self {
            Self::Havannah => &[],
            Self::Tron { maps } => maps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_named_by_letter_or_file() {
        let map = MapSpec::read("a").expect("a letter");
        assert_eq!(map.name, "A");
        assert_eq!(map.map().expect("a map"), maps::by_letter("A").expect("a map").map());
        let error = MapSpec::read("/no/such/map").expect_err("no file").to_string();
        assert!(error.contains("'/no/such/map'"), "{error}");
        let error = MapSpec::read("Cargo.toml").expect_err("no map").to_string();
        assert!(error.starts_with("the map 'Cargo.toml', line 1: "), "{error}");
        let random = MapSpec::read("9x7:4").expect("a random map");
        let map = random.map().expect("a map");
        assert_eq!((random.name.as_str(), Some(map)), ("9x7:4", maps::random_map(4, 9, 7)));
        let error = MapSpec::read("1x1:4").expect_err("one cell").to_string();
        assert!(error.contains("no room") && error.contains("'1x1:4'"), "{error}");
        let all = GameSpec::tron(&[]).expect("our maps");
        assert!(all.maps().len() > 1 && all.maps()[0].name == "A");
    }
}
