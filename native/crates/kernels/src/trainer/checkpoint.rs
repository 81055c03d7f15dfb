//! What training goes on from: all weights and moments, and how far the stage is. Random numbers have no state of their own.

use super::Trainer;
use super::problem::{check_finite, out_of_range};
use super::real::Real;
use super::state::{Stage, State};
use super::weights::Weights;
use crate::KernelError;
use crate::error::check_length;

/// Stage, epoch, step, β₁ᵗ, β₂ᵗ.
const COUNTS: usize = 5;

impl<R: Real> State<R> {
    fn parts(&self) -> [&Weights<R>; 3] {
        [&self.weights, &self.first, &self.second]
    }
}

impl<R: Real> Trainer<R> {
    /// How many numbers of the model's type and how many f64 a checkpoint has.
    pub fn checkpoint_lengths(&self) -> [usize; 2] {
        let weights = &self.state.weights;
        [
            3 * (weights.projection.len() + weights.embeddings.len() + weights.interactions.len()),
            3 * (weights.offsets.len() + weights.features.len()) + COUNTS,
        ]
    }

    /// Writes the state after the last whole epoch: what an epoch did that is not done is not kept.
    pub fn write_checkpoint(&self, reals: &mut [R], doubles: &mut [f64]) -> Result<(), KernelError> {
        self.check_checkpoint(reals.len(), doubles.len())?;
        let state = if self.running { &self.kept } else { &self.state };
        let (mut reals, mut doubles) = (reals, doubles);
        for part in state.parts() {
            for values in [&part.projection, &part.embeddings, &part.interactions] {
                let (target, rest) = reals.split_at_mut(values.len());
                target.copy_from_slice(values);
                reals = rest;
            }
            for values in [&part.offsets, &part.features] {
                let (target, rest) = doubles.split_at_mut(values.len());
                target.copy_from_slice(values);
                doubles = rest;
            }
        }
        let counts = [f64::from(state.stage as u32), state.epoch as f64, state.step as f64];
        doubles[..3].copy_from_slice(&counts);
        doubles[3..].copy_from_slice(&state.powers);
        Ok(())
    }

    /// Goes back to a state that was written; an epoch that is not done ends.
    pub fn read_checkpoint(&mut self, reals: &[R], doubles: &[f64]) -> Result<(), KernelError> {
        self.check_checkpoint(reals.len(), doubles.len())?;
        check_finite("checkpoint", reals)?;
        check_finite("checkpoint", doubles)?;
        let counts = &doubles[doubles.len() - COUNTS..];
        let stage = match counts[0] {
            0.0 => Stage::None,
            1.0 => Stage::Matching,
            2.0 => Stage::Sets,
            other => return Err(out_of_range("checkpoint", "a stage of 0 to 2", other)),
        };
        let whole = |value: f64| value.fract() == 0.0 && (0.0..=9e15).contains(&value);
        if !whole(counts[1]) || !whole(counts[2]) || counts[3..].iter().any(|power| !(0.0..=1.0).contains(power)) {
            return Err(out_of_range(
                "checkpoint",
                "counts of epochs and steps, and powers",
                "others",
            ));
        }
        let (mut reals, mut doubles) = (reals, doubles);
        let going_on = &mut self.state;
        for part in [&mut going_on.weights, &mut going_on.first, &mut going_on.second] {
            for values in [&mut part.projection, &mut part.embeddings, &mut part.interactions] {
                let (source, rest) = reals.split_at(values.len());
                values.copy_from_slice(source);
                reals = rest;
            }
            for values in [&mut part.offsets, &mut part.features] {
                let (source, rest) = doubles.split_at(values.len());
                values.copy_from_slice(source);
                doubles = rest;
            }
        }
        going_on.stage = stage;
        #[allow(clippy::cast_sign_loss, reason = "checked above")]
        {
            going_on.epoch = doubles[1] as usize;
            going_on.step = doubles[2] as usize;
        }
        going_on.powers = [doubles[3], doubles[4]];
        self.running = false;
        Ok(())
    }

    fn check_checkpoint(&self, reals: usize, doubles: usize) -> Result<(), KernelError> {
        let lengths = self.checkpoint_lengths();
        check_length("checkpoint", lengths[0], reals)?;
        check_length("checkpoint", lengths[1], doubles)
    }
}
