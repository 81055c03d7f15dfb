use crate::KernelError;

/// An instruction set that has kernels of its own. The numbers are those of `simdNumbers` in TypeScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimdLevel {
    /// What the compiler makes of plain loops.
    Scalar = 0,
    /// 64-bit ARM.
    Neon = 1,
    /// AVX2 with fused multiply-add.
    Avx2 = 2,
    /// AVX-512 F, BW, DQ and VL: what every server processor with AVX-512 since 2017 has.
    Avx512 = 3,
}

impl SimdLevel {
    const BEST_FIRST: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Neon, Self::Scalar];

    /// The name under which `kernelInfo()` reports this level.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    fn is_supported(self) -> bool {
        match self {
            Self::Scalar => true,
            Self::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }
}

/// Proof that this processor runs a level: the only way to get one is to ask the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simd(SimdLevel);

impl Simd {
    /// Every level that this processor runs, best first; the last is always scalar.
    pub fn supported() -> impl Iterator<Item = Self> {
        SimdLevel::BEST_FIRST
            .into_iter()
            .filter(|level| level.is_supported())
            .map(Self)
    }

    /// The level of this name, if the processor runs it.
    pub fn named(name: &str) -> Result<Self, KernelError> {
        Self::supported()
            .find(|simd| simd.level().name() == name)
            .ok_or_else(|| KernelError::Option {
                what: "simd",
                value: name.to_owned(),
            })
    }

    /// The level of this number, if the processor runs it: a number is quicker to hand over than a name.
    pub fn numbered(number: u32) -> Result<Self, KernelError> {
        Self::supported()
            .find(|simd| simd.level() as u32 == number)
            .ok_or_else(|| KernelError::Option {
                what: "simd",
                value: number.to_string(),
            })
    }

    /// The level that the processor was asked for.
    pub fn level(self) -> SimdLevel {
        self.0
    }
}
