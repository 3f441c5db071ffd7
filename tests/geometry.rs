//! The ground under the rules, for every base: cells, neighbours, borders, symmetries, joints,
//! the two notations, and the bound on the labels a colour can need.
//!
//! Expected values come from the definitions (a corner has three neighbours, an edge cell four)
//! and from counts that can be done by hand, not from the tables themselves.

use std::collections::{BTreeSet, HashMap};

use ciclon::havannah::geometry::{CORNER_BITS, EDGE_BITS, MAX_INDEX, Tables};
use ciclon::havannah::oracle::Oracle;
use ciclon::havannah::patterns::Pattern;
use ciclon::havannah::{Base, Cell, Colour, Notation, Size};
use ciclon::with_base;

const SIZES: std::ops::RangeInclusive<usize> = 2..=10;

fn tables(size: usize) -> &'static Tables {
    with_base!(size, B => B::TABLES).expect("a base")
}

fn every_table() -> impl Iterator<Item = &'static Tables> {
    SIZES.map(tables)
}

fn neighbour_count(tables: &Tables, cell: Cell) -> usize {
    (0..6).filter_map(|d| tables.neighbour(cell, d)).count()
}

#[test]
fn bases_have_their_cells() {
    let counts = SIZES.zip([7, 19, 37, 61, 91, 127, 169, 217, 271]);
    for (size, count) in counts {
        let tables = tables(size);
        assert_eq!(tables.cells().len(), count, "base {size}");
        assert_eq!(with_base!(size, B => B::CELLS), Some(count));
        assert_eq!(with_base!(size, B => B::ON_BOARD.len()), Some(count));
        for (ordinal, cell) in tables.cells().iter().enumerate() {
            let (x, y) = tables.xy(*cell);
            assert_eq!(tables.cell(x, y), Some(*cell), "base {size}");
            assert_eq!(tables.ordinal[cell.index()] as usize, ordinal);
            assert!(
                with_base!(size, B => B::ON_BOARD.contains(cell.index())).expect("a base"),
                "base {size}: ({x}, {y})"
            );
        }
        assert!(tables.cells().is_sorted());
    }
    assert_eq!(with_base!(1, B => B::CELLS), None);
    assert_eq!(with_base!(11, B => B::CELLS), None);
}

#[test]
fn neighbours_are_symmetric_and_cyclic() {
    for tables in every_table() {
        for cell in tables.cells().iter().copied() {
            for d in 0..6 {
                let beside = cell.index().checked_add_signed(tables.steps[d]);
                let Some(next) = tables.neighbour(cell, d) else {
                    let padding = beside.filter(|index| *index < MAX_INDEX);
                    assert!(padding.is_none_or(|i| tables.ordinal[i] == Tables::OFF_BOARD));
                    continue;
                };
                assert_eq!(Some(next.index()), beside, "constant steps");
                assert_eq!(tables.neighbour(next, (d + 3) % 6), Some(cell), "symmetric");
                let after = tables.neighbour(cell, (d + 1) % 6);
                assert_eq!(tables.neighbour(next, (d + 2) % 6), after, "cyclic");
            }
        }
    }
}

#[test]
fn rims_have_six_corners_and_six_edges() {
    for tables in every_table() {
        let size = tables.size;
        let with_neighbours = |count: usize| {
            let cells = tables.cells().iter().copied();
            cells.filter(move |cell| neighbour_count(tables, *cell) == count)
        };
        assert_eq!(with_neighbours(3).count(), 6, "base {size}");
        assert_eq!(with_neighbours(4).count(), 6 * (size - 2), "base {size}");
        assert_eq!(with_neighbours(5).count(), 0, "base {size}");
        for cell in tables.cells() {
            let border = tables.border[cell.index()];
            let (corners, edges) = (border & CORNER_BITS, border & EDGE_BITS);
            let expected = match neighbour_count(tables, *cell) {
                3 => (1, 0),
                4 => (0, 1),
                _ => (0, 0),
            };
            let found = (corners.count_ones(), edges.count_ones());
            assert_eq!(found, expected, "base {size}, {:?}", tables.xy(*cell));
        }
        for bit in 0..12 {
            let has_bit = |cell: &&Cell| tables.border[cell.index()] >> bit & 1 == 1;
            let expected = if bit < 6 { 1 } else { size - 2 };
            assert_eq!(tables.cells().iter().filter(has_bit).count(), expected);
        }
    }
}

#[test]
fn border_bits_are_those_of_a_walk_round_the_rim() {
    for tables in every_table() {
        for cell in tables.cells() {
            let oracle = Oracle::new(tables);
            assert_eq!(
                oracle.connected_borders(Colour::White, *cell),
                tables.border[cell.index()],
                "base {}, {:?}",
                tables.size,
                tables.xy(*cell)
            );
        }
    }
}

fn images(tables: &Tables, symmetry: usize) -> Vec<Cell> {
    let cells = tables.cells().iter().copied();
    cells.map(|cell| tables.transform(cell, symmetry)).collect()
}

#[test]
fn symmetries_are_a_group_of_twelve() {
    for tables in every_table() {
        let symmetries: Vec<Vec<Cell>> = (0..12).map(|k| images(tables, k)).collect();
        assert_eq!(symmetries[0], tables.cells(), "the first changes nothing");
        assert_eq!(symmetries.iter().collect::<BTreeSet<_>>().len(), 12);
        for first in &symmetries {
            let reached: BTreeSet<Cell> = first.iter().copied().collect();
            assert!(reached.iter().eq(tables.cells()), "bijections");
            for k in 0..12 {
                let both: Vec<Cell> = first.iter().map(|c| tables.transform(*c, k)).collect();
                assert!(symmetries.contains(&both), "closed under composition");
            }
        }
    }
}

#[test]
fn symmetries_keep_neighbours_together_and_borders_apart() {
    for tables in every_table() {
        for symmetry in 0..12 {
            let mut border_images: HashMap<u16, BTreeSet<u16>> = HashMap::new();
            for cell in tables.cells().iter().copied() {
                let image = tables.transform(cell, symmetry);
                let neighbours = |cell| (0..6).filter_map(move |d| tables.neighbour(cell, d));
                let expected: BTreeSet<Cell> =
                    neighbours(cell).map(|next| tables.transform(next, symmetry)).collect();
                assert_eq!(neighbours(image).collect::<BTreeSet<_>>(), expected);
                if symmetry < 6 {
                    for d in 0..6 {
                        let next = tables.neighbour(cell, d);
                        let turned = tables.neighbour(image, (d + symmetry) % 6);
                        assert_eq!(turned, next.map(|next| tables.transform(next, symmetry)));
                    }
                }
                let borders = [cell, image].map(|cell| tables.border[cell.index()]);
                border_images.entry(borders[0]).or_default().insert(borders[1]);
            }
            for (border, images) in border_images {
                let image = images.first().expect("an image");
                assert_eq!(images.len(), 1, "one border goes to one border");
                assert_eq!(border & CORNER_BITS == 0, image & CORNER_BITS == 0);
                assert_eq!(border & EDGE_BITS == 0, image & EDGE_BITS == 0);
            }
        }
    }
}

#[test]
fn joints_share_two_neighbours_and_no_side() {
    for tables in every_table() {
        let are_neighbours = |a: Cell, b: Cell| (0..6).any(|d| tables.neighbour(a, d) == Some(b));
        let mut joints = 0;
        for cell in tables.cells().iter().copied() {
            for d in 0..6 {
                let Some((far, between)) = tables.joint(cell, d) else {
                    continue;
                };
                joints += 1;
                assert!(far != cell && !are_neighbours(cell, far));
                assert!(between[0] != between[1] && are_neighbours(between[0], between[1]));
                for middle in between {
                    assert!(are_neighbours(cell, middle) && are_neighbours(middle, far));
                }
                let back = tables.joint(far, (d + 3) % 6);
                assert_eq!(back, Some((cell, [between[1], between[0]])));
            }
        }
        // Two neighbours are the middle of a joint, seen from either end, unless they lie along
        // the rim.
        let is_rim = |cell: Cell| neighbour_count(tables, cell) < 6;
        let inner_neighbours = |cell: Cell| {
            let neighbours = (0..6).filter_map(move |d| tables.neighbour(cell, d));
            neighbours.filter(move |next| !is_rim(cell) || !is_rim(*next))
        };
        let pairs: usize = tables.cells().iter().map(|cell| inner_neighbours(*cell).count()).sum();
        assert_eq!(joints, pairs, "base {}", tables.size);
    }
}

#[test]
fn notations_read_what_they_write() {
    for tables in every_table() {
        for notation in [Notation::Letternum, Notation::LittleGolem] {
            let mut names = BTreeSet::new();
            for cell in tables.cells().iter().copied() {
                let name = notation.write(tables, cell);
                assert_eq!(notation.read(tables, &name), Ok(cell), "{name}");
                let capitals = name.to_uppercase();
                assert_eq!(notation.read(tables, &capitals), Ok(cell), "{capitals}");
                assert!(names.insert(name));
            }
        }
    }
}

#[test]
fn notations_give_known_names() {
    #[rustfmt::skip]
    let known = [
        // base, (x, y), letternum, Little Golem
        (4, (0, 0), "a1", "a1"),
        (4, (0, 3), "a4", "a4"),
        (4, (2, 1), "c2", "c2"),
        (4, (3, 6), "d7", "d7"),
        (4, (5, 4), "f5", "f3"),
        (4, (6, 6), "g7", "g4"),
        (5, (4, 4), "e5", "e5"),
        (5, (8, 4), "i5", "i1"),
        (8, (14, 14), "o15", "o8"),
        (10, (9, 0), "j1", "j1"),
        (10, (18, 9), "s10", "s1"),
        (10, (18, 18), "s19", "s10"),
    ];
    for (size, (x, y), letternum, little_golem) in known {
        let tables = tables(size);
        let cell = tables.cell(x, y).expect("on the board");
        assert_eq!(Notation::Letternum.write(tables, cell), letternum);
        assert_eq!(Notation::LittleGolem.write(tables, cell), little_golem);
    }
}

#[test]
fn notations_reject_what_names_no_cell() {
    let tables = tables(4);
    let never = [
        "",
        "a",
        "1a",
        "1",
        "a0",
        "a01",
        "a00",
        "z9",
        "é1",
        "aé",
        "aa1",
        "a1 ",
        " a1",
        "a+1",
        "a-1",
        "a1b",
        "a100",
        "a256",
        "a١",
        "h1",
        "h8",
        "a5",
        "d8",
        "@1",
        "[1",
        "`1",
        "{1",
        "a99999999999",
    ];
    for notation in [Notation::Letternum, Notation::LittleGolem] {
        for text in never {
            let error = notation.read(tables, text).expect_err(text);
            let named = format!("'{}'", text.escape_debug());
            assert!(error.to_string().contains(&named), "{error}");
        }
    }
    for (text, notation) in [
        ("g1", Notation::Letternum),
        ("g3", Notation::Letternum),
        ("g5", Notation::LittleGolem),
        ("e7", Notation::LittleGolem),
    ] {
        assert!(notation.read(tables, text).is_err(), "{text} in {notation}");
    }
    for notation in [Notation::Letternum, Notation::LittleGolem] {
        assert_eq!(notation.to_string().parse(), Ok(notation));
    }
    assert!("golem".parse::<Notation>().is_err());
}

/// The most cells of a board no two of which are neighbours, by dynamic programming cell by cell.
/// A state is the cells taken in the row so far and in the row before as far as still needed, with
/// column y in bit y + 1.
fn largest_independent_set(tables: &Tables) -> u32 {
    let mut best: HashMap<(u32, u32), u32> = HashMap::from([((0, 0), 0)]);
    let side = 2 * tables.size as i32 - 1;
    for x in 0..side {
        for y in (0..side).filter(|y| tables.cell(x, *y).is_some()) {
            let (here, left) = (2 << y, 1 << y);
            let mut next: HashMap<(u32, u32), u32> = HashMap::new();
            for ((row_before, row), taken) in best {
                let still_needed = row_before & !left;
                let mut keep = |state: (u32, u32), taken: u32| {
                    let best = next.entry(state).or_default();
                    *best = taken.max(*best);
                };
                keep((still_needed, row), taken);
                if row_before & (here | left) == 0 && row & left == 0 {
                    keep((still_needed, row | here), taken + 1);
                }
            }
            best = next;
        }
        let mut next: HashMap<(u32, u32), u32> = HashMap::new();
        for ((_, row), taken) in best {
            let best = next.entry((row, 0)).or_default();
            *best = taken.max(*best);
        }
        best = next;
    }
    best.into_values().max().expect("the empty set is one")
}

#[test]
fn labels_suffice_for_the_most_cells_without_neighbours() {
    for (size, tables) in SIZES.zip(every_table()) {
        let needed = largest_independent_set(tables) as usize;
        let labels = with_base!(size, B => B::LABELS).expect("a base");
        // One class of the three-colouring of the cells can always be taken.
        let third = tables.cells().len().div_ceil(3);
        assert!(needed >= third, "base {size}: {needed}");
        assert!(needed <= labels, "base {size}: {needed} > {labels}");
    }
}

/// The patterns that occur round the cells of a base, one for each class of siblings.
fn pattern_classes<B: Base>() -> usize {
    let mut classes = std::collections::HashSet::new();
    for cell in B::TABLES.cells() {
        let neighbours: Vec<(usize, Cell)> =
            (0..6).filter_map(|d| Some((d, B::TABLES.neighbour(*cell, d)?))).collect();
        let rim = neighbours.iter().filter(|(_, n)| B::TABLES.border[n.index()] != 0);
        let rim = rim.map(|(d, _)| 1 << d).sum();
        for filling in 0..3_usize.pow(neighbours.len() as u32) {
            let (mut own, mut opponent) = (0, 0);
            for (place, (d, _)) in neighbours.iter().enumerate() {
                match filling / 3_usize.pow(place as u32) % 3 {
                    1 => own |= 1 << d,
                    2 => opponent |= 1 << d,
                    _ => {}
                }
            }
            classes.insert(Pattern::new(own, opponent, rim).class());
        }
    }
    classes.len()
}

/// Stankiewicz 2011 §3.2 counts 938 patterns.
#[test]
fn patterns_have_as_many_classes_as_published() {
    assert_eq!(pattern_classes::<Size<3>>(), 560);
    for size in 4..=10 {
        assert_eq!(with_base!(size, B => pattern_classes::<B>()), Some(938), "base {size}");
    }
}

/// The example of Stankiewicz 2011 §3.2: a rotated and a mirrored version are siblings.
#[test]
fn siblings_are_those_of_the_published_example() {
    let pattern = Pattern::new(18, 40, 24);
    assert!(pattern.siblings().contains(&Pattern::new(36, 17, 48)));
    assert!(pattern.siblings().contains(&Pattern::new(18, 5, 6)));
    assert!(pattern.siblings().iter().all(|sibling| sibling.class() == pattern.class()));
}
