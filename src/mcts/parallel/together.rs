//! Starts the threads of a round, and waits for them.

use std::thread;
use std::time::Duration;

use super::leaf::Crew;
use super::round::Round;
use crate::cores;
use crate::mcts::outlook::Outlook;
use crate::mcts::worker::Worker;
use crate::params::Parallel;

/// How often the caller looks at the state of the search.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Lets all threads work in the trees, each bound to its core of `places`, until the round is over. The
/// caller looks now and then, and says whether it is.
pub fn work_together(
    outlook: &Outlook,
    workers: &mut [Worker],
    round: &Round,
    places: &[usize],
    is_over: &mut dyn FnMut() -> bool,
) {
    let is_leaf = outlook.params.parallel == Parallel::Leaf;
    let crew = is_leaf.then(|| Crew::new(workers.len()));
    thread::scope(|scope| {
        let _ends = round.ends_with_caller();
        for worker in workers {
            let crew = crew.as_ref();
            scope.spawn(move || {
                let _at_work = round.enter();
                if let Some(core) = places.get(worker.thread) {
                    cores::pin_to(*core);
                }
                match crew {
                    Some(crew) if worker.thread > 0 => {
                        crew.help(worker, &outlook.params);
                        outlook.tallies[worker.thread].set_hits(&worker.leaves.hits());
                    }
                    Some(crew) => {
                        let _lead = crew.lead();
                        worker.enter(outlook, Some(crew)).work(round);
                    }
                    None => worker.enter(outlook, None).work(round),
                }
            });
        }
        while !round.wait(round.time_left().map_or(LOOK_EVERY, |left| left.min(LOOK_EVERY))) {
            if is_over() {
                round.end();
                round.wait(Duration::MAX);
                return;
            }
        }
    });
}
