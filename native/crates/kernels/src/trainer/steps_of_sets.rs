//! One step of stage 2.

use super::Trainer;
use super::arithmetic::square_sum;
use super::gemm::Engine;
use super::options::{SOURCES, TrainerOptions};
use super::pairs::Pairs;
use super::problem::{Problem, out_of_range};
use super::random::{Purpose, Random};
use super::real::{Real, Wide, at_level};
use super::sampling::{Candidates, Row, Sampling, SourceCounts, best_tools};
use super::set_loss::{Losses, align, candidate_losses, log_sum};
use super::weights::Weights;
use crate::KernelError;
use crate::error::check_length;
use crate::hyperedge::{Alignment, LARGEST_SET};
use crate::threads::SharedSlice;

/// Candidate sets of the caller: those of query i stand at `queries[i]` to `queries[i + 1]`, the first of them gold; set s has the members from
/// `offsets[s]` to `offsets[s + 1]`.
#[derive(Debug, Clone, Copy)]
pub struct SetLists<'a> {
    /// Queries + 1.
    pub queries: &'a [u32],
    /// Sets + 1.
    pub offsets: &'a [u32],
    /// Tools, distinct in a set.
    pub members: &'a [u32],
}

/// What a step over sets found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetStep {
    /// The loss that was trained on: a sum over queries or their mean, as the options say, with the regulariser and the anchor.
    pub loss: f64,
    /// Σ ω (−log softmax(F)_gold).
    pub retrieval: f64,
    /// Σ ρ (−log softmax(F)_Ê).
    pub self_training: f64,
    /// λ Σ|M|².
    pub regulariser: f64,
    /// μ|Z − anchor|².
    pub anchor: f64,
    /// Queries whose gold scored best.
    pub gold_first: usize,
    /// Ê of each query, by its place among the candidates.
    pub chosen: Vec<usize>,
    /// Whether all numbers are finite. If not, there is no gradient.
    pub finite: bool,
}

impl<R: Real> Trainer<R> {
    /// F of each set, into `target`.
    pub fn set_scores(&mut self, batch: &[u32], sets: SetLists<'_>, target: &mut [f64]) -> Result<(), KernelError> {
        let mut candidates = self.take_candidates(batch, sets)?;
        check_length("scores", sets.offsets.len() - 1, target.len())?;
        self.forward_sets(batch, &candidates);
        let places = candidates.places;
        let scores = self.room.scores.chunks_exact(places.max(1));
        for (scores, ends) in scores.zip(sets.queries.windows(2)) {
            let range = ends[0] as usize..ends[1] as usize;
            target[range.clone()].copy_from_slice(&scores[..range.len()]);
        }
        std::mem::swap(&mut self.room.candidates, &mut candidates);
        Ok(())
    }

    /// One step over the caller's own candidates, at a part of the learning rates. It belongs to no epoch: the schedule does not move.
    pub fn set_step(&mut self, batch: &[u32], sets: SetLists<'_>, factor: f64) -> Result<SetStep, KernelError> {
        let candidates = self.take_candidates(batch, sets)?;
        // What an epoch did that is not done stays.
        self.running = false;
        if self.state.stage != super::Stage::Sets {
            self.state.begin(super::Stage::Sets);
        }
        self.kept.copy_from(&self.state);
        self.forward_sets(batch, &candidates);
        let mut step = self.set_gradients(batch, &candidates);
        let steps = self.state.step;
        step.finite = step.finite && self.update(&self.options.sets.clone(), factor);
        self.state.step = steps;
        if !step.finite {
            self.state.copy_from(&self.kept);
        }
        self.room.candidates = candidates;
        Ok(step)
    }

    fn take_candidates(&mut self, batch: &[u32], sets: SetLists<'_>) -> Result<Candidates, KernelError> {
        self.check_queries(batch)?;
        let mut candidates = std::mem::take(&mut self.room.candidates);
        let filled = fill(
            &mut candidates,
            batch.len(),
            self.options.max_size,
            self.problem.tools(),
            sets,
        );
        filled.map(|()| candidates)
    }

    /// Draws the candidates of a batch, whose logits are there.
    pub(super) fn draw_candidates(
        &mut self,
        batch: &[u32],
        epoch: usize,
        counts: &mut [SourceCounts; SOURCES],
    ) -> Candidates {
        let options = self.options.candidates;
        let mut candidates = std::mem::take(&mut self.room.candidates);
        let (places, room) = (1 + options.negatives.iter().sum::<usize>(), self.options.max_size);
        candidates.reset(batch.len(), places, room);
        let sampling = Sampling {
            gold: &self.problem.gold,
            batch,
            negatives: options.negatives,
            max_size: room,
            uniform: &self.room.uniform,
            near: &self.room.near,
            near_width: self.room.near_width,
            near_place: &self.room.near_place,
            identical: &self.identical,
        };
        let tools = self.problem.tools();
        let logits = &self.room.forward.logits;
        let wants_own = options.negatives[3] + options.negatives[4] > 0;
        let mut found = vec![[SourceCounts::default(); SOURCES]; batch.len()];
        let (sizes, members) = (
            SharedSlice::new(&mut candidates.sizes),
            SharedSlice::new(&mut candidates.members),
        );
        let all_counts = SharedSlice::new(&mut found);
        let seed = self.options.seed;
        self.threads.run(batch.len(), &|position| {
            let query = batch[position];
            let mut own = Vec::with_capacity(options.own);
            if wants_own {
                let gold = sampling.gold.row(query as usize);
                best_tools(&logits[position * tools..][..tools], gold, options.own, &mut own);
            }
            let mut random = Random::new(seed, super::Stage::Sets as u32, epoch as u32, Purpose::Sets, query);
            let mut row = Row {
                // SAFETY: each row is handed out once.
                sizes: unsafe { sizes.part(position * places..(position + 1) * places) },
                // SAFETY: as above.
                members: unsafe { members.part(position * places * room..(position + 1) * places * room) },
                // SAFETY: as above.
                counts: &mut unsafe { all_counts.part(position..position + 1) }[0],
            };
            sampling.fill(position, &own, &mut random, &mut row);
        });
        for row in &found {
            for (total, counts) in counts.iter_mut().zip(row) {
                total.add(counts);
            }
        }
        candidates
    }

    fn forward_sets(&mut self, batch: &[u32], candidates: &Candidates) {
        self.logits_of_batch(batch);
        self.score_candidates(batch, candidates);
    }

    pub(super) fn logits_of_batch(&mut self, batch: &[u32]) {
        let engine = Engine {
            simd: self.simd,
            threads: &self.threads,
        };
        self.room.forward.run(engine, &self.problem, &self.state.weights, batch);
    }

    /// F of all places; −infinity where one is empty.
    pub(super) fn score_candidates(&mut self, batch: &[u32], candidates: &Candidates) {
        let engine = Engine {
            simd: self.simd,
            threads: &self.threads,
        };
        let (weights, width, tools) = (&self.state.weights, self.problem.tool_dimensions, self.problem.tools());
        let room = &mut self.room;
        room.pairs.prepare(
            engine,
            &mut room.forward.packing,
            &self.options,
            candidates,
            &weights.embeddings,
            &weights.interactions,
            width,
        );
        let places = candidates.places;
        room.scores.resize(batch.len() * places, 0.0);
        let scores = SharedSlice::new(&mut room.scores);
        let (pairs, logits, options) = (&room.pairs, &room.forward.logits, &self.options);
        engine.threads.run(batch.len(), &|position| {
            let row = ScoreRow {
                options,
                weights,
                pairs,
                candidates,
                width,
                first: position * places,
                logits: &logits[position * tools..][..tools],
                // SAFETY: each row is handed out once.
                scores: unsafe { scores.part(position * places..(position + 1) * places) },
            };
            at_level(engine.simd, row);
        });
    }

    /// The losses of candidates that were scored, and their gradient.
    pub(super) fn set_gradients(&mut self, batch: &[u32], candidates: &Candidates) -> SetStep {
        self.gradients.clear();
        let mut step = self.candidate_gradients(batch, candidates);
        if !step.finite {
            return step;
        }
        let engine = Engine {
            simd: self.simd,
            threads: &self.threads,
        };
        let options = &self.options;
        let (trained, lambda) = (options.sets.trained, options.candidates.regularisation);
        let (problem, weights, width) = (&self.problem, &self.state.weights, self.problem.tool_dimensions);
        let (room, gradients) = (&mut self.room, &mut self.gradients);
        if trained.offsets {
            for (place, &gradient) in room.score_gradients.iter().enumerate() {
                if let Some(size) = usize::from(candidates.sizes[place]).checked_sub(1) {
                    gradients.offsets[size] += gradient;
                }
            }
        }
        room.pairs.back(
            engine,
            &mut room.forward.packing,
            options,
            candidates,
            &room.score_gradients,
            &weights.interactions,
            width,
            trained.interactions.then_some(&mut gradients.interactions),
            trained.embeddings.then_some(&mut gradients.embeddings),
        );
        if trained.interactions && lambda > 0.0 {
            let factor = R::of(2.0 * lambda);
            for (gradient, &value) in gradients.interactions.iter_mut().zip(&weights.interactions) {
                *gradient += factor * value;
            }
        }
        step.regulariser = lambda * square_sum(self.simd, &weights.interactions);
        if trained.logits() {
            let tools = problem.tools();
            let rows = SharedSlice::new(&mut room.forward.logits);
            let score_gradients = &room.score_gradients;
            engine.threads.run(batch.len(), &|position| {
                let row = GradientRow {
                    options,
                    candidates,
                    first: position * candidates.places,
                    gradients: &score_gradients[position * candidates.places..][..candidates.places],
                    // SAFETY: each row is handed out once.
                    logits: unsafe { rows.part(position * tools..(position + 1) * tools) },
                };
                at_level(engine.simd, row);
            });
            room.forward.back(engine, problem, weights, batch, trained, gradients);
        }
        step.anchor = self.anchor_gradient(&self.options.sets.clone());
        step.loss += step.regulariser + step.anchor;
        step
    }

    /// The losses of a batch and the gradient of each F.
    fn candidate_gradients(&mut self, batch: &[u32], candidates: &Candidates) -> SetStep {
        let options = self.options.candidates;
        let places = candidates.places;
        let share = if options.summed { 1.0 } else { 1.0 / batch.len() as f64 };
        self.room.score_gradients.resize(batch.len() * places, 0.0);
        let mut step = SetStep {
            finite: true,
            ..SetStep::default()
        };
        let rows = self.room.scores.chunks_exact(places.max(1));
        let gradients = self.room.score_gradients.chunks_exact_mut(places.max(1));
        for ((scores, gradients), &query) in rows.zip(gradients).zip(batch) {
            let (weight, reward) = (self.problem.weight(query as usize), self.rewards[query as usize]);
            let weights = [weight * share, options.self_training * reward * share];
            let Losses {
                retrieval,
                chosen,
                place,
            } = candidate_losses(scores, weights, gradients);
            step.retrieval += weight * retrieval;
            step.self_training += reward * chosen;
            step.loss += weights[0] * retrieval + weights[1] * chosen;
            step.gold_first += usize::from(place == 0);
            step.chosen.push(place);
        }
        step.finite = step.loss.is_finite();
        step
    }
}

struct ScoreRow<'a, R> {
    options: &'a TrainerOptions,
    weights: &'a Weights<R>,
    pairs: &'a Pairs<R>,
    candidates: &'a Candidates,
    width: usize,
    first: usize,
    logits: &'a [R],
    scores: &'a mut [f64],
}

/// Whether logits are logarithms of a softmax.
fn is_log_softmax(options: &TrainerOptions) -> bool {
    options.candidates.log_softmax && options.candidates.alignment == Alignment::Sum
}

impl<R: Real> Wide for ScoreRow<'_, R> {
    #[inline(always)]
    fn run(self) {
        let options = self.options;
        let all = if is_log_softmax(options) {
            log_sum(self.logits)
        } else {
            0.0
        };
        let mut shares = [0.0; LARGEST_SET];
        for (place, score) in self.scores.iter_mut().enumerate() {
            let set = self.candidates.set(self.first + place);
            if set.is_empty() {
                *score = f64::NEG_INFINITY;
                continue;
            }
            let size = set.len();
            *score = align(options.candidates.alignment, self.logits, set, &mut shares) - size as f64 * all
                + self.weights.offsets[size - 1];
            if size > 1 && !self.weights.interactions.is_empty() {
                *score += self.pairs.score(options.matrix_of(size), set, self.width);
            }
        }
    }
}

struct GradientRow<'a, R> {
    options: &'a TrainerOptions,
    candidates: &'a Candidates,
    first: usize,
    gradients: &'a [f64],
    logits: &'a mut [R],
}

impl<R: Real> Wide for GradientRow<'_, R> {
    #[inline(always)]
    fn run(self) {
        let alignment = self.options.candidates.alignment;
        let count = self.gradients.len();
        let mut entries: Vec<(u32, f64)> = Vec::with_capacity(count * 3);
        let (mut members, mut shares) = (0.0, [0.0; LARGEST_SET]);
        for (place, &gradient) in self.gradients.iter().enumerate() {
            let set = self.candidates.set(self.first + place);
            if set.is_empty() {
                continue;
            }
            align(alignment, self.logits, set, &mut shares);
            members += gradient * set.len() as f64;
            entries.extend(set.iter().zip(shares).map(|(&tool, share)| (tool, gradient * share)));
        }
        if is_log_softmax(self.options) {
            let all = log_sum(self.logits);
            for l in self.logits.iter_mut() {
                *l = R::of_gradient(-members * crate::exp(l.wide() - all));
            }
        } else {
            self.logits.fill(R::ZERO);
        }
        for (tool, gradient) in entries {
            self.logits[tool as usize] += R::of_gradient(gradient);
        }
    }
}

/// Copies the caller's candidates; each is checked.
fn fill(
    candidates: &mut Candidates,
    batch: usize,
    max_size: usize,
    tools: usize,
    sets: SetLists<'_>,
) -> Result<(), KernelError> {
    check_length("sets of queries", batch + 1, sets.queries.len())?;
    let ends = |what, ends: &[u32], count: usize| {
        if ends.first() == Some(&0) && ends.is_sorted() && ends.last() == Some(&(count as u32)) {
            return Ok(());
        }
        Err(out_of_range(
            what,
            "offsets that ascend from 0 to the number of entries",
            "others",
        ))
    };
    let count = sets.offsets.len().saturating_sub(1);
    ends("sets of queries", sets.queries, count)?;
    ends("sets", sets.offsets, sets.members.len())?;
    let places = sets
        .queries
        .windows(2)
        .map(|ends| (ends[1] - ends[0]) as usize)
        .max()
        .unwrap_or(0);
    candidates.reset(batch, places, max_size);
    for (query, ends) in sets.queries.windows(2).enumerate() {
        for (place, set) in (ends[0] as usize..ends[1] as usize).enumerate() {
            let members = &sets.members[sets.offsets[set] as usize..sets.offsets[set + 1] as usize];
            if !(1..=max_size).contains(&members.len()) {
                return Err(out_of_range("sets", "1 to maxSize tools in each", members.len()));
            }
            if let Some(&ordinal) = members.iter().find(|&&tool| tool as usize >= tools) {
                return Err(KernelError::UnknownOrdinal {
                    what: "sets",
                    ordinal,
                    rows: tools,
                });
            }
            let place = query * places + place;
            let target = &mut candidates.members[place * max_size..][..members.len()];
            target.copy_from_slice(members);
            target.sort_unstable();
            if !target.is_sorted_by(|one, other| one < other) {
                return Err(out_of_range("sets", "distinct tools in each", format!("set {set}")));
            }
            candidates.sizes[place] = members.len() as u8;
        }
    }
    Ok(())
}

impl<R: Real> Problem<R> {
    /// Whether a query takes part in the stage of sets.
    pub(super) fn has_set(&self, query: u32, max_size: usize) -> bool {
        (1..=max_size).contains(&self.gold.range(query as usize).len())
    }
}
