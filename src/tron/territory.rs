//! The static evaluation of a position: the cells that each side reaches first.
//!
//! - Both sides spread over the free cells, one step at a time. A cell belongs to the side that reaches
//!   it first, and to neither if both reach it at the same time.
//! - The best chain of chambers of each side counts. The weights are those of the program that won the
//!   Google AI Challenge 2010 (Sloane 2010), fitted to games of the contest: 55 for a cell, 194 for each
//!   neighbour of a cell, so twice that for a pair of adjacent cells.
//! - Once the players are separated, only the upper bounds on the cells that each can take count.
//! - A move that is chosen but not yet made counts as made: its cell is taken, and its side spreads from
//!   there while the other takes its step. That the other side could choose the same cell is ignored.

use super::chambers::{Worth, best_chain};
use super::regions::neighbours;
use super::{Grid, Position, Side};
use crate::bits::{Bits, Isa, Kernel, Words};
use crate::game::WIN;

/// The weights while the players can still meet.
const CONTESTED: Worth = Worth { cell: 55, edge: 2 * 194 };

/// The score for having more space when the players are separated, and for each additional cell.
const SEPARATED: i32 = 16_000;
const SEPARATED_CELL: i32 = 800;

/// A score of this is a winning chance of 73 in 100, and twice this of 88: about five cells.
const SCALE: f32 = 4_000.0;

/// The cells that each side reaches first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Territory<W: Words> {
    /// The cells of each side.
    pub cells: [Bits<W>; 2],
    /// The cell from which each side spreads.
    pub starts: [usize; 2],
    /// Whether no free cell can be reached by both.
    pub is_separated: bool,
}

impl<W: Words> Territory<W> {
    /// The territories of a position.
    #[inline(always)]
    pub fn of(position: &Position<W>) -> Self {
        let grid = position.grid();
        let mut starts = [position.head(0), position.head(1)];
        let mut seen = position.taken();
        let mut fronts = starts.map(Bits::single);
        let mut cells = [Bits::empty(); 2];
        let mut are_tied = false;
        if let Some(chosen) = position.chosen() {
            let first = position.first();
            starts[first] = chosen.number();
            seen.insert(chosen.number());
            let other = neighbours(grid, fronts[1 - first]) - seen;
            fronts[first] = Bits::single(chosen.number());
            fronts[1 - first] = other;
            cells[1 - first] = other;
            seen |= other;
        }
        while !(fronts[0] | fronts[1]).is_empty() {
            fronts = fronts.map(|front| neighbours(grid, front) - seen);
            let both = fronts[0] & fronts[1];
            are_tied |= !both.is_empty();
            cells = [cells[0] | (fronts[0] - both), cells[1] | (fronts[1] - both)];
            seen |= fronts[0] | fronts[1];
        }
        // The cells next to a chosen cell may all belong to the other side.
        let reach = [0, 1].map(|side| neighbours(grid, cells[side] | Bits::single(starts[side])));
        let is_separated =
            !are_tied && reach[0].is_disjoint(cells[1]) && reach[1].is_disjoint(cells[0]);
        Self { cells, starts, is_separated }
    }

    /// The weight of the best chain of a side.
    #[inline(always)]
    fn worth(&self, grid: Grid, side: Side, worth: Worth) -> i32 {
        best_chain(grid, &self.cells[side], self.starts[side], worth)
    }
}

/// The score of a position that is not over: positive if side 0 has more. It is not inlined, so that its
/// stack frame is not part of every call of a recursive search.
#[inline(never)]
pub fn evaluate<W: Words>(position: &Position<W>, isa: Isa) -> i32 {
    isa.run_narrow(Evaluate { position })
}

struct Evaluate<'a, W: Words> {
    position: &'a Position<W>,
}

impl<W: Words> Kernel for Evaluate<'_, W> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let grid = self.position.grid();
        let territory = Territory::of(self.position);
        let worth = if territory.is_separated { Worth::CELLS } else { CONTESTED };
        let [own, other] = [0, 1].map(|side| territory.worth(grid, side, worth));
        let more = own - other;
        if territory.is_separated { separated_score(more) } else { more }
    }
}

/// The score of a side that can take `more` cells more than the other, when they are separated.
#[inline(always)]
pub fn separated_score(more: i32) -> i32 {
    more.signum() * SEPARATED + more * SEPARATED_CELL
}

/// The winning chance of a side with a score, from 0 to 1: the logistic function. The exponential is
/// computed as the 1024th power of a small step, because library functions may differ between platforms.
pub fn chance(score: i32) -> f32 {
    let step = 1.0 + score.unsigned_abs() as f32 / SCALE / 1024.0;
    let odds = (0..10).fold(step, |power: f32, _| power * power);
    let of_loser = 1.0 / (1.0 + odds);
    if score < 0 { of_loser } else { 1.0 - of_loser }
}

/// The value of a position to side 0, from 0 to 1: its points if it is over, otherwise its winning chance.
pub fn value<W: Words>(position: &Position<W>, isa: Isa) -> f32 {
    match position.result() {
        Some(points) => points as f32 / WIN as f32,
        None => chance(evaluate(position, isa)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::chambers::tests::slowly;
    use super::*;
    use crate::game::Move;
    use crate::rng::Rng;
    use crate::tron::{Direction, Map};

    type Small = Position<[u64; 4]>;

    fn position(text: &str) -> Small {
        let map: Map = text.parse().expect("a map");
        Position::new(&map, 0)
    }

    fn score(text: &str) -> i32 {
        evaluate(&position(text), Isa::best())
    }

    /// The steps that a side needs to each cell, by breadth-first search.
    fn distances(position: &Small, side: Side) -> Vec<Option<usize>> {
        let grid = position.grid();
        let mut taken = position.taken();
        let mut steps = vec![None; grid.span()];
        let mut queue = std::collections::VecDeque::new();
        let chosen = position.chosen().map(Move::number);
        chosen.iter().for_each(|cell| taken.insert(*cell));
        match chosen {
            Some(chosen) if side == position.first() => queue.push_back((chosen, 1)),
            _ => queue.push_back((position.head(side), 0)),
        }
        while let Some((cell, so_far)) = queue.pop_front() {
            for direction in Direction::ALL {
                let next = grid.step(cell, direction);
                if !taken.contains(next) && steps[next].is_none() {
                    steps[next] = Some(so_far + 1);
                    queue.push_back((next, so_far + 1));
                }
            }
        }
        steps
    }

    /// The score by its definition, cell by cell.
    fn slow_score(position: &Small) -> i32 {
        let grid = position.grid();
        let steps = [0, 1].map(|side| distances(position, side));
        let is_first = |side: Side, cell: usize| match (steps[side][cell], steps[1 - side][cell]) {
            (Some(own), Some(other)) => own < other,
            (own, _) => own.is_some(),
        };
        let is_met = grid.cells().any(|cell| steps.iter().all(|steps| steps[cell].is_some()));
        let worth = if is_met { CONTESTED } else { Worth::CELLS };
        let [own, other] = [0, 1].map(|side| {
            let cells = grid.cells().filter(|cell| is_first(side, *cell)).collect();
            let is_chooser = side == position.first();
            let start = position.chosen().filter(|_| is_chooser).map(Move::number);
            slowly(grid, &cells, start.unwrap_or(position.head(side)), worth)
        });
        match (is_met, own - other) {
            (true, more) => more,
            (false, more) => 16_000 * more.signum() + 800 * more,
        }
    }

    fn random_map(rng: &mut Rng) -> Map {
        let sides = [3 + rng.below(7), 3 + rng.below(7)].map(|side| side as usize);
        let grid = Grid::new(sides[0], sides[1]).expect("a grid");
        let walls = rng.below(4);
        let mut cells: Vec<usize> = grid.cells().collect();
        let mut draw = || cells.swap_remove(rng.below(cells.len() as u32) as usize);
        let mut map = Map::open(grid, [draw(), draw()]);
        for cell in cells {
            map.walls[cell] = rng.below(10) < walls;
        }
        map
    }

    #[test]
    fn the_score_is_that_of_the_definition_in_random_games() {
        let mut rng = Rng::new(5);
        let (mut separated, mut pending) = (0, 0);
        for _ in 0..400 {
            let map = random_map(&mut rng);
            let mut position = Small::new(&map, rng.below(2) as usize);
            while position.result().is_none() {
                let expected = slow_score(&position);
                for isa in Isa::available() {
                    assert_eq!(evaluate(&position, isa), expected, "{}", position.to_map());
                }
                separated += usize::from(Territory::of(&position).is_separated);
                pending += usize::from(position.chosen().is_some());
                let exits = position.exits(position.to_move());
                let next = exits.cells()[rng.below(exits.len() as u32) as usize];
                position.make(Move::new(next as usize));
            }
        }
        assert!(separated > 200 && pending > 200, "{separated} {pending}");
    }

    #[test]
    fn sides_that_have_the_same_have_no_score() {
        assert_eq!(score("5 1\n1   2\n"), 0);
        assert_eq!(score("5 5\n1    \n     \n  #  \n     \n    2\n"), 0);
        assert_eq!(score("5 3\n1 #  \n  #  \n  # 2\n"), 0);
        let open = Map::open(Grid::new(13, 13).expect("a grid"), [2 * 14 + 1, 12 * 14 + 11]);
        assert_eq!(evaluate(&Small::new(&open, 1), Isa::best()), 0);
    }

    #[test]
    fn the_score_turns_with_the_sides() {
        let mut rng = Rng::new(6);
        for _ in 0..500 {
            let map = random_map(&mut rng);
            let [one, other] = [Small::new(&map, 0), Small::new(&map.turned(), 0)]
                .map(|position| evaluate(&position, Isa::best()));
            assert_eq!(one, -other, "{map}");
        }
    }

    #[test]
    fn who_is_cut_off_has_less() {
        // Separated: one cell against five.
        assert_eq!(score("6 2\n1#2  #\n #   #\n"), -(16_000 + 4 * 800));
        // Not separated yet, but side 1 is nearer to almost every cell.
        assert!(score("7 3\n1      \n 2     \n       \n") < -10 * 194);
    }

    #[test]
    fn what_is_chosen_counts_as_made() {
        let mut position = position("5 1\n 1  2\n");
        let west = Move::new(position.head(0) - 1);
        position.make(west);
        let territory = Territory::of(&position);
        assert!(territory.cells[0].is_empty());
        assert_eq!(territory.cells[1].len(), 2);
        assert!(territory.is_separated);
    }

    #[test]
    fn chances_rise_with_the_score_and_turn_with_the_sides() {
        assert_eq!(chance(0), 0.5);
        let scores = [-60_000, -9_000, -4_000, -1, 0, 1, 194, 4_000, 16_800, 32_000];
        assert!(scores.map(chance).windows(2).all(|pair| pair[0] < pair[1]));
        for score in scores {
            assert!((chance(score) + chance(-score) - 1.0).abs() < 1e-6, "{score}");
        }
        assert!((chance(4_000) - 0.731).abs() < 1e-3 && (chance(8_000) - 0.881).abs() < 1e-3);
    }

    #[test]
    fn what_is_over_is_worth_its_points() {
        for (text, expected) in [("3 1\n1#2\n", 0.5), ("3 1\n1 2\n", 0.5), ("4 1\n1#2 \n", 0.0)] {
            assert_eq!(value(&position(text), Isa::best()), expected, "{text}");
        }
    }
}
