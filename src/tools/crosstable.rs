//! The crosstable of a round robin as text.

use std::fmt::Write as _;

use crate::matches::round_robin::RoundRobin;

/// The crosstable as text: ratings, and the score of each player against each other.
pub fn text(robin: &RoundRobin) -> String {
    let (order, table) = (robin.order(), robin.table());
    let widest = robin.players.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let heads: String = (1..=order.len()).map(|number| format!("{number:>8}")).collect();
    writeln!(text, "{:widest$}     {:>14}{heads}", "player", "Elo")
        .expect("strings take everything");
    for (number, player) in order.iter().enumerate() {
        let rating = robin.ratings[*player];
        let cells: String = order
            .iter()
            .map(|other| {
                let tally = table[*player][*other];
                let rate = format!("{:.1}%", 100.0 * tally.rate());
                format!("{:>8}", if tally.games() == 0 { "-" } else { &rate })
            })
            .collect();
        let elo = format!("{:+.0} +- {:.0}", rating.elo, rating.error);
        let name = &robin.players[*player];
        writeln!(text, "{:>2}. {name:widest$} {elo:>14}{cells}", number + 1)
            .expect("strings take everything");
    }
    text
}
