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
    let most = most.min(limits.max_tools.unwrap_or(usize::MAX)).min(pool);
    let mut required = limits.require.clone();
    required.sort_unstable();
    required.dedup();
    if required.len() > most {
        return Some(vec![]);
    }
    let mut room = limits.max_tokens.unwrap_or(u64::MAX);
    let mut members: Vec<u32> = Vec::new();
    let mut steps = Vec::new();
    let mut before = case.empty_score.unwrap_or(0.0);
    while members.len() < most {
        let scores: Vec<f64> = (0..pool).map(|x| question.score(&members, x)).collect();
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
    /// F of the members, in the order in which they were chosen, with x.
    fn score(&self, members: &[u32], x: usize) -> f64 {
        let (case, logits, pool) = (self.case, self.logits, self.logits.len());
        let size = (members.len() + 1).min(case.max_size);
        let pair = |a: u32, b: usize| match size {
            0 | 1 => 0.0,
            _ => self.pair_scores[(size - 2) * pool * pool + a as usize * pool + b],
        };
        let row = |members: &[u32], x: usize| members.iter().fold(0.0, |sum, &a| sum + pair(a, x));
        let pairs = (1..members.len()).fold(0.0, |sum, i| sum + row(&members[..i], members[i] as usize));
        let offset = case.size_offsets.get(size.max(1) - 1).copied().unwrap_or(0.0);
        let all = || members.iter().map(|&member| member as usize);
        let alignment = if case.alignment == Alignment::Sum || members.is_empty() {
            all().fold(0.0, |sum, a| sum + logits[a]) + logits[x]
        } else {
            self.softmax_alignment(|| all().chain([x]))
        };
        ((offset + pairs) + row(members, x)) + alignment
    }

    fn softmax_alignment<Members: Iterator<Item = usize>>(&self, members: impl Fn() -> Members) -> f64 {
        let usable = (0..self.logits.len()).filter(|&x| !self.case.limits.exclude.contains(&(x as u32)));
        let [s0, s1] = self.softmax_sums(members(), self.largest_logit(usable));
        if s0 >= 1e-290 {
            return s1 / s0;
        }
        let [s0, s1] = self.softmax_sums(members(), self.largest_logit(members()));
        s1 / s0
    }

    fn largest_logit(&self, members: impl Iterator<Item = usize>) -> f64 {
        members.map(|x| self.logits[x]).fold(f64::NEG_INFINITY, f64::max)
    }

    fn softmax_sums(&self, members: impl Iterator<Item = usize>, top: f64) -> [f64; 2] {
        members.fold([0.0; 2], |[s0, s1], x| {
            // What is excluded can be above the largest of the others; it is looked at, but not chosen.
            let weight = exp((self.logits[x] - top).min(0.0));
            [s0 + weight, s1 + self.logits[x] * weight]
        })
    }
}
