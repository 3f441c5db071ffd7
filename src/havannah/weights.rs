//! Learned weights of local patterns (Stankiewicz 2011 §3.3): at how many of the turns at which a pattern
//! was available it was played. The twelve siblings of a pattern share one weight.
//!
//! The file format is text; `#` starts a comment:
//! 1. the line `patterns 1`;
//! 2. lines of a name and a value about the origin of the weights (`base` is required);
//! 3. one line per class that was seen: own stones, opponent stones and rim neighbours as six bits each,
//!    then the number of turns at which it was played and at which it was available.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::geometry::MAX_SIZE;
use super::patterns::Pattern;
use crate::params::FileName;

/// The number of turns at which a pattern was played and at which it was available.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Turns {
    pub played: u64,
    pub available: u64,
}

impl Turns {
    /// The transition probability; `None` if the pattern was never available.
    pub fn weight(self) -> Option<f64> {
        (self.available > 0).then(|| self.played as f64 / self.available as f64)
    }
}

/// The turns of every class of patterns, and their origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternWeights {
    pub base: usize,
    /// Other facts about the origin, as names and values.
    pub origin: Vec<(String, String)>,
    /// By the index of the class; 0 for all other patterns.
    turns: Vec<Turns>,
}

/// An error in a file, with its line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct WeightsError {
    pub line: usize,
    pub problem: String,
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("the weights '{}': {error}", .path.escape_debug())]
    Unreadable {
        path: String,
        #[source]
        error: std::io::Error,
    },
    #[error("the weights '{}', {error}", .path.escape_debug())]
    Broken {
        path: String,
        #[source]
        error: WeightsError,
    },
}

/// Files already read, by path and base.
type Files = HashMap<(String, usize), Arc<PatternWeights>>;

/// A cache: all threads of a search ask for the same file.
static READ: Mutex<Option<Files>> = Mutex::new(None);

/// The first line of a file.
const HEADING: &str = "patterns 1";

impl PatternWeights {
    /// Weights without turns.
    pub fn new(base: usize) -> Self {
        let turns = vec![Turns::default(); Pattern::COUNT];
        Self { base, origin: Vec::new(), turns }
    }

    /// The weights that are part of the crate.
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<PatternWeights> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            Self::read(include_str!("pattern_weights.txt")).expect("the shipped weights are whole")
        })
    }

    /// Reads the weights that a setting names. Shipped weights serve every base; a file serves only the base
    /// it was learned on.
    pub fn load(name: &FileName, size: usize) -> Result<Arc<Self>, LoadError> {
        let Some(path) = name.path() else {
            return Ok(Self::shipped_everywhere());
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| LoadError::Unreadable { path: path.to_string(), error })?;
        let weights = Self::read_for(&text, Some(size))
            .map_err(|error| LoadError::Broken { path: path.to_string(), error })?;
        let weights = Arc::new(weights);
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        read.get_or_insert_default().insert((path.to_string(), size), Arc::clone(&weights));
        Ok(weights)
    }

    /// The weights that a setting names, from the cache if they were read before.
    ///
    /// # Panics
    /// If they were not read before and cannot be read now.
    pub fn named(name: &FileName, size: usize) -> Arc<Self> {
        let read = || {
            let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
            read.as_ref()?.get(&(name.path()?.to_string(), size)).cloned()
        };
        read().unwrap_or_else(|| Self::load(name, size).unwrap_or_else(|error| panic!("{error}")))
    }

    fn shipped_everywhere() -> Arc<Self> {
        static SHIPPED: OnceLock<Arc<PatternWeights>> = OnceLock::new();
        Arc::clone(SHIPPED.get_or_init(|| Arc::new(Self::shipped().clone())))
    }

    /// The turns of a pattern's class.
    pub fn turns(&self, pattern: Pattern) -> Turns {
        self.turns[pattern.class().index()]
    }

    pub fn turns_mut(&mut self, pattern: Pattern) -> &mut Turns {
        &mut self.turns[pattern.class().index()]
    }

    /// The classes that were seen, with their turns.
    pub fn classes(&self) -> impl Iterator<Item = (Pattern, Turns)> + '_ {
        let seen = self.turns.iter().enumerate().filter(|(_, turns)| turns.available > 0);
        seen.map(|(index, turns)| (Pattern::from_index(index), *turns))
    }

    /// The mean weight of a move.
    pub fn mean(&self) -> f64 {
        let sum =
            |of: fn(&Turns) -> u64| self.turns.iter().map(|turns| of(turns) as f64).sum::<f64>();
        sum(|turns| turns.played) / sum(|turns| turns.available).max(1.0)
    }

    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        Self::read_for(text, None)
    }

    /// Reads a file; its base must be `wanted`, if given.
    fn read_for(text: &str, wanted: Option<usize>) -> Result<Self, WeightsError> {
        let problem =
            |line: usize, problem: &str| Err(WeightsError { line, problem: problem.to_string() });
        let lines = text.lines().enumerate().map(|(at, line)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            (at + 1, line)
        });
        let mut lines = lines.filter(|(_, line)| !line.is_empty());
        match lines.next() {
            Some((_, HEADING)) => {}
            Some((at, _)) => return problem(at, "the first line should be 'patterns 1'"),
            None => return problem(1, "the file is empty"),
        }
        let mut weights = Self::new(0);
        let mut last = 1;
        for (at, line) in lines {
            last = at;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["base", size] => match size.parse() {
                    Ok(size) if wanted.is_some_and(|wanted| wanted != size) => {
                        let wanted = wanted.unwrap_or_default();
                        return problem(at, &format!("the base is {size}, not {wanted}"));
                    }
                    Ok(size) if (2..=MAX_SIZE).contains(&size) => weights.base = size,
                    _ => return problem(at, &format!("'{size}' is no base (2 to {MAX_SIZE})")),
                },
                [own, opponent, rim, played, available] if own.starts_with(['0', '1']) => {
                    let rings = [own, opponent, rim].map(six_bits);
                    let counts = [played, available].map(str::parse::<u64>);
                    let [Some(own), Some(opponent), Some(rim)] = rings else {
                        return problem(at, "a pattern is three groups of six bits");
                    };
                    let [Ok(played), Ok(available)] = counts else {
                        return problem(at, "the turns should be numbers");
                    };
                    let pattern = Pattern::new(own, opponent, rim);
                    if own & opponent != 0 {
                        return problem(at, "a cell has stones of both colours");
                    }
                    if pattern.class() != pattern {
                        return problem(at, "the pattern does not stand for its class");
                    }
                    if played > available || available == 0 {
                        return problem(at, "played more often than available, or never available");
                    }
                    let turns = weights.turns_mut(pattern);
                    if turns.available > 0 {
                        return problem(at, "the pattern is there already");
                    }
                    *turns = Turns { played, available };
                }
                [name, ..] => {
                    let value = line[name.len()..].trim().to_string();
                    weights.origin.push((name.to_string(), value));
                }
                [] => {}
            }
        }
        match weights {
            Self { base: 0, .. } => problem(last, "there is no line with the base"),
            ref found if found.classes().next().is_none() => problem(last, "there are no patterns"),
            found => Ok(found),
        }
    }
}

/// Reads six characters 0 or 1; the last is direction 0.
fn six_bits(text: &str) -> Option<usize> {
    let is_bits = text.len() == 6 && text.bytes().all(|byte| byte == b'0' || byte == b'1');
    is_bits.then(|| usize::from_str_radix(text, 2).ok()).flatten()
}

impl fmt::Display for PatternWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        writeln!(f, "base {}", self.base)?;
        for (name, value) in &self.origin {
            writeln!(f, "{name} {value}")?;
        }
        writeln!(f, "# own, opponent, rim; turns played, turns available")?;
        for (pattern, turns) in self.classes() {
            writeln!(
                f,
                "{:06b} {:06b} {:06b} {} {}",
                pattern.own(),
                pattern.opponent(),
                pattern.rim(),
                turns.played,
                turns.available
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> PatternWeights {
        let mut weights = PatternWeights::new(5);
        weights.origin.push(("limit".to_string(), "1000 playouts a move".to_string()));
        *weights.turns_mut(Pattern::new(0, 0, 0)) = Turns { played: 2, available: 10 };
        *weights.turns_mut(Pattern::new(0b10010, 0b101000, 0b11000)) =
            Turns { played: 3, available: 4 };
        weights
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let weights = example();
        assert_eq!(PatternWeights::read(&weights.to_string()), Ok(weights));
    }

    #[test]
    fn siblings_share_their_turns() {
        let weights = example();
        for sibling in Pattern::new(0b10010, 0b101000, 0b11000).siblings() {
            assert_eq!(weights.turns(sibling).weight(), Some(0.75));
        }
        assert_eq!(weights.turns(Pattern::new(1, 0, 0)).weight(), None);
        assert!((weights.mean() - 5.0 / 14.0).abs() < 1e-12);
        assert_eq!(weights.classes().count(), 2);
    }

    #[test]
    fn what_is_broken_is_refused_with_its_line() {
        let good = "patterns 1\nbase 5\n000000 000000 000000 1 2\n";
        assert!(PatternWeights::read(good).is_ok());
        for (text, line, problem) in [
            ("", 1, "empty"),
            ("base 5\n", 1, "first line"),
            ("patterns 1\nbase 11\n", 2, "'11' is no base"),
            ("patterns 1\n000000 000000 000000 1 2\n", 2, "no line with the base"),
            ("patterns 1\nbase 5\n", 2, "no patterns"),
            ("patterns 1\nbase 5\n\n00000 000000 000000 1 2\n", 4, "six bits"),
            ("patterns 1\nbase 5\n000000 000000 000002 1 2\n", 3, "six bits"),
            ("patterns 1\nbase 5\n000000 000000 000000 x 2\n", 3, "numbers"),
            ("patterns 1\nbase 5\n000000 000000 000000 3 2\n", 3, "more often"),
            ("patterns 1\nbase 5\n000001 000001 000000 1 2\n", 3, "both colours"),
            ("patterns 1\nbase 5\n000010 000000 000000 1 2\n", 3, "class"),
        ] {
            let error = PatternWeights::read(text).expect_err(text);
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.problem.contains(problem), "{text:?}: {error}");
        }
        let error = PatternWeights::read_for(good, Some(6)).expect_err("another base");
        assert_eq!((error.line, &error.problem[..]), (2, "the base is 5, not 6"));
        assert!(PatternWeights::read_for(good, Some(5)).is_ok());
        let twice = format!("{good}000000 000000 000000 1 2\n");
        assert_eq!(PatternWeights::read(&twice).expect_err("twice").line, 4);
    }

    #[test]
    fn the_shipped_weights_are_those_of_real_games() {
        let shipped = PatternWeights::shipped();
        assert_eq!(shipped.base, 5);
        assert!(shipped.classes().count() > 600, "{}", shipped.classes().count());
        // A pattern is played at about one in twenty of the turns at which it is available.
        assert!((0.02..0.1).contains(&shipped.mean()), "{}", shipped.mean());
        // Connects two stones that the opponent would cut: 0.61 in the thesis (figure 3.6).
        let cut = Pattern::new(0b001001, 0b010010, 0);
        assert!(shipped.turns(cut).weight().expect("seen") > 0.2);
    }
}
