//! The best k of a stream of (value, ordinal), higher values first, equal values by lower ordinal.

/// A binary heap with its worst entry at the root.
#[derive(Debug, Default)]
pub(crate) struct TopK {
    entries: Vec<(f64, u32)>,
    k: usize,
}

/// Whether `left` comes behind `right` in the answer.
#[allow(
    clippy::float_cmp,
    reason = "a tie is a tie only when the scores are the same number"
)]
fn is_worse(left: (f64, u32), right: (f64, u32)) -> bool {
    left.0 < right.0 || (left.0 == right.0 && left.1 > right.1)
}

impl TopK {
    /// Forgets everything and takes the best `k` (1 or more) from now on.
    pub(crate) fn restart(&mut self, k: usize) {
        self.entries.clear();
        self.entries.reserve(k);
        self.k = k;
    }

    pub(crate) fn offer(&mut self, value: f64, ordinal: u32) {
        let entry = (value, ordinal);
        if self.entries.len() < self.k {
            self.entries.push(entry);
            self.rise();
        } else if is_worse(self.entries[0], entry) {
            self.entries[0] = entry;
            self.sink(self.entries.len());
        }
    }

    /// The k that was asked for.
    pub(crate) fn capacity(&self) -> usize {
        self.k
    }

    /// The k-th best value so far, or minus infinity while there are fewer than k.
    pub(crate) fn threshold(&self) -> f64 {
        if self.entries.len() < self.k {
            f64::NEG_INFINITY
        } else {
            self.entries[0].0
        }
    }

    /// Writes the ordinals of the entries, in no order.
    pub(crate) fn ordinals_into(&self, ordinals: &mut Vec<u32>) {
        ordinals.clear();
        ordinals.extend(self.entries.iter().map(|&(_, ordinal)| ordinal));
    }

    /// Writes the entries best first into the columns, which have room for them, and leaves the heap empty.
    pub(crate) fn drain_into(&mut self, ids: &mut [u32], scores: &mut [f32]) {
        for end in (0..self.entries.len()).rev() {
            let (value, ordinal) = self.entries[0];
            ids[end] = ordinal;
            scores[end] = value as f32;
            self.entries.swap(0, end);
            self.sink(end);
        }
        self.entries.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(f64, u32)>()
    }

    fn rise(&mut self) {
        let mut child = self.entries.len() - 1;
        while child > 0 {
            let parent = (child - 1) / 2;
            if !is_worse(self.entries[child], self.entries[parent]) {
                return;
            }
            self.entries.swap(child, parent);
            child = parent;
        }
    }

    fn sink(&mut self, length: usize) {
        let mut parent = 0;
        loop {
            let left = 2 * parent + 1;
            if left >= length {
                return;
            }
            let right = left + 1;
            let worse = if right < length && is_worse(self.entries[right], self.entries[left]) {
                right
            } else {
                left
            };
            if !is_worse(self.entries[worse], self.entries[parent]) {
                return;
            }
            self.entries.swap(worse, parent);
            parent = worse;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TopK;

    #[test]
    fn keeps_the_best_and_breaks_ties_by_lower_ordinal() {
        let mut top = TopK::default();
        top.restart(3);
        for (value, ordinal) in [(1.0, 4), (2.0, 3), (1.0, 1), (0.5, 0), (2.0, 2)] {
            top.offer(value, ordinal);
        }
        let (mut ids, mut scores) = ([0; 3], [0.0; 3]);
        top.drain_into(&mut ids, &mut scores);
        assert_eq!((ids, scores), ([2, 3, 1], [2.0, 2.0, 1.0]));
    }
}
