use super::case::{best, options, trainer};
use crate::simd::Simd;
use crate::trainer::{Stage, Trainer, Weights};

fn bits(weights: &Weights<f32>) -> Vec<u64> {
    let reals = [&weights.projection, &weights.embeddings, &weights.interactions];
    let reals = reals.into_iter().flatten().map(|value| u64::from(value.to_bits()));
    let doubles = [&weights.offsets, &weights.features];
    let doubles = doubles.into_iter().flatten().map(|value| value.to_bits());
    reals.chain(doubles).collect()
}

fn train(trainer: &mut Trainer<f32>, stage: Stage, epochs: usize) {
    for _ in 0..epochs {
        assert!(trainer.advance(stage, usize::MAX).unwrap().is_done());
    }
}

#[test]
fn one_seed_gives_the_same_bits_at_every_level_and_for_any_number_of_threads() {
    let run = |threads, simd, seed| {
        let mut options = options();
        options.seed = seed;
        let mut trainer = trainer::<f32>(&options, threads, simd);
        train(&mut trainer, Stage::Matching, 2);
        train(&mut trainer, Stage::Sets, 2);
        bits(trainer.weights())
    };
    let expected = run(1, best(), 7);
    for simd in Simd::supported() {
        for threads in 1..4 {
            assert_eq!(run(threads, simd, 7), expected, "{simd:?} with {threads} threads");
        }
    }
    assert_ne!(run(1, best(), 8), expected);
}

#[test]
fn an_epoch_in_pieces_is_the_epoch_at_once() {
    let mut whole = trainer::<f32>(&options(), 2, best());
    let mut pieces = trainer::<f32>(&options(), 2, best());
    for stage in [Stage::Matching, Stage::Sets] {
        let at_once = whole.advance(stage, usize::MAX).unwrap();
        let mut turns = 0;
        let last = loop {
            let report = pieces.advance(stage, 1).unwrap();
            turns += 1;
            if report.is_done() {
                break report;
            }
        };
        assert_eq!(last, at_once);
        assert_eq!(turns, at_once.all_batches);
        assert_eq!(bits(whole.weights()), bits(pieces.weights()));
    }
}

#[test]
fn training_goes_on_from_a_checkpoint_bit_for_bit() {
    let mut first = trainer::<f32>(&options(), 1, best());
    train(&mut first, Stage::Matching, 3);
    train(&mut first, Stage::Sets, 1);
    let [reals, doubles] = first.checkpoint_lengths();
    let (mut reals, mut doubles) = (vec![0.0; reals], vec![0.0; doubles]);
    // A part of an epoch is not kept, and is done again.
    first.advance(Stage::Sets, 1).unwrap();
    first.write_checkpoint(&mut reals, &mut doubles).unwrap();
    train(&mut first, Stage::Sets, 2);
    let mut second = trainer::<f32>(&options(), 3, best());
    train(&mut second, Stage::Matching, 1);
    second.read_checkpoint(&reals, &doubles).unwrap();
    train(&mut second, Stage::Sets, 2);
    assert_eq!(bits(first.weights()), bits(second.weights()));
    let refused = second.advance(Stage::Sets, 1).unwrap_err().to_string();
    assert_eq!(refused, "epochs: expected no more epochs than were planned, got 4.");
}

#[test]
fn a_checkpoint_that_cannot_be_one_is_refused() {
    let mut trainer = trainer::<f32>(&options(), 1, best());
    let before = bits(trainer.weights());
    let [reals, doubles] = trainer.checkpoint_lengths();
    let (mut reals, mut doubles) = (vec![0.0; reals], vec![0.0; doubles]);
    trainer.write_checkpoint(&mut reals, &mut doubles).unwrap();
    assert!(trainer.read_checkpoint(&reals[1..], &doubles).is_err());
    assert!(trainer.read_checkpoint(&reals, &doubles[1..]).is_err());
    reals[3] = f32::NAN;
    assert!(trainer.read_checkpoint(&reals, &doubles).is_err());
    reals[3] = 0.0;
    for (place, wrong) in [(5, 3.0), (5, 0.5), (4, -1.0), (3, 0.5), (2, 2.0), (1, f64::NAN)] {
        let place = doubles.len() - place;
        let right = std::mem::replace(&mut doubles[place], wrong);
        assert!(trainer.read_checkpoint(&reals, &doubles).is_err(), "{wrong} at {place}");
        doubles[place] = right;
    }
    assert_eq!(bits(trainer.weights()), before);
}
