//! Biases, ULM and widening on blocks whose statistics are written down by hand.

use super::*;
use crate::bits::Isa;
use crate::game::Position;
use crate::havannah::Board;
use crate::havannah::playout::taught_leaf_work;
use crate::tree::{Handle, NodeRef, Status, Tree};

/// Twelve children with moves 10 to 21: child `i` has `10 i` visits and `10 i` points, so half of
/// them are losses.
fn children() -> (Tree, Handle) {
    let mut tree = Tree::new(1 << 20);
    let handle = tree.add_children(None, 10..22).expect("room");
    let block = tree.block_mut(handle);
    for index in 0..12 {
        block.visits[index] = 10 * index as u32;
        block.wins[index] = 10 * Value::PARTS * index as u32;
    }
    (tree, handle)
}

fn params(settings: &[&str]) -> Params {
    let mut params = Params::default();
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

/// The scores of the children, all 1 before they are steered.
fn scores(
    params: &Params,
    leaves: &dyn LeafWork,
    history: &History,
    tree: &Tree,
    visits: u32,
    line: &[Move],
) -> Vec<f32> {
    let values = &mut Vec::new();
    let mut bias = ScoreBias { params, leaves, history, root_side: 0, values };
    let mut scores = vec![1.0; 16];
    let block = tree.block(tree.children().expect("children"));
    bias.adjust(&block, visits, line, &mut scores);
    assert!(scores[12..].iter().all(|score| *score == 1.0));
    scores.truncate(12);
    scores
}

fn board() -> Board {
    Board::new(4).expect("a base")
}

fn plain(params: &Params) -> Box<dyn LeafWork> {
    board().leaf_work(Isa::best(), params)
}

#[test]
fn history_is_what_the_side_got_from_the_move_over_one_more_than_the_losses() {
    let params = params(&["history_weight=8"]);
    let mut history = History::new(64);
    // Side 0 won with 13 and lost with it once; side 1 lost with 12.
    for (moves, rewards) in [([&[13][..], &[12]], [1.0, 0.0]), ([&[13, 14], &[]], [0.0, 1.0])] {
        (0..2).for_each(|side| history.add(side, moves[side], rewards[side]));
    }
    let (tree, _) = children();
    let of_side_0 = scores(&params, &*plain(&params), &history, &tree, 600, &[]);
    // Child 3 is move 13: rate 1/2, 15 losses.
    assert!((of_side_0[3] - (1.0 + 8.0 * 0.5 / 16.0)).abs() < 1e-6);
    assert!(of_side_0.iter().enumerate().all(|(index, score)| index == 3 || *score == 1.0));
    let of_side_1 = scores(&params, &*plain(&params), &history, &tree, 600, &[Move::new(9)]);
    assert!(of_side_1.iter().all(|score| *score == 1.0), "12 was worth nothing to side 1");
}

#[test]
fn losses_are_of_real_visits() {
    let (mut tree, handle) = children();
    let block = tree.block(handle);
    assert!((losses(&block, 4) - 20.0).abs() < 1e-6);
    let mut tree_with_priors = Tree::new(1 << 20);
    let handle = tree_with_priors.add_children(None, 0..3).expect("room");
    tree_with_priors.block_mut(handle).set_priors(40, [80, 0, 40].into_iter());
    let block = tree_with_priors.block_mut(handle);
    block.visits[1] += 10;
    let block = tree_with_priors.block(handle);
    assert_eq!(losses(&block, 0), 0.0);
    assert_eq!(losses(&block, 1), 10.0, "ten real visits, all lost");
    assert_eq!(losses(&block, 2), 0.0, "prior visits are no losses");
    tree.clear();
}

/// Playouts that know 2- and 3-grams of some moves: after move 9, move 13 won and 14 lost.
fn with_ngrams(params: &Params) -> Box<dyn LeafWork> {
    let game = |(number, winner)| ([Move::new(9), Move::new(number)], winner);
    taught_leaf_work(&board(), params, &[(13, 1), (14, 0), (13, 1)].map(game))
}

#[test]
fn bias_is_the_ngram_value_around_that_of_a_draw_over_one_more_than_the_losses() {
    let params = params(&["bias_weight=10"]);
    let (tree, _) = children();
    let history = History::new(0);
    let found = scores(&params, &*with_ngrams(&params), &history, &tree, 600, &[Move::new(9)]);
    assert!((found[3] - (1.0 + 10.0 * 0.5 / 16.0)).abs() < 1e-3, "13 won: {found:?}");
    assert!((found[4] - (1.0 - 10.0 * 0.5 / 21.0)).abs() < 1e-3, "14 lost: {found:?}");
    let mut others = found.iter().enumerate().filter(|(index, _)| ![3, 4].contains(index));
    assert!(others.all(|(_, score)| *score == 1.0), "nothing is known of them: {found:?}");
}

#[test]
fn ulm_takes_the_best_child_without_visits() {
    let history = History::new(0);
    let (mut tree, handle) = children();
    for (setting, best) in [("ulm=unvisited", 4), ("ulm=all", 3)] {
        let params = params(&[setting]);
        // 14, of no visits, lost; 13, with visits, won.
        tree.block_mut(handle).visits[4] = 0;
        let line = [Move::new(9)];
        let found = scores(&params, &*with_ngrams(&params), &history, &tree, 600, &line);
        let highest = found.iter().copied().fold(f32::MIN, f32::max);
        assert_eq!(found[best], highest, "{setting}: {found:?}");
        assert_eq!(found.iter().filter(|score| **score == highest).count(), 1, "{found:?}");
        // Where nothing is known, scores stay.
        let unknown = scores(&params, &*with_ngrams(&params), &history, &tree, 600, &[]);
        assert!(unknown.iter().all(|score| *score == 1.0), "{setting}: {unknown:?}");
    }
}

#[test]
fn widening_lets_children_in_bit_by_bit() {
    let history = History::new(0);
    let (tree, handle) = children();
    let let_in = |tree: &Tree, settings: &[&str], visits: u32| {
        let params = params(settings);
        let found = scores(&params, &*plain(&params), &history, tree, visits, &[Move::new(9)]);
        (0..12).filter(|index| found[*index] == 1.0).collect::<Vec<_>>()
    };
    let wins = ["widening=wins", "widening_start=100", "widening_span=1200"];
    assert_eq!(let_in(&tree, &wins, 99).len(), 12);
    assert_eq!(let_in(&tree, &wins, 100), (4..12).collect::<Vec<_>>(), "the most wins");
    assert_eq!(let_in(&tree, &wins, 1100), (2..12).collect::<Vec<_>>());
    assert_eq!(let_in(&tree, &wins, 1300).len(), 12);

    let random = ["widening=random", "widening_span=1200"];
    let first = let_in(&tree, &random, 0);
    assert_eq!(first.len(), LEAST_CHILDREN);
    assert_ne!(first, (4..12).collect::<Vec<_>>(), "in no order of wins or moves");
    assert_ne!(first, (0..8).collect::<Vec<_>>());
    let more = let_in(&tree, &random, 1000);
    assert!(more.len() == 10 && first.iter().all(|index| more.contains(index)));

    // Proven children take no place.
    tree.mark(&mut tree.allocator(0), NodeRef { block: handle, index: 11 }, Status::LOST, 1);
    assert_eq!(let_in(&tree, &wins, 100), (3..12).collect::<Vec<_>>());
}
