//! One step of stage 1, and the update that both stages end with.

use super::Trainer;
use super::adam::{Rate, update};
use super::arithmetic::{normalise_rows, square_distance, symmetrise};
use super::gemm::Engine;
use super::match_loss::match_loss;
use super::options::StageOptions;
use super::problem::Problem;
use super::real::{Real, Wide, at_level};
use crate::threads::SharedSlice;

/// Rows of Z that are made of length 1 at a time.
const ROWS: usize = 64;

impl<R: Real> Trainer<R> {
    /// The loss of a batch, a sum over its queries, and its gradient; NaN where it is not finite, and then there is no gradient.
    pub(super) fn match_gradients(&mut self, batch: &[u32]) -> f64 {
        self.gradients.clear();
        let engine = Engine {
            simd: self.simd,
            threads: &self.threads,
        };
        let (problem, weights) = (&self.problem, &self.state.weights);
        let tools = problem.tools();
        self.room.forward.run(engine, problem, weights, batch);
        self.room.losses.resize(batch.len(), 0.0);
        let rows = SharedSlice::new(&mut self.room.forward.logits);
        let losses = SharedSlice::new(&mut self.room.losses);
        let share = 1.0 / batch.len() as f64;
        engine.threads.run(batch.len(), &|position| {
            let query = batch[position] as usize;
            let row = MatchRow {
                // SAFETY: each row is handed out once.
                logits: unsafe { rows.part(position * tools..(position + 1) * tools) },
                gold: problem.gold.row(query),
                scale: problem.weight(query) * share,
                // SAFETY: as above.
                loss: &mut unsafe { losses.part(position..position + 1) }[0],
            };
            at_level(engine.simd, row);
        });
        let loss = self.room.losses.iter().sum::<f64>() * batch.len() as f64;
        if loss.is_finite() {
            let trained = self.options.matching.trained;
            self.room
                .forward
                .back(engine, problem, weights, batch, trained, &mut self.gradients);
        }
        loss
    }

    /// Adds the gradient of μ|Z − anchor|² and gives its value.
    pub(super) fn anchor_gradient(&mut self, stage: &StageOptions) -> f64 {
        if stage.anchor == 0.0 || !stage.trained.embeddings {
            return 0.0;
        }
        let factor = R::of(2.0 * stage.anchor);
        let embeddings = &self.state.weights.embeddings;
        let anchors = &self.problem.anchors;
        for ((gradient, &value), &anchor) in self.gradients.embeddings.iter_mut().zip(embeddings).zip(anchors) {
            *gradient += factor * (value - anchor);
        }
        stage.anchor * square_distance(self.simd, embeddings, anchors)
    }

    /// Moves the weights against the gradients at this part of the stage's learning rates; whether all numbers are still finite.
    pub(super) fn update(&mut self, stage: &StageOptions, factor: f64) -> bool {
        self.state.count_step(self.options.moments);
        let engine = Engine {
            simd: self.simd,
            threads: &self.threads,
        };
        let rate = |learning_rate: f64, weight_decay: f64| Rate {
            size: learning_rate * factor,
            weight_decay,
            moments: self.options.moments,
            powers: self.state.powers,
        };
        let (weights, first, second) = (&mut self.state.weights, &mut self.state.first, &mut self.state.second);
        let (gradients, trained, decay) = (&self.gradients, stage.trained, stage.weight_decay);
        let mut finite = true;
        if trained.projection {
            let rate = rate(stage.learning_rate, decay);
            let (values, moments) = (&mut weights.projection, (&mut first.projection, &mut second.projection));
            finite &= update(engine, rate, values, &gradients.projection, moments.0, moments.1);
        }
        if trained.embeddings {
            let rate = rate(stage.learning_rate, decay);
            let (values, moments) = (&mut weights.embeddings, (&mut first.embeddings, &mut second.embeddings));
            finite &= update(engine, rate, values, &gradients.embeddings, moments.0, moments.1);
            normalise(engine, &self.problem, &mut weights.embeddings);
        }
        if trained.interactions {
            let rate = rate(stage.interaction_rate, decay);
            let (values, moments) = (
                &mut weights.interactions,
                (&mut first.interactions, &mut second.interactions),
            );
            finite &= update(engine, rate, values, &gradients.interactions, moments.0, moments.1);
            let width = self.problem.tool_dimensions;
            for matrix in weights.interactions.chunks_exact_mut(width * width) {
                symmetrise(matrix, width);
            }
        }
        if trained.offsets {
            let rate = rate(stage.offset_rate, 0.0);
            let (values, moments) = (&mut weights.offsets, (&mut first.offsets, &mut second.offsets));
            finite &= update(engine, rate, values, &gradients.offsets, moments.0, moments.1);
        }
        if trained.features {
            let rate = rate(stage.feature_rate, 0.0);
            let (values, moments) = (&mut weights.features, (&mut first.features, &mut second.features));
            finite &= update(engine, rate, values, &gradients.features, moments.0, moments.1);
        }
        finite
    }
}

fn normalise<R: Real>(engine: Engine<'_>, problem: &Problem<R>, embeddings: &mut [R]) {
    let (width, tools) = (problem.tool_dimensions, problem.tools());
    let rows = SharedSlice::new(embeddings);
    engine.threads.run(tools.div_ceil(ROWS), &|part| {
        let range = part * ROWS * width..((part + 1) * ROWS).min(tools) * width;
        // SAFETY: each part has rows of its own and is handed out once.
        normalise_rows(engine.simd, unsafe { rows.part(range) }, width);
    });
}

struct MatchRow<'a, R> {
    logits: &'a mut [R],
    gold: &'a [u32],
    scale: f64,
    loss: &'a mut f64,
}

impl<R: Real> Wide for MatchRow<'_, R> {
    #[inline(always)]
    fn run(self) {
        *self.loss = match_loss(self.logits, self.gold, self.scale);
    }
}
