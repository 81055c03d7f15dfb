//! Random numbers that TypeScript draws as well: xoshiro128++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021),
//! a stream of its own for each purpose, so that nothing depends on who draws first and a checkpoint holds no state.

/// What a stream is for; with the seed, the stage and the epoch it says where the stream begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The order of the queries of an epoch.
    Order = 1,
    /// The tools of a batch of which uniform sets are made.
    Pool = 2,
    /// The candidate sets of one query.
    Sets = 3,
}

/// A stream.
#[derive(Debug, Clone)]
pub(super) struct Random([u32; 4]);

const GOLDEN: u32 = 0x9E37_79B9;

impl Random {
    /// The stream of a purpose; `number` is the batch or the query that it is for.
    pub(super) fn new(seed: u32, stage: u32, epoch: u32, purpose: Purpose, number: u32) -> Self {
        let mut hash = seed;
        for key in [stage, epoch, purpose as u32, number] {
            hash = mix(hash ^ mix(key.wrapping_add(GOLDEN)));
        }
        let mut words = [0; 4];
        for word in &mut words {
            hash = hash.wrapping_add(GOLDEN);
            *word = mix(hash);
        }
        // The generator stands still at four zeros.
        words[3] |= 1;
        Self(words)
    }

    fn next(&mut self) -> u32 {
        let [a, b, c, d] = self.0;
        let result = a.wrapping_add(d).rotate_left(7).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.0 = [a ^ d, b ^ c, c ^ (b << 9), d.rotate_left(11)];
        result
    }

    /// A number below `bound`, which is 1 to 2^20; each has its share to within 2^-12 of it.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.next()) * bound as u64) >> 32) as usize
    }

    /// True half of the time.
    pub(super) fn coin(&mut self) -> bool {
        self.next() >> 31 == 1
    }

    /// Moves `count` random members of `values` to its beginning, in random order.
    pub(super) fn choose(&mut self, values: &mut [u32], count: usize) {
        for position in 0..count.min(values.len()) {
            let other = position + self.below(values.len() - position);
            values.swap(position, other);
        }
    }
}

/// The finaliser of `MurmurHash3`.
fn mix(mut hash: u32) -> u32 {
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::{Purpose, Random};

    #[test]
    fn the_generator_is_the_published_one() {
        // xoshiro128++ from the state 1, 2, 3, 4: rotl(1 + 4, 7) + 1 = 641; the next state is (7, 0, 1026, 12288).
        let mut random = Random([1, 2, 3, 4]);
        assert_eq!(random.next(), 641);
        assert_eq!(random.0, [7, 0, 1026, 12288]);
        // rotl(7 + 12288, 7) + 7 = 12295 · 128 + 7.
        assert_eq!(random.next(), 1_573_767);
    }

    #[test]
    fn streams_differ_by_each_of_their_keys_and_repeat() {
        let draw = |seed, stage, epoch, purpose, number| Random::new(seed, stage, epoch, purpose, number).next();
        let first = draw(1, 1, 0, Purpose::Order, 0);
        assert_eq!(first, draw(1, 1, 0, Purpose::Order, 0));
        for other in [
            draw(2, 1, 0, Purpose::Order, 0),
            draw(1, 2, 0, Purpose::Order, 0),
            draw(1, 1, 1, Purpose::Order, 0),
            draw(1, 1, 0, Purpose::Sets, 0),
            draw(1, 1, 0, Purpose::Order, 1),
        ] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn the_numbers_are_those_that_typescript_draws() {
        // The same six stand in `test/hypergraph-trainer.test.ts`.
        let mut random = Random::new(7, 1, 0, Purpose::Sets, 0);
        assert_eq!([(); 6].map(|()| random.below(1000)), [535, 913, 260, 931, 971, 272]);
    }

    #[test]
    fn numbers_below_a_bound_are_spread_evenly() {
        let mut random = Random::new(7, 1, 0, Purpose::Sets, 0);
        let mut counts = [0_i32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        // Six standard deviations of a count of 10,000 are 550.
        assert!(counts.iter().all(|count| (count - 10_000).abs() < 550), "{counts:?}");
    }

    #[test]
    fn a_choice_is_some_of_the_values_each_once() {
        let mut values: Vec<u32> = (0..50).collect();
        Random::new(3, 1, 0, Purpose::Pool, 0).choose(&mut values, 80);
        assert_ne!(values, (0..50).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..50).collect::<Vec<_>>());
    }
}
