//! Branch and bound finds what enumeration finds, to the last bit.

mod hyperedge_case;

use hyperedge_case::{Case, case};
use proptest::prelude::*;
use setwise_kernels::hyperedge::{
    Alignment, BestSets, BranchAndBoundScratch, Constraints, HyperedgeRequest, Problem, RankedSet, enumerate_plainly,
    search_by_bounds,
};

fn fill(case: &Case) -> Problem {
    let mut problem = Problem::default();
    problem.fill(&case.request(&[case.group.len() as u32])).unwrap();
    problem
}

fn bits(sets: &[RankedSet]) -> Vec<(u64, Vec<u16>)> {
    sets.iter()
        .map(|set| (set.score.to_bits(), set.members().to_vec()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn bounds_find_the_sets_of_enumeration(case in case()) {
        let problem = fill(&case);
        let (mut plain, mut found) = (BestSets::default(), BestSets::default());
        plain.restart(case.count);
        enumerate_plainly(&problem, &mut plain);
        found.restart(case.count);
        prop_assert!(search_by_bounds(&problem, &mut found, &mut BranchAndBoundScratch::default(), u64::MAX));
        prop_assert_eq!(bits(found.sorted()), bits(plain.sorted()));
    }
}

#[test]
fn a_search_that_takes_too_many_steps_says_so() {
    let pairs = vec![0.0; 4 * 30 * 30];
    let request = HyperedgeRequest {
        logits: &[0.0; 30],
        pair_scores: &pairs,
        max_size: 5,
        alignment: Alignment::Sum,
        size_offsets: &[],
        empty_score: None,
        constraints: Constraints::default(),
    };
    let mut problem = Problem::default();
    problem.fill(&request).unwrap();
    let mut best = BestSets::default();
    best.restart(1);
    // Everything ties, so that no bound cuts: 142,506 sets of five alone.
    assert!(!search_by_bounds(
        &problem,
        &mut best,
        &mut BranchAndBoundScratch::default(),
        1000
    ));
}
