//! Tuning by simultaneous perturbation (SPSA, Spall 1992): in each step all parameters are moved a
//! little, one way for one player and the other way for the other; they play a few games, and the
//! values go towards the winner.
//!
//! Values live between 0 and 1, stretched over the range that was given for each parameter. The gains
//! are Spall's (1998): `a / (A + k)^0.602` and `c / k^0.101`, with A a tenth of the steps. Every step
//! is kept in a log, so a tuning that was broken off goes on from it.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bits::Isa;
use crate::matches::contestant::Limit;
use crate::matches::error::MatchError;
use crate::matches::game_spec::GameSpec;
use crate::matches::runner;
use crate::matches::schedule::Colours;
use crate::matches::statistics::Tally;
use crate::matches::{PlayerSpec, Settings};
use crate::params::{ParamError, Params};
use crate::rng::Rng;

/// A parameter and the range in which its best value is looked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuned {
    pub name: String,
    pub low: f64,
    pub high: f64,
    /// Only whole numbers will do.
    pub is_whole: bool,
}

impl Tuned {
    /// Reads `name=low:high`; the range has to lie in the parameter's own.
    pub fn read(text: &str) -> Result<Self, TuneError> {
        let bad = || TuneError::NoRange(text.to_string());
        let (name, range) = text.split_once('=').ok_or_else(bad)?;
        let (low, high) = range.split_once(':').ok_or_else(bad)?;
        let (low, high): (f64, f64) =
            (low.trim().parse().map_err(|_| bad())?, high.trim().parse().map_err(|_| bad())?);
        let name = name.trim();
        if low >= high || !(low.is_finite() && high.is_finite()) {
            return Err(bad());
        }
        let mut params = Params::default();
        let is_whole = params.set(name, "0.5").is_err() && params.set(name, "1").is_ok();
        let tuned = Self { name: name.to_string(), low, high, is_whole };
        for end in [0.0, 1.0] {
            params.set(name, &tuned.value(end)).map_err(TuneError::Param)?;
        }
        Ok(tuned)
    }

    /// The value at a place from 0 to 1, as text.
    pub fn value(&self, place: f64) -> String {
        let value = self.low + (self.high - self.low) * place.clamp(0.0, 1.0);
        if self.is_whole { format!("{value:.0}") } else { format!("{value:.4}") }
    }

    /// The place of a value.
    fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// What is tuned, and how.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    pub preset: String,
    pub settings: Vec<String>,
    pub tuned: Vec<Tuned>,
    pub size: usize,
    pub limit: Limit,
    pub opening_random: usize,
    pub steps: u64,
    /// Pairs of games in each step.
    pub pairs: u64,
    /// How far values are moved for a comparison, and how far they go in the first steps.
    pub perturbation: f64,
    pub gain: f64,
    pub seed: u64,
    pub jobs: usize,
    pub isa: Isa,
    pub log: Option<PathBuf>,
}

/// A tuning that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error("'{}' is no range like exploration=0:1", .0.escape_debug())]
    NoRange(String),
    #[error(transparent)]
    Param(ParamError),
    #[error(transparent)]
    Match(MatchError),
    #[error("the log '{}': {why}", .path.display().to_string().escape_debug())]
    Log { path: PathBuf, why: String },
}

/// What makes two tunings the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    ciclon_tuning: u32,
    preset: String,
    settings: Vec<String>,
    tuned: Vec<Tuned>,
    size: usize,
    limit: Limit,
    opening_random: usize,
    pairs: u64,
    perturbation: f64,
    gain: f64,
    seed: u64,
    steps: u64,
}

/// A step that was taken: where the values are after it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    pub step: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub places: Vec<f64>,
}

impl TuneOptions {
    fn header(&self) -> Header {
        Header {
            ciclon_tuning: 1,
            preset: self.preset.clone(),
            settings: self.settings.clone(),
            tuned: self.tuned.clone(),
            size: self.size,
            limit: self.limit,
            opening_random: self.opening_random,
            pairs: self.pairs,
            perturbation: self.perturbation,
            gain: self.gain,
            seed: self.seed,
            steps: self.steps,
        }
    }

    /// Where the values of the preset are.
    fn beginning(&self) -> Result<Vec<f64>, TuneError> {
        let spec =
            PlayerSpec::Engine { preset: self.preset.clone(), settings: self.settings.clone() };
        let params = spec.params().map_err(TuneError::Param)?.expect("it is an engine");
        let rows = params.rows();
        let value = |tuned: &Tuned| {
            let row = rows.iter().find(|row| row.name == tuned.name);
            row.and_then(|row| row.value.parse().ok()).unwrap_or(tuned.low)
        };
        Ok(self.tuned.iter().map(|tuned| tuned.place(value(tuned))).collect())
    }

    /// The player with values at some places.
    fn player(&self, places: &[f64]) -> PlayerSpec {
        let values = self.tuned.iter().zip(places);
        let values = values.map(|(tuned, place)| format!("{}={}", tuned.name, tuned.value(*place)));
        let settings = self.settings.iter().cloned().chain(values).collect();
        PlayerSpec::Engine { preset: self.preset.clone(), settings }
    }

    /// The settings found, as they are written.
    pub fn assignments(&self, places: &[f64]) -> Vec<String> {
        let values = self.tuned.iter().zip(places);
        values.map(|(tuned, place)| format!("{}={}", tuned.name, tuned.value(*place))).collect()
    }
}

/// Takes the steps that are not in the log yet; all of them. `show` is called after each.
pub fn run(options: &TuneOptions, mut show: impl FnMut(&Step)) -> Result<Vec<Step>, TuneError> {
    let mut steps = match &options.log {
        Some(path) => open(path, &options.header())?,
        None => Vec::new(),
    };
    let mut places = match steps.last() {
        Some(step) => step.places.clone(),
        None => options.beginning()?,
    };
    for number in steps.len() as u64..options.steps {
        let step = take(options, number, &places)?;
        if let Some(path) = &options.log {
            append(path, &step)?;
        }
        places.clone_from(&step.places);
        show(&step);
        steps.push(step);
    }
    Ok(steps)
}

/// One step.
fn take(options: &TuneOptions, number: u64, places: &[f64]) -> Result<Step, TuneError> {
    let k = (number + 1) as f64;
    let reach = options.perturbation / k.powf(0.101);
    let gain = options.gain / (0.1 * options.steps as f64 + k).powf(0.602);
    let mut rng = Rng::new(options.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9)));
    let signs: Vec<f64> = places.iter().map(|_| f64::from(rng.below(2)) * 2.0 - 1.0).collect();
    let moved = |way: f64| -> Vec<f64> {
        places.iter().zip(&signs).map(|(place, sign)| place + way * reach * sign).collect()
    };
    let settings = Settings {
        game: GameSpec::Havannah,
        size: options.size,
        a: options.player(&moved(1.0)),
        b: options.player(&moved(-1.0)),
        limit_a: options.limit,
        limit_b: options.limit,
        colours: Colours::Swap,
        opening_random: options.opening_random,
        opening_lines: Vec::new(),
        pie: false,
        seed: rng.next_word(),
    };
    let contest = runner::MatchOptions {
        settings,
        games: 2 * options.pairs,
        shard: (1, 1),
        jobs: options.jobs,
        isa: options.isa,
        sprt: None,
        log: None,
        elsewhere: Vec::new(),
        sgf: None,
    };
    let mut tally = Tally::default();
    runner::run(&contest, &mut |standing, _| tally = standing.as_white.and(standing.as_black))
        .map_err(TuneError::Match)?;
    let lead = 2.0 * tally.rate() - 1.0;
    let next = places.iter().zip(&signs);
    let next = next.map(|(place, sign)| (place + gain * lead * sign / reach).clamp(0.0, 1.0));
    let Tally { wins, draws, losses } = tally;
    Ok(Step { step: number, wins, draws, losses, places: next.collect() })
}

/// The steps of a log, which is begun if it is not there.
fn open(path: &Path, header: &Header) -> Result<Vec<Step>, TuneError> {
    let failed = |why: String| TuneError::Log { path: path.to_path_buf(), why };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error.to_string())),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text[..whole].lines();
    let Some(first) = lines.next() else {
        if !text.is_empty() && !text.starts_with("{\"ciclon_tuning\"") {
            return Err(failed("this is no log of a tuning".to_string()));
        }
        std::fs::write(path, "").map_err(|error| failed(error.to_string()))?;
        append(path, header)?;
        return Ok(Vec::new());
    };
    let found: Header = serde_json::from_str(first)
        .map_err(|error| failed(format!("line 1: this is no log of a tuning ({error})")))?;
    if found != *header {
        return Err(failed("it is of a tuning with other settings".to_string()));
    }
    let mut steps: Vec<Step> = Vec::new();
    for (index, line) in lines.enumerate() {
        let step: Step = serde_json::from_str(line)
            .map_err(|error| failed(format!("line {}: {error}", index + 2)))?;
        if step.step != index as u64 || step.places.len() != header.tuned.len() {
            return Err(failed(format!("line {}: this is not step {index}", index + 2)));
        }
        steps.push(step);
    }
    if whole < text.len() {
        let file = OpenOptions::new().write(true).open(path);
        let cut = file.and_then(|file| file.set_len(whole as u64));
        cut.map_err(|error| failed(error.to_string()))?;
    }
    Ok(steps)
}

fn append(path: &Path, line: &impl Serialize) -> Result<(), TuneError> {
    let text = serde_json::to_string(line).expect("steps are plain data") + "\n";
    let file = OpenOptions::new().append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| TuneError::Log { path: path.to_path_buf(), why: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let tuned = Tuned::read("exploration = 0:2").expect("a range");
        assert_eq!((tuned.value(0.25), tuned.is_whole), ("0.5000".to_string(), false));
        let tuned = Tuned::read("expand_after=0:40").expect("a range");
        assert_eq!((tuned.value(0.51), tuned.is_whole), ("20".to_string(), true));
        assert_eq!(tuned.place(10.0), 0.25);
        for text in ["exploration", "exploration=1", "exploration=2:1", "exploration=0:x"] {
            assert!(matches!(Tuned::read(text), Err(TuneError::NoRange(_))), "{text}");
        }
        for text in ["speed=0:1", "exploration=-1:1", "rave=0:1"] {
            assert!(matches!(Tuned::read(text), Err(TuneError::Param(_))), "{text}");
        }
    }
}
