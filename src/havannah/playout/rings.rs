//! Which rings count in a playout.
//!
//! Random stones close rings that no opponent would allow: on base 10 they decide nine random games in
//! ten, but few real games. So two rules may exclude rings:
//! - after a share of the empty cells is filled;
//! - if too few stones of the ring are older than the playout.
//!
//! The ring that is examined is a shortest one through the closing stone; among several, the walk back
//! prefers old stones. In plies with the mate check every ring counts. No source cited here has these rules.

use super::random::Workspace;
use crate::havannah::neighbourhood::{LOCAL_GROUPS, dilate, flood, neighbour_pattern};
use crate::havannah::{Cell, Layout, Set, Width};

/// The rule for one playout.
#[derive(Clone, Copy)]
pub struct RingRule<W: Width> {
    /// Rings count only at plies below this.
    pub until: usize,
    /// The minimum number of old stones in a ring, and the old stones of each side (older than the playout).
    pub needed: usize,
    pub old: [Set<W>; 2],
}

/// A ring that a side closes with a stone at a cell and ply.
pub struct ClosedRing<'a, W: Width, S: Fn() -> Set<W>> {
    pub layout: &'a Layout<W>,
    pub side: usize,
    pub cell: Cell,
    pub ply: usize,
    /// The stones of the side, including this one.
    pub stones: S,
}

/// A rule for rings. For the random kernel it is constant and costs nothing.
pub trait Rings<W: Width> {
    /// Whether a ring counts.
    fn counts<S: Fn() -> Set<W>>(&self, ring: ClosedRing<'_, W, S>) -> bool;
}

/// Every ring counts.
pub struct AllRings;

impl<W: Width> Rings<W> for AllRings {
    #[inline(always)]
    fn counts<S: Fn() -> Set<W>>(&self, _: ClosedRing<'_, W, S>) -> bool {
        true
    }
}

impl<W: Width> Rings<W> for RingRule<W> {
    #[inline(always)]
    fn counts<S: Fn() -> Set<W>>(&self, ring: ClosedRing<'_, W, S>) -> bool {
        if self.needed == 0 {
            return ring.ply < self.until;
        }
        let old =
            || old_stones_of_ring(ring.layout, (ring.stones)(), self.old[ring.side], ring.cell);
        ring.ply < self.until && old() >= self.needed
    }
}

impl<W: Width> Rings<W> for Option<&RingRule<W>> {
    #[inline(always)]
    fn counts<S: Fn() -> Set<W>>(&self, ring: ClosedRing<'_, W, S>) -> bool {
        self.is_none_or(|rule| rule.counts(ring))
    }
}

/// The number of old stones in a shortest ring that a stone closes; 0 if it closes none.
#[cold]
#[inline(never)]
fn old_stones_of_ring<W: Width>(
    layout: &Layout<W>,
    stones: Set<W>,
    old: Set<W>,
    cell: Cell,
) -> usize {
    let around = neighbours(layout, cell);
    let others = stones - Set::<W>::single(cell.index());
    let pattern = neighbour_pattern(layout, &others, cell);
    let groups = &LOCAL_GROUPS[pattern];
    let mut most: Option<(usize, usize)> = None;
    for direction in &groups.directions[..groups.count as usize] {
        let step = layout.steps()[*direction as usize];
        let first = cell.index().wrapping_add_signed(step);
        let group = flood(layout, Set::<W>::single(first), others & around);
        let goals = (others & around) - group;
        if let Some((length, count)) = shortest(layout, group, goals, others, old)
            && most.is_none_or(|(shorter, more)| (length, more) < (shorter, count))
        {
            most = Some((length, count));
        }
    }
    most.map_or(0, |(_, count)| count)
}

fn neighbours<W: Width>(layout: &Layout<W>, cell: Cell) -> Set<W> {
    let single = Set::<W>::single(cell.index());
    dilate(layout, single) - single
}

/// The length of a shortest path between two sets through a set of stones, and the number of old stones on
/// it.
fn shortest<W: Width>(
    layout: &Layout<W>,
    from: Set<W>,
    to: Set<W>,
    through: Set<W>,
    old: Set<W>,
) -> Option<(usize, usize)> {
    let mut waves = vec![from];
    let mut reached = from;
    while (reached & to).is_empty() {
        let wider = dilate(layout, reached) & through;
        if wider == reached {
            return None;
        }
        waves.push(wider - reached);
        reached = wider;
    }
    // Walk back from the goal, over old stones if possible.
    let mut here = reached & to;
    let mut count = 0;
    for wave in waves.iter().rev() {
        let step = here & *wave;
        let preferred = if (step & old).is_empty() { step } else { step & old };
        let chosen = preferred.first()?;
        count += usize::from(old.contains(chosen));
        here = dilate(layout, Set::<W>::single(chosen));
    }
    Some((waves.len(), count))
}

impl<W: Width> Workspace<W> {
    /// The first ply of a stretch that completes a counting ring around an own stone; `usize::MAX` if there
    /// is none.
    #[cold]
    #[inline(never)]
    pub(super) fn first_counted_surrounding(
        &self,
        from: usize,
        to: usize,
        rule: &RingRule<W>,
    ) -> usize {
        for ply in from..to.min(rule.until) {
            let (side, cell) = (self.side_at(ply), self.moves[ply]);
            let stones = self.stones_of(side, from, ply + 1);
            let layout = self.layout;
            let centres = dilate(layout, Set::<W>::single(cell.index())) & stones;
            let surrounds = |index: usize| {
                let centre = Cell::from_index(index);
                let has_six = neighbour_pattern(layout, &stones, centre) == 63;
                // The new stone as the centre completes no new ring.
                let old = (neighbours(layout, centre) & rule.old[side]).len();
                has_six && old >= rule.needed
            };
            if centres.iter().any(surrounds) {
                return ply;
            }
        }
        usize::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::Notation;
    use crate::havannah::width::Width10;

    type W = Width10;

    fn layout() -> &'static Layout<W> {
        W::layout(5).expect("a base")
    }

    fn set(names: &[&str]) -> Set<W> {
        names.iter().map(|name| cell(name).index()).collect()
    }

    fn cell(name: &str) -> Cell {
        layout().geometry.read_cell(Notation::Letternum, name).expect("a cell")
    }

    #[test]
    fn old_stones_of_the_shortest_ring_are_counted() {
        // The six neighbours of e5, and a tail.
        let ring = set(&["d4", "d5", "e6", "f6", "f5", "e4", "g6", "h7"]);
        assert_eq!(old_stones_of_ring(layout(), ring, ring, cell("d4")), 5);
        let old = set(&["d5", "f6", "h7"]);
        assert_eq!(
            old_stones_of_ring(layout(), ring, old, cell("d4")),
            2,
            "the tail is not part of it"
        );
        assert_eq!(old_stones_of_ring(layout(), ring, Set::<W>::empty(), cell("d4")), 0);
        let open = ring - set(&["f6"]);
        assert_eq!(old_stones_of_ring(layout(), open, open, cell("d4")), 0, "no ring at all");
    }

    #[test]
    fn rules_are_of_plies_and_of_stones() {
        let ring = set(&["d4", "d5", "e6", "f6", "f5", "e4"]);
        let old = [set(&["d5", "f6"]), Set::<W>::empty()];
        let counts = |until, needed, ply| {
            let rule = RingRule { until, needed, old };
            let stones = || ring;
            rule.counts(ClosedRing { layout: layout(), side: 0, cell: cell("d4"), ply, stones })
        };
        assert!(counts(10, 0, 9) && !counts(10, 0, 10));
        assert!(counts(10, 2, 9) && !counts(10, 3, 9) && !counts(10, 2, 10));
    }
}
