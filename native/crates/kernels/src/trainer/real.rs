use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use crate::simd::{Simd, SimdLevel};

/// Gradients smaller than this count as 0, and numbers of vectors. A step would not see them, since the ε of the optimiser is 1e7 times as large; but
/// products of them are below the normal numbers of f32, and processors take a hundred times as long over those: a few hundred in a matrix
/// doubled the time of a product.
pub(super) const NOTHING: f64 = 1e-15;
/// The same for moments, which shrink at every step: their square roots and squares stay far from where numbers are not normal.
pub(super) const FADED: f64 = 1e-35;

/// The numbers of a model: f32 to train, f64 to check gradients and to compare with the numbers of others.
pub trait Real:
    Copy
    + Default
    + Debug
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + 'static
{
    /// 0.
    const ZERO: Self;

    /// The nearest number of this type.
    fn of(value: f64) -> Self;

    /// The nearest number of this type, or 0 where it is smaller than [`NOTHING`].
    #[inline(always)]
    #[must_use]
    fn of_gradient(value: f64) -> Self {
        if value.abs() < NOTHING {
            Self::ZERO
        } else {
            Self::of(value)
        }
    }

    /// This number, or 0 where it is smaller than `least`.
    #[inline(always)]
    #[must_use]
    fn unless_below(self, least: Self) -> Self {
        if self < least && Self::ZERO - self < least {
            Self::ZERO
        } else {
            self
        }
    }

    /// The same number as f64.
    fn wide(self) -> f64;

    /// `self · factor + addend`, rounded once.
    #[must_use]
    fn fused(self, factor: Self, addend: Self) -> Self;

    /// The square root.
    #[must_use]
    fn root(self) -> Self;
}

macro_rules! real {
    ($type:ty) => {
        impl Real for $type {
            const ZERO: Self = 0.0;

            #[inline(always)]
            fn of(value: f64) -> Self {
                value as $type
            }

            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }

            #[inline(always)]
            fn fused(self, factor: Self, addend: Self) -> Self {
                self.mul_add(factor, addend)
            }

            #[inline(always)]
            fn root(self) -> Self {
                self.sqrt()
            }
        }
    };
}

real!(f32);
real!(f64);

/// Work whose loops the compiler makes as wide as a level allows. `run` must be `#[inline(always)]`, or it is done without.
pub(super) trait Wide {
    fn run(self);
}

/// Does the work at a level. All arithmetic of the trainer is elementwise or in an order of its own, so that the level changes no bit.
#[inline]
pub(super) fn at_level<Work: Wide>(simd: Simd, work: Work) {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of this level exists only on a processor that has AVX2 and FMA.
        SimdLevel::Avx2 => unsafe { avx2(work) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of this level exists only on a processor that has AVX-512 F, BW, DQ and VL, and with them AVX2 and FMA.
        SimdLevel::Avx512 => unsafe { avx512(work) },
        _ => work.run(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<Work: Wide>(work: Work) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
fn avx512<Work: Wide>(work: Work) {
    work.run();
}
