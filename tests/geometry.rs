//! The ground under the rules, for every base: cells, neighbours, borders, symmetries, joints,
//! the two notations, and the bound on the labels a colour can need.
//!
//! Expected values come from the definitions (a corner has three neighbours, an edge cell four)
//! and from counts that can be done by hand, not from the tables themselves.

use std::collections::{BTreeSet, HashMap};

use ciclon::internals::havannah::geometry::{CORNER_BITS, EDGE_BITS, MAX_INDEX};
use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::havannah::patterns::Pattern;
use ciclon::internals::havannah::width::{
    self, ON_RIM, Width8, Width10, Width12, Width16, Width20,
};
use ciclon::internals::havannah::{AnyWidth, Board, Cell, Colour, Geometry, Notation, Width};
use ciclon::with_width;

use crate::positions::in_both_widths;

const SIZES: std::ops::RangeInclusive<usize> = 2..=10;

fn geometry(size: usize) -> &'static Geometry {
    Geometry::of_size(size).expect("a base")
}

fn every_geometry() -> impl Iterator<Item = &'static Geometry> {
    SIZES.map(geometry)
}

fn neighbour_count(geometry: &Geometry, cell: Cell) -> usize {
    (0..6).filter_map(|d| geometry.neighbour(cell, d)).count()
}

#[test]
fn bases_have_their_cells() {
    fn check<W: Width>(size: usize, count: usize) {
        let layout = W::layout(size).expect("a base");
        assert_eq!(layout.geometry.size, size);
        assert_eq!((layout.size(), layout.cell_count()), (size, count));
        assert_eq!(layout.on_board.len(), count, "base {size}");
        assert_eq!(Board::empty(layout).empty_cells().len(), count, "base {size}");
        for cell in geometry(size).cells() {
            let xy = geometry(size).xy(*cell);
            assert!(layout.on_board.contains(cell.index()), "base {size}: {xy:?}");
        }
    }

    let counts = SIZES.zip([7, 19, 37, 61, 91, 127, 169, 217, 271]);
    for (size, count) in counts {
        let geometry = geometry(size);
        assert_eq!(geometry.size, size);
        assert_eq!(geometry.cells().len(), count, "base {size}");
        assert_eq!(geometry.cell_count(), count, "base {size}");
        for (ordinal, cell) in geometry.cells().iter().enumerate() {
            let (x, y) = geometry.xy(*cell);
            assert_eq!(geometry.cell(x, y), Some(*cell), "base {size}");
            assert_eq!(geometry.ordinal[cell.index()] as usize, ordinal);
            assert_eq!(geometry.move_to(*cell).number(), ordinal);
            assert_eq!(geometry.cell_of(geometry.move_to(*cell)), *cell);
        }
        assert!(geometry.cells().is_sorted());
        in_both_widths!(size, W => check::<W>(size, count));
        assert_eq!(Board::new(size).map(|board| board.empty_cells().len()), Some(count));
    }
    for size in [0, 1, 11, usize::MAX] {
        assert!(Geometry::of_size(size).is_none() && AnyWidth::layout(size).is_none());
        assert!(Board::new(size).is_none());
        assert_eq!(with_width!(width, size, W => W::STRIDE), None);
    }
}

/// Each base has one width of its own, besides the one that every base has.
#[test]
fn widths_have_their_bases() {
    fn bases<W: Width>() -> Vec<usize> {
        (0..20).filter(|size| W::layout(*size).is_some()).collect()
    }
    assert_eq!(bases::<Width8>(), [2, 3, 4]);
    assert_eq!(bases::<Width10>(), [5]);
    assert_eq!(bases::<Width12>(), [6]);
    assert_eq!(bases::<Width16>(), [7, 8]);
    assert_eq!(bases::<Width20>(), [9, 10]);
    assert_eq!(bases::<AnyWidth>(), SIZES.collect::<Vec<_>>());
    for size in SIZES {
        assert_eq!(
            with_width!(width, size, W => W::layout(size).is_some()),
            Some(true),
            "base {size}"
        );
    }
}

/// Layouts say what the geometry of their base says: in sets, and in rows that are zero off the board.
#[test]
fn layouts_are_those_of_the_geometry() {
    fn check<W: Width>(size: usize) {
        let (layout, geometry) = (W::layout(size).expect("a base"), geometry(size));
        assert_eq!(layout.stride(), geometry.stride);
        assert_eq!(layout.steps(), geometry.steps);
        assert!(geometry.cells().iter().all(|cell| cell.index() < W::INDICES));
        for index in 0..MAX_INDEX {
            let is_cell = geometry.ordinal[index] != Geometry::OFF_BOARD;
            let border = geometry.border[index];
            assert!(is_cell || border == 0);
            let bytes =
                [layout.corner_bytes, layout.edge_bytes, layout.board_bytes, layout.rim_bytes];
            let expected = [
                (border & CORNER_BITS) as u8,
                ((border & EDGE_BITS) >> 6) as u8,
                if is_cell { 0xff } else { 0 },
                if border != 0 { ON_RIM } else { 0 },
            ];
            assert_eq!(bytes.map(|row| row[index]), expected, "base {size}, index {index}");
            assert_eq!(layout.border[index], border, "base {size}, index {index}");
        }
        for (bit, cells) in layout.borders.iter().enumerate() {
            let has_bit = |index: &usize| geometry.border[*index] >> bit & 1 == 1;
            assert!(cells.iter().eq((0..MAX_INDEX).filter(has_bit)), "base {size}, border {bit}");
        }
    }
    for size in SIZES {
        in_both_widths!(size, W => check::<W>(size));
    }
}

#[test]
fn neighbours_are_symmetric_and_cyclic() {
    for geometry in every_geometry() {
        for cell in geometry.cells().iter().copied() {
            for d in 0..6 {
                let beside = cell.index().checked_add_signed(geometry.steps[d]);
                let Some(next) = geometry.neighbour(cell, d) else {
                    let padding = beside.filter(|index| *index < MAX_INDEX);
                    assert!(padding.is_none_or(|i| geometry.ordinal[i] == Geometry::OFF_BOARD));
                    continue;
                };
                assert_eq!(Some(next.index()), beside, "constant steps");
                assert_eq!(geometry.neighbour(next, (d + 3) % 6), Some(cell), "symmetric");
                let after = geometry.neighbour(cell, (d + 1) % 6);
                assert_eq!(geometry.neighbour(next, (d + 2) % 6), after, "cyclic");
            }
        }
    }
}

#[test]
fn rims_have_six_corners_and_six_edges() {
    for geometry in every_geometry() {
        let size = geometry.size;
        let with_neighbours = |count: usize| {
            let cells = geometry.cells().iter().copied();
            cells.filter(move |cell| neighbour_count(geometry, *cell) == count)
        };
        assert_eq!(with_neighbours(3).count(), 6, "base {size}");
        assert_eq!(with_neighbours(4).count(), 6 * (size - 2), "base {size}");
        assert_eq!(with_neighbours(5).count(), 0, "base {size}");
        for cell in geometry.cells() {
            let border = geometry.border[cell.index()];
            let (corners, edges) = (border & CORNER_BITS, border & EDGE_BITS);
            let expected = match neighbour_count(geometry, *cell) {
                3 => (1, 0),
                4 => (0, 1),
                _ => (0, 0),
            };
            let found = (corners.count_ones(), edges.count_ones());
            assert_eq!(found, expected, "base {size}, {:?}", geometry.xy(*cell));
        }
        for bit in 0..12 {
            let has_bit = |cell: &&Cell| geometry.border[cell.index()] >> bit & 1 == 1;
            let expected = if bit < 6 { 1 } else { size - 2 };
            assert_eq!(geometry.cells().iter().filter(has_bit).count(), expected);
        }
    }
}

#[test]
fn border_bits_are_those_of_a_walk_round_the_rim() {
    for geometry in every_geometry() {
        for cell in geometry.cells() {
            let oracle = Oracle::new(geometry);
            assert_eq!(
                oracle.connected_borders(Colour::White, *cell),
                geometry.border[cell.index()],
                "base {}, {:?}",
                geometry.size,
                geometry.xy(*cell)
            );
        }
    }
}

fn images(geometry: &Geometry, symmetry: usize) -> Vec<Cell> {
    let cells = geometry.cells().iter().copied();
    cells.map(|cell| geometry.transform(cell, symmetry)).collect()
}

#[test]
fn symmetries_are_a_group_of_twelve() {
    for geometry in every_geometry() {
        let symmetries: Vec<Vec<Cell>> = (0..12).map(|k| images(geometry, k)).collect();
        assert_eq!(symmetries[0], geometry.cells(), "the first changes nothing");
        assert_eq!(symmetries.iter().collect::<BTreeSet<_>>().len(), 12);
        for first in &symmetries {
            let reached: BTreeSet<Cell> = first.iter().copied().collect();
            assert!(reached.iter().eq(geometry.cells()), "bijections");
            for k in 0..12 {
                let both: Vec<Cell> = first.iter().map(|c| geometry.transform(*c, k)).collect();
                assert!(symmetries.contains(&both), "closed under composition");
            }
        }
    }
}

#[test]
fn symmetries_keep_neighbours_together_and_borders_apart() {
    for geometry in every_geometry() {
        for symmetry in 0..12 {
            let mut border_images: HashMap<u16, BTreeSet<u16>> = HashMap::new();
            for cell in geometry.cells().iter().copied() {
                let image = geometry.transform(cell, symmetry);
                let neighbours = |cell| (0..6).filter_map(move |d| geometry.neighbour(cell, d));
                let expected: BTreeSet<Cell> =
                    neighbours(cell).map(|next| geometry.transform(next, symmetry)).collect();
                assert_eq!(neighbours(image).collect::<BTreeSet<_>>(), expected);
                if symmetry < 6 {
                    for d in 0..6 {
                        let next = geometry.neighbour(cell, d);
                        let turned = geometry.neighbour(image, (d + symmetry) % 6);
                        assert_eq!(turned, next.map(|next| geometry.transform(next, symmetry)));
                    }
                }
                let borders = [cell, image].map(|cell| geometry.border[cell.index()]);
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
    for geometry in every_geometry() {
        let are_neighbours = |a: Cell, b: Cell| (0..6).any(|d| geometry.neighbour(a, d) == Some(b));
        let mut joints = 0;
        for cell in geometry.cells().iter().copied() {
            for d in 0..6 {
                let Some((far, between)) = geometry.joint(cell, d) else {
                    continue;
                };
                joints += 1;
                assert!(far != cell && !are_neighbours(cell, far));
                assert!(between[0] != between[1] && are_neighbours(between[0], between[1]));
                for middle in between {
                    assert!(are_neighbours(cell, middle) && are_neighbours(middle, far));
                }
                let back = geometry.joint(far, (d + 3) % 6);
                assert_eq!(back, Some((cell, [between[1], between[0]])));
            }
        }
        // Two neighbours are the middle of a joint, seen from either end, unless they lie along
        // the rim.
        let is_rim = |cell: Cell| neighbour_count(geometry, cell) < 6;
        let inner_neighbours = |cell: Cell| {
            let neighbours = (0..6).filter_map(move |d| geometry.neighbour(cell, d));
            neighbours.filter(move |next| !is_rim(cell) || !is_rim(*next))
        };
        let pairs: usize =
            geometry.cells().iter().map(|cell| inner_neighbours(*cell).count()).sum();
        assert_eq!(joints, pairs, "base {}", geometry.size);
    }
}

#[test]
fn notations_read_what_they_write() {
    for geometry in every_geometry() {
        for notation in [Notation::Letternum, Notation::LittleGolem] {
            let mut names = BTreeSet::new();
            for cell in geometry.cells().iter().copied() {
                let name = geometry.write_cell(notation, cell);
                assert_eq!(geometry.read_cell(notation, &name), Ok(cell), "{name}");
                let capitals = name.to_uppercase();
                assert_eq!(geometry.read_cell(notation, &capitals), Ok(cell), "{capitals}");
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
        let geometry = geometry(size);
        let cell = geometry.cell(x, y).expect("on the board");
        assert_eq!(geometry.write_cell(Notation::Letternum, cell), letternum);
        assert_eq!(geometry.write_cell(Notation::LittleGolem, cell), little_golem);
    }
}

#[test]
fn notations_reject_what_names_no_cell() {
    let geometry = geometry(4);
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
            let error = geometry.read_cell(notation, text).expect_err(text);
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
        assert!(geometry.read_cell(notation, text).is_err(), "{text} in {notation}");
    }
    for notation in [Notation::Letternum, Notation::LittleGolem] {
        assert_eq!(notation.to_string().parse(), Ok(notation));
    }
    assert!("golem".parse::<Notation>().is_err());
}

/// The most cells of a board no two of which are neighbours, by dynamic programming cell by cell.
/// A state is the cells taken in the row so far and in the row before as far as still needed, with
/// column y in bit y + 1.
fn largest_independent_set(geometry: &Geometry) -> u32 {
    let mut best: HashMap<(u32, u32), u32> = HashMap::from([((0, 0), 0)]);
    let side = 2 * geometry.size as i32 - 1;
    for x in 0..side {
        for y in (0..side).filter(|y| geometry.cell(x, *y).is_some()) {
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
    for (size, geometry) in SIZES.zip(every_geometry()) {
        let needed = largest_independent_set(geometry) as usize;
        // One class of the three-colouring of the cells can always be taken.
        let third = geometry.cells().len().div_ceil(3);
        assert!(needed >= third, "base {size}: {needed}");
        in_both_widths!(size, W => {
            assert!(needed <= W::LABELS, "base {size}: {needed} > {}", W::LABELS);
        });
    }
}

/// The patterns that occur round the cells of a base, one for each class of siblings.
fn pattern_classes(geometry: &Geometry) -> usize {
    let mut classes = std::collections::HashSet::new();
    for cell in geometry.cells() {
        let neighbours: Vec<(usize, Cell)> =
            (0..6).filter_map(|d| Some((d, geometry.neighbour(*cell, d)?))).collect();
        let rim = neighbours.iter().filter(|(_, n)| geometry.border[n.index()] != 0);
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
    assert_eq!(pattern_classes(geometry(3)), 560);
    for size in 4..=10 {
        assert_eq!(pattern_classes(geometry(size)), 938, "base {size}");
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
