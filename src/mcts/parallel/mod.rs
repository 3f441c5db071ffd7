//! Several threads: three published ways (Chaslot, Winands and van den Herik 2008; Nahue 2014 §5.6).
//!
//! **Tree**: one tree for all threads. A thread adds its visits to the nodes on its way down, before it
//! has points for them (virtual loss), so that others look elsewhere; but not where it counts in copies of
//! its own. **Root**: a tree for each thread; the counts of the root's moves are summed up at the end and,
//! if wanted, every few milliseconds. What is proven of a move of the root soon reaches the others.
//! **Leaf**: one thread goes down the tree, and all make playouts at the leaf; if wanted, those not begun
//! yet are left out once half of them are finished and agree.
//!
//! A search is a sequence of rounds. In a round the threads are in the trees, each bound to a core, and
//! nothing is freed or moved; between rounds no thread is. A round ends when memory has run out, when
//! counts or proofs are to be exchanged, or with the search. To begin one costs the start of the threads,
//! some twenty microseconds each; rounds are rare. One thread needs no rounds: it works in batches, on
//! the thread of the caller, and does exactly what it did before there were others.
//!
//! **What playouts learn** (last good replies, N-grams, history) each thread learns for itself. Nothing is
//! written by two threads in a playout then, and replies change with every game, so that shared tables
//! would be torn between the lines that threads are in. What could be gained by sharing is bounded by a
//! match of two threads against one with the same number of playouts (docs/experiments.md).
//!
//! **Many cores.** Of what an iteration does, only nodes near the root are of interest to all threads.
//! Counters of the search (playouts, visits of the root) are the threads' own, on lines of their own, and
//! read once in a batch; playouts are handed out by the batch; blocks come from the thread's own
//! segments, so new blocks of two threads never share a line. Blocks that a thread is often in it counts
//! in its own copies, which are exchanged with the tree after a stretch of up to 2,048 iterations
//! (`own_blocks`). What stays shared are the other blocks, with less than four visits of a thread in a
//! stretch each, unless there are more than 255 with more. A visit writes there, with RAVE, a whole
//! column of counts: some 3 lines on base 4 and 17 on base 10, and reads twice as many more. A line goes
//! from core to core in 30 to 170 ns, several at a time, so a visit has its block for 2 microseconds, at
//! the most. A thread makes 0.1 to 0.7 million iterations a second (`ciclon bench --threads`). 64 of them
//! visit such a block 90,000 times in a second, at the most, once stretches are long: it is busy for a
//! fifth of the time, and the less the deeper it lies. The exchange takes as long for a block, and comes
//! once for four visits or more. So 64 cores are not stopped by either in a long search. In a short one
//! they are: stretches are of one batch until there are 4,096 playouts for each thread, some hundredths
//! of a second, and a block with a sixteenth of the visits is shared. (What threads do not know of each
//! other is a 64th of the visits or two, but never less than a batch of each: so long they are nearly
//! independent near the root.) With more cores, trees should be for some cores each: `root` over groups
//! of threads, which this design has the parts for (a thread knows its tree by its number). Across
//! sockets a transfer takes two or three times as long; new memory is touched first by the thread that
//! takes blocks from it (what is copied between moves is not); and threads are bound to the first
//! hyper-thread of every core before any second one (`cores`). A round ends once for every quarter of the
//! memory that is filled; freeing is done by one thread, some hundred nanoseconds a block, a hundredth of
//! what it took to fill them.

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
