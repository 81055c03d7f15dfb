//! How options and reports cross the boundary: as columns of numbers. `src/native/hypergraph-trainer.ts` packs and unpacks in the same order.

use setwise_kernels::KernelError;
use setwise_kernels::hyperedge::Alignment;
use setwise_kernels::trainer::{
    Channel, EpochReport, Interactions, Lists, Moments, Problem, SOURCES, SetOptions, StageOptions, Trained,
    TrainerOptions, Weights,
};

/// Whole numbers in front of those of the stages, and of each stage.
const SHAPE: usize = 18;
const STAGE_SHAPE: usize = 3;
/// The same of the others.
const NUMBERS: usize = 5;
const STAGE_NUMBERS: usize = 7;
/// Numbers of a report in front of those of the sources, and of each source.
const REPORT_HEAD: usize = 13;
const SOURCE_COUNTS: usize = 5;
/// Numbers of a report.
pub(crate) const REPORT: usize = REPORT_HEAD + SOURCES * SOURCE_COUNTS;

/// What stands in front of the arrays.
pub(crate) struct Settings {
    pub(crate) query_dimensions: usize,
    pub(crate) tool_dimensions: usize,
    pub(crate) channels: usize,
    pub(crate) threads: usize,
    pub(crate) options: TrainerOptions,
}

/// Reads the settings.
pub(crate) fn settings(shape: &[u32], numbers: &[f64]) -> Result<Settings, KernelError> {
    expect("shape", SHAPE + 2 * STAGE_SHAPE, shape.len())?;
    expect("numbers", NUMBERS + 2 * STAGE_NUMBERS, numbers.len())?;
    let whole = |place: usize| shape[place] as usize;
    let stage = |number: usize| {
        let shape = &shape[SHAPE + number * STAGE_SHAPE..];
        let numbers = &numbers[NUMBERS + number * STAGE_NUMBERS..];
        let trained = |bit: u32| shape[2] >> bit & 1 == 1;
        StageOptions {
            epochs: shape[0] as usize,
            batch: shape[1] as usize,
            warmup: numbers[0],
            learning_rate: numbers[1],
            interaction_rate: numbers[2],
            offset_rate: numbers[3],
            feature_rate: numbers[4],
            weight_decay: numbers[5],
            anchor: numbers[6],
            trained: Trained {
                projection: trained(0),
                embeddings: trained(1),
                interactions: trained(2),
                offsets: trained(3),
                features: trained(4),
            },
        }
    };
    let options = TrainerOptions {
        seed: shape[4],
        max_size: whole(5),
        interactions: match shape[6] {
            0 => Interactions::None,
            1 => Interactions::Shared,
            _ => Interactions::BySize,
        },
        moments: Moments {
            first: numbers[0],
            second: numbers[1],
            epsilon: numbers[2],
        },
        matching: stage(0),
        sets: stage(1),
        candidates: SetOptions {
            alignment: if shape[7] == 0 {
                Alignment::Sum
            } else {
                Alignment::Softmax
            },
            log_softmax: shape[8] != 0,
            summed: shape[9] != 0,
            negatives: [whole(10), whole(11), whole(12), whole(13), whole(14)],
            uniform_pool: whole(15),
            neighbours: whole(16),
            own: whole(17),
            regularisation: numbers[3],
            self_training: numbers[4],
        },
    };
    Ok(Settings {
        query_dimensions: whole(0).max(1),
        tool_dimensions: whole(1).max(1),
        channels: whole(2),
        threads: whole(3),
        options,
    })
}

/// The arrays that are learned from.
pub(crate) struct TrainerArrays<'a> {
    pub(crate) anchors: &'a [f32],
    pub(crate) queries: &'a [f32],
    pub(crate) gold_offsets: &'a [u32],
    pub(crate) gold_tools: &'a [u32],
    pub(crate) feature_offsets: &'a [u32],
    pub(crate) feature_tools: &'a [u32],
    pub(crate) feature_values: &'a [f32],
    pub(crate) query_weights: &'a [f64],
    pub(crate) training: &'a [u32],
}

/// Copies the arrays; the trainer checks what they hold.
pub(crate) fn problem(settings: &Settings, arrays: &TrainerArrays<'_>) -> Result<Problem<f32>, KernelError> {
    let offsets = arrays.queries.len() / settings.query_dimensions + 1;
    expect(
        "feature offsets",
        settings.channels * offsets,
        arrays.feature_offsets.len(),
    )?;
    expect(
        "feature values",
        arrays.feature_tools.len(),
        arrays.feature_values.len(),
    )?;
    let mut channels = Vec::with_capacity(settings.channels);
    let (mut tools, mut values) = (arrays.feature_tools, arrays.feature_values);
    for offsets in arrays.feature_offsets.chunks_exact(offsets) {
        let count = offsets.last().map_or(0, |&last| last as usize);
        if count > tools.len() {
            return Err(KernelError::Length {
                what: "feature tools",
                expected: count,
                actual: tools.len(),
            });
        }
        channels.push(Channel {
            lists: Lists {
                offsets: offsets.to_vec(),
                tools: tools[..count].to_vec(),
            },
            values: values[..count].to_vec(),
        });
        (tools, values) = (&tools[count..], &values[count..]);
    }
    Ok(Problem {
        query_dimensions: settings.query_dimensions,
        tool_dimensions: settings.tool_dimensions,
        anchors: arrays.anchors.to_vec(),
        queries: arrays.queries.to_vec(),
        gold: Lists {
            offsets: arrays.gold_offsets.to_vec(),
            tools: arrays.gold_tools.to_vec(),
        },
        channels,
        query_weights: arrays.query_weights.to_vec(),
        training: arrays.training.to_vec(),
    })
}

/// Copies the weights to begin with.
pub(crate) fn weights(
    settings: &Settings,
    projection: &[f32],
    embeddings: &[f32],
    interactions: &[f32],
    small: &[f64],
) -> Result<Weights<f32>, KernelError> {
    let sizes = settings.options.max_size;
    expect("small weights", sizes + settings.channels, small.len())?;
    let (offsets, features) = small.split_at(sizes);
    Ok(Weights {
        projection: projection.to_vec(),
        embeddings: embeddings.to_vec(),
        interactions: interactions.to_vec(),
        offsets: offsets.to_vec(),
        features: features.to_vec(),
    })
}

/// Writes a report into as many numbers as there is room for.
pub(crate) fn report_into(report: &EpochReport, target: &mut [f64]) {
    let head: [f64; REPORT_HEAD] = [
        report.batches as f64,
        report.all_batches as f64,
        report.queries as f64,
        report.skipped as f64,
        report.steps as f64,
        report.rate_factor,
        report.loss,
        report.retrieval,
        report.self_training,
        report.anchor,
        report.regulariser,
        report.gold_first as f64,
        f64::from(u8::from(report.not_finite)),
    ];
    let sources = report.sources.iter().flat_map(|counts| {
        let counts = [
            counts.drawn,
            counts.missed,
            counts.supersets,
            counts.subsets,
            counts.identical,
        ];
        counts.map(|count| count as f64)
    });
    for (target, number) in target.iter_mut().zip(head.into_iter().chain(sources)) {
        *target = number;
    }
}

fn expect(what: &'static str, expected: usize, actual: usize) -> Result<(), KernelError> {
    if expected == actual {
        Ok(())
    } else {
        Err(KernelError::Length { what, expected, actual })
    }
}
