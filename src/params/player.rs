//! What a player does besides searching.

macro_rules! rows {
    ([$next:path $(, $rest:path)*] $($before:tt)*) => { $next! { [$($rest),*] $($before)*

    Player in Havannah {
        ponder: bool = false, (),
            "go on searching while the opponent thinks",
            "";
        pie: bool = false, (),
            "the pie rule: the second player may take the first stone instead of moving",
            "Lorentz 2010 §5";
        resign: f32 = 0.0, 0.0..=0.5,
            "resign when lost for certain, or when the win rate stays below this (0: never)",
            "";
        resign_streak: u32 = 10, 1..=271,
            "own moves in a row with a lower win rate before the engine resigns",
            "";
    }

    } };
}

pub(super) use rows;
