//! Processor cores: which there are, and binding a thread to one.
//!
//! The list is read once, before the first thread is bound: afterwards the system shows a bound
//! thread its own core only. Physical cores come first, socket by socket, their second
//! hyper-threads after them, so that the first threads never share a core.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs;
use std::sync::OnceLock;

use core_affinity::CoreId;

fn cores() -> &'static [CoreId] {
    static CORES: OnceLock<Vec<CoreId>> = OnceLock::new();
    CORES.get_or_init(|| physical_first(core_affinity::get_core_ids().unwrap_or_default()))
}

fn physical_first(cores: Vec<CoreId>) -> Vec<CoreId> {
    let mut cores = cores;
    // Neighbours first: threads that share a tree should share a socket.
    cores.sort_by_key(|core| (package(core.id), core.id));
    let mut seen = HashSet::new();
    let (physical, siblings): (Vec<_>, Vec<_>) =
        cores.into_iter().partition(|core| seen.insert(hyper_threads(core.id)));
    [physical, siblings].concat()
}

/// The socket of a core; 0 where the system does not say.
fn package(id: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{id}/topology/physical_package_id");
    fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// The hyper-threads that share a core with this one, as the system lists them; where it does not
/// say, the thread alone.
fn hyper_threads(id: usize) -> String {
    let path = format!("/sys/devices/system/cpu/cpu{id}/topology/thread_siblings_list");
    fs::read_to_string(path).map_or_else(|_| id.to_string(), |list| list.trim().to_string())
}

/// How many threads can have a core of their own.
pub fn count() -> usize {
    cores().len().max(1)
}

thread_local! {
    static OF_THIS_THREAD: Cell<usize> = const { Cell::new(0) };
}

/// The index of the core that the calling thread was bound to, 0 if it was not. The threads that it
/// starts are to be bound to that one and those behind it.
pub fn of_this_thread() -> usize {
    OF_THIS_THREAD.get()
}

/// Binds the calling thread to a core, the same for the same index; past the last core the count
/// begins anew. False where the system does not allow it.
pub fn pin(index: usize) -> bool {
    OF_THIS_THREAD.set(index);
    let cores = cores();
    !cores.is_empty() && core_affinity::set_for_current(cores[index % cores.len()])
}
