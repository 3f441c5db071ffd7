//! Tables that learn: what games teach, to which side, and which moves are asked for.

use super::*;
use crate::policies::games::SequentialGame;

const SPAN: usize = 64;
const LEGAL: [u8; SPAN] = [1; SPAN];

fn params(settings: &[&str]) -> Params {
    let mut params = Params::default();
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

fn tables(settings: &[&str]) -> NGrams {
    NGrams::new(&params(settings), SPAN).expect("tables")
}

fn script(moves: &[u16], winner: Option<usize>) -> SequentialGame<'_> {
    SequentialGame { moves, line: 1, first_side: 0, winner }
}

fn best(of: &mut NGrams, side: usize, before: usize, last: usize) -> Option<usize> {
    of.best(side, Context { before, last }, &LEGAL, 1, &mut Rng::new(1))
}

#[test]
fn a_reply_that_wins_more_is_preferred_by_the_side_that_played_it() {
    let mut table = tables(&["ngram=1"]);
    // Side 1 answers 3 by 4 (one win of two) and by 5 (one of one).
    table.learn(&script(&[3, 4, 9], Some(1)));
    table.learn(&script(&[3, 4, 9], Some(0)));
    table.learn(&script(&[3, 5, 9], Some(1)));
    assert_eq!(best(&mut table, 1, SPAN, 3), Some(5));
    assert_eq!(best(&mut table, 0, SPAN, 3), None, "side 0 never replied to 3");
    assert_eq!(best(&mut table, 0, 3, 4), Some(9));
    assert_eq!(best(&mut table, 0, SPAN, SPAN), Some(3), "the move of the tree counts");
    let mut legal = LEGAL;
    legal[5] = 0;
    let context = Context { before: SPAN, last: 3 };
    assert_eq!(table.best(1, context, &legal, 1, &mut Rng::new(1)), Some(4));
    legal[4] = 0;
    assert_eq!(table.best(1, context, &legal, 1, &mut Rng::new(1)), None);
}

#[test]
fn two_moves_of_context_fall_back_to_one_move_by_move() {
    let mut table = tables(&["ngram=2"]);
    // After 3 alone: 7 won once, 8 lost once. After 1, 3: 8 won.
    table.learn(&script(&[2, 3, 7], Some(0)));
    table.learn(&script(&[2, 3, 8], Some(1)));
    table.learn(&script(&[1, 3, 8], Some(0)));
    table.learn(&script(&[1, 3, 7], Some(1)));
    assert_eq!(best(&mut table, 0, 1, 3), Some(8));
    assert_eq!(best(&mut table, 0, 2, 3), Some(7));
    // A context that was never seen has the rates after 3 alone: both a half.
    let (context, mut rng) = (Context { before: 4, last: 3 }, Rng::new(1));
    let mut draw = || table.best(0, context, &LEGAL, 1, &mut rng).expect("known");
    let sevens = (0..1000).filter(|_| draw() == 7).count();
    assert!((400..600).contains(&sevens), "{sevens}");
    assert!((0..100).all(|_| [7, 8].contains(&draw())));
}

#[test]
fn the_average_weighs_both_contexts_alike() {
    let mut table = tables(&["ngram=average"]);
    // 7 after 3: 2 of 3; after 1, 3: 0 of 1: a third. 8 after 3: 1 of 2; after 1, 3: 1 of 2.
    table.learn(&script(&[2, 3, 7], Some(0)));
    table.learn(&script(&[2, 3, 7], Some(0)));
    table.learn(&script(&[1, 3, 7], Some(1)));
    table.learn(&script(&[1, 3, 8], Some(0)));
    table.learn(&script(&[1, 3, 8], Some(1)));
    let context = Context { before: 1, last: 3 };
    let value = |number| table.value(0, context, number).expect("known");
    assert!((value(7) - 1.0 / 3.0).abs() < 1e-3 && (value(8) - 0.5).abs() < 1e-3);
    assert_eq!(table.value(0, context, 9), None);
    assert_eq!(best(&mut table, 0, 1, 3), Some(8));
}

#[test]
fn mast_has_no_context_and_a_draw_is_half_a_win() {
    let mut table = tables(&["ngram=mast"]);
    table.learn(&script(&[1, 2, 3, 4], None));
    table.learn(&script(&[5, 6, 7, 8], Some(0)));
    table.learn(&script(&[9, 2], Some(0)));
    // 5, 7 and 9 always won: each is drawn, and neither 1 nor 3, which drew.
    let (context, mut rng) = (Context { before: SPAN, last: SPAN }, Rng::new(1));
    let mut drawn: Vec<usize> =
        (0..100).filter_map(|_| table.best(0, context, &LEGAL, 1, &mut rng)).collect();
    assert_eq!(drawn.len(), 100);
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn, [5, 7, 9]);
    assert_eq!(best(&mut table, 1, SPAN, 7), Some(4), "2 has a quarter, 4 a half");
}

#[test]
fn seldom_played_moves_do_not_reach_the_threshold() {
    let mut table = tables(&["ngram=1", "ngram_threshold=2"]);
    table.learn(&script(&[3, 4], Some(1)));
    assert_eq!(best(&mut table, 1, SPAN, 3), None);
    table.learn(&script(&[3, 4], Some(0)));
    assert_eq!(best(&mut table, 1, SPAN, 3), Some(4));
}

#[test]
fn counts_decay_from_turn_to_turn() {
    for kind in ["1", "2", "mast"] {
        let kind = format!("ngram={kind}");
        let mut table = tables(&[&kind, "ngram_decay=0.5", "ngram_threshold=1.5"]);
        table.learn(&script(&[3, 4], Some(1)));
        table.learn(&script(&[3, 4], Some(1)));
        assert_eq!(best(&mut table, 1, SPAN, 3), Some(4));
        table.age();
        assert_eq!(best(&mut table, 1, SPAN, 3), None, "two plays have become one");
        table.learn(&script(&[3, 4], Some(1)));
        assert_eq!(best(&mut table, 1, SPAN, 3), Some(4));

        let mut table = tables(&[&kind]);
        table.learn(&script(&[3, 4], Some(1)));
        table.age();
        assert_eq!(best(&mut table, 1, SPAN, 3), None, "nothing is left");
    }
}

#[test]
fn what_does_not_fit_is_not_learned() {
    let mut table = tables(&["ngram=2"]);
    // Room for a list or two, and for no row.
    let sparse = || Sparse::new((SPAN + 1) * (SPAN + 1), SPAN, 600);
    table.sparse = Some([sparse(), sparse()]);
    for last in 10..40 {
        table.learn(&script(&[1, 2, last, 4, 5, 6], Some(0)));
    }
    assert_eq!(table.value(0, Context { before: 1, last: 2 }, 13), Some(1.0));
    let sparse = table.sparse.as_ref().expect("there are");
    let counts = sparse.each_ref().map(Sparse::counts);
    assert!(counts.iter().all(|(lists, rows)| *lists < 5 && *rows == 0), "{counts:?}");
}

#[test]
fn lists_become_rows() {
    let mut table = tables(&["ngram=2"]);
    for number in 5..40 {
        // Even ones won once of twice, odd ones never.
        table.learn(&script(&[1, 2, number], Some(1)));
        table.learn(&script(&[1, 2, number], Some(usize::from(number % 2))));
    }
    table.learn(&script(&[1, 2, 22], Some(0)));
    assert_eq!(best(&mut table, 0, 1, 2), Some(22));
    let value = table.value(0, Context { before: 1, last: 2 }, 22).expect("known");
    assert!((value - 2.0 / 3.0).abs() < 1e-3, "{value}");
    let sparse = table.sparse.as_ref().expect("there are");
    assert_eq!(sparse[0].counts().1, 1);
    table.age();
    assert_eq!(best(&mut table, 0, 1, 2), None);
    assert_eq!(table.sparse.as_ref().expect("there are")[0].counts(), (0, 0));
}

/// How often each of the numbers drawn comes up, as a check of a uniform distribution: chi-squared
/// below its 99.99 % quantile for up to four values.
fn assert_uniform(counts: &[u32]) {
    let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let chi: f64 = counts.iter().map(|count| (f64::from(*count) - mean).powi(2) / mean).sum();
    assert!(chi < 21.1, "{counts:?}");
}

#[test]
fn equal_ranks_are_drawn_uniformly() {
    let mut rng = Rng::new(3);
    for places in [&[0, 1, 2][..], &[5, 70, 200, 301], &[63, 64]] {
        let mut ranks = [1_u16; 320];
        places.iter().for_each(|place| ranks[*place] = 9);
        let mut counts = vec![0; places.len()];
        for _ in 0..30_000 {
            let drawn = highest_legal(&ranks, &[1; 320], 1, &mut rng).expect("there are some");
            counts[places.iter().position(|place| *place == drawn).expect("a highest")] += 1;
        }
        assert_uniform(&counts);
    }
    // Of four steps, three won once each: the fourth is illegal and won as well.
    let mut table = NGrams::of_steps(&params(&["ngram=1"]), SPAN, 8).expect("tables");
    let around = [2, 11, 18, 9];
    around.iter().for_each(|number| table.learn(&script(&[10, *number], Some(1))));
    let context = Context { before: SPAN, last: 10 };
    for legal in [0b0111, 0b1101, 0b1010, 0b1111_u8] {
        let mut counts = [0; 4];
        for _ in 0..30_000 {
            let drawn = table.best_of(1, context, around, legal, &mut rng).expect("known");
            counts[around.iter().position(|way| usize::from(*way) == drawn).expect("a way")] += 1;
        }
        let legal: Vec<u32> =
            (0..4).filter(|way| legal >> way & 1 == 1).map(|way| counts[way]).collect();
        assert_eq!(legal.iter().sum::<u32>(), 30_000);
        assert_uniform(&legal);
    }
}

#[test]
fn of_equal_ranks_every_one_is_found() {
    let ranks: Vec<u16> = (0..384).map(|at| [3, 9, 9, 1, 7][at % 5]).collect();
    let legal: Vec<u8> = (0..384).map(|at| u8::from(at % 10 == 7 || at % 5 == 0)).collect();
    let mut rng = Rng::new(1);
    let mut found: Vec<usize> =
        (0..2000).filter_map(|_| highest_legal(&ranks, &legal, 1, &mut rng)).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, (0..384).filter(|at| at % 10 == 7).collect::<Vec<_>>());
    assert_eq!(highest_legal(&[0; 64], &[1; 64], 1, &mut rng), None);
    assert_eq!(highest_legal(&[5; 64], &[0; 64], 1, &mut rng), None);
}
