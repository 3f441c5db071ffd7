//! Search with several threads, in the three published ways (Chaslot, Winands and van den Herik 2008;
//! Nahue 2014 §5.6).
//!
//! - **Tree**: all threads share one tree. On its way down a thread adds visits without points (virtual
//!   loss), so that others look elsewhere. Blocks that it counts in copies of its own get none, unless
//!   `leaf_batch` is above 1.
//! - **Root**: each thread has a tree. The counts of the root's moves are summed at the end and, if wanted,
//!   every few milliseconds. What is proven of a move of the root reaches the others soon.
//! - **Leaf**: one thread selects, all threads make playouts at its leaf. If wanted, playouts that have not
//!   begun are left out once half of them are finished and agree.
//!
//! # Epochs
//! A search is a sequence of epochs. The invariant: during an epoch nothing is freed or moved, between epochs
//! no thread is in a tree.
//! - An epoch ends when memory has run out, when counts or proofs are to be exchanged, or with the search.
//! - An epoch costs the start of its threads, about 20 microseconds each. Epochs are rare.
//! - One thread needs no epochs, unless its core is named: it works in batches on the thread of the caller.
//!
//! # What playouts learn
//! Each thread learns its own replies, N-grams and history. So no playout writes what another reads, and
//! replies, which change with every game, are not torn between the lines that threads are in. A match of two
//! threads against one with the same number of playouts bounds what sharing could gain
//! (docs/experiments.md).
//!
//! # Many cores
//! Only nodes near the root are used by all threads.
//! - Counters of the search are the thread's own, on cache lines of their own, and read once a batch.
//!   Playouts are handed out by the batch. New blocks of two threads never share a cache line.
//! - A thread counts the blocks that it visits often in copies of its own, exchanged with the tree after
//!   up to 2,048 playouts (`own_blocks`). Other blocks stay shared: they have fewer than four visits of a
//!   thread in that span, unless more than 255 blocks have more.
//! - A visit with RAVE writes a whole column of counts: about 3 cache lines on base 4 and 17 on base 10, and
//!   reads twice as many. A line moves between cores in 30 to 170 ns, several at a time, so a visit occupies
//!   a shared block for at most 2 microseconds.
//! - At 0.1 to 0.7 million iterations a second and thread (`ciclon bench --threads`), 64 threads visit such a
//!   block at most 90,000 times a second in a long search: it is busy for a fifth of the time, and less the
//!   deeper it lies. The exchange takes as long for a block, and comes once for four visits or more.
//! - A short search on 64 cores is limited: until each thread has made 4,096 playouts, some hundredths of a
//!   second, copies are exchanged after every batch, and a block with less than a sixteenth of the visits is
//!   shared. Threads then know little of each other near the root.
//! - For more cores, trees should belong to groups of threads (`root` over groups); a thread knows its tree
//!   by its number.
//! - Across sockets a transfer takes two or three times as long. The thread that takes a block from new
//!   memory touches it first (what is copied between moves is not). Threads are bound to the first
//!   hyper-thread of every core before any second one (`cores`).
//! - An epoch ends once for every quarter of the memory that is filled. One thread frees, about 100 ns a
//!   block, a hundredth of what it took to fill them.

mod epoch;
mod leaf;
mod own_blocks;
mod root;
mod run_epoch;

pub use epoch::{BATCH, Epoch};
pub use leaf::LeafThreads;
pub use own_blocks::OwnBlocks;
pub use root::{RootTotals, have_news, share_proofs};
pub use run_epoch::run_epoch;
