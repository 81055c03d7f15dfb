use std::fmt;

/// What a kernel refuses. The TypeScript kernels say the same in the same words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelError {
    /// An array has another length than the call says.
    Length {
        /// Which array.
        what: &'static str,
        /// The length or multiple that was expected.
        expected: usize,
        /// The length that came.
        actual: usize,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Position in the array.
        position: usize,
    },
    /// A vector is so long that a score could overflow.
    TooLong {
        /// Which array.
        what: &'static str,
        /// Which vector of the array.
        row: usize,
    },
    /// An ordinal names no row.
    UnknownOrdinal {
        /// Which array.
        what: &'static str,
        /// The ordinal.
        ordinal: u32,
        /// How many rows there are.
        rows: usize,
    },
    /// An option has a value that this build does not know, or that this processor cannot run.
    Option {
        /// Which option.
        what: &'static str,
        /// The value that came.
        value: String,
    },
    /// A number is outside of what can be computed with.
    OutOfRange {
        /// Which argument.
        what: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What came.
        value: String,
    },
    /// A file cannot be read in place.
    Unmappable {
        /// Why.
        reason: String,
    },
    /// A distribution over more sets than can be looked at.
    TooManySets {
        /// How many candidates there are.
        candidates: usize,
    },
    /// The best sets could not be told from the others by bounds, and there are too many to look at each.
    UndecidedSets {
        /// How many there are, in words.
        sets: String,
    },
    /// The system has not that much memory.
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: usize,
    },
}

/// Checks the length of an array.
pub(crate) fn check_length(what: &'static str, expected: usize, actual: usize) -> Result<(), KernelError> {
    if expected == actual {
        Ok(())
    } else {
        Err(KernelError::Length { what, expected, actual })
    }
}

impl KernelError {
    /// The error of a part of an array, told of the whole, where `numbers` stand in front of the part.
    pub(crate) fn behind(self, numbers: usize) -> Self {
        match self {
            Self::NotFinite { what, position } => Self::NotFinite {
                what,
                position: numbers + position,
            },
            other => other,
        }
    }

    /// The code of this error in the closed list of codes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::OutOfMemory { .. } | Self::TooManySets { .. } | Self::UndecidedSets { .. } => "too-large",
            Self::Unmappable { .. } => "unreadable-source",
            _ => "invalid-argument",
        }
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, expected, actual } => {
                write!(formatter, "{what}: expected a length of {expected}, got {actual}.")
            }
            Self::NotFinite { what, position } => write!(
                formatter,
                "{what}: the number at position {position} is NaN or infinite; every number must be finite."
            ),
            Self::TooLong { what, row } => write!(
                formatter,
                "{what}: vector {row} is longer than 2^62, so that a score could overflow; scale the vectors down."
            ),
            Self::UnknownOrdinal { what, ordinal, rows } => {
                write!(
                    formatter,
                    "{what}: ordinal {ordinal} names no row; there are {rows} rows."
                )
            }
            Self::Option { what, value } => write!(formatter, "{what}: \"{value}\" is not available."),
            Self::OutOfRange { what, expected, value } => {
                write!(formatter, "{what}: expected {expected}, got {value}.")
            }
            Self::Unmappable { reason } => write!(formatter, "The file cannot be mapped: {reason}."),
            Self::TooManySets { candidates } => write!(
                formatter,
                "distribution: {candidates} candidates have too many sets to weigh them all; give a smaller pool or M."
            ),
            Self::UndecidedSets { sets } => write!(
                formatter,
                "pairScores: the scores are so alike that {sets} sets would have to be looked at one by one; give a smaller pool or maxSize."
            ),
            Self::OutOfMemory { bytes } => write!(formatter, "{bytes} bytes of memory could not be had."),
        }
    }
}

impl std::error::Error for KernelError {}
