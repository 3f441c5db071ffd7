//! Game records: SGF files, and the HGF files of HavannahGui and Little Golem, which are SGF.
//!
//! - `game_tree`: nodes and properties. `sgf`: reads and writes them. Neither knows a game.
//! - [`Record`]: one line of such a tree, as a Havannah program needs it. Its moves are text and
//!   may be illegal.
//! - `replay`: plays a record on a board and checks the moves. `file`: files.

pub mod file;
pub mod game_tree;
pub mod replay;
pub mod sgf;
#[cfg(test)]
mod tests;

use crate::havannah::{Colour, Notation};
use game_tree::{GameTree, NodeId};
use sgf::Collection;

/// The SGF property of a side's turns.
fn turn_property(side: Colour) -> &'static str {
    match side {
        Colour::White => "W",
        Colour::Black => "B",
    }
}

/// The SGF property of a side's set-up stones.
fn setup_property(side: Colour) -> &'static str {
    match side {
        Colour::White => "AW",
        Colour::Black => "AB",
    }
}

/// What a side does in its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A stone on a cell: the text of the file, trimmed.
    Place(String),
    /// The second player takes the first stone.
    Swap,
    /// The side resigns.
    Resign,
}

impl Action {
    fn read(text: &str) -> Self {
        match text.trim() {
            word if word.eq_ignore_ascii_case("swap") => Self::Swap,
            word if word.eq_ignore_ascii_case("resign") => Self::Resign,
            cell => Self::Place(cell.to_string()),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Place(cell) => cell,
            Self::Swap => "swap",
            Self::Resign => "resign",
        }
    }
}

/// One turn of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Whose turn it is.
    pub side: Colour,
    /// What it does.
    pub action: Action,
    /// The comment on this turn.
    pub comment: Option<String>,
}

/// One line of play, and the properties of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The base: the number of cells along one edge.
    pub size: usize,
    /// The notation of the cells.
    pub coordinates: Notation,
    /// The name of the white player.
    pub white: Option<String>,
    /// The name of the black player.
    pub black: Option<String>,
    /// The tournament.
    pub event: Option<String>,
    /// The date, as written.
    pub date: Option<String>,
    /// As written. In the archives of Little Golem, `B` means that the side whose turns are `W` has
    /// won.
    pub result: Option<String>,
    /// The comment on the game as a whole.
    pub comment: Option<String>,
    /// The stones before the first turn, White's first.
    pub setup: Vec<(Colour, String)>,
    /// The side to move first, if the file says so.
    pub to_move: Option<Colour>,
    /// The turns that were played.
    pub turns: Vec<Turn>,
}

/// Why a tree has no record: it is not a game of Havannah, or the line cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// The game is not Havannah.
    #[error("GM[{}] is another game than Havannah", excerpt(.0))]
    OtherGame(String),
    /// The size of the board is missing.
    #[error("the board size SZ is missing (2 to 10)")]
    MissingSize,
    /// There is no board of this size.
    #[error("'{}' is no board size (2 to 10)", excerpt(.0))]
    BadSize(String),
    /// Set-up stones are given as a rectangle.
    #[error("'{}': rectangles of stones are not supported", excerpt(.0))]
    Rectangle(String),
    /// Stones are set up after the first node.
    #[error("{property} after turn {turns}: stones are set up in the first node only")]
    LateSetup {
        /// The property of these stones.
        property: &'static str,
        /// The number of turns before it.
        turns: usize,
    },
    /// A node has more than one turn.
    #[error("two turns in one node after turn {turns}")]
    TwoTurns {
        /// The number of turns before it.
        turns: usize,
    },
    /// The tree has no line with these choices.
    #[error("there is no variation {0:?}")]
    NoVariation(Vec<usize>),
}

/// The beginning of a text, on one line.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", text[..end].escape_debug()),
        None => text.escape_debug().to_string(),
    }
}

impl Record {
    /// An empty game.
    pub fn new(size: usize, coordinates: Notation) -> Self {
        Self {
            size,
            coordinates,
            white: None,
            black: None,
            event: None,
            date: None,
            result: None,
            comment: None,
            setup: Vec::new(),
            to_move: None,
            turns: Vec::new(),
        }
    }

    /// The record of the main line of a tree.
    pub fn from_tree(tree: &GameTree) -> Result<Self, RecordError> {
        Self::along(tree, &[])
    }

    /// The record of the line of a tree that [`GameTree::line`] finds by these choices.
    ///
    /// Nodes without a turn are skipped, and their comments too.
    pub fn along(tree: &GameTree, choices: &[usize]) -> Result<Self, RecordError> {
        let info = |property| tree.text(tree.root(), property);
        if let Some(game) = info("GM").filter(|game| !is_havannah(game)) {
            return Err(RecordError::OtherGame(game));
        }
        let size = info("SZ").ok_or(RecordError::MissingSize)?;
        let size = match size.trim().parse() {
            Ok(edge @ 2..=10) => edge,
            _ => return Err(RecordError::BadSize(size)),
        };
        let no_variation = || RecordError::NoVariation(choices.to_vec());
        Ok(Self {
            white: info("PW"),
            black: info("PB"),
            event: info("EV"),
            date: info("DT"),
            result: info("RE"),
            comment: info("C"),
            setup: read_setup(tree)?,
            to_move: info("PL").and_then(|side| match side.trim() {
                "W" | "w" | "White" | "white" => Some(Colour::White),
                "B" | "b" | "Black" | "black" => Some(Colour::Black),
                _ => None,
            }),
            turns: read_turns(tree, &tree.line(choices).ok_or_else(no_variation)?)?,
            ..Self::new(size, read_coordinates(tree))
        })
    }

    /// A tree with only this line.
    pub fn to_tree(&self) -> GameTree {
        let mut tree = GameTree::default();
        tree.put("FF", ["4"]);
        tree.put("GM", ["Havannah"]);
        tree.put("SZ", [self.size.to_string()]);
        tree.put("CA", ["UTF-8"]);
        tree.put("AP", ["Ciclon"]);
        tree.put("RU", (self.coordinates == Notation::LittleGolem).then_some("LG"));
        tree.put("PW", &self.white);
        tree.put("PB", &self.black);
        tree.put("EV", &self.event);
        tree.put("DT", &self.date);
        tree.put("RE", &self.result);
        tree.put("C", &self.comment);
        for side in Colour::BOTH {
            let own = self.setup.iter().filter(|(owner, _)| *owner == side);
            tree.put(setup_property(side), own.map(|(_, cell)| cell));
        }
        tree.put("PL", self.to_move.map(turn_property));
        let mut node = tree.root();
        for Turn { side, action, comment } in &self.turns {
            node = tree.add(node);
            tree.put(turn_property(*side), [action.text()]);
            tree.put("C", comment);
        }
        tree
    }

    /// The text of an SGF file with only this game.
    pub fn to_sgf(&self) -> String {
        Collection::from(self.to_tree()).write()
    }
}

/// The name of the game, or its number in GoRilla.
fn is_havannah(game: &str) -> bool {
    let game = game.trim();
    game.eq_ignore_ascii_case("Havannah") || game == "4100"
}

fn read_coordinates(tree: &GameTree) -> Notation {
    let any = |property, test: fn(&str) -> bool| {
        tree.values(tree.root(), property).any(|value| test(&value.to_ascii_lowercase()))
    };
    if any("SO", |source| source.contains("littlegolem")) || any("RU", |rules| rules.trim() == "lg")
    {
        Notation::LittleGolem
    } else {
        Notation::Letternum
    }
}

fn read_setup(tree: &GameTree) -> Result<Vec<(Colour, String)>, RecordError> {
    let stones = Colour::BOTH.into_iter().flat_map(|side| {
        tree.values(tree.root(), setup_property(side)).map(move |cell| match cell.contains(':') {
            true => Err(RecordError::Rectangle(cell)),
            false => Ok((side, cell.trim().to_string())),
        })
    });
    stones.collect()
}

fn read_turns(tree: &GameTree, line: &[NodeId]) -> Result<Vec<Turn>, RecordError> {
    let mut turns: Vec<Turn> = Vec::new();
    for &node in line {
        let first = node == tree.root();
        let late = ["AW", "AB", "AE"].into_iter().find(|name| tree.text(node, name).is_some());
        if let Some(property) = late.filter(|_| !first) {
            return Err(RecordError::LateSetup { property, turns: turns.len() });
        }
        let mut found = Colour::BOTH.into_iter().flat_map(|side| {
            tree.values(node, turn_property(side)).map(move |text| (side, Action::read(&text)))
        });
        if let Some((side, action)) = found.next() {
            if found.next().is_some() {
                return Err(RecordError::TwoTurns { turns: turns.len() });
            }
            // A comment in the first node belongs to the game.
            let comment = tree.text(node, "C").filter(|_| !first);
            turns.push(Turn { side, action, comment });
        }
    }
    Ok(turns)
}
