//! The space left to each player.
//!
//! - Players are separated if no free cell can be reached by both. Then each fills its own region, and
//!   the one who can make more moves wins (Laschet 2012 §5.5).
//! - The exact number of moves is hard to compute. There is an upper bound (`chambers`) and a path that
//!   was found (`filling`), which is a lower bound.
//! - The rest of the game is settled if the upper bound of one player is below the path of the other, or
//!   if all four are equal.

use super::Position;
use super::chambers::most_cells;
use super::filling::longest_path;
use super::grid::Grid;
use crate::bits::{Bits, Words};
use crate::game::{DRAW, LOSS, WIN};

/// The nodes spent on finding a path of one player, on grids of the usual size.
pub const FILL_BUDGET: u64 = 400;
/// The largest span of a usual grid. Nodes of larger grids take longer, so fewer are spent.
const USUAL_SPAN: u64 = 27 * 27;

/// The cells next to those of a set.
#[inline(always)]
pub(super) fn neighbours<W: Words>(grid: Grid, of: Bits<W>) -> Bits<W> {
    let stride = grid.stride();
    of.shift_up(1) | of.shift_down(1) | of.shift_up(stride) | of.shift_down(stride)
}

/// Grows a set by one step within the cells that are not taken, in some directions by more: each
/// direction starts from the result of the one before it.
#[inline(always)]
fn grow<W: Words>(grid: Grid, taken: Bits<W>, set: Bits<W>) -> Bits<W> {
    let stride = grid.stride();
    let set = set | (set.shift_up(1) - taken);
    let set = set | (set.shift_up(stride) - taken);
    let set = set | (set.shift_down(1) - taken);
    set | (set.shift_down(stride) - taken)
}

/// The free cells reachable from those of a set.
#[inline(always)]
fn flood<W: Words>(grid: Grid, taken: &Bits<W>, mut set: Bits<W>) -> Bits<W> {
    loop {
        let larger = grow(grid, *taken, set);
        if larger == set {
            return set;
        }
        set = larger;
    }
}

/// The free cells reachable from a head.
#[inline(always)]
pub fn reachable<W: Words>(grid: Grid, taken: &Bits<W>, head: usize) -> Bits<W> {
    flood(grid, taken, neighbours(grid, Bits::single(head)) - *taken)
}

/// The free cells reachable from each head, if no cell is reachable from both. Both regions grow in
/// step, until they meet or one of them stops growing.
#[inline(always)]
fn apart<W: Words>(grid: Grid, taken: &Bits<W>, heads: [usize; 2]) -> Option<[Bits<W>; 2]> {
    let mut regions = heads.map(|head| neighbours(grid, Bits::single(head)) - *taken);
    loop {
        if !regions[0].is_disjoint(regions[1]) {
            return None;
        }
        let larger = regions.map(|region| grow(grid, *taken, region));
        if larger[0] == regions[0] || larger[1] == regions[1] {
            return Some(larger.map(|region| flood(grid, taken, region)));
        }
        regions = larger;
    }
}

/// Whether no free cell is reachable from both heads.
#[cfg(any(test, feature = "cli", feature = "internals"))]
pub fn are_separated<W: Words>(grid: Grid, taken: &Bits<W>, heads: [usize; 2]) -> bool {
    apart(grid, taken, heads).is_some()
}

/// The upper bounds on the cells of each player, if they are separated.
#[inline(always)]
fn bounds<W: Words>(grid: Grid, taken: &Bits<W>, heads: [usize; 2]) -> Option<[usize; 2]> {
    let regions = apart(grid, taken, heads)?;
    Some([0, 1].map(|side| most_cells(grid, &regions[side], heads[side])))
}

/// The points of side 0 if the players are separated, assuming that each reaches its upper bound.
#[inline(always)]
pub fn estimate<W: Words>(grid: Grid, taken: &Bits<W>, heads: [usize; 2]) -> Option<u32> {
    bounds(grid, taken, heads).map(|[one, two]| points(one, two))
}

/// The points of a player with `own` moves against one with `other` moves.
fn points(own: usize, other: usize) -> u32 {
    match own.cmp(&other) {
        std::cmp::Ordering::Less => LOSS,
        std::cmp::Ordering::Equal => DRAW,
        std::cmp::Ordering::Greater => WIN,
    }
}

/// The rest of a game between separated players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settled {
    /// The points of side 0.
    pub points: u32,
    /// The cell that each side goes to first.
    pub first: [usize; 2],
    /// The steps to the end: the number that the loser is known to last, or both in a draw.
    pub steps: usize,
}

/// The rest of a game that is not over, if the players are separated and the result is certain. No move
/// may be chosen yet.
pub fn settle<W: Words>(position: &Position<W>) -> Option<Settled> {
    debug_assert!(position.chosen().is_none() && position.result().is_none());
    let (grid, taken) = (position.grid(), position.taken());
    let heads = [position.head(0), position.head(1)];
    let bounds = bounds(grid, &taken, heads)?;
    // The player with the larger bound needs no longest path: a path longer than the other's bound is
    // enough.
    let ahead = usize::from(bounds[1] > bounds[0]);
    let budget = FILL_BUDGET.min(FILL_BUDGET * USUAL_SPAN / grid.span() as u64);
    let sides = [0, 1].map(|side| {
        let enough = if side == ahead { bounds[1 - side] + 1 } else { usize::MAX };
        let is_over = |nodes, length| nodes > budget || length >= enough;
        longest_path(grid, taken, heads[side], &[], is_over)
    });
    let first = sides.each_ref().map(|filling| filling.path.first().copied());
    let [Some(one), Some(two)] = first else {
        return None;
    };
    let least = sides.each_ref().map(|filling| filling.path.len());
    let most = [0, 1].map(|side| if sides[side].is_longest { least[side] } else { bounds[side] });
    let is_certain =
        least[0] > most[1] || least[1] > most[0] || (least == most && least[0] == least[1]);
    is_certain.then(|| Settled {
        points: points(least[0], least[1]),
        first: [one, two].map(usize::from),
        steps: least[0].min(least[1]),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Map;
    use super::*;

    fn position(text: &str) -> Position<[u64; 4]> {
        Position::new(&text.parse::<Map>().expect("a map"), 0)
    }

    fn region(text: &str, side: usize) -> Vec<(usize, usize)> {
        let position = position(text);
        let grid = position.grid();
        let cells = reachable(grid, &position.taken(), position.head(side));
        cells.iter().map(|cell| grid.place(cell)).collect()
    }

    fn is_separated(text: &str) -> bool {
        let position = position(text);
        let heads = [position.head(0), position.head(1)];
        are_separated(position.grid(), &position.taken(), heads)
    }

    #[test]
    fn a_flood_stays_inside_walls() {
        let text = "5 3\n1 #  \n  # 2\n ##  \n";
        assert_eq!(region(text, 0), [(1, 0), (0, 1), (1, 1), (0, 2)]);
        assert_eq!(region(text, 1), [(3, 0), (4, 0), (3, 1), (3, 2), (4, 2)]);
        assert!(is_separated(text));
        // The end of a row is not next to the start of the next row.
        assert_eq!(region("3 2\n#1 \n #2\n", 0), [(2, 0)]);
    }

    #[test]
    fn a_head_parts_and_a_common_cell_joins() {
        assert!(is_separated("5 1\n 12  \n"));
        assert!(!is_separated("5 1\n 1 2 \n"), "one cell between them");
        assert!(!is_separated("3 3\n1  \n # \n  2\n"));
        assert!(is_separated("3 3\n1# \n # \n #2\n"));
    }

    #[test]
    fn the_longer_path_wins() {
        for (text, points, steps) in [
            ("6 2\n1  #  \n   # 2\n", WIN, 3),
            ("5 2\n1##  \n  # 2\n", LOSS, 2),
            ("5 2\n1 #  \n  # 2\n", DRAW, 3),
        ] {
            let settled = settle(&position(text)).expect(text);
            assert_eq!((settled.points, settled.steps), (points, steps), "{text}");
            let turned = position(text).to_map().turned();
            let settled = settle(&Position::<[u64; 4]>::new(&turned, 1)).expect(text);
            assert_eq!((settled.points, settled.steps), (WIN - points, steps), "{text}");
        }
    }

    /// The first cell leads into the larger room.
    #[test]
    fn the_first_cell_is_the_right_one() {
        let position = position("8 3\n    ## 2\n# #### #\n# 1   # \n");
        let settled = settle(&position).expect("it is certain");
        assert_eq!(settled.points, WIN);
        assert_eq!(position.grid().place(settled.first[0]), (1, 2));
        assert_eq!(position.grid().place(settled.first[1]), (6, 0));
    }

    /// By the bounds this is a draw, but the left side has no path of that length. Only trying all paths
    /// shows it.
    #[test]
    fn a_bound_that_is_not_reached_settles_nothing() {
        let position = position("9 4\n    #2###\n  #1#    \n    #    \n  ###    \n");
        let turned = Position::<[u64; 4]>::new(&position.to_map().turned(), 0);
        for (position, points) in [(position, LOSS), (turned, WIN)] {
            let (grid, taken) = (position.grid(), position.taken());
            let heads = [position.head(0), position.head(1)];
            assert_eq!(estimate(grid, &taken, heads), Some(DRAW));
            assert_eq!(settle(&position).map(|settled| settled.points), Some(points));
        }
    }

    #[test]
    fn nothing_is_settled_while_they_can_meet() {
        assert_eq!(settle(&position("3 3\n1  \n # \n  2\n")), None);
    }
}
