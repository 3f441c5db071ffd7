//! The kinds of value that a parameter can have: numbers in a range, truth, and names.

use std::fmt;
use std::ops::RangeInclusive;

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
