//! The pair scores of candidate sets, `z_a` · `M_m` `z_b`, and their gradients.
//!
//! Only the tools that are in a candidate of a size take part in it, in ascending order. `W_m = Z M_m` is computed once a batch, so that a pair costs an inner
//! product. With `Γ_m[a, b]` the sum of the gradients of a pair of a set of size m and `Y_m = Γ_m Z`, the gradient of `M_m` is `½ Zᵀ Y_m`, which is
//! symmetric, and that of Z is `Σ_m Y_m M_m`.

use super::arithmetic::{add_scaled, dot};
use super::gemm::{Engine, Into, Packing, View, multiply};
use super::options::TrainerOptions;
use super::real::{Real, Wide, at_level};
use super::sampling::Candidates;
use crate::threads::SharedSlice;

/// Memory and tables of a batch. A row is a tool in a candidate of a size that has this matrix; rows go by matrix, then by tool.
#[derive(Debug, Default)]
pub(super) struct Pairs<R> {
    /// Where the rows of each matrix begin, and the end.
    firsts: Vec<usize>,
    /// The tool of each row.
    touched: Vec<u32>,
    /// The row of each tool, a library a matrix; what stands for those without one means nothing.
    local: Vec<u32>,
    /// Z, rows × `d_z`.
    embeddings: Vec<R>,
    /// W, rows × `d_z`.
    products: Vec<R>,
    /// Y, rows × `d_z`.
    sums: Vec<R>,
    /// Entries of Γ by row: where those of each begin, the row of the other tool, the gradient.
    starts: Vec<u32>,
    others: Vec<u32>,
    factors: Vec<R>,
    gradient: Vec<R>,
}

impl<R: Real> Pairs<R> {
    /// Lists the rows and computes W.
    #[allow(clippy::too_many_arguments, reason = "a step of one algorithm")]
    pub(super) fn prepare(
        &mut self,
        engine: Engine<'_>,
        packing: &mut Packing<R>,
        options: &TrainerOptions,
        candidates: &Candidates,
        embeddings: &[R],
        interactions: &[R],
        width: usize,
    ) {
        let tools = embeddings.len() / width;
        self.list_rows(options, candidates, tools);
        self.embeddings.clear();
        for &tool in &self.touched {
            self.embeddings
                .extend_from_slice(&embeddings[tool as usize * width..][..width]);
        }
        self.products.resize(self.embeddings.len(), R::ZERO);
        for (matrix, ends) in interactions.chunks_exact(width * width).zip(self.firsts.windows(2)) {
            let range = ends[0] * width..ends[1] * width;
            let rows = View::new(&self.embeddings[range.clone()], ends[1] - ends[0], width);
            let matrix = View::new(matrix, width, width);
            multiply(engine, packing, rows, matrix, Into::Set, &mut self.products[range]);
        }
    }

    fn list_rows(&mut self, options: &TrainerOptions, candidates: &Candidates, tools: usize) {
        const MARK: u32 = 1;
        let matrices = options.matrices();
        self.local.clear();
        self.local.resize(matrices * tools, 0);
        self.firsts.clear();
        self.firsts.push(0);
        self.touched.clear();
        if matrices == 0 {
            return;
        }
        for place in 0..candidates.sizes.len() {
            let set = candidates.set(place);
            if set.len() > 1 {
                let library = options.matrix_of(set.len()) * tools;
                for &tool in set {
                    self.local[library + tool as usize] = MARK;
                }
            }
        }
        for library in self.local.chunks_exact_mut(tools) {
            for (tool, local) in library.iter_mut().enumerate() {
                if *local == MARK {
                    *local = self.touched.len() as u32;
                    self.touched.push(tool as u32);
                }
            }
            self.firsts.push(self.touched.len());
        }
    }

    /// `Σ_{a<b} z_a · M_m z_b` of a set of two or more. `#[inline(always)]`, so that the loop is as wide as the caller's level.
    #[inline(always)]
    pub(super) fn score(&self, matrix: usize, set: &[u32], width: usize) -> f64 {
        let tools = self.local.len() / (self.firsts.len() - 1);
        let local = &self.local[matrix * tools..];
        let mut sum = 0.0;
        for (position, &a) in set.iter().enumerate() {
            let row = &self.embeddings[local[a as usize] as usize * width..][..width];
            for &b in &set[position + 1..] {
                let product = &self.products[local[b as usize] as usize * width..][..width];
                sum += dot(row, product).wide();
            }
        }
        sum
    }

    /// Computes Y from the gradients of the scores of all places, and adds the gradients of M and of Z where they are asked for.
    #[allow(clippy::too_many_arguments, reason = "a step of one algorithm")]
    pub(super) fn back(
        &mut self,
        engine: Engine<'_>,
        packing: &mut Packing<R>,
        options: &TrainerOptions,
        candidates: &Candidates,
        gradients: &[f64],
        interactions: &[R],
        width: usize,
        of_interactions: Option<&mut [R]>,
        of_embeddings: Option<&mut [R]>,
    ) {
        let rows = self.touched.len();
        if rows == 0 || (of_interactions.is_none() && of_embeddings.is_none()) {
            return;
        }
        self.list_entries(options, candidates, gradients);
        self.sums.resize(rows * width, R::ZERO);
        let target = SharedSlice::new(&mut self.sums);
        let (embeddings, starts) = (&self.embeddings, &self.starts);
        let (others, factors) = (&self.others, &self.factors);
        engine.threads.run(rows.div_ceil(ROWS), &|part| {
            let rows = part * ROWS..((part + 1) * ROWS).min(rows);
            // SAFETY: each part has rows of its own and is handed out once.
            let sums = unsafe { target.part(rows.start * width..rows.end * width) };
            let work = SumRows {
                starts: &starts[rows.start..=rows.end],
                entries: (&others[..], &factors[..]),
                embeddings,
                width,
                sums,
            };
            at_level(engine.simd, work);
        });
        let parts = self
            .firsts
            .windows(2)
            .map(|ends| (ends[0] * width..ends[1] * width, ends[1] - ends[0]));
        if let Some(target) = of_interactions {
            self.gradient.resize(width * width, R::ZERO);
            let half = R::of(0.5);
            for (target, (range, rows)) in target.chunks_exact_mut(width * width).zip(parts.clone()) {
                let touched = View::new(&self.embeddings[range.clone()], rows, width).transpose();
                let sums = View::new(&self.sums[range], rows, width);
                multiply(engine, packing, touched, sums, Into::Set, &mut self.gradient);
                for (target, &value) in target.iter_mut().zip(&self.gradient) {
                    *target += half * value;
                }
            }
        }
        if let Some(target) = of_embeddings {
            self.gradient.resize(rows * width, R::ZERO);
            for (matrix, (range, rows)) in interactions.chunks_exact(width * width).zip(parts) {
                let sums = View::new(&self.sums[range.clone()], rows, width);
                let matrix = View::new(matrix, width, width);
                multiply(engine, packing, sums, matrix, Into::Set, &mut self.gradient[range]);
            }
            for (&tool, row) in self.touched.iter().zip(self.gradient.chunks_exact(width)) {
                for (target, &value) in target[tool as usize * width..].iter_mut().zip(row) {
                    *target += value;
                }
            }
        }
    }

    /// Sorts the entries of Γ by row, those of a row in one order.
    fn list_entries(&mut self, options: &TrainerOptions, candidates: &Candidates, gradients: &[f64]) {
        let tools = self.local.len() / (self.firsts.len() - 1);
        let local = &self.local;
        let each = |visit: &mut dyn FnMut(u32, u32, f64)| {
            for (place, &gradient) in gradients.iter().enumerate() {
                let set = candidates.set(place);
                if set.len() < 2 {
                    continue;
                }
                let local = &local[options.matrix_of(set.len()) * tools..];
                for (position, &a) in set.iter().enumerate() {
                    let a = local[a as usize];
                    for &b in &set[position + 1..] {
                        let b = local[b as usize];
                        visit(a, b, gradient);
                        visit(b, a, gradient);
                    }
                }
            }
        };
        self.starts.clear();
        self.starts.resize(self.touched.len() + 1, 0);
        each(&mut |row, _, _| self.starts[row as usize] += 1);
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.others.resize(total as usize, 0);
        self.factors.resize(total as usize, R::ZERO);
        // Filled from the end of each row to its beginning, so that the starts end up at the beginnings.
        each(&mut |row, other, gradient| {
            let place = &mut self.starts[row as usize];
            *place -= 1;
            self.others[*place as usize] = other;
            self.factors[*place as usize] = R::of_gradient(gradient);
        });
    }

    pub(super) fn bytes(&self) -> usize {
        let words = [&self.touched, &self.local, &self.starts, &self.others];
        let reals = [
            &self.embeddings,
            &self.products,
            &self.sums,
            &self.factors,
            &self.gradient,
        ];
        words.map(|values| values.capacity() * 4).iter().sum::<usize>()
            + reals
                .map(|values| values.capacity() * size_of::<R>())
                .iter()
                .sum::<usize>()
    }
}

/// Rows of Y that are worth handing out.
const ROWS: usize = 32;

struct SumRows<'a, R> {
    starts: &'a [u32],
    entries: (&'a [u32], &'a [R]),
    embeddings: &'a [R],
    width: usize,
    sums: &'a mut [R],
}

impl<R: Real> Wide for SumRows<'_, R> {
    #[inline(always)]
    fn run(self) {
        let (others, factors) = self.entries;
        for (row, sums) in self.sums.chunks_exact_mut(self.width).enumerate() {
            sums.fill(R::ZERO);
            let range = self.starts[row] as usize..self.starts[row + 1] as usize;
            for (&other, &factor) in others[range.clone()].iter().zip(&factors[range]) {
                add_scaled(
                    factor,
                    &self.embeddings[other as usize * self.width..][..self.width],
                    sums,
                );
            }
        }
    }
}
