//! The maps of the experiments.
//!
//! - Laschet 2012 (figure 5) measures on ten maps, A to J. Their drawings are lost. These ten replace
//!   them: of about the size that he gives and of the usual kinds, with walls in the middle, rooms and
//!   lanes.
//! - Each map is symmetric: it looks the same to both players.
//! - If the heads are an odd number of steps apart, they can never meet in a cell, because both move
//!   simultaneously. On the other maps strong players soon meet, for a draw.
//! - `random_map` makes any number of further maps, for tests and for learning.

use super::grid::Grid;
use super::map::Map;
use super::position::Position;
use super::regions;
use super::symmetry::Symmetry;
use crate::rng::Rng;

/// A map with a letter.
#[derive(Debug)]
pub struct NamedMap {
    pub letter: char,
    /// The map as text.
    pub text: &'static str,
}

impl NamedMap {
    /// The map itself.
    pub fn map(&self) -> Map {
        self.text.parse().expect("the maps here are tested")
    }
}

/// Every map, in the order of the letters.
pub fn all() -> &'static [NamedMap] {
    &MAPS
}

/// The map with a letter, in upper or lower case.
pub fn by_letter(letter: &str) -> Option<&'static NamedMap> {
    MAPS.iter().find(|map| letter.eq_ignore_ascii_case(map.letter.encode_utf8(&mut [0; 4])))
}

static MAPS: [NamedMap; 10] = [
    // open: no walls, the players in opposite corners
    NamedMap {
        letter: 'A',
        text: concat!(
            "13 13\n",
            "             \n",
            " 1           \n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
            "           2 \n",
            "             \n",
        ),
    },
    // box: one large block in the middle
    NamedMap {
        letter: 'B',
        text: concat!(
            "13 13\n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
            "    #####    \n",
            "    #####    \n",
            " 1  #####  2 \n",
            "    #####    \n",
            "    #####    \n",
            "             \n",
            "             \n",
            "             \n",
            "             \n",
        ),
    },
    // plus: a cross of walls in the middle, the players in opposite quarters
    NamedMap {
        letter: 'C',
        text: concat!(
            "13 13\n",
            "             \n",
            "             \n",
            "  1          \n",
            "      #      \n",
            "      #      \n",
            "      #      \n",
            "   #######   \n",
            "      #      \n",
            "      #      \n",
            "      #      \n",
            "          2  \n",
            "             \n",
            "             \n",
        ),
    },
    // ring: a ring of walls with four gates, and space inside; odd
    NamedMap {
        letter: 'D',
        text: concat!(
            "14 13\n",
            "              \n",
            "              \n",
            "  1           \n",
            "   ###  ###   \n",
            "   #      #   \n",
            "   #      #   \n",
            "              \n",
            "   #      #   \n",
            "   #      #   \n",
            "   ###  ###   \n",
            "           2  \n",
            "              \n",
            "              \n",
        ),
    },
    // rooms: four rooms, each with a door to the next ones
    NamedMap {
        letter: 'E',
        text: concat!(
            "13 13\n",
            "      #      \n",
            "      #      \n",
            "  1          \n",
            "      #      \n",
            "      #      \n",
            "      #      \n",
            "## ####### ##\n",
            "      #      \n",
            "      #      \n",
            "      #      \n",
            "          2  \n",
            "      #      \n",
            "      #      \n",
        ),
    },
    // corridors: long walls with lanes one or two cells wide between them; odd
    NamedMap {
        letter: 'F',
        text: concat!(
            "14 13\n",
            "1             \n",
            "              \n",
            "  ##########  \n",
            "              \n",
            "              \n",
            "  ##########  \n",
            "              \n",
            "  ##########  \n",
            "              \n",
            "              \n",
            "  ##########  \n",
            "              \n",
            "             2\n",
        ),
    },
    // pillars: single walls at every third cell
    NamedMap {
        letter: 'G',
        text: concat!(
            "13 13\n",
            "             \n",
            "             \n",
            "  #  #  #  # \n",
            "             \n",
            " 1           \n",
            "  #  #  #  # \n",
            "             \n",
            " #  #  #  #  \n",
            "           2 \n",
            "             \n",
            " #  #  #  #  \n",
            "             \n",
            "             \n",
        ),
    },
    // halves: a wall down the middle with a gate at either end, the players on opposite sides; odd
    NamedMap {
        letter: 'H',
        text: concat!(
            "14 13\n",
            "              \n",
            "              \n",
            "      ##      \n",
            "      ##      \n",
            "      ##      \n",
            "      ##      \n",
            " 1    ##    2 \n",
            "      ##      \n",
            "      ##      \n",
            "      ##      \n",
            "      ##      \n",
            "              \n",
            "              \n",
        ),
    },
    // hooks: two hooks that enclose a space behind each player; odd
    NamedMap {
        letter: 'I',
        text: concat!(
            "14 14\n",
            "              \n",
            "              \n",
            "  ####  ####  \n",
            "  #        #  \n",
            "  # 1    2 #  \n",
            "  #        #  \n",
            "  #        #  \n",
            "  #        #  \n",
            "  #        #  \n",
            "  #        #  \n",
            "  ####  ####  \n",
            "              \n",
            "      ##      \n",
            "      ##      \n",
        ),
    },
    // field: a large field with a few blocks
    NamedMap {
        letter: 'J',
        text: concat!(
            "25 25\n",
            "                         \n",
            "                         \n",
            "  1                      \n",
            "                         \n",
            "     ###         ###     \n",
            "     ###         ###     \n",
            "                         \n",
            "                         \n",
            "           ###           \n",
            "                         \n",
            "                         \n",
            "    #     #   #     #    \n",
            "    #     #   #     #    \n",
            "    #     #   #     #    \n",
            "                         \n",
            "                         \n",
            "           ###           \n",
            "                         \n",
            "                         \n",
            "     ###         ###     \n",
            "     ###         ###     \n",
            "                         \n",
            "                      2  \n",
            "                         \n",
            "                         \n",
        ),
    },
];

/// How one half of a map is mapped to the other.
const SYMMETRIES: [Symmetry; 3] =
    [Symmetry::HALF_TURN, Symmetry::LEFT_RIGHT, Symmetry::ABOVE_BELOW];

/// The number of attempts with walls, before a map without walls is made.
const ATTEMPTS: usize = 64;

/// The random map of a seed.
///
/// - The walls are the same for both players.
/// - The players can reach each other, and each has at least two moves.
/// - `None` if the size is not valid for a grid, or too small for such a map.
pub fn random_map(seed: u64, width: usize, height: usize) -> Option<Map> {
    let grid = Grid::new(width, height)?;
    let mut rng = Rng::new(seed);
    let with_walls = |attempt: usize| {
        let symmetry = SYMMETRIES[rng.below(3) as usize];
        let walls = random_walls(grid, symmetry, attempt, &mut rng);
        let cells = width as u32 * height as u32;
        let start = grid.cells().nth(rng.below(cells) as usize)?;
        Some(placed(grid, walls, symmetry, start)).filter(is_fair)
    };
    let without = || {
        let starts = grid.cells().flat_map(|cell| SYMMETRIES.map(|symmetry| (symmetry, cell)));
        let open = |(symmetry, cell)| placed(grid, vec![false; grid.span()], symmetry, cell);
        starts.map(open).find(is_fair)
    };
    (0..ATTEMPTS).find_map(with_walls).or_else(without)
}

/// Walls on at most a third of the cells; fewer with each attempt.
fn random_walls(grid: Grid, symmetry: Symmetry, attempt: usize, rng: &mut Rng) -> Vec<bool> {
    let most = (ATTEMPTS - attempt) as f32 / ATTEMPTS as f32 / 3.0;
    let part = rng.unit() * most;
    let mut walls = vec![false; grid.span()];
    for cell in grid.cells() {
        let image = symmetry.cell(grid, cell);
        walls[cell] = if image < cell { walls[image] } else { rng.unit() < part };
    }
    walls
}

/// A map with player 1 at a cell and player 2 at its image.
fn placed(grid: Grid, mut walls: Vec<bool>, symmetry: Symmetry, cell: usize) -> Map {
    let heads = [cell, symmetry.cell(grid, cell)];
    heads.iter().for_each(|head| walls[*head] = false);
    Map { grid, walls, heads }
}

/// Whether the map is playable: the heads differ, each has at least two exits, and they can reach each
/// other.
fn is_fair(map: &Map) -> bool {
    let [one, two] = map.heads;
    let position = Position::<[u64; 64]>::new(map, 0);
    one != two
        && [0, 1].iter().all(|side| position.exits(*side).len() >= 2)
        && !regions::are_separated(map.grid, &position.taken(), map.heads)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_symmetric(map: &Map) -> bool {
        SYMMETRIES.into_iter().any(|symmetry| {
            let image = |cell| symmetry.cell(map.grid, cell);
            image(map.heads[0]) == map.heads[1]
                && map.grid.cells().all(|cell| map.walls[cell] == map.walls[image(cell)])
        })
    }

    fn is_odd(map: &Map) -> bool {
        let [(x, y), (other_x, other_y)] = map.heads.map(|head| map.grid.place(head));
        (x.abs_diff(other_x) + y.abs_diff(other_y)) % 2 == 1
    }

    #[test]
    fn every_map_is_the_same_to_both_players() {
        for named in all() {
            let map = named.map();
            assert_eq!(map.to_string(), named.text, "{}", named.letter);
            assert!(is_symmetric(&map), "{}\n{map}", named.letter);
            assert!(is_fair(&map), "{}\n{map}", named.letter);
        }
        let odd = all().iter().filter(|named| is_odd(&named.map()));
        assert_eq!(odd.map(|named| named.letter).collect::<String>(), "DFHI");
    }

    #[test]
    fn maps_are_found_by_their_letters() {
        let letters: String = all().iter().map(|named| named.letter).collect();
        assert_eq!(letters, "ABCDEFGHIJ");
        assert_eq!(by_letter("d").map(|named| named.letter), Some('D'));
        assert_eq!(by_letter("D").map(|named| named.letter), Some('D'));
        for none in ["", "K", "AB", "1"] {
            assert!(by_letter(none).is_none(), "{none}");
        }
    }

    #[test]
    fn random_maps_are_fair_and_the_same_again() {
        let mut walls = 0;
        for (width, height) in [(1, 5), (2, 2), (3, 3), (5, 4), (13, 13), (14, 13), (62, 5)] {
            for seed in 0..60 {
                let map = random_map(seed, width, height).expect("there is room");
                assert_eq!((map.grid.width(), map.grid.height()), (width, height));
                assert!(is_symmetric(&map) && is_fair(&map), "seed {seed}\n{map}");
                assert_eq!(random_map(seed, width, height).as_ref(), Some(&map));
                assert_eq!(map.to_string().parse().as_ref(), Ok(&map));
                walls += map.walls.iter().filter(|is_wall| **is_wall).count();
            }
        }
        assert!(walls > 1000, "{walls}");
        let maps: Vec<Option<Map>> = (0..60).map(|seed| random_map(seed, 9, 9)).collect();
        assert!((1..60).all(|at| !maps[..at].contains(&maps[at])), "seeds differ");
    }

    #[test]
    fn no_map_without_room() {
        for (width, height) in [(0, 3), (3, 0), (63, 3), (1, 1), (1, 4), (2, 1)] {
            assert_eq!(random_map(1, width, height), None, "{width} {height}");
        }
    }
}
