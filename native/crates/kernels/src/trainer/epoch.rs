//! Epochs: which queries make a batch, what is computed anew once an epoch, and what happens when a number is not finite.

use super::gemm::{Engine, Into, View, multiply};
use super::problem::out_of_range;
use super::random::{Purpose, Random};
use super::real::Real;
use super::sampling::best_tools;
use super::schedule::learning_rate_factor;
use super::state::{EpochReport, Stage};
use super::{BLOCK, Trainer};
use crate::KernelError;
use crate::threads::SharedSlice;

impl<R: Real> Trainer<R> {
    /// Goes on with the epoch of a stage, or begins one, for at most so many batches. A stage that begins forgets what the other's optimiser
    /// knew, and what an epoch of the other that was not done had learned stays.
    pub fn advance(&mut self, stage: Stage, batches: usize) -> Result<EpochReport, KernelError> {
        if self.state.stage != stage {
            self.running = false;
            self.state.begin(stage);
        }
        if !self.running {
            self.begin_epoch()?;
        }
        for _ in 0..batches {
            if self.report.is_done() {
                break;
            }
            self.batch();
        }
        if self.report.is_done() {
            self.running = false;
            if !self.report.not_finite {
                self.state.epoch += 1;
            }
        }
        Ok(self.report)
    }

    fn begin_epoch(&mut self) -> Result<(), KernelError> {
        let options = match self.state.stage {
            Stage::Sets => self.options.sets,
            _ => self.options.matching,
        };
        if self.state.epoch >= options.epochs {
            return Err(out_of_range(
                "epochs",
                "no more epochs than were planned",
                options.epochs + 1,
            ));
        }
        let takes_part = |query: &u32| match self.state.stage {
            Stage::Sets => self.problem.has_set(*query, self.options.max_size),
            _ => !self.problem.gold.row(*query as usize).is_empty(),
        };
        let order = &mut self.room.order;
        order.clear();
        order.extend(self.problem.training.iter().copied().filter(takes_part));
        let count = order.len();
        let (stage, epoch) = (self.state.stage, self.state.epoch as u32);
        Random::new(self.options.seed, stage as u32, epoch, Purpose::Order, 0).choose(order, count);
        if stage == Stage::Sets && self.options.candidates.negatives[2] > 0 {
            self.list_neighbours();
        }
        self.kept.copy_from(&self.state);
        self.report = EpochReport {
            all_batches: count.div_ceil(options.batch),
            skipped: self.problem.training.len() - count,
            steps: self.state.step,
            ..EpochReport::default()
        };
        self.running = true;
        Ok(())
    }

    fn batch(&mut self) {
        let options = match self.state.stage {
            Stage::Sets => self.options.sets,
            _ => self.options.matching,
        };
        let order = std::mem::take(&mut self.room.order);
        let from = self.report.batches * options.batch;
        let batch = &order[from..(from + options.batch).min(order.len())];
        let steps = options.epochs * self.report.all_batches;
        let factor = learning_rate_factor(self.state.step, steps, options.warmup);
        let loss = match self.state.stage {
            Stage::Sets => self.sets_of_batch(batch),
            _ => self.match_of_batch(batch),
        };
        if loss.is_finite() && self.update(&options, factor) {
            self.report.loss += loss;
            self.report.batches += 1;
            self.report.queries += batch.len();
            self.report.steps = self.state.step;
            self.report.rate_factor = factor;
        } else {
            self.report.not_finite = true;
            self.state.copy_from(&self.kept);
        }
        self.room.order = order;
    }

    fn match_of_batch(&mut self, batch: &[u32]) -> f64 {
        let loss = self.match_gradients(batch);
        if !loss.is_finite() {
            return loss;
        }
        self.report.retrieval += loss;
        let anchor = self.anchor_gradient(&self.options.matching.clone()) * batch.len() as f64;
        self.report.anchor += anchor;
        loss + anchor
    }

    fn sets_of_batch(&mut self, batch: &[u32]) -> f64 {
        self.choose_uniform_pool();
        self.logits_of_batch(batch);
        let mut counts = self.report.sources;
        let candidates = self.draw_candidates(batch, self.state.epoch, &mut counts);
        self.report.sources = counts;
        self.score_candidates(batch, &candidates);
        let step = self.set_gradients(batch, &candidates);
        self.room.candidates = candidates;
        if !step.finite {
            return f64::NAN;
        }
        self.report.retrieval += step.retrieval;
        self.report.self_training += step.self_training;
        self.report.regulariser = step.regulariser;
        self.report.anchor += step.anchor * batch.len() as f64;
        self.report.gold_first += step.gold_first;
        if self.options.candidates.summed {
            step.loss
        } else {
            step.loss * batch.len() as f64
        }
    }

    pub(super) fn choose_uniform_pool(&mut self) {
        let (tools, wanted) = (self.problem.tools(), self.options.candidates.uniform_pool);
        let all = wanted == 0 || wanted >= tools;
        let uniform = &mut self.room.uniform;
        uniform.clear();
        uniform.extend(0..tools as u32);
        if !all {
            let (stage, epoch) = (Stage::Sets as u32, self.state.epoch as u32);
            let batch = self.report.batches as u32;
            Random::new(self.options.seed, stage, epoch, Purpose::Pool, batch).choose(uniform, wanted);
            uniform.truncate(wanted);
        }
    }

    /// Lists the nearest neighbours under Z of every tool of a gold set.
    fn list_neighbours(&mut self) {
        let (tools, width) = (self.problem.tools(), self.problem.tool_dimensions);
        let near_width = self.options.candidates.neighbours.min(tools - 1);
        let room = &mut self.room;
        room.near_width = near_width;
        room.near_place.clear();
        room.near_place.resize(tools, u32::MAX);
        let mut listed = Vec::new();
        for &query in &room.order {
            for &tool in self.problem.gold.row(query as usize) {
                if room.near_place[tool as usize] == u32::MAX {
                    room.near_place[tool as usize] = listed.len() as u32;
                    listed.push(tool);
                }
            }
        }
        room.near.resize(listed.len() * near_width, 0);
        if near_width == 0 {
            return;
        }
        let engine = Engine {
            simd: self.simd,
            threads: &self.threads,
        };
        let embeddings = &self.state.weights.embeddings;
        let all = View::new(embeddings, tools, width).transpose();
        let mut block = Vec::new();
        for (listed, near) in listed.chunks(BLOCK).zip(room.near.chunks_mut(BLOCK * near_width)) {
            block.clear();
            for &tool in listed {
                block.extend_from_slice(&embeddings[tool as usize * width..][..width]);
            }
            let products = &mut room.forward.logits;
            products.resize(listed.len() * tools, R::ZERO);
            let rows = View::new(&block, listed.len(), width);
            multiply(engine, &mut room.forward.packing, rows, all, Into::Set, products);
            let near = SharedSlice::new(near);
            engine.threads.run(listed.len(), &|position| {
                let mut best = Vec::with_capacity(near_width);
                let products = &products[position * tools..][..tools];
                best_tools(products, &listed[position..=position], near_width, &mut best);
                // SAFETY: each row is handed out once.
                let row = unsafe { near.part(position * near_width..(position + 1) * near_width) };
                // With numbers that are no numbers fewer are best; the step will say so.
                row[..best.len()].copy_from_slice(&best);
            });
        }
    }
}
