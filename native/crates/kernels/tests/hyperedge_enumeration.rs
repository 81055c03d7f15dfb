//! Enumeration on every SIMD path that this machine has, against the definition.

mod hyperedge_case;

use hyperedge_case::{Case, case};
use proptest::prelude::*;
use setwise_kernels::hyperedge::{
    Alignment, BestSets, Constraints, HyperedgeRequest, Problem, SetSearch, enumerate_plainly,
};
use setwise_kernels::{KernelError, Simd, exp, ln};

type Sets = Vec<(u64, Vec<u32>)>;

fn by_definition(case: &Case, count: usize) -> Sets {
    let group_ends = [case.group.len() as u32];
    let mut problem = Problem::default();
    problem.fill(&case.request(&group_ends)).unwrap();
    let mut best = BestSets::default();
    best.restart(count);
    enumerate_plainly(&problem, &mut best);
    let positions = |members: &[u16]| members.iter().map(|&member| problem.position(member)).collect();
    best.sorted()
        .iter()
        .map(|set| (set.score.to_bits(), positions(set.members())))
        .collect()
}

fn found(search: &mut SetSearch, count: usize) -> Sets {
    let mut sets = Vec::new();
    search.each_set(count, |score, members| sets.push((score.to_bits(), members.collect())));
    sets
}

/// log Z, then the probabilities of the candidates and sizes, from all sets one by one.
fn distribution_of(case: &Case, sets: &Sets) -> Vec<f64> {
    let pool = case.logits.len();
    let mut out = vec![0.0; 1 + pool + case.max_size + 1];
    let Some((top, _)) = sets.first() else {
        out[0] = f64::NEG_INFINITY;
        return out;
    };
    let top = f64::from_bits(*top);
    let mut total = 0.0;
    for (score, members) in sets {
        let weight = exp(f64::from_bits(*score) - top);
        total += weight;
        for &member in members {
            out[1 + member as usize] += weight;
        }
        out[1 + pool + members.len()] += weight;
    }
    for probability in &mut out[1..] {
        *probability /= total;
    }
    out[0] = top + ln(total);
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_level_finds_the_sets_of_the_definition_bit_for_bit(cases in prop::collection::vec(case(), 1..4)) {
        for simd in Simd::supported() {
            // One memory for requests of different shapes.
            let mut search = SetSearch::default();
            for case in &cases {
                let group_ends = [case.group.len() as u32];
                search.search(simd, &case.request(&group_ends), case.count).unwrap();
                prop_assert_eq!(found(&mut search, case.count), by_definition(case, case.count), "{:?}", simd);
            }
        }
    }

    #[test]
    fn every_level_gives_the_same_distribution_near_that_of_the_definition(cases in prop::collection::vec(case(), 1..4)) {
        let mut first: Option<Vec<Vec<u64>>> = None;
        for simd in Simd::supported() {
            let mut search = SetSearch::default();
            let mut bits = Vec::new();
            for case in &cases {
                let group_ends = [case.group.len() as u32];
                let mut out = vec![f64::NAN; 1 + case.logits.len() + case.max_size + 1];
                search.weigh(simd, &case.request(&group_ends), case.count, &mut out).unwrap();
                prop_assert_eq!(found(&mut search, case.count), by_definition(case, case.count), "{:?}", simd);
                let expected = distribution_of(case, &by_definition(case, usize::MAX >> 8));
                for (at, (out, expected)) in out.iter().zip(expected).enumerate() {
                    // log Z is minus infinity where there are no sets.
                    let error = if out.is_finite() || expected.is_finite() { (out - expected).abs() } else { 0.0 };
                    let scale = if at == 0 { expected.abs().max(1.0) } else { 1.0 };
                    prop_assert!(error <= 1e-12 * scale, "{at}: {out} {expected}");
                }
                bits.push(out.iter().map(|number| number.to_bits()).collect());
            }
            prop_assert_eq!(first.get_or_insert_with(|| bits.clone()), &bits, "{:?}", simd);
        }
    }
}

fn zeros(pool: usize, max_size: usize) -> Vec<f64> {
    vec![0.0; (max_size - 1) * pool * pool]
}

fn request<'a>(logits: &'a [f64], pair_scores: &'a [f64], max_size: usize) -> HyperedgeRequest<'a> {
    HyperedgeRequest {
        logits,
        pair_scores,
        max_size,
        alignment: Alignment::Sum,
        size_offsets: &[],
        empty_score: None,
        constraints: Constraints::default(),
    }
}

#[test]
fn the_distribution_of_two_candidates_is_worked_out_by_hand() {
    // e^F: {} 1, {0} 2, {1} 3, {0, 1} 2 · 3 · 4 = 24; Z = 30.
    let (logits, pairs) = ([2.0, 3.0].map(ln), [0.0, ln(4.0), 0.0, 0.0]);
    let request = HyperedgeRequest {
        empty_score: Some(0.0),
        ..request(&logits, &pairs, 2)
    };
    for simd in Simd::supported() {
        let mut out = [0.0; 6];
        SetSearch::default().weigh(simd, &request, 0, &mut out).unwrap();
        let expected = [ln(30.0), 26.0 / 30.0, 27.0 / 30.0, 1.0 / 30.0, 5.0 / 30.0, 24.0 / 30.0];
        for (out, expected) in out.iter().zip(expected) {
            assert!((out - expected).abs() < 1e-14, "{out} {expected}");
        }
    }
}

#[test]
fn scores_too_large_for_products_are_weighed_by_their_differences() {
    // Sum, l = 400 and 399, M = 2: {0, 1} scores 799, beside which e^400 is nothing.
    let pairs = zeros(2, 2);
    for simd in Simd::supported() {
        let mut out = [0.0; 6];
        let request = request(&[400.0, 399.0], &pairs, 2);
        SetSearch::default().weigh(simd, &request, 1, &mut out).unwrap();
        assert_eq!(
            out.map(f64::to_bits),
            [799.0, 1.0, 1.0, 0.0, out[4], 1.0].map(f64::to_bits)
        );
        // e^-399 + e^-400.
        assert!((out[4] / ((-399.0_f64).exp() + (-400.0_f64).exp()) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn numbers_that_are_not_looked_at_need_not_be_numbers() {
    let mut pairs = zeros(3, 3);
    for matrix in pairs.chunks_exact_mut(9) {
        for at in [0, 3, 4, 6, 7, 8] {
            matrix[at] = f64::NAN;
        }
    }
    for simd in Simd::supported() {
        let mut search = SetSearch::default();
        search.search(simd, &request(&[3.0, 2.0, 1.0], &pairs, 3), 1).unwrap();
        assert_eq!(found(&mut search, 1), [(6.0_f64.to_bits(), vec![0, 1, 2])]);
    }
}

#[test]
fn numbers_that_are_not_finite_or_too_large_are_refused_with_their_position() {
    let good = zeros(2, 3);
    let mut search = SetSearch::default();
    let simd = Simd::supported().next().unwrap();
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e100] {
        let mut pairs = good.clone();
        pairs[5] = value;
        let logits = [value, 0.0];
        for (request, text) in [
            (request(&[0.0, 0.0], &pairs, 3), "pairScores"),
            (request(&logits, &good, 3), "logits"),
        ] {
            // The third member is not there: sets have two at most, and the second matrix is not looked at.
            let refused = search.search(simd, &request, 1);
            if text == "pairScores" {
                assert_eq!(refused, Ok(()));
                continue;
            }
            let text = refused.unwrap_err().to_string();
            assert!(
                text.starts_with("logits: expected numbers from -1e100 to 1e100, got "),
                "{text}"
            );
            assert!(text.ends_with(" at position 0."), "{text}");
        }
        let mut pairs = zeros(3, 3);
        pairs[9 + 5] = value;
        let text = search
            .search(simd, &request(&[0.0; 3], &pairs, 3), 1)
            .unwrap_err()
            .to_string();
        assert!(
            text.starts_with("pairScores: expected numbers from -1e100 to 1e100, got "),
            "{text}"
        );
        assert!(text.ends_with(" at position 14."), "{text}");
    }
    let mut out = [0.0; 3];
    assert!(matches!(
        search.weigh(simd, &request(&[0.0, 0.0], &good, 3), 1, &mut out),
        Err(KernelError::Length {
            what: "distribution",
            expected: 7,
            actual: 3
        })
    ));
}

#[test]
fn a_size_beyond_counting_is_refused_with_the_distribution_as_well() {
    let mut out = [0.0; 3];
    let request = request(&[0.0, 0.0], &[], usize::MAX);
    let refused = SetSearch::default().weigh(Simd::supported().next().unwrap(), &request, 1, &mut out);
    assert!(matches!(
        refused,
        Err(KernelError::Length {
            what: "distribution",
            actual: 3,
            ..
        })
    ));
}

#[test]
fn pools_of_any_size_and_sets_of_up_to_eight_are_searched() {
    // l = 0, 1, …: the best set is the last candidates.
    for (pool, max_size) in [(9, 8), (33, 4), (65, 3), (129, 3), (200, 2), (1024, 2)] {
        let logits: Vec<f64> = (0..pool).map(|i| i as f64).collect();
        let pairs = zeros(pool, max_size);
        for simd in Simd::supported() {
            let mut search = SetSearch::default();
            search.search(simd, &request(&logits, &pairs, max_size), 2).unwrap();
            let best: Vec<u32> = (pool - max_size..pool).map(|i| i as u32).collect();
            let score: f64 = best.iter().map(|&i| f64::from(i)).sum();
            let sets = found(&mut search, 2);
            assert_eq!(sets[0], (score.to_bits(), best), "{pool} {max_size}");
            assert_eq!(sets[1].0, (score - 1.0).to_bits());
        }
    }
}
