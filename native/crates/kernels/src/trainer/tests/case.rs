use crate::hyperedge::Alignment;
use crate::simd::Simd;
use crate::trainer::{
    Channel, Interactions, Lists, Moments, Problem, Real, SetOptions, StageOptions, Trained, Trainer, TrainerOptions,
    Weights,
};

/// Numbers from −1 to 1 that look random.
pub(super) fn numbers(count: usize, seed: u64) -> Vec<f64> {
    (0..count as u64)
        .map(|i| {
            let mut word = (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed.wrapping_mul(0xD134_2543_DE82_EF95);
            word = (word ^ (word >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            ((word >> 33) as f64) / f64::from(1_u32 << 30) - 1.0
        })
        .collect()
}

pub(super) fn lists(rows: &[Vec<u32>]) -> Lists {
    let mut lists = Lists {
        offsets: vec![0],
        tools: Vec::new(),
    };
    for row in rows {
        lists.tools.extend(row);
        lists.offsets.push(lists.tools.len() as u32);
    }
    lists
}

pub(super) const ALL: Trained = Trained {
    projection: true,
    embeddings: true,
    interactions: true,
    offsets: true,
    features: true,
};

pub(super) fn stage() -> StageOptions {
    StageOptions {
        epochs: 3,
        batch: 4,
        warmup: 0.1,
        learning_rate: 0.01,
        interaction_rate: 0.02,
        offset_rate: 0.03,
        feature_rate: 0.04,
        weight_decay: 0.0,
        anchor: 0.05,
        trained: ALL,
    }
}

pub(super) fn options() -> TrainerOptions {
    TrainerOptions {
        seed: 7,
        max_size: 4,
        interactions: Interactions::BySize,
        moments: Moments {
            first: 0.9,
            second: 0.999,
            epsilon: 1e-8,
        },
        matching: stage(),
        sets: stage(),
        candidates: SetOptions {
            alignment: Alignment::Sum,
            log_softmax: true,
            negatives: [3, 2, 3, 3, 3],
            uniform_pool: 6,
            neighbours: 3,
            own: 4,
            regularisation: 0.02,
            self_training: 0.4,
            summed: false,
        },
    }
}

pub(super) const TOOLS: usize = 9;
const WIDE: usize = 4;
const NARROW: usize = 3;

/// Nine tools, ten queries of four numbers with one to three tools each, one feature; gold sets of all sizes, one query without.
pub(super) fn problem<R: Real>() -> Problem<R> {
    let real = |values: Vec<f64>| values.into_iter().map(R::of).collect::<Vec<R>>();
    let gold: Vec<Vec<u32>> = vec![
        vec![0, 3],
        vec![1],
        vec![2, 4, 5],
        vec![],
        vec![6, 7],
        vec![0, 1, 2, 8],
        vec![3, 8],
        vec![0, 1, 2, 3, 4],
        vec![5, 6],
        vec![0, 3],
    ];
    let features: Vec<Vec<u32>> = (0..10_u32).map(|query| vec![query % 4, 4 + query % 5]).collect();
    Problem {
        query_dimensions: WIDE,
        tool_dimensions: NARROW,
        anchors: real(numbers(TOOLS * NARROW, 1)),
        queries: real(numbers(10 * WIDE, 2)),
        gold: lists(&gold),
        channels: vec![Channel {
            lists: lists(&features),
            values: real(numbers(20, 3)),
        }],
        query_weights: vec![1.0, 2.0, 0.5, 1.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0],
        training: (0..10).collect(),
    }
}

pub(super) fn weights<R: Real>(options: &TrainerOptions) -> Weights<R> {
    let real = |values: Vec<f64>, scale: f64| values.into_iter().map(|value| R::of(value * scale)).collect::<Vec<R>>();
    Weights {
        projection: real(numbers(WIDE * NARROW, 4), 2.0),
        embeddings: real(numbers(TOOLS * NARROW, 1), 1.0),
        interactions: real(numbers(options.matrices() * NARROW * NARROW, 5), 0.5),
        offsets: numbers(options.max_size, 6),
        features: vec![0.7],
    }
}

/// A trainer of that case.
pub(super) fn trainer<R: Real>(options: &TrainerOptions, threads: usize, simd: Simd) -> Trainer<R> {
    Trainer::new(problem(), weights(options), *options, threads, simd).unwrap()
}

pub(super) fn best() -> Simd {
    Simd::supported().next().unwrap()
}
