//! Default moves by the weights of local patterns (Stankiewicz 2011 §3.2 to §3.6, table 4.1).
//!
//! Invariant: each move is drawn in proportion to its weight.
//! - Each cell keeps its six neighbours as a number of six digits: empty, White, Black. A stone changes one
//!   digit of each of its neighbours. Weights are looked up when a move is drawn.
//! - An empty cell is drawn uniformly and accepted in proportion to its weight, up to a cap: the weight of
//!   a cell with an empty neighbourhood, rounded up to a power of two.
//! - The excess of all weights above the cap is summed, and drawn from by a walk over the empty cells. Few
//!   cells have any.
//! - A pattern that was never seen has the mean weight. By game stage (§5.3), weights grow from the mean to
//!   their full value with the number of stones.

use std::hint::select_unpredictable;

use super::random::{MARGIN, SPAN};
use super::unchecked::{get, set};
use crate::havannah::geometry::MAX_INDEX;
use crate::havannah::patterns::Pattern;
use crate::havannah::weights::PatternWeights as Learned;
use crate::havannah::{Board, Cell, Colour, Layout, Width};
use crate::params::{DeadCells, Params, PlayoutChoice};
use crate::rng::Rng;

/// The number of codes of six digits in base 3.
const CODES: usize = 729;
const POWERS: [u16; 6] = [1, 3, 9, 27, 81, 243];
/// The weight of a pattern that is always played. With the shipped weights, the weight of a cell with an
/// empty neighbourhood is then just below a power of two.
const SCALE: f64 = 14_000.0;
/// The number of draws per batch, and of batches before the weights are summed.
const AT_ONCE: usize = 2;
const TRIES: usize = 20;

/// Two numbers in one word, one for White and one for Black: read and added together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pair(u64);

impl Pair {
    const ZERO: Self = Self(0);

    fn new(numbers: [u32; 2]) -> Self {
        Self(u64::from(numbers[0]) | u64::from(numbers[1]) << 32)
    }

    #[inline(always)]
    fn of(self, side: usize) -> u32 {
        (self.0 >> (32 * side)) as u32
    }

    #[inline(always)]
    fn add(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline(always)]
    fn subtract(&mut self, other: Self) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

/// The neighbourhoods of the cells in a simulated game.
#[derive(Clone)]
struct State {
    /// For each empty cell, its kind of rim and the digits of its neighbours, as one number.
    codes: [u16; SPAN],
    /// The sum of the weights of the empty cells above the cap.
    excess: Pair,
}

pub struct PatternSampler<W: Width> {
    /// By code: the weights for White and Black, and their parts above the cap.
    weights: Vec<[u16; 2]>,
    above: Vec<Pair>,
    /// The cap is `1 << cap_bits`.
    cap_bits: u32,
    /// The base code of cells that are not empty or are off the board.
    no_move: u16,
    /// The kind of rim of each cell: which of its neighbours are on the rim.
    kinds: [u16; MAX_INDEX],
    /// By kind of rim and neighbours: the weights before the game stage is applied.
    learned: Vec<[f64; 2]>,
    mean: f64,
    /// The number of stones at which weights have their full value; 0 if they always have.
    stage: usize,
    /// The probability of a random move, for the greedy choice.
    epsilon: Option<f32>,
    begin: State,
    state: State,
    layout: &'static Layout<W>,
}

impl<W: Width> PatternSampler<W> {
    pub fn new(layout: &'static Layout<W>, params: &Params, weights: &Learned) -> Self {
        // Kind 0 is a cell without neighbours on the rim.
        let mut rims = vec![0];
        let mut kinds = [0; MAX_INDEX];
        let empty = Board::empty(layout);
        for cell in layout.geometry.cells() {
            let rim = Pattern::at(&empty, Colour::White, *cell).rim();
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
        let state = State { codes: [0; SPAN], excess: Pair::ZERO };
        Self {
            weights: Vec::new(),
            above: Vec::new(),
            cap_bits: 0,
            no_move: (rims.len() * CODES) as u16,
            kinds,
            learned: learned.collect(),
            mean,
            stage: params.pattern_stage as usize,
            epsilon: (params.playout_choice == PlayoutChoice::Greedy)
                .then_some(params.playout_epsilon),
            begin: state.clone(),
            state,
            layout,
        }
    }

    /// Prepares for playouts from a position.
    pub fn start_from(&mut self, board: &Board<W>) {
        let share = match self.stage {
            0 => 1.0,
            stage => (board.stone_count() as f64 / stage as f64).min(1.0),
        };
        let scaled =
            |weight: f64| (SCALE * (self.mean + share * (weight - self.mean))).round() as u16;
        self.weights.clear();
        self.weights.extend(self.learned.iter().map(|learned| learned.map(scaled)));
        self.weights.resize(self.no_move as usize + CODES, [0; 2]);
        let cap = self.weights[0][0].next_power_of_two();
        self.cap_bits = cap.trailing_zeros();
        let above = |weights: &[u16; 2]| {
            Pair::new(weights.map(|weight| u32::from(weight.saturating_sub(cap))))
        };
        self.above.clear();
        self.above.extend(self.weights.iter().map(above));
        let state = &mut self.begin;
        *state = State { codes: [self.no_move; SPAN], excess: Pair::ZERO };
        for cell in board.empty_cells().iter().map(Cell::from_index) {
            let mut code = self.kinds[cell.index()] * CODES as u16;
            for (d, power) in POWERS.iter().enumerate() {
                let neighbour = board.geometry().neighbour(cell, d);
                let colour = neighbour.and_then(|neighbour| board.colour_at(neighbour));
                code += colour.map_or(0, |colour| 1 + colour.index() as u16) * power;
            }
            state.codes[MARGIN + cell.index()] = code;
            state.excess.add(self.above[code as usize]);
        }
    }

    /// Starts a playout.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.state.clone_from(&self.begin);
    }

    /// Updates the codes after a stone was placed.
    #[inline(always)]
    pub fn place(&mut self, side: usize, cell: Cell) {
        let index = MARGIN + cell.index();
        let State { codes, excess } = &mut self.state;
        excess.subtract(get(&self.above, get(codes, index) as usize));
        // Later neighbours still add to this code; all codes from `no_move` on have the weight 0.
        set(codes, index, self.no_move);
        for (d, step) in self.layout.steps().iter().enumerate() {
            let neighbour = index.wrapping_add_signed(*step);
            let before = get(codes, neighbour);
            // The neighbour sees the stone in the opposite direction.
            let code = before + (POWERS[(d + 3) % 6] << side);
            set(codes, neighbour, code);
            excess.add(get(&self.above, code as usize));
            excess.subtract(get(&self.above, before as usize));
        }
    }

    #[inline(always)]
    fn weight(&self, side: usize, cell: Cell) -> u32 {
        let code = get(&self.state.codes, MARGIN + cell.index());
        u32::from(get(&self.weights, code as usize)[side])
    }

    /// An empty cell as the move of a side; `None` if every weight is 0, or with probability `epsilon` in the
    /// greedy choice.
    #[inline(always)]
    pub fn choose(&self, side: usize, empty: &[Cell], rng: &mut Rng) -> Option<Cell> {
        if let Some(epsilon) = self.epsilon {
            return if rng.unit() < epsilon { None } else { self.heaviest(side, empty, rng) };
        }
        let (bits, last) = (self.cap_bits, empty.len() - 1);
        let capped = (empty.len() as u32) << bits;
        let total = capped + self.state.excess.of(side);
        let cell_at = |drawn: u32| get(empty, ((drawn >> bits) as usize).min(last));
        for _ in 0..TRIES {
            // Acceptance is unpredictable: no branch per draw.
            let mut accepted = u32::MAX;
            for _ in 0..AT_ONCE / 2 {
                for drawn in <[u32; 2]>::from(rng.below_two(total, total)) {
                    let weight = self.weight(side, cell_at(drawn));
                    let is_accepted = (drawn >= capped) | (drawn & ((1 << bits) - 1) < weight);
                    accepted = select_unpredictable(is_accepted, drawn, accepted);
                }
            }
            if accepted < capped {
                return Some(cell_at(accepted));
            }
            if accepted < u32::MAX {
                let above_cap = |cell| self.weight(side, cell).saturating_sub(1 << bits);
                return roulette(empty, accepted - capped, above_cap);
            }
        }
        let weight = |cell| self.weight(side, cell);
        let total = empty.iter().map(|cell| weight(*cell)).sum();
        if total == 0 { None } else { roulette(empty, rng.below(total), weight) }
    }

    /// The empty cell with the highest weight for a side; `None` if that is 0. Ties are drawn uniformly.
    #[inline(always)]
    fn heaviest(&self, side: usize, empty: &[Cell], rng: &mut Rng) -> Option<Cell> {
        let weight = |cell: &&Cell| self.weight(side, **cell);
        let highest = empty.iter().map(|cell| weight(&cell)).max()?;
        if highest == 0 {
            return None;
        }
        let heaviest = || empty.iter().filter(|cell| weight(cell) == highest);
        let drawn = rng.below(heaviest().count() as u32) as usize;
        heaviest().nth(drawn).copied()
    }
}

/// The cell whose interval contains the number, if the weights are laid out one after the other.
#[inline(always)]
fn roulette(cells: &[Cell], number: u32, weight: impl Fn(Cell) -> u32) -> Option<Cell> {
    let mut left = number;
    cells.iter().copied().find(|cell| {
        let weight = weight(*cell);
        let is_it = left < weight;
        left = left.wrapping_sub(weight);
        is_it
    })
}

/// The White and the Black neighbours of a code, as bits.
fn stones_of(code: usize) -> [usize; 2] {
    let digit = |d: usize| code / POWERS[d] as usize % 3;
    [1, 2].map(|colour| (0..6).filter(|d| digit(*d) == colour).map(|d| 1 << d).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::weights::Turns;
    use crate::havannah::width::Width8;

    fn empty_board() -> Board<Width8> {
        Board::empty(Width8::layout(4).expect("a base"))
    }

    fn weights_of(params: &Params, learned: &Learned) -> PatternSampler<Width8> {
        PatternSampler::new(empty_board().layout(), params, learned)
    }

    /// Weights that differ from class to class.
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
        let mut weights = weights_of(&Params::default(), &learned);
        let mut rng = Rng::new(5);
        for _ in 0..20 {
            let mut board = empty_board();
            weights.start_from(&board);
            weights.begin();
            while !board.outcome().is_over() {
                for colour in Colour::BOTH {
                    let mut excess = 0;
                    for cell in board.geometry().cells() {
                        let pattern = Pattern::at(&board, colour, *cell);
                        let weight = learned.turns(pattern).weight().expect("known");
                        let is_empty = board.colour_at(*cell).is_none();
                        let expected = if is_empty { (SCALE * weight).round() as u32 } else { 0 };
                        assert_eq!(weights.weight(colour.index(), *cell), expected);
                        excess += expected.saturating_sub(1 << weights.cap_bits);
                    }
                    assert_eq!(weights.state.excess.of(colour.index()), excess);
                }
                let empty = board.empty_cells();
                let index = empty.nth(rng.below(empty.len() as u32) as usize).expect("a cell");
                let cell = Cell::from_index(index);
                weights.place(board.to_move().index(), cell);
                board.place(cell);
                // A fresh start from this position gives the same state.
                if !board.outcome().is_over() {
                    let mut fresh = weights_of(&Params::default(), &learned);
                    fresh.start_from(&board);
                    fresh.begin();
                    assert_eq!(fresh.state.excess, weights.state.excess);
                    for index in board.empty_cells() {
                        let index = MARGIN + index;
                        assert_eq!(fresh.state.codes[index], weights.state.codes[index]);
                    }
                }
            }
        }
    }

    /// Compares drawn moves with the weights, with caps of several sizes.
    #[test]
    fn moves_come_in_proportion_to_their_weights() {
        let mut board = empty_board();
        board.place(board.geometry().cell(3, 3).expect("a cell"));
        let empty: Vec<Cell> = board.empty_cells().iter().map(Cell::from_index).collect();
        for played_alone in [0, 1, 50, 400, 1000] {
            let mut learned = learned();
            *learned.turns_mut(Pattern::new(0, 0, 0)) =
                Turns { played: played_alone, available: 1000 };
            let mut weights = weights_of(&Params::default(), &learned);
            weights.start_from(&board);
            weights.begin();
            let mut rng = Rng::new(1);
            let mut drawn = [0_u32; 64];
            for _ in 0..200_000 {
                drawn[weights.choose(1, &empty, &mut rng).expect("a move").index()] += 1;
            }
            let total: u32 = empty.iter().map(|cell| weights.weight(1, *cell)).sum();
            for cell in &empty {
                let weight = f64::from(weights.weight(1, *cell));
                let expected = 200_000.0 * weight / f64::from(total);
                let found = f64::from(drawn[cell.index()]);
                let error = 5.0 * expected.sqrt() + 5.0;
                assert!((found - expected).abs() <= error, "{found} {expected}");
            }
        }
    }

    #[test]
    fn equal_weights_are_drawn_uniformly_by_the_greedy_choice() {
        let mut params = Params::default();
        params.assign("playout_choice=greedy").expect("a setting");
        let mut learned = learned();
        // The inner cells have an empty neighbourhood.
        *learned.turns_mut(Pattern::new(0, 0, 0)) = Turns { played: 500, available: 1000 };
        let mut weights = weights_of(&params, &learned);
        let board = empty_board();
        weights.start_from(&board);
        weights.begin();
        let inside =
            [(2, 2), (3, 2), (4, 3)].map(|(x, y)| board.geometry().cell(x, y).expect("a cell"));
        let mut rng = Rng::new(2);
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            let drawn = weights.heaviest(0, &inside, &mut rng).expect("they have weights");
            counts[inside.iter().position(|cell| *cell == drawn).expect("one of them")] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 350), "{counts:?}");
    }

    #[test]
    fn light_moves_are_drawn_as_well_and_moves_without_weight_are_not() {
        let board = empty_board();
        let empty: Vec<Cell> = board.empty_cells().iter().map(Cell::from_index).collect();
        let choose = |light: u64| {
            // Only cells with a neighbour on the rim have weight; if `light` is 0, none has.
            let mut learned = Learned::new(4);
            for index in 0..Pattern::COUNT {
                let pattern = Pattern::from_index(index);
                if pattern.own() & pattern.opponent() == 0 && pattern.class() == pattern {
                    let played = if pattern.rim() == 0 { 0 } else { light };
                    *learned.turns_mut(pattern) = Turns { played, available: 10_000 };
                }
            }
            *learned.turns_mut(Pattern::new(1, 0, 0)) = Turns { played: 9000, available: 10_000 };
            let mut weights = weights_of(&Params::default(), &learned);
            weights.start_from(&board);
            weights.cap_bits = 13;
            weights.begin();
            let chosen = weights.choose(0, &empty, &mut Rng::new(1));
            (chosen, chosen.map(|cell| weights.weight(0, cell)))
        };
        assert_eq!(choose(0), (None, None));
        assert_eq!(choose(1).1, Some(1), "found by the sum");
    }
}
