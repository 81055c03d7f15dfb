//! Exact search by branch and bound, for pools that are too large to enumerate.
//!
//! Sets of one size m are grown member by member. For a set A that still needs j members, a completion by S scores
//! `F = base(A) + Σ_{x∈S} (Σ_{a∈A} G[a, x] + ½ Σ_{y∈S∖x} G[x, y]) + alignment(A ∪ S)`. The second sum is at most half of the j − 1
//! largest numbers in row x of G. The alignment is a sum over S, or with `μ = S1 / S0` of A, for softmax,
//! `μ + Σ_{x∈S} w_x (l_x − μ) / (S0 + Σ_S w)`, where each term is at most `w_x (l_x − μ) / (S0 + w_x)` when it is positive, and else at
//! most the same with `(j − 1) · max w` more in the denominator. So every candidate has a bound u of what it can add, and a set
//! is at most base + the j largest u. Candidates are tried by descending u, each followed only by those behind it, until that
//! sum falls below the worst of the best sets so far.
//!
//! Bounds are rounded; what they cut off is below the threshold by more than the rounding (see [`Search::margin`]). Sets that are
//! left are scored by the definition, so that the answer is that of enumeration, whatever the order of the search.

use super::best_sets::{BestSets, RankedSet};
use super::problem::{Alignment, LARGEST_SET, Problem};

/// Where a search may keep its numbers from one call to the next.
#[derive(Debug, Default)]
pub struct BranchAndBoundScratch {
    /// For each level and candidate: what the members chosen so far add to it by pairs.
    row_sums: Vec<f64>,
    /// For each level: candidates and their bounds, best first.
    lists: Vec<Vec<(f64, u16)>>,
    /// For each size, candidate and j < size: half the sum of the j largest numbers in its row.
    half_tops: Vec<f64>,
    seeds: BestSets,
}

impl BranchAndBoundScratch {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let listed: usize = self.lists.iter().map(Vec::capacity).sum();
        (self.row_sums.capacity() + self.half_tops.capacity()) * size_of::<f64>()
            + listed * size_of::<(f64, u16)>()
            + self.seeds.bytes()
    }
}

/// Sums of exponentials below this are not trusted.
const SMALLEST_SUM: f64 = 1e-280;
/// Passes of swapping one member, from the greedy sets.
const SWAP_PASSES: usize = 2;
/// More answers than this are not worth seeding: each seed is compared with those held.
const MOST_SEEDED: usize = 64;
/// Steps in which a list is begun, whatever its length.
const STEPS_OF_LIST: u64 = 10;
/// Steps in which a set is scored by the definition. Few are, but where all scores are equal.
const STEPS_OF_SET: u64 = 5;

/// Offers sets to `best` so that it ends with the best of all; `best` has been restarted. Gives up, with `best` half filled, when it has
/// taken `most_steps`, and says so by `false`. A step is the time in which a candidate of a list is looked at.
pub fn search_by_bounds(
    problem: &Problem,
    best: &mut BestSets,
    scratch: &mut BranchAndBoundScratch,
    most_steps: u64,
) -> bool {
    if best.count() == 0 {
        return true;
    }
    let count = problem.candidates();
    scratch.row_sums.resize((problem.largest() + 1) * count, 0.0);
    scratch.lists.resize_with(problem.largest() + 1, Vec::new);
    fill_half_tops(problem, &mut scratch.half_tops);
    let seeded = seed(problem, best.count(), &mut scratch.seeds);
    if let Some(score) = problem.empty_score {
        best.offer(score, &[]);
    }
    let mut search = Search {
        problem,
        best,
        scratch,
        seeded,
        margin: margin(problem),
        largest_weight: 1.0,
        steps_left: most_steps,
        size: 0,
        members: [0; LARGEST_SET],
    };
    (1..=problem.largest()).all(|size| search.sets_of(size))
}

struct Search<'a> {
    problem: &'a Problem,
    best: &'a mut BestSets,
    scratch: &'a mut BranchAndBoundScratch,
    /// As many sets as are wanted score this or more.
    seeded: f64,
    margin: f64,
    /// Of all candidates that may still be chosen.
    largest_weight: f64,
    steps_left: u64,
    size: usize,
    /// In the order in which they were chosen.
    members: [u16; LARGEST_SET],
}

/// What is known of the members chosen so far.
#[derive(Clone, Copy)]
struct Chosen {
    count: usize,
    /// Offset, pairs and, for sums, logits.
    base: f64,
    s0: f64,
    s1: f64,
    /// The largest logit.
    top: f64,
    tokens: u64,
}

impl Search<'_> {
    fn threshold(&self) -> f64 {
        self.best.threshold().max(self.seeded) - self.margin
    }

    /// Whether all sets of this size were looked at or cut off.
    fn sets_of(&mut self, size: usize) -> bool {
        let problem = self.problem;
        let offset = problem.offsets[size - 1];
        if problem.required_count > size || offset == f64::NEG_INFINITY {
            return true;
        }
        self.size = size;
        let count = problem.candidates();
        self.scratch.row_sums[..count].fill(0.0);
        let mut chosen = Chosen {
            count: 0,
            base: offset,
            s0: 0.0,
            s1: 0.0,
            top: f64::NEG_INFINITY,
            tokens: 0,
        };
        for index in (0..count).filter(|&index| problem.required[index]) {
            chosen = self.choose(chosen, index as u16);
        }
        let list = &mut self.scratch.lists[chosen.count];
        list.clear();
        list.extend(
            (0..count)
                .filter(|&index| !problem.required[index])
                .map(|index| (0.0, index as u16)),
        );
        if chosen.count == size {
            self.offer();
            return true;
        }
        if chosen.count == 0 && problem.alignment == Alignment::Softmax {
            return self.start_at_largest_logit(chosen);
        }
        self.extend(chosen)
    }

    /// Adds a member and the row sums behind it.
    fn choose(&mut self, chosen: Chosen, index: u16) -> Chosen {
        let problem = self.problem;
        let count = problem.candidates();
        let at = index as usize;
        let (before, after) = self.scratch.row_sums.split_at_mut((chosen.count + 1) * count);
        let before = &before[chosen.count * count..];
        let logit = problem.logits[at];
        let mut base = chosen.base + before[at];
        if self.size > 1 {
            let row = &problem.pairs_of(self.size)[at * count..][..count];
            for ((sum, before), pair) in after[..count].iter_mut().zip(before).zip(row) {
                *sum = before + pair;
            }
        }
        let (mut s0, mut s1) = (chosen.s0, chosen.s1);
        if problem.alignment == Alignment::Sum {
            base += logit;
        } else {
            s0 += problem.weights[at];
            s1 += problem.weights[at] * logit;
        }
        self.members[chosen.count] = index;
        let tokens = chosen.tokens.saturating_add(problem.tokens[at]);
        Chosen {
            count: chosen.count + 1,
            base,
            s0,
            s1,
            top: chosen.top.max(logit),
            tokens,
        }
    }

    /// Softmax from nothing: the first member is the one of the largest logit, so that all others lower the mean.
    fn start_at_largest_logit(&mut self, chosen: Chosen) -> bool {
        let problem = self.problem;
        let mut order = std::mem::take(&mut self.scratch.lists[0]);
        for entry in &mut order {
            entry.0 = problem.logits[entry.1 as usize];
        }
        order.sort_unstable_by(by_bound);
        let complete = (0..order.len()).all(|i| {
            let first = self.choose(chosen, order[i].1);
            if first.tokens > problem.budget {
                return true;
            }
            self.largest_weight = problem.weights[order[i].1 as usize];
            if self.size == 1 {
                self.offer();
                return true;
            }
            let list = &mut self.scratch.lists[1];
            list.clear();
            list.extend_from_slice(&order[i + 1..]);
            self.extend(first)
        });
        self.scratch.lists[0] = order;
        self.largest_weight = 1.0;
        complete
    }

    /// Whether so many steps were left.
    fn take_steps(&mut self, steps: u64) -> bool {
        let left = self.steps_left.checked_sub(steps);
        self.steps_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Looks at every completion of the chosen members by candidates of the list of their level.
    fn extend(&mut self, chosen: Chosen) -> bool {
        let needed = self.size - chosen.count;
        let mut list = std::mem::take(&mut self.scratch.lists[chosen.count]);
        let complete = self.take_steps(STEPS_OF_LIST + list.len() as u64) && {
            let base = self.bound(chosen, needed, &mut list);
            if needed == 1 {
                self.finish(chosen, base, &list);
                true
            } else {
                self.branch(chosen, base, &mut list)
            }
        };
        self.scratch.lists[chosen.count] = list;
        complete
    }

    /// Puts into the list how much each candidate can add, drops those that cannot be added, and returns what they are added to.
    fn bound(&self, chosen: Chosen, needed: usize, list: &mut Vec<(f64, u16)>) -> f64 {
        let problem = self.problem;
        let count = problem.candidates();
        let sums = &self.scratch.row_sums[chosen.count * count..][..count];
        let tops = &self.scratch.half_tops[(self.size - 1) * LARGEST_SET * count..];
        let room = problem.budget.saturating_sub(chosen.tokens);
        let sum = problem.alignment == Alignment::Sum;
        let mean = match problem.alignment {
            Alignment::Sum => 0.0,
            Alignment::Softmax if chosen.s0 > SMALLEST_SUM => chosen.s1 / chosen.s0,
            // Digits were lost, but a mean is at most the largest.
            Alignment::Softmax => chosen.top,
        };
        let widened = chosen.s0 + (needed - 1) as f64 * self.largest_weight;
        list.retain_mut(|(bound, index)| {
            let at = *index as usize;
            if problem.tokens[at] > room {
                return false;
            }
            let logit = problem.logits[at];
            let alignment = if sum {
                logit
            } else {
                let weight = problem.weights[at];
                let gain = weight * (logit - mean);
                let others = if logit > mean { chosen.s0 } else { widened };
                if others + weight < SMALLEST_SUM {
                    (logit - mean).max(0.0)
                } else {
                    gain / (others + weight)
                }
            };
            *bound = sums[at] + tops[at * LARGEST_SET + needed - 1] + alignment;
            *bound > f64::NEG_INFINITY
        });
        chosen.base + mean
    }

    /// One member is missing.
    fn finish(&mut self, chosen: Chosen, base: f64, list: &[(f64, u16)]) {
        let mut threshold = self.threshold();
        for &(bound, index) in list {
            if base + bound >= threshold {
                self.members[chosen.count] = index;
                self.offer();
                threshold = self.threshold();
            }
        }
    }

    fn branch(&mut self, chosen: Chosen, base: f64, list: &mut Vec<(f64, u16)>) -> bool {
        let needed = self.size - chosen.count;
        self.cut(base, needed, list);
        list.sort_unstable_by(by_bound);
        let mut first = 0;
        while first + needed <= list.len() {
            let most: f64 = list[first..first + needed].iter().map(|entry| entry.0).sum();
            if base + most < self.threshold() {
                return true;
            }
            let next = self.choose(chosen, list[first].1);
            first += 1;
            let rest = &mut self.scratch.lists[next.count];
            rest.clear();
            rest.extend_from_slice(&list[first..]);
            if !self.extend(next) {
                return false;
            }
        }
        true
    }

    /// Drops candidates that even with the best others do not reach the threshold.
    fn cut(&self, base: f64, needed: usize, list: &mut Vec<(f64, u16)>) {
        if list.len() < needed {
            return;
        }
        let mut largest = [f64::NEG_INFINITY; LARGEST_SET];
        let largest = &mut largest[..needed - 1];
        for &(bound, _) in &*list {
            insert_largest(largest, bound);
        }
        let others: f64 = largest.iter().sum();
        let threshold = self.threshold();
        list.retain(|entry| base + (others + entry.0) >= threshold);
    }

    /// Scores the full set by the definition.
    fn offer(&mut self) {
        self.steps_left = self.steps_left.saturating_sub(STEPS_OF_SET);
        let mut members = self.members;
        let members = &mut members[..self.size];
        members.sort_unstable();
        if self.problem.admits(members) {
            self.best.offer(self.problem.score(members), members);
        }
    }
}

/// Best first; equal bounds by index, so that a search repeats exactly.
fn by_bound(left: &(f64, u16), right: &(f64, u16)) -> std::cmp::Ordering {
    right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
}

/// More than all roundings of a bound and of a score together: both are sums of at most `2·M²` numbers no larger than these, with a
/// relative error of 2⁻⁵³ at each step.
fn margin(problem: &Problem) -> f64 {
    let largest = |values: &[f64]| {
        values
            .iter()
            .filter(|value| value.is_finite())
            .fold(0.0_f64, |most, value| most.max(value.abs()))
    };
    let terms = (2 * LARGEST_SET * LARGEST_SET) as f64;
    let sum = terms * (largest(&problem.logits) + largest(&problem.pairs)) + largest(&problem.offsets);
    sum * terms * f64::EPSILON
}

fn fill_half_tops(problem: &Problem, half_tops: &mut Vec<f64>) {
    let count = problem.candidates();
    half_tops.clear();
    half_tops.resize(problem.largest() * count * LARGEST_SET, 0.0);
    for size in 2..=problem.largest() {
        let pairs = problem.pairs_of(size);
        let tops = &mut half_tops[(size - 1) * count * LARGEST_SET..][..count * LARGEST_SET];
        for (index, tops) in tops.chunks_exact_mut(LARGEST_SET).enumerate() {
            let mut largest = [f64::NEG_INFINITY; LARGEST_SET];
            for (other, &pair) in pairs[index * count..][..count].iter().enumerate() {
                if other != index {
                    insert_largest(&mut largest[..size - 1], pair);
                }
            }
            for j in 1..size {
                tops[j] = tops[j - 1] + 0.5 * largest[j - 1];
            }
        }
    }
}

/// Takes a number in among the largest so far, in descending order.
#[inline]
fn insert_largest(largest: &mut [f64], number: f64) {
    if number <= largest[largest.len() - 1] {
        return;
    }
    let mut place = largest.len() - 1;
    while place > 0 && largest[place - 1] < number {
        largest[place] = largest[place - 1];
        place -= 1;
    }
    largest[place] = number;
}

/// A score that `count` different sets reach: from greedy sets of each size and their neighbours by one swap.
fn seed(problem: &Problem, count: usize, seeds: &mut BestSets) -> f64 {
    if count > MOST_SEEDED || problem.required_count >= problem.largest() {
        return f64::NEG_INFINITY;
    }
    seeds.restart(count);
    let mut required = [0; LARGEST_SET];
    let mut size = 0;
    for index in (0..problem.candidates() as u16).filter(|&index| problem.required[index as usize]) {
        required[size] = index;
        size += 1;
    }
    let mut grown = RankedSet::new(0.0, &required[..size]);
    while grown.members().len() < problem.largest() {
        let Some(better) = best_neighbour(problem, grown.members(), None, seeds) else {
            break;
        };
        grown = better;
        let mut swapped = grown;
        for _ in 0..SWAP_PASSES {
            for place in 0..swapped.members().len() {
                if let Some(better) = best_neighbour(problem, swapped.members(), Some(place), seeds) {
                    swapped = better;
                }
            }
        }
    }
    if seeds.is_full() {
        seeds.threshold()
    } else {
        f64::NEG_INFINITY
    }
}

/// The best of the sets that come from these members by adding one, in place of the member at `place` if given.
fn best_neighbour(problem: &Problem, members: &[u16], place: Option<usize>, seeds: &mut BestSets) -> Option<RankedSet> {
    if place.is_some_and(|place| problem.required[members[place] as usize]) {
        return None;
    }
    let mut kept = [0; LARGEST_SET];
    let mut length = 0;
    for (i, &member) in members.iter().enumerate() {
        if Some(i) != place {
            kept[length] = member;
            length += 1;
        }
    }
    let kept = &kept[..length];
    let mut best: Option<RankedSet> = None;
    let mut set = [0; LARGEST_SET];
    let set = &mut set[..=length];
    for index in (0..problem.candidates() as u16).filter(|index| !kept.contains(index)) {
        let at = kept.partition_point(|&member| member < index);
        set[..at].copy_from_slice(&kept[..at]);
        set[at] = index;
        set[at + 1..].copy_from_slice(&kept[at..]);
        let score = problem.score(set);
        if score == f64::NEG_INFINITY || !problem.admits(set) {
            continue;
        }
        if best.is_none_or(|best| score > best.score) {
            best = Some(RankedSet::new(score, set));
        }
        seeds.offer_once(score, set);
    }
    best
}
