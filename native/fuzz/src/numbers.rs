//! Numbers that kernels find hard: ties, near ties, numbers far apart, huge and tiny ones, NaN and infinities.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

use crate::lists::one_in;

/// What is extreme for a kind of number.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    huge: f64,
    tiny: f64,
    /// What makes near ties.
    epsilon: f64,
    extremes: [f64; 12],
}

/// For kernels that compute with f64.
pub const DOUBLE: Scale = Scale {
    huge: 1e90,
    tiny: 1e-300,
    epsilon: f64::EPSILON,
    extremes: [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        1e100,
        -1e100,
        1.1e100,
        -800.0,
        710.0,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
    ],
};

/// For kernels that take f32.
pub const SINGLE: Scale = Scale {
    huge: 1e17,
    tiny: 1e-38,
    epsilon: f32::EPSILON as f64,
    extremes: [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        // 2^62 and what is just beyond.
        4_611_686_018_427_387_904.0,
        -4_611_686_568_183_201_792.0,
        1e19,
        -800.0,
        -1e-45,
        f32::MAX as f64,
        f32::MIN_POSITIVE as f64,
        1e-45,
    ],
};

/// So large that beside it even f64 loses what is below 1.
const CANCELLING: f64 = 1e17;

/// So many numbers of one family. Few bytes make many numbers, so that one changed byte makes another problem.
pub fn numbers(input: &mut Unstructured, count: usize, scale: Scale) -> Result<Vec<f64>> {
    let family: u8 = input.int_in_range(0..=9)?;
    let mut sequence = Sequence(input.arbitrary::<u32>()?.into());
    let base = sequence.number();
    let mut numbers = Vec::with_capacity(count);
    for _ in 0..count {
        let random = sequence.number();
        numbers.push(match family {
            0 => random,
            // Chosen one by one, in quarters: ties, and sums without rounding.
            1 => f64::from(input.arbitrary::<i8>()?) / 4.0,
            2 => (random * 3.0).round(),
            3 => base,
            4 => [0.0, 1.0, -350.0, -750.0, 800.0][(random.to_bits() % 5) as usize],
            5 => random * scale.huge,
            6 => random * scale.tiny,
            7 => random * 2.0_f64.powi((sequence.number() * 60.0) as i32),
            // Sums in which large numbers cancel and leave small ones.
            8 => [CANCELLING, -CANCELLING, random][(random.to_bits() % 3) as usize],
            _ => base + (random * 3.0).round() * scale.epsilon * base.abs(),
        });
    }
    if count > 0 && one_in(input, 8)? {
        for _ in 0..input.int_in_range(1..=3)? {
            let place = input.choose_index(count)?;
            numbers[place] = *input.choose(&scale.extremes)?;
        }
    }
    Ok(numbers)
}

/// [`numbers`] as f32.
pub fn singles(input: &mut Unstructured, count: usize) -> Result<Vec<f32>> {
    let numbers = numbers(input, count, SINGLE)?;
    Ok(numbers.into_iter().map(|number| number as f32).collect())
}

/// Pseudorandom numbers (splitmix64).
struct Sequence(u64);

impl Sequence {
    /// In −1..1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
