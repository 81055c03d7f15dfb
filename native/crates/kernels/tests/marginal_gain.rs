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

/// Two candidates, the first excluded, M = 2: `G_2` is looked at, and nobody is left to be the second.
fn one_of_two<'a>(pair_scores: &'a [f64; 4], size_offsets: &'a [f64; 2], alignment: Alignment) -> HyperedgeRequest<'a> {
    HyperedgeRequest {
        logits: &[1.0, 2.0],
        pair_scores,
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
            let ranked = rank(simd, &one_of_two(&[0.0; 4], &[0.5, 1.0], alignment), 2);
            assert_eq!(ranked, Ok(vec![(1, 2.5)]), "{simd:?}");
            let infinite = [0.0, f64::INFINITY, f64::INFINITY, 0.0];
            let refused = rank(simd, &one_of_two(&infinite, &[0.5, 1.0], alignment), 2).unwrap_err();
            assert!(
                refused.ends_with("a score that is NaN or infinite after 1 members."),
                "{simd:?}: {refused}"
            );
            // Room for one, or two that are not allowed: G_2 is not looked at.
            let ranked = rank(simd, &one_of_two(&infinite, &[0.5, 1.0], alignment), 1);
            assert_eq!(ranked, Ok(vec![(1, 2.5)]), "{simd:?}");
            let ranked = rank(simd, &one_of_two(&infinite, &[0.5, f64::NEG_INFINITY], alignment), 2);
            assert_eq!(ranked, Ok(vec![(1, 2.5)]), "{simd:?}");
        }
    }
}

#[test]
fn nothing_is_ranked_where_everybody_is_excluded_or_sets_of_one_are_not_allowed() {
    let constraints = Constraints {
        exclude: &[0, 1],
        ..Constraints::default()
    };
    for simd in Simd::supported() {
        let excluding = HyperedgeRequest {
            constraints,
            ..one_of_two(&[0.0; 4], &[0.5, 0.0], Alignment::Sum)
        };
        assert_eq!(rank(simd, &excluding, 2), Ok(vec![]), "{simd:?}");
        let forbidding = one_of_two(&[0.0; 4], &[f64::NEG_INFINITY, 0.0], Alignment::Sum);
        assert_eq!(rank(simd, &forbidding, 2), Ok(vec![]), "{simd:?}");
    }
}
