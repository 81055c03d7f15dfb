//! The fast searches for sets find what plain enumeration finds, to the last bit.
#![no_main]

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use setwise_fuzz::set_case::SetCase;
use setwise_kernels::hyperedge::{
    BestSets, BranchAndBoundScratch, Problem, RankedSet, enumerate_plainly, search_by_bounds,
};

/// Requests answered one behind the other in the same memory.
#[derive(Debug)]
struct Cases(Vec<SetCase>);

impl<'a> Arbitrary<'a> for Cases {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let count = input.int_in_range(1..=3)?;
        (0..count).map(|_| input.arbitrary()).collect::<Result<_>>().map(Self)
    }
}

fn bits(sets: &[RankedSet]) -> Vec<(u64, Vec<u16>)> {
    sets.iter()
        .map(|set| (set.score.to_bits(), set.members().to_vec()))
        .collect()
}

fuzz_target!(|cases: Cases| {
    let (mut problem, mut best, mut bounds) = (
        Problem::default(),
        BestSets::default(),
        BranchAndBoundScratch::default(),
    );
    for case in &cases.0 {
        if problem.fill(&case.request()).is_err() {
            continue;
        }
        let mut plain = BestSets::default();
        plain.restart(case.count);
        enumerate_plainly(&problem, &mut plain);
        best.restart(case.count);
        assert!(search_by_bounds(&problem, &mut best, &mut bounds, u64::MAX));
        assert_eq!(bits(best.sorted()), bits(plain.sorted()), "branch and bound");
    }
});
