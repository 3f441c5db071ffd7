//! The Smart Game Format: text to game trees and back. Format: FF\[4\] (Hollosi 1997).
//!
//! - Time is linear in the text, and nothing recurses.
//! - White space outside of values and text before the first tree are dropped. Everything else is
//!   written as it was read, so that reading and writing never makes a text longer.
//! - Long property names of older formats are reduced to their capitals.

use super::game_tree::{GameTree, Property};

/// The maximal length of a text, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// Why a text is not a collection of game trees.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SgfError {
    /// The text has more than [`MAX_BYTES`].
    #[error("a text of {bytes} bytes is too long (at most {MAX_BYTES})")]
    TooLong {
        /// The length of the text.
        bytes: usize,
    },
    /// A syntax error.
    #[error("line {line}, column {column}: expected {expected}, found {}", found_name(*.found))]
    Unexpected {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// The character found. `None` at the end of the text.
        found: Option<char>,
        /// What was expected.
        expected: &'static str,
    },
}

fn found_name(found: Option<char>) -> String {
    found.map_or("the end of the text".to_string(), |found| format!("'{}'", found.escape_debug()))
}

/// The games of a file, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    trees: Vec<GameTree>,
}

impl From<GameTree> for Collection {
    fn from(tree: GameTree) -> Self {
        Self { trees: vec![tree] }
    }
}

impl Collection {
    /// The games, at least one.
    pub fn trees(&self) -> &[GameTree] {
        &self.trees
    }

    /// Appends a game.
    pub fn push(&mut self, tree: GameTree) {
        self.trees.push(tree);
    }

    /// The SGF text, without white space outside of values.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for tree in &self.trees {
            write_tree(tree, &mut text);
        }
        text
    }
}

/// Writes a tree. Brackets enclose the whole tree, and each variation where there is more than one.
fn write_tree(tree: &GameTree, text: &mut String) {
    let mut next = Some(tree.root());
    while let Some(node) = next {
        text.push_str(if tree.is_only_child(node) { ";" } else { "(;" });
        for property in tree.properties(node) {
            text.push_str(&property.ident);
            for value in &property.written {
                text.extend(["[", value, "]"]);
            }
        }
        let close = |left| text.push_str(if tree.is_only_child(left) { "" } else { ")" });
        next = tree.next(node, close);
    }
}

/// Parses the games of a text. Text before the first `(;` is skipped.
pub fn read(text: &str) -> Result<Collection, SgfError> {
    if text.len() > MAX_BYTES {
        return Err(SgfError::TooLong { bytes: text.len() });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let brackets = || text.match_indices('(').map(|(at, _)| at);
    let start = brackets().find(|&at| text[at + 1..].trim_start().starts_with(';'));
    let start = start.or_else(|| brackets().next()).unwrap_or(text.len());
    let mut reader = Reader { text, at: start };
    let mut trees = Vec::new();
    while trees.is_empty() || reader.peek().is_some() {
        trees.push(reader.tree()?);
    }
    Ok(Collection { trees })
}

/// A position in a text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    fn unexpected(&self, found: Option<char>, expected: &'static str) -> SgfError {
        let before = self.text[..self.at].replace("\r\n", "\n");
        let (mut line, mut column) = (1, 1);
        for letter in before.chars() {
            (line, column) =
                if matches!(letter, '\n' | '\r') { (line + 1, 1) } else { (line, column + 1) };
        }
        SgfError::Unexpected { line, column, found, expected }
    }

    /// Consumes one ASCII character.
    fn expect(&mut self, wanted: char, name: &'static str) -> Result<(), SgfError> {
        let found = self.peek();
        if found != Some(wanted) {
            return Err(self.unexpected(found, name));
        }
        self.at += 1;
        Ok(())
    }

    fn tree(&mut self) -> Result<GameTree, SgfError> {
        self.expect('(', "'(' of a game tree")?;
        self.expect(';', "';' of the first node")?;
        let mut tree = GameTree::default();
        let mut node = tree.root();
        let mut branches = Vec::new();
        loop {
            // A node with children has had its variations. No property or node may follow it.
            let open = tree.children(node).next().is_none();
            match self.peek() {
                Some('(') => {
                    self.at += 1;
                    self.expect(';', "';' of the first node")?;
                    branches.push(node);
                    node = tree.add(node);
                }
                Some(')') => {
                    self.at += 1;
                    match branches.pop() {
                        Some(branch) => node = branch,
                        None => return Ok(tree),
                    }
                }
                Some(';') if open => {
                    self.at += 1;
                    node = tree.add(node);
                }
                Some(letter) if open && letter.is_ascii_alphabetic() => {
                    tree.push(self.property()?);
                }
                found if open => return Err(self.unexpected(found, "a property, ';', '(' or ')'")),
                found => return Err(self.unexpected(found, "'(' or ')' after a variation")),
            }
        }
    }

    fn property(&mut self) -> Result<Property, SgfError> {
        let rest = &self.text[self.at..];
        let length = rest.find(|letter: char| !letter.is_ascii_alphabetic());
        let name = &rest[..length.unwrap_or(rest.len())];
        let ident: String = name.chars().filter(char::is_ascii_uppercase).collect();
        if ident.is_empty() {
            return Err(self.unexpected(name.chars().next(), "a property name with a capital"));
        }
        self.at += name.len();
        let mut written = vec![self.value()?];
        while self.peek() == Some('[') {
            written.push(self.value()?);
        }
        Ok(Property { ident, written })
    }

    fn value(&mut self) -> Result<String, SgfError> {
        self.expect('[', "'[' of a value")?;
        let rest = &self.text[self.at..];
        let mut escaped = false;
        let end = rest.find(|letter| {
            let closes = letter == ']' && !escaped;
            escaped = letter == '\\' && !escaped;
            closes
        });
        let end = end.ok_or_else(|| self.unexpected(None, "']' for the value that begins here"))?;
        self.at += end + 1;
        Ok(rest[..end].to_string())
    }
}
