use std::ops::Range;

use crate::KernelError;

/// The rows that one search may answer, in ascending order of ordinals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pool<'a> {
    /// All of so many rows.
    All(usize),
    /// These rows, distinct and ascending.
    Listed(&'a [u32]),
}

impl<'a> Pool<'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Self::All(rows) => rows,
            Self::Listed(ordinals) => ordinals.len(),
        }
    }

    pub(crate) fn ordinal(self, position: usize) -> u32 {
        match self {
            Self::All(_) => position as u32,
            Self::Listed(ordinals) => ordinals[position],
        }
    }

    /// The ordinals at `positions`, of which `room` has enough to hold them all.
    pub(crate) fn ordinals(self, positions: Range<usize>, room: &'a mut [u32]) -> &'a [u32] {
        match self {
            Self::Listed(ordinals) => &ordinals[positions],
            Self::All(_) => {
                let room = &mut room[..positions.len()];
                for (ordinal, position) in room.iter_mut().zip(positions) {
                    *ordinal = position as u32;
                }
                room
            }
        }
    }
}

/// Writes the distinct ordinals of `allow` into `ordinals`, ascending; `marks` is memory to work in.
pub(crate) fn collect_distinct(
    allow: &[u32],
    rows: usize,
    marks: &mut Vec<u64>,
    ordinals: &mut Vec<u32>,
) -> Result<(), KernelError> {
    marks.clear();
    marks.resize(rows.div_ceil(64), 0);
    for &ordinal in allow {
        if ordinal as usize >= rows {
            return Err(KernelError::UnknownOrdinal { ordinal, rows });
        }
        marks[ordinal as usize / 64] |= 1 << (ordinal % 64);
    }
    ordinals.clear();
    for (word, &bits) in marks.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            ordinals.push(word as u32 * 64 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
    Ok(())
}
