//! Squeezing a word: the bits under a mask moved together to the low end (`pext`).

/// The bits of `word` under `mask`, moved together. With `by_instruction` set, by the instruction
/// for it: only a processor that [can](super::Isa::can_squeeze) may be asked to.
#[inline(always)]
pub fn squeeze(word: u64, mask: u64, by_instruction: bool) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if by_instruction {
        // SAFETY: the caller has seen the instruction on this processor.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
    }
    let _ = by_instruction;
    squeeze_by_shifts(word, mask)
}

/// The same with shifts: after Warren, *Hacker's Delight* §7-4.
#[inline(always)]
fn squeeze_by_shifts(word: u64, mut mask: u64) -> u64 {
    let mut word = word & mask;
    // The zeros below each bit, and how far it has to move in steps of 1, 2, 4, ...
    let mut zeros = !mask << 1;
    for step in 0..6 {
        let mut parity = zeros;
        for shift in 0..6 {
            parity ^= parity << (1 << shift);
        }
        let moving = parity & mask;
        mask = (mask ^ moving) | moving >> (1 << step);
        let bits = word & moving;
        word = (word ^ bits) | bits >> (1 << step);
        zeros &= !parity;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Isa;
    use crate::rng::Rng;

    /// Bit by bit.
    fn plainly(word: u64, mask: u64) -> u64 {
        let kept = (0..64).filter(|bit| mask >> bit & 1 == 1);
        kept.enumerate().fold(0, |sum, (place, bit)| sum | (word >> bit & 1) << place)
    }

    #[test]
    fn both_ways_squeeze_alike() {
        let mut rng = Rng::new(7);
        let edges = [0, 1, u64::MAX, 1 << 63, 0x5555_5555_5555_5555, u64::MAX << 1];
        let cases = if cfg!(miri) { 20 } else { 20_000 };
        let random = (0..cases).map(|_| (rng.next_word(), rng.next_word() & rng.next_word()));
        let edges = edges.into_iter().flat_map(|word| edges.map(|mask| (word, mask)));
        for (word, mask) in edges.chain(random.collect::<Vec<_>>()) {
            assert_eq!(squeeze_by_shifts(word, mask), plainly(word, mask), "{word:x} {mask:x}");
            for isa in Isa::available() {
                assert_eq!(squeeze(word, mask, isa.can_squeeze()), plainly(word, mask));
            }
        }
    }
}
