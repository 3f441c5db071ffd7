//! What playouts learn, how many there are, and how they count, in both games.

macro_rules! rows {
    ([$next:path $(, $rest:path)*] $($before:tt)*) => { $next! { [$($rest),*] $($before)*

    Playout in Both {
        playouts: u32 = 1, 1..=1000,
            "playouts for each visit of a leaf (a limit in playouts is kept to the visit)",
            "Nahue 2014 §5.6";
        playout_cut: u32 = 0, 0..=271,
            "plies after which a playout is broken off as a draw (0: never)",
            "Lorentz 2010 §2";
        ties_win: bool = false, (),
            "a drawn playout counts as a win for the side that searches",
            "Nahue 2014 ch. 4";
        lgr: LastGoodReply = LastGoodReply::Off, (),
            "last good replies to one or two moves, with or without forgetting",
            "Stankiewicz 2011 §2.2.4";
        lgr_keep: bool = true, (),
            "replies are kept from turn to turn",
            "Stankiewicz 2011 §4.3";
        lgr_compare: bool = false, (),
            "moves of a draw become replies too, and a reply gives way only to a better one",
            "Laschet 2012 §3.2";
        ngram: NGram = NGram::Off, (),
            "moves of the highest win rate in their context: the move alone (MAST), after one move (NAST2) or two",
            "Stankiewicz 2011 §2.2.5; Duguépéroux 2016 §3.2";
        ngram_epsilon: f32 = 0.1, 0.0..=1.0,
            "probability of a default move instead",
            "Stankiewicz 2011 §3.6";
        ngram_decay: f32 = 0.0, 0.0..=1.0,
            "gamma: what is left of the counts from one turn to the next",
            "Stankiewicz 2011 §2.2.5";
        ngram_threshold: f32 = 0.0, 0.0..=1000.0,
            "T: an N-gram that was played less often is not considered",
            "Stankiewicz 2011 §4.4.1";
    }

    Playout in Tron {
        leaf_mix: f32 = 0.0, 0.0..=1.0,
            "lambda: the weight of the game's own evaluation in the value of a leaf, beside a playout (1: no playouts)",
            "Silver et al. 2016";
    }

    } };
}

pub(super) use rows;
