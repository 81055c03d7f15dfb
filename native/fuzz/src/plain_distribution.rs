//! The distribution P(E) ∝ e^F(E) as its definition reads, and how near a kernel has to come to it.

use crate::set_case::SetCase;

/// Log Z, the probability of each candidate, and of each size from 0 to M.
pub fn distribution_of(sets: &[(u64, Vec<u32>)], case: &SetCase) -> Vec<f64> {
    let pool = case.logits.len();
    let mut distribution = vec![0.0; 1 + pool + case.max_size + 1];
    distribution[0] = f64::NEG_INFINITY;
    let Some(&(top, _)) = sets.first() else {
        return distribution;
    };
    let top = f64::from_bits(top);
    let mut total = 0.0;
    for (score, members) in sets {
        let weight = (f64::from_bits(*score) - top).exp();
        total += weight;
        distribution[1 + pool + members.len()] += weight;
        for &member in members {
            distribution[1 + member as usize] += weight;
        }
    }
    for number in &mut distribution[1..] {
        *number /= total;
    }
    distribution[0] = top + total.ln();
    distribution
}

/// Panics where a distribution is not that of its request, or none at all.
pub fn check(got: &[f64], expected: &[f64], case: &SetCase) {
    let (candidates, sizes) = got[1..].split_at(case.logits.len());
    let is_close = |got: f64, expected: f64, error: f64| (got - expected).abs() <= error;
    if expected[0] == f64::NEG_INFINITY {
        assert_eq!(got, expected, "nothing can be answered");
        return;
    }
    // Whatever the scores are, it is a distribution.
    assert!(got[0].is_finite(), "log Z is {}", got[0]);
    let is_probability = |&number: &f64| (0.0..=1.0 + 1e-9).contains(&number);
    assert!(got[1..].iter().all(is_probability), "{got:?}");
    assert!(is_close(sizes.iter().sum(), 1.0, 1e-9), "sizes: {sizes:?}");
    let mean: f64 = sizes
        .iter()
        .zip(0..)
        .map(|(&probability, size)| probability * f64::from(size))
        .sum();
    assert!(is_close(candidates.iter().sum(), mean, 1e-8), "{got:?}");
    // A weight is as wrong as its score is: a sum of at most 8 logits and 28 pair scores, some of which cancel.
    let largest = |values: &[f64]| {
        values
            .iter()
            .filter(|value| value.is_finite())
            .fold(1.0, |most: f64, value| most.max(value.abs()))
    };
    let pairs: Vec<f64> = case.pair_scores_looked_at().copied().collect();
    let terms = 64.0 * (largest(&case.logits) + largest(&pairs))
        + largest(&case.size_offsets)
        + largest(case.empty_score.as_slice());
    let error = 1e-12 + 16.0 * f64::EPSILON * terms;
    if error > 1e-2 {
        return;
    }
    for (&got, &expected) in got.iter().zip(expected) {
        assert!(is_close(got, expected, error), "{got} for {expected}, within {error}");
    }
}
