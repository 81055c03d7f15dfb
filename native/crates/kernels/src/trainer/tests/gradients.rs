//! Every gradient against central differences in f64.

use super::case::{ALL, best, options, trainer};
use crate::hyperedge::Alignment;
use crate::trainer::sampling::SourceCounts;
use crate::trainer::{Interactions, Stage, Trainer, TrainerOptions, Weights};

const STEP: f64 = 1e-5;

type Group = (&'static str, fn(&mut Weights<f64>) -> &mut Vec<f64>);

const GROUPS: [Group; 5] = [
    ("P", |weights| &mut weights.projection),
    ("Z", |weights| &mut weights.embeddings),
    ("M", |weights| &mut weights.interactions),
    ("c", |weights| &mut weights.offsets),
    ("w", |weights| &mut weights.features),
];

/// Compares each number of the gradient with (loss(x + h) − loss(x − h)) / 2h; groups in `zero` must have none.
fn check(trainer: &mut Trainer<f64>, zero: &[&str], loss: &mut dyn FnMut(&mut Trainer<f64>) -> f64) {
    loss(trainer);
    let mut gradients = trainer.gradients.clone();
    for (name, group) in GROUPS {
        let found = group(&mut gradients).clone();
        let mut largest = 0.0_f64;
        for (position, &gradient) in found.iter().enumerate() {
            let before = group(&mut trainer.state.weights).clone();
            let [above, below] = [STEP, -STEP].map(|step| {
                let values = group(&mut trainer.state.weights);
                if name == "M" {
                    // M counts as (M + M') / 2, and is always symmetric.
                    values[position] += step / 2.0;
                    values[transposed(position)] += step / 2.0;
                } else {
                    values[position] += step;
                }
                let found = loss(trainer);
                group(&mut trainer.state.weights).copy_from_slice(&before);
                found
            });
            let expected = (above - below) / (2.0 * STEP);
            let tolerance = 1e-7 * (1.0 + expected.abs());
            assert!(
                (gradient - expected).abs() < tolerance,
                "{name}[{position}]: {gradient} for {expected}"
            );
            largest = largest.max(gradient.abs());
        }
        assert_eq!(
            largest > 1e-3,
            !zero.contains(&name),
            "{name} has a gradient: {largest}"
        );
    }
}

/// Where a number of a 3 × 3 matrix stands in the transpose.
fn transposed(position: usize) -> usize {
    let (matrix, within) = (position / 9, position % 9);
    matrix * 9 + within % 3 * 3 + within / 3
}

#[test]
fn the_match_has_the_gradient_of_its_loss() {
    let mut trainer = trainer::<f64>(&options(), 2, best());
    let batch = [0, 1, 2, 4, 5, 7];
    check(&mut trainer, &["M", "c"], &mut |trainer| {
        trainer.match_gradients(&batch) / batch.len() as f64 + trainer.anchor_gradient(&super::case::stage())
    });
}

fn check_sets(options: &TrainerOptions, zero: &[&str]) {
    let mut trainer = trainer::<f64>(options, 2, best());
    trainer
        .set_rewards(&[0.5, 1.0, 0.0, 0.0, 0.25, 1.0, 0.75, 0.0, 1.0, 0.5])
        .unwrap();
    // The candidates are drawn once: they do not depend on the weights that are moved.
    trainer.state.begin(Stage::Sets);
    let batch = [0, 1, 2, 4, 5, 6];
    trainer.room.order = batch.to_vec();
    trainer.room.uniform = (0..9).collect();
    trainer.advance(Stage::Sets, 0).unwrap();
    trainer.logits_of_batch(&batch);
    let candidates = trainer.draw_candidates(&batch, 0, &mut [SourceCounts::default(); 5]);
    check(&mut trainer, zero, &mut |trainer| {
        trainer.logits_of_batch(&batch);
        trainer.score_candidates(&batch, &candidates);
        trainer.set_gradients(&batch, &candidates).loss
    });
}

#[test]
fn sets_have_the_gradient_of_their_loss() {
    check_sets(&options(), &[]);
    let mut raw = options();
    raw.candidates.log_softmax = false;
    check_sets(&raw, &[]);
    let mut shared = options();
    shared.interactions = Interactions::Shared;
    check_sets(&shared, &[]);
    let mut none = options();
    none.interactions = Interactions::None;
    check_sets(&none, &["M"]);
}

#[test]
fn sets_aligned_by_softmax_have_the_gradient_of_their_loss() {
    let mut options = options();
    options.candidates.alignment = Alignment::Softmax;
    options.candidates.summed = true;
    check_sets(&options, &[]);
}

#[test]
fn what_is_not_trained_does_not_move() {
    let mut options = options();
    options.sets.trained = crate::trainer::Trained {
        interactions: true,
        projection: false,
        embeddings: false,
        offsets: false,
        features: false,
    };
    assert_ne!(options.sets.trained, ALL);
    let mut trainer = trainer::<f64>(&options, 1, best());
    let before = trainer.weights().clone();
    trainer.advance(Stage::Sets, usize::MAX).unwrap();
    let after = trainer.weights();
    assert_ne!(before.interactions, after.interactions);
    let kept = Weights {
        interactions: before.interactions.clone(),
        ..after.clone()
    };
    assert_eq!(kept, before);
}
