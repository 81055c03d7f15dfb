//! Random problems over sets.

use proptest::prelude::*;
use setwise_kernels::hyperedge::{Alignment, Constraints, HyperedgeRequest};

#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) logits: Vec<f64>,
    pub(crate) pair_scores: Vec<f64>,
    pub(crate) max_size: usize,
    pub(crate) alignment: Alignment,
    pub(crate) size_offsets: Vec<f64>,
    pub(crate) empty_score: Option<f64>,
    pub(crate) require: Vec<u32>,
    pub(crate) exclude: Vec<u32>,
    pub(crate) group: Vec<u32>,
    pub(crate) tokens: Vec<u32>,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) max_tools: Option<usize>,
    pub(crate) count: usize,
}

impl Case {
    pub(crate) fn request<'a>(&'a self, group_ends: &'a [u32]) -> HyperedgeRequest<'a> {
        HyperedgeRequest {
            logits: &self.logits,
            pair_scores: &self.pair_scores,
            max_size: self.max_size,
            alignment: self.alignment,
            size_offsets: &self.size_offsets,
            empty_score: self.empty_score,
            constraints: Constraints {
                require: &self.require,
                exclude: &self.exclude,
                group_ends,
                group_members: &self.group,
                tokens: &self.tokens,
                max_tokens: self.max_tokens,
                max_tools: self.max_tools,
            },
        }
    }
}

/// Families of numbers: spread, small integers (ties), all equal, nearly equal, ascending, far apart, huge, with zeros of both signs.
fn numbers(count: usize) -> BoxedStrategy<Vec<f64>> {
    let vector = move |number: BoxedStrategy<f64>| prop::collection::vec(number, count).boxed();
    prop_oneof![
        4 => vector((-3.0..3.0).boxed()),
        2 => vector((-2..3).prop_map(f64::from).boxed()),
        1 => (-1.0..1.0).prop_flat_map(move |same| vector(Just(same).boxed())).boxed(),
        1 => vector((0_u32..4).prop_map(|ulps| 1.0 + f64::from(ulps) * f64::EPSILON).boxed()),
        1 => Just((0..count).map(|i| i as f64 * 0.1).collect()).boxed(),
        1 => vector(prop::sample::select(vec![0.0, 1.0, -350.0, -690.0, -750.0, -800.0, 800.0]).boxed()),
        1 => vector((-1e90..1e90).boxed()),
        1 => vector(prop::sample::select(vec![0.0, -0.0, -1e-300, 1e-300]).boxed()),
    ]
    .boxed()
}

/// Pools around the sizes at which rows are written out, and one to eight members while there are not too many sets.
fn shape() -> impl Strategy<Value = (usize, usize)> {
    prop_oneof![
        6 => (0_usize..12, 1_usize..7),
        2 => (0_usize..10, 7_usize..9),
        2 => (12_usize..24, 1_usize..4),
        1 => (18_usize..22, Just(4_usize)),
    ]
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    shape().prop_flat_map(|(pool, max_size)| {
        let positions = move |most: usize| {
            let range = 0..pool.max(1) as u32;
            prop::collection::vec(range, 0..=if pool == 0 { 0 } else { most }).boxed()
        };
        let offset = prop_oneof![6 => -2.0..2.0, 1 => Just(f64::NEG_INFINITY), 1 => Just(-0.0)];
        let numbers = (
            numbers(pool),
            numbers((max_size - 1) * pool * pool),
            prop_oneof![Just(vec![]), prop::collection::vec(offset, max_size)],
            prop::option::of(-3.0..3.0),
            prop::option::weighted(0.3, prop::collection::vec(any::<prop::sample::Index>(), pool)),
        );
        let constraints = (
            prop_oneof![3 => Just(vec![]), 1 => positions(3)],
            prop_oneof![3 => Just(vec![]), 1 => positions(3)],
            prop_oneof![2 => Just(vec![]), 1 => positions(5)],
            prop::collection::vec(0_u32..20, pool),
            prop::option::weighted(0.3, 0_u64..60),
            prop::option::weighted(0.2, 0_usize..7),
        );
        let rest = (any::<bool>(), prop_oneof![0_usize..15, 15_usize..200]);
        (numbers, constraints, rest).prop_map(move |(numbers, constraints, (softmax, count))| {
            let (mut logits, mut pair_scores, size_offsets, empty_score, twins) = numbers;
            let (require, exclude, group, tokens, max_tokens, max_tools) = constraints;
            if let Some(twins) = twins {
                copy_twins(&mut logits, &mut pair_scores, &twins);
            }
            Case {
                logits,
                pair_scores,
                max_size,
                alignment: if softmax { Alignment::Softmax } else { Alignment::Sum },
                size_offsets,
                empty_score,
                require,
                exclude,
                group,
                tokens,
                max_tokens,
                max_tools,
                count,
            }
        })
    })
}

/// Makes every candidate equal to the one that it points at.
fn copy_twins(logits: &mut [f64], pair_scores: &mut [f64], twins: &[prop::sample::Index]) {
    let pool = logits.len();
    let twin = |index: usize| twins[index].index(pool);
    let originals = logits.to_vec();
    for (index, logit) in logits.iter_mut().enumerate() {
        *logit = originals[twin(index)];
    }
    if pool == 0 {
        return;
    }
    for pairs in pair_scores.chunks_exact_mut(pool * pool) {
        let originals = pairs.to_vec();
        for a in 0..pool {
            for b in 0..pool {
                let (low, high) = (twin(a).min(twin(b)), twin(a).max(twin(b)));
                pairs[a * pool + b] = originals[low * pool + high];
            }
        }
    }
}
