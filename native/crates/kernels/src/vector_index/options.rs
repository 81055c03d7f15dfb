use crate::KernelError;
use crate::simd::Simd;

/// What a score is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// The inner product with the rows as they are.
    InnerProduct,
    /// The inner product of row and query, each divided by its length; 0 where one of them is all zeros.
    Cosine,
}

/// What a scan reads of a row. Answers are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Its f32 numbers.
    Float32,
    /// One byte a number, kept beside the f32 numbers, which the best rows are scored by.
    Int8,
}

/// How several queries make answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// Every query has its own.
    #[default]
    Each,
    /// One answer for all: a row's score is the greatest that a query gives it.
    Maximum,
}

/// How an index is made.
#[derive(Debug, Clone, Copy)]
pub struct VectorIndexOptions {
    /// What a score is.
    pub similarity: Similarity,
    /// What a scan reads.
    pub precision: Precision,
    /// Threads that scan, the calling one among them.
    pub threads: usize,
    /// The instructions that are used.
    pub simd: Simd,
}

impl VectorIndexOptions {
    /// Inner products over f32 numbers by one thread.
    pub fn new(simd: Simd) -> Self {
        Self {
            similarity: Similarity::InnerProduct,
            precision: Precision::Float32,
            threads: 1,
            simd,
        }
    }
}

/// Finds what a name of an option stands for.
macro_rules! named {
    ($type:ident, $what:literal, $($name:literal => $value:ident),+) => {
        impl $type {
            /// The value of this name.
            pub fn named(name: &str) -> Result<Self, KernelError> {
                match name {
                    $($name => Ok(Self::$value),)+
                    _ => Err(KernelError::Option { what: $what, value: name.to_owned() }),
                }
            }
        }
    };
}
named!(Similarity, "similarity", "inner-product" => InnerProduct, "cosine" => Cosine);
named!(Precision, "precision", "float32" => Float32, "int8" => Int8);
