//! Rows that stand in a file.

use std::fs::File;
use std::path::PathBuf;

use setwise_kernels::{
    KernelError, Precision, Search, SearchScratch, Simd, Similarity, VectorIndex, VectorIndexOptions,
};

const START: u64 = 64;

/// A file that is removed when the test ends.
struct Written(PathBuf);

impl Written {
    fn new(name: &str, numbers: &[f32]) -> Self {
        let path = std::env::temp_dir().join(format!("setwise-{name}-{}", std::process::id()));
        let mut bytes = vec![0; START as usize];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn map(
        &self,
        start: u64,
        rows: usize,
        dimensions: usize,
        precision: Precision,
    ) -> Result<VectorIndex, KernelError> {
        let options = VectorIndexOptions {
            similarity: Similarity::Cosine,
            precision,
            ..VectorIndexOptions::new(Simd::supported().next().unwrap())
        };
        // SAFETY: only this test knows the file, and it leaves it alone until the index is gone.
        unsafe { VectorIndex::map(&File::open(&self.0).unwrap(), start, rows, dimensions, options) }
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn best(index: &VectorIndex, query: &[f32]) -> (u32, f32) {
    let (mut ids, mut scores) = ([0], [0.0]);
    let request = Search {
        queries: query,
        k: 1,
        ..Search::default()
    };
    index
        .search(request, &mut SearchScratch::default(), &mut ids, &mut scores)
        .unwrap();
    (ids[0], scores[0])
}

/// Row i is the i-th unit vector, already divided by its length.
fn unit_rows() -> Vec<f32> {
    (0..16 * 16).map(|at| f32::from(u8::from(at / 16 == at % 16))).collect()
}

#[test]
fn rows_in_a_file_are_searched_there_and_copied_when_they_change() {
    let file = Written::new("searched", &unit_rows());
    for precision in [Precision::Float32, Precision::Int8] {
        let mut index = file.map(START, 16, 16, precision).unwrap();
        let mut query = [0.0; 16];
        query[9] = 3.0;
        assert!(index.matrix().is_mapped());
        assert_eq!(best(&index, &query), (9, 1.0));
        index.replace(&[2], &query).unwrap();
        assert!(!index.matrix().is_mapped());
        assert_eq!(best(&index, &query), (2, 1.0));
        assert_eq!(index.add(&query), Ok(16));
        index.remove(&[2, 9]).unwrap();
        assert_eq!(best(&index, &query), (16, 1.0));
    }
}

#[test]
fn removing_rows_that_are_zeros_in_the_file_copies_nothing() {
    let mut rows = unit_rows();
    rows[..16].fill(0.0);
    let file = Written::new("zeros", &rows);
    let mut index = file.map(START, 16, 16, Precision::Float32).unwrap();
    index.remove(&[0]).unwrap();
    assert!(index.matrix().is_mapped());
    assert_eq!(index.size(), 15);
}

#[test]
fn a_file_that_does_not_hold_the_rows_is_refused() {
    let file = Written::new("refused", &unit_rows());
    let refused = |start, rows, dimensions| file.map(start, rows, dimensions, Precision::Float32).unwrap_err();
    for (start, rows, dimensions) in [
        (START, 17, 16),
        (2 * START, 16, 16),
        (u64::MAX - 63, 1, 16),
        (START, u32::MAX as usize, 65_536),
        (START + 4, 1, 16),
        (START, 1, 17),
        (START, 1, 0),
    ] {
        assert_eq!(refused(start, rows, dimensions).code(), "unreadable-source");
    }
    let mut rows = unit_rows();
    rows[20] = f32::NAN;
    let file = Written::new("not-finite", &rows);
    assert!(matches!(
        file.map(START, 16, 16, Precision::Int8),
        Err(KernelError::NotFinite { position: 20, .. })
    ));
}
