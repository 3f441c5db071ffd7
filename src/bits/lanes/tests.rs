//! Every operation on lanes against plain numbers, bit by bit, on every instruction set of this processor.
//! Miri runs it too, with fewer cases.

use std::sync::atomic::{AtomicU8, AtomicU32};

use super::{LANES, LaneKernel, Lanes};
use crate::bits::Isa;
use crate::rng::Rng;

const CASES: usize = if cfg!(miri) { 12 } else { 20_000 };

/// The operands. The bytes, the mask bits and the bit number are taken from the integers.
#[derive(Clone, Copy, Debug)]
struct Questions {
    floats: [[f32; LANES]; 2],
    ints: [[u32; LANES]; 2],
}

impl Questions {
    fn bytes(&self) -> [u8; LANES] {
        self.ints[1].map(|number| number as u8)
    }

    fn mask(&self) -> u32 {
        self.ints[0][0] & 0xff
    }

    fn bit(&self) -> u32 {
        self.ints[0][1] % 32
    }
}

/// The lanes by operation, numbers as their bits.
#[derive(PartialEq, Debug)]
struct Answers {
    lanes: Vec<(&'static str, [u32; LANES])>,
    equal: [u32; 2],
    has_bit: [bool; 2],
}

impl LaneKernel for Questions {
    type Output = Answers;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Answers {
        let [a, b] = self.floats.map(|floats| L::load_floats(&floats));
        let [i, j] = self.ints.map(|ints| L::load_cells(&ints.map(AtomicU32::new)));
        let mask = L::of_bits(self.mask());
        let floats = |floats: L::Floats| {
            let mut lanes = [0.0; LANES];
            L::store_floats(floats, &mut lanes);
            lanes.map(bits)
        };
        let ints = |ints: L::Ints| {
            let lanes = [const { AtomicU32::new(0) }; LANES];
            L::store_cells(ints, &lanes);
            lanes.map(AtomicU32::into_inner)
        };
        Answers {
            lanes: vec![
                ("floats", floats(L::floats(self.floats[0][0]))),
                ("add", floats(L::add(a, b))),
                ("sub", floats(L::sub(a, b))),
                ("mul", floats(L::mul(a, b))),
                ("div", floats(L::div(a, b))),
                ("sqrt", floats(L::sqrt(a))),
                // Zeros of either sign are equal here: adding 0.0 makes them the same.
                ("largest", floats(L::add(L::floats(L::largest(a)), L::floats(0.0)))),
                ("max", floats(L::max(a, b))),
                ("either", floats(L::either(mask, a, b))),
                ("either, by less", floats(L::either(L::less(i, j), a, b))),
                ("ints", ints(L::ints(self.ints[0][0] as i32))),
                ("load_byte_cells", ints(L::load_byte_cells(&self.bytes().map(AtomicU8::new)))),
                ("to_floats", floats(L::to_floats(i))),
                ("add_ints", ints(L::add_ints(i, j))),
                ("or_ints", ints(L::or_ints(i, j))),
                ("max_ints", ints(L::max_ints(i, j))),
                ("low_half", ints(L::low_half(i))),
                ("high_half", ints(L::high_half(i))),
                ("only", ints(L::only(mask, i))),
                ("only, by less", ints(L::only(L::less(i, j), i))),
            ],
            equal: [L::equal_bits(a, b), L::equal_bits(a, a)],
            has_bit: [L::has_bit(i, self.bit()), L::has_bit(L::only(mask, i), self.bit())],
        }
    }
}

/// The bits of a number. All NaNs get the same bits: their sign and payload are not specified.
fn bits(number: f32) -> u32 {
    if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() }
}

/// The expected answers, lane by lane.
fn plainly(questions: &Questions) -> Answers {
    let Questions { floats: [a, b], ints: [i, j] } = *questions;
    let (bytes, mask, bit) = (questions.bytes(), questions.mask(), questions.bit());
    let holds = |lane: usize| mask >> lane & 1 == 1;
    let less = |lane: usize| (i[lane] as i32) < j[lane] as i32;
    let floats =
        |f: &dyn Fn(usize) -> f32| -> [u32; LANES] { std::array::from_fn(|lane| bits(f(lane))) };
    let ints = |f: &dyn Fn(usize) -> u32| -> [u32; LANES] { std::array::from_fn(f) };
    let equal = |a: [f32; LANES], b: [f32; LANES]| {
        (0..LANES).filter(|lane| a[*lane] == b[*lane]).fold(0, |bits, lane| bits | 1 << lane)
    };
    let has = |lane: usize| i[lane] >> bit & 1 == 1;
    Answers {
        lanes: vec![
            ("floats", floats(&|_| a[0])),
            ("add", floats(&|lane| a[lane] + b[lane])),
            ("sub", floats(&|lane| a[lane] - b[lane])),
            ("mul", floats(&|lane| a[lane] * b[lane])),
            ("div", floats(&|lane| a[lane] / b[lane])),
            ("sqrt", floats(&|lane| a[lane].sqrt())),
            ("largest", floats(&|_| a.into_iter().fold(f32::NEG_INFINITY, f32::max) + 0.0)),
            ("max", floats(&|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })),
            ("either", floats(&|lane| if holds(lane) { a[lane] } else { b[lane] })),
            ("either, by less", floats(&|lane| if less(lane) { a[lane] } else { b[lane] })),
            ("ints", ints(&|_| i[0])),
            ("load_byte_cells", ints(&|lane| i32::from(bytes[lane] as i8) as u32)),
            ("to_floats", floats(&|lane| i[lane] as i32 as f32)),
            ("add_ints", ints(&|lane| i[lane].wrapping_add(j[lane]))),
            ("or_ints", ints(&|lane| i[lane] | j[lane])),
            ("max_ints", ints(&|lane| (i[lane] as i32).max(j[lane] as i32) as u32)),
            ("low_half", ints(&|lane| i[lane] % 0x10000)),
            ("high_half", ints(&|lane| i[lane] / 0x10000)),
            ("only", ints(&|lane| if holds(lane) { i[lane] } else { 0 })),
            ("only, by less", ints(&|lane| if less(lane) { i[lane] } else { 0 })),
        ],
        equal: [equal(a, b), equal(a, a)],
        has_bit: [(0..LANES).any(has), (0..LANES).any(|lane| holds(lane) && has(lane))],
    }
}

/// Numbers of every magnitude; special and equal ones are frequent.
fn random_float(rng: &mut Rng) -> f32 {
    const SPECIAL: [f32; 10] =
        [0.0, -0.0, 1.0, -1.0, 3.0, 1e9, -2e9, 1e-40, f32::INFINITY, f32::MAX];
    match rng.below(3) {
        0 => SPECIAL[rng.below(SPECIAL.len() as u32) as usize],
        1 => rng.below(1000) as f32 / 7.0,
        _ => Some(f32::from_bits(rng.next_word() as u32)).filter(|n| !n.is_nan()).unwrap_or(2.0),
    }
}

fn random_int(rng: &mut Rng) -> u32 {
    const SPECIAL: [u32; 6] = [0, 1, u32::MAX, i32::MAX as u32, i32::MIN as u32, 0x7fff];
    match rng.below(3) {
        0 => SPECIAL[rng.below(SPECIAL.len() as u32) as usize],
        1 => rng.below(4),
        _ => rng.next_word() as u32,
    }
}

#[test]
fn lanes_calculate_as_single_numbers_do() {
    let mut rng = Rng::new(8);
    for _ in 0..CASES {
        let questions = Questions {
            floats: [(); 2].map(|()| std::array::from_fn(|_| random_float(&mut rng))),
            ints: [(); 2].map(|()| std::array::from_fn(|_| random_int(&mut rng))),
        };
        let expected = plainly(&questions);
        for isa in Isa::available() {
            assert_eq!(isa.run_lanes(questions), expected, "{isa} {questions:?}");
        }
    }
}
