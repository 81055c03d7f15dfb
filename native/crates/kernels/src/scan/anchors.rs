use crate::matrix::{LANES, Lanes};

/// Several queries side by side, sixteen to a block: for every dimension the number of each on one cache line.
#[derive(Debug, Default)]
pub struct Anchors {
    lanes: Vec<Lanes>,
    dimensions: usize,
}

impl Anchors {
    /// Takes `count` anchors (one or more) of equal length. A block that is not full repeats the last anchor.
    pub fn refill<'a>(&mut self, count: usize, anchor: impl Fn(usize) -> &'a [Lanes]) {
        self.dimensions = anchor(0).len() * LANES;
        let blocks = count.div_ceil(LANES);
        self.lanes.clear();
        self.lanes.resize(blocks * self.dimensions, Lanes::ZERO);
        for (block, lines) in self.lanes.chunks_exact_mut(self.dimensions).enumerate() {
            for lane in 0..LANES {
                let anchor = anchor((block * LANES + lane).min(count - 1));
                for (group, numbers) in lines.as_chunks_mut::<LANES>().0.iter_mut().zip(anchor) {
                    for (line, number) in group.iter_mut().zip(numbers.0) {
                        line.0[lane] = number;
                    }
                }
            }
        }
    }

    /// The blocks, each a line for every dimension.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &[Lanes]> {
        self.lanes.chunks_exact(self.dimensions)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.lanes.capacity() * size_of::<Lanes>()
    }
}
