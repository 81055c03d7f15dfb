use super::case::{best, options, problem, trainer, weights};
use crate::trainer::{Stage, Trainer};

#[test]
fn losses_fall_and_queries_that_have_no_part_are_counted() {
    let mut options = options();
    options.matching.epochs = 60;
    options.sets.epochs = 60;
    let mut trainer = trainer::<f32>(&options, 2, best());
    // Nine of ten queries have gold, eight of them four tools or fewer; batches hold four.
    for (stage, queries, batches) in [(Stage::Matching, 9, 3), (Stage::Sets, 8, 2)] {
        let first = trainer.advance(stage, usize::MAX).unwrap();
        assert_eq!((first.queries, first.skipped), (queries, 10 - queries));
        assert_eq!(
            (first.batches, first.all_batches, first.steps),
            (batches, batches, batches)
        );
        let mut last = first;
        for _ in 1..60 {
            last = trainer.advance(stage, usize::MAX).unwrap();
        }
        assert_eq!(last.steps, 60 * batches);
        assert!(
            last.retrieval < 0.7 * first.retrieval,
            "{} after {}",
            last.retrieval,
            first.retrieval
        );
        // The last step is one of T − w from the end of the cosine: nearly 0, but not 0.
        assert!(last.rate_factor > 0.0 && last.rate_factor < 0.01);
    }
    for row in trainer.weights().embeddings.chunks_exact(3) {
        let length: f32 = row.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-5);
    }
    for matrix in trainer.weights().interactions.chunks_exact(9) {
        let bits = |places: [usize; 3]| places.map(|place| matrix[place].to_bits());
        assert_eq!(bits([1, 2, 5]), bits([3, 6, 7]));
    }
}

#[test]
fn numbers_that_are_not_finite_end_an_epoch_and_the_weights_from_before_it_stay() {
    for stage in [Stage::Matching, Stage::Sets] {
        let mut options = options();
        options.matching.learning_rate = 1e30;
        options.sets.learning_rate = 1e30;
        options.matching.warmup = 0.0;
        options.sets.warmup = 0.0;
        let mut trainer = trainer::<f32>(&options, 2, best());
        let before = trainer.weights().clone();
        let report = trainer.advance(stage, usize::MAX).unwrap();
        assert!(report.not_finite && report.is_done());
        assert!(report.batches < report.all_batches);
        assert_eq!(trainer.weights(), &before);
        // Called again, it tries the same epoch again.
        assert_eq!(trainer.advance(stage, usize::MAX).unwrap(), report);
    }
}

#[test]
fn nothing_to_learn_from_is_an_epoch_without_batches() {
    let mut empty = problem::<f32>();
    empty.training = vec![3];
    let mut trainer = Trainer::new(empty, weights(&options()), options(), 2, best()).unwrap();
    for stage in [Stage::Matching, Stage::Sets] {
        let before = trainer.weights().clone();
        let report = trainer.advance(stage, usize::MAX).unwrap();
        assert_eq!((report.batches, report.queries, report.skipped), (0, 0, 1));
        assert!(report.is_done() && !report.not_finite);
        assert_eq!(trainer.weights(), &before);
    }
}

#[test]
fn one_query_and_one_tool_are_enough() {
    let mut tiny = problem::<f32>();
    tiny.anchors.truncate(3);
    tiny.channels.clear();
    tiny.gold = super::case::lists(&[vec![0], vec![0]]);
    tiny.queries.truncate(8);
    tiny.query_weights.clear();
    tiny.training = vec![1];
    let mut start = weights(&options());
    start.embeddings.truncate(3);
    start.features.clear();
    let mut trainer = Trainer::new(tiny, start, options(), 1, best()).unwrap();
    // Nothing competes with the only tool, and no other set can be drawn.
    for stage in [Stage::Matching, Stage::Sets] {
        let report = trainer.advance(stage, usize::MAX).unwrap();
        assert_eq!((report.queries, report.retrieval.to_bits()), (1, 0.0_f64.to_bits()));
        assert!(report.sources.iter().all(|counts| counts.drawn == 0));
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let refusal = |change: &dyn Fn(&mut crate::trainer::Problem<f32>)| {
        let mut changed = problem::<f32>();
        change(&mut changed);
        Trainer::new(changed, weights(&options()), options(), 1, best())
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refusal(&|problem| problem.gold.tools[0] = 9),
        "gold: expected tools that ascend in a row, got others in row 0."
    );
    assert_eq!(
        refusal(&|problem| problem.gold.tools[1] = 9),
        "gold: ordinal 9 names no row; there are 9 rows."
    );
    assert_eq!(
        refusal(&|problem| problem.gold.offsets[1] = 40),
        "gold: expected offsets that ascend from 0, got others."
    );
    assert_eq!(
        refusal(&|problem| problem.gold.offsets[10] = 40),
        "gold: expected a length of 40, got 23."
    );
    assert_eq!(
        refusal(&|problem| problem.queries[5] = f32::INFINITY),
        "query vectors: the number at position 5 is NaN or infinite; every number must be finite."
    );
    assert_eq!(
        refusal(&|problem| problem.query_weights[2] = -1.0),
        "query weights: expected finite numbers of 0 or more, rewards at most 1, got -1."
    );
    assert_eq!(
        refusal(&|problem| problem.training.push(10)),
        "training queries: ordinal 10 names no row; there are 10 rows."
    );
    let mut trainer = trainer::<f32>(&options(), 1, best());
    assert!(trainer.set_rewards(&[1.5; 10]).is_err());
    assert!(trainer.logits(&[10], &mut [0.0; 9]).is_err());
}
