//! Starts the threads of an epoch, and waits for them.

use std::thread;
use std::time::Duration;

use super::epoch::Epoch;
use super::leaf::LeafThreads;
use crate::cores;
use crate::mcts::state::SearchState;
use crate::mcts::worker::Worker;
use crate::params::Parallel;

/// How often the caller checks the state of the search.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Lets all workers search, each bound to its core of `places`, until the epoch is over. The caller asks
/// `is_over` at every [`LOOK_EVERY`], and ends the epoch if it holds.
pub fn run_epoch(
    state: &SearchState,
    workers: &mut [Worker],
    epoch: &Epoch,
    places: &[usize],
    is_over: &mut dyn FnMut() -> bool,
) {
    let is_leaf = state.params.parallel == Parallel::Leaf;
    let leaf_threads = is_leaf.then(|| LeafThreads::new(workers.len()));
    thread::scope(|scope| {
        let _ends = epoch.ends_with_caller();
        for worker in workers {
            let leaf_threads = leaf_threads.as_ref();
            scope.spawn(move || {
                let _at_work = epoch.enter();
                if let Some(core) = places.get(worker.thread) {
                    cores::pin_to(*core);
                }
                match leaf_threads {
                    Some(leaf_threads) if worker.thread > 0 => {
                        leaf_threads.help(worker, &state.params);
                        state.thread_progress[worker.thread].set_hits(&worker.leaves.hits());
                    }
                    Some(leaf_threads) => {
                        let _lead = leaf_threads.lead();
                        worker.enter(state, Some(leaf_threads)).work(epoch);
                    }
                    None => worker.enter(state, None).work(epoch),
                }
            });
        }
        while !epoch.wait(epoch.time_left().map_or(LOOK_EVERY, |left| left.min(LOOK_EVERY))) {
            if is_over() {
                epoch.end();
                epoch.wait(Duration::MAX);
                return;
            }
        }
    });
}
