use super::adam::Moments;
use super::options::SOURCES;
use super::real::Real;
use super::sampling::SourceCounts;
use super::weights::Weights;

/// Which stage an optimiser is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// No stage has begun.
    #[default]
    None = 0,
    /// The match.
    Matching = 1,
    /// The sets.
    Sets = 2,
}

/// Everything that the next step depends on beside the problem and the options: what a checkpoint holds.
#[derive(Debug, Clone, Default)]
pub(super) struct State<R> {
    pub(super) weights: Weights<R>,
    pub(super) first: Weights<R>,
    pub(super) second: Weights<R>,
    /// The stage that the moments belong to.
    pub(super) stage: Stage,
    /// Epochs of the stage that are done.
    pub(super) epoch: usize,
    /// Steps of the stage that are done.
    pub(super) step: usize,
    /// β₁ᵗ and β₂ᵗ.
    pub(super) powers: [f64; 2],
}

impl<R: Real> State<R> {
    pub(super) fn new(weights: Weights<R>) -> Self {
        Self {
            first: Weights::zeros_like(&weights),
            second: Weights::zeros_like(&weights),
            weights,
            stage: Stage::None,
            epoch: 0,
            step: 0,
            powers: [1.0; 2],
        }
    }

    /// Forgets moments and counts.
    pub(super) fn begin(&mut self, stage: Stage) {
        self.first.clear();
        self.second.clear();
        self.stage = stage;
        self.epoch = 0;
        self.step = 0;
        self.powers = [1.0; 2];
    }

    pub(super) fn count_step(&mut self, moments: Moments) {
        self.step += 1;
        self.powers[0] *= moments.first;
        self.powers[1] *= moments.second;
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.weights.copy_from(&other.weights);
        self.first.copy_from(&other.first);
        self.second.copy_from(&other.second);
        self.stage = other.stage;
        self.epoch = other.epoch;
        self.step = other.step;
        self.powers = other.powers;
    }

    pub(super) fn bytes(&self) -> usize {
        self.weights.bytes() + self.first.bytes() + self.second.bytes()
    }
}

/// What an epoch did so far. Losses are sums over queries, before any weight of the query but with the weights of the parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EpochReport {
    /// Batches done, and of how many.
    pub batches: usize,
    /// Batches of the epoch.
    pub all_batches: usize,
    /// Queries done.
    pub queries: usize,
    /// Queries that take no part in this stage: no gold, or for the sets more than M.
    pub skipped: usize,
    /// Steps of the stage done.
    pub steps: usize,
    /// The factor of the last step's learning rate.
    pub rate_factor: f64,
    /// The sum of the losses of queries, as they were trained on.
    pub loss: f64,
    /// Of it `InfoNCE`, or the paper's `L_ret`.
    pub retrieval: f64,
    /// Σ ρ (−log softmax(F)_Ê), without η.
    pub self_training: f64,
    /// The sum over batches of μ|Z − anchor|² times its queries.
    pub anchor: f64,
    /// The last λ Σ|M|².
    pub regulariser: f64,
    /// Queries whose gold set scored best of the candidates.
    pub gold_first: usize,
    /// Negatives by source.
    pub sources: [SourceCounts; SOURCES],
    /// Whether a number became infinite or NaN, which ended the epoch; the weights are those from before it.
    pub not_finite: bool,
}

impl EpochReport {
    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.not_finite || self.batches == self.all_batches
    }
}
