//! Distributions over sets without pair terms, exact by elementary symmetric polynomials.
//!
//! ```text
//! P(E) ∝ exp(Σ_{t∈E} l_t + c_|E|), |E| ≤ M, for many queries in one call.
//! Let l_(1) ≥ l_(2) ≥ … be the logits in order (ties by position) and T_m the sum of the first m. Everything of size m is
//! carried as a share of exp(T_m), its largest term, so that nothing overflows or vanishes however far the logits lie apart:
//!   a_m(i) = a_m(i−1) + exp(l_(i) − l_(m)) · a_{m−1}(i−1)         e_m of the first i, as a share of exp(T_m)
//!   b_mk(i−1) = b_mk(i) + exp(l_(i) − l_(m−k+1)) · b_m,k−1(i)     e_k behind the first i, as a share of exp(T_m − T_{m−k})
//!   P(t ∈ E, |E| = m) = P(|E| = m) / a_m(n) · Σ_j a_j(i−1) · exp(l_(i) − l_(j+1)) · b_m,m−1−j(i),  t the i-th
//! ```
//!
//! No difference is taken, so nothing cancels. The TypeScript kernel does the same in the same order.

use std::cmp::Ordering;

use crate::elementary::{exp, ln};
use crate::error::{KernelError, check_length};

/// The distributions of all queries, one behind the other.
pub struct SetDistributions<'a> {
    /// P(|E| = m), queries × (M + 1).
    pub sizes: &'a mut [f64],
    /// P(t ∈ E), queries × pool.
    pub inclusion: &'a mut [f64],
    /// P(t ∈ E, |E| = m), queries × pool × (M + 1).
    pub inclusion_by_size: &'a mut [f64],
    /// log Z, one a query.
    pub log_z: &'a mut [f64],
}

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct SetDistributionScratch {
    order: Vec<usize>,
    /// `exp(l_(i) − l_(q))` at i · M + q, both from 0; 0 for i < q.
    steps: Vec<f64>,
    /// `a_m(i)` at i · (M + 1) + m.
    before: Vec<f64>,
    /// `b_mk(i)` for one m, at i · (M + 1) + k.
    behind: Vec<f64>,
}

/// Fills the distributions of the queries: `pool` logits and `width` = M + 1 offsets each; −∞ rules a size out.
///
/// # Errors
///
/// Slices of wrong length, and logits that are not finite.
pub fn set_distributions(
    logits: &[f64],
    size_offsets: &[f64],
    [pool, width]: [usize; 2],
    scratch: &mut SetDistributionScratch,
    out: &mut SetDistributions<'_>,
) -> Result<(), KernelError> {
    let queries = out.log_z.len();
    check_length("logits", queries * pool, logits.len())?;
    check_length("sizeOffsets", queries * width, size_offsets.len())?;
    check_length("sizes", queries * width, out.sizes.len())?;
    check_length("inclusion", queries * pool, out.inclusion.len())?;
    check_length("inclusionBySize", queries * pool * width, out.inclusion_by_size.len())?;
    if let Some(position) = logits.iter().position(|logit| !logit.is_finite()) {
        let what = "logits";
        return Err(KernelError::NotFinite { what, position });
    }
    for query in 0..queries {
        let tools = query * pool..(query + 1) * pool;
        let sizes = query * width..(query + 1) * width;
        out.log_z[query] = distribution(
            &logits[tools.clone()],
            &size_offsets[sizes.clone()],
            scratch,
            &mut out.sizes[sizes],
            &mut out.inclusion[tools.clone()],
            &mut out.inclusion_by_size[tools.start * width..tools.end * width],
        );
    }
    Ok(())
}

fn distribution(
    logits: &[f64],
    offsets: &[f64],
    scratch: &mut SetDistributionScratch,
    sizes: &mut [f64],
    inclusion: &mut [f64],
    inclusion_by_size: &mut [f64],
) -> f64 {
    let (count, width) = (logits.len(), offsets.len());
    scratch.prepare(logits, width);
    let all = &scratch.before[count * width..];
    let mut sum = 0.0;
    let mut highest = f64::NEG_INFINITY;
    for m in 0..width {
        if m > 0 && m <= count {
            sum += logits[scratch.order[m - 1]];
        }
        let term = ln(all[m]) + (sum + offsets[m]);
        sizes[m] = term;
        if term > highest {
            highest = term;
        }
    }
    inclusion.fill(0.0);
    inclusion_by_size.fill(0.0);
    if highest == f64::NEG_INFINITY {
        sizes.fill(0.0);
        sizes[0] = 1.0;
        return highest;
    }
    let mut total = 0.0;
    for term in &*sizes {
        total += exp(term - highest);
    }
    let log_z = highest + ln(total);
    for size in &mut *sizes {
        *size = exp(*size - log_z);
    }
    for (m, &size) in sizes.iter().enumerate().take(count + 1).skip(1) {
        if size > 0.0 {
            scratch.fill_behind(m, count, width);
            scratch.add_inclusion(m, size, [count, width], inclusion, inclusion_by_size);
        }
    }
    log_z
}

impl SetDistributionScratch {
    /// The order of the logits, the steps between them, and a.
    fn prepare(&mut self, logits: &[f64], width: usize) {
        let (count, most) = (logits.len(), width - 1);
        self.order.clear();
        self.order.extend(0..count);
        self.order
            .sort_by(|&left, &right| logits[right].partial_cmp(&logits[left]).unwrap_or(Ordering::Equal));
        self.steps.clear();
        self.steps.resize(count * most, 0.0);
        for i in 0..count {
            for q in 0..most.min(i + 1) {
                self.steps[i * most + q] = exp(logits[self.order[i]] - logits[self.order[q]]);
            }
        }
        self.before.clear();
        self.before.resize((count + 1) * width, 0.0);
        self.before[0] = 1.0;
        for i in 0..count {
            let (rows, next) = self.before.split_at_mut((i + 1) * width);
            let row = &rows[i * width..];
            next[0] = row[0];
            for m in 1..width {
                next[m] = row[m] + self.steps[i * most + m - 1] * row[m - 1];
            }
        }
    }

    /// `b_mk` for one m.
    fn fill_behind(&mut self, m: usize, count: usize, width: usize) {
        let most = width - 1;
        self.behind.clear();
        self.behind.resize((count + 1) * width, 0.0);
        self.behind[count * width] = 1.0;
        for i in (0..count).rev() {
            let (rows, next) = self.behind.split_at_mut((i + 1) * width);
            let row = &mut rows[i * width..];
            row[0] = next[0];
            for k in 1..=m {
                row[k] = next[k] + self.steps[i * most + m - k] * next[k - 1];
            }
        }
    }

    fn add_inclusion(
        &self,
        m: usize,
        size: f64,
        [count, width]: [usize; 2],
        inclusion: &mut [f64],
        inclusion_by_size: &mut [f64],
    ) {
        let most = width - 1;
        let scale = size / self.before[count * width + m];
        for (i, &tool) in self.order.iter().enumerate() {
            let mut sum = 0.0;
            for j in 0..m {
                let taken = self.before[i * width + j] * self.steps[i * most + j];
                sum += taken * self.behind[(i + 1) * width + m - 1 - j];
            }
            let joint = scale * sum;
            inclusion_by_size[tool * width + m] = joint;
            inclusion[tool] += joint;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SetDistributionScratch, SetDistributions, set_distributions};

    #[test]
    fn two_equal_tools_have_equal_shares() {
        // w = (1, 1), c = 0: Z = 1 + 2 + 1; each tool is in 2 of 4 sets. The second query forbids all but pairs.
        let [mut sizes, mut inclusion] = [vec![0.0; 6], vec![0.0; 4]];
        let [mut by_size, mut log_z] = [vec![0.0; 12], vec![0.0; 2]];
        let mut out = SetDistributions {
            sizes: &mut sizes,
            inclusion: &mut inclusion,
            inclusion_by_size: &mut by_size,
            log_z: &mut log_z,
        };
        let none = f64::NEG_INFINITY;
        let offsets = [0.0, 0.0, 0.0, none, none, 0.0];
        let logits = [0.0, 0.0, 900.0, -900.0];
        set_distributions(
            &logits,
            &offsets,
            [2, 3],
            &mut SetDistributionScratch::default(),
            &mut out,
        )
        .unwrap();
        assert_eq!(sizes, [0.25, 0.5, 0.25, 0.0, 0.0, 1.0]);
        assert_eq!(inclusion, [0.5, 0.5, 1.0, 1.0]);
        assert!((log_z[0] - 4.0_f64.ln()).abs() < 1e-15 && log_z[1] == 0.0);
    }
}
