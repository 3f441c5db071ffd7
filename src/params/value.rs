//! The kinds of value that a parameter can have: numbers in a range, truth, and names.

use std::fmt;
use std::ops::RangeInclusive;

use crate::cores;

/// A kind of value that a parameter can have.
pub trait Value: Sized + fmt::Display {
    type Range;
    fn read(text: &str, range: &Self::Range) -> Option<Self>;
    fn describe(range: &Self::Range) -> String;
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Value for $type {
            type Range = RangeInclusive<$type>;

            fn read(text: &str, range: &Self::Range) -> Option<Self> {
                text.parse().ok().filter(|value| range.contains(value))
            }

            fn describe(range: &Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )*};
}

number!(u32, u64, f32);

impl Value for bool {
    type Range = ();

    fn read(text: &str, _: &()) -> Option<Self> {
        text.parse().ok()
    }

    fn describe(_: &()) -> String {
        "true or false".to_string()
    }
}

/// A file, or what comes with the crate in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileName(String);

impl FileName {
    /// The name of what comes with the crate.
    const SHIPPED: &'static str = "shipped";

    pub fn shipped() -> Self {
        Self(Self::SHIPPED.to_string())
    }

    /// The path of the file; none for what comes with the crate.
    pub fn path(&self) -> Option<&str> {
        (self.0 != Self::SHIPPED).then_some(&self.0)
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Value for FileName {
    type Range = ();

    fn read(text: &str, _: &()) -> Option<Self> {
        (!text.is_empty()).then(|| Self(text.to_string()))
    }

    fn describe(_: &()) -> String {
        "shipped, or a file".to_string()
    }
}

/// The cores that threads are bound to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum CoreList {
    /// Those that are chosen when a search begins.
    #[default]
    Auto,
    /// None: the system may move threads.
    Unbound,
    /// These, at least one.
    Named(Vec<usize>),
}

impl fmt::Display for CoreList {
    /// Neighbours are joined: `0-3,8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores = match self {
            Self::Auto => return f.write_str("auto"),
            Self::Unbound => return f.write_str("none"),
            Self::Named(cores) => cores,
        };
        let runs: Vec<String> = cores
            .chunk_by(|core, next| core + 1 == *next)
            .map(|run| match *run {
                [core] => core.to_string(),
                [first, .., last] => format!("{first}-{last}"),
                [] => unreachable!("a run has a core"),
            })
            .collect();
        f.write_str(&runs.join(","))
    }
}

impl Value for CoreList {
    type Range = ();

    /// Cores that the program may not use are refused.
    fn read(text: &str, _: &()) -> Option<Self> {
        match text {
            "auto" => return Some(Self::Auto),
            "none" => return Some(Self::Unbound),
            _ => {}
        }
        let mut list = Vec::new();
        for run in text.split(',') {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            if first > last || !cores::has(first) || !cores::has(last) {
                return None;
            }
            list.extend((first..=last).filter(|core| cores::has(*core)));
        }
        Some(Self::Named(list))
    }

    fn describe(_: &()) -> String {
        "auto, none, or cores of this machine like 0 or 0-3,8".to_string()
    }
}

/// An enumeration whose members have the names they are set by.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$member_doc])* $member,)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$member => $text,)*
                })
            }
        }

        impl Value for $name {
            type Range = ();

            fn read(text: &str, _: &()) -> Option<Self> {
                match text {
                    $($text => Some(Self::$member),)*
                    _ => None,
                }
            }

            fn describe(_: &()) -> String {
                [$($text),*].join(", ")
            }
        }
    };
}

pub(super) use choice;
