//! The fast searches for sets find what plain enumeration finds, to the last bit.
#![no_main]

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use setwise_fuzz::lists::count;
use setwise_fuzz::set_case::{SetCase, is_in_range, max_size};
use setwise_kernels::hyperedge::{
    BestSets, BranchAndBoundScratch, Problem, RankedSet, enumerate_plainly, search_by_bounds,
};

/// A request over a pool of fewer than 4,000 sets, and how many of them are asked for.
#[derive(Debug)]
struct Case {
    set: SetCase,
    count: usize,
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
        let max_size = max_size(input)?;
        let pool = count(input, 8, 12)?;
        let set = SetCase::read(input, pool, max_size, [1, 1])?;
        let count = input.int_in_range(0..=15)?;
        Ok(Self { set, count })
    }

    fn is_valid(&self) -> bool {
        let SetCase {
            logits, pair_scores, ..
        } = &self.set;
        self.set.is_well_formed(logits, pair_scores) && pair_scores.iter().all(is_in_range)
    }
}

fn bits(sets: &[RankedSet]) -> Vec<(u64, Vec<u16>)> {
    sets.iter()
        .map(|set| (set.score.to_bits(), set.members().to_vec()))
        .collect()
}

fuzz_target!(|cases: Cases| {
    let (mut problem, mut best, mut bounds) = <(Problem, BestSets, BranchAndBoundScratch)>::default();
    for case in &cases.0 {
        let filled = problem.fill(&case.set.request());
        assert_eq!(filled.is_ok(), case.is_valid(), "{filled:?}");
        if filled.is_err() {
            continue;
        }
        let mut plain = BestSets::default();
        plain.restart(case.count);
        enumerate_plainly(&problem, &mut plain);
        let plain = bits(plain.sorted());
        best.restart(case.count);
        assert!(search_by_bounds(&problem, &mut best, &mut bounds, u64::MAX));
        assert_eq!(bits(best.sorted()), plain, "branch and bound");
    }
});
