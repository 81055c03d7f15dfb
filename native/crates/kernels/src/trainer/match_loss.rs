//! Stage 1: which tools a query calls for, each by itself (`InfoNCE` over the whole library; van den Oord, Li and Vinyals 2018).
//!
//! With the gold tools G of a query and `n = log Σ_{t ∉ G} exp(l_t)`, its loss is the mean over `g ∈ G` of `−log(exp(l_g) / (exp(l_g) + exp(n)))`:
//! the tools of G do not compete with each other. With `p_g = 1 / (1 + exp(n − l_g))` the gradient is `(p_g − 1) / |G|` for `g ∈ G`, and
//! `exp(l_t − n) · Σ_g (1 − p_g) / |G|` for the others.

use super::real::Real;
use crate::{exp, ln};

/// The loss of one query times `scale`; the logits become its gradient. NaN where it is not finite.
pub(super) fn match_loss<R: Real>(logits: &mut [R], gold: &[u32], scale: f64) -> f64 {
    let lowest = R::of(f64::NEG_INFINITY);
    let mut kept = [0.0; 16];
    let many: Vec<f64>;
    // Allocates only for sets that are never scored as sets.
    let gold_logits: &[f64] = if gold.len() <= kept.len() {
        for (kept, &tool) in kept.iter_mut().zip(gold) {
            *kept = logits[tool as usize].wide();
        }
        &kept[..gold.len()]
    } else {
        many = gold.iter().map(|&tool| logits[tool as usize].wide()).collect();
        &many
    };
    for &tool in gold {
        logits[tool as usize] = lowest;
    }
    let greatest = logits
        .iter()
        .fold(lowest, |greatest, &l| if l > greatest { l } else { greatest });
    if greatest == lowest {
        // Nothing competes, or nothing is a number.
        logits.fill(R::ZERO);
        return if gold_logits.iter().all(|l| l.is_finite()) && gold.len() == logits.len() {
            0.0
        } else {
            f64::NAN
        };
    }
    let mut sum = 0.0;
    for l in logits.iter_mut() {
        let weight = exp(l.wide() - greatest.wide());
        *l = R::of(weight);
        sum += weight;
    }
    if !sum.is_finite() {
        return f64::NAN;
    }
    let others = greatest.wide() + ln(sum);
    let share = scale / gold.len() as f64;
    let (mut total, mut missing) = (0.0, 0.0);
    for (&l, &tool) in gold_logits.iter().zip(gold) {
        let lead = l - others;
        let small = exp(-lead.abs());
        total += ln(1.0 + small) + if lead < 0.0 { -lead } else { 0.0 };
        // 1 − p, without cancellation.
        let lost = if lead < 0.0 { 1.0 } else { small } / (1.0 + small);
        missing += lost;
        logits[tool as usize] = R::of(-lost * share);
    }
    let factor = missing * share / sum;
    let mut next = 0;
    for (tool, l) in logits.iter_mut().enumerate() {
        if next < gold.len() && gold[next] as usize == tool {
            next += 1;
        } else {
            *l = R::of_gradient(l.wide() * factor);
        }
    }
    total * share
}
