use napi::Env;
use napi::bindgen_prelude::{Float64ArraySlice, ObjectFinalize, Uint32ArraySlice};
use napi_derive::napi;
use setwise_kernels::deficit_search::{
    DeficitAnswer, DeficitLimits, DeficitQuery, DeficitScratch, DeficitSearch, Producers,
};

use crate::{Refusal, refusal};

/// Holds a graph and the memory its searches reuse.
#[napi(custom_finalize)]
pub struct DeficitSearchHandle {
    search: Option<DeficitSearch>,
    scratch: DeficitScratch,
    reported_bytes: i64,
}

/// Copies a graph into native memory: `inputs` has tools + 1 offsets, `offsets` inputs + 1.
#[napi(catch_unwind)]
pub fn create_deficit_search(
    env: Env,
    inputs: &[u32],
    offsets: &[u32],
    tools: &[u32],
    weights: &[f32],
) -> Result<DeficitSearchHandle, Refusal> {
    let producers = Producers {
        offsets,
        tools,
        weights,
    };
    let mut handle = DeficitSearchHandle {
        search: Some(DeficitSearch::new(inputs, producers).map_err(refusal)?),
        scratch: DeficitScratch::default(),
        reported_bytes: 0,
    };
    handle.report_memory(env);
    Ok(handle)
}

#[napi]
impl DeficitSearchHandle {
    /// Searches, copies the answer where it fits, and returns how many words it has.
    #[allow(
        clippy::too_many_arguments,
        reason = "Node-API takes numbers and arrays fastest one by one"
    )]
    #[napi(catch_unwind)]
    pub fn search(
        &mut self,
        env: Env,
        terminals: &[u32],
        grounded: &[u32],
        allow: Option<&[u32]>,
        exclude: &[u32],
        relevance: Option<&[f32]>,
        beam: u32,
        producers: u32,
        depth: u32,
        max_tools: u32,
        count: u32,
        mut words: Uint32ArraySlice,
        mut numbers: Float64ArraySlice,
    ) -> Result<u32, Refusal> {
        let Some(search) = &self.search else {
            return Err(napi::Error::new(
                "invalid-argument".to_owned(),
                "The search was disposed.".to_owned(),
            ));
        };
        let query = DeficitQuery {
            terminals,
            grounded,
            allow,
            exclude,
            relevance,
            limits: DeficitLimits {
                beam,
                producers,
                depth,
                max_tools,
                count,
            },
        };
        // SAFETY: the face owns both lists and hands them to no other call meanwhile.
        let words = unsafe { words.as_mut() };
        // SAFETY: as above.
        let numbers = unsafe { numbers.as_mut() };
        let length = search.search(query, &mut self.scratch).map(|answer| {
            copy(answer, words, numbers);
            answer.words().len() as u32
        });
        self.report_memory(env);
        length.map_err(refusal)
    }

    /// Copies the answer of the last search, which fits.
    #[napi(catch_unwind)]
    pub fn copy_results(&self, mut words: Uint32ArraySlice, mut numbers: Float64ArraySlice) {
        // SAFETY: the face owns both lists and hands them to no other call meanwhile.
        let words = unsafe { words.as_mut() };
        // SAFETY: as above.
        let numbers = unsafe { numbers.as_mut() };
        copy(self.scratch.answer(), words, numbers);
    }

    /// Frees the memory now; a later search is refused.
    #[napi]
    pub fn dispose(&mut self, env: Env) {
        self.search = None;
        self.scratch = DeficitScratch::default();
        self.report_memory(env);
    }
}

/// Copies an answer into lists that have room for it; leaves others as they are.
fn copy(answer: &DeficitAnswer, words: &mut [u32], numbers: &mut [f64]) {
    let (from_words, from_numbers) = (answer.words(), answer.numbers());
    if from_words.len() <= words.len() && from_numbers.len() <= numbers.len() {
        words[..from_words.len()].copy_from_slice(from_words);
        numbers[..from_numbers.len()].copy_from_slice(from_numbers);
    }
}

impl DeficitSearchHandle {
    /// Tells the garbage collector how much memory this small object stands for.
    fn report_memory(&mut self, env: Env) {
        let held = self.search.as_ref().map_or(0, DeficitSearch::bytes) + self.scratch.bytes();
        let held = i64::try_from(held).unwrap_or(i64::MAX);
        // A refusal changes nothing but when garbage is collected.
        if held != self.reported_bytes && env.adjust_external_memory(held - self.reported_bytes).is_ok() {
            self.reported_bytes = held;
        }
    }
}

impl ObjectFinalize for DeficitSearchHandle {
    fn finalize(mut self, env: Env) -> napi::Result<()> {
        self.dispose(env);
        Ok(())
    }
}
