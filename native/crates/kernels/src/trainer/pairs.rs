//! The pair scores of candidate sets, `z_a` · `M_m` `z_b`, and their gradients.
//!
//! Only the tools that are in a candidate take part, in ascending order. `W_m = Z M_m` is computed once a batch, so that a pair costs an inner
//! product. With `Γ_m[a, b]` the sum of the gradients of a pair of a set of size m and `Y_m = Γ_m Z`, the gradient of `M_m` is `½ Zᵀ Y_m`, which is
//! symmetric, and that of Z is `Σ_m Y_m M_m`.

use super::arithmetic::{add_scaled, dot};
use super::gemm::{Engine, Into, Packing, View, multiply};
use super::options::TrainerOptions;
use super::real::{Real, Wide, at_level};
use super::sampling::Candidates;
use crate::threads::SharedSlice;

/// Memory and tables of a batch.
#[derive(Debug, Default)]
pub(super) struct Pairs<R> {
    /// Tools that are in a candidate of two or more, ascending.
    touched: Vec<u32>,
    /// The place of each tool in `touched`; what stands for others means nothing.
    local: Vec<u32>,
    /// Their embeddings, U × `d_z`.
    embeddings: Vec<R>,
    /// W, matrices × U × `d_z`.
    products: Vec<R>,
    /// Y, matrices × U × `d_z`.
    sums: Vec<R>,
    /// Entries of Γ by matrix and row: where those of each begin, the other tool, the gradient.
    starts: Vec<u32>,
    others: Vec<u32>,
    factors: Vec<R>,
    gradient: Vec<R>,
}

impl<R: Real> Pairs<R> {
    /// Lists the tools and computes W.
    pub(super) fn prepare(
        &mut self,
        engine: Engine<'_>,
        packing: &mut Packing<R>,
        candidates: &Candidates,
        embeddings: &[R],
        interactions: &[R],
        width: usize,
    ) {
        let tools = embeddings.len() / width;
        self.local.clear();
        self.local.resize(tools, 0);
        for place in 0..candidates.sizes.len() {
            let set = candidates.set(place);
            if set.len() > 1 {
                for &tool in set {
                    self.local[tool as usize] = 1;
                }
            }
        }
        self.touched.clear();
        self.embeddings.clear();
        for (tool, local) in self.local.iter_mut().enumerate() {
            if *local == 1 {
                *local = self.touched.len() as u32;
                self.touched.push(tool as u32);
                self.embeddings.extend_from_slice(&embeddings[tool * width..][..width]);
            }
        }
        let rows = self.touched.len();
        let matrices = interactions.len() / (width * width);
        self.products.resize(matrices * rows * width, R::ZERO);
        if rows * matrices == 0 {
            return;
        }
        let touched = View::new(&self.embeddings, rows, width);
        for (matrix, product) in interactions
            .chunks_exact(width * width)
            .zip(self.products.chunks_exact_mut(rows * width))
        {
            multiply(
                engine,
                packing,
                touched,
                View::new(matrix, width, width),
                Into::Set,
                product,
            );
        }
    }

    /// `Σ_{a<b} z_a · M_m z_b` of a set of two or more. `#[inline(always)]`, so that the loop is as wide as the caller's level.
    #[inline(always)]
    pub(super) fn score(&self, matrix: usize, set: &[u32], width: usize) -> f64 {
        let products = &self.products[matrix * self.touched.len() * width..];
        let mut sum = 0.0;
        for (position, &a) in set.iter().enumerate() {
            let row = &self.embeddings[self.local[a as usize] as usize * width..][..width];
            for &b in &set[position + 1..] {
                let product = &products[self.local[b as usize] as usize * width..][..width];
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
        let matrices = interactions.len() / (width * width);
        if rows * matrices == 0 || (of_interactions.is_none() && of_embeddings.is_none()) {
            return;
        }
        self.list_entries(options, candidates, gradients, matrices);
        self.sums.resize(matrices * rows * width, R::ZERO);
        let target = SharedSlice::new(&mut self.sums);
        let (embeddings, starts) = (&self.embeddings, &self.starts);
        let (others, factors) = (&self.others, &self.factors);
        engine.threads.run((matrices * rows).div_ceil(ROWS), &|part| {
            let rows = part * ROWS..((part + 1) * ROWS).min(matrices * rows);
            // SAFETY: each part has rows of its own and is handed out once.
            let sums = unsafe { target.part(rows.start * width..rows.end * width) };
            let starts = &starts[rows.start..=rows.end];
            let entries = (&others[..], &factors[..]);
            at_level(
                engine.simd,
                SumRows {
                    starts,
                    entries,
                    embeddings,
                    width,
                    sums,
                },
            );
        });
        let touched = View::new(&self.embeddings, rows, width);
        if let Some(target) = of_interactions {
            self.gradient.resize(width * width, R::ZERO);
            let half = R::of(0.5);
            for (target, sums) in target
                .chunks_exact_mut(width * width)
                .zip(self.sums.chunks_exact(rows * width))
            {
                let sums = View::new(sums, rows, width);
                multiply(
                    engine,
                    packing,
                    touched.transpose(),
                    sums,
                    Into::Set,
                    &mut self.gradient,
                );
                for (target, &value) in target.iter_mut().zip(&self.gradient) {
                    *target += half * value;
                }
            }
        }
        if let Some(target) = of_embeddings {
            self.gradient.clear();
            self.gradient.resize(rows * width, R::ZERO);
            for (matrix, sums) in interactions
                .chunks_exact(width * width)
                .zip(self.sums.chunks_exact(rows * width))
            {
                let sums = View::new(sums, rows, width);
                let matrix = View::new(matrix, width, width);
                multiply(engine, packing, sums, matrix, Into::Add, &mut self.gradient);
            }
            for (&tool, row) in self.touched.iter().zip(self.gradient.chunks_exact(width)) {
                for (target, &value) in target[tool as usize * width..].iter_mut().zip(row) {
                    *target += value;
                }
            }
        }
    }

    /// Sorts the entries of Γ by matrix and row, those of a row in the order of the candidates.
    fn list_entries(&mut self, options: &TrainerOptions, candidates: &Candidates, gradients: &[f64], matrices: usize) {
        let rows = self.touched.len();
        let local = &self.local;
        let each = |visit: &mut dyn FnMut(usize, u32, f64)| {
            for (place, &gradient) in gradients.iter().enumerate() {
                let set = candidates.set(place);
                if set.len() < 2 {
                    continue;
                }
                let first = options.matrix_of(set.len()) * rows;
                for (position, &a) in set.iter().enumerate() {
                    let a = local[a as usize];
                    for &b in &set[position + 1..] {
                        let b = local[b as usize];
                        visit(first + a as usize, b, gradient);
                        visit(first + b as usize, a, gradient);
                    }
                }
            }
        };
        self.starts.clear();
        self.starts.resize(matrices * rows + 1, 0);
        each(&mut |row, _, _| self.starts[row] += 1);
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.others.resize(total as usize, 0);
        self.factors.resize(total as usize, R::ZERO);
        // Filled from the end of each row to its beginning, so that the starts end up at the beginnings; the order within a row is turned
        // around, which is an order like another.
        each(&mut |row, other, gradient| {
            self.starts[row] -= 1;
            let place = self.starts[row] as usize;
            self.others[place] = other;
            self.factors[place] = R::of(gradient);
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
