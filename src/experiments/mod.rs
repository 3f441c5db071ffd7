//! The experiments of the sources: what was compared, how, and what came out.
//!
//! `catalogue` has one entry for each table, read from the text files beside it, with a `figure` for
//! each row; `trial` plays a row of one, `report` puts our figures beside the paper's; `sweep` varies
//! one parameter, and `tune` looks for the best values of several. `parts` are the logs of what is played
//! in parts.

pub mod catalogue;
pub mod figure;
mod parts;
pub mod report;
pub mod sweep;
pub mod trial;
pub mod tune;
