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
        for at in 0..blocks * LANES {
            let block = &mut self.lanes[at / LANES * self.dimensions..][..self.dimensions];
            let numbers = anchor(at.min(count - 1)).iter().flat_map(|lanes| lanes.0);
            for (lanes, number) in block.iter_mut().zip(numbers) {
                lanes.0[at % LANES] = number;
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
