//! The learning rate of a step: linear warm-up, then half a cosine down to 0.
//!
//! With T steps in all, of which w = ⌊T · warm-up⌋ warm up, step t (from 0) has the factor (t + 1) / w for t < w, and
//! ½ (1 + cos(π · min(1, (t − w) / max(1, T − w)))) from then on. The cosine is a polynomial, since those of the platforms differ in the last bit.

/// How much of the learning rate step `step` of `steps` has.
pub fn learning_rate_factor(step: usize, steps: usize, warmup: f64) -> f64 {
    #[allow(clippy::cast_sign_loss, reason = "a share of 0 or more")]
    let warm = (steps as f64 * warmup) as usize;
    if step < warm {
        return (step + 1) as f64 / warm as f64;
    }
    let progress = (step - warm) as f64 / steps.saturating_sub(warm).max(1) as f64;
    0.5 * (1.0 + cosine_of_half_turns(progress.min(1.0)))
}

/// cos(π x) for x from 0 to 1, as −sin(π (x − ½)) by its Taylor series up to the 23rd power, which is exact to the last bits.
fn cosine_of_half_turns(x: f64) -> f64 {
    let y = std::f64::consts::PI * (x - 0.5);
    let square = y * y;
    let mut series = 1.0;
    for k in (1..=11_u32).rev() {
        series = 1.0 - series * square / f64::from(2 * k * (2 * k + 1));
    }
    -(y * series)
}
