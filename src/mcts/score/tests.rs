//! Scores against their formulas in double precision; uniform choice among ties; the same numbers on
//! every instruction set.

use super::*;
use crate::game::{DRAW, WIN};
use crate::tree::{RaveCount, Status, Tree};

const COUNTS: &[usize] =
    if cfg!(miri) { &[2, 9] } else { &[2, 3, 7, 8, 9, 15, 16, 17, 37, 61, 127, 217, 271] };
const BLOCKS: usize = if cfg!(miri) { 1 } else { 8 };

/// For rounding, and for a logarithm of four digits.
const TOLERANCE: f64 = 2e-3;

fn formulas() -> Vec<Params> {
    let mut formulas = Vec::new();
    let confidence = [Bound::Hoeffding, Bound::Bernstein, Bound::Tuned];
    let with_priors = [Bound::Hoeffding, Bound::Bernstein, Bound::Tuned, Bound::Puct];
    for (rave, bounds) in
        [(Rave::Off, &with_priors[..]), (Rave::Alpha, &confidence), (Rave::Beta, &confidence)]
    {
        for bound in bounds.iter().copied() {
            for exploration in [0.0, 0.4, 2.0] {
                for (child_trials, first_play) in [(0, 0.5), (0, 1.1), (1, 0.5), (4, 0.5)] {
                    let rave_weight = if rave == Rave::Alpha { 50.0 } else { 130.0 };
                    formulas.push(Params {
                        rave,
                        bound,
                        exploration,
                        child_trials,
                        first_play,
                        rave_weight,
                        ..Params::default()
                    });
                }
            }
        }
    }
    formulas
}

/// A tree whose root has `count` children with random statistics, some of them proven, at least one not;
/// and the visits of the root.
fn random_children(count: usize, rng: &mut Rng) -> (Tree, u32) {
    let mut tree = Tree::new(1 << 20);
    let handle = tree.add_children(None, 0..count as u16).expect("there is room");
    let block = tree.block_mut(handle);
    let scale = [3, 40, 5000, 1_000_000][rng.below(4) as usize];
    let unproven = rng.below(count as u32) as usize;
    for index in 0..count {
        let visits = if rng.below(5) == 0 { 0 } else { rng.below(scale) };
        let most_rave = RaveCount::FULL.min(20 * scale);
        let rave_visits = if rng.below(8) == 0 { 0 } else { 1 + rng.below(most_rave - 1) };
        block.visits[index] = visits;
        block.wins[index] = rng.below(Value::WIN.parts() * visits + 1);
        block.rave[index] = RaveCount::new(rave_visits, rng.below(2 * rave_visits + 1));
        if index != unproven && rng.below(4) == 0 {
            let values = [Status::WON, Status::DRAWN, Status::LOST];
            block.status[index] = values[rng.below(3) as usize];
        } else if rng.below(4) == 0 {
            block.status[index] = Status::new(DRAW, WIN);
        }
    }
    let visits = block.visits.iter().sum::<u32>() + 1;
    (tree, visits)
}

/// The score of a child by the formula; none if it is proven.
fn score_plainly(params: &Params, block: &Block, index: usize, visits: u32) -> Option<f64> {
    if block.status(index).is_proven() {
        return None;
    }
    if block.visits(index) < params.child_trials {
        return Some(f64::from(FIRST));
    }
    let (n, log) = (f64::from(block.visits(index)), f64::from(visits).ln());
    let rate = if n > 0.0 {
        f64::from(block.wins(index)) / (f64::from(Value::WIN.parts()) * n)
    } else {
        0.0
    };
    let weight = f64::from(params.rave_weight);
    let blended = |share: f64| {
        let rave_rate = block.rave(index).rate();
        let blended = rave_rate.map(|rave_rate| share * rave_rate + (1.0 - share) * rate);
        blended.or((n > 0.0).then_some(rate))
    };
    let value = match params.rave {
        Rave::Off => (n > 0.0).then_some(rate),
        Rave::Alpha => blended(weight / (weight + n)),
        Rave::Beta => blended((weight / (weight + 3.0 * n)).sqrt()),
    };
    let divisor = n.max(1.0);
    let bound = match params.bound {
        Bound::Hoeffding => (log / divisor).sqrt(),
        Bound::Bernstein => {
            (2.0 * rate * (1.0 - rate) * log / divisor).sqrt() + 3.0 * log / divisor
        }
        Bound::Tuned => {
            let variance = rate * (1.0 - rate) + (2.0 * log / divisor).sqrt();
            (log / divisor * variance.min(0.25)).sqrt()
        }
        Bound::Puct => {
            let prior = f64::from(block.rave(index).points()) / f64::from(RaveCount::PRIOR_ONE);
            prior * f64::from(visits).sqrt() / (1.0 + n)
        }
    };
    Some(value.unwrap_or(f64::from(params.first_play)) + f64::from(params.exploration) * bound)
}

/// The selected child, in a tree where the root's children are leaves.
fn choose(selector: &mut Selector, tree: &Tree, visits: u32, rng: &mut Rng) -> usize {
    let (mut path, mut line) = (Vec::new(), Vec::new());
    let children = tree.children().expect("children");
    let virtual_loss = VirtualLoss::None;
    let input =
        DescentInput { tree, children, visits, own_blocks: None, virtual_loss, rng, adjust: None };
    selector.descend(input, &mut path, &mut line);
    let index = path[0].index;
    assert_eq!(path, [NodeRef { block: children, index }]);
    assert_eq!(line, [Move::new(tree.block(children).moves[index] as usize)]);
    index
}

/// The scores of the children as bits.
fn scores_of(selector: &Selector, count: usize) -> Vec<u32> {
    selector.scores[..count].iter().map(|score| score.to_bits()).collect()
}

#[test]
fn the_child_chosen_has_the_best_score() {
    let mut rng = Rng::new(10);
    for params in formulas().into_iter().step_by(if cfg!(miri) { 7 } else { 1 }) {
        for count in COUNTS {
            for _ in 0..BLOCKS {
                let (tree, visits) = random_children(*count, &mut rng);
                let block = tree.block(tree.children().expect("children"));
                let scores: Vec<Option<f64>> = (0..*count)
                    .map(|index| score_plainly(&params, &block, index, visits))
                    .collect();
                let best = scores.iter().flatten().fold(f64::MIN, |a, b| a.max(*b));
                let mut found = Vec::new();
                for isa in Isa::available() {
                    let mut selector = Selector::new(isa, Formula::new(&params));
                    let mut rng = rng.clone();
                    let chosen = choose(&mut selector, &tree, visits, &mut rng);
                    let score = scores[chosen].expect("a child that is not proven");
                    let close = (best - score) / best.abs().max(1.0) < TOLERANCE;
                    assert!(close, "{score}, but the best is {best}: {params:?}");
                    // While a child lacks trials, no other score is computed.
                    let waits = best == f64::from(FIRST);
                    for (index, expected) in scores.iter().enumerate().filter(|_| !waits) {
                        let expected = expected.unwrap_or(f64::from(NEVER));
                        let difference = f64::from(selector.scores[index]) - expected;
                        let close = difference.abs() / expected.abs().max(1.0) < TOLERANCE;
                        assert!(close, "child {index}: {difference} off {expected}: {params:?}");
                    }
                    found.push((chosen, scores_of(&selector, *count), rng));
                }
                assert!(found.iter().all(|choice| *choice == found[0]), "{params:?}");
            }
        }
    }
}

/// The number of times that each child is selected.
fn choice_counts(params: &Params, tree: &Tree, visits: u32, draws: usize) -> Vec<usize> {
    let mut selector = Selector::new(Isa::best(), Formula::new(params));
    let mut rng = Rng::new(11);
    let mut counts = vec![0; tree.counts().nodes];
    (0..draws).for_each(|_| counts[choose(&mut selector, tree, visits, &mut rng)] += 1);
    counts
}

/// Equally good children are selected about equally often, all others never.
fn assert_spread(counts: &[usize], equal: &[usize], draws: usize) {
    for (index, times) in counts.iter().enumerate() {
        let expected = if equal.contains(&index) { draws / equal.len() } else { 0 };
        // The few draws under Miri only show which children are never selected.
        let allowed = if cfg!(miri) && expected > 0 { draws } else { expected / 2 };
        assert!(times.abs_diff(expected) <= allowed, "child {index}: {times}, not {expected}");
    }
}

#[test]
fn ties_are_spread_over_all_equal_children() {
    let draws = |equal: usize| if cfg!(miri) { 8 } else { 400 * equal };
    for name in ["flat", "uct", "rave", "rave130"] {
        let params = Params::preset(name).expect("a preset");
        for count in COUNTS {
            let mut tree = Tree::new(1 << 20);
            let handle = tree.add_children(None, 0..*count as u16).expect("there is room");
            let all: Vec<usize> = (0..*count).collect();
            assert_spread(&choice_counts(&params, &tree, 0, draws(*count)), &all, draws(*count));

            // Every third child is as good as before, the rest has visits without points.
            let block = tree.block_mut(handle);
            for index in (0..*count).filter(|index| index % 3 != 0) {
                block.visits[index] = 10;
                block.rave[index] = RaveCount::new(10, 0);
            }
            let equal: Vec<usize> = (0..*count).step_by(3).collect();
            let found = choice_counts(&params, &tree, 20, draws(equal.len()));
            assert_spread(&found, &equal, draws(equal.len()));
        }
    }
}

#[test]
fn young_nodes_choose_at_random_among_what_is_not_proven() {
    let params = Params { node_trials: 30, ..Params::default() };
    let mut rng = Rng::new(12);
    let (tree, _) = random_children(9, &mut rng);
    let block = tree.block(tree.children().expect("children"));
    let open: Vec<usize> = (0..9).filter(|index| !block.status(*index).is_proven()).collect();
    let draws = if cfg!(miri) { 20 } else { 4000 };
    assert_spread(&choice_counts(&params, &tree, 29, draws), &open, draws);
    let later = choice_counts(&params, &tree, 30, draws);
    assert_eq!(later.iter().filter(|times| **times > 0).count(), 1, "{later:?}");
}

#[test]
fn flat_search_takes_children_in_turn() {
    let params = Params::preset("flat").expect("a preset");
    for count in COUNTS {
        let mut tree = Tree::new(1 << 20);
        let handle = tree.add_children(None, 0..*count as u16).expect("there is room");
        let mut selector = Selector::new(Isa::best(), Formula::new(&params));
        let mut rng = Rng::new(13);
        for visits in 0..3 * *count as u32 {
            let index = choose(&mut selector, &tree, visits, &mut rng);
            tree.block_mut(handle).visits[index] += 1;
        }
        let block = tree.block(handle);
        assert!((0..block.count()).all(|index| block.visits(index) == 3));
    }
}

#[test]
fn an_only_child_is_chosen() {
    let mut tree = Tree::new(1 << 20);
    tree.add_children(None, 5..6).expect("there is room");
    let mut selector = Selector::new(Isa::best(), Formula::new(&Params::default()));
    assert_eq!(choose(&mut selector, &tree, 7, &mut Rng::new(1)), 0);
}

#[test]
fn logarithms_are_good_to_three_digits() {
    let mut rng = Rng::new(14);
    let step = if cfg!(miri) { 1001 } else { 1 };
    let powers = (0..32).flat_map(|bit| [1 << bit, (1u32 << bit).saturating_sub(1).max(1)]);
    let random = (0..10_000 / step).map(|_| 1 + rng.below(u32::MAX - 1)).collect::<Vec<_>>();
    for number in (1..100_000).step_by(step).chain(powers).chain([u32::MAX]).chain(random) {
        let (found, expected) = (f64::from(natural_logarithm(number)), f64::from(number).ln());
        assert!((found - expected).abs() < 1e-3, "ln {number} is {expected}, not {found}");
    }
    assert_eq!(natural_logarithm(1), 0.0);
}

/// Selection goes on to a leaf, also through blocks that are longer than the first one.
#[test]
fn the_way_down_ends_at_a_leaf() {
    let mut tree = Tree::new(1 << 20);
    let (mut place, mut visits) = (None, 5);
    let counts = [9, 1, 30, 8, 2];
    for count in counts {
        let block = tree.add_children(place, 0..count as u16).expect("there is room");
        // All but the last child are proven.
        for index in 0..count - 1 {
            tree.mark(&mut tree.allocator(0), NodeRef { block, index }, Status::LOST, 1);
        }
        place = Some(NodeRef { block, index: count - 1 });
        visits += 1;
    }
    for isa in Isa::available() {
        let mut selector = Selector::new(isa, Formula::new(&Params::default()));
        // The smallest buffer for the longest of these blocks.
        selector.scores = vec![NO_CHILD; 32];
        let (mut path, mut line) = (Vec::new(), Vec::new());
        let children = tree.children().expect("children");
        let rng = &mut Rng::new(1);
        let (own_blocks, virtual_loss) = (None, VirtualLoss::None);
        let input = DescentInput {
            tree: &tree,
            children,
            visits,
            own_blocks,
            virtual_loss,
            rng,
            adjust: None,
        };
        selector.descend(input, &mut path, &mut line);
        assert_eq!(path.iter().map(|place| place.index + 1).collect::<Vec<_>>(), counts);
        assert_eq!(path.last().copied(), place);
        assert_eq!(line.len(), counts.len());
    }
}
