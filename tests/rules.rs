//! The rules by example: positions as pictures, each checked on board, in both of its widths, and
//! oracle.
//!
//! `O` are White's stones, `X` Black's, and `+` is where White plays. Every example is also
//! played turned and mirrored in all twelve ways, with colours exchanged, with its stones placed
//! in another order, and with every other stone that could come last in the place of `+`.

use bitvec::prelude::BitVec;

use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::havannah::patterns::{self, dead_cells_as_published};
use ciclon::internals::havannah::picture::{self, PictureError};
use ciclon::internals::havannah::{
    Board, Cell, Colour, Geometry, Layout, Outcome, PlayError, Set, Width, Wins,
};

use crate::positions::in_both_widths;

const RING: Wins = Wins::RING;
const BRIDGE: Wins = Wins::BRIDGE;
const FORK: Wins = Wins::FORK;
const NOTHING: Wins = Wins::NONE;

fn geometry(size: usize) -> &'static Geometry {
    Geometry::of_size(size).expect("a base")
}

/// Examples of one base, each with its name and what is expected of it; the pictures stand side
/// by side in the same order.
struct Band<T: 'static> {
    size: usize,
    examples: &'static [(&'static str, T)],
    pictures: &'static str,
}

impl<T: Copy> Band<T> {
    fn examples(&self) -> impl Iterator<Item = (&'static str, T, String)> {
        let rows = self.pictures.lines().filter(|row| !row.is_empty());
        self.examples.iter().enumerate().map(move |(i, (name, expected))| {
            let picture = rows.clone().map(|row| row.split('|').nth(i).expect(name));
            (*name, *expected, picture.collect())
        })
    }
}

/// Stones in the order they are placed, all but the last before anyone has won.
type Stones = Vec<(Colour, Cell)>;

fn rearranged(stones: &Stones, geometry: &Geometry, symmetry: usize, exchange: bool) -> Stones {
    let image = |(colour, cell): &(Colour, Cell)| {
        let colour = if exchange { colour.other() } else { *colour };
        (colour, geometry.transform(*cell, symmetry))
    };
    stones.iter().map(image).collect()
}

/// The picture as stones, those of `picture::read_board` first and `+` last.
fn read(geometry: &Geometry, name: &str, picture: &str) -> Stones {
    let mut marks = picture.chars().filter(|mark| ".OX+".contains(*mark));
    let last = marks.position(|mark| mark == '+').expect(name);
    let board = picture::read_board(geometry, &picture.replace('+', "."))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut stones: Stones = Vec::new();
    for colour in Colour::BOTH {
        let cells = board.stones(colour).iter().map(Cell::from_index);
        stones.extend(cells.map(|cell| (colour, cell)));
    }
    stones.push((Colour::White, geometry.cells()[last]));
    stones
}

/// Plays the stones on board and oracle; both must say the game is on until the last, and the
/// expected outcome then.
fn check<W: Width>(layout: &'static Layout<W>, name: &str, stones: &Stones, expected: Outcome) {
    let mut board = Board::empty(layout);
    let mut oracle = Oracle::new(layout.geometry);
    for (placed, (colour, cell)) in stones.iter().enumerate() {
        let is_last = placed + 1 == stones.len();
        let expected = if is_last { expected } else { Outcome::Ongoing };
        board.set_to_move(*colour);
        oracle.set_to_move(*colour);
        let found = (board.play(*cell), oracle.play(*cell));
        assert_eq!(found, (Ok(expected), Ok(expected)), "{name}\n{board}");
    }
}

/// The same stones, each time with another one last that completes a win.
fn completions(geometry: &'static Geometry, stones: &Stones) -> Vec<Stones> {
    let oracle = Oracle::new(geometry);
    let winner = stones.last().expect("a last stone").0;
    let completes = |last: usize| {
        let (colour, missing) = stones[last];
        let is_other = |cell: &Cell| *cell != missing && stones.contains(&(winner, *cell));
        let others: BitVec = geometry.cells().iter().map(is_other).collect();
        colour == winner && oracle.wins(&others).is_empty()
    };
    let with_last = |last: usize| {
        let mut stones = stones.clone();
        let stone = stones.remove(last);
        stones.push(stone);
        stones
    };
    (0..stones.len()).filter(|last| completes(*last)).map(with_last).collect()
}

fn check_in_every_way<W: Width>(
    layout: &'static Layout<W>,
    name: &str,
    picture: &str,
    wins: Wins,
    otherwise: Outcome,
) {
    let geometry = layout.geometry;
    let stones = read(geometry, name, picture);
    let mut backwards = stones.clone();
    backwards[..stones.len() - 1].reverse();
    let mut orders = vec![stones.clone(), backwards];
    if !wins.is_empty() {
        orders.extend(completions(geometry, &stones));
    }
    for stones in orders {
        for symmetry in 0..12 {
            for exchange in [false, true] {
                let stones = rearranged(&stones, geometry, symmetry, exchange);
                let by = stones.last().expect(name).0;
                let outcome = match wins {
                    NOTHING => otherwise,
                    wins => Outcome::Won { by, wins },
                };
                check(layout, name, &stones, outcome);
            }
        }
    }
}

fn check_examples(bands: &[Band<Wins>], otherwise: Outcome) {
    for band in bands {
        for (name, wins, picture) in band.examples() {
            in_both_widths!(band.size, W => {
                let layout = W::layout(band.size).expect(name);
                check_in_every_way(layout, name, &picture, wins, otherwise)
            });
        }
    }
}

const RINGS: &[Band<Wins>] = &[
    Band {
        size: 4,
        examples: &[
            ("round an empty cell", RING),
            ("round an enemy stone", RING),
            ("round an own stone", RING),
            ("round two empty cells", RING),
            ("round an own stone and an empty cell", RING),
        ],
        pictures: "
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .
              . . . . .    |    . . . . .    |    . . . . .    |    . . . . .    |    . . . . .
             . . O O . .   |   . . O O . .   |   . . O O . .   |   . . O O O .   |   . . O O O .
            . . O . + . .  |  . . O X + . .  |  . . O O + . .  |  . . O . . + .  |  . . O O . + .
             . . O O . .   |   . . O O . .   |   . . O O . .   |   . . O O O .   |   . . O O O .
              . . . . .    |    . . . . .    |    . . . . .    |    . . . . .    |    . . . . .
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
    Band {
        size: 5,
        examples: &[
            ("round an own stone, by a stone that joins two chains", RING),
            ("with corners and a loose end", RING),
        ],
        pictures: "
                . . . . .      |      . . . . .
               . . . . . .     |     . . . . . .
              . . . O O . .    |    . . O O . . .
             . . . O O + O .   |   . . O . O O . .
            . . . . O O . O .  |  . . O . X . O . .
             . . . . . . . .   |   . . O O + O . .
              . . . . . . .    |    . . . . . O .
               . . . . . .     |     . . . . . .
                . . . . .      |      . . . . .",
    },
    Band {
        size: 4,
        examples: &[
            ("round an own and an enemy stone", RING),
            ("round two own stones", RING),
            ("round three cells", RING),
            ("round seven cells of all kinds", RING),
            ("round seven empty cells", RING),
        ],
        pictures: "
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .
              . . . . .    |    . . . . .    |    . . O O .    |    . O O O .    |    . O O O .
             . . O O O .   |   . . O + O .   |   . . O . O .   |   . O X . O .   |   . O . . O .
            . . O O X + .  |  . . O O O O .  |  . . O . X O .  |  . O . O X O .  |  . O . . . O .
             . . O O O .   |   . . O O O .   |   . . O O + .   |   . O O X O .   |   . O . . O .
              . . . . .    |    . . . . .    |    . . . . .    |    . O O + .    |    . + O O .
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
    Band {
        size: 4,
        examples: &[
            ("two at once", RING),
            ("of one chain, joined to another", RING),
            ("in the corner", RING),
            ("on an edge", RING),
            ("by the corner of a solid corner", RING),
        ],
        pictures: "
               . . . .     |     . . . .     |     O O . .     |     . O O .     |     + O O .
              . . O O .    |    . . O O .    |    O . O . .    |    . O . + .    |    O O O . .
             . O O . O .   |   . . O . O .   |   . O + . . .   |   . . O O . .   |   O O O . . .
            . O . + O . .  |  . . . + O . .  |  . . . . . . .  |  . . . . . . .  |  . . . . . . .
             . O O . . .   |   . . O . . .   |   . . . . . .   |   . . . . . .   |   . . . . . .
              . . . . .    |    . . . . .    |    . . . . .    |    . . . . .    |    . . . . .
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
];

#[test]
fn rings() {
    check_examples(RINGS, Outcome::Ongoing);
}

const NO_RINGS: &[Band<Wins>] = &[
    Band {
        size: 4,
        examples: &[
            ("open at one cell", NOTHING),
            ("open at one cell, closed by an enemy stone", NOTHING),
            ("large and open at one cell", NOTHING),
            ("an own stone with five neighbours", NOTHING),
            ("closed by the rim", NOTHING),
        ],
        pictures: "
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     O . O .
              . . . . .    |    . . . . .    |    . O O O .    |    . . . . .    |    . O + . .
             . . O O . .   |   . . O O . .   |   . O . . O .   |   . . O O . .   |   . . . . . .
            . . + . . . .  |  . . O X X . .  |  . O . O . O .  |  . . O + . . .  |  . . . . . . .
             . . O O . .   |   . . + O . .   |   . O . . O .   |   . . O O . .   |   . . . . . .
              . . . . .    |    . . . . .    |    . . + O .    |    . . . . .    |    . . . . .
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
    Band {
        size: 4,
        examples: &[
            ("closed by the corner", NOTHING),
            ("solid in a corner but for the corner", NOTHING),
            ("a triangle", NOTHING),
            ("three chains joined", NOTHING),
        ],
        pictures: "
               . O . .     |     . O O .     |     . . . .     |     . . . .
              O + . . .    |    O + O . .    |    . . . . .    |    . . . . .
             . . . . . .   |   O O O . . .   |   . . O O . .   |   . . O . . .
            . . . . . . .  |  . . . . . . .  |  . . . + . . .  |  . . . + O . .
             . . . . . .   |   . . . . . .   |   . . . . . .   |   . . O . . .
              . . . . .    |    . . . . .    |    . . . . .    |    . . . . .
               . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
    Band {
        size: 5,
        examples: &[
            ("solid on an edge", NOTHING),
            ("a thick line", NOTHING),
            ("a spiral", NOTHING),
        ],
        pictures: "
                . O O O .      |      . . . . .      |      . . . . .
               . O O + O .     |     . . . . . .     |     . . . . . .
              . . . . . . .    |    . . . . . . .    |    . . O O O O .
             . . . . . . . .   |   . . O O O O . .   |   . . O . . . O .
            . . . . . . . . .  |  . . . O O + O . .  |  . . O . O O . O .
             . . . . . . . .   |   . . . . . . . .   |   . O . . + . O .
              . . . . . . .    |    . . . . . . .    |    . O O . O O .
               . . . . . .     |     . . . . . .     |     . . . O O .
                . . . . .      |      . . . . .      |      . . . . .",
    },
];

#[test]
fn no_rings() {
    check_examples(NO_RINGS, Outcome::Ongoing);
}

const BRIDGES_AND_FORKS: &[Band<Wins>] = &[
    Band {
        size: 4,
        examples: &[
            ("bridge along an edge", BRIDGE),
            ("bridge by a corner", BRIDGE),
            ("bridge through the centre", BRIDGE),
            ("bridge between three corners", BRIDGE),
            ("fork from the centre", FORK),
        ],
        pictures: "
               O O + O     |     + O O O     |     O . . .     |     O . . .     |     . . O .
              . . . . .    |    . . . . .    |    . O . . .    |    . O . . .    |    . . O . .
             . . . . . .   |   . . . . . .   |   . . O . . .   |   . . O . . .   |   . . O . . .
            . . . . . . .  |  . . . . . . .  |  . . . + . . .  |  . . . + O O O  |  . . . + O O .
             . . . . . .   |   . . . . . .   |   . . . O . .   |   . . O . . .   |   O O O . . O
              . . . . .    |    . . . . .    |    . . . O .    |    . O . . .    |    . . . . .
               . . . .     |     . . . .     |     . . . O     |     O . . .     |     . . . .",
    },
    Band {
        size: 2,
        examples: &[
            ("bridge on the smallest board", BRIDGE),
            ("bridge over the centre of the smallest board", BRIDGE),
            ("no bridge on the smallest board", NOTHING),
        ],
        pictures: "
             + O   |   . O   |   . O
            . X .  |  . + .  |  + . .
             . .   |   O .   |   . O",
    },
    Band {
        size: 4,
        examples: &[
            ("fork of four edges", FORK),
            ("fork by an edge cell", FORK),
            ("two edges and the corner between are no fork", NOTHING),
            ("two edges and a corner of a third are no fork", NOTHING),
            ("all of two edges is no fork", NOTHING),
        ],
        pictures: "
               . O . .     |     . + . .     |     + O . .     |     . O O +     |     O O O .
              O O . . .    |    O O O O O    |    O . . . .    |    O O . . .    |    O . . . .
             . . O . . .   |   . . . . . .   |   . . . . . .   |   . . . . . .   |   + . . . . .
            . . . + . . .  |  . . . . . . .  |  . . . . . . .  |  . . . . . . .  |  . . . . . . .
             . . . O . .   |   . . . . . .   |   . . . . . .   |   . . . . . .   |   . . . . . .
              . . . O O    |    . . . . .    |    . . . . .    |    . . . . .    |    . . . . .
               . . O .     |     . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
];

#[test]
fn bridges_and_forks() {
    check_examples(BRIDGES_AND_FORKS, Outcome::Ongoing);
}

const SEVERAL_KINDS_BY_ONE_STONE: &[Band<Wins>] = &[
    Band {
        size: 4,
        examples: &[
            ("bridge and fork share an edge", BRIDGE.union(FORK)),
            ("bridge and fork through the centre", BRIDGE.union(FORK)),
            ("ring and fork", RING.union(FORK)),
            ("ring and bridge", RING.union(BRIDGE)),
            ("ring round an own stone and bridge", RING.union(BRIDGE)),
        ],
        pictures: "
               O O O +     |     O . . .     |     . . O O     |     + O O O     |     + O O O
              O . . . O    |    . O O O O    |    O O O . +    |    O . O . .    |    O O O . .
             . . . . . .   |   . . O . . .   |   . . . O O .   |   . O O . . .   |   . O O . . .
            . . . . . . .  |  . . . + . . .  |  . . . . . . .  |  . . . . . . .  |  . . . . . . .
             . . . . . .   |   . . . O . .   |   . . . . . .   |   . . . . . .   |   . . . . . .
              . . . . .    |    . . . O O    |    . . . . .    |    . . . . .    |    . . . . .
               . . . .     |     . . O O     |     . . . .     |     . . . .     |     . . . .",
    },
    Band {
        size: 4,
        examples: &[("all three", RING.union(BRIDGE).union(FORK))],
        pictures: "
               . . O O
              . . O O O
             . . O . O .
            . . . + O . .
             . . O . . .
              O O . . .
               O . . .",
    },
];

#[test]
fn several_kinds_by_one_stone() {
    check_examples(SEVERAL_KINDS_BY_ONE_STONE, Outcome::Ongoing);
}

const DRAWS: &[Band<Wins>] = &[
    Band {
        size: 3,
        examples: &[("base 3", NOTHING)],
        pictures: "
              O X O
             X X O O
            O O X + X
             X O X O
              X O X",
    },
    Band {
        size: 4,
        examples: &[("base 4", NOTHING)],
        pictures: "
               X O O X
              O X O O X
             X O O O O X
            O X O X X X O
             + X O X O X
              O X O O X
               X X X O",
    },
    Band {
        size: 5,
        examples: &[("base 5", NOTHING)],
        pictures: "
                O X X O O
               X O X X O X
              O O X O X O X
             O X X O O X O X
            X + X O X O O X O
             X O X X X O X O
              O X X O O X O
               X O X O O X
                X O O O X",
    },
];

#[test]
fn draws() {
    check_examples(DRAWS, Outcome::Draw);
}

/// The cells at a distance from a cell, if all of them are on the board.
fn circle(geometry: &Geometry, centre: Cell, radius: i32) -> Option<Vec<Cell>> {
    let (x, y) = geometry.xy(centre);
    let span = -radius..=radius;
    let offsets = span.clone().flat_map(|dx| span.clone().map(move |dy| (dx, dy)));
    let distance = |(dx, dy): &(i32, i32)| dx.abs().max(dy.abs()).max((dx - dy).abs());
    offsets
        .filter(|offset| distance(offset) == radius)
        .map(|(dx, dy)| geometry.cell(x + dx, y + dy))
        .collect()
}

#[test]
fn circles_of_every_radius_round_every_cell() {
    fn play<W: Width>(size: usize) {
        let layout = W::layout(size).expect("a base");
        // The circle along the rim joins corners before it closes.
        for radius in 1..size as i32 - 1 {
            for centre in layout.geometry.cells().iter().copied() {
                let Some(circle) = circle(layout.geometry, centre, radius) else {
                    continue;
                };
                assert_eq!(circle.len(), 6 * radius as usize);
                let mut stones: Stones = circle.iter().map(|cell| (Colour::White, *cell)).collect();
                // From circle to circle, another stone comes last.
                stones.rotate_left(centre.index() % circle.len());
                let ring = Outcome::Won { by: Colour::White, wins: RING };
                check(layout, "circle", &stones, ring);
                let mut filled = vec![(Colour::Black, centre)];
                filled.extend(stones);
                check(layout, "circle with an enemy stone", &filled, ring);
                filled[0] = (Colour::White, centre);
                check(layout, "circle with an own stone", &filled, ring);
            }
        }
    }

    for size in 2..=10 {
        in_both_widths!(size, W => play::<W>(size));
    }
}

fn check_illegal_moves<W: Width>() {
    let layout = W::layout(4).expect("a base");
    let geometry = layout.geometry;
    let (mut board, mut oracle) = (Board::empty(layout), Oracle::new(geometry));
    assert_eq!(board.to_move(), Colour::White);
    let row: Vec<Cell> = (0..4).filter_map(|y| geometry.cell(0, y)).collect();
    let far = geometry.cell(6, 3).expect("on the board");
    let off_board = [4, 40, 8 * 7, 63, 64, 383, 384, 65_535].map(Cell::from_index);
    let mut check = |cell: Cell, expected: Result<Outcome, PlayError>| {
        let before = board;
        assert_eq!(board.is_legal(cell), expected.is_ok(), "\n{board}");
        assert_eq!(board.play(cell), expected, "\n{board}");
        assert_eq!(oracle.play(cell), expected, "\n{board}");
        assert_eq!(board == before, expected.is_err());
        assert_eq!(board.hash(), oracle.hash());
        assert_eq!(board.to_move(), oracle.to_move());
        if expected == Ok(Outcome::Ongoing) {
            board.set_to_move(Colour::White);
            oracle.set_to_move(Colour::White);
        }
    };
    for cell in off_board {
        check(cell, Err(PlayError::OffBoard));
    }
    for cell in &row[..3] {
        check(*cell, Ok(Outcome::Ongoing));
        check(*cell, Err(PlayError::Occupied));
    }
    let bridge = Outcome::Won { by: Colour::White, wins: BRIDGE };
    check(row[3], Ok(bridge));
    check(far, Err(PlayError::GameOver));
    check(row[0], Err(PlayError::GameOver));
}

#[test]
fn illegal_moves_change_nothing() {
    in_both_widths!(4, W => check_illegal_moves::<W>());
}

#[test]
fn sets_are_drawn_as_they_are_read() {
    let ring = picture::read_set(geometry(2), "* *  * . *  * *").expect("a set");
    assert_eq!(ring.len(), 6);
    assert_eq!(picture::draw_set(geometry(2), ring), " a * *\nb * . *\n c * *\n");
    let wrong = PictureError::WrongCellCount { expected: 7, found: 1 };
    assert_eq!(picture::read_set(geometry(2), "*"), Err(wrong));
}

#[test]
fn pictures_that_show_no_position_are_refused() {
    let read = |text| picture::read_board(geometry(2), text);
    let wrong_count = |found| PictureError::WrongCellCount { expected: 7, found };
    assert_eq!(read(". . . . . .").err(), Some(wrong_count(6)));
    assert_eq!(read("").err(), Some(wrong_count(0)));
    assert_eq!(read(". . . . . . . O").err(), Some(wrong_count(8)));
    let over = read("O O . . . . O").err();
    assert!(matches!(over, Some(PictureError::GameOver { .. })), "{over:?}");
    let board = read("a O .  b . X .  c . O").expect("a position");
    assert_eq!(board.to_move(), Colour::Black);
    assert_eq!(board.to_string(), " a O .\nb . X .\n c . O\n");
}

/// Whether a marked cell is dead by the paper, and exactly; no other cell of the position is.
type Dead = (bool, bool);

const ALWAYS: Dead = (true, true);
const IN_THE_PAPER: Dead = (true, false);
const NEVER: Dead = (false, false);

const DEAD_CELLS: &[Band<Dead>] = &[
    Band {
        size: 4,
        examples: &[
            ("three against three", IN_THE_PAPER),
            ("three against three, one middle safe", IN_THE_PAPER),
            ("three against three, no middle can be ringed", ALWAYS),
            ("three against three, one middle on the rim", ALWAYS),
            ("four against two at the rim", ALWAYS),
        ],
        pictures: "
               . . . .     |     . . . .     |     . . . .     |     . O O .     |     . O O .
              . . . . .    |    . X . . .    |    . X . . .    |    . X + O .    |    . O + O .
             . . O O . .   |   . . O O . .   |   . . O O . .   |   . . X X . .   |   . . X X . .
            . . O + X . .  |  . . O + X . .  |  . . O + X . .  |  . . O . . . .  |  . . . . . . .
             . . X X . .   |   . . X X . .   |   . . X X . .   |   . . . . . .   |   . . . . . .
              . . . . .    |    . . . . .    |    . . . O .    |    . . . . .    |    . . . . .
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
    Band {
        size: 4,
        examples: &[
            ("four against two beside a corner", ALWAYS),
            ("four against two off the rim", NEVER),
            ("four against two, the two on the rim", NEVER),
            ("on the rim", NEVER),
            ("an empty neighbour", NEVER),
        ],
        pictures: "
               O O . .     |     . . . .     |     . X X .     |     O + X .     |     . . . .
              O + X . .    |    . . . . .    |    . O + O .    |    . O X . .    |    . X . . .
             . O X . . .   |   . . O O . .   |   . . O O . .   |   . . . . . .   |   . . O O . .
            . . . . . . .  |  . . O + O . .  |  . . . . . . .  |  . . . . . . .  |  . . O + X . .
             . . . . . .   |   . . X X . .   |   . . . . . .   |   . . . . . .   |   . . X . . .
              . . . . .    |    . . . . .    |    . . . . .    |    . . . . .    |    . . . O .
               . . . .     |     . . . .     |     . . . .     |     . . . .     |     . . . .",
    },
];

#[test]
fn dead_cells() {
    in_both_widths!(4, W => check_dead_cells::<W>());
}

fn check_dead_cells<W: Width>() {
    let layout = W::layout(4).expect("a base");
    let geometry = layout.geometry;
    for (name, dead, picture) in DEAD_CELLS.iter().flat_map(Band::examples) {
        let mut stones = read(geometry, name, &picture);
        let (_, marked) = stones.pop().expect(name);
        for symmetry in 0..12 {
            for exchange in [false, true] {
                let (mut board, mut oracle) = (Board::empty(layout), Oracle::new(geometry));
                for (colour, cell) in rearranged(&stones, geometry, symmetry, exchange) {
                    board.set_to_move(colour);
                    oracle.set_to_move(colour);
                    assert_eq!(board.play(cell), oracle.play(cell), "{name}\n{board}");
                }
                let image = geometry.transform(marked, symmetry);
                let marked_if = |is_dead: bool| -> BitVec {
                    let cells = geometry.cells().iter();
                    cells.map(|cell| is_dead && *cell == image).collect()
                };
                let found = (oracle.dead_cells_paper(), oracle.dead_cells_exact());
                let expected = (marked_if(dead.0), marked_if(dead.1));
                assert_eq!(found, expected, "{name}\n{board}");
                let found = [dead_cells_as_published(&board), patterns::dead_cells(&board)];
                let image = Set::<W>::single(image.index());
                assert_eq!(
                    found,
                    [image.only_if(dead.0), image.only_if(dead.1)],
                    "{name}\n{board}"
                );
            }
        }
    }
}
