//! Which rings count in a playout.
//!
//! Random stones close rings that no one would ever be given: on base 10 they decide nine random games
//! in ten, and few real ones. So rings may be left out of account after a part of the empty cells is
//! filled, or unless enough of their stones stood before the playout. The ring that is looked at is a
//! shortest one through the stone that closes it; of several, one with as many old stones as a walk
//! back that prefers them finds. The plies with the mate check count every ring. No source here has
//! these rules.

use super::random::Workspace;
use crate::havannah::neighbourhood::{LOCAL_GROUPS, dilate, flood, neighbour_pattern};
use crate::havannah::{Cell, Layout, Set, Width};

/// The rule for one playout.
#[derive(Clone, Copy)]
pub struct RingRule<W: Width> {
    /// Rings count at plies below this.
    pub until: usize,
    /// The stones of a ring that must have stood before, and the stones of each side that did.
    pub needed: usize,
    pub old: [Set<W>; 2],
}

/// What may be asked about rings. The random kernel asks nothing, and pays nothing.
pub trait Rings<W: Width> {
    /// Whether a ring counts that a side closes with a stone at a cell and a ply; its stones are those
    /// given.
    fn counts(
        &self,
        layout: &Layout<W>,
        side: usize,
        cell: Cell,
        ply: usize,
        stones: impl Fn() -> Set<W>,
    ) -> bool;
}

/// Every ring counts.
pub struct AllRings;

impl<W: Width> Rings<W> for AllRings {
    #[inline(always)]
    fn counts(&self, _: &Layout<W>, _: usize, _: Cell, _: usize, _: impl Fn() -> Set<W>) -> bool {
        true
    }
}

impl<W: Width> Rings<W> for RingRule<W> {
    #[inline(always)]
    fn counts(
        &self,
        layout: &Layout<W>,
        side: usize,
        cell: Cell,
        ply: usize,
        stones: impl Fn() -> Set<W>,
    ) -> bool {
        if self.needed == 0 {
            return ply < self.until;
        }
        let old = || old_stones_of_ring(layout, stones(), self.old[side], cell);
        ply < self.until && old() >= self.needed
    }
}

impl<W: Width> Rings<W> for Option<&RingRule<W>> {
    #[inline(always)]
    fn counts(
        &self,
        layout: &Layout<W>,
        side: usize,
        cell: Cell,
        ply: usize,
        stones: impl Fn() -> Set<W>,
    ) -> bool {
        self.is_none_or(|rule| rule.counts(layout, side, cell, ply, stones))
    }
}

/// The old stones of a shortest ring that a stone closes; 0 if it closes none.
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

/// The length of a shortest way from some stones to others through stones, and the old stones on it.
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
    // Back from the goal, over old stones where there are any.
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
    /// The first ply of a stretch at which a ring round an own stone is complete and counts;
    /// `usize::MAX` if there is none.
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
                // The stone itself in the middle completes no ring that was not there.
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
            rule.counts(layout(), 0, cell("d4"), ply, || ring)
        };
        assert!(counts(10, 0, 9) && !counts(10, 0, 10));
        assert!(counts(10, 2, 9) && !counts(10, 3, 9) && !counts(10, 2, 10));
    }
}
