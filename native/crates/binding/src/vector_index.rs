use std::fs::File;

use napi::Env;
use napi::bindgen_prelude::{Float32ArraySlice, ObjectFinalize, Uint32ArraySlice};
use napi_derive::napi;
use setwise_kernels::{
    Combine, KernelError, Precision, Search, SearchScratch, Simd, Similarity, VectorIndex, VectorIndexOptions,
};

use crate::{Refusal, refusal};

/// Holds an index and the memory its searches reuse.
#[napi(custom_finalize)]
pub struct VectorIndexHandle {
    index: Option<VectorIndex>,
    scratch: SearchScratch,
    reported_bytes: i64,
}

/// Copies `vectors` (rows × dimensions) into native memory; `restored` ones are taken as they are, without division by their lengths.
#[napi(catch_unwind)]
#[allow(
    clippy::too_many_arguments,
    reason = "numbers and short texts cross the boundary, no objects"
)]
pub fn create_vector_index(
    env: Env,
    dimensions: u32,
    vectors: &[f32],
    similarity: String,
    precision: String,
    threads: u32,
    restored: bool,
    simd: String,
) -> Result<VectorIndexHandle, Refusal> {
    let options = options(&similarity, &precision, threads, &simd)?;
    let index = if restored {
        VectorIndex::restore(dimensions as usize, vectors, options)
    } else {
        VectorIndex::with_options(dimensions as usize, vectors, options)
    };
    Ok(VectorIndexHandle::new(env, index.map_err(refusal)?))
}

/// Reads rows in place from byte `start` of a file.
#[napi(catch_unwind)]
#[allow(
    clippy::too_many_arguments,
    reason = "numbers and short texts cross the boundary, no objects"
)]
pub fn map_vector_index(
    env: Env,
    path: String,
    start: f64,
    rows: u32,
    dimensions: u32,
    similarity: String,
    precision: String,
    threads: u32,
    simd: String,
) -> Result<VectorIndexHandle, Refusal> {
    let options = options(&similarity, &precision, threads, &simd)?;
    let file = File::open(&path).map_err(|error| {
        refusal(KernelError::Unmappable {
            reason: error.to_string(),
        })
    })?;
    #[allow(
        clippy::cast_sign_loss,
        reason = "what is negative or no number becomes 0, which holds no rows"
    )]
    let start = start as u64;
    // SAFETY: the caller is told that the file must stay as it is; what was saved by us is replaced by renaming, which leaves the
    // mapped file alone.
    let index = unsafe { VectorIndex::map(&file, start, rows as usize, dimensions as usize, options) };
    Ok(VectorIndexHandle::new(env, index.map_err(refusal)?))
}

fn options(similarity: &str, precision: &str, threads: u32, simd: &str) -> Result<VectorIndexOptions, Refusal> {
    Ok(VectorIndexOptions {
        similarity: Similarity::named(similarity).map_err(refusal)?,
        precision: Precision::named(precision).map_err(refusal)?,
        threads: threads as usize,
        simd: Simd::named(simd).map_err(refusal)?,
    })
}

#[napi]
impl VectorIndexHandle {
    /// Fills `ids` and `scores` and returns how many answers each query has, or all of them together.
    #[napi(catch_unwind)]
    #[allow(clippy::too_many_arguments, reason = "one call a search, and no objects")]
    pub fn search(
        &mut self,
        env: Env,
        queries: &[f32],
        k: u32,
        together: bool,
        allow: Option<&[u32]>,
        exclude: Option<&[u32]>,
        mut ids: Uint32ArraySlice,
        mut scores: Float32ArraySlice,
    ) -> Result<u32, Refusal> {
        let Some(index) = &self.index else {
            return Err(disposed());
        };
        let request = Search {
            queries,
            k: k as usize,
            combine: if together { Combine::Maximum } else { Combine::Each },
            allow,
            exclude: exclude.unwrap_or_default(),
        };
        // SAFETY: the face allocates both columns for this call, so that nothing else refers to them.
        let ids = unsafe { ids.as_mut() };
        // SAFETY: as above.
        let scores = unsafe { scores.as_mut() };
        let count = index.search(request, &mut self.scratch, ids, scores).map_err(refusal);
        self.report_memory(env);
        count.map(|count| count as u32)
    }

    /// Adds rows behind the last and returns the ordinal of the first.
    #[napi(catch_unwind)]
    pub fn add(&mut self, env: Env, vectors: &[f32]) -> Result<u32, Refusal> {
        self.change(env, |index| index.add(vectors))
    }

    /// Puts vectors in the places of rows and returns how many removed ones came back.
    #[napi(catch_unwind)]
    pub fn replace(&mut self, env: Env, ordinals: &[u32], vectors: &[f32]) -> Result<u32, Refusal> {
        self.change(env, |index| index.replace(ordinals, vectors).map(|count| count as u32))
    }

    /// Empties the places of rows and returns how many were there.
    #[napi(catch_unwind)]
    pub fn remove(&mut self, env: Env, ordinals: &[u32]) -> Result<u32, Refusal> {
        self.change(env, |index| index.remove(ordinals).map(|count| count as u32))
    }

    /// Copies rows from `first` on, as many as `target` holds, as they are searched.
    #[napi(catch_unwind)]
    pub fn read_rows(&self, first: u32, mut target: Float32ArraySlice) -> Result<(), Refusal> {
        let Some(index) = &self.index else {
            return Err(disposed());
        };
        // SAFETY: the caller allocates the memory for this call, so that nothing else refers to it.
        let target = unsafe { target.as_mut() };
        index.read_rows(first as usize, target).map_err(refusal)
    }

    /// Writes the ordinals of all removed rows, ascending.
    #[napi(catch_unwind)]
    pub fn read_removed(&self, mut target: Uint32ArraySlice) -> Result<(), Refusal> {
        let Some(index) = &self.index else {
            return Err(disposed());
        };
        // SAFETY: the caller allocates the memory for this call, so that nothing else refers to it.
        let target = unsafe { target.as_mut() };
        if target.len() != index.removed().len() {
            return Err(refusal(KernelError::Length {
                what: "target",
                expected: index.removed().len(),
                actual: target.len(),
            }));
        }
        target.copy_from_slice(index.removed());
        target.sort_unstable();
        Ok(())
    }

    /// Frees the memory and ends the threads now; a later call is refused.
    #[napi]
    pub fn dispose(&mut self, env: Env) {
        self.index = None;
        self.scratch = SearchScratch::default();
        self.report_memory(env);
    }
}

fn disposed() -> Refusal {
    napi::Error::new("invalid-argument".to_owned(), "The index was disposed.".to_owned())
}

impl VectorIndexHandle {
    fn new(env: Env, index: VectorIndex) -> Self {
        let mut handle = Self {
            index: Some(index),
            scratch: SearchScratch::default(),
            reported_bytes: 0,
        };
        handle.report_memory(env);
        handle
    }

    fn change(
        &mut self,
        env: Env,
        change: impl FnOnce(&mut VectorIndex) -> Result<u32, KernelError>,
    ) -> Result<u32, Refusal> {
        let Some(index) = &mut self.index else {
            return Err(disposed());
        };
        let result = change(index).map_err(refusal);
        self.report_memory(env);
        result
    }

    /// Tells the garbage collector how much memory this small object stands for.
    fn report_memory(&mut self, env: Env) {
        let held = self.index.as_ref().map_or(0, VectorIndex::bytes) + self.scratch.bytes();
        let held = i64::try_from(held).unwrap_or(i64::MAX);
        // A refusal changes nothing but when garbage is collected.
        if held != self.reported_bytes && env.adjust_external_memory(held - self.reported_bytes).is_ok() {
            self.reported_bytes = held;
        }
    }
}

impl ObjectFinalize for VectorIndexHandle {
    fn finalize(mut self, env: Env) -> napi::Result<()> {
        self.dispose(env);
        Ok(())
    }
}
