//! The ranking by marginal gain as its definition reads, for one query.

use setwise_kernels::exp;
use setwise_kernels::hyperedge::Alignment;

use crate::set_case::SetCase;

/// A step of a ranking: who was chosen, the bits of the gain and of F.
pub type Step = (u32, u64, u64);

/// What a kernel is asked, for one query.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// M, offsets, alignment and constraints.
    pub case: &'a SetCase,
    /// l.
    pub logits: &'a [f64],
    /// `G_2` … `G_M`, symmetric.
    pub pair_scores: &'a [f64],
}

/// Up to `most` steps; nothing where an F that is looked at is NaN or infinite.
pub fn rank_plainly(question: Question, most: usize) -> Option<Vec<Step>> {
    let (case, pool) = (question.case, question.logits.len());
    let limits = &case.limits;
    let mut offsets = case.size_offsets.iter();
    // No size that is forbidden is passed.
    let allowed = offsets.position(|&offset| offset == f64::NEG_INFINITY);
    let most = most.min(limits.max_tools.unwrap_or(usize::MAX)).min(pool);
    let most = most.min(allowed.unwrap_or(usize::MAX));
    let mut required = limits.require.clone();
    required.sort_unstable();
    required.dedup();
    if required.len() > most {
        return Some(vec![]);
    }
    let weights = question.weights();
    let mut room = limits.max_tokens.unwrap_or(u64::MAX);
    let mut members: Vec<u32> = Vec::new();
    let mut steps = Vec::new();
    let mut before = case.empty_score.unwrap_or(0.0);
    while members.len() < most {
        let scores = question.scores(&weights, &members);
        if scores.iter().any(|score| !score.is_finite()) {
            return None;
        }
        let cost = |x: u32| limits.tokens.get(x as usize).map_or(0, |&tokens| u64::from(tokens));
        let shares_group = |x: u32| {
            limits
                .groups()
                .any(|group| group.contains(&x) && members.iter().any(|member| group.contains(member)))
        };
        let open = |&x: &u32| !limits.exclude.contains(&x) && !members.contains(&x) && !shares_group(x);
        let is_left = |x: &u32| required.contains(x) && !members.contains(x);
        let any_left = required.iter().any(is_left);
        let best = (0..pool as u32)
            .filter(|x| open(x) && if any_left { is_left(x) } else { cost(*x) <= room })
            .fold(None, |best: Option<u32>, x| match best {
                Some(best) if scores[best as usize] >= scores[x as usize] => Some(best),
                _ => Some(x),
            });
        let Some(chosen) = best.filter(|&x| cost(x) <= room) else {
            return Some(if any_left { vec![] } else { steps });
        };
        room -= cost(chosen);
        members.push(chosen);
        let score = scores[chosen as usize];
        steps.push((chosen, (score - before).to_bits(), score.to_bits()));
        before = score;
    }
    Some(steps)
}

impl Question<'_> {
    /// e^(l − L), where L is the largest logit that is not excluded; what is excluded can be above it, and is not chosen.
    fn weights(&self) -> Vec<f64> {
        let excluded = &self.case.limits.exclude;
        let usable = (0..).zip(self.logits).filter(|(x, _)| !excluded.contains(x));
        let top = usable.map(|(_, &logit)| logit).fold(f64::NEG_INFINITY, f64::max);
        self.logits.iter().map(|&logit| exp((logit - top).min(0.0))).collect()
    }

    /// F of the members, in the order in which they were chosen, with each candidate.
    fn scores(&self, weights: &[f64], members: &[u32]) -> Vec<f64> {
        let (case, pool) = (self.case, self.logits.len());
        let size = (members.len() + 1).min(case.max_size);
        let pair = |a: u32, x: usize| match size {
            0 | 1 => 0.0,
            _ => self.pair_scores[(size - 2) * pool * pool + a as usize * pool + x],
        };
        let row = |members: &[u32], x: usize| members.iter().fold(0.0, |sum, &a| sum + pair(a, x));
        let pairs = (1..members.len()).fold(0.0, |sum, i| sum + row(&members[..i], members[i] as usize));
        let offset = case.size_offsets.get(size.max(1) - 1).copied().unwrap_or(0.0);
        let alignment = |x: usize| {
            let all = || members.iter().map(|&member| member as usize).chain([x]);
            if case.alignment == Alignment::Sum || members.is_empty() {
                all().fold(0.0, |sum, a| sum + self.logits[a])
            } else {
                self.softmax_alignment(weights, all)
            }
        };
        (0..pool)
            .map(|x| ((offset + pairs) + row(members, x)) + alignment(x))
            .collect()
    }

    fn softmax_alignment<Members: Iterator<Item = usize>>(&self, weights: &[f64], all: impl Fn() -> Members) -> f64 {
        let sums = |weight: &dyn Fn(usize) -> f64| {
            all().fold([0.0; 2], |[s0, s1], x| {
                [s0 + weight(x), s1 + self.logits[x] * weight(x)]
            })
        };
        let [s0, s1] = sums(&|x| weights[x]);
        if s0 >= 1e-290 {
            return s1 / s0;
        }
        let top = all().map(|x| self.logits[x]).fold(f64::NEG_INFINITY, f64::max);
        let [s0, s1] = sums(&|x| exp(self.logits[x] - top));
        s1 / s0
    }
}
