//! Deficit-oriented expansion (`HyperAgent`, Definitions 5 and 6, equations 3 to 5): a beam search for small sets of
//! tools that together make everything they need.
//!
//! A candidate is a terminal tool and the tools added to it. An input is *missing* when it is required by a chosen
//! tool, not given, and no retained link brings it. One step adds one tool e to one candidate with the missing inputs
//! M:
//!
//! - Ω(e, M) = factor(e) · Σ ρ(e, r) over r ∈ M, in float64, the sum over r in ascending order, then the product. The
//!   K allowed tools with the largest Ω > 0 are tried, of equals the lower ones.
//! - The new tool is linked to every r ∈ M with ρ(e, r) > 0. Each of its own inputs that is not given is linked to
//!   the tool chosen before that supports it most (of equals the lower one), unless that tool depends on e through
//!   the links: a cycle never resolves itself, and the links always have an order of calls. What stays without a link
//!   is missing.
//! - The total of a candidate is its parent's plus Ω, in float64.
//!
//! Candidates are ordered by fewer missing inputs, fewer tools, larger total, then the ascending ordinals of their
//! tools, then those of their missing inputs, then the terminal. Of candidates with the same tools and the same missing
//! inputs the one with the larger total stays, of equals the one whose parent comes first. Complete candidates leave
//! the beam; the B best others are expanded next. A terminal without a complete candidate answers with the best that
//! were kept.
//!
//! There is nothing here for SIMD: the work is looking things up, so that every level runs this code.

mod answer;
mod beam;
mod candidates;
mod expansion;
mod graph;
mod run;
mod search;

pub use answer::DeficitAnswer;
pub use graph::Producers;
pub use search::{DeficitLimits, DeficitQuery, DeficitScratch, DeficitSearch, LARGEST_BEAM};

/// The most tools in a candidate: which of them depend on which is the bits of one word.
pub const MOST_TOOLS: u32 = 32;
