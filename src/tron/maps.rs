//! The maps of the experiments, by their letters.

use super::map::Map;

/// A map with its letter.
pub struct NamedMap {
    pub letter: char,
    pub name: &'static str,
    /// What is special about it.
    pub about: &'static str,
    /// In the format of the contest.
    pub text: &'static str,
}

impl NamedMap {
    /// The map itself.
    pub fn map(&self) -> Map {
        self.text.parse().expect("the maps are well-formed")
    }
}

/// Every map, in the order of the letters.
pub fn all() -> &'static [NamedMap] {
    &MAPS
}

static MAPS: [NamedMap; 2] = [
    NamedMap {
        letter: 'A',
        name: "open",
        about: "no walls but those around",
        text: "9 9\n#########\n#1      #\n#       #\n#       #\n#       #\n#       #\n#       #\n#      2#\n#########\n",
    },
    NamedMap {
        letter: 'B',
        name: "pillar",
        about: "a pillar in the middle",
        text: "9 9\n#########\n#       #\n#       #\n# 1 #   #\n#  ###  #\n#   # 2 #\n#       #\n#       #\n#########\n",
    },
];

/// The map of a letter.
pub fn by_letter(letter: &str) -> Option<&'static NamedMap> {
    let mut letters = letter.chars();
    let wanted = letters.next().filter(|_| letters.next().is_none())?;
    MAPS.iter().find(|map| map.letter == wanted.to_ascii_uppercase())
}
