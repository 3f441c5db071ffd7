//! The presets: the players of the papers, and the one that plays tournaments.

use super::{
    EdgePrior, FinalMove, LastGoodReply, Locality, NGram, ParamError, Params, PlayoutPolicy, Rave,
    RaveMoves, Selection, Widening,
};

impl Params {
    /// The presets for Havannah and what they are.
    pub const PRESETS: [(&'static str, &'static str); 9] = [
        ("flat", "flat Monte-Carlo: WandererMC (Nahue 2014 §1.2)"),
        ("uct", "plain UCT: the improved WandererUCT (Nahue 2014 table 4.13)"),
        (
            "rave",
            "UCT with RAVE and an early mate check: what techniques are measured against here",
        ),
        ("rave130", "RAVE with R = 130, K = 0, random playouts (Duguépéroux 2016, baseline)"),
        (
            "stankiewicz",
            "RAVE with Havannah-Mate and nothing else (Stankiewicz 2011 §4.1, baseline)",
        ),
        (
            "stankiewicz-best",
            "rave with joint and neighbour priors, LGRF-2 and N-gram1 (Stankiewicz 2011, table 4.15)",
        ),
        ("ppr", "rave130 with playout pruning (Duguépéroux 2016 §4)"),
        ("lorentz", "UCT with mates, locality, priors, widening, killer RAVE (Lorentz 2010)"),
        ("tournament", "the strongest that was measured here"),
    ];

    /// The presets for Tron alone.
    pub const TRON_PRESETS: [(&'static str, &'static str); 2] = [
        ("laschet", "Tron: plain UCT with C = 10, T = 30, secure child (Laschet 2012 §5)"),
        ("alpha-beta", "Tron: alpha-beta on territory, without playouts (Laschet 2012 §6)"),
    ];

    /// Every preset and what it is.
    pub fn all_presets() -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::PRESETS.into_iter().chain(Self::TRON_PRESETS)
    }

    /// What plays when nothing is said.
    pub const DEFAULT_PRESET: &'static str = "tournament";

    /// The settings of a preset.
    pub fn preset(name: &str) -> Result<Self, ParamError> {
        let defaults = Self::default();
        Ok(match name {
            "flat" => Self {
                selection: Selection::Flat,
                rave: Rave::Off,
                policy: PlayoutPolicy::Random,
                final_move: FinalMove::Max,
                ..defaults
            },
            "uct" => Self {
                exploration: 0.5,
                expand_after: 5,
                child_trials: 1,
                rave: Rave::Off,
                policy: PlayoutPolicy::Random,
                ties_win: true,
                final_move: FinalMove::Max,
                ..defaults
            },
            "rave" => defaults,
            "rave130" => Self {
                exploration: 0.0,
                child_trials: 1,
                rave: Rave::Beta,
                rave_weight: 130.0,
                rave_moves: RaveMoves::Both,
                policy: PlayoutPolicy::Random,
                ..defaults
            },
            // One node is added in each simulation (§2.1.2). A solver is spoken of, but not said to be
            // used (§2.1.4), and a winning move has 1,000 prior wins (§3.7.3), which no one needs who sees
            // it; keeping the tree and the rule for the final move are not in the text.
            "stankiewicz" => Self {
                policy: PlayoutPolicy::Random,
                havannah_mate: true,
                expand_after: 1,
                reuse_tree: false,
                proofs: false,
                look_ahead: false,
                symmetry_plies: 0,
                ..defaults
            },
            "stankiewicz-best" => Self {
                prior_joint: true,
                lgr: LastGoodReply::TwoForgetting,
                ngram: NGram::One,
                ..defaults
            },
            "ppr" => Self { ppr: true, expand_after: 1, ..Self::preset("rave130")? },
            "lorentz" => Self {
                policy: PlayoutPolicy::Mate,
                locality: Locality::Near,
                prior_joint: true,
                widening: Widening::Wins,
                rave: Rave::Alpha,
                killer_rave: true,
                // The highest win rate may be one that is all prior.
                final_move: FinalMove::Robust,
                ..Self::preset("uct")?
            },
            // Rewards of the paper are from -1 to 1: on a scale from 0 to 1, C and A are half as large.
            "laschet" => Self {
                exploration: 5.0,
                node_trials: 30,
                expand_after: 0,
                rave: Rave::Off,
                policy: PlayoutPolicy::Random,
                proofs: false,
                // Nothing is said of resetting the tables from turn to turn.
                ngram_epsilon: 0.3,
                ngram_decay: 1.0,
                final_move: FinalMove::Secure,
                secure_a: 0.5,
                ..defaults
            },
            // Each part was measured against the player without it (docs/experiments.md). The three priors
            // are those of Stankiewicz 2011 with two fifths of their visits.
            "tournament" => Self {
                exploration: 0.0,
                rave: Rave::Beta,
                rave_weight: 130.0,
                rave_moves: RaveMoves::Both,
                bridge_reply: true,
                lgr: LastGoodReply::TwoForgetting,
                ngram: NGram::One,
                prior_joint: true,
                prior_joint_visits: 16,
                prior_joint_wins: 12,
                prior_neighbour_wins: 16,
                prior_other_wins: 2,
                prior_local: true,
                prior_local_visits: 12,
                prior_local_wins: 4,
                prior_edge: EdgePrior::Chains,
                prior_edge_visits: 12,
                prior_edge_wins: 4,
                ..defaults
            },
            "alpha-beta" => Self {
                selection: Selection::AlphaBeta,
                rave: Rave::Off,
                policy: PlayoutPolicy::Random,
                ..defaults
            },
            _ => return Err(ParamError::UnknownPreset(name.to_string())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Games, Row};
    use super::*;

    #[test]
    fn presets_are_for_the_games_they_say() {
        for (name, _) in Params::all_presets() {
            let params = Params::preset(name).expect("a preset");
            assert_eq!(params.for_havannah().is_err(), name == "alpha-beta", "{name}");
        }
        for (name, _) in Params::TRON_PRESETS {
            assert!(Params::preset(name).and_then(Params::for_tron).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_havannah_cannot_do_is_named() {
        let params = Params { selection: Selection::AlphaBeta, ..Params::default() };
        let error = params.for_havannah().expect_err("no playouts");
        assert_eq!(
            error.to_string(),
            "'alpha_beta' is no value for selection (in Havannah: tree, flat)"
        );
        for name in ["ngram_sequence", "separation_cut", "stacked", "leaf_value"] {
            let mut params = Params::default();
            params.set(name, "true").expect("a value");
            let error = params.for_havannah().expect_err(name);
            let expected = format!("'true' is no value for {name} (in Havannah: false)");
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn what_tron_cannot_do_is_named() {
        for (setting, expected) in [
            ("rave=beta", "'beta' is no value for rave (in Tron: off)"),
            ("policy=mate", "'mate' is no value for policy (in Tron: random)"),
            ("ring_fill=0.5", "'0.5' is no value for ring_fill (in Tron: 1)"),
            ("prior_edge=chains", "'chains' is no value for prior_edge (in Tron: off)"),
            ("bridge_reply=true", "'true' is no value for bridge_reply (in Tron: false)"),
            ("widening=wins", "'wins' is no value for widening (in Tron: off)"),
            ("pie=true", "'true' is no value for pie (in Tron: false)"),
            ("symmetry_plies=0", "'0' is no value for symmetry_plies (in Tron: 2)"),
            ("rave_weight=80", "'80' is no value for rave_weight (in Tron: 50)"),
            ("mate_plies=3", "'3' is no value for mate_plies (in Tron: 5)"),
            ("resign_streak=3", "'3' is no value for resign_streak (in Tron: 10)"),
        ] {
            let mut params = Params::preset("laschet").expect("a preset");
            params.assign(setting).expect("a setting");
            assert_eq!(params.for_tron().expect_err(setting).to_string(), expected);
        }
    }

    /// A preset for both games, with a parameter set.
    fn with(name: &str, value: &str) -> Params {
        let mut params = Params::preset("laschet").expect("a preset");
        params.set(name, value).expect(name);
        params
    }

    #[test]
    fn what_one_game_has_alone_is_refused_in_the_other() {
        for Row { name, games, range, off, .. } in Params::default().rows() {
            // Each end of a range, each name of a choice.
            let values = range.split(", ").flat_map(|part| part.split(" to "));
            let mut values =
                values.flat_map(|part| part.split(" or ")).filter(|value| *value != off);
            let value = values.next().expect("a value that is not off");
            let taken = with(name, value);
            let in_havannah = taken.clone().for_havannah();
            assert_eq!(in_havannah.is_ok(), games != Games::Tron, "{name}={value}");
            assert_eq!(taken.for_tron().is_ok(), games != Games::Havannah, "{name}={value}");
            assert!(with(name, &off).for_havannah().is_ok(), "{name}={off}");
            assert!(with(name, &off).for_tron().is_ok(), "{name}={off}");
        }
    }
}
