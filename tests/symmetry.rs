//! Hashes of positions along random games of both games: those of a position that is set up again are
//! the same, all symmetric images share the canonical one, and different positions share none.
//!
//! Images are made by other means than in the engine: cells of a hexagon by the permutations of three
//! coordinates, grids by turning over the rows of a picture.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use ciclon::internals::bits::Words;
use ciclon::internals::game::{self, Move, Position as _};
use ciclon::internals::havannah::{Board, Cell, Colour, Geometry};
use ciclon::internals::rng::Rng;
use ciclon::internals::tron::{Grid, Map, Position, Side, maps};

use crate::tron::any_maps;

/// Keys and their hashes: each key has one, and no two keys have the same.
struct Hashes<K> {
    of_keys: HashMap<K, u64>,
    keys: HashMap<u64, K>,
}

impl<K: Clone + Eq + Hash + Debug> Hashes<K> {
    fn new() -> Self {
        Self { of_keys: HashMap::new(), keys: HashMap::new() }
    }

    fn add(&mut self, key: K, hash: u64) {
        let known = *self.of_keys.entry(key.clone()).or_insert(hash);
        assert_eq!(known, hash, "{key:?} has two hashes");
        let first = self.keys.entry(hash).or_insert_with(|| key.clone());
        assert_eq!(*first, key, "two positions have the hash {hash:x}");
    }

    fn len(&self) -> usize {
        self.keys.len()
    }
}

/// Steps from the centre of a hexagon along three axes; their sum is 0.
type Hexagonal = [i32; 3];

/// The twelve images: the axes change places, and may all run the other way.
const AXES: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn hexagonal(geometry: &Geometry, cell: Cell) -> Hexagonal {
    let (x, y) = geometry.xy(cell);
    let centre = geometry.size as i32 - 1;
    [x - centre, centre - y, y - x]
}

fn images_of(at: Hexagonal) -> [Hexagonal; 12] {
    std::array::from_fn(|image| {
        let sign = if image < 6 { 1 } else { -1 };
        AXES[image % 6].map(|axis| sign * at[axis])
    })
}

fn cell_at(geometry: &Geometry, [a, b, _]: Hexagonal) -> Cell {
    let centre = geometry.size as i32 - 1;
    geometry.cell(centre + a, centre - b).expect("images are on the board")
}

/// The stones of both sides in rising order, and who is to move.
type Stones = ([Vec<Hexagonal>; 2], Colour);

fn stones_of(board: &Board) -> Stones {
    let stones = |colour| {
        let cells = board.stones(colour).iter().map(Cell::from_index);
        let mut stones: Vec<_> = cells.map(|cell| hexagonal(board.geometry(), cell)).collect();
        stones.sort_unstable();
        stones
    };
    (Colour::BOTH.map(stones), board.to_move())
}

/// Plays a random game and its twelve images side by side.
fn play_hexagons(
    start: Board,
    rng: &mut Rng,
    hashes: &mut Hashes<Stones>,
    canonical: &mut Hashes<Stones>,
) {
    let geometry = start.geometry();
    let mut boards = [start; 12];
    loop {
        let keys = boards.each_ref().map(stones_of);
        for (board, key) in boards.iter().zip(&keys) {
            hashes.add(key.clone(), board.hash());
        }
        let least = keys.iter().min_by_key(|(stones, _)| stones).expect("twelve images");
        for board in &boards {
            canonical.add(least.clone(), board.canonical_hash());
        }
        let empty = boards[0].empty_cells();
        if boards[0].outcome().is_over() {
            break;
        }
        let chosen = empty.iter().nth(rng.below(empty.len() as u32) as usize);
        let chosen = Cell::from_index(chosen.expect("the game goes on"));
        let images = images_of(hexagonal(geometry, chosen));
        for (board, image) in boards.iter_mut().zip(images) {
            board.play(cell_at(geometry, image)).expect("an image of a legal move is legal");
        }
    }
}

#[test]
fn images_of_hexagons_share_their_canonical_hash_and_no_others_do() {
    for size in 2..=10 {
        let (mut hashes, mut canonical) = (Hashes::new(), Hashes::new());
        for game in 0..8 {
            // The same game once more with the colours changed.
            for colour in Colour::BOTH {
                let mut start = Board::new(size).expect("a base");
                start.set_to_move(colour);
                play_hexagons(start, &mut Rng::stream(game, size), &mut hashes, &mut canonical);
            }
        }
        assert!(size < 4 || canonical.len() > 200, "base {size}: {}", canonical.len());
        assert!(size < 4 || hashes.len() > 10 * canonical.len(), "base {size}: {}", hashes.len());
    }
}

/// A position of Tron as rows of letters: those of maps, `x` for a cell that is chosen, `=` for one that
/// both heads are in; and the side that chooses first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Picture {
    rows: Vec<Vec<char>>,
    first: Side,
}

impl Picture {
    fn of<W: Words>(position: &Position<W>) -> Self {
        let (map, grid) = (position.to_map(), position.grid());
        let letter = |x: usize, y: usize| match grid.cell(x, y) {
            cell if map.heads == [cell; 2] => '=',
            cell if position.chosen() == Some(Move::new(cell)) => 'x',
            cell => map.letter(cell),
        };
        let row = |y: usize| (0..grid.width()).map(|x| letter(x, y)).collect();
        Self { rows: (0..grid.height()).map(row).collect(), first: position.first() }
    }

    /// The eight images.
    fn images(&self) -> Vec<Self> {
        let column = |x: usize| self.rows.iter().map(|row| row[x]).collect();
        let transposed: Vec<Vec<char>> = (0..self.rows[0].len()).map(column).collect();
        let mut images = vec![self.rows.clone(), transposed];
        for mut rows in images.clone() {
            rows.reverse();
            images.push(rows);
        }
        for mut rows in images.clone() {
            rows.iter_mut().for_each(|row| row.reverse());
            images.push(rows);
        }
        images.into_iter().map(|rows| Self { rows, ..*self }).collect()
    }

    /// The position, set up from nothing.
    fn position(&self) -> Box<dyn game::Position> {
        let grid = Grid::new(self.rows[0].len(), self.rows.len()).expect("a grid");
        let letter = |cell: usize| {
            let (x, y) = grid.place(cell);
            self.rows[y][x]
        };
        let find = |letters: &[char]| grid.cells().find(|cell| letters.contains(&letter(*cell)));
        let heads = ['1', '2'].map(|head| find(&[head, '=']).expect("a head"));
        let mut map = Map::open(grid, heads);
        grid.cells().for_each(|cell| map.walls[cell] = letter(cell) == '#');
        let mut position: Box<dyn game::Position> =
            Box::new(Position::<[u64; 16]>::new(&map, self.first));
        if let Some(cell) = find(&['x']) {
            position.advance(Move::new(cell));
        }
        position
    }
}

/// Plays a random game, and looks at the images of every position.
fn play_grid<W: Words>(
    start: Position<W>,
    (rng, hashes, canonical): (&mut Rng, &mut Hashes<Picture>, &mut Hashes<Picture>),
) {
    let mut position = start;
    loop {
        let images = Picture::of(&position).images();
        assert_eq!(images.len(), 8);
        hashes.add(images[0].clone(), position.hash());
        let least = images.iter().min().expect("eight images");
        canonical.add(least.clone(), position.canonical_hash());
        for image in &images {
            let again = image.position();
            hashes.add(image.clone(), again.hash());
            canonical.add(least.clone(), again.canonical_hash());
        }
        if position.result().is_some() {
            break;
        }
        let moves = position.legal_moves();
        position.advance(moves[rng.below(moves.len() as u32) as usize]);
    }
}

#[test]
fn images_of_grids_share_their_canonical_hash_and_no_others_do() {
    let mut rng = Rng::new(8);
    let (mut hashes, mut canonical) = (Hashes::new(), Hashes::new());
    // Long grids may need more words lying than standing.
    let long = [(51, 3), (3, 51)].map(|(width, height)| maps::random_map(1, width, height));
    let known = maps::all().iter().map(|named| named.map());
    for map in any_maps(9, 2).into_iter().chain(known).chain(long.into_iter().flatten()) {
        for (map, first) in [(map.clone(), 0), (map.clone(), 1), (map.turned(), 0)] {
            let known = (&mut rng, &mut hashes, &mut canonical);
            match map.grid.span() {
                ..=256 => play_grid(Position::<[u64; 4]>::new(&map, first), known),
                257..=1024 => play_grid(Position::<[u64; 16]>::new(&map, first), known),
                _ => play_grid(Position::<[u64; 64]>::new(&map, first), known),
            }
        }
    }
    assert!(canonical.len() > 1000, "{}", canonical.len());
    assert!(hashes.len() > 4 * canonical.len(), "{} of {}", hashes.len(), canonical.len());
}
