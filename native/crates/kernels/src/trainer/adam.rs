//! `AdamW` (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019), in the order of arithmetic of the reference of HYSET:
//! w ← w (1 − η λ); m ← β₁ m + (1 − β₁) g; v ← β₂ v + (1 − β₂) g²; w ← w − η / (1 − β₁ᵗ) · m / (√v / √(1 − β₂ᵗ) + ε).
//! Every moment moves at every step, also where the gradient is 0.

use std::sync::atomic::{AtomicBool, Ordering};

use super::gemm::Engine;
use super::real::{FADED, NOTHING, Real, Wide, at_level};
use crate::threads::SharedSlice;

/// Numbers that are worth handing out.
const PART: usize = 16_384;

/// β₁, β₂, ε.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// How much of the mean of gradients is kept.
    pub first: f64,
    /// How much of the mean of their squares is kept.
    pub second: f64,
    /// What keeps small divisors from 0.
    pub epsilon: f64,
}

/// One step of one group of numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    pub(super) size: f64,
    pub(super) weight_decay: f64,
    pub(super) moments: Moments,
    /// β₁ᵗ and β₂ᵗ.
    pub(super) powers: [f64; 2],
}

/// Moves `values` against `gradients`; whether all are still finite.
pub(super) fn update<R: Real>(
    engine: Engine<'_>,
    rate: Rate,
    values: &mut [R],
    gradients: &[R],
    first: &mut [R],
    second: &mut [R],
) -> bool {
    let finite = AtomicBool::new(true);
    let count = values.len();
    let shared = [
        SharedSlice::new(values),
        SharedSlice::new(first),
        SharedSlice::new(second),
    ];
    engine.threads.run(count.div_ceil(PART), &|part| {
        let range = part * PART..((part + 1) * PART).min(count);
        // SAFETY: the ranges of parts do not overlap, and each part is handed out once.
        let [values, first, second] = shared.map(|slice| unsafe { slice.part(range.clone()) });
        at_level(
            engine.simd,
            Update {
                rate,
                values,
                gradients: &gradients[range],
                first,
                second,
                finite: &finite,
            },
        );
    });
    finite.into_inner()
}

struct Update<'a, R> {
    rate: Rate,
    values: &'a mut [R],
    gradients: &'a [R],
    first: &'a mut [R],
    second: &'a mut [R],
    finite: &'a AtomicBool,
}

impl<R: Real> Wide for Update<'_, R> {
    #[inline(always)]
    fn run(self) {
        let Rate {
            size,
            weight_decay,
            moments,
            powers,
        } = self.rate;
        let kept = R::of(1.0 - size * weight_decay);
        let (first_kept, first_new) = (R::of(moments.first), R::of(1.0 - moments.first));
        let (second_kept, second_new) = (R::of(moments.second), R::of(1.0 - moments.second));
        let step = R::of(size / (1.0 - powers[0]));
        let root = R::of((1.0 - powers[1]).sqrt());
        let epsilon = R::of(moments.epsilon);
        let (nothing, faded) = (R::of(NOTHING), R::of(FADED));
        // 0 · x is 0 for what is finite and NaN for the rest, and sums carry NaN on.
        let mut spoiled = [R::ZERO; 16];
        let chunks = self.values.chunks_mut(16).zip(self.gradients.chunks(16));
        let moments = self.first.chunks_mut(16).zip(self.second.chunks_mut(16));
        for ((values, gradients), (first, second)) in chunks.zip(moments) {
            let numbers = values
                .iter_mut()
                .zip(gradients)
                .zip(first.iter_mut().zip(second.iter_mut()));
            for (((value, &gradient), (first, second)), spoiled) in numbers.zip(&mut spoiled) {
                let gradient = gradient.unless_below(nothing);
                *first = (first_kept * *first + first_new * gradient).unless_below(faded);
                *second = (second_kept * *second + second_new * (gradient * gradient)).unless_below(faded);
                let moved = *value * kept - step * (*first / (second.root() / root + epsilon));
                *value = moved;
                *spoiled += R::ZERO * moved + R::ZERO * *second;
            }
        }
        if spoiled.iter().any(|&sum| sum != R::ZERO) {
            self.finite.store(false, Ordering::Relaxed);
        }
    }
}
