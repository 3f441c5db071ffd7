//! `ciclon tron bot`: a bot in the protocol of the Google AI Challenge 2010.
//!
//! Each turn a map comes in, on which the bot is `1`, and the number of a direction goes out: 1
//! north, 2 east, 3 south, 4 west. The end of the input is the end of the game.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::atomic::AtomicBool;

use crate::bits::Isa;
use crate::engine::TronPlayer;
use crate::params::{ParamError, Params};
use crate::search::Limits;
use crate::tron::{Map, MapError};

/// The settings of the bot, and the limits of its moves.
#[derive(Clone, Debug)]
pub struct BotOptions {
    pub params: Params,
    pub isa: Isa,
    /// For the first move of the game.
    pub first: Limits,
    /// For the other moves.
    pub later: Limits,
}

/// Why a bot cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// The input is not a map. Lines are counted from the start of the input.
    #[error(transparent)]
    Map(MapError),
    /// The settings have no meaning in Tron.
    #[error(transparent)]
    Params(ParamError),
    /// The input cannot be read, or the output is closed.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for BotError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Answers maps until the input ends.
pub fn run(
    options: &BotOptions,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), BotError> {
    let mut player = TronPlayer::new(options.isa, &options.params);
    let mut maps = Maps::new(input);
    let (mut limits, never) = (&options.first, AtomicBool::new(false));
    while let Some(map) = maps.read()? {
        let (way, _) = player.choose(&map, limits, &never).map_err(BotError::Params)?;
        writeln!(output, "{}", way.code())?;
        output.flush()?;
        limits = &options.later;
    }
    Ok(())
}

/// The maximal number of bytes read as one line: more than the longest row of a map.
const LONGEST_LINE: u64 = 1 << 10;

/// The maps of a stream of lines.
pub struct Maps<R: BufRead> {
    input: R,
    /// The number of lines read so far.
    lines: usize,
}

impl<R: BufRead> Maps<R> {
    /// The maps of an input.
    pub fn new(input: R) -> Self {
        Self { input, lines: 0 }
    }

    /// The next map. `None` at the end of the input. Empty lines between maps are skipped.
    pub fn read(&mut self) -> Result<Option<Map>, BotError> {
        let first = loop {
            match self.line()? {
                None => return Ok(None),
                Some(line) if line.trim().is_empty() => {}
                Some(line) => break line,
            }
        };
        let before = self.lines - 1;
        let bad = |error: MapError| {
            BotError::Map(MapError { line: before + error.line, what: error.what })
        };
        let grid = Map::read_size(&first).map_err(bad)?;
        let mut rows = Vec::new();
        while rows.len() < grid.height()
            && let Some(row) = self.line()?
        {
            rows.push(row);
        }
        Map::read_rows(grid, rows.iter().map(String::as_str)).map_err(bad).map(Some)
    }

    /// The next line without its end. `None` at the end of the input. Invalid UTF-8 becomes the
    /// replacement character.
    fn line(&mut self) -> Result<Option<String>, BotError> {
        let mut bytes = Vec::new();
        if self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.lines += 1;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(text.strip_suffix('\n').unwrap_or(&text).trim_end_matches('\r').to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "5 3\n#####\n#1 2#\n#####\n";

    fn answers(input: &[u8]) -> (String, Result<(), BotError>) {
        let limits = Limits { playouts: Some(20), ..Limits::default() };
        let params = Params { memory: 1, ..Params::preset("uct").expect("a preset") };
        let options = BotOptions { params, isa: Isa::PORTABLE, first: limits, later: limits };
        let mut output = Vec::new();
        let ended = run(&options, input, &mut output);
        (String::from_utf8(output).expect("numbers"), ended)
    }

    #[test]
    fn every_map_is_answered() {
        let (text, ended) = answers(b"");
        assert!(text.is_empty() && ended.is_ok());
        for input in
            [MAP.repeat(3), MAP.replace('\n', "\r\n").repeat(3), format!("\n{MAP}\n\n{MAP}{MAP}")]
        {
            let (text, ended) = answers(input.as_bytes());
            assert!(ended.is_ok(), "{ended:?}");
            assert_eq!(text, "2\n2\n2\n", "there is but one way to go");
        }
        let (text, ended) = answers(MAP.trim_end().as_bytes());
        assert!(text == "2\n" && ended.is_ok(), "the last line needs no end");
        let (text, _) = answers(b"2 1\n12\n");
        assert!(["1\n", "2\n", "3\n", "4\n"].contains(&text.as_str()), "nowhere to go: '{text}'");
    }

    /// Lines are counted from the start of the input. The maps before a broken one are answered.
    #[test]
    fn broken_maps_are_refused() {
        let cases: [(&[u8], usize); 8] = [
            (b"hello\n", 1),
            (b"5 3\n#####\n", 3),
            (b"5 3\n#####\n#1 2\n#####\n", 3),
            (b"5 3\n#####\n#1 3#\n#####\n", 3),
            (b"5 3\n#####\n#1\xff2#\n#####\n", 3),
            (b"5 3\n#####\n#1  #\n#####\n", 4),
            (b"99 99\n", 1),
            (b"99999999999999999999 3\n", 1),
        ];
        for (broken, line) in cases {
            let (text, ended) = answers(&[MAP.as_bytes(), broken].concat());
            assert_eq!(text, "2\n");
            let message = ended.expect_err("a broken map").to_string();
            assert!(message.starts_with(&format!("line {}: ", 4 + line)), "{message}");
            assert_eq!(message.lines().count(), 1);
        }
        let long = vec![b'1'; 5000];
        assert!(matches!(answers(&long).1, Err(BotError::Map(_))));
    }
}
