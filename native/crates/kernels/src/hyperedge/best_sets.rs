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
        let mut set = Self {
            score,
            size: members.len() as u8,
            members: [0; LARGEST_SET],
        };
        set.members[..members.len()].copy_from_slice(members);
        set
    }

    /// The indexes, ascending.
    pub fn members(&self) -> &[u16] {
        &self.members[..usize::from(self.size)]
    }

    /// Better is less: the higher score, then the smaller set, then the lexicographically smaller members.
    fn order(&self, other: &Self) -> Ordering {
        let score = other.score.partial_cmp(&self.score).unwrap_or(Ordering::Equal);
        score
            .then(self.size.cmp(&other.size))
            .then_with(|| self.members.cmp(&other.members))
    }
}

/// The n best sets offered so far, the worst of them at the root of a heap.
#[derive(Debug, Default)]
pub struct BestSets {
    heap: Vec<RankedSet>,
    count: usize,
}

impl BestSets {
    /// Starts anew for the best `count`.
    pub fn restart(&mut self, count: usize) {
        self.heap.clear();
        self.count = count;
    }

    /// How many are asked for.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A set of a lower score than this is not among the best; minus infinity while there is room.
    pub fn threshold(&self) -> f64 {
        if self.heap.len() < self.count {
            f64::NEG_INFINITY
        } else {
            self.heap.first().map_or(f64::INFINITY, |worst| worst.score)
        }
    }

    /// Whether as many sets are held as were asked for.
    pub fn is_full(&self) -> bool {
        self.heap.len() == self.count
    }

    /// Takes a set in if it is among the best; minus infinity never is.
    pub fn offer(&mut self, score: f64, members: &[u16]) {
        if score < self.threshold() || score == f64::NEG_INFINITY {
            return;
        }
        let set = RankedSet::new(score, members);
        if self.heap.len() < self.count {
            self.heap.push(set);
            self.rise();
        } else if let Some(worst) = self.heap.first_mut()
            && set.order(worst) == Ordering::Less
        {
            *worst = set;
            self.sink();
        }
    }

    /// Takes a set in that may have been offered before.
    pub(super) fn offer_once(&mut self, score: f64, members: &[u16]) {
        if score > self.threshold() && !self.heap.iter().any(|set| set.members() == members) {
            self.offer(score, members);
        }
    }

    /// The best sets, best first.
    pub fn sorted(&mut self) -> &[RankedSet] {
        self.heap.sort_unstable_by(RankedSet::order);
        &self.heap
    }

    fn rise(&mut self) {
        let mut child = self.heap.len() - 1;
        while child > 0 {
            let parent = (child - 1) / 2;
            if self.heap[child].order(&self.heap[parent]) != Ordering::Greater {
                return;
            }
            self.heap.swap(child, parent);
            child = parent;
        }
    }

    fn sink(&mut self) {
        let mut parent = 0;
        loop {
            let left = 2 * parent + 1;
            if left >= self.heap.len() {
                return;
            }
            let right = (left + 1).min(self.heap.len() - 1);
            let worse = if self.heap[right].order(&self.heap[left]) == Ordering::Greater {
                right
            } else {
                left
            };
            if self.heap[worse].order(&self.heap[parent]) != Ordering::Greater {
                return;
            }
            self.heap.swap(worse, parent);
            parent = worse;
        }
    }
}
