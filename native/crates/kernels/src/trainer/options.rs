use super::adam::Moments;
use crate::hyperedge::Alignment;

/// Where negative sets come from, in this order everywhere.
pub const SOURCES: usize = 5;

/// Which interaction matrices there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interactions {
    /// Pairs score nothing.
    None,
    /// One for all sizes.
    Shared,
    /// One for each size from 2 on.
    BySize,
}

/// Which groups of numbers a stage trains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "five groups, each trained or not")]
pub struct Trained {
    /// P.
    pub projection: bool,
    /// Z.
    pub embeddings: bool,
    /// M.
    pub interactions: bool,
    /// c.
    pub offsets: bool,
    /// The weights of the features.
    pub features: bool,
}

impl Trained {
    /// Whether the logits are trained.
    pub(super) fn logits(self) -> bool {
        self.projection || self.embeddings || self.features
    }
}

/// One stage of training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageOptions {
    /// Epochs that the schedule of the learning rate is laid out for.
    pub epochs: usize,
    /// Queries in a batch.
    pub batch: usize,
    /// The share of all steps in which the learning rate rises.
    pub warmup: f64,
    /// Of P and Z.
    pub learning_rate: f64,
    /// Of M.
    pub interaction_rate: f64,
    /// Of c.
    pub offset_rate: f64,
    /// Of the weights of the features.
    pub feature_rate: f64,
    /// Of P, Z and M.
    pub weight_decay: f64,
    /// μ, a query: how strongly Z is held at the texts' vectors.
    pub anchor: f64,
    /// What is trained.
    pub trained: Trained,
}

/// How the sets of a query are drawn and weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetOptions {
    /// How the logits of members make up the alignment of a set.
    pub alignment: Alignment,
    /// Whether logits are logarithms of their softmax over the library; with the alignment of the paper they never are.
    pub log_softmax: bool,
    /// How many negatives are drawn uniformly, from the batch, from neighbours, from the model's best, and by changing the size.
    pub negatives: [usize; SOURCES],
    /// Tools of which the uniform sets of a batch are made; 0 for all.
    pub uniform_pool: usize,
    /// Nearest neighbours of a tool that can take its place.
    pub neighbours: usize,
    /// How many of the tools that the model likes best can take a tool's place.
    pub own: usize,
    /// λ.
    pub regularisation: f64,
    /// η.
    pub self_training: f64,
    /// Whether losses are summed over a batch, as in the paper, or their mean is taken.
    pub summed: bool,
}

/// All options of a trainer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrainerOptions {
    /// What all random numbers come from.
    pub seed: u32,
    /// M, the largest set that is scored.
    pub max_size: usize,
    /// Which interaction matrices there are.
    pub interactions: Interactions,
    /// Of the optimiser.
    pub moments: Moments,
    /// Stage 1.
    pub matching: StageOptions,
    /// Stage 2.
    pub sets: StageOptions,
    /// The candidate sets of stage 2 and their loss.
    pub candidates: SetOptions,
}

impl TrainerOptions {
    /// How many interaction matrices there are.
    pub fn matrices(&self) -> usize {
        match self.interactions {
            Interactions::None => 0,
            Interactions::Shared => usize::from(self.max_size > 1),
            Interactions::BySize => self.max_size - 1,
        }
    }

    /// The matrix of a set of `size` (2 or more) tools.
    #[inline]
    pub(super) fn matrix_of(&self, size: usize) -> usize {
        if self.interactions == Interactions::BySize {
            size - 2
        } else {
            0
        }
    }
}
