use std::ops::Range;

use crate::KernelError;

/// The rows that one search reads, in ascending order of ordinals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pool<'a> {
    /// All of so many rows; those of the list are read with them and never answered.
    All {
        /// How many rows there are.
        rows: usize,
        /// Distinct ordinals, in any order.
        masked: &'a [u32],
    },
    /// These rows, distinct and ascending.
    Listed(&'a [u32]),
}

impl<'a> Pool<'a> {
    /// How many rows are read.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::All { rows, .. } => rows,
            Self::Listed(ordinals) => ordinals.len(),
        }
    }

    #[inline]
    pub(crate) fn ordinal(self, position: usize) -> u32 {
        match self {
            Self::All { .. } => position as u32,
            Self::Listed(ordinals) => ordinals[position],
        }
    }

    /// The ordinals at `positions`, of which `room` has enough to hold them all.
    pub(crate) fn ordinals<'b>(self, positions: Range<usize>, room: &'b mut [u32]) -> &'b [u32]
    where
        'a: 'b,
    {
        match self {
            Self::Listed(ordinals) => &ordinals[positions],
            Self::All { .. } => {
                let room = &mut room[..positions.len()];
                for (ordinal, position) in room.iter_mut().zip(positions) {
                    *ordinal = position as u32;
                }
                room
            }
        }
    }

    /// Makes the products of rows that are not answered smaller than all others.
    pub(crate) fn mask(self, products: &mut [f32]) {
        if let Self::All { masked, .. } = self {
            for &ordinal in masked {
                products[ordinal as usize] = f32::NEG_INFINITY;
            }
        }
    }
}

/// What a caller says about the rows that may be answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<'a> {
    /// How many rows there are.
    pub(crate) rows: usize,
    /// The only ones that may be answered, if not all.
    pub(crate) allow: Option<&'a [u32]>,
    /// Those that may not.
    pub(crate) exclude: &'a [u32],
    /// Those that were removed, each once, and the same as one bit a row.
    pub(crate) removed: &'a [u32],
    pub(crate) removed_marks: &'a [u64],
}

/// Memory in which pools are made.
#[derive(Debug, Default)]
pub(crate) struct PoolRoom {
    marks: Vec<u64>,
    ordinals: Vec<u32>,
}

impl PoolRoom {
    /// The pool of a choice, and how many of its rows may be answered; a pool of which at most `k` may be is a list.
    pub(crate) fn pool<'a>(&'a mut self, choice: Choice<'a>, k: usize) -> Result<(Pool<'a>, usize), KernelError> {
        let rows = choice.rows;
        check(rows, "allow", choice.allow.unwrap_or_default())?;
        check(rows, "exclude", choice.exclude)?;
        if choice.allow.is_none() {
            let answerable = rows - choice.removed.len();
            // Reading rows for nothing is cheaper than a list, while they are few.
            if choice.exclude.is_empty() && answerable > k.max(rows / 2) {
                let masked = choice.removed;
                return Ok((Pool::All { rows, masked }, answerable));
            }
            if answerable.saturating_sub(choice.exclude.len()) > k.max(rows / 2) {
                self.list_masked(choice);
                let masked = &self.ordinals;
                return Ok((Pool::All { rows, masked }, rows - masked.len()));
            }
        }
        self.list_pool(choice);
        Ok((Pool::Listed(&self.ordinals), self.ordinals.len()))
    }

    fn list_masked(&mut self, choice: Choice<'_>) {
        self.ordinals.clear();
        self.ordinals.extend_from_slice(choice.exclude);
        self.ordinals.sort_unstable();
        self.ordinals.dedup();
        self.ordinals
            .retain(|&ordinal| choice.removed_marks[ordinal as usize / 64] >> (ordinal % 64) & 1 == 0);
        self.ordinals.extend_from_slice(choice.removed);
    }

    fn list_pool(&mut self, choice: Choice<'_>) {
        self.marks.clear();
        self.marks.resize(choice.rows.div_ceil(64), 0);
        if let Some(allow) = choice.allow {
            for &ordinal in allow {
                self.marks[ordinal as usize / 64] |= 1 << (ordinal % 64);
            }
        } else {
            self.marks.fill(u64::MAX);
            if let Some(last) = self.marks.last_mut() {
                *last >>= choice.rows.wrapping_neg() % 64;
            }
        }
        for &ordinal in choice.exclude {
            self.marks[ordinal as usize / 64] &= !(1 << (ordinal % 64));
        }
        self.ordinals.clear();
        for (word, (&marks, &removed)) in self.marks.iter().zip(choice.removed_marks).enumerate() {
            let mut bits = marks & !removed;
            while bits != 0 {
                self.ordinals.push(word as u32 * 64 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.marks.capacity() * size_of::<u64>() + self.ordinals.capacity() * size_of::<u32>()
    }
}

fn check(rows: usize, what: &'static str, ordinals: &[u32]) -> Result<(), KernelError> {
    match ordinals.iter().find(|&&ordinal| ordinal as usize >= rows) {
        Some(&ordinal) => Err(KernelError::UnknownOrdinal { what, ordinal, rows }),
        None => Ok(()),
    }
}
