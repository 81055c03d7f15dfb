use napi::Env;
use napi::bindgen_prelude::{Float32ArraySlice, ObjectFinalize, Uint32ArraySlice};
use napi_derive::napi;
use setwise_kernels::{Search, SearchScratch, Simd, Similarity, VectorIndex};

use crate::{Refusal, refusal};

/// Holds an index and the memory its searches reuse.
#[napi(custom_finalize)]
pub struct VectorIndexHandle {
    index: Option<VectorIndex>,
    scratch: SearchScratch,
    reported_bytes: i64,
}

/// Copies `vectors` (rows × dimensions) into native memory.
#[napi(catch_unwind)]
pub fn create_vector_index(
    env: Env,
    dimensions: u32,
    vectors: &[f32],
    similarity: String,
    simd: String,
) -> Result<VectorIndexHandle, Refusal> {
    let similarity = Similarity::named(&similarity).map_err(refusal)?;
    let simd = Simd::named(&simd).map_err(refusal)?;
    let index = VectorIndex::new(dimensions as usize, vectors, similarity, simd).map_err(refusal)?;
    let mut handle = VectorIndexHandle {
        index: Some(index),
        scratch: SearchScratch::default(),
        reported_bytes: 0,
    };
    handle.report_memory(env);
    Ok(handle)
}

#[napi]
impl VectorIndexHandle {
    /// Fills `ids` and `scores` and returns how many answers each query has.
    #[napi(catch_unwind)]
    pub fn search(
        &mut self,
        env: Env,
        queries: &[f32],
        k: u32,
        allow: Option<&[u32]>,
        mut ids: Uint32ArraySlice,
        mut scores: Float32ArraySlice,
    ) -> Result<u32, Refusal> {
        let Some(index) = &self.index else {
            return Err(napi::Error::new(
                "invalid-argument".to_owned(),
                "The index was disposed.".to_owned(),
            ));
        };
        let request = Search {
            queries,
            k: k as usize,
            allow,
            ..Search::default()
        };
        // SAFETY: the face allocates both columns for this call, so that nothing else refers to them.
        let ids = unsafe { ids.as_mut() };
        // SAFETY: as above.
        let scores = unsafe { scores.as_mut() };
        let count = index.search(request, &mut self.scratch, ids, scores).map_err(refusal);
        self.report_memory(env);
        count.map(|count| count as u32)
    }

    /// Frees the memory now; a later search is refused.
    #[napi]
    pub fn dispose(&mut self, env: Env) {
        self.index = None;
        self.scratch = SearchScratch::default();
        self.report_memory(env);
    }
}

impl VectorIndexHandle {
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
