//! How playouts of Havannah choose moves, and which cells and rings count.

macro_rules! rows {
    ([$next:path $(, $rest:path)*] $($before:tt)*) => { $next! { [$($rest),*] $($before)*

    Havannah in Havannah {
        policy: PlayoutPolicy = PlayoutPolicy::Mate, (), off PlayoutPolicy::Random,
            "how playouts choose moves",
            "Lorentz 2010 §3.1";
        mate_plies: u32 = 5, 0..=271,
            "plies of a playout with the mate check, for each unit of the base",
            "Lorentz 2010 §3.1";
        havannah_mate: bool = false, (),
            "a playout is decided when a move leaves its chain two cells that win, unless the opponent wins at once",
            "Stankiewicz 2011 §2.2.3; Fossel 2010";
        havannah_mate_part: u32 = 2, 1..=271,
            "c: that is looked for in the first N / c plies of a playout, N the cells of the board",
            "Stankiewicz 2011 §2.2.3, without a value: measured, see docs/experiments.md";
        bridge_reply: bool = false, (),
            "a virtual connection that the opponent intrudes on is completed",
            "";
        pool_rave: bool = false, (),
            "playouts take moves from a pool of the best by RAVE",
            "Duguépéroux 2016 §3.2";
        pool_size: u32 = 10, 1..=271,
            "N, the moves in the pool",
            "Duguépéroux 2016 §3.2, without a value";
        pool_chance: f32 = 0.5, 0.0..=1.0,
            "p, the probability of a move from the pool",
            "Duguépéroux 2016 §3.2, without a value";
        pool_visits: u32 = 50, 0..=1_000_000,
            "visits that a node has whose RAVE values make the pool",
            "Duguépéroux 2016 §3.2, without a value";
        ppr: bool = false, (),
            "playout pruning with RAVE: playouts take moves whose RAVE value is above a threshold",
            "Duguépéroux 2016 §4";
        ppr_visits: f32 = 0.01, 0.0..=2.0,
            "T_n, the share of all playouts that the node of the RAVE values has (above 1: none has it)",
            "Duguépéroux 2016 §4";
        ppr_wins: f32 = 0.25, 0.0..=1.0,
            "T_w', the RAVE value above which a move is taken",
            "Duguépéroux 2016 §4";
        ppr_chance: f32 = 0.8, 0.0..=1.0,
            "p, the probability of such a move",
            "Duguépéroux 2016 §4";
        ppr_order: MoveOrder = MoveOrder::List, (),
            "the order of the moves from whose end the others are taken",
            "Duguépéroux 2016 alg. 1, without a value";
        playout_weights: PlayoutWeights = PlayoutWeights::Off, (),
            "what default moves are weighed by",
            "Stankiewicz 2011 §3.2, §4.6.1";
        playout_choice: PlayoutChoice = PlayoutChoice::Roulette, (),
            "how a default move is chosen by its weight",
            "Stankiewicz 2011 §3.5, §3.6";
        playout_epsilon: f32 = 0.1, 0.0..=1.0,
            "probability of a random move instead of the one of the highest weight",
            "Stankiewicz 2011 §3.6";
        joint_weight: u32 = 30, 0..=1000,
            "weight of a joint move in a playout",
            "Stankiewicz 2011 §4.6.1";
        neighbour_weight: u32 = 40, 0..=1000,
            "weight of a neighbour move in a playout",
            "Stankiewicz 2011 §4.6.1";
        other_weight: u32 = 5, 0..=1000,
            "weight of other moves in a playout",
            "Stankiewicz 2011 §4.6.1";
        pattern_file: FileName = FileName::shipped(), (),
            "the weights of patterns, as ciclon learn patterns writes them",
            "Stankiewicz 2011 §3.3";
        pattern_stage: u32 = 0, 0..=271,
            "stones on the board by which pattern weights have come in fully (0: from the start)",
            "Stankiewicz 2011 §5.3";
        locality: Locality = Locality::Off, (),
            "default moves near own stones are preferred",
            "Lorentz 2010 §3.1";
        avoid_pairs: bool = false, (),
            "default moves next to two adjacent own stones are avoided",
            "Lorentz 2010 §3.1";
        proximity: Proximity = Proximity::Off, (),
            "default moves near the last move of a side are preferred",
            "Lorentz 2010 §3.1; Joosten 2009";
        locality_tries: u32 = 2, 1..=100,
            "draws before any default move will do: how strongly moves are preferred",
            "";
        dead_cells: DeadCells = DeadCells::Off, (),
            "cells of no use to anyone are left out of the tree and of playouts",
            "Stankiewicz 2011 §3.4";
        ring_fill: f32 = 1.0, 0.0..=1.0,
            "the part of the empty cells after which rings do not count any more in a playout",
            "";
        ring_stones: u32 = 0, 0..=6,
            "stones of a ring that must have stood before the playout",
            "";
    }

    } };
}

pub(super) use rows;
