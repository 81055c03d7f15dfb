use crate::elementary::exp;
use crate::error::{KernelError, check_length};

/// The largest M: the number of sets grows with K^M, and sets are kept in arrays of this length.
pub const LARGEST_SET: usize = 8;
/// The largest pool taken.
pub const LARGEST_POOL: usize = 1024;
/// The largest logit, pair score or offset, so that no sum of them overflows.
const LARGEST_VALUE: f64 = 1e100;
/// A sum of exponentials below this has lost digits; the set's own largest logit is taken instead.
pub(super) const SMALLEST_SUM: f64 = 1e-290;

/// How the members' logits make up the alignment of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alignment {
    /// The sum of the logits.
    #[default]
    Sum,
    /// The mean of the logits, weighted by their softmax over the members (HYSET, equation 3).
    Softmax,
}

impl Alignment {
    /// The alignment of this name.
    pub fn named(name: &str) -> Result<Self, KernelError> {
        match name {
            "sum" => Ok(Self::Sum),
            "softmax" => Ok(Self::Softmax),
            _ => Err(KernelError::Option {
                what: "alignment",
                value: name.to_owned(),
            }),
        }
    }
}

/// Which sets may be answered. Positions are positions of the pool.
#[derive(Debug, Clone, Copy, Default)]
pub struct Constraints<'a> {
    /// Every answered set holds all of these.
    pub require: &'a [u32],
    /// No answered set holds any of these.
    pub exclude: &'a [u32],
    /// Where each group ends in `group_members`.
    pub group_ends: &'a [u32],
    /// The members of the groups, one group behind the other; an answered set holds at most one of each.
    pub group_members: &'a [u32],
    /// What each candidate costs; empty when nothing is counted.
    pub tokens: &'a [u32],
    /// What a set may cost.
    pub max_tokens: Option<u64>,
    /// The largest set, when it is smaller than M.
    pub max_tools: Option<usize>,
}

/// A quadratic set function over a pool of K candidates, and which sets are asked for.
#[derive(Debug, Clone, Copy)]
pub struct HyperedgeRequest<'a> {
    /// l, K numbers.
    pub logits: &'a [f64],
    /// `G_2` … `G_M`, each K × K; only the numbers above the diagonal are read.
    pub pair_scores: &'a [f64],
    /// M.
    pub max_size: usize,
    /// How logits make up the alignment.
    pub alignment: Alignment,
    /// `c_1` … `c_M` (minus infinity forbids a size), or nothing for zeros.
    pub size_offsets: &'a [f64],
    /// `c_0`, when the empty set takes part.
    pub empty_score: Option<f64>,
    /// Which sets may be answered.
    pub constraints: Constraints<'a>,
}

/// A request made ready for search: the candidates that may be used, renumbered without gaps in the order of the pool, which is
/// called their index. Memory is kept from one request to the next.
#[derive(Debug, Default)]
pub struct Problem {
    /// The position in the pool of each index, ascending.
    pub(crate) positions: Vec<u32>,
    /// l by index.
    pub(crate) logits: Vec<f64>,
    /// e^(l − L) by index, where L is the largest logit here; only for softmax.
    pub(crate) weights: Vec<f64>,
    /// `G_2` … `G_largest` by index, minus infinity where two exclude each other; symmetric after [`Self::fill`], else only above the
    /// diagonal. [`SLACK`] numbers that mean nothing follow.
    pub(crate) pairs: Vec<f64>,
    /// `c_1` … `c_largest`.
    pub(crate) offsets: Vec<f64>,
    /// The score of the empty set, when it may be answered.
    pub(crate) empty_score: Option<f64>,
    /// Whether an answered set must hold this index.
    pub(crate) required: Vec<bool>,
    /// How many must be held.
    pub(crate) required_count: usize,
    /// What each index costs.
    pub(crate) tokens: Vec<u64>,
    /// What a set may cost; `u64::MAX` when nothing is counted.
    pub(crate) budget: u64,
    pub(crate) alignment: Alignment,
    pub(super) magnitudes: Magnitudes,
    /// The largest logit whose weight is below [`SMALLEST_SUM`]; minus infinity where none is. Only for softmax.
    largest_small_logit: f64,
    marks: Vec<u8>,
    group: Vec<usize>,
}

/// Upper bounds of the finite numbers of a problem, without their signs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Magnitudes {
    pub(super) logit: f64,
    pub(super) pair: f64,
    pub(super) offset: f64,
}

/// Numbers behind the pair scores, so that eight can be read from any place.
pub(super) const SLACK: usize = 8;

const REQUIRED: u8 = 1;
const EXCLUDED: u8 = 2;
const GROUPED: u8 = 4;

impl Problem {
    /// Checks a request and takes it over.
    pub fn fill(&mut self, request: &HyperedgeRequest) -> Result<(), KernelError> {
        self.take(request)?;
        self.mirror();
        Ok(())
    }

    /// The same without the pair scores below the diagonal.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "an instruction set reaches its loops only when it is inlined"
    )]
    pub(super) fn take(&mut self, request: &HyperedgeRequest) -> Result<(), KernelError> {
        check_shape(request)?;
        self.take_candidates(request);
        let most_tools = request.constraints.max_tools.unwrap_or(usize::MAX);
        let largest = request.max_size.min(most_tools).min(self.positions.len());
        self.alignment = request.alignment;
        self.empty_score = request.empty_score.filter(|_| self.required_count == 0);
        self.budget = request.constraints.max_tokens.unwrap_or(u64::MAX);
        self.offsets.clear();
        self.offsets
            .extend((0..largest).map(|size| request.size_offsets.get(size).copied().unwrap_or(0.0)));
        self.weights.clear();
        if self.alignment == Alignment::Softmax {
            let top = self.logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            self.weights.extend(self.logits.iter().map(|logit| exp(logit - top)));
            let small = self
                .logits
                .iter()
                .zip(&self.weights)
                .filter(|&(_, &weight)| weight < SMALLEST_SUM);
            self.largest_small_logit = small.fold(f64::NEG_INFINITY, |most, (&logit, _)| most.max(logit));
        }
        let finite = |magnitude: f64, value: &f64| {
            if value.is_finite() {
                magnitude.max(value.abs())
            } else {
                magnitude
            }
        };
        self.magnitudes.logit = self.logits.iter().fold(0.0, finite);
        self.magnitudes.offset = self.offsets.iter().chain(&self.empty_score).fold(0.0, finite);
        self.take_pairs(request, largest)?;
        self.take_groups(request.constraints);
        Ok(())
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as above")]
    fn take_candidates(&mut self, request: &HyperedgeRequest) {
        let pool = request.logits.len();
        let Constraints {
            require,
            exclude,
            tokens,
            ..
        } = request.constraints;
        self.marks.clear();
        self.marks.resize(pool, 0);
        for &position in require {
            self.marks[position as usize] |= REQUIRED;
        }
        for &position in exclude {
            self.marks[position as usize] |= EXCLUDED;
        }
        // What is required and excluded at once stays among the required, so that no set can hold all of them.
        self.required_count = self.marks.iter().filter(|&&mark| mark & REQUIRED != 0).count();
        self.positions.clear();
        let usable = |&position: &u32| self.marks[position as usize] & EXCLUDED == 0;
        self.positions.extend((0..pool as u32).filter(usable));
        let positions = self.positions.iter().map(|&position| position as usize);
        self.required.clear();
        self.required
            .extend(positions.clone().map(|position| self.marks[position] & REQUIRED != 0));
        self.logits.clear();
        self.logits
            .extend(positions.clone().map(|position| request.logits[position]));
        self.tokens.clear();
        self.tokens
            .extend(positions.map(|position| tokens.get(position).copied().map_or(0, u64::from)));
    }

    /// Copies the pair scores above the diagonal, and checks them.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as above")]
    fn take_pairs(&mut self, request: &HyperedgeRequest, largest: usize) -> Result<(), KernelError> {
        let (pool, count) = (request.logits.len(), self.positions.len());
        let length = largest.saturating_sub(1) * count * count;
        self.pairs.resize(length + SLACK, 0.0);
        self.pairs[length..].fill(0.0);
        if count == pool {
            self.pairs[..length].copy_from_slice(&request.pair_scores[..length]);
            // Also numbers that are not looked at; when one of them is not right, those that are say what is wrong.
            if let Some(magnitude) = magnitude(&self.pairs[..length]) {
                self.magnitudes.pair = magnitude;
                return Ok(());
            }
        }
        self.magnitudes.pair = 0.0;
        for (size, pairs) in self.pairs[..length]
            .chunks_exact_mut((count * count).max(1))
            .enumerate()
        {
            let scores = &request.pair_scores[size * pool * pool..][..pool * pool];
            for (a, &from) in self.positions.iter().enumerate() {
                for (b, &to) in self.positions.iter().enumerate().skip(a + 1) {
                    let position = from as usize * pool + to as usize;
                    let score = scores[position];
                    if score.is_nan() || score.abs() > LARGEST_VALUE {
                        return Err(out_of_range(
                            "pairScores",
                            EXPECTED_NUMBERS,
                            score,
                            size * pool * pool + position,
                        ));
                    }
                    pairs[a * count + b] = score;
                    self.magnitudes.pair = self.magnitudes.pair.max(score.abs());
                }
            }
        }
        // What was copied below the diagonal may be no number.
        self.mirror();
        Ok(())
    }

    /// At most one of a group: minus infinity between its members, above the diagonal.
    fn take_groups(&mut self, constraints: Constraints) {
        let count = self.positions.len();
        let matrix = count * count;
        let length = self.pairs.len() - SLACK;
        let mut start = 0;
        for &end in constraints.group_ends {
            for &position in &constraints.group_members[start..end as usize] {
                self.marks[position as usize] |= GROUPED;
            }
            let grouped = |&index: &usize| self.marks[self.positions[index] as usize] & GROUPED != 0;
            self.group.clear();
            self.group.extend((0..count).filter(grouped));
            for &position in &constraints.group_members[start..end as usize] {
                self.marks[position as usize] &= !GROUPED;
            }
            start = end as usize;
            for (i, &a) in self.group.iter().enumerate() {
                for &b in &self.group[i + 1..] {
                    for pairs in self.pairs[..length].chunks_exact_mut(matrix) {
                        pairs[a * count + b] = f64::NEG_INFINITY;
                    }
                }
            }
        }
    }

    /// Copies what is above the diagonal of each matrix below it.
    pub(super) fn mirror(&mut self) {
        let count = self.positions.len();
        let length = self.pairs.len() - SLACK;
        for pairs in self.pairs[..length].chunks_exact_mut((count * count).max(1)) {
            for a in 0..count {
                pairs[a * count + a] = 0.0;
                for b in a + 1..count {
                    pairs[b * count + a] = pairs[a * count + b];
                }
            }
        }
    }

    /// Whether a sum of exponentials can be too small.
    pub(super) fn has_small_weights(&self) -> bool {
        self.largest_small_logit > f64::NEG_INFINITY
    }

    pub(super) fn largest_small_logit(&self) -> f64 {
        self.largest_small_logit
    }

    /// More than 16 roundings of any sum of offset, pair scores and alignment of a set.
    pub(super) fn rounding(&self) -> f64 {
        let Magnitudes { logit, pair, offset } = self.magnitudes;
        let terms = (LARGEST_SET * LARGEST_SET) as f64;
        16.0 * f64::EPSILON * (terms * (logit + pair) + offset) + 1e-30
    }

    /// Bytes held, but for a few numbers a candidate.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<f64>()
    }

    /// How many candidates may be used.
    pub fn candidates(&self) -> usize {
        self.positions.len()
    }

    /// The largest set that may be answered; 0 when only the empty one can.
    pub fn largest(&self) -> usize {
        self.offsets.len()
    }

    /// The position in the pool of an index.
    pub fn position(&self, index: u16) -> u32 {
        self.positions[index as usize]
    }

    /// `G_size` by index (size ≥ 2), candidates × candidates, symmetric.
    pub(crate) fn pairs_of(&self, size: usize) -> &[f64] {
        let matrix = self.positions.len() * self.positions.len();
        &self.pairs[(size - 2) * matrix..][..matrix]
    }

    /// The same with [`SLACK`] numbers behind it.
    pub(super) fn scores_of(&self, size: usize) -> &[f64] {
        let matrix = self.positions.len() * self.positions.len();
        &self.pairs[(size - 2) * matrix..][..matrix + SLACK]
    }

    /// Whether a set of these indexes, ascending, holds what is required and keeps to the budget. Groups are in the score.
    pub(crate) fn admits(&self, members: &[u16]) -> bool {
        let required = members.iter().filter(|&&member| self.required[member as usize]).count();
        let tokens: u64 = members.iter().map(|&member| self.tokens[member as usize]).sum();
        required == self.required_count && tokens <= self.budget
    }

    /// F of the set of these indexes, ascending, 1 to `largest` of them; minus infinity where two exclude each other.
    ///
    /// This is the definition, operation by operation, of every score of these kernels. The last two members d < e are a pair, the
    /// others a₁ < … < aₖ lead to it, and G is that of the set's size:
    /// - `x = G[d, e]` (sum: `(l_d + l_e) + G[d, e]`), then for each a in order `x = x + (G[a, d] + G[a, e])`;
    /// - `b = c_m`, then for each a in order `b = b + row` (sum: `b + (l_a + row)`), `row = ((0 + G[a₁, a]) + G[a₂, a]) + …`;
    /// - sum: `F = b + x`; softmax: `F = (b + x) + S1 / S0` with `w_t = e^(l_t − L)`, L the largest logit of the usable pool,
    ///   `S0 = ((0 + w₁) + w₂ + …) + (w_d + w_e)` and `S1 = ((0 + l₁·w₁) + …) + (l_d·w_d + l_e·w_e)`; where S0 < 1e-290, L is the
    ///   largest logit of the set;
    /// - one member: `F = c_1 + l_d`.
    pub fn score(&self, members: &[u16]) -> f64 {
        let offset = self.offsets[members.len() - 1];
        let [lead @ .., d, e] = members else {
            return offset + self.logits[members[0] as usize];
        };
        let pairs = self.pairs_of(members.len());
        let sum = self.alignment == Alignment::Sum;
        let logit = |index: u16| self.logits[index as usize];
        let pair = |a: u16, b: u16| pairs[a as usize * self.positions.len() + b as usize];
        let mut x = if sum {
            (logit(*d) + logit(*e)) + pair(*d, *e)
        } else {
            pair(*d, *e)
        };
        let mut b = offset;
        for (i, &a) in lead.iter().enumerate() {
            x += pair(a, *d) + pair(a, *e);
            let row = lead[..i].iter().fold(0.0, |row, &earlier| row + pair(earlier, a));
            b += if sum { logit(a) + row } else { row };
        }
        if sum {
            b + x
        } else {
            (b + x) + self.softmax_alignment(members)
        }
    }

    /// S1 / S0 of two members or more.
    pub(crate) fn softmax_alignment(&self, members: &[u16]) -> f64 {
        let [s0, s1] = self.softmax_sums(members, |index| self.weights[index]);
        if s0 >= SMALLEST_SUM {
            return s1 / s0;
        }
        let logits = members.iter().map(|&member| self.logits[member as usize]);
        let top = logits.fold(f64::NEG_INFINITY, f64::max);
        let [s0, s1] = self.softmax_sums(members, |index| exp(self.logits[index] - top));
        s1 / s0
    }

    fn softmax_sums(&self, members: &[u16], weight: impl Fn(usize) -> f64) -> [f64; 2] {
        let (lead, pair) = members.split_at(members.len() - 2);
        let add = |[s0, s1]: [f64; 2], &member: &u16| {
            let weight = weight(member as usize);
            [s0 + weight, s1 + self.logits[member as usize] * weight]
        };
        let [lead0, lead1] = lead.iter().fold([0.0; 2], add);
        let [pair0, pair1] = pair.iter().fold([0.0; 2], add);
        [lead0 + pair0, lead1 + pair1]
    }
}

/// The largest number without its sign; nothing when one is NaN or too large.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "an instruction set reaches its loops only when it is inlined"
)]
fn magnitude(values: &[f64]) -> Option<f64> {
    let mut largest = [0.0; 8];
    let mut fits = true;
    let mut take = |values: &[f64]| {
        for (largest, value) in largest.iter_mut().zip(values) {
            let value = value.abs();
            fits &= value <= LARGEST_VALUE;
            *largest = if value > *largest { value } else { *largest };
        }
    };
    let (eights, rest) = values.as_chunks::<8>();
    for eight in eights {
        take(eight);
    }
    take(rest);
    fits.then(|| largest.into_iter().fold(0.0, f64::max))
}

/// Checks everything but the pair scores' values, which are many.
pub(super) fn check_shape(request: &HyperedgeRequest) -> Result<(), KernelError> {
    let pool = request.logits.len();
    let most = request.max_size;
    range("maxSize", most, (1, LARGEST_SET))?;
    range("logits.length", pool, (0, LARGEST_POOL))?;
    check_length("pairScores", (most - 1) * pool * pool, request.pair_scores.len())?;
    finite("logits", request.logits, false)?;
    if !request.size_offsets.is_empty() {
        check_length("sizeOffsets", most, request.size_offsets.len())?;
        finite("sizeOffsets", request.size_offsets, true)?;
    }
    finite("emptyScore", request.empty_score.as_slice(), false)?;
    let Constraints {
        require,
        exclude,
        group_ends,
        group_members,
        tokens,
        ..
    } = request.constraints;
    positions("require", require, pool)?;
    positions("exclude", exclude, pool)?;
    positions("groups", group_members, pool)?;
    if !group_ends.is_sorted() {
        let value = format!("{group_ends:?}");
        return Err(KernelError::OutOfRange {
            what: "groups",
            expected: "ends in ascending order",
            value,
        });
    }
    check_length(
        "groups",
        group_members.len(),
        group_ends.last().map_or(0, |&end| end as usize),
    )?;
    if tokens.is_empty() {
        Ok(())
    } else {
        check_length("tokens", pool, tokens.len())
    }
}

fn range(what: &'static str, value: usize, (least, most): (usize, usize)) -> Result<(), KernelError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let expected = if what == "maxSize" {
        "an integer from 1 to 8"
    } else {
        "0 to 1,024"
    };
    Err(KernelError::OutOfRange {
        what,
        expected,
        value: value.to_string(),
    })
}

fn positions(what: &'static str, positions: &[u32], pool: usize) -> Result<(), KernelError> {
    match positions.iter().find(|&&position| position as usize >= pool) {
        None => Ok(()),
        Some(position) => {
            let value = format!("{position} of a pool of {pool}");
            Err(KernelError::OutOfRange {
                what,
                expected: "positions of the pool",
                value,
            })
        }
    }
}

pub(super) fn finite(what: &'static str, values: &[f64], or_minus_infinity: bool) -> Result<(), KernelError> {
    let fits = |value: &f64| value.abs() <= LARGEST_VALUE || (or_minus_infinity && *value == f64::NEG_INFINITY);
    match values.iter().position(|value| !fits(value)) {
        None => Ok(()),
        Some(position) if or_minus_infinity => {
            let expected = "numbers from -1e100 to 1e100 or -Infinity";
            Err(out_of_range(what, expected, values[position], position))
        }
        Some(position) => Err(out_of_range(what, EXPECTED_NUMBERS, values[position], position)),
    }
}

const EXPECTED_NUMBERS: &str = "numbers from -1e100 to 1e100";

fn out_of_range(what: &'static str, expected: &'static str, value: f64, position: usize) -> KernelError {
    // As JavaScript writes it.
    let value = if value.is_infinite() {
        format!("{}Infinity", if value < 0.0 { "-" } else { "" })
    } else {
        format!("{value:e}").replace('e', "e+")
    };
    KernelError::OutOfRange {
        what,
        expected,
        value: format!("{value} at position {position}"),
    }
}
