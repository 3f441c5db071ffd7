//! The rooms as they are, for this project's tests, benches and fuzz targets. Nothing here is stable.

macro_rules! rooms {
    ($($(#[$condition:meta])* $room:ident)*) => {$(
        $(#[$condition])*
        pub mod $room {
            pub use crate::$room::*;
        }
    )*};
}

rooms! {
    rng bits cores params
    game policies havannah tron
    tree
    search mcts alpha_beta
    engine
    record gtp
    #[cfg(feature = "cli")] matches
    #[cfg(feature = "cli")] experiments
    #[cfg(feature = "cli")] tools
}
