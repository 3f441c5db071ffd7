//! Counts of steps on a grid after two moves. The first of the two is of the same side, one or two steps
//! back: a move leads to one of few cells around it.
//!
//! A pair of moves has a place of its own, a line of the cache with a slot for each of those cells, so that
//! neither choosing nor learning has to look for anything. Ranks are not kept: four divisions at once are
//! cheaper than more memory to wait for. Where there is not enough of it for all pairs, `sparse` does the
//! same.

use super::{Context, NOTHING, TOP_RANK};

/// The ways on from a cell: north, east, south, west.
pub const WAYS: usize = 4;

/// The cells that a step, or two of them, can lead to: eight at the most. (No one goes back.)
const SLOTS: usize = 8;

/// How many steps a move is away from the first of the two before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    OneStep,
    TwoSteps,
}

impl Reach {
    /// From a cell to those that can be reached, in numbers, on a grid with rows of `stride` numbers.
    fn offsets(self, stride: isize) -> Vec<isize> {
        match self {
            Self::OneStep => vec![-stride, 1, stride, -1],
            Self::TwoSteps => {
                let (straight, turns) = ([2 * stride, 2], [stride - 1, stride + 1]);
                [straight, turns]
                    .concat()
                    .into_iter()
                    .flat_map(|offset| [offset, -offset])
                    .collect()
            }
        }
    }
}

/// The moves after two others, by their slots: how often they won, and were played.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Place {
    wins: [f32; SLOTS],
    plays: [f32; SLOTS],
}

pub struct Near {
    /// Moves have numbers below this.
    span: usize,
    /// The slot of a move, by how far its number is from that of the first move, plus `farthest`.
    slots: Vec<u8>,
    farthest: usize,
    places: Vec<Place>,
}

impl Near {
    /// Places for pairs of moves with numbers below `span`, if they fit into so many bytes.
    pub fn new(span: usize, stride: usize, reach: Reach, bytes: usize) -> Option<Self> {
        let pairs = span * span;
        if pairs * size_of::<Place>() > bytes {
            return None;
        }
        let farthest = 2 * stride;
        let mut slots = vec![0; 2 * farthest + 1];
        for (slot, offset) in (0..).zip(reach.offsets(stride as isize)) {
            slots[farthest.strict_add_signed(offset)] = slot;
        }
        Some(Self { span, slots, farthest, places: vec![Place::default(); pairs] })
    }

    #[inline(always)]
    fn pair(&self, context: Context) -> usize {
        context.before * self.span + context.last
    }

    #[inline(always)]
    fn slot(&self, context: Context, number: usize) -> usize {
        usize::from(self.slots[number + self.farthest - context.before]) % SLOTS
    }

    #[inline(always)]
    pub fn add(&mut self, context: Context, number: usize, reward: f32) {
        let (pair, slot) = (self.pair(context), self.slot(context, number));
        let place = &mut self.places[pair];
        place.wins[slot] += reward;
        place.plays[slot] += 1.0;
    }

    /// The ranks of some moves after two others; 0 if they do not count.
    #[inline(always)]
    pub fn ranks(&self, context: Context, numbers: [u16; WAYS], threshold: f32) -> [u16; WAYS] {
        let Place { wins, plays } = &self.places[self.pair(context)];
        let slots = numbers.map(|number| self.slot(context, number.into()));
        let (wins, plays) = (slots.map(|slot| wins[slot]), slots.map(|slot| plays[slot]));
        // As `Count::rank`, without a branch, all ways at once.
        let least = threshold.max(NOTHING);
        let mut ranks = [0; WAYS];
        for way in 0..WAYS {
            let rate = wins[way] / plays[way].max(least);
            let rank = 1 + (rate * TOP_RANK + 0.5) as i32;
            ranks[way] = rank & i32::from(plays[way] >= least).wrapping_neg();
        }
        ranks.map(|rank| rank as u16)
    }

    pub fn decay(&mut self, factor: f32) {
        if factor == 0.0 {
            self.places.fill(Place::default());
            return;
        }
        let counts = self.places.iter_mut().flat_map(|place| [&mut place.wins, &mut place.plays]);
        counts.flatten().for_each(|count| *count *= factor);
    }

    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<Place>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::NGrams;
    use super::*;
    use crate::params::Params;
    use crate::policies::games::{SimultaneousGame, StepOrder};
    use crate::rng::Rng;
    use crate::tron::Grid;
    use crate::tron::position::Exits;

    fn params(settings: &[&str]) -> Params {
        let mut params = Params::default();
        settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
        params
    }

    /// Some steps of two walkers that know no walls but those around the grid, and do not turn back.
    fn walks(grid: Grid, rng: &mut Rng) -> Vec<[u16; 2]> {
        let heads = [grid.cell(1, 1), grid.cell(3, 4)].map(|cell| cell as u16);
        let mut cells = vec![heads, heads];
        for _ in 0..8 {
            let [.., before, heads] = cells[..] else { unreachable!("there are two") };
            cells.push([0, 1].map(|side| {
                let exits = exits(grid, heads[side] as usize);
                let ahead = exits.cells().iter().filter(|cell| **cell != before[side]);
                let ahead: Vec<u16> = ahead.copied().collect();
                ahead[rng.below(ahead.len() as u32) as usize]
            }));
        }
        cells.split_off(1)
    }

    fn exits(grid: Grid, head: usize) -> Exits {
        Exits::of(grid, head, |cell| grid.cells().any(|other| other == cell))
    }

    /// Both kinds of tables know the same and choose the same, from turn to turn.
    #[test]
    fn places_are_as_good_as_lists() {
        let grid = Grid::new(5, 6).expect("a grid");
        for settings in [
            &["ngram=average", "ngram_decay=0.5", "ngram_threshold=1.2"][..],
            &["ngram=2"],
            &["ngram=2", "ngram_decay=1"],
            &["ngram=mast", "bias_weight=5", "ngram_decay=0.9"],
            &["ngram=average", "ngram_sequence=true"],
        ] {
            let (params, mut rng) = (params(settings), Rng::new(3));
            let order = match params.ngram_sequence {
                true => StepOrder::InTurn { second: 1 },
                false => StepOrder::AtOnce,
            };
            let mut near = NGrams::of_steps(&params, grid.span(), grid.stride()).expect("tables");
            let mut lists = NGrams::of_steps(&params, grid.span(), grid.stride()).expect("tables");
            lists.near = None;
            lists.sparse = NGrams::new(&params, grid.span()).expect("tables").sparse;
            assert!(near.near.is_some() && near.sparse.is_none() && lists.sparse.is_some());
            let mut known = 0;
            for _ in 0..4 {
                for _ in 0..200 {
                    let (cells, draw) = (walks(grid, &mut rng), rng.below(3) as usize);
                    let winner = Some(draw).filter(|side| *side < 2);
                    let steps =
                        SimultaneousGame { cells: &cells, earlier: None, line: 0, order, winner };
                    near.learn(&steps);
                    lists.learn(&steps);
                }
                let pairs = grid.cells().flat_map(|a| grid.cells().map(move |b| (a, b)));
                for (earlier, last) in pairs {
                    for head in exits(grid, earlier).cells().iter().map(|cell| *cell as usize) {
                        let none = grid.span();
                        let befores =
                            if params.ngram_sequence { [head; 2] } else { [earlier, none] };
                        for (before, side) in befores.into_iter().flat_map(|b| [(b, 0), (b, 1)]) {
                            let context = Context { before, last };
                            let exits = exits(grid, head);
                            let ways = exits.ways() & !(1 << way(grid, head, earlier));
                            let choice = |of: &NGrams| {
                                let (around, rng) = (grid.around(head), &mut Rng::new(last as u64));
                                of.best_of(side, context, around, ways, rng)
                            };
                            assert_eq!(choice(&near), choice(&lists), "{settings:?} {context:?}");
                            for cell in exits.cells().iter().map(|cell| *cell as usize) {
                                if cell != earlier {
                                    let value = |of: &NGrams| of.value(side, context, cell);
                                    assert_eq!(value(&near), value(&lists), "{settings:?}");
                                    known +=
                                        usize::from(near.rank_after_two(side, context, cell) > 0);
                                }
                            }
                        }
                    }
                }
                near.age();
                lists.age();
            }
            assert!(known > 1000, "{settings:?}: {known}");
        }
    }

    fn way(grid: Grid, from: usize, to: usize) -> u8 {
        grid.direction(from, to).expect("a step") as u8
    }

    /// The cells within reach have a slot each, whatever the width of the grid.
    #[test]
    fn slots_do_not_meet() {
        for stride in 2..64 {
            for reach in [Reach::OneStep, Reach::TwoSteps] {
                let near = Near::new(1, stride, reach, usize::MAX).expect("it fits");
                let mut offsets = reach.offsets(stride as isize);
                offsets.sort_unstable();
                offsets.dedup();
                let slot = |offset: &isize| near.slots[near.farthest.strict_add_signed(*offset)];
                let mut slots: Vec<u8> = offsets.iter().map(slot).collect();
                slots.sort_unstable();
                slots.dedup();
                assert_eq!(slots.len(), offsets.len(), "{stride} {reach:?}");
            }
        }
    }

    #[test]
    fn large_grids_and_little_memory_have_lists() {
        let has_places = |span: usize, settings: &[&str]| {
            let tables = NGrams::of_steps(&params(settings), span, 14).expect("tables");
            assert!(tables.near.is_some() != tables.sparse.is_some());
            tables.near.is_some()
        };
        assert!(has_places(210, &["ngram=2", "memory=64"]));
        assert!(!has_places(210, &["ngram=2", "memory=64", "threads=2"]));
        assert!(has_places(702, &["ngram=2"]), "25 by 25 cells");
        let one = NGrams::of_steps(&params(&["ngram=1"]), 210, 14).expect("tables");
        assert!(one.near.is_none() && one.sparse.is_none());
    }
}
