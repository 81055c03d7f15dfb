//! Every level ranks by marginal gain as the definition does, to the last bit.
#![no_main]

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use setwise_fuzz::lists::count;
use setwise_fuzz::plain_ranking::{Question, Step, rank_plainly};
use setwise_fuzz::set_case::{SetCase, max_size};
use setwise_kernels::hyperedge::{MarginalGainScratch, Rankings, rank_by_marginal_gain};
use setwise_kernels::{KernelError, Simd};

/// A request of several queries.
#[derive(Debug)]
struct Case {
    set: SetCase,
    queries: usize,
    /// Entries of the columns.
    room: usize,
}

/// Answered one behind the other in the same memory.
#[derive(Debug)]
struct Cases(Vec<Case>);

impl<'a> Arbitrary<'a> for Cases {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let cases = input.int_in_range(1..=2)?;
        (0..cases).map(|_| Case::read(input)).collect::<Result<_>>().map(Self)
    }
}

impl Case {
    fn read(input: &mut Unstructured) -> Result<Self> {
        // Lots of eight; above 64 candidates another way is taken.
        let (pool, max_size) = (count(input, 18, 70)?, max_size(input)?);
        let queries = input.int_in_range(0..=5)?;
        let is_shared = input.arbitrary()?;
        let mut set = SetCase::read(
            input,
            pool,
            max_size,
            [queries, if is_shared || pool > 18 { 1 } else { queries }],
        )?;
        set.make_symmetric();
        let room = queries * count(input, 10.min(pool), pool + 1)? + input.int_in_range(0..=1)?;
        Ok(Self { set, queries, room })
    }

    /// By the definition; nothing where the request is to be refused.
    fn expected(&self) -> Option<Vec<Vec<Step>>> {
        let (set, pool) = (&self.set, self.set.pool);
        let pairs = set.max_size.saturating_sub(1).saturating_mul(pool * pool);
        let is_shared = set.pair_scores.len() == pairs;
        let fits = is_shared || set.pair_scores.len() == pairs.saturating_mul(self.queries);
        if set.logits.len() != self.queries * pool || !fits {
            return None;
        }
        (0..self.queries)
            .map(|query| {
                let logits = &set.logits[query * pool..][..pool];
                let pair_scores = &set.pair_scores[if is_shared { 0 } else { query * pairs }..][..pairs];
                let question = Question {
                    case: set,
                    logits,
                    pair_scores,
                };
                let is_well_formed = set.is_well_formed(logits, pair_scores);
                is_well_formed.then(|| rank_plainly(question, self.room / self.queries))?
            })
            .collect()
    }

    fn rank(&self, simd: Simd, scratch: &mut MarginalGainScratch) -> std::result::Result<Vec<Vec<Step>>, KernelError> {
        let mut ids = vec![u32::MAX; self.room];
        let (mut gains, mut scores) = (vec![f64::NAN; self.room], vec![f64::NAN; self.room]);
        let mut offsets = vec![u32::MAX; self.queries + 1];
        let mut rankings = Rankings {
            ids: &mut ids,
            gains: &mut gains,
            scores: &mut scores,
            offsets: &mut offsets,
        };
        rank_by_marginal_gain(simd, &self.set.request(), self.set.pool, scratch, &mut rankings)?;
        assert_eq!(offsets[0], 0);
        let range = |pair: &[u32]| pair[0] as usize..pair[1] as usize;
        let step = |at: usize| (ids[at], gains[at].to_bits(), scores[at].to_bits());
        Ok(offsets.windows(2).map(|pair| range(pair).map(step).collect()).collect())
    }
}

fuzz_target!(|cases: Cases| {
    let expected: Vec<_> = cases.0.iter().map(Case::expected).collect();
    for simd in Simd::supported() {
        let mut scratch = MarginalGainScratch::default();
        for (case, expected) in cases.0.iter().zip(&expected) {
            let ranked = case.rank(simd, &mut scratch);
            match expected {
                Some(expected) => assert_eq!(ranked.as_ref(), Ok(expected), "{simd:?}"),
                None => assert!(
                    ranked.is_err(),
                    "{simd:?}: {ranked:?}, but the request is to be refused"
                ),
            }
        }
    }
});
