use std::cmp::Ordering;

use super::problem::LARGEST_SET;

/// A set of indexes, ascending, with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedSet {
    /// F.
    pub score: f64,
    size: u8,
    members: [u16; LARGEST_SET],
}

impl RankedSet {
    /// A set of at most [`LARGEST_SET`] members, ascending.
    pub fn new(score: f64, members: &[u16]) -> Self {
        let mut padded = [0; LARGEST_SET];
        padded[..members.len()].copy_from_slice(members);
        Self {
            score,
            size: members.len() as u8,
            members: padded,
        }
    }

    /// The same from members of sixteen bits each, the first in the lowest ones, zeros behind them.
    #[inline]
    pub(super) fn packed(score: f64, members: u128, size: usize) -> Self {
        Self {
            score,
            size: size as u8,
            members: std::array::from_fn(|i| (members >> (16 * i)) as u16),
        }
    }

    /// The indexes, ascending.
    pub fn members(&self) -> &[u16] {
        &self.members[..usize::from(self.size)]
    }

    /// Whether this set comes first: the higher score, then the smaller set, then the lexicographically smaller members.
    #[inline]
    fn is_before(&self, other: &Self) -> bool {
        #[allow(clippy::float_cmp, reason = "ties are equal to the last bit")]
        let is_tie = self.score == other.score;
        if is_tie {
            (self.size, &self.members) < (other.size, &other.members)
        } else {
            self.score > other.score
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        if self.is_before(other) {
            Ordering::Less
        } else if other.is_before(self) {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }
}

/// Up to this many sets are kept in order: a place is found sooner than a heap is mended.
const MOST_SORTED: usize = 64;

/// The n best sets offered so far.
#[derive(Debug, Default)]
pub struct BestSets {
    /// In order while `count` is small; else up to twice `count`, the worst half of which is dropped when they are as many.
    held: Vec<RankedSet>,
    count: usize,
    threshold: f64,
    /// The worst of the n best of a large count, once they were compared.
    worst: Option<RankedSet>,
}

impl BestSets {
    /// Starts anew for the best `count`.
    pub fn restart(&mut self, count: usize) {
        self.held.clear();
        self.count = count;
        self.worst = None;
        self.threshold = if count == 0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.held.capacity() * size_of::<RankedSet>()
    }

    /// How many are asked for.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A set of a lower score than this is not among the best; minus infinity while there is room.
    #[inline]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Whether as many sets are held as were asked for.
    pub fn is_full(&self) -> bool {
        self.held.len() >= self.count
    }

    /// Takes a set in if it is among the best; minus infinity never is.
    #[inline]
    pub fn offer(&mut self, score: f64, members: &[u16]) {
        if score >= self.threshold {
            self.offer_set(RankedSet::new(score, members));
        }
    }

    /// Takes a set in that may have been offered before.
    pub(super) fn offer_once(&mut self, score: f64, members: &[u16]) {
        if score > self.threshold() && !self.held.iter().any(|set| set.members() == members) {
            self.offer(score, members);
        }
    }

    /// Takes a set in if it is among the best; minus infinity never is.
    #[inline]
    pub(super) fn offer_set(&mut self, set: RankedSet) {
        if set.score < self.threshold || set.score == f64::NEG_INFINITY {
            return;
        }
        if self.count <= MOST_SORTED {
            self.insert(set);
        } else {
            self.push(set);
        }
    }

    #[inline]
    fn insert(&mut self, set: RankedSet) {
        if self.held.len() < self.count {
            self.held.push(set);
        } else if !set.is_before(&self.held[self.count - 1]) {
            return;
        }
        let mut place = self.held.len() - 1;
        while place > 0 && set.is_before(&self.held[place - 1]) {
            self.held[place] = self.held[place - 1];
            place -= 1;
        }
        self.held[place] = set;
        if self.held.len() == self.count {
            self.threshold = self.held[self.count - 1].score;
        }
    }

    #[inline(never)]
    fn push(&mut self, set: RankedSet) {
        if self.worst.is_some_and(|worst| !set.is_before(&worst)) {
            return;
        }
        self.held.push(set);
        if self.held.len() >= 2 * self.count {
            let (_, worst, _) = self.held.select_nth_unstable_by(self.count - 1, RankedSet::order);
            self.threshold = worst.score;
            self.worst = Some(*worst);
            self.held.truncate(self.count);
        }
    }

    /// The best sets, best first.
    pub fn sorted(&mut self) -> &[RankedSet] {
        if self.count > MOST_SORTED {
            self.held.sort_unstable_by(RankedSet::order);
            self.held.truncate(self.count);
        }
        &self.held
    }
}
