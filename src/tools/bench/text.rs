//! The report of the benches as text tables.

use super::Report;
use crate::tools::table::lay_out;

impl Report {
    /// The report as text tables.
    pub fn to_text(&self) -> String {
        let machine = &self.machine;
        let heading = [
            "base",
            "policy",
            "isa",
            "threads",
            "playouts/s",
            "ns/move",
            "length",
            "fork",
            "bridge",
            "ring",
            "draw",
            "first",
            "x floor",
            "x baseline",
            "x random",
            "x 1 thread",
        ];
        let ratio =
            |ratio: Option<f64>| ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}"));
        let percent = |share: f64| format!("{:.2}%", 100.0 * share);
        let rows = self.playout.iter().map(|row| {
            vec![
                row.size.to_string(),
                row.policy.to_string(),
                row.isa.to_string(),
                row.threads.to_string(),
                format!("{:.0}", row.per_second),
                format!("{:.2}", row.ns_per_move),
                format!("{:.2}", row.mean_length),
                percent(row.fork),
                percent(row.bridge),
                percent(row.ring),
                percent(row.draw),
                percent(row.first_player),
                format!("{:.2}", row.floor_ratio),
                ratio(row.baseline_ratio),
                ratio(row.random_ratio),
                ratio(row.scaling),
            ]
        });
        let midgame_heading = [
            "base",
            "isa",
            "games",
            "stones",
            "random/s",
            "mate/s",
            "mate x random",
            "random start ns",
            "mate start ns",
        ];
        let midgame = self.midgame.iter().map(|row| {
            vec![
                row.size.to_string(),
                row.isa.to_string(),
                row.games.to_string(),
                row.stones.to_string(),
                format!("{:.0}", row.random_per_second),
                format!("{:.0}", row.mate_per_second),
                format!("{:.2}", row.mate_ratio),
                format!("{:.0}", row.random_start_ns),
                format!("{:.0}", row.mate_start_ns),
            ]
        });
        let policy_heading = ["base", "policy", "isa", "playouts/s", "x random"];
        let policies = self.policies.iter().map(|row| {
            vec![
                row.size.to_string(),
                row.policy.to_string(),
                row.isa.to_string(),
                format!("{:.0}", row.per_second),
                format!("{:.2}", row.random_ratio),
            ]
        });
        let search_heading = [
            "base",
            "preset",
            "isa",
            "iterations/s",
            "x playouts",
            "nodes/s",
            "bytes/node",
            "select",
            "expand",
            "playout",
            "back up",
        ];
        let search = self.search.iter().map(|row| {
            vec![
                row.size.to_string(),
                row.preset.to_string(),
                row.isa.to_string(),
                format!("{:.0}", row.per_second),
                format!("{:.2}", row.playout_ratio),
                format!("{:.0}", row.nodes_per_second),
                format!("{:.1}", row.bytes_per_node),
                percent(row.select_share),
                percent(row.expand_share),
                percent(row.playout_share),
                percent(row.backup_share),
            ]
        });
        let parallel_heading = [
            "base",
            "preset",
            "parallel",
            "threads",
            "playouts/s",
            "x 1 thread",
            "select",
            "expand",
            "playout",
            "back up",
        ];
        let parallel = self.parallel.iter().map(|row| {
            vec![
                row.size.to_string(),
                row.preset.to_string(),
                row.parallel.clone(),
                row.threads.to_string(),
                format!("{:.0}", row.per_second),
                format!("{:.2}", row.scaling),
                percent(row.select_share),
                percent(row.expand_share),
                percent(row.playout_share),
                percent(row.backup_share),
            ]
        });
        let parallel = parallel.collect::<Vec<_>>();
        let with_threads = if parallel.is_empty() {
            String::new()
        } else {
            let rows = lay_out(&parallel_heading, &parallel);
            format!("\nSearch with several threads, from the empty board\n{rows}")
        };
        let code = machine
            .code_bytes
            .map_or(String::new(), |bytes| format!(" ({:.1} MB of code)", bytes as f64 / 1e6));
        format!(
            "ciclon {}{code} on {} ({} cores, {})\n\nFrom the empty board\n{}\nFrom the middle of the game\n{}\nWith policies, from the empty board\n{}\nSearch from the empty board\n{}{with_threads}",
            machine.version,
            machine.processor,
            machine.cores,
            machine.instruction_sets.join(", "),
            lay_out(&heading, &rows.collect::<Vec<_>>()),
            lay_out(&midgame_heading, &midgame.collect::<Vec<_>>()),
            lay_out(&policy_heading, &policies.collect::<Vec<_>>()),
            lay_out(&search_heading, &search.collect::<Vec<_>>()),
        )
    }
}
