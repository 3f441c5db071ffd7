//! Joint and neighbour moves by roulette (Stankiewicz 2011 §4.6.1, table 4.16): a default move is drawn by
//! the weight of its kind. A move that is both counts as a neighbour move. Joints are found on the whole
//! board at every ply; the table shows what this costs.

use super::position::SimulatedPosition;
use crate::havannah::neighbourhood::{dilate, joint_cells};
use crate::havannah::{Cell, Set, Width};
use crate::params::{Params, PlayoutChoice};
use crate::rng::Rng;

/// The weights by kind of move.
pub struct JointSampler {
    joint: u32,
    neighbour: u32,
    other: u32,
    /// The probability of a random move, for the greedy choice.
    epsilon: Option<f32>,
}

impl JointSampler {
    pub fn new(params: &Params) -> Self {
        Self {
            joint: params.joint_weight,
            neighbour: params.neighbour_weight,
            other: params.other_weight,
            epsilon: (params.playout_choice == PlayoutChoice::Greedy)
                .then_some(params.playout_epsilon),
        }
    }

    /// A move of a side; `None` if every weight is 0, or with probability `epsilon` in the greedy choice.
    #[inline(always)]
    pub fn choose<W: Width>(
        &self,
        position: &SimulatedPosition<W>,
        side: usize,
        rng: &mut Rng,
    ) -> Option<Cell> {
        let kinds = self.kinds(position, side);
        let counts = [kinds[0].0.len() as u32, kinds[1].0.len() as u32, kinds[2].0.len() as u32];
        let chosen = match self.epsilon {
            Some(epsilon) if rng.unit() < epsilon => return None,
            Some(_) => {
                let known = || (0..3).filter(|kind| counts[*kind] > 0 && kinds[*kind].1 > 0);
                let heaviest = known().map(|kind| kinds[kind].1).max()?;
                // Kinds of the same weight are one.
                let mut equal = known().filter(|kind| kinds[*kind].1 == heaviest);
                let mut left = rng.below(equal.clone().map(|kind| counts[kind]).sum());
                let kind = equal.find(|kind| {
                    let is_it = left < counts[*kind];
                    left -= if is_it { 0 } else { counts[*kind] };
                    is_it
                })?;
                (kind, left)
            }
            None => {
                let total = (0..3).map(|kind| counts[kind] * kinds[kind].1).sum();
                if total == 0 {
                    return None;
                }
                let mut left = rng.below(total);
                let mut kind = 0;
                while left >= counts[kind] * kinds[kind].1 {
                    left -= counts[kind] * kinds[kind].1;
                    kind += 1;
                }
                (kind, left / kinds[kind].1)
            }
        };
        let (kind, number) = chosen;
        kinds[kind].0.nth(number as usize).map(Cell::from_index)
    }

    /// The joint, neighbour and other moves of a side, and their weights.
    #[inline(always)]
    fn kinds<W: Width>(&self, position: &SimulatedPosition<W>, side: usize) -> [(Set<W>, u32); 3] {
        let own = position.stones[side];
        let neighbours = dilate(position.layout, own) & position.empty;
        let joints = joint_cells(position.layout, own, position.empty) - neighbours;
        let others = position.empty - neighbours - joints;
        [(joints, self.joint), (neighbours, self.neighbour), (others, self.other)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::Board;
    use crate::havannah::width::Width10;

    /// Base 5 with a White stone in the centre.
    fn position() -> SimulatedPosition<Width10> {
        let mut board = Board::empty(Width10::layout(5).expect("a base"));
        let centre = board.geometry().cell(4, 4).expect("a cell");
        board.play(centre).expect("legal");
        SimulatedPosition::of(&board)
    }

    #[test]
    fn moves_come_in_proportion_to_their_weights() {
        let position = position();
        let mut rng = Rng::new(1);
        let weights = JointSampler::new(&Params::default());
        let [joints, neighbours, others] = weights.kinds(&position, 0).map(|(set, _)| set);
        assert_eq!([joints.len(), neighbours.len(), others.len()], [6, 6, 48]);
        let mut drawn = [0; 3];
        for _ in 0..66_000 {
            let cell = weights.choose(&position, 0, &mut rng).expect("a move").index();
            let kind = [joints, neighbours, others].iter().position(|set| set.contains(cell));
            drawn[kind.expect("an empty cell")] += 1;
        }
        // 6 * 30, 6 * 40 and 48 * 5 of 660.
        for (found, expected) in drawn.into_iter().zip([18_000_i32, 24_000, 24_000]) {
            assert!((expected - 600..expected + 600).contains(&found), "{drawn:?}");
        }
        // Black has no stones: all its moves are of the kind "other".
        let black = weights.kinds(&position, 1).map(|(set, _)| set.len());
        assert_eq!(black, [0, 0, 60]);
    }

    /// Joint and neighbour moves of the same weight: each of the twelve as often as any other (§3.6).
    #[test]
    fn equal_kinds_are_drawn_uniformly_by_the_greedy_choice() {
        let position = position();
        let mut params = Params::default();
        for setting in ["playout_choice=greedy", "playout_epsilon=0", "joint_weight=40"] {
            params.assign(setting).expect("a setting");
        }
        let weights = JointSampler::new(&params);
        let [joints, neighbours, _] = weights.kinds(&position, 0).map(|(set, _)| set);
        let mut rng = Rng::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let cell = weights.choose(&position, 0, &mut rng).expect("a move").index();
            *counts.entry(cell).or_insert(0_u32) += 1;
        }
        assert!(counts.keys().copied().eq((joints | neighbours).iter()));
        assert!(counts.values().all(|count| count.abs_diff(2000) < 220), "{counts:?}");
    }

    #[test]
    fn the_greedy_choice_takes_the_heaviest_kind() {
        let position = position();
        let mut params = Params::default();
        params.assign("playout_choice=greedy").expect("a setting");
        let weights = JointSampler::new(&params);
        let mut rng = Rng::new(1);
        let chosen: Vec<_> = (0..10_000).map(|_| weights.choose(&position, 0, &mut rng)).collect();
        let neighbours = dilate(position.layout, position.stones[0]);
        let is_neighbour = |cell: &Cell| neighbours.contains(cell.index());
        assert!(chosen.iter().flatten().all(is_neighbour));
        let random = chosen.iter().filter(|cell| cell.is_none()).count();
        assert!((900..1100).contains(&random), "{random}");
    }
}
