//! Memory for rows: whole cache lines, in pages of 2 MB where that pays, or in a mapped file.

use std::fmt;
use std::fs::File;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use memmap2::{Mmap, MmapMut, MmapOptions};

use crate::KernelError;

/// From this size on memory is asked of the system, at a multiple of this, so that Linux can give pages of 2 MB: an entry of
/// the address cache then covers 512 times as much, which makes reading about a tenth faster.
const LARGE_PAGE: usize = 2 << 20;

/// A cache line.
pub(crate) const LINE: usize = 64;

/// What may stand in memory that the system or a file filled.
///
/// # Safety
/// Every pattern of bits is a value, and size and alignment are [`LINE`].
pub(crate) unsafe trait Line: Copy {
    /// All zeros.
    const ZERO: Self;
}

/// A vector of lines that grows by half its size.
pub(crate) struct Memory<L> {
    held: Held<L>,
    length: usize,
}

enum Held<L> {
    Heap(Vec<L>),
    /// `start` is the first multiple of [`LARGE_PAGE`] in the map, in bytes.
    Pages {
        map: MmapMut,
        start: usize,
    },
    /// `start` is where the lines begin in the file, in bytes.
    File {
        map: Mmap,
        start: usize,
        lines: PhantomData<L>,
    },
}

impl<L: Line> Default for Memory<L> {
    fn default() -> Self {
        Self {
            held: Held::Heap(Vec::new()),
            length: 0,
        }
    }
}

impl<L: Line> Memory<L> {
    /// Maps `length` lines of a file, read only, from byte `start`.
    ///
    /// # Safety
    /// Nobody changes or shortens the file while it is mapped.
    pub(crate) unsafe fn map(file: &File, start: u64, length: usize) -> Result<Self, KernelError> {
        let unmappable = |reason: String| KernelError::Unmappable { reason };
        let bytes = length
            .checked_mul(LINE)
            .ok_or(KernelError::OutOfMemory { bytes: usize::MAX })?;
        let size = file.metadata().map_err(|error| unmappable(error.to_string()))?.len();
        if !start.is_multiple_of(LINE as u64) || start.checked_add(bytes as u64).is_none_or(|end| end > size) {
            return Err(unmappable(format!(
                "it has {size} bytes, and {bytes} were expected from {start}"
            )));
        }
        let start = usize::try_from(start).map_err(|error| unmappable(error.to_string()))?;
        // SAFETY: the caller promises that the file stays as it is.
        let map = unsafe { MmapOptions::new().len(start + bytes).map(file) };
        let map = map.map_err(|error| unmappable(error.to_string()))?;
        Ok(Self {
            held: Held::File {
                map,
                start,
                lines: PhantomData,
            },
            length,
        })
    }

    /// Whether the lines stand in a file and must be copied before they are changed.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self.held, Held::File { .. })
    }

    fn capacity(&self) -> usize {
        match &self.held {
            Held::Heap(lines) => lines.capacity(),
            Held::Pages { map, start } => (map.len() - start) / LINE,
            Held::File { .. } => self.length,
        }
    }

    /// Bytes of memory held; a mapped file counts nothing, since the system can take its pages back.
    pub(crate) fn bytes(&self) -> usize {
        match &self.held {
            Held::Heap(lines) => lines.capacity() * LINE,
            Held::Pages { map, .. } => map.len(),
            Held::File { .. } => 0,
        }
    }

    /// Forgets all lines but the first `length`.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Makes the length `length`; new lines hold zeros or what stood there before.
    pub(crate) fn resize(&mut self, length: usize) -> Result<(), KernelError> {
        if length > self.capacity() {
            // By half again, so that rows added one by one are copied twice on average; the first filling takes what it needs.
            self.move_to(length.max(self.length + self.length / 2))?;
        }
        if let Held::Heap(lines) = &mut self.held
            && lines.len() < length
        {
            lines.resize(length, L::ZERO);
        }
        self.length = length;
        Ok(())
    }

    /// Copies a mapped file into memory, so that it can be changed.
    pub(crate) fn own(&mut self) -> Result<(), KernelError> {
        if self.is_mapped() {
            self.move_to(self.length)
        } else {
            Ok(())
        }
    }

    fn move_to(&mut self, capacity: usize) -> Result<(), KernelError> {
        let bytes = capacity.saturating_mul(LINE);
        let refused = KernelError::OutOfMemory { bytes };
        let held = if bytes < LARGE_PAGE {
            let mut lines = Vec::new();
            lines.try_reserve_exact(capacity).map_err(|_| refused)?;
            lines.extend_from_slice(self);
            Held::Heap(lines)
        } else {
            let Ok(map) = MmapOptions::new().len(bytes.saturating_add(LARGE_PAGE)).map_anon() else {
                return Err(refused);
            };
            #[cfg(target_os = "linux")]
            // A system without large pages reads a little slower.
            let _ = map.advise(memmap2::Advice::HugePage);
            let start = map.as_ptr().align_offset(LARGE_PAGE);
            let mut moved = Self {
                held: Held::Pages { map, start },
                length: self.length,
            };
            moved.copy_from_slice(self);
            moved.held
        };
        self.held = held;
        Ok(())
    }
}

impl<L: Line> Deref for Memory<L> {
    type Target = [L];

    #[inline]
    fn deref(&self) -> &[L] {
        let (bytes, start) = match &self.held {
            Held::Heap(lines) => return &lines[..self.length],
            Held::Pages { map, start } => (&map[..], *start),
            Held::File { map, start, .. } => (&map[..], *start),
        };
        let bytes = &bytes[start..start + self.length * LINE];
        // SAFETY: the bytes are initialised and borrowed as long as the lines are, their number is a multiple of a line's, `start`
        // is a multiple of a line behind the beginning of a page or on a large page, and every pattern of bits is a line.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), self.length) }
    }
}

impl<L: Line> DerefMut for Memory<L> {
    fn deref_mut(&mut self) -> &mut [L] {
        let (bytes, start) = match &mut self.held {
            Held::Heap(lines) => return &mut lines[..self.length],
            Held::Pages { map, start } => (&mut map[..], *start),
            Held::File { .. } => panic!("a mapped file is read only; it is copied before it is changed"),
        };
        let bytes = &mut bytes[start..start + self.length * LINE];
        // SAFETY: as in `deref`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), self.length) }
    }
}

impl<L> fmt::Debug for Memory<L> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.held {
            Held::Heap(_) => "heap",
            Held::Pages { .. } => "pages",
            Held::File { .. } => "file",
        };
        write!(formatter, "Memory({} lines, {kind})", self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::{LINE, Memory};
    use crate::matrix::Lanes;

    #[test]
    fn keeps_what_it_holds_while_it_grows_from_the_heap_into_large_pages() {
        let mut memory = Memory::<Lanes>::default();
        for length in [1, 2, 1000, 40_000, 70_000] {
            memory.resize(length).unwrap();
            memory[length - 1] = Lanes([length as f32; 16]);
            assert_eq!(memory.as_ptr().align_offset(LINE), 0);
        }
        for length in [1, 2, 1000, 40_000, 70_000] {
            assert_eq!(memory[length - 1], Lanes([length as f32; 16]));
        }
        assert_eq!(memory[5], Lanes::ZERO);
        memory.truncate(2);
        assert_eq!(memory.len(), 2);
    }

    #[test]
    fn refuses_more_memory_than_there_is() {
        assert!(Memory::<Lanes>::default().resize(usize::MAX / LINE).is_err());
    }
}
