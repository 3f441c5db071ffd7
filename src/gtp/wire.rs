//! The syntax of the protocol: lines to commands, answers to text (GTP version 2, section 2).
//! It knows no command and no game. Every line has a parse or is empty; none is an error.

use std::fmt;

/// The maximal length of a line. A longer line is answered with an error.
pub const LONGEST_LINE: usize = 1 << 16;

/// A parsed command: an optional id, repeated in the answer, a name and arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Command {
    pub id: Option<u32>,
    pub name: String,
    pub arguments: Vec<String>,
}

impl Command {
    /// Parses a line. `None` if it has no words. Control characters are removed, tabs are spaces,
    /// and `#` begins a comment. Invalid UTF-8 becomes the replacement character.
    pub fn read(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let text = text.split('#').next().unwrap_or_default();
        let text: String = text
            .chars()
            .map(|letter| if letter == '\t' { ' ' } else { letter })
            .filter(|letter| !letter.is_control())
            .collect();
        let mut words = text.split_whitespace().map(str::to_string).peekable();
        words.peek()?;
        let id = words.peek().and_then(|word| id_of(word));
        if id.is_some() {
            words.next();
        }
        let name = words.next().unwrap_or_default();
        Some(Self { id, name, arguments: words.collect() })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.iter().try_for_each(|id| write!(f, "{id} "))?;
        f.write_str(&self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// An id is a number from 0 to 2^31 - 1.
fn id_of(word: &str) -> Option<u32> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|id| is_number && *id < 1 << 31)
}

/// The result of a command: text or an error message.
pub type Answer = Result<String, String>;

/// The text of an answer: a mark, the id, the message and an empty line. The message has no empty
/// line.
pub fn write(id: Option<u32>, answer: &Answer) -> String {
    let (mark, message) = match answer {
        Ok(message) => ('=', message),
        Err(message) => ('?', message),
    };
    // A message that begins with a newline starts on the line after the mark.
    let gap = if message.starts_with('\n') { "\n" } else { " " };
    let message = plain(message);
    let gap = if message.is_empty() { "" } else { gap };
    format!("{}{gap}{message}\n\n", head(mark, id))
}

/// The beginning of an answer.
pub fn head(mark: char, id: Option<u32>) -> String {
    id.map_or(mark.to_string(), |id| format!("{mark}{id}"))
}

/// A message without empty lines, and without control characters other than newlines.
fn plain(message: &str) -> String {
    let lines = message.lines().map(|line| line.replace(char::is_control, " "));
    let lines: Vec<String> = lines.filter(|line| !line.trim().is_empty()).collect();
    lines.join("\n").trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(id: Option<u32>, name: &str, arguments: &[&str]) -> Option<Command> {
        let arguments = arguments.iter().map(|text| text.to_string()).collect();
        Some(Command { id, name: name.to_string(), arguments })
    }

    #[test]
    fn lines_are_read() {
        let cases: [(&[u8], Option<Command>); 16] = [
            (b"name", command(None, "name", &[])),
            (b"17 play w c3", command(Some(17), "play", &["w", "c3"])),
            (b"  \tplay\t w \x07 C3  \r", command(None, "play", &["w", "C3"])),
            (b"pl\x01ay b\x00 d4", command(None, "play", &["b", "d4"])),
            (b"5 quit # bye", command(Some(5), "quit", &[])),
            (b"quit# bye", command(None, "quit", &[])),
            (b"# only a comment", None),
            (b"", None),
            (b" \t \r", None),
            (b"\x01\x02", None),
            (b"7", command(Some(7), "", &[])),
            (b"0 name", command(Some(0), "name", &[])),
            (b"2147483647 name", command(Some(2_147_483_647), "name", &[])),
            (b"2147483648 name", command(None, "2147483648", &["name"])),
            (b"+1 name", command(None, "+1", &["name"])),
            (b"na\xff\xfeme", command(None, "na\u{fffd}\u{fffd}me", &[])),
        ];
        for (line, expected) in cases {
            assert_eq!(Command::read(line), expected, "{:?}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn answers_are_framed() {
        let cases = [
            (None, Ok(""), "=\n\n"),
            (Some(3), Ok(""), "=3\n\n"),
            (None, Ok("c3"), "= c3\n\n"),
            (Some(0), Ok("a\nb\n"), "=0 a\nb\n\n"),
            (Some(12), Err("unknown command"), "?12 unknown command\n\n"),
            (None, Ok("a\n\n \nb\r\n\n"), "= a\nb\n\n"),
            (None, Err("tab\there"), "? tab here\n\n"),
            (Some(4), Ok("\n a . .\nb . . ."), "=4\n a . .\nb . . .\n\n"),
        ];
        for (id, answer, expected) in cases {
            let answer = answer.map(str::to_string).map_err(str::to_string);
            assert_eq!(write(id, &answer), expected);
        }
    }
}
