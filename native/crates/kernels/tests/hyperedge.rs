//! The score of a set and plain enumeration, by hand.

use setwise_kernels::hyperedge::{Alignment, BestSets, Constraints, HyperedgeRequest, Problem, enumerate_plainly};

fn request<'a>(logits: &'a [f64], pair_scores: &'a [f64], max_size: usize) -> HyperedgeRequest<'a> {
    HyperedgeRequest {
        logits,
        pair_scores,
        max_size,
        alignment: Alignment::Sum,
        size_offsets: &[],
        empty_score: None,
        constraints: Constraints::default(),
    }
}

fn best(request: &HyperedgeRequest, count: usize) -> Vec<(Vec<u32>, f64)> {
    let (mut problem, mut best) = (Problem::default(), BestSets::default());
    problem.fill(request).unwrap();
    best.restart(count);
    enumerate_plainly(&problem, &mut best);
    let positions = |members: &[u16]| members.iter().map(|&member| problem.position(member)).collect();
    best.sorted()
        .iter()
        .map(|set| (positions(set.members()), set.score))
        .collect()
}

#[test]
fn sets_are_ordered_by_score_then_size_then_members() {
    // Logits 1, 0, 1 and one pair score of 1 between 0 and 1: {0, 1, …} have no third matrix (M = 2).
    let pairs = [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let request = request(&[1.0, 0.0, 1.0], &pairs, 2);
    let expected = [
        (vec![0, 1], 2.0),
        (vec![0, 2], 2.0),
        (vec![0], 1.0),
        (vec![2], 1.0),
        (vec![1, 2], 1.0),
        (vec![1], 0.0),
    ];
    assert_eq!(best(&request, 9), expected);
}

#[test]
fn the_softmax_alignment_of_far_away_logits_is_that_of_the_set_alone() {
    // l = −800 for two tools beside one of 0: their own softmax is ½ each, the mean −800.
    let request = HyperedgeRequest {
        alignment: Alignment::Softmax,
        ..request(&[-800.0, 0.0, -800.0], &[0.0; 9], 2)
    };
    let found = best(&request, 9);
    assert!(found.contains(&(vec![0, 2], -800.0)));
    assert!(found.contains(&(vec![0, 1], 0.0)));
}

#[test]
fn constraints_leave_only_what_keeps_to_them() {
    let base = request(&[3.0, 2.0, 1.0, 4.0], &[0.0; 32], 3);
    let with = |constraints| HyperedgeRequest { constraints, ..base };
    let none = Constraints::default();
    assert_eq!(best(&with(none), 1), [(vec![0, 1, 3], 9.0)]);
    assert_eq!(
        best(&with(Constraints { exclude: &[0], ..none }), 1),
        [(vec![1, 2, 3], 7.0)]
    );
    assert_eq!(
        best(
            &with(Constraints {
                require: &[2],
                max_tools: Some(2),
                ..none
            }),
            1
        ),
        [(vec![2, 3], 5.0)]
    );
    let groups = Constraints {
        group_ends: &[2, 4],
        group_members: &[0, 3, 1, 3],
        ..none
    };
    assert_eq!(best(&with(groups), 1), [(vec![0, 1, 2], 6.0)]);
    let budget = Constraints {
        tokens: &[1, 1, 1, 9],
        max_tokens: Some(2),
        ..none
    };
    assert_eq!(best(&with(budget), 1), [(vec![0, 1], 5.0)]);
    assert_eq!(
        best(
            &with(Constraints {
                require: &[1],
                exclude: &[1],
                ..none
            }),
            1
        ),
        []
    );
}
