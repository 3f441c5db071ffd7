//! A natural logarithm that is the same on every machine: that of the system's library need not be.

/// The natural logarithm of a positive number to four digits: a table for the leading bits, plus the
/// exponent.
#[inline(always)]
pub fn natural_logarithm(number: u32) -> f32 {
    debug_assert!(number > 0);
    let zeros = number.leading_zeros();
    let leading = (number << zeros) >> (31 - LOG_BITS);
    let index = leading as usize & (LOGS.len() - 1);
    LOGS[index] + (31 - zeros) as f32 * std::f32::consts::LN_2
}

/// Bits after the leading one that index the table.
const LOG_BITS: u32 = 11;

/// The logarithms of numbers from 1 to 2.
static LOGS: [f32; 1 << LOG_BITS] = {
    let mut logs = [0.0; 1 << LOG_BITS];
    let mut index = 0;
    while index < logs.len() {
        let number = 1.0 + index as f64 / logs.len() as f64;
        // ln m = 2 artanh((m - 1) / (m + 1)), by its series; the argument is at most a third.
        let argument = (number - 1.0) / (number + 1.0);
        let (mut sum, mut power) = (0.0, 17.0);
        while power > 0.0 {
            sum = sum * argument * argument + 1.0 / power;
            power -= 2.0;
        }
        logs[index] = (2.0 * argument * sum) as f32;
        index += 1;
    }
    logs
};
