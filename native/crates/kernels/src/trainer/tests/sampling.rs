use proptest::prelude::*;

use super::case::{best, lists, numbers, options};
use crate::trainer::random::{Purpose, Random};
use crate::trainer::sampling::{Row, Sampling, SourceCounts, best_tools};
use crate::trainer::{Problem, SOURCES, Stage, Trainer, Weights};

/// A library, gold sets and how many of each source.
fn cases() -> impl Strategy<Value = (usize, Vec<Vec<u32>>, [usize; SOURCES], usize, u32)> {
    (2_usize..40, 1_usize..5).prop_flat_map(|(tools, max_size)| {
        let set = prop::collection::btree_set(0..tools as u32, 1..=max_size.min(tools))
            .prop_map(|set| set.into_iter().collect::<Vec<_>>());
        (
            Just(tools),
            prop::collection::vec(set, 1..8),
            prop::array::uniform5(0_usize..7),
            Just(max_size),
            any::<u32>(),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn negatives_are_distinct_sets_of_distinct_tools_within_bounds_and_never_gold(
        (tools, gold, negatives, max_size, seed) in cases()
    ) {
        let mut options = options();
        options.seed = seed;
        options.max_size = max_size;
        options.candidates.negatives = negatives;
        let count = gold.len();
        let problem = Problem {
            query_dimensions: 2,
            tool_dimensions: 2,
            anchors: numbers(tools * 2, u64::from(seed)),
            // Every other query is the same.
            queries: (0..count * 2).map(|i| if i / 2 % 2 == 0 { 0.5 } else { i as f64 }).collect(),
            gold: lists(&gold),
            channels: Vec::new(),
            query_weights: Vec::new(),
            training: (0..count as u32).collect(),
        };
        let weights = Weights {
            projection: vec![1.0, 0.0, 0.0, 1.0],
            embeddings: problem.anchors.clone(),
            interactions: vec![0.0; options.matrices() * 4],
            offsets: vec![0.0; max_size],
            features: Vec::new(),
        };
        let mut trainer = Trainer::<f64>::new(problem, weights, options, 2, best()).unwrap();
        trainer.advance(Stage::Sets, 0).unwrap();
        trainer.choose_uniform_pool();
        let batch: Vec<u32> = (0..count as u32).collect();
        trainer.logits_of_batch(&batch);
        let mut counts = [SourceCounts::default(); SOURCES];
        let candidates = trainer.draw_candidates(&batch, 0, &mut counts);
        let mut found = [SourceCounts::default(); SOURCES];
        for (position, gold_set) in gold.iter().enumerate() {
            let first = position * candidates.places;
            let sets: Vec<&[u32]> = (first..first + candidates.places).map(|place| candidates.set(place)).collect();
            prop_assert_eq!(sets[0], &gold_set[..]);
            let mut place = 1;
            for (source, found) in found.iter_mut().enumerate() {
                for _ in 0..negatives[source] {
                    let set = sets[place];
                    if set.is_empty() {
                        found.missed += 1;
                        place += 1;
                        continue;
                    }
                    prop_assert!(set.windows(2).all(|pair| pair[0] < pair[1]), "tools are distinct and ascend");
                    prop_assert!((*set.last().unwrap() as usize) < tools && set.len() <= max_size);
                    prop_assert!(!sets[..place].contains(&set), "no set is drawn twice, and none is gold");
                    match source {
                        0 | 2 | 3 => prop_assert_eq!(set.len(), gold_set.len()),
                        1 => prop_assert!(gold.iter().any(|other| other == set)),
                        _ => prop_assert_eq!(set.len().abs_diff(gold_set.len()), 1),
                    }
                    let shared = set.iter().filter(|tool| gold_set.contains(tool)).count();
                    if matches!(source, 2 | 3) {
                        prop_assert!((1..=2).contains(&(set.len() - shared)));
                    }
                    found.drawn += 1;
                    found.supersets += u64::from(shared == gold_set.len());
                    found.subsets += u64::from(shared == set.len());
                    let same = |other: usize| position.is_multiple_of(2) && other.is_multiple_of(2) && gold[other] == set;
                    found.identical += u64::from((0..count).any(same));
                    place += 1;
                }
            }
        }
        prop_assert_eq!(counts, found);
    }

    #[test]
    fn the_best_tools_are_the_first_of_all_sorted(scores in prop::collection::vec(0_i32..6, 0..30), count in 0_usize..8, left_out in 0_u32..30) {
        let scores: Vec<f32> = scores.into_iter().map(|score| score as f32).collect();
        let mut best = Vec::new();
        best_tools(&scores, &[left_out], count, &mut best);
        let mut sorted: Vec<u32> = (0..scores.len() as u32).filter(|&tool| tool != left_out).collect();
        sorted.sort_by(|&one, &other| scores[other as usize].total_cmp(&scores[one as usize]));
        sorted.truncate(count);
        prop_assert_eq!(best, sorted);
    }
}

#[test]
fn every_source_draws_what_it_says() {
    // Six tools; gold {1, 2}. Uniform from {3, 4}; the other query has {0, 5}; 4 and 5 are near 1, 0 and 3 near 2; the model likes 0.
    let gold = lists(&[vec![1, 2], vec![0, 5]]);
    let near_place = [0, 0, 1, 0, 0, 0];
    let identical = crate::trainer::problem::IdenticalQueries::of(&Problem::<f32> {
        query_dimensions: 1,
        tool_dimensions: 1,
        anchors: vec![1.0; 6],
        queries: vec![1.0, 1.0],
        gold: gold.clone(),
        channels: Vec::new(),
        query_weights: Vec::new(),
        training: vec![0, 1],
    });
    let draw = |source: usize| {
        let mut negatives = [0; SOURCES];
        negatives[source] = 12;
        let sampling = Sampling {
            gold: &gold,
            batch: &[0, 1],
            negatives,
            max_size: 3,
            uniform: &[3, 4],
            near: &[4, 5, 0, 3],
            near_width: 2,
            near_place: &near_place,
            identical: &identical,
        };
        let (mut sizes, mut members, mut counts) = ([0; 13], [0; 39], [SourceCounts::default(); SOURCES]);
        let mut row = Row {
            sizes: &mut sizes,
            members: &mut members,
            counts: &mut counts,
        };
        sampling.fill(0, &[0], &mut Random::new(1, 2, 0, Purpose::Sets, 0), &mut row);
        let mut sets: Vec<Vec<u32>> = (1..13)
            .filter(|&place| sizes[place] > 0)
            .map(|place| members[place * 3..][..sizes[place] as usize].to_vec())
            .collect();
        sets.sort();
        (sets, counts[source])
    };
    assert_eq!(draw(0).0, [[3, 4]]);
    let (in_batch, counts) = draw(1);
    assert_eq!(in_batch, [[0, 5]]);
    assert_eq!((counts.drawn, counts.missed, counts.identical), (1, 11, 1));
    assert_eq!(
        draw(2).0,
        [[0, 1], [0, 4], [0, 5], [1, 3], [2, 4], [2, 5], [3, 4], [3, 5]]
    );
    assert_eq!(draw(3).0, [[0, 1], [0, 2]]);
    let (size, counts) = draw(4);
    assert_eq!(size, [vec![0, 1, 2], vec![1], vec![2]]);
    assert_eq!((counts.supersets, counts.subsets), (1, 2));
}
