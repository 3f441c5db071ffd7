//! Squeezing: packs the bits of a word that are under a mask into the low end (`pext`).

/// The bits of `word` under `mask`, packed into the low end.
///
/// `by_instruction` selects the `pext` instruction. It may only be set if the processor
/// [has it](super::Isa::can_squeeze).
#[inline(always)]
pub fn squeeze(word: u64, mask: u64, by_instruction: bool) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if by_instruction {
        // SAFETY: the caller has detected the instruction on this processor.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
    }
    let _ = by_instruction;
    squeeze_by_shifts(word, mask)
}

/// Squeezes two sets of `words` words each under the same masks. The packed bits of each word follow those
/// of the word before it.
///
/// - `mask_at(word)` is the mask of a word; `word_of(set, word)` is a word of set 0 or 1.
/// - The masks have at most 64 * `N` bits in total.
#[inline(always)]
pub fn squeeze_pair<const N: usize>(
    words: usize,
    mask_at: impl Fn(usize) -> u64,
    word_of: impl Fn(usize, usize) -> u64,
    by_instruction: bool,
) -> [[u64; N]; 2] {
    let mut squeezed = [[0; N]; 2];
    let mut first = 0;
    for at in 0..words {
        let mask = mask_at(at);
        for set in [0, 1] {
            let bits = squeeze(word_of(set, at), mask, by_instruction);
            let (word, bit) = (first / 64, first % 64);
            squeezed[set][word % N] |= bits << bit;
            if N > 1 {
                // Bits that do not fit go to the next word; after the last word there are none. The
                // separate shift by 1 avoids a shift by 64.
                squeezed[set][(word + 1) % N] |= bits >> 1 >> (63 - bit);
            }
        }
        first += mask.count_ones() as usize;
    }
    squeezed
}

/// [`squeeze`] with shifts, after Warren, *Hacker's Delight* §7-4.
#[inline(always)]
fn squeeze_by_shifts(word: u64, mut mask: u64) -> u64 {
    let mut word = word & mask;
    // `zeros` marks the zeros of the mask below each bit. They say how far a bit moves, in steps of 1,
    // 2, 4, ...
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

    /// The reference: bit by bit.
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

    #[test]
    fn words_follow_each_other() {
        let mut rng = Rng::new(8);
        for _ in 0..if cfg!(miri) { 5 } else { 2_000 } {
            // Empty and full masks are included.
            let masks: [u64; 4] = std::array::from_fn(|_| match rng.below(4) {
                0 => 0,
                1 => u64::MAX,
                _ => rng.next_word(),
            });
            let sets: [[u64; 4]; 2] = std::array::from_fn(|_| masks.map(|_| rng.next_word()));
            let expected = sets.map(|set| {
                let mut squeezed = [0; 4];
                let places = (0..256).filter(|bit| masks[bit / 64] >> (bit % 64) & 1 == 1);
                for (place, bit) in places.enumerate() {
                    squeezed[place / 64] |= (set[bit / 64] >> (bit % 64) & 1) << (place % 64);
                }
                squeezed
            });
            for isa in Isa::available() {
                let squeezed = squeeze_pair::<4>(
                    4,
                    |at| masks[at],
                    |set, at| sets[set][at],
                    isa.can_squeeze(),
                );
                assert_eq!(squeezed, expected, "{masks:x?}");
                let first = squeeze_pair::<1>(1, |_| masks[0], |set, _| sets[set][0], false);
                assert_eq!(first, sets.map(|set| [plainly(set[0], masks[0])]));
            }
        }
    }
}
