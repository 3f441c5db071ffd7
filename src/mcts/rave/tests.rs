//! RAVE back-up against a plain loop: for every number of children and of words that a board can have,
//! on every instruction set of this processor.

use super::*;
use crate::bits::Isa;
use crate::game::MOVE_WORDS;
use crate::rng::Rng;

/// The most legal moves of a board.
const MOST_CHILDREN: usize = 271;

/// A random choice of `count` of the moves, in rising order.
fn some_of(moves: &[usize], count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut left = count;
    let is_chosen = |(at, _): &(usize, &usize)| {
        let chosen = (rng.below((moves.len() - at) as u32) as usize) < left;
        left -= usize::from(chosen);
        chosen
    };
    moves.iter().enumerate().filter(is_chosen).map(|(_, number)| *number).collect()
}

/// A random count: points from 0 to twice the visits. One in four is almost full.
fn random_count(rng: &mut Rng) -> RaveCount {
    let visits = match rng.below(4) {
        0 => RaveCount::FULL - 1 - rng.below(2),
        _ => rng.below(RaveCount::FULL),
    };
    RaveCount::new(visits, rng.below(2 * visits + 1))
}

/// A path down a tree, in a game with some legal moves. Every node on it has all remaining moves as
/// children, or some of them.
struct TreePath {
    tree: Tree,
    path: Vec<NodeRef>,
    line: Vec<Move>,
}

impl TreePath {
    fn new(legal: &[usize], has_all: bool, rng: &mut Rng) -> Self {
        let mut tree_path = Self { tree: Tree::new(1 << 20), path: Vec::new(), line: Vec::new() };
        let mut legal = legal.to_vec();
        for _ in 0..3.min(legal.len()) {
            let count =
                if has_all { legal.len() } else { 1 + rng.below(legal.len() as u32) as usize };
            let moves = some_of(&legal, count, rng);
            let numbers: Vec<u16> = moves.iter().map(|number| *number as u16).collect();
            let block = match tree_path.path.last() {
                Some(place) => tree_path.tree.expand(
                    &mut tree_path.tree.allocator(0),
                    *place,
                    &numbers,
                    |_| (),
                ),
                None => tree_path.tree.expand_root(&numbers, |_| ()),
            };
            let block = block.expect("there is room");
            tree_path.tree.block_mut(block).rave.fill_with(|| random_count(rng));
            let index = rng.below(count as u32) as usize;
            tree_path.path.push(NodeRef { block, index });
            tree_path.line.push(Move::new(moves[index]));
            legal.retain(|number| *number != moves[index]);
        }
        tree_path
    }

    /// The counts of all children along the path.
    fn counts(&self) -> Vec<Vec<RaveCount>> {
        let counts = |place: &NodeRef| {
            let block = self.tree.block(place.block);
            (0..block.count()).map(|index| block.rave(index)).collect()
        };
        self.path.iter().map(counts).collect()
    }

    fn set_counts(&mut self, counts: &[Vec<RaveCount>]) {
        for (place, counts) in self.path.iter().zip(counts) {
            self.tree.block_mut(place.block).rave.copy_from_slice(counts);
        }
    }

    /// The expected counts after the back-up, child by child.
    fn expected(
        &self,
        made: &[MoveWords; 2],
        gain: [RaveCount; 2],
        counted: RaveMoves,
        root_side: usize,
    ) -> Vec<Vec<RaveCount>> {
        let mut expected = self.counts();
        for (level, place) in self.path.iter().enumerate() {
            let moves = self.tree.block(place.block).moves;
            let to_move = (root_side + level) % 2;
            for (number, count) in moves.iter().zip(&mut expected[level]) {
                let (mut visits, mut points) = (count.visits(), count.points());
                for side in 0..2 {
                    let counts = counted == RaveMoves::Both || side == to_move;
                    if counts && contains(&made[side], *number as usize) {
                        visits += gain[side].visits();
                        points += gain[side].points();
                    }
                }
                *count = RaveCount::new(visits, points);
                if visits >= RaveCount::FULL {
                    *count = count.halved();
                }
            }
        }
        expected
    }
}

fn contains(moves: &MoveWords, number: usize) -> bool {
    moves[number / 64] & 1 << (number % 64) != 0
}

fn insert(moves: &mut MoveWords, number: usize) {
    moves[number / 64] |= 1 << (number % 64);
}

/// Compares for a game with `legal_count` legal moves in the first words. Returns whether a count was
/// halved.
fn check(words: usize, legal_count: usize, has_all: bool, rng: &mut Rng) -> bool {
    let numbers: Vec<usize> = (0..64 * words).collect();
    let legal = some_of(&numbers, legal_count, rng);
    let mut tree_path = TreePath::new(&legal, has_all, rng);
    // Stones from before the search count as made too. No cell has two stones.
    let mut made = [[0; MOVE_WORDS]; 2];
    for number in numbers {
        match rng.below(5) {
            0 | 1 => insert(&mut made[0], number),
            2 | 3 => insert(&mut made[1], number),
            _ => {}
        }
    }
    let points = rng.below(3);
    let gain = [RaveCount::new(1, points), RaveCount::new(1, 2 - points)];
    let counted = [RaveMoves::Own, RaveMoves::Both][rng.below(2) as usize];
    let root_side = rng.below(2) as usize;
    let before = tree_path.counts();
    let expected = tree_path.expected(&made, gain, counted, root_side);
    let is_left = |number: &usize| tree_path.line.iter().all(|next| next.number() != *number);
    let mut at_leaf = [0; MOVE_WORDS];
    legal.into_iter().filter(is_left).for_each(|number| insert(&mut at_leaf, number));
    for isa in Isa::available() {
        tree_path.set_counts(&before);
        isa.run_lanes(RaveBackUp {
            tree: &tree_path.tree,
            own_blocks: &OwnBlocks::default(),
            path: &tree_path.path,
            from_level: 0,
            line: &tree_path.line,
            legal: at_leaf,
            legal_count,
            words,
            made,
            gain,
            counted,
            root_side,
            squeezes: isa.can_squeeze(),
        });
        assert_eq!(tree_path.counts(), expected, "{isa}, {legal_count} moves, {words} words");
    }
    let pairs = before.iter().flatten().zip(expected.iter().flatten());
    pairs.into_iter().any(|(before, after)| after.visits() < before.visits())
}

fn check_words(words: usize, rng: &mut Rng) {
    let step = if cfg!(miri) { 45 } else { 1 };
    let mut halved = 0;
    for legal_count in (1..=MOST_CHILDREN.min(64 * words)).step_by(step) {
        halved += usize::from(check(words, legal_count, true, rng));
        halved += usize::from(check(words, legal_count, false, rng));
    }
    assert!(halved > 0);
}

#[test]
fn moves_made_count_for_the_children_they_lead_to() {
    let mut rng = Rng::new(9);
    (1..=MOVE_WORDS).for_each(|words| check_words(words, &mut rng));
}

#[test]
fn halving_keeps_a_count_possible() {
    for visits in RaveCount::FULL..=RaveCount::FULL + 1 {
        for points in [0, 1, visits, 2 * visits - 1, 2 * visits].map(|points| points.min(0xffff)) {
            let before = RaveCount::new(visits, points);
            let halved = before.halved();
            assert_eq!(halved.visits(), visits / 2);
            assert!(halved.points() <= 2 * halved.visits(), "{before:?} {halved:?}");
            assert!(halved.points().abs_diff(points / 2) <= 1, "{before:?} {halved:?}");
        }
    }
}

/// Gains that are gathered apart and added later give the same sum as direct additions, as long as no
/// count is full. If one is, the sum is still a possible count, and contains all that was gathered.
#[test]
fn what_is_gathered_is_added_up() {
    let cells = |counts: &[(u32, u32)]| -> Vec<AtomicU32> {
        counts.iter().map(|(visits, points)| RaveCount::new(*visits, *points).0.into()).collect()
    };
    let most = RaveCount::FULL - 1;
    let (own, all) = (
        cells(&[(0, 0), (3, 6), (64, 0), (64, 128), (1000, 2000)]),
        cells(&[(5, 1), (2, 1), (most, 2 * most), (most, 2 * most), (most - 999, 0)]),
    );
    gather(&own, &all, 1);
    let found: Vec<_> = all
        .iter()
        .map(|cell| RaveCount(cell.load(Relaxed)))
        .map(|count| (count.visits(), count.points()))
        .collect();
    let half = most / 2;
    let expected = [
        (5, 1),
        (5, 7),
        (half + 64, 2 * half),
        (half + 64, 2 * half + 128),
        ((most - 999) / 2 + 1000, 2000),
    ];
    assert_eq!(found, expected);
    assert!(own.iter().all(|cell| cell.load(Relaxed) == 0));

    // Leaves room for what other threads may add.
    let (own, all) = (cells(&[(3, 6), (4, 8)]), cells(&[(most - 5, 0), (most - 7, 0)]));
    gather(&own, &all, 3);
    let visits = all.iter().map(|cell| RaveCount(cell.load(Relaxed)).visits());
    assert_eq!(visits.collect::<Vec<_>>(), [(most - 5) / 2 + 3, (most - 7) / 2 + 4]);
    let (own, all) = (cells(&[(3, 6)]), cells(&[(most - 8, 0)]));
    gather(&own, &all, 3);
    assert_eq!(RaveCount(all[0].load(Relaxed)).visits(), most - 5);
}
