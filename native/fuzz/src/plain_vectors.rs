//! Scores and orders of vectors as their definition reads.

/// The longest vector that is taken.
const LONGEST: f64 = (1_u64 << 62) as f64;

/// Four sums of every fourth product, in f64.
pub fn dot(left: &[f32], right: &[f32]) -> f64 {
    let mut sums = [0.0; 4];
    for (position, (&left, &right)) in left.iter().zip(right).enumerate() {
        sums[position % 4] += f64::from(left) * f64::from(right);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// What a score is.
pub fn score(left: &[f32], right: &[f32]) -> f32 {
    dot(left, right) as f32 + 0.0
}

/// A vector as an index keeps it, divided by its length for the cosine; nothing where it is refused.
pub fn taken(vector: &[f32], is_cosine: bool) -> Option<Vec<f32>> {
    if !vector.iter().all(|number| number.is_finite()) {
        return None;
    }
    let length = dot(vector, vector).sqrt();
    if is_cosine {
        let divisor = if length == 0.0 { 1.0 } else { length };
        return Some(
            vector
                .iter()
                .map(|&number| (f64::from(number) / divisor) as f32)
                .collect(),
        );
    }
    (length <= LONGEST).then(|| vector.to_vec())
}

/// The best `k` of rows and their scores, equal scores by lower row.
pub fn best(scored: impl Iterator<Item = (u32, f32)>, k: usize) -> Vec<(u32, f32)> {
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    scored.truncate(k);
    scored
}
