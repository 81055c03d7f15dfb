//! Branch and bound finds what enumeration finds, to the last bit.

use proptest::prelude::*;
use setwise_kernels::hyperedge::{
    Alignment, BestSets, BranchAndBoundScratch, Constraints, HyperedgeRequest, Problem, RankedSet, enumerate_plainly,
    search_by_bounds,
};

#[derive(Debug, Clone)]
struct Case {
    logits: Vec<f64>,
    pair_scores: Vec<f64>,
    max_size: usize,
    alignment: Alignment,
    size_offsets: Vec<f64>,
    empty_score: Option<f64>,
    require: Vec<u32>,
    exclude: Vec<u32>,
    group: Vec<u32>,
    tokens: Vec<u32>,
    max_tokens: Option<u64>,
    max_tools: Option<usize>,
    count: usize,
}

/// Families of numbers: spread, small integers (ties), all equal, far apart, huge.
fn numbers(count: usize) -> BoxedStrategy<Vec<f64>> {
    let vector = move |number: BoxedStrategy<f64>| prop::collection::vec(number, count).boxed();
    prop_oneof![
        3 => vector((-3.0..3.0).boxed()),
        2 => vector((-2..3).prop_map(f64::from).boxed()),
        1 => (-1.0..1.0).prop_flat_map(move |same| vector(Just(same).boxed())).boxed(),
        1 => vector(prop::sample::select(vec![0.0, 1.0, -350.0, -750.0, 800.0]).boxed()),
        1 => vector((-1e90..1e90).boxed()),
    ]
    .boxed()
}

fn case() -> impl Strategy<Value = Case> {
    (0_usize..11, 1_usize..6).prop_flat_map(|(pool, max_size)| {
        let positions = move |most: usize| {
            let range = 0..pool.max(1) as u32;
            prop::collection::vec(range, 0..=if pool == 0 { 0 } else { most }).boxed()
        };
        let numbers = (
            numbers(pool),
            numbers((max_size - 1) * pool * pool),
            prop_oneof![Just(vec![]), prop::collection::vec(-2.0..2.0, max_size)],
            prop::option::of(-3.0..3.0),
            prop::option::of(prop::collection::vec(any::<prop::sample::Index>(), pool)),
        );
        let constraints = (
            prop_oneof![3 => Just(vec![]), 1 => positions(2)],
            prop_oneof![3 => Just(vec![]), 1 => positions(3)],
            prop_oneof![2 => Just(vec![]), 1 => positions(5)],
            prop::collection::vec(0_u32..20, pool),
            prop::option::weighted(0.3, 0_u64..60),
            prop::option::weighted(0.2, 0_usize..7),
        );
        let rest = (any::<bool>(), 0_usize..15);
        (numbers, constraints, rest).prop_map(move |(numbers, constraints, (softmax, count))| {
            let (logits, mut pair_scores, size_offsets, empty_score, twins) = numbers;
            let (require, exclude, group, tokens, max_tokens, max_tools) = constraints;
            let mut logits = logits;
            if let Some(twins) = twins {
                copy_twins(&mut logits, &mut pair_scores, &twins);
            }
            let alignment = if softmax { Alignment::Softmax } else { Alignment::Sum };
            Case {
                logits,
                pair_scores,
                max_size,
                alignment,
                size_offsets,
                empty_score,
                require,
                exclude,
                group,
                tokens,
                max_tokens,
                max_tools,
                count,
            }
        })
    })
}

/// Makes every candidate equal to the one that it points at.
fn copy_twins(logits: &mut [f64], pair_scores: &mut [f64], twins: &[prop::sample::Index]) {
    let pool = logits.len();
    let twin = |index: usize| twins[index].index(pool);
    let originals = logits.to_vec();
    for (index, logit) in logits.iter_mut().enumerate() {
        *logit = originals[twin(index)];
    }
    if pool == 0 {
        return;
    }
    for pairs in pair_scores.chunks_exact_mut(pool * pool) {
        let originals = pairs.to_vec();
        for a in 0..pool {
            for b in 0..pool {
                let (low, high) = (twin(a).min(twin(b)), twin(a).max(twin(b)));
                pairs[a * pool + b] = originals[low * pool + high];
            }
        }
    }
}

fn fill(case: &Case) -> Problem {
    let mut problem = Problem::default();
    let group_ends = [case.group.len() as u32];
    let request = HyperedgeRequest {
        logits: &case.logits,
        pair_scores: &case.pair_scores,
        max_size: case.max_size,
        alignment: case.alignment,
        size_offsets: &case.size_offsets,
        empty_score: case.empty_score,
        constraints: Constraints {
            require: &case.require,
            exclude: &case.exclude,
            group_ends: &group_ends,
            group_members: &case.group,
            tokens: &case.tokens,
            max_tokens: case.max_tokens,
            max_tools: case.max_tools,
        },
    };
    problem.fill(&request).unwrap();
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
