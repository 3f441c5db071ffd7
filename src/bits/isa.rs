//! The instruction set, chosen once for a whole batch of work.
//!
//! - A [`Kernel`] is work written with plain words and bytes, and inlined as a whole.
//! - [`Isa::run`] compiles it for the portable baseline, AVX2 and AVX-512, and enters the version asked
//!   for.
//! - All versions have one source, so their results are the same. No call inside the work pays for the
//!   choice.
//! - Invariant: an [`Isa`] other than the portable one exists only after its instructions were detected
//!   on this processor.

use std::fmt;
use std::str::FromStr;

/// Work that can be compiled for an instruction set. `run` must be `#[inline(always)]`.
pub trait Kernel {
    type Output;
    fn run(self) -> Self::Output;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Isa(Level);

impl Isa {
    /// The instructions that every processor of the architecture has.
    pub const PORTABLE: Isa = Isa(Level::Portable);

    /// Every instruction set this processor has, the narrowest first.
    pub fn available() -> Vec<Isa> {
        [Some(Self::PORTABLE), Self::avx2(), Self::avx512()].into_iter().flatten().collect()
    }

    /// The widest instruction set this processor has.
    pub fn best() -> Isa {
        Self::avx512().or(Self::avx2()).unwrap_or(Self::PORTABLE)
    }

    #[cfg(target_arch = "x86_64")]
    fn avx2() -> Option<Isa> {
        let seen = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        seen.then_some(Isa(Level::Avx2))
    }

    #[cfg(target_arch = "x86_64")]
    fn avx512() -> Option<Isa> {
        let seen = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        Self::avx2().filter(|_| seen).map(|_| Isa(Level::Avx512))
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn avx2() -> Option<Isa> {
        None
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn avx512() -> Option<Isa> {
        None
    }

    /// Whether code for this instruction set may use the `pext` instruction (see `squeeze`).
    #[inline(always)]
    pub fn can_squeeze(self) -> bool {
        self != Self::PORTABLE
    }

    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    /// Runs the kernel compiled for this instruction set.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Portable => kernel.run(),
            // SAFETY: `Level::Avx2` is only made by `avx2`, after the features were detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { run_avx2(kernel) },
            // SAFETY: `Level::Avx512` is only made by `avx512`, after the features were detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { run_avx512(kernel) },
        }
    }

    /// [`run`](Self::run) for work that gains nothing from AVX-512 registers: no AVX-512 version is
    /// compiled.
    #[inline]
    pub fn run_narrow<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Portable => kernel.run(),
            // SAFETY: both levels are only made after AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 | Level::Avx512 => unsafe { run_avx2(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a name is not an instruction set that is available here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IsaError {
    #[error("unknown instruction set '{0}' (known: portable, avx2, avx512)")]
    Unknown(String),
    #[error("instruction set '{0}' is not available on this processor")]
    NotOnThisProcessor(String),
}

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(name: &str) -> Result<Self, IsaError> {
        let found = match name {
            "portable" => Some(Self::PORTABLE),
            "avx2" => Self::avx2(),
            "avx512" => Self::avx512(),
            _ => return Err(IsaError::Unknown(name.to_string())),
        };
        found.ok_or_else(|| IsaError::NotOnThisProcessor(name.to_string()))
    }
}
