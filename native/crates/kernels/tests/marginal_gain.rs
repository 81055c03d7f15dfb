//! The ranking by marginal gain on every SIMD path that this machine has.

use setwise_kernels::Simd;
use setwise_kernels::hyperedge::{
    Alignment, Constraints, HyperedgeRequest, MarginalGainScratch, Rankings, rank_by_marginal_gain,
};

/// Who is ranked, with F after each step, for one query; the message where the request is refused.
fn rank(simd: Simd, request: &HyperedgeRequest, room: usize) -> Result<Vec<(u32, f64)>, String> {
    let (mut ids, mut offsets) = (vec![u32::MAX; room], [u32::MAX; 2]);
    let (mut gains, mut scores) = (vec![f64::NAN; room], vec![f64::NAN; room]);
    let mut rankings = Rankings {
        ids: &mut ids,
        gains: &mut gains,
        scores: &mut scores,
        offsets: &mut offsets,
    };
    let pool = request.logits.len();
    rank_by_marginal_gain(simd, request, pool, &mut MarginalGainScratch::default(), &mut rankings)
        .map_err(|error| error.to_string())?;
    Ok(ids.into_iter().zip(scores).take(offsets[1] as usize).collect())
}

/// Two candidates, the first excluded, M = 2: `c_2` is looked at, and nobody is left to be the second.
fn one_of_two(size_offsets: &[f64], alignment: Alignment) -> HyperedgeRequest<'_> {
    HyperedgeRequest {
        logits: &[1.0, 2.0],
        pair_scores: &[0.0; 4],
        max_size: 2,
        alignment,
        size_offsets,
        empty_score: None,
        constraints: Constraints {
            exclude: &[0],
            ..Constraints::default()
        },
    }
}

#[test]
fn the_step_after_the_last_is_refused_like_the_others_where_its_numbers_are_infinite() {
    for simd in Simd::supported() {
        for alignment in [Alignment::Sum, Alignment::Softmax] {
            let ranked = rank(simd, &one_of_two(&[0.5, 1.0], alignment), 2);
            assert_eq!(ranked, Ok(vec![(1, 2.5)]), "{simd:?}");
            let refused = rank(simd, &one_of_two(&[0.5, f64::NEG_INFINITY], alignment), 2).unwrap_err();
            assert!(
                refused.ends_with("a score that is NaN or infinite after 1 members."),
                "{simd:?}: {refused}"
            );
            // Room for one: c_2 is not looked at.
            let ranked = rank(simd, &one_of_two(&[0.5, f64::NEG_INFINITY], alignment), 1);
            assert_eq!(ranked, Ok(vec![(1, 2.5)]), "{simd:?}");
        }
    }
}

#[test]
fn nothing_is_ranked_where_everybody_is_excluded_but_the_first_step_is_looked_at() {
    let constraints = Constraints {
        exclude: &[0, 1],
        ..Constraints::default()
    };
    for simd in Simd::supported() {
        let ranked = [0.5, f64::NEG_INFINITY].map(|offset| {
            let size_offsets = [offset, 0.0];
            let request = HyperedgeRequest {
                constraints,
                ..one_of_two(&size_offsets, Alignment::Sum)
            };
            rank(simd, &request, 2).ok()
        });
        assert_eq!(ranked, [Some(vec![]), None], "{simd:?}");
    }
}
