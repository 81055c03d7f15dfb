//! Stage 2: which sets a query calls for (HYSET, equations 2, 3 and 7 to 10).
//!
//! `F(E) = alignment(E) + Σ_{a<b} z_a · M_m z_b + c_m`, `m = |E|`. The alignment is `Σ_{t ∈ E} log softmax(l)_t` over the library, or `Σ l_t`, or the
//! paper's `Σ α_t l_t` with α the softmax of l over the members. A query's loss over its candidates, gold first, is
//! `−ω log softmax(F)_gold − η ρ log softmax(F)_Ê` with Ê the candidate of the largest F, which counts as a constant.

use super::real::Real;
use crate::hyperedge::{Alignment, LARGEST_SET};
use crate::{exp, ln};

/// log Σ exp(l). NaN where it is not finite.
pub(super) fn log_sum<R: Real>(logits: &[R]) -> f64 {
    let greatest = logits
        .iter()
        .fold(f64::NEG_INFINITY, |greatest, l| greatest.max(l.wide()));
    let sum: f64 = logits.iter().fold(0.0, |sum, l| sum + exp(l.wide() - greatest));
    if sum.is_finite() && sum > 0.0 {
        greatest + ln(sum)
    } else {
        f64::NAN
    }
}

/// How much each logit of a set counts in its alignment (the gradient of the alignment), and the alignment itself.
pub(super) fn align<R: Real>(alignment: Alignment, logits: &[R], set: &[u32], shares: &mut [f64; LARGEST_SET]) -> f64 {
    let of = |tool: u32| logits[tool as usize].wide();
    if alignment == Alignment::Sum {
        shares[..set.len()].fill(1.0);
        return set.iter().fold(0.0, |sum, &tool| sum + of(tool));
    }
    let greatest = set
        .iter()
        .fold(f64::NEG_INFINITY, |greatest, &tool| greatest.max(of(tool)));
    let (mut total, mut weighted) = (0.0, 0.0);
    for (share, &tool) in shares.iter_mut().zip(set) {
        let weight = exp(of(tool) - greatest);
        total += weight;
        weighted += weight * of(tool);
        *share = weight;
    }
    let mean = weighted / total;
    for (share, &tool) in shares.iter_mut().zip(set) {
        *share = *share / total * (1.0 + of(tool) - mean);
    }
    mean
}

/// What a query's candidates lose, each part before it is weighed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Losses {
    /// −log softmax(F) of gold.
    pub(super) retrieval: f64,
    /// −log softmax(F) of Ê.
    pub(super) chosen: f64,
    /// Where Ê stands.
    pub(super) place: usize,
}

/// The losses of the candidates of one query, of which the first is gold; −infinity is no candidate. `gradients` becomes the gradient of
/// `weights[0]` · retrieval + `weights[1]` · chosen.
pub(super) fn candidate_losses(scores: &[f64], weights: [f64; 2], gradients: &mut [f64]) -> Losses {
    let mut place = 0;
    for (other, score) in scores.iter().enumerate() {
        if *score > scores[place] {
            place = other;
        }
    }
    let mut sum = 0.0;
    for (gradient, score) in gradients.iter_mut().zip(scores) {
        *gradient = exp(score - scores[place]);
        sum += *gradient;
    }
    if !sum.is_finite() || sum == 0.0 {
        return Losses {
            retrieval: f64::NAN,
            chosen: f64::NAN,
            place,
        };
    }
    let factor = (weights[0] + weights[1]) / sum;
    for gradient in gradients.iter_mut() {
        *gradient *= factor;
    }
    gradients[0] -= weights[0];
    gradients[place] -= weights[1];
    let chosen = ln(sum);
    Losses {
        retrieval: chosen + (scores[place] - scores[0]),
        chosen,
        place,
    }
}
