//! Counts of moves after two others: most pairs of moves are seen with few moves after them.
//!
//! A pair has a short list at first, and when that is full a row with a place for every move. Both come
//! from pools of limited size, and what does not fit is not learned. The entries of pairs are stamped
//! with the turn they belong to, so that forgetting everything is one step.

use super::{Count, Dense};

/// Moves in a list.
const SHORT: usize = 4;
/// Stands for no move.
const NO_MOVE: u16 = u16::MAX;
/// Set in the place of a row, to tell it from that of a list.
const ROW: u32 = 1 << 31;

/// The first moves seen after two others.
#[derive(Clone, Copy)]
struct List {
    numbers: [u16; SHORT],
    ranks: [u16; SHORT],
    counts: [Count; SHORT],
}

/// Where the moves after a pair are; of no meaning unless the stamp is that of the turn.
#[derive(Clone, Copy)]
struct Head {
    stamp: u32,
    place: u32,
}

/// Of the memory, the part for lists: lists are a tenth of what rows are, but many more.
const LIST_PART: usize = 4;

pub struct Sparse {
    heads: Vec<Head>,
    lists: Vec<List>,
    rows: Dense,
    most_rows: usize,
    stamp: u32,
}

impl Sparse {
    /// Counts of moves with numbers below `span` for some pairs, in about so many bytes.
    pub fn new(pairs: usize, span: usize, bytes: usize) -> Self {
        let lists = (bytes / LIST_PART / size_of::<List>()).min(pairs);
        let most_rows = (bytes - bytes / LIST_PART) / Dense::row_bytes(span);
        Self {
            heads: vec![Head { stamp: 0, place: 0 }; pairs],
            lists: Vec::with_capacity(lists),
            rows: Dense::new(0, span),
            most_rows: most_rows.min(pairs),
            stamp: 1,
        }
    }

    #[inline(always)]
    fn place(&self, pair: usize) -> Option<u32> {
        let head = self.heads[pair];
        (head.stamp == self.stamp).then_some(head.place)
    }

    #[inline(always)]
    pub fn add(&mut self, pair: usize, number: usize, reward: f32, threshold: f32) {
        match self.place(pair) {
            None => self.begin_list(pair, number, reward, threshold),
            Some(place) if place & ROW != 0 => {
                self.rows.add((place & !ROW) as usize, number, reward, threshold);
            }
            Some(place) => {
                let list = &mut self.lists[place as usize];
                for at in 0..SHORT {
                    if list.numbers[at] == number as u16 || list.numbers[at] == NO_MOVE {
                        list.numbers[at] = number as u16;
                        list.counts[at].add(reward);
                        list.ranks[at] = list.counts[at].rank(threshold);
                        return;
                    }
                }
                self.begin_row(pair, place, number, reward, threshold);
            }
        }
    }

    fn begin_list(&mut self, pair: usize, number: usize, reward: f32, threshold: f32) {
        if self.lists.len() == self.lists.capacity() {
            return;
        }
        self.heads[pair] = Head { stamp: self.stamp, place: self.lists.len() as u32 };
        self.lists.push(List {
            numbers: [NO_MOVE; SHORT],
            ranks: [0; SHORT],
            counts: [Count::default(); SHORT],
        });
        self.add(pair, number, reward, threshold);
    }

    fn begin_row(&mut self, pair: usize, list: u32, number: usize, reward: f32, threshold: f32) {
        if self.rows.len() == self.most_rows {
            return;
        }
        let row = self.rows.push_row();
        let List { numbers, counts, .. } = self.lists[list as usize];
        for (number, count) in numbers.into_iter().zip(counts) {
            self.rows.set(row, number as usize, count, threshold);
        }
        self.heads[pair] = Head { stamp: self.stamp, place: row as u32 | ROW };
        self.add(pair, number, reward, threshold);
    }

    /// Puts the ranks of the moves after a pair into a row of others: `mixed(other, rank)`.
    #[inline(always)]
    pub fn mix_into(&self, ranks: &mut [u16], pair: usize, mixed: impl Fn(u16, u16) -> u16) {
        let mix = |other: &mut u16, rank: u16| {
            *other = if rank > 0 { mixed(*other, rank) } else { *other };
        };
        match self.place(pair) {
            None => (),
            Some(place) if place & ROW != 0 => {
                let row = self.rows.ranks((place & !ROW) as usize);
                for (other, rank) in ranks.iter_mut().zip(row) {
                    mix(other, *rank);
                }
            }
            Some(place) => {
                let List { numbers, ranks: own, .. } = &self.lists[place as usize];
                for (number, rank) in numbers.iter().zip(own) {
                    if *number != NO_MOVE {
                        mix(&mut ranks[*number as usize], *rank);
                    }
                }
            }
        }
    }

    /// The rank of a move after a pair; 0 if it does not count.
    pub fn rank(&self, pair: usize, number: usize) -> u16 {
        match self.place(pair) {
            None => 0,
            Some(place) if place & ROW != 0 => self.rows.ranks((place & !ROW) as usize)[number],
            Some(place) => {
                let List { numbers, ranks, .. } = &self.lists[place as usize];
                let at = numbers.iter().position(|other| *other as usize == number);
                at.map_or(0, |at| ranks[at])
            }
        }
    }

    pub fn decay(&mut self, factor: f32, threshold: f32) {
        if factor == 0.0 {
            self.lists.clear();
            self.rows.remove_rows();
            self.stamp += 1;
            return;
        }
        for list in &mut self.lists {
            for (count, rank) in list.counts.iter_mut().zip(&mut list.ranks) {
                count.decay(factor);
                *rank = count.rank(threshold);
            }
        }
        self.rows.decay(factor, threshold);
    }

    /// Memory, all of it counted from the start.
    pub fn bytes(&self) -> usize {
        self.heads.capacity() * size_of::<Head>()
            + self.lists.capacity() * size_of::<List>()
            + self.most_rows * Dense::row_bytes(self.rows.span)
    }

    #[cfg(test)]
    pub fn counts(&self) -> (usize, usize) {
        (self.lists.len(), self.rows.len())
    }
}
