//! Criterion's hook for a profiler, by `pprof`.

use std::fs::File;
use std::path::Path;

use criterion::profiler::Profiler;
use pprof::ProfilerGuard;

#[derive(Default)]
pub struct FlameGraph(Option<ProfilerGuard<'static>>);

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
