//! What playouts of any game can learn: last good replies (`lgr`) and N-grams (`ngram`), from games as
//! `scripts` shows them.

pub mod lgr;
pub mod ngram;
pub mod scripts;
