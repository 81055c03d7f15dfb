#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

use super::best_sets::BestSets;
use super::branch_and_bound::{BranchAndBoundScratch, search_by_bounds};
use super::distribution::{ByProduct, ByScore, Factors, Totals, Weighing, is_mild};
use super::eight::{Eight, WIDTH, plain::Plain};
#[cfg(target_arch = "x86_64")]
use super::eight::{avx2::Avx2, avx512::Avx512};
use super::problem::{Alignment, HyperedgeRequest, Problem};
use super::search::{Search, SoftmaxScores, SumScores};
use super::seed::{SeedScratch, seed};
use super::tables::{Products, Sums, Tables};
use super::walk::{Levels, Size, Visitor, walk};
use crate::elementary::exp;
use crate::error::{KernelError, check_length};
use crate::simd::Simd;
#[cfg(target_arch = "x86_64")]
use crate::simd::SimdLevel;

/// Eight times the sets that are enumerated in the time of one step of a search by bounds, so that a search that gives up has cost an eighth
/// of the enumeration that follows. The same for every instruction set: where enumeration is slower, searches give up sooner than they need to.
const SUMS_PER_STEP: f64 = 600.0;
/// The same for softmax.
const SOFTMAXES_PER_STEP: f64 = 420.0;
/// More sets than this are not all looked at: they take minutes.
const MOST_ENUMERATED: f64 = 1e10;
/// Candidates of which tables are kept, up to some 180 MB; for sets of two they are small. Larger pools are searched by bounds alone.
const LARGEST_TABLES: usize = 512;
/// Steps of a search by bounds that nothing can follow: some seconds, so that a call always ends.
const MOST_STEPS_ALONE: u64 = 300_000_000;

/// Finds the best sets of requests, one after the other, in memory that it keeps.
#[derive(Debug, Default)]
pub struct SetSearch {
    problem: Problem,
    best: BestSets,
    tables: Tables,
    levels: Levels,
    seed: SeedScratch,
    logits: Vec<f64>,
    totals: Totals,
    factors: Factors,
    bounds: BranchAndBoundScratch,
}

impl SetSearch {
    /// Finds the `count` best sets, by enumeration or by bounds, whichever is likely to be quicker: the answer is the same.
    pub fn search(&mut self, simd: Simd, request: &HyperedgeRequest, count: usize) -> Result<(), KernelError> {
        self.run(simd, request, count, None)
    }

    /// The same with the distribution over all sets: writes log Z, the probability of each candidate of the pool, and of each size
    /// from 0 to M.
    pub fn weigh(
        &mut self,
        simd: Simd,
        request: &HyperedgeRequest,
        count: usize,
        distribution: &mut [f64],
    ) -> Result<(), KernelError> {
        let expected = (request.logits.len() + 2).saturating_add(request.max_size);
        check_length("distribution", expected, distribution.len())?;
        self.run(simd, request, count, Some(distribution))
    }

    /// Hands over the best sets found, `count` at most, best first: score, and positions of the pool in ascending order.
    pub fn each_set(&mut self, count: usize, mut take: impl FnMut(f64, &mut dyn Iterator<Item = u32>)) {
        for set in self.best.sorted().iter().take(count) {
            take(
                set.score,
                &mut set.members().iter().map(|&index| self.problem.position(index)),
            );
        }
    }

    /// Bytes held by what grows with a power of the pool or with the count.
    pub fn bytes(&self) -> usize {
        self.tables.bytes()
            + self.problem.bytes()
            + self.best.bytes()
            + self.levels.bytes()
            + self.totals.bytes()
            + self.factors.bytes()
            + self.bounds.bytes()
    }

    fn run(
        &mut self,
        simd: Simd,
        request: &HyperedgeRequest,
        count: usize,
        out: Option<&mut [f64]>,
    ) -> Result<(), KernelError> {
        match simd.level() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a processor that has AVX-512 F, BW, DQ and VL.
            SimdLevel::Avx512 => unsafe { self.run_avx512(request, count, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a processor that has AVX2 and FMA.
            SimdLevel::Avx2 => unsafe { self.run_avx2(request, count, out) },
            _ => self.run_on::<Plain>(request, count, out),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn run_avx512(
        &mut self,
        request: &HyperedgeRequest,
        count: usize,
        out: Option<&mut [f64]>,
    ) -> Result<(), KernelError> {
        self.run_on::<Avx512>(request, count, out)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_avx2(
        &mut self,
        request: &HyperedgeRequest,
        count: usize,
        out: Option<&mut [f64]>,
    ) -> Result<(), KernelError> {
        self.run_on::<Avx2>(request, count, out)
    }

    #[inline(always)]
    fn run_on<V: Eight>(
        &mut self,
        request: &HyperedgeRequest,
        count: usize,
        out: Option<&mut [f64]>,
    ) -> Result<(), KernelError> {
        self.problem.take(request)?;
        let wanted = count.max(usize::from(out.is_some()));
        self.best.restart(wanted);
        if self.problem.required.iter().filter(|&&required| required).count() < self.problem.required_count {
            // A candidate is required and excluded at once.
            if let Some(out) = out {
                out.fill(0.0);
                out[0] = f64::NEG_INFINITY;
            }
            return Ok(());
        }
        let sets = count_sets(self.problem.candidates(), self.problem.largest());
        let is_large = self.problem.candidates() > LARGEST_TABLES && self.problem.largest() > 2;
        let can_be_enumerated = sets <= MOST_ENUMERATED && !is_large;
        if out.is_some() && !can_be_enumerated {
            return Err(KernelError::TooManySets {
                candidates: self.problem.candidates(),
            });
        }
        if out.is_none() && self.search_by_bounds(wanted, sets, !can_be_enumerated) {
            return Ok(());
        }
        if !can_be_enumerated {
            let sets = format!("{sets:.1e}");
            return Err(KernelError::UndecidedSets { sets });
        }
        self.logits.clear();
        self.logits.extend_from_slice(&self.problem.logits);
        self.logits.resize(self.problem.candidates() + WIDTH, 0.0);
        let seed = seed::<V>(&self.problem, wanted, &mut self.seed);
        let is_constrained = self.problem.required_count > 0 || self.problem.budget != u64::MAX;
        if is_constrained {
            self.enumerate::<V, true>(seed);
        } else {
            self.enumerate::<V, false>(seed);
        }
        if let Some(out) = out {
            let top = self.best.sorted().first().map_or(f64::NEG_INFINITY, |set| set.score);
            if is_constrained {
                self.distribute::<V, true>(top, request.logits.len(), out);
            } else {
                self.distribute::<V, false>(top, request.logits.len(), out);
            }
        }
        Ok(())
    }

    /// Whether bounds found the best sets in time; they have some seconds where nothing can follow.
    fn search_by_bounds(&mut self, wanted: usize, sets: f64, is_last: bool) -> bool {
        // Steps in which all pair scores are read and greedy sets found.
        let preparation = self.problem.candidates().pow(2) * self.problem.largest();
        let sets_per_step = match self.problem.alignment {
            Alignment::Sum => SUMS_PER_STEP,
            Alignment::Softmax => SOFTMAXES_PER_STEP,
        };
        #[allow(clippy::cast_sign_loss, reason = "a number of sets, and minus ones become 0")]
        let most_steps = if is_last {
            MOST_STEPS_ALONE
        } else {
            (sets / sets_per_step - preparation as f64) as u64
        };
        if most_steps == 0 {
            return false;
        }
        self.problem.mirror();
        let found = search_by_bounds(&self.problem, &mut self.best, &mut self.bounds, most_steps);
        if !found {
            self.best.restart(wanted);
        }
        found
    }

    #[inline(always)]
    fn enumerate<V: Eight, const CONSTRAINED: bool>(&mut self, seed: f64) {
        let (problem, tables, levels) = (&self.problem, &mut self.tables, &mut self.levels);
        if problem.alignment == Alignment::Sum {
            let mut search = Search::<SumScores>::begin(problem, &mut self.best, seed);
            each_size::<V, CONSTRAINED>(problem, Some(&self.logits), tables, levels, &mut search);
        } else {
            let mut search = Search::<SoftmaxScores>::begin(problem, &mut self.best, seed);
            each_size::<V, CONSTRAINED>(problem, None, tables, levels, &mut search);
        }
    }

    #[inline(always)]
    fn distribute<V: Eight, const CONSTRAINED: bool>(&mut self, top: f64, pool: usize, out: &mut [f64]) {
        let problem = &self.problem;
        let totals = &mut self.totals;
        if problem.alignment == Alignment::Sum && is_mild::<V>(problem) {
            let mut weighing = Weighing {
                totals,
                weigh: ByProduct,
            };
            weighing.totals.begin::<V>(problem, &weighing.weigh);
            self.factors.fill_logits(problem);
            if problem.candidates() > 1 {
                self.tables.fill::<V, Products>(problem, CONSTRAINED);
            }
            for size in 2..=problem.largest() {
                let offset = problem.offsets[size - 1];
                if offset > f64::NEG_INFINITY {
                    self.factors.fill_scores(problem, size);
                    let size = Size {
                        size,
                        offset: exp(offset),
                        scores: &self.factors.scores,
                        logits: Some(&self.factors.logits),
                    };
                    walk::<V, Products, CONSTRAINED>(problem, size, &mut self.tables, &mut self.levels, &mut weighing);
                }
            }
            self.totals.write(problem, 0.0, pool, out);
            return;
        }
        if problem.alignment == Alignment::Sum {
            let mut weighing = Weighing {
                totals,
                weigh: ByScore::<SumScores>::new(top),
            };
            weighing.totals.begin::<V>(problem, &weighing.weigh);
            each_size::<V, CONSTRAINED>(
                problem,
                Some(&self.logits),
                &mut self.tables,
                &mut self.levels,
                &mut weighing,
            );
        } else {
            let mut weighing = Weighing {
                totals,
                weigh: ByScore::<SoftmaxScores>::new(top),
            };
            weighing.totals.begin::<V>(problem, &weighing.weigh);
            each_size::<V, CONSTRAINED>(problem, None, &mut self.tables, &mut self.levels, &mut weighing);
        }
        self.totals.write(problem, top, pool, out);
    }
}

#[inline(always)]
fn each_size<V: Eight, const CONSTRAINED: bool>(
    problem: &Problem,
    logits: Option<&[f64]>,
    tables: &mut Tables,
    levels: &mut Levels,
    visitor: &mut impl Visitor<V>,
) {
    if problem.candidates() < 2 {
        return;
    }
    tables.fill::<V, Sums>(problem, CONSTRAINED);
    for size in 2..=problem.largest() {
        let offset = problem.offsets[size - 1];
        if offset > f64::NEG_INFINITY {
            let size = Size {
                size,
                offset,
                scores: problem.scores_of(size),
                logits,
            };
            walk::<V, Sums, CONSTRAINED>(problem, size, tables, levels, visitor);
        }
    }
}

/// Sets of at most `largest` of `count`.
fn count_sets(count: usize, largest: usize) -> f64 {
    let mut of_size = 1.0;
    let mut sets = 0.0;
    for size in 1..=largest {
        of_size = of_size * (count - size + 1) as f64 / size as f64;
        sets += of_size;
    }
    sets
}
