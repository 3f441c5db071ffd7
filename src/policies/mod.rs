//! What playouts of any game can learn: last good replies (`lgr`) and N-grams (`ngram`), from games as
//! `games` shows them.

pub mod games;
pub mod lgr;
pub mod ngram;
