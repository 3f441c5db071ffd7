//! What Tron has because both sides move at once and the space that is left can be counted.

macro_rules! rows {
    ([$next:path $(, $rest:path)*] $($before:tt)*) => { $next! { [$($rest),*] $($before)*

    Tron in Tron {
        stacked: bool = false, (),
            "where sides move at once: both choose at a node, each by counts of its own",
            "Lanctot, Wittlinger, Winands and den Teuling 2013";
        ngram_sequence: bool = false, (),
            "where sides move at once: N-grams are taken as if they moved in turn",
            "Laschet 2012 §5.2";
        separation_cut: bool = false, (),
            "Tron: when the players are separated, the space they have decides, in the tree and in playouts",
            "Laschet 2012 §5.5";
        leaf_value: bool = false, (),
            "playouts are broken off after playout_cut plies, and the game's own evaluation judges (Tron)",
            "Bošanský, Lisý, Lanctot, Čermák and Winands 2016";
    }

    } };
}

pub(super) use rows;
