//! Sets against a naive model, for every width of a board and every instruction set of this processor.
//!
//! One suite tests all of them: a kernel runs every operation of the set, and a `BTreeSet` gives the
//! expected answers. Miri runs it too, with fewer cases; `.ci/run` shows how Miri gets AVX-512.

use std::collections::BTreeSet;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::isa::IsaError;
use super::{Bits, Isa, Kernel, Words};

/// The number of cases for each width.
const CASES: usize = if cfg!(miri) { 2 } else { 2_000 };

type Model = BTreeSet<usize>;

/// Two sets, a number below the capacity, and a distance to shift by.
#[derive(Clone, Copy, Debug)]
struct Questions<const W: usize>
where
    [u64; W]: Words,
{
    a: Bits<[u64; W]>,
    b: Bits<[u64; W]>,
    index: usize,
    by: usize,
}

/// The results by operation. Sets are lists of members in ascending order.
#[derive(PartialEq, Debug)]
struct Answers {
    sets: Vec<(&'static str, Vec<usize>)>,
    truths: Vec<(&'static str, bool)>,
    len: usize,
    first: Option<usize>,
}

impl<const W: usize> Kernel for Questions<W>
where
    [u64; W]: Words,
{
    type Output = Answers;

    #[inline(always)]
    fn run(self) -> Answers {
        let Self { a, b, index, by } = self;
        let (mut inserted, mut removed) = (a, a);
        inserted.insert(index);
        removed.remove(index);
        let (mut union, mut intersection, mut xor, mut difference) = (a, a, a, a);
        union |= b;
        intersection &= b;
        xor ^= b;
        difference -= b;
        let sets = [
            ("itself", a),
            ("inserted", inserted),
            ("removed", removed),
            ("union", a | b),
            ("intersection", a & b),
            ("xor", a ^ b),
            ("difference", a - b),
            ("union in place", union),
            ("intersection in place", intersection),
            ("xor in place", xor),
            ("difference in place", difference),
            ("up", a.shift_up(by)),
            ("down", a.shift_down(by)),
            ("shift forward", a.shift(by as isize)),
            ("shift back", a.shift(-(by as isize))),
            ("single", Bits::single(index)),
            ("only if true", a.only_if(true)),
            ("only if false", a.only_if(false)),
            ("empty", Bits::empty()),
        ];
        Answers {
            sets: sets.map(|(name, set)| (name, set.iter().collect())).into(),
            truths: vec![
                ("contains", a.contains(index)),
                ("is empty", a.is_empty()),
                ("is subset", a.is_subset(b)),
                ("is subset of union", a.is_subset(a | b)),
                ("is disjoint", a.is_disjoint(b)),
                ("is disjoint from difference", b.is_disjoint(a - b)),
                ("is equal", a == b),
            ],
            len: a.len(),
            first: a.first(),
        }
    }
}

impl<const W: usize> Questions<W>
where
    [u64; W]: Words,
{
    fn random(rng: &mut SplitMix64) -> Self {
        // Words of every density, including empty and full ones. Miri gets sparse ones only: its time grows
        // with the members.
        let densest = if cfg!(miri) { 5 } else { 8 };
        let mut word = || match rng.next_u32() % densest {
            0 => 0,
            1 => 1 << (rng.next_u32() % 64),
            2 => 1 << 63 | 1,
            3 | 4 => rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64(),
            5 => rng.next_u64(),
            6 => rng.next_u64() | rng.next_u64(),
            _ => u64::MAX,
        };
        let [a, b] = std::array::from_fn(|_| std::array::from_fn(|_| word()));
        let index = rng.next_u32() as usize % Bits::<[u64; W]>::CAPACITY;
        let by = 1 + rng.next_u32() as usize % 63;
        Self { a: Bits::from_words(a), b: Bits::from_words(b), index, by }
    }

    fn expected(&self) -> Answers {
        let model = |set: &Bits<[u64; W]>| -> Model {
            let word_of = |index: usize| set.words()[index / 64];
            (0..64 * W).filter(|index| word_of(*index) >> (index % 64) & 1 == 1).collect()
        };
        let (a, b) = (model(&self.a), model(&self.b));
        let (mut inserted, mut removed) = (a.clone(), a.clone());
        inserted.insert(self.index);
        removed.remove(&self.index);
        let up: Model = a.iter().map(|n| n + self.by).filter(|n| *n < 64 * W).collect();
        let down: Model = a.iter().filter_map(|n| n.checked_sub(self.by)).collect();
        let sets = [
            ("itself", a.clone()),
            ("inserted", inserted),
            ("removed", removed),
            ("union", &a | &b),
            ("intersection", &a & &b),
            ("xor", &a ^ &b),
            ("difference", &a - &b),
            ("union in place", &a | &b),
            ("intersection in place", &a & &b),
            ("xor in place", &a ^ &b),
            ("difference in place", &a - &b),
            ("up", up.clone()),
            ("down", down.clone()),
            ("shift forward", up),
            ("shift back", down),
            ("single", Model::from([self.index])),
            ("only if true", a.clone()),
            ("only if false", Model::new()),
            ("empty", Model::new()),
        ];
        Answers {
            sets: sets.map(|(name, set)| (name, set.into_iter().collect())).into(),
            truths: vec![
                ("contains", a.contains(&self.index)),
                ("is empty", a.is_empty()),
                ("is subset", a.is_subset(&b)),
                ("is subset of union", true),
                ("is disjoint", a.is_disjoint(&b)),
                ("is disjoint from difference", true),
                ("is equal", a == b),
            ],
            len: a.len(),
            first: a.first().copied(),
        }
    }
}

fn check_width<const W: usize>()
where
    [u64; W]: Words,
{
    let mut rng = SplitMix64::seed_from_u64(W as u64);
    for _ in 0..CASES {
        let questions = Questions::<W>::random(&mut rng);
        let expected = questions.expected();
        for isa in Isa::available() {
            assert_eq!(isa.run(questions), expected, "{isa}, {questions:?}");
        }
        let collected: Bits<[u64; W]> = questions.a.iter().collect();
        assert_eq!(collected, questions.a);
    }
}

#[test]
fn sets_are_sets_in_every_width() {
    check_width::<1>();
    check_width::<2>();
    check_width::<4>();
    check_width::<8>();
    check_width::<16>();
    check_width::<64>();
}

#[test]
fn a_set_prints_its_members() {
    let set: Bits<[u64; 2]> = [127, 3, 64].into_iter().collect();
    assert_eq!(format!("{set:?}"), "{3, 64, 127}");
    assert_eq!(format!("{:?}", Bits::<[u64; 2]>::default()), "{}");
    assert_eq!(set.into_iter().collect::<Vec<_>>(), [3, 64, 127]);
}

#[test]
fn instruction_sets_go_by_their_names() {
    for isa in Isa::available() {
        assert_eq!(isa.name().parse(), Ok(isa));
        assert_eq!(isa.to_string(), isa.name());
    }
    for name in ["portable", "avx2", "avx512"] {
        match name.parse::<Isa>() {
            Ok(isa) => assert!(Isa::available().contains(&isa)),
            Err(error) => {
                assert_eq!(error, IsaError::NotOnThisProcessor(name.to_string()));
                assert!(error.to_string().contains(name));
            }
        }
    }
}

#[test]
fn an_unknown_instruction_set_is_named() {
    for name in ["", "AVX2", "avx-512", "neon"] {
        let error = name.parse::<Isa>().expect_err("no such instruction set");
        assert_eq!(error, IsaError::Unknown(name.to_string()));
        assert!(error.to_string().contains(&format!("'{name}'")), "{error}");
    }
}

/// Compares the CPU flags of the system with what was detected: no instruction set may be missed.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
fn no_instruction_set_of_the_processor_is_left_out() {
    let information = std::fs::read_to_string("/proc/cpuinfo").expect("the system tells");
    let flags = information.lines().find(|line| line.starts_with("flags")).expect("flags");
    let has = |names: &[&str]| names.iter().all(|name| flags.split(' ').any(|flag| flag == *name));
    let has_avx2 = has(&["avx2", "bmi1", "bmi2", "abm", "popcnt"]);
    let has_avx512 = has_avx2 && has(&["avx512f", "avx512bw", "avx512dq", "avx512vl"]);
    let names: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
    assert_eq!(names.contains(&"avx2"), has_avx2, "{names:?}");
    assert_eq!(names.contains(&"avx512"), has_avx512, "{names:?}");
}

#[test]
fn the_best_instruction_set_is_available() {
    let available = Isa::available();
    assert_eq!(available.first(), Some(&Isa::PORTABLE));
    assert_eq!(available.last(), Some(&Isa::best()));
}
