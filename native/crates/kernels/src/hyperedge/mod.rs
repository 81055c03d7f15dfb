//! Exact search over sets of tools: which sets of at most M of K candidates score best.
//!
//! The score is that of HYSET (equations 1 to 3), `F(E) = alignment + Σ_{a<b} G_m[a, b] + c_m` for a set E of m tools, where
//! `G_m[a, b]` stands for `z_a' M_m z_b`, and the alignment is `Σ l_t` (sum) or `Σ softmax(l)_t · l_t` over the members
//! (softmax). See [`Problem::score`] for the order of arithmetic that defines it.

mod best_sets;
mod branch_and_bound;
mod distribution;
mod eight;
mod enumeration;
mod marginal_gain;
mod plain;
mod problem;
mod scan;
mod search;
mod seed;
mod tables;
mod walk;
mod weight;

pub use best_sets::{BestSets, RankedSet};
pub use branch_and_bound::{BranchAndBoundScratch, search_by_bounds};
pub use enumeration::SetSearch;
pub use marginal_gain::{MarginalGainScratch, Rankings, rank_by_marginal_gain};
pub use plain::enumerate_plainly;
pub use problem::{Alignment, Constraints, HyperedgeRequest, LARGEST_POOL, LARGEST_SET, Problem};
