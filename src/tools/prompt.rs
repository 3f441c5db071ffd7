//! A prompt at the terminal.

use std::io::{self, BufRead, Read as _, Write};

/// The maximal length of an answer, in bytes.
const LONGEST_ANSWER: u64 = 1 << 12;

/// Asks for a line. `None` at the end of the input.
pub fn ask(
    output: &mut impl Write,
    input: &mut impl BufRead,
    question: &str,
) -> io::Result<Option<String>> {
    write!(output, "{question}: ")?;
    output.flush()?;
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST_ANSWER).read_until(b'\n', &mut line)? == 0 {
        writeln!(output)?;
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&line).trim().to_string()))
}
