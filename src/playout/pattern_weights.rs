//! Default moves by the weights of local patterns (Stankiewicz 2011 §3.2 to §3.6, table 4.1).
//!
//! Each cell keeps what lies on its six neighbours as a number of six digits: empty, White, Black. A
//! stone changes one digit of each of its neighbours, and with it their weights for both sides; sums
//! of weights are kept for pieces of the board. So a stone costs six look-ups, and a draw a walk over
//! the sums and through one piece. A pattern that was never seen has the mean weight. By the stage of
//! the game (§5.3), weights come in with the stones on the board.

use super::ngram::highest_legal;
use super::random::{MARGIN, NEVER, SPAN};
use super::unchecked::{get, set};
use crate::havannah::geometry::MAX_INDEX;
use crate::havannah::patterns::Pattern;
use crate::havannah::weights::PatternWeights as Learned;
use crate::havannah::{Base, Board, Cell, Colour};
use crate::params::{DeadCells, Params, PlayoutChoice};
use crate::rng::Rng;

/// The numbers of six digits below three.
const CODES: usize = 729;
const POWERS: [u16; 6] = [1, 3, 9, 27, 81, 243];
/// Cells whose weights are summed.
const PIECE: usize = 32;
/// The weight of a pattern that is always played.
const SCALE: f64 = 10_000.0;

/// The weights of the cells in a simulated game.
#[derive(Clone)]
struct State {
    /// For each cell its kind of rim and the digits of its neighbours, in one number.
    codes: [u16; SPAN],
    /// All bits for empty cells, none for others.
    empty: [u16; SPAN],
    /// For each side, the weights of the empty cells, and their sums.
    weights: [[u16; SPAN]; 2],
    sums: [[u32; SPAN / PIECE]; 2],
}

pub struct PatternWeights<B: Base> {
    /// For each kind of rim and neighbours, the weights for White and Black.
    table: Vec<[u16; 2]>,
    /// The kind of rim of each cell: which neighbours lie on it.
    kinds: [u16; MAX_INDEX],
    /// For each kind and neighbours, the weights before the stage of the game counts.
    learned: Vec<[f64; 2]>,
    mean: f64,
    /// Stones on the board by which weights have come in fully.
    stage: usize,
    /// For the greedy choice, the probability of a random move.
    epsilon: Option<f32>,
    begin: Box<State>,
    state: Box<State>,
    base: std::marker::PhantomData<B>,
}

impl<B: Base> PatternWeights<B> {
    pub fn new(params: &Params, weights: &Learned) -> Self {
        let mut rims: Vec<usize> = Vec::new();
        let mut kinds = [0; MAX_INDEX];
        for cell in B::TABLES.cells() {
            let rim = Pattern::at(&Board::<B>::new(), Colour::White, *cell).rim();
            let kind = rims.iter().position(|known| *known == rim);
            kinds[cell.index()] = kind.unwrap_or_else(|| {
                rims.push(rim);
                rims.len() - 1
            }) as u16;
        }
        let mean = weights.mean();
        let leaves_dead_out = params.dead_cells != DeadCells::Off;
        let weight = |own: usize, opponent: usize, rim: usize| {
            let pattern = Pattern::new(own, opponent, rim);
            if leaves_dead_out && pattern.is_dead_as_published() {
                return 0.0;
            }
            weights.turns(pattern).weight().unwrap_or(mean)
        };
        let learned = rims.iter().flat_map(|rim| {
            (0..CODES).map(|code| {
                let [white, black] = stones_of(code);
                [weight(white, black, *rim), weight(black, white, *rim)]
            })
        });
        let state = Box::new(State {
            codes: [0; SPAN],
            empty: [0; SPAN],
            weights: [[0; SPAN]; 2],
            sums: [[0; SPAN / PIECE]; 2],
        });
        Self {
            table: Vec::new(),
            kinds,
            learned: learned.collect(),
            mean,
            stage: params.pattern_stage as usize,
            epsilon: (params.playout_choice == PlayoutChoice::Greedy)
                .then_some(params.playout_epsilon),
            begin: state.clone(),
            state,
            base: std::marker::PhantomData,
        }
    }

    /// Makes ready for playouts from a position.
    pub fn start_from(&mut self, board: &Board<B>) {
        let share = match self.stage {
            0 => 1.0,
            stage => (board.stone_count() as f64 / stage as f64).min(1.0),
        };
        let scaled =
            |weight: f64| (SCALE * (self.mean + share * (weight - self.mean))).round() as u16;
        self.table.clear();
        self.table.extend(self.learned.iter().map(|weights| weights.map(scaled)));
        let state = &mut self.begin;
        state.codes = [0; SPAN];
        state.empty = [0; SPAN];
        state.weights = [[0; SPAN]; 2];
        state.sums = [[0; SPAN / PIECE]; 2];
        for cell in B::TABLES.cells() {
            let index = MARGIN + cell.index();
            state.codes[index] = self.kinds[cell.index()] * CODES as u16;
            for (d, power) in POWERS.iter().enumerate() {
                let neighbour = B::TABLES.neighbour(*cell, d);
                let colour = neighbour.and_then(|neighbour| board.colour_at(neighbour));
                let digit = colour.map_or(0, |colour| 1 + colour.index() as u16);
                state.codes[index] += digit * power;
            }
        }
        for index in board.empty_cells() {
            let index = MARGIN + index;
            state.empty[index] = u16::MAX;
            for side in 0..2 {
                let weight = self.table[state.codes[index] as usize][side];
                state.weights[side][index] = weight;
                state.sums[side][index / PIECE] += u32::from(weight);
            }
        }
    }

    /// A playout begins.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.state.clone_from(&self.begin);
    }

    /// Takes in a stone.
    #[inline(always)]
    pub fn place(&mut self, side: usize, cell: Cell) {
        let index = MARGIN + cell.index();
        let state = &mut *self.state;
        set(&mut state.empty, index, 0);
        change(state, index, [0; 2]);
        for (d, step) in B::TABLES.steps.iter().enumerate() {
            let neighbour = index.wrapping_add_signed(*step);
            // As the neighbour sees it, the stone lies the other way.
            let digit = POWERS[(d + 3) % 6] << side;
            let code = get(&state.codes, neighbour) + digit;
            set(&mut state.codes, neighbour, code);
            let mask = get(&state.empty, neighbour);
            let weights = get(&self.table, code as usize);
            change(state, neighbour, [weights[0] & mask, weights[1] & mask]);
        }
    }

    /// A move of a side; none if every weight is 0, or by the greedy choice now and then.
    #[inline(always)]
    pub fn choose(&self, side: usize, times: &[u8], rng: &mut Rng) -> Option<Cell> {
        if let Some(epsilon) = self.epsilon {
            if rng.unit() < epsilon {
                return None;
            }
            let weights = &self.state.weights[side][MARGIN..][..B::INDICES];
            return highest_legal(weights, times, NEVER, rng).map(Cell::from_index);
        }
        let sums = &self.state.sums[side];
        let mut total = 0;
        for sum in sums {
            total += sum;
        }
        if total == 0 {
            return None;
        }
        let mut left = rng.below(total);
        let mut piece = 0;
        while left >= get(sums, piece) {
            left -= get(sums, piece);
            piece += 1;
        }
        let weights = &self.state.weights[side];
        let mut at = PIECE * piece;
        while left >= u32::from(get(weights, at)) {
            left -= u32::from(get(weights, at));
            at += 1;
        }
        Some(Cell::from_index(at - MARGIN))
    }
}

/// Gives a cell other weights.
#[inline(always)]
fn change(state: &mut State, index: usize, weights: [u16; 2]) {
    for (side, weight) in weights.into_iter().enumerate() {
        let before = get(&state.weights[side], index);
        set(&mut state.weights[side], index, weight);
        let sum = &mut state.sums[side][index / PIECE];
        *sum = *sum + u32::from(weight) - u32::from(before);
    }
}

/// The neighbours that are White and those that are Black.
fn stones_of(code: usize) -> [usize; 2] {
    let digit = |d: usize| code / POWERS[d] as usize % 3;
    [1, 2].map(|colour| (0..6).filter(|d| digit(*d) == colour).map(|d| 1 << d).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::Size;
    use crate::havannah::weights::Turns;

    type B = Size<4>;

    /// Weights that tell every class from every other.
    fn learned() -> Learned {
        let mut weights = Learned::new(4);
        for index in 0..Pattern::COUNT {
            let pattern = Pattern::from_index(index);
            if pattern.own() & pattern.opponent() == 0 && pattern.class() == pattern {
                let played = (index as u64 * 7919) % 1000;
                *weights.turns_mut(pattern) = Turns { played, available: 1000 };
            }
        }
        weights
    }

    #[test]
    fn weights_are_kept_up_to_date_stone_by_stone() {
        let learned = learned();
        let mut weights = PatternWeights::<B>::new(&Params::default(), &learned);
        let mut rng = Rng::new(5);
        for _ in 0..20 {
            let mut board = Board::<B>::new();
            weights.start_from(&board);
            weights.begin();
            while !board.outcome().is_over() {
                for colour in Colour::BOTH {
                    let mut total = 0;
                    for cell in B::TABLES.cells() {
                        let pattern = Pattern::at(&board, colour, *cell);
                        let weight = learned.turns(pattern).weight().expect("known");
                        let is_empty = board.colour_at(*cell).is_none();
                        let expected = if is_empty { (SCALE * weight).round() as u16 } else { 0 };
                        let index = MARGIN + cell.index();
                        assert_eq!(weights.state.weights[colour.index()][index], expected);
                        total += u32::from(expected);
                    }
                    let sums = &weights.state.sums[colour.index()];
                    assert_eq!(sums.iter().sum::<u32>(), total);
                }
                let empty = board.empty_cells();
                let index = empty.nth(rng.below(empty.len() as u32) as usize).expect("a cell");
                let cell = Cell::from_index(index);
                weights.place(board.to_move().index(), cell);
                board.place(cell);
                // Begun from here, everything is the same.
                if !board.outcome().is_over() {
                    let mut fresh = PatternWeights::<B>::new(&Params::default(), &learned);
                    fresh.start_from(&board);
                    assert_eq!(fresh.begin.weights, weights.state.weights);
                }
            }
        }
    }

    #[test]
    fn moves_come_in_proportion_to_their_weights() {
        let mut board = Board::<B>::new();
        board.place(B::TABLES.cell(3, 3).expect("a cell"));
        let learned = learned();
        let mut weights = PatternWeights::<B>::new(&Params::default(), &learned);
        weights.start_from(&board);
        weights.begin();
        let (mut rng, times) = (Rng::new(1), [NEVER; 64]);
        let mut drawn = [0_u32; 64];
        for _ in 0..200_000 {
            drawn[weights.choose(1, &times, &mut rng).expect("a move").index()] += 1;
        }
        let total: u32 = weights.state.sums[1].iter().sum();
        for cell in B::TABLES.cells() {
            let weight = f64::from(weights.state.weights[1][MARGIN + cell.index()]);
            let expected = 200_000.0 * weight / f64::from(total);
            let found = f64::from(drawn[cell.index()]);
            assert!((found - expected).abs() <= 5.0 * expected.sqrt() + 5.0, "{found} {expected}");
        }
    }
}
