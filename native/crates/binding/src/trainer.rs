use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use napi::bindgen_prelude::{
    AsyncTask, Float32ArraySlice, Float64Array, Float64ArraySlice, ObjectFinalize, Uint32ArraySlice,
};
use napi::{Env, Status, Task};
use napi_derive::napi;
use setwise_kernels::trainer::{EpochReport, SetLists, Stage, Trainer};
use setwise_kernels::{KernelError, Simd};

use crate::trainer_request::{REPORT, TrainerArrays, problem, report_into, settings, weights};
use crate::{Refusal, refusal};

type Shared = Arc<Mutex<Trainer<f32>>>;

/// Holds a model in training. A part of an epoch may run on another thread; the face lets nothing else run meanwhile.
#[napi(custom_finalize)]
pub struct HypergraphTrainerHandle {
    trainer: Option<Shared>,
    reported_bytes: i64,
}

/// Copies what is learned from. The order of `shape` and `numbers` is that of [`settings`]; `feature_offsets` are those of all channels one behind the
/// other, `small` is the offsets of the sizes and then the weights of the features.
#[napi(catch_unwind)]
#[allow(
    clippy::too_many_arguments,
    reason = "numbers and short texts cross the boundary, no objects"
)]
pub fn create_hypergraph_trainer(
    env: Env,
    shape: &[u32],
    numbers: &[f64],
    anchors: &[f32],
    queries: &[f32],
    gold_offsets: &[u32],
    gold_tools: &[u32],
    feature_offsets: &[u32],
    feature_tools: &[u32],
    feature_values: &[f32],
    query_weights: &[f64],
    training: &[u32],
    projection: &[f32],
    embeddings: &[f32],
    interactions: &[f32],
    small: &[f64],
    simd: String,
) -> Result<HypergraphTrainerHandle, Refusal> {
    let settings = settings(shape, numbers).map_err(refusal)?;
    let arrays = TrainerArrays {
        anchors,
        queries,
        gold_offsets,
        gold_tools,
        feature_offsets,
        feature_tools,
        feature_values,
        query_weights,
        training,
    };
    let problem = problem(&settings, &arrays).map_err(refusal)?;
    let weights = weights(&settings, projection, embeddings, interactions, small).map_err(refusal)?;
    let simd = Simd::named(&simd).map_err(refusal)?;
    let trainer = Trainer::new(problem, weights, settings.options, settings.threads, simd).map_err(refusal)?;
    let mut handle = HypergraphTrainerHandle {
        trainer: Some(Arc::new(Mutex::new(trainer))),
        reported_bytes: 0,
    };
    handle.report_memory(env);
    Ok(handle)
}

/// A part of an epoch, on a thread of the pool.
pub struct Advance {
    trainer: Shared,
    stage: Stage,
    batches: usize,
}

impl Task for Advance {
    type Output = Result<EpochReport, KernelError>;
    type JsValue = Float64Array;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        let mut trainer = self.trainer.lock().map_err(|_| failed())?;
        catch_unwind(AssertUnwindSafe(|| trainer.advance(self.stage, self.batches))).map_err(|_| failed())
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> napi::Result<Self::JsValue> {
        let report = output.map_err(|error| napi::Error::new(Status::InvalidArg, error.to_string()))?;
        let mut numbers = vec![0.0; REPORT];
        report_into(&report, &mut numbers);
        Ok(numbers.into())
    }
}

fn failed() -> napi::Error {
    napi::Error::new(Status::GenericFailure, "A step of the training failed.")
}

#[napi]
impl HypergraphTrainerHandle {
    /// Goes on with an epoch of stage 1 (the match) or 2 (the sets) for at most so many batches.
    #[napi(catch_unwind)]
    pub fn advance(
        &mut self,
        env: Env,
        stage: u32,
        batches: u32,
        mut report: Float64ArraySlice,
    ) -> Result<(), Refusal> {
        let found = self
            .open()?
            .advance(stage_of(stage), batches as usize)
            .map_err(refusal)?;
        // SAFETY: the face allocates the memory for this call, so that nothing else refers to it.
        report_into(&found, unsafe { report.as_mut() });
        self.report_memory(env);
        Ok(())
    }

    /// The same on a thread of the pool.
    #[napi(ts_return_type = "Promise<Float64Array>")]
    pub fn advance_async(&mut self, stage: u32, batches: u32) -> Result<AsyncTask<Advance>, Refusal> {
        let trainer = Arc::clone(self.trainer.as_ref().ok_or_else(disposed)?);
        Ok(AsyncTask::new(Advance {
            trainer,
            stage: stage_of(stage),
            batches: batches as usize,
        }))
    }

    /// Tells the memory that calls on other threads came to hold.
    #[napi]
    pub fn settle(&mut self, env: Env) {
        self.report_memory(env);
    }

    /// One step over the caller's candidates: `results` is loss, retrieval, self-training, regulariser, anchor, whether all is finite.
    #[napi(catch_unwind)]
    #[allow(clippy::too_many_arguments, reason = "one call a step, and no objects")]
    pub fn set_step(
        &mut self,
        env: Env,
        queries: &[u32],
        set_queries: &[u32],
        set_offsets: &[u32],
        members: &[u32],
        rate_factor: f64,
        mut chosen: Uint32ArraySlice,
        mut results: Float64ArraySlice,
    ) -> Result<(), Refusal> {
        let sets = SetLists {
            queries: set_queries,
            offsets: set_offsets,
            members,
        };
        let step = self.open()?.set_step(queries, sets, rate_factor).map_err(refusal)?;
        // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
        let chosen = unsafe { chosen.as_mut() };
        // SAFETY: as above.
        let results = unsafe { results.as_mut() };
        for (target, place) in chosen.iter_mut().zip(&step.chosen) {
            *target = *place as u32;
        }
        let numbers = [
            step.loss,
            step.retrieval,
            step.self_training,
            step.regulariser,
            step.anchor,
            f64::from(u8::from(step.finite)),
        ];
        for (target, number) in results.iter_mut().zip(numbers) {
            *target = number;
        }
        self.report_memory(env);
        Ok(())
    }

    /// F of each of the caller's sets.
    #[napi(catch_unwind)]
    pub fn set_scores(
        &mut self,
        env: Env,
        queries: &[u32],
        set_queries: &[u32],
        set_offsets: &[u32],
        members: &[u32],
        mut scores: Float64ArraySlice,
    ) -> Result<(), Refusal> {
        let sets = SetLists {
            queries: set_queries,
            offsets: set_offsets,
            members,
        };
        // SAFETY: the face allocates the memory for this call, so that nothing else refers to it.
        let scores = unsafe { scores.as_mut() };
        self.open()?.set_scores(queries, sets, scores).map_err(refusal)?;
        self.report_memory(env);
        Ok(())
    }

    /// ρ of each query.
    #[napi(catch_unwind)]
    pub fn set_rewards(&mut self, rewards: &[f64]) -> Result<(), Refusal> {
        self.open()?.set_rewards(rewards).map_err(refusal)
    }

    /// The logits of queries.
    #[napi(catch_unwind)]
    pub fn logits(&mut self, env: Env, queries: &[u32], mut target: Float32ArraySlice) -> Result<(), Refusal> {
        // SAFETY: the face allocates the memory for this call, so that nothing else refers to it.
        let target = unsafe { target.as_mut() };
        self.open()?.logits(queries, target).map_err(refusal)?;
        self.report_memory(env);
        Ok(())
    }

    /// Copies the weights; `small` is the offsets of the sizes and then the weights of the features.
    #[napi(catch_unwind)]
    pub fn read_weights(
        &self,
        mut projection: Float32ArraySlice,
        mut embeddings: Float32ArraySlice,
        mut interactions: Float32ArraySlice,
        mut small: Float64ArraySlice,
    ) -> Result<(), Refusal> {
        let trainer = self.open()?;
        let weights = trainer.weights();
        let numbers: Vec<f64> = weights.offsets.iter().chain(&weights.features).copied().collect();
        // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
        copy(unsafe { projection.as_mut() }, &weights.projection)?;
        // SAFETY: as above.
        copy(unsafe { embeddings.as_mut() }, &weights.embeddings)?;
        // SAFETY: as above.
        copy(unsafe { interactions.as_mut() }, &weights.interactions)?;
        // SAFETY: as above.
        copy(unsafe { small.as_mut() }, &numbers)
    }

    /// Writes the state after the last whole epoch.
    #[napi(catch_unwind)]
    pub fn write_checkpoint(
        &self,
        mut reals: Float32ArraySlice,
        mut doubles: Float64ArraySlice,
    ) -> Result<(), Refusal> {
        // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
        let reals = unsafe { reals.as_mut() };
        // SAFETY: as above.
        let doubles = unsafe { doubles.as_mut() };
        self.open()?.write_checkpoint(reals, doubles).map_err(refusal)
    }

    /// Goes back to a state that was written.
    #[napi(catch_unwind)]
    pub fn read_checkpoint(&mut self, reals: &[f32], doubles: &[f64]) -> Result<(), Refusal> {
        self.open()?.read_checkpoint(reals, doubles).map_err(refusal)
    }

    /// Frees the memory and ends the threads, at once or when the part of an epoch that runs is done; a later call is refused.
    #[napi]
    pub fn dispose(&mut self, env: Env) {
        self.trainer = None;
        self.report_memory(env);
    }

    fn open(&self) -> Result<MutexGuard<'_, Trainer<f32>>, Refusal> {
        let trainer = self.trainer.as_ref().ok_or_else(disposed)?;
        trainer
            .lock()
            .map_err(|_| napi::Error::new("internal".to_owned(), "A step of the training failed."))
    }

    /// Tells the garbage collector how much memory this small object stands for.
    fn report_memory(&mut self, env: Env) {
        let held = match &self.trainer {
            None => 0,
            // While another thread trains, what was told last stands.
            Some(trainer) => match trainer.try_lock() {
                Ok(trainer) => i64::try_from(trainer.bytes()).unwrap_or(i64::MAX),
                Err(_) => self.reported_bytes,
            },
        };
        // A refusal changes nothing but when garbage is collected.
        if held != self.reported_bytes && env.adjust_external_memory(held - self.reported_bytes).is_ok() {
            self.reported_bytes = held;
        }
    }
}

fn stage_of(number: u32) -> Stage {
    if number == Stage::Sets as u32 {
        Stage::Sets
    } else {
        Stage::Matching
    }
}

fn copy<Number: Copy>(target: &mut [Number], source: &[Number]) -> Result<(), Refusal> {
    if target.len() != source.len() {
        return Err(refusal(KernelError::Length {
            what: "target",
            expected: source.len(),
            actual: target.len(),
        }));
    }
    target.copy_from_slice(source);
    Ok(())
}

fn disposed() -> Refusal {
    napi::Error::new("invalid-argument".to_owned(), "The trainer was disposed.".to_owned())
}

impl ObjectFinalize for HypergraphTrainerHandle {
    fn finalize(mut self, env: Env) -> napi::Result<()> {
        self.dispose(env);
        Ok(())
    }
}
