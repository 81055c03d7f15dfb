//! Logits of a batch: `l = (R P) Zᵀ + Σ_f w_f φ_f`.

use super::gemm::{Engine, Into, Packing, View, multiply};
use super::problem::Problem;
use super::real::Real;
use super::weights::Weights;
use crate::threads::SharedSlice;

/// What a batch of queries becomes on its way to the logits.
#[derive(Debug, Default)]
pub(super) struct Forward<R> {
    /// R, B × `d_r`.
    pub(super) queries: Vec<R>,
    /// R P, B × `d_z`.
    pub(super) hidden: Vec<R>,
    /// B × N; later their gradient.
    pub(super) logits: Vec<R>,
    /// The gradient of `hidden`.
    hidden_gradient: Vec<R>,
    pub(super) packing: Packing<R>,
}

impl<R: Real> Forward<R> {
    /// Computes the logits of these queries.
    pub(super) fn run(&mut self, engine: Engine<'_>, problem: &Problem<R>, weights: &Weights<R>, batch: &[u32]) {
        let (width, tools) = (problem.tool_dimensions, problem.tools());
        self.queries.clear();
        for &query in batch {
            self.queries.extend_from_slice(problem.query(query as usize));
        }
        self.hidden.resize(batch.len() * width, R::ZERO);
        self.logits.resize(batch.len() * tools, R::ZERO);
        let queries = View::new(&self.queries, batch.len(), problem.query_dimensions);
        let projection = View::new(&weights.projection, problem.query_dimensions, width);
        let embeddings = View::new(&weights.embeddings, tools, width).transpose();
        multiply(
            engine,
            &mut self.packing,
            queries,
            projection,
            Into::Set,
            &mut self.hidden,
        );
        let hidden = View::new(&self.hidden, batch.len(), width);
        multiply(
            engine,
            &mut self.packing,
            hidden,
            embeddings,
            Into::Set,
            &mut self.logits,
        );
        if problem.channels.is_empty() {
            return;
        }
        let rows = SharedSlice::new(&mut self.logits);
        engine.threads.run(batch.len(), &|position| {
            // SAFETY: each row is handed out once.
            let row = unsafe { rows.part(position * tools..(position + 1) * tools) };
            for (channel, &weight) in problem.channels.iter().zip(&weights.features) {
                let weight = R::of(weight);
                let range = channel.lists.range(batch[position] as usize);
                for (&tool, &value) in channel.lists.tools[range.clone()].iter().zip(&channel.values[range]) {
                    row[tool as usize] += weight * value;
                }
            }
        });
    }

    /// From the gradient of the logits, which stands in their place, to those of P, Z and the weights of the features, to which it adds.
    pub(super) fn back(
        &mut self,
        engine: Engine<'_>,
        problem: &Problem<R>,
        weights: &Weights<R>,
        batch: &[u32],
        trained: super::options::Trained,
        gradients: &mut Weights<R>,
    ) {
        let (width, tools) = (problem.tool_dimensions, problem.tools());
        let logits = View::new(&self.logits, batch.len(), tools);
        if trained.features {
            for (channel, sum) in problem.channels.iter().zip(&mut gradients.features) {
                for (position, &query) in batch.iter().enumerate() {
                    let row = &self.logits[position * tools..][..tools];
                    let range = channel.lists.range(query as usize);
                    for (&tool, &value) in channel.lists.tools[range.clone()].iter().zip(&channel.values[range]) {
                        *sum += row[tool as usize].wide() * value.wide();
                    }
                }
            }
        }
        if trained.embeddings {
            let hidden = View::new(&self.hidden, batch.len(), width);
            let target = &mut gradients.embeddings;
            multiply(engine, &mut self.packing, logits.transpose(), hidden, Into::Add, target);
        }
        if trained.projection {
            let embeddings = View::new(&weights.embeddings, tools, width);
            self.hidden_gradient.resize(batch.len() * width, R::ZERO);
            let hidden = &mut self.hidden_gradient;
            multiply(engine, &mut self.packing, logits, embeddings, Into::Set, hidden);
            let hidden = View::new(&self.hidden_gradient, batch.len(), width);
            let queries = View::new(&self.queries, batch.len(), problem.query_dimensions).transpose();
            let target = &mut gradients.projection;
            multiply(engine, &mut self.packing, queries, hidden, Into::Add, target);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let reals = [&self.queries, &self.hidden, &self.logits, &self.hidden_gradient];
        reals
            .map(|values| values.capacity() * size_of::<R>())
            .iter()
            .sum::<usize>()
            + self.packing.bytes()
    }
}
