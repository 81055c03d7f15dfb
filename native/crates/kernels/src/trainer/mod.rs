//! Trains the set model: which tools a query calls for, and which go together.
//!
//! Two stages. First the match: P, Z and the weights of features by the loss of [`match_loss`], with Z held near the vectors of the tools' texts. Then the
//! sets: M, the offsets of the sizes and, if asked, the rest by the loss of [`set_loss`] over candidate sets of [`sampling`].
//!
//! The weights after a step are the same to the last bit whatever the number of threads and the SIMD level: products of matrices have one
//! order (see [`gemm`]), rows and tiles are worked on by one thread each, sums over rows go in order on the calling thread, and every random
//! number comes from a stream of its own (see [`random`]).

#![allow(
    clippy::inline_always,
    reason = "loops are made wide by being inlined into functions of a level"
)]

mod adam;
mod arithmetic;
mod checkpoint;
mod epoch;
mod forward;
mod gemm;
mod match_loss;
mod options;
mod pairs;
mod problem;
mod random;
mod real;
mod sampling;
mod schedule;
mod set_loss;
mod state;
mod step;
mod steps_of_sets;
#[cfg(test)]
mod tests;
mod weights;

use crate::error::{KernelError, check_length};
use crate::hyperedge::LARGEST_SET;
use crate::simd::Simd;
use crate::threads::Threads;

use arithmetic::symmetrise;
use forward::Forward;
use gemm::Engine;
use pairs::Pairs;
use problem::{IdenticalQueries, check_finite, check_shares, out_of_range};
use real::NOTHING;
use sampling::Candidates;
use state::State;

pub use adam::Moments;
pub use options::{Interactions, SOURCES, SetOptions, StageOptions, Trained, TrainerOptions};
pub use problem::{Channel, Lists, Problem};
pub use real::Real;
pub use sampling::SourceCounts;
pub use schedule::learning_rate_factor;
pub use state::{EpochReport, Stage};
pub use steps_of_sets::{SetLists, SetStep};
pub use weights::Weights;

/// A model in training.
#[derive(Debug)]
pub struct Trainer<R> {
    problem: Problem<R>,
    options: TrainerOptions,
    simd: Simd,
    threads: Threads,
    identical: IdenticalQueries,
    /// ρ of each query.
    rewards: Vec<f64>,
    state: State<R>,
    /// The state when the epoch began that is not done yet.
    kept: State<R>,
    report: EpochReport,
    /// Whether an epoch has begun and is not done.
    running: bool,
    gradients: Weights<R>,
    room: Room<R>,
}

/// Memory that steps use again.
#[derive(Debug, Default)]
struct Room<R> {
    forward: Forward<R>,
    pairs: Pairs<R>,
    candidates: Candidates,
    /// Queries of the epoch in their order.
    order: Vec<u32>,
    /// The tools of uniform sets.
    uniform: Vec<u32>,
    /// Neighbours of tools, and the place of each tool among them.
    near: Vec<u32>,
    near_place: Vec<u32>,
    near_width: usize,
    /// F and its gradient, a number a place.
    scores: Vec<f64>,
    score_gradients: Vec<f64>,
    losses: Vec<f64>,
}

impl<R: Real> Trainer<R> {
    /// Takes the problem and the weights to begin with; rows of Z are made of length 1 and matrices symmetric.
    pub fn new(
        mut problem: Problem<R>,
        mut weights: Weights<R>,
        options: TrainerOptions,
        threads: usize,
        simd: Simd,
    ) -> Result<Self, KernelError> {
        problem.check()?;
        check_options(&options)?;
        let width = problem.tool_dimensions;
        check_length("projection", problem.query_dimensions * width, weights.projection.len())?;
        check_length("embeddings", problem.anchors.len(), weights.embeddings.len())?;
        check_length(
            "interactions",
            options.matrices() * width * width,
            weights.interactions.len(),
        )?;
        check_length("offsets", options.max_size, weights.offsets.len())?;
        check_length("feature weights", problem.channels.len(), weights.features.len())?;
        check_finite("projection", &weights.projection)?;
        check_finite("embeddings", &weights.embeddings)?;
        check_finite("interactions", &weights.interactions)?;
        check_finite("offsets", &weights.offsets)?;
        check_finite("feature weights", &weights.features)?;
        // Some encoders have numbers that are nearly nothing, see `NOTHING`.
        for values in [
            &mut problem.queries,
            &mut problem.anchors,
            &mut weights.projection,
            &mut weights.embeddings,
        ] {
            for value in values.iter_mut() {
                *value = value.unless_below(R::of(NOTHING));
            }
        }
        arithmetic::normalise_rows(simd, &mut weights.embeddings, width);
        for matrix in weights.interactions.chunks_exact_mut(width * width) {
            symmetrise(matrix, width);
        }
        Ok(Self {
            identical: IdenticalQueries::of(&problem),
            rewards: vec![0.0; problem.query_count()],
            gradients: Weights::zeros_like(&weights),
            kept: State::new(weights.clone()),
            state: State::new(weights),
            problem,
            options,
            simd,
            threads: Threads::new(threads),
            report: EpochReport::default(),
            running: false,
            room: Room::default(),
        })
    }

    /// The weights as they are now.
    pub fn weights(&self) -> &Weights<R> {
        &self.state.weights
    }

    /// What is learned from.
    pub fn problem(&self) -> &Problem<R> {
        &self.problem
    }

    /// The options.
    pub fn options(&self) -> &TrainerOptions {
        &self.options
    }

    /// ρ of each query, from 0 to 1, for the self-training of the next steps.
    pub fn set_rewards(&mut self, rewards: &[f64]) -> Result<(), KernelError> {
        check_length("rewards", self.rewards.len(), rewards.len())?;
        check_shares("rewards", rewards, 1.0)?;
        self.rewards.copy_from_slice(rewards);
        Ok(())
    }

    /// l of every tool for these queries, row by row, into `target`.
    pub fn logits(&mut self, queries: &[u32], target: &mut [R]) -> Result<(), KernelError> {
        self.check_queries(queries)?;
        let tools = self.problem.tools();
        check_length("logits", queries.len() * tools, target.len())?;
        let engine = Engine {
            simd: self.simd,
            threads: &self.threads,
        };
        for (queries, target) in queries.chunks(BLOCK).zip(target.chunks_mut(BLOCK * tools)) {
            self.room
                .forward
                .run(engine, &self.problem, &self.state.weights, queries);
            target.copy_from_slice(&self.room.forward.logits);
        }
        Ok(())
    }

    fn check_queries(&self, queries: &[u32]) -> Result<(), KernelError> {
        let rows = self.problem.query_count();
        match queries.iter().find(|&&query| query as usize >= rows) {
            Some(&ordinal) => Err(KernelError::UnknownOrdinal {
                what: "queries",
                ordinal,
                rows,
            }),
            None => Ok(()),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let room = &self.room;
        let words = [&room.order, &room.uniform, &room.near, &room.near_place];
        let doubles = [&room.scores, &room.score_gradients, &room.losses, &self.rewards];
        self.problem.bytes()
            + self.state.bytes()
            + self.kept.bytes()
            + self.gradients.bytes()
            + room.forward.bytes()
            + room.pairs.bytes()
            + room.candidates.bytes()
            + words.map(|values| values.capacity() * 4).iter().sum::<usize>()
            + doubles.map(|values| values.capacity() * 8).iter().sum::<usize>()
    }
}

/// Queries whose logits are computed at a time.
const BLOCK: usize = 256;

fn check_options(options: &TrainerOptions) -> Result<(), KernelError> {
    if !(1..=LARGEST_SET).contains(&options.max_size) {
        return Err(out_of_range("maxSize", "1 to 8", options.max_size));
    }
    for stage in [&options.matching, &options.sets] {
        if stage.batch == 0 || stage.epochs == 0 {
            return Err(out_of_range(
                "batch and epochs",
                "1 or more",
                stage.batch.min(stage.epochs),
            ));
        }
        let rates = [
            stage.warmup,
            stage.learning_rate,
            stage.interaction_rate,
            stage.offset_rate,
            stage.feature_rate,
            stage.weight_decay,
            stage.anchor,
        ];
        check_shares("rates of a stage", &rates, f64::MAX)?;
    }
    let candidates = &options.candidates;
    check_shares(
        "loss of sets",
        &[candidates.regularisation, candidates.self_training],
        f64::MAX,
    )?;
    check_shares("moments", &[options.moments.first, options.moments.second], 1.0)?;
    let places = candidates.negatives.iter().sum::<usize>();
    if places > MOST_NEGATIVES || candidates.own > MOST_NEGATIVES || candidates.neighbours > MOST_NEGATIVES {
        return Err(out_of_range("negatives", "1,024 at most", places));
    }
    Ok(())
}

const MOST_NEGATIVES: usize = 1024;
