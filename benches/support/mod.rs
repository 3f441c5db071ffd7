//! What the benches share: criterion's settings, and a hook that lets
//! `cargo bench --bench NAME -- --profile-time 5` write a flame graph beside the results.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use criterion::Criterion;
use criterion::profiler::Profiler;
use pprof::ProfilerGuard;

pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
        .with_profiler(FlameGraph(None))
}

struct FlameGraph(Option<ProfilerGuard<'static>>);

impl Profiler for FlameGraph {
    fn start_profiling(&mut self, _benchmark: &str, _directory: &Path) {
        self.0 = ProfilerGuard::new(997).ok();
    }

    fn stop_profiling(&mut self, benchmark: &str, directory: &Path) {
        let Some(guard) = self.0.take() else {
            eprintln!("{benchmark}: sampling is not permitted here");
            return;
        };
        let written = std::fs::create_dir_all(directory)
            .and_then(|()| File::create(directory.join("flamegraph.svg")))
            .map_err(|error| error.to_string())
            .and_then(|file| {
                let report = guard.report().build().map_err(|error| error.to_string())?;
                report.flamegraph(file).map_err(|error| error.to_string())
            });
        if let Err(reason) = written {
            eprintln!("{benchmark}: no flame graph: {reason}");
        }
    }
}
