//! Counts of steps on a grid after two moves: a side goes on from where its last move has led, so after
//! any two moves there are four at the most.
//!
//! A pair of moves has a place of its own, half a line of the cache with a slot for each way, so that
//! neither choosing nor learning has to look for anything. Ranks are not kept: four divisions at once are
//! cheaper than more memory to wait for. Where there is not enough of it for all pairs, `sparse` does the
//! same.

use super::{Context, NOTHING, TOP_RANK};

/// The ways on from a cell: north, east, south, west.
pub const WAYS: usize = 4;

/// The steps after two moves, by their ways: how often they won, and were played.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Place {
    wins: [f32; WAYS],
    plays: [f32; WAYS],
}

/// The way from a cell to one next to it.
#[inline(always)]
pub fn way(from: usize, to: usize) -> usize {
    let is_beside = usize::from(to.abs_diff(from) == 1);
    if to < from { 3 * is_beside } else { 2 - is_beside }
}

pub struct Near {
    /// Moves have numbers below this.
    span: usize,
    places: Vec<Place>,
}

impl Near {
    /// Places for pairs of moves with numbers below `span`, if they fit into so many bytes.
    pub fn new(span: usize, bytes: usize) -> Option<Self> {
        let pairs = span * span;
        let fits = pairs * size_of::<Place>() <= bytes;
        fits.then(|| Self { span, places: vec![Place::default(); pairs] })
    }

    #[inline(always)]
    pub fn add(&mut self, context: Context, number: usize, reward: f32) {
        let place = &mut self.places[context.before * self.span + context.last];
        let way = way(context.before, number);
        place.wins[way] += reward;
        place.plays[way] += 1.0;
    }

    /// The ranks of the steps after two moves, by their ways; 0 if they do not count.
    #[inline(always)]
    pub fn ranks(&self, context: Context, threshold: f32) -> [u16; WAYS] {
        let Place { wins, plays } = self.places[context.before * self.span + context.last];
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
    use crate::policies::games::SimultaneousGame;
    use crate::rng::Rng;
    use crate::tron::Grid;
    use crate::tron::position::Exits;

    fn params(settings: &[&str]) -> Params {
        let mut params = Params::default();
        settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
        params
    }

    /// Some steps of two walkers that know no walls but those around the grid.
    fn walks(grid: Grid, rng: &mut Rng) -> Vec<[u16; 2]> {
        let mut heads = [grid.cell(1, 1), grid.cell(3, 4)].map(|cell| cell as u16);
        let mut cells = vec![heads];
        for _ in 0..8 {
            heads = heads.map(|head| {
                let exits = exits(grid, head as usize);
                exits.cells()[rng.below(exits.len() as u32) as usize]
            });
            cells.push(heads);
        }
        cells
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
        ] {
            let (params, mut rng) = (params(settings), Rng::new(3));
            let mut near = NGrams::of_steps(&params, grid.span()).expect("tables");
            let mut lists = NGrams::new(&params, grid.span()).expect("tables");
            assert!(near.near.is_some() && near.sparse.is_none() && lists.near.is_none());
            let mut known = 0;
            for turn in 0..4 {
                for _ in 0..200 {
                    let (cells, draw) = (walks(grid, &mut rng), rng.below(3) as usize);
                    let winner = Some(draw).filter(|side| *side < 2);
                    let steps = SimultaneousGame {
                        cells: &cells,
                        line: 0,
                        second: (turn == 1).then_some(1),
                        winner,
                    };
                    near.learn(&steps);
                    lists.learn(&steps);
                }
                for (before, last) in grid.cells().flat_map(|a| grid.cells().map(move |b| (a, b))) {
                    let (context, exits) = (Context { before, last }, exits(grid, before));
                    for side in 0..2 {
                        let choice = |of: &NGrams| {
                            let (around, rng) = (grid.around(before), &mut Rng::new(last as u64));
                            of.best_of(side, context, around, exits.ways(), rng)
                        };
                        assert_eq!(choice(&near), choice(&lists), "{settings:?} {context:?}");
                        for cell in exits.cells() {
                            let value = |of: &NGrams| of.value(side, context, *cell as usize);
                            assert_eq!(value(&near), value(&lists), "{settings:?} {context:?}");
                            known += usize::from(value(&near).is_some());
                        }
                    }
                }
                near.age();
                lists.age();
            }
            assert!(known > 1000, "{settings:?}: {known}");
        }
    }

    #[test]
    fn large_grids_and_little_memory_have_lists() {
        let has_places = |span: usize, settings: &[&str]| {
            let tables = NGrams::of_steps(&params(settings), span).expect("tables");
            assert!(tables.near.is_some() != tables.sparse.is_some());
            tables.near.is_some()
        };
        assert!(has_places(210, &["ngram=2", "memory=32"]));
        assert!(!has_places(210, &["ngram=2", "memory=32", "threads=2"]));
        assert!(has_places(702, &["ngram=2"]), "25 by 25 cells");
        let one = NGrams::of_steps(&params(&["ngram=1"]), 210).expect("tables");
        assert!(one.near.is_none() && one.sparse.is_none());
    }
}
