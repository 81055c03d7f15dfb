//! Tests that need the inside of a trainer.

mod case;
mod checkpoint;
mod epochs;
mod fixtures;
mod gradients;
mod sampling;
