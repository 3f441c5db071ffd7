//! What the benches share: criterion's settings, and a hook that lets
//! `cargo bench --bench NAME -- --profile-time 5` write a flame graph beside the results (on Unix, with
//! the feature `profiler`).

#[cfg(all(unix, feature = "profiler"))]
mod flame_graph;

use std::time::Duration;

use criterion::Criterion;

pub fn criterion() -> Criterion {
    let criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    #[cfg(all(unix, feature = "profiler"))]
    let criterion = criterion.with_profiler(flame_graph::FlameGraph::default());
    criterion
}
