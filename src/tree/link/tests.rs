//! Every interleaving of two or three threads at a node, tried by loom.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, fence};
use loom::thread;

use super::*;
use crate::game::{DRAW, LOSS, WIN};

cell!(AtomicU32, u32, fence);
cell!(AtomicU8, u8, fence);

fn handle(number: u32) -> Handle {
    Handle::from_number(number).expect("a handle")
}

/// Two sibling nodes, their parent, and the number of blocks that were cut off.
struct Family {
    status: [AtomicU8; 2],
    link: [AtomicU32; 2],
    parent: AtomicU8,
    parent_link: AtomicU32,
    cut_off: AtomicUsize,
    /// Stands for the contents of a block.
    content: AtomicU32,
}

impl Family {
    fn new() -> Arc<Self> {
        let unknown = || AtomicU8::new(Status::UNKNOWN.byte());
        Arc::new(Self {
            status: [unknown(), unknown()],
            link: [AtomicU32::new(0), AtomicU32::new(0)],
            parent: unknown(),
            parent_link: AtomicU32::new(handle(9).number()),
            cut_off: AtomicUsize::new(0),
            content: AtomicU32::new(0),
        })
    }

    fn note(&self, cut_off: Option<Handle>) {
        self.cut_off.fetch_add(usize::from(cut_off.is_some()), Ordering::Relaxed);
    }

    fn child(&self, index: usize) -> Status {
        Status::from_byte(self.status[index].load(Ordering::Acquire))
    }

    /// Marks a sibling, and the parent if that follows.
    fn prove(&self, index: usize, status: Status) {
        self.note(narrow(&self.status[index], &self.link[index], status, 4));
        let best = Status::best([self.child(0), self.child(1)].into_iter());
        self.note(narrow(&self.parent, &self.parent_link, best.turned(), 5));
    }
}

/// Runs in every interleaving.
fn in_every_order(of: impl Fn() + Sync + Send + 'static) {
    loom::model(of);
}

/// Several threads add children to a node: one succeeds, and the others find its block.
#[test]
fn one_block_is_published() {
    in_every_order(|| {
        let family = Family::new();
        let other = {
            let family = Arc::clone(&family);
            thread::spawn(move || publish(&family.link[0], handle(2)))
        };
        let mine = publish(&family.link[0], handle(1));
        let other = other.join().expect("it ends");
        match (mine, other) {
            (Ok(()), Err(found)) => assert_eq!(found, Some(handle(1))),
            (Err(found), Ok(())) => assert_eq!(found, Some(handle(2))),
            outcome => panic!("{outcome:?}"),
        }
    });
}

/// A thread that reads a handle sees what was written before it was published.
#[test]
fn a_published_block_is_complete() {
    in_every_order(|| {
        let family = Family::new();
        let reader = {
            let family = Arc::clone(&family);
            thread::spawn(move || {
                let link = Link(family.link[0].load(Ordering::Acquire));
                if link.child().is_some() {
                    assert_eq!(family.content.load(Ordering::Relaxed), 7);
                }
            })
        };
        family.content.store(7, Ordering::Relaxed);
        assert_eq!(publish(&family.link[0], handle(1)), Ok(()));
        reader.join().expect("it ends");
    });
}

/// Children and a proof, in any order: in the end there is the proof with its depth, and a block that
/// was added is cut off once.
#[test]
fn a_proof_and_children_do_not_lose_each_other() {
    // A game that is over is a proof of depth 0.
    for depth in [0, 3] {
        proof_and_children(depth);
    }
}

fn proof_and_children(depth: u32) {
    in_every_order(move || {
        let family = Family::new();
        let expander = {
            let family = Arc::clone(&family);
            thread::spawn(move || publish(&family.link[0], handle(1)))
        };
        let prover = {
            let family = Arc::clone(&family);
            thread::spawn(move || {
                family.note(narrow(&family.status[0], &family.link[0], Status::WON, depth));
            })
        };
        family.note(narrow(&family.status[0], &family.link[0], Status::WON, depth));
        let expanded = expander.join().expect("it ends");
        prover.join().expect("it ends");
        assert_eq!(family.child(0), Status::WON);
        assert_eq!(Link(family.link[0].load(Ordering::Acquire)), Link::proof(depth));
        let cut_off = family.cut_off.load(Ordering::Relaxed);
        assert_eq!(cut_off, usize::from(expanded.is_ok()), "{expanded:?}");
        assert!(expanded.is_ok() || expanded == Err(None));
    });
}

/// A thread that sees a proof sees its depth.
#[test]
fn a_proof_has_its_depth() {
    in_every_order(|| {
        let family = Family::new();
        let reader = {
            let family = Arc::clone(&family);
            thread::spawn(move || {
                if family.child(0).is_proven() {
                    let link = Link(family.link[0].load(Ordering::Acquire));
                    assert_eq!((link.child(), link.depth()), (None, 3));
                }
            })
        };
        narrow(&family.status[0], &family.link[0], Status::LOST, 3);
        reader.join().expect("it ends");
    });
}

/// Two threads prove the two moves of a position, each without knowing of the other. What follows for the
/// position is never missed, and what was below it is cut off once.
#[test]
fn the_last_proof_goes_up() {
    for (first, second) in [(Status::LOST, Status::LOST), (Status::DRAWN, Status::LOST)] {
        in_every_order(move || {
            let family = Family::new();
            let other = {
                let family = Arc::clone(&family);
                thread::spawn(move || family.prove(1, second))
            };
            family.prove(0, first);
            other.join().expect("it ends");
            let expected = Status::best([first, second].into_iter()).turned();
            assert_eq!(Status::from_byte(family.parent.load(Ordering::Acquire)), expected);
            assert_eq!(family.cut_off.load(Ordering::Relaxed), 1);
        });
    }
}

/// Bounds narrowed by two threads meet.
#[test]
fn bounds_are_narrowed_together() {
    in_every_order(|| {
        let family = Family::new();
        let other = {
            let family = Arc::clone(&family);
            thread::spawn(move || {
                let at_least_draw = Status::new(DRAW, WIN);
                family.note(narrow(&family.parent, &family.parent_link, at_least_draw, 5));
            })
        };
        let at_most_draw = Status::new(LOSS, DRAW);
        family.note(narrow(&family.parent, &family.parent_link, at_most_draw, 5));
        other.join().expect("it ends");
        assert_eq!(Status::from_byte(family.parent.load(Ordering::Acquire)), Status::DRAWN);
        assert_eq!(family.cut_off.load(Ordering::Relaxed), 1);
    });
}
