use super::{LANES, Pass, Terms};

/// Plain loops, which the compiler makes as wide as the function that they are inlined into.
pub(super) struct Plain;

#[allow(clippy::inline_always, reason = "see `rank`")]
impl Pass for Plain {
    #[inline(always)]
    fn sum(terms: &Terms, row: &mut [f64], scores: &mut [f64]) -> Option<f64> {
        add_rows(terms, row);
        let (base, logit_sum) = (terms.base, terms.sums.logits);
        score(row, terms.penalties, scores, |row, i| {
            (base + row) + (logit_sum + terms.logits[i])
        })
    }

    #[inline(always)]
    fn softmax(terms: &Terms, row: &mut [f64], scores: &mut [f64]) -> Option<f64> {
        add_rows(terms, row);
        let Terms {
            base,
            sums,
            logits,
            weights,
            ..
        } = *terms;
        score(row, terms.penalties, scores, |row, i| {
            (base + row) + (sums.s1 + logits[i] * weights[i]) / (sums.s0 + weights[i])
        })
    }

    #[inline(always)]
    fn first(top: f64, scores: &[f64]) -> Option<usize> {
        scores
            .iter()
            .position(|&score| score >= top && score > f64::NEG_INFINITY)
    }
}

/// Brings the row sums up to date.
#[inline(always)]
#[allow(clippy::inline_always, reason = "see `rank`")]
pub(super) fn add_rows(terms: &Terms, row: &mut [f64]) {
    if terms.fresh {
        row.fill(0.0);
    }
    for scores in terms.rows {
        for (sum, score) in row.iter_mut().zip(*scores) {
            *sum += score;
        }
    }
}

/// Writes the score of each candidate, given its row sum, less its penalty.
#[inline(always)]
#[allow(clippy::inline_always, reason = "see `rank`")]
pub(super) fn score(
    row: &[f64],
    penalties: &[f64],
    scores: &mut [f64],
    score: impl Fn(f64, usize) -> f64,
) -> Option<f64> {
    let mut tops = [f64::NEG_INFINITY; LANES];
    // A number times 0 is 0 unless it is NaN or infinite, and what is NaN stays so.
    let mut check = [0.0; LANES];
    let lots = scores
        .as_chunks_mut::<LANES>()
        .0
        .iter_mut()
        .zip(row.as_chunks::<LANES>().0);
    for (lot, ((scores, row), penalties)) in lots.zip(penalties.as_chunks::<LANES>().0).enumerate() {
        for i in 0..LANES {
            let score = score(row[i], lot * LANES + i);
            check[i] += score * 0.0;
            scores[i] = score + penalties[i];
            tops[i] = if scores[i] > tops[i] { scores[i] } else { tops[i] };
        }
    }
    let top = tops
        .into_iter()
        .fold(f64::NEG_INFINITY, |top, value| if value > top { value } else { top });
    check.iter().all(|&check| check == 0.0).then_some(top)
}
