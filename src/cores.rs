//! Processor cores: the list, the load, and binding a thread to a core.
//!
//! - Only the cores that the program was started on are used (`taskset`, control groups).
//! - The list is read once, before the first thread is bound. Afterwards the system shows a bound thread
//!   only its own core.
//! - Physical cores come first, socket by socket; their second hyper-threads follow. So the first
//!   threads never share a core.
//!
//! A search with several threads binds each of them to a core (see [`places`]):
//! - to the cores that the user names (`cores=8-15`);
//! - otherwise, if the calling thread is bound (matches, benches), to its core and the following ones;
//! - otherwise to the cores with the fewest running threads of other programs when the search starts.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::sync::OnceLock;

use core_affinity::CoreId;

/// The cores that the program may use, in the order in which threads take them.
fn cores() -> &'static [usize] {
    static CORES: OnceLock<Vec<usize>> = OnceLock::new();
    CORES.get_or_init(|| {
        let cores = core_affinity::get_core_ids().unwrap_or_default();
        physical_first(cores.into_iter().map(|core| core.id).collect())
    })
}

fn physical_first(mut cores: Vec<usize>) -> Vec<usize> {
    // Sort by socket: threads that share a tree should share a socket.
    cores.sort_by_key(|core| (package(*core), *core));
    let mut seen = HashSet::new();
    let (physical, siblings): (Vec<_>, Vec<_>) =
        cores.into_iter().partition(|core| seen.insert(hyper_threads(*core)));
    [physical, siblings].concat()
}

/// The socket of a core; 0 if the system does not say.
fn package(id: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{id}/topology/physical_package_id");
    fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// The hyper-threads of this core, as the system lists them; `id` alone if the system does not say.
fn hyper_threads(id: usize) -> String {
    let path = format!("/sys/devices/system/cpu/cpu{id}/topology/thread_siblings_list");
    fs::read_to_string(path).map_or_else(|_| id.to_string(), |list| list.trim().to_string())
}

/// The number of threads that can have a core of their own.
pub fn count() -> usize {
    cores().len().max(1)
}

/// Whether the program may use a core.
pub fn has(core: usize) -> bool {
    cores().contains(&core)
}

thread_local! {
    static OF_THIS_THREAD: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Binds the calling thread to the core at an index of the list, modulo its length. False if the system
/// does not allow it.
#[cfg(any(test, feature = "cli", feature = "internals"))]
pub fn pin(index: usize) -> bool {
    OF_THIS_THREAD.set(Some(index));
    let cores = cores();
    !cores.is_empty() && pin_to(cores[index % cores.len()])
}

/// Binds the calling thread to a core. False if the system does not allow it.
pub fn pin_to(core: usize) -> bool {
    core_affinity::set_for_current(CoreId { id: core })
}

/// One core for each thread of a search that the calling thread starts, if the user names none. Empty if
/// the system has no list of cores.
pub fn places(threads: usize) -> Vec<usize> {
    let cores = cores();
    let from = |cores: &[usize], first: usize| -> Vec<usize> {
        cores.iter().copied().cycle().skip(first).take(threads).collect()
    };
    match OF_THIS_THREAD.get() {
        _ if cores.is_empty() => Vec::new(),
        Some(first) => from(cores, first % cores.len()),
        None => from(&least_busy(cores, &running_threads(), std::process::id() as usize), 0),
    }
}

/// Cores ordered by the number of threads that run there. Ties start at an index that depends on the
/// program, so that programs that start together do not choose the same cores.
fn least_busy(cores: &[usize], running: &HashMap<usize, usize>, program: usize) -> Vec<usize> {
    let load = |core: &usize| running.get(core).copied().unwrap_or(0);
    let mut order = cores.to_vec();
    if !order.is_empty() {
        let first = program % order.len();
        order.rotate_left(first);
    }
    order.sort_by_key(load);
    order
}

/// The current number of running threads of other programs on each core. Empty if the system does not say.
pub fn running_threads() -> HashMap<usize, usize> {
    let mut running = HashMap::new();
    let own = std::process::id().to_string();
    let numbered = |path: &str| {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
    };
    for program in numbered("/proc").filter(|program| *program != own) {
        let tasks = format!("/proc/{program}/task");
        for thread in numbered(&tasks) {
            let stat = fs::read_to_string(format!("{tasks}/{thread}/stat")).unwrap_or_default();
            if let Some(core) = core_if_running(&stat) {
                *running.entry(core).or_default() += 1;
            }
        }
    }
    running
}

/// The core of a running thread, from its `stat` line in `/proc`; `None` if it does not run. See
/// proc(5): field 3 is the state and field 39 the core. Field 2, the name, is in brackets and may
/// contain any character.
fn core_if_running(stat: &str) -> Option<usize> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace();
    (fields.next() == Some("R")).then(|| fields.nth(35)?.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_cores_come_first() {
        let cores: Vec<usize> = (0..64).collect();
        let busy: HashMap<usize, usize> = (8..16).map(|core| (core, 1)).chain([(3, 2)]).collect();
        for program in [0, 5, 12, 100] {
            let order = least_busy(&cores, &busy, program);
            let load = |core: &usize| busy.get(core).copied().unwrap_or(0);
            assert!(order.iter().is_sorted_by_key(load), "{order:?}");
            assert_eq!(order.iter().collect::<HashSet<_>>().len(), 64);
            assert_eq!(order[63], 3, "the busiest is last");
        }
        assert_ne!(least_busy(&cores, &busy, 20)[0], least_busy(&cores, &busy, 21)[0]);
    }

    #[test]
    fn a_running_thread_is_read_from_its_line() {
        let fields = |state: &str| {
            let rest: Vec<String> = (4..=52).map(|field| field.to_string()).collect();
            format!("77 (a) R name) {state} {}", rest.join(" "))
        };
        assert_eq!(core_if_running(&fields("R")), Some(39));
        assert_eq!(core_if_running(&fields("S")), None);
        assert_eq!(core_if_running(""), None);
    }

    #[test]
    fn bound_threads_come_before_idle_cores() {
        if cfg!(miri) || cores().is_empty() {
            return;
        }
        let bound = std::thread::spawn(|| {
            pin(count() - 1);
            places(2)
        });
        let last = *cores().last().expect("cores");
        assert_eq!(bound.join().expect("it ends"), [last, cores()[0]]);
        assert!(places(2).iter().all(|core| has(*core)));
    }
}
