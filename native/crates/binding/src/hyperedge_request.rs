use setwise_kernels::KernelError;
use setwise_kernels::hyperedge::{Alignment, Constraints, HyperedgeRequest};

/// Counts of required and excluded positions, groups, their members and tokens stand before the numbers themselves.
const COUNTS: usize = 5;

/// Borrows a request from the flat arrays it crosses the boundary in: `numbers` is c₀ (NaN for none), the token budget (infinite for
/// none) and then the offsets of the sizes or nothing; `constraints` is empty, or five counts and as many numbers.
pub(crate) fn request<'a>(
    logits: &'a [f64],
    pair_scores: &'a [f64],
    sizes: [u32; 2],
    softmax: bool,
    numbers: &'a [f64],
    constraints: &'a [u32],
) -> Result<HyperedgeRequest<'a>, KernelError> {
    let [empty_score, max_tokens, size_offsets @ ..] = numbers else {
        return Err(KernelError::Length {
            what: "numbers",
            expected: 2,
            actual: numbers.len(),
        });
    };
    let [max_size, max_tools] = sizes.map(|size| size as usize);
    let mut constraints = unpack(constraints)?;
    constraints.max_tools = Some(max_tools);
    #[allow(clippy::cast_sign_loss, reason = "less than nothing is nothing")]
    let budget = *max_tokens as u64;
    constraints.max_tokens = max_tokens.is_finite().then_some(budget);
    Ok(HyperedgeRequest {
        logits,
        pair_scores,
        max_size,
        alignment: if softmax { Alignment::Softmax } else { Alignment::Sum },
        size_offsets,
        empty_score: (!empty_score.is_nan()).then_some(*empty_score),
        constraints,
    })
}

pub(crate) fn unpack(packed: &[u32]) -> Result<Constraints<'_>, KernelError> {
    if packed.is_empty() {
        return Ok(Constraints::default());
    }
    let wrong = || KernelError::Length {
        what: "constraints",
        expected: COUNTS,
        actual: packed.len(),
    };
    let (counts, mut rest) = packed.split_first_chunk::<COUNTS>().ok_or_else(wrong)?;
    let mut parts = [[].as_slice(); COUNTS];
    for (part, &count) in parts.iter_mut().zip(counts) {
        (*part, rest) = rest.split_at_checked(count as usize).ok_or_else(wrong)?;
    }
    let [require, exclude, group_ends, group_members, tokens] = parts;
    Ok(Constraints {
        require,
        exclude,
        group_ends,
        group_members,
        tokens,
        ..Constraints::default()
    })
}
