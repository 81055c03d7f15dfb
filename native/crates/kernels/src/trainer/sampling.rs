//! The candidate sets of a query: its gold set, then negatives from five sources.
//!
//! 1. Uniform: as many tools as gold has, from a part of the library that the batch shares.
//! 2. In batch: the gold set of another query of the batch.
//! 3. Neighbours: one or two tools of gold replaced by near ones under Z (HYSET, section 2.4).
//! 4. Own: one or two tools replaced by tools that the model likes best beside gold.
//! 5. Size: one such tool added, or one of gold dropped.
//!
//! A negative has distinct tools, is not gold and not drawn before; what is not found in some tries is left out.

use super::options::SOURCES;
use super::problem::{IdenticalQueries, Lists, hash_of};
use super::random::Random;
use super::real::Real;

/// How often a negative is drawn anew before its place stays empty.
const TRIES: usize = 8;

/// What became of the negatives of one source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Sets that were drawn.
    pub drawn: u64,
    /// Places that stayed empty.
    pub missed: u64,
    /// Drawn sets that hold all of gold.
    pub supersets: u64,
    /// Drawn sets that gold holds.
    pub subsets: u64,
    /// Drawn sets that are the gold set of another query with the same vector.
    pub identical: u64,
}

/// Candidate sets of the queries of a batch, in places of equal number and room; gold stands in the first place.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// Places a query.
    pub(super) places: usize,
    /// Members a place has room for.
    pub(super) room: usize,
    /// How many members each place has; 0 where it is empty.
    pub(super) sizes: Vec<u8>,
    /// Ascending within a set.
    pub(super) members: Vec<u32>,
}

impl Candidates {
    pub(super) fn reset(&mut self, queries: usize, places: usize, room: usize) {
        self.places = places;
        self.room = room;
        self.sizes.clear();
        self.sizes.resize(queries * places, 0);
        self.members.clear();
        self.members.resize(queries * places * room, 0);
    }

    /// The set in a place; empty where the place is.
    #[inline]
    pub(super) fn set(&self, place: usize) -> &[u32] {
        &self.members[place * self.room..][..self.sizes[place] as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        self.sizes.capacity() + self.members.capacity() * size_of::<u32>()
    }
}

/// What the sets of one query are drawn from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sampling<'a> {
    pub(super) gold: &'a Lists,
    /// Queries of the batch.
    pub(super) batch: &'a [u32],
    pub(super) negatives: [usize; SOURCES],
    pub(super) max_size: usize,
    /// Tools of uniform sets.
    pub(super) uniform: &'a [u32],
    /// Near tools: of each tool as many, `near_width` of them, at its place in `near_place`.
    pub(super) near: &'a [u32],
    pub(super) near_width: usize,
    pub(super) near_place: &'a [u32],
    pub(super) identical: &'a IdenticalQueries,
}

/// The places of one query.
pub(super) struct Row<'a> {
    pub(super) sizes: &'a mut [u8],
    pub(super) members: &'a mut [u32],
    pub(super) counts: &'a mut [SourceCounts; SOURCES],
}

impl Sampling<'_> {
    /// Fills the places of the query at `position` of the batch; `own` are tools that the model likes best, without gold.
    pub(super) fn fill(&self, position: usize, own: &[u32], random: &mut Random, row: &mut Row<'_>) {
        let query = self.batch[position] as usize;
        let gold = self.gold.row(query);
        let room = self.max_size;
        row.members[..gold.len()].copy_from_slice(gold);
        row.sizes[0] = gold.len() as u8;
        let mut drawn = [0; MOST];
        let mut place = 1;
        for (source, counts) in row.counts.iter_mut().enumerate() {
            for _ in 0..self.negatives[source] {
                let size = (0..TRIES).find_map(|_| {
                    let size = self.draw(source, position, gold, own, random, &mut drawn)?;
                    let set = &mut drawn[..size];
                    set.sort_unstable();
                    let fresh = set.is_sorted_by(|one, other| one < other)
                        && (0..place).all(|other| row.members[other * room..][..row.sizes[other] as usize] != *set);
                    fresh.then_some(size)
                });
                match size {
                    None => counts.missed += 1,
                    Some(size) => {
                        let set = &drawn[..size];
                        counts.drawn += 1;
                        counts.supersets += u64::from(holds(set, gold));
                        counts.subsets += u64::from(holds(gold, set));
                        counts.identical += u64::from(self.identical.have(query, hash_of(set)));
                        row.members[place * room..][..size].copy_from_slice(set);
                        row.sizes[place] = size as u8;
                    }
                }
                place += 1;
            }
        }
    }

    /// Draws one set into `set`, in any order; it may hold a tool twice or be one that there is already.
    fn draw(
        &self,
        source: usize,
        position: usize,
        gold: &[u32],
        own: &[u32],
        random: &mut Random,
        set: &mut [u32; MOST],
    ) -> Option<usize> {
        let size = gold.len();
        match source {
            0 => {
                if self.uniform.len() < size {
                    return None;
                }
                for member in &mut set[..size] {
                    *member = self.uniform[random.below(self.uniform.len())];
                }
                Some(size)
            }
            1 => {
                if self.batch.len() < 2 {
                    return None;
                }
                let other = random.below(self.batch.len() - 1);
                let other = self
                    .gold
                    .row(self.batch[other + usize::from(other >= position)] as usize);
                set[..other.len()].copy_from_slice(other);
                Some(other.len())
            }
            2 | 3 => {
                let own = if source == 2 { None } else { Some(own) };
                if own.map_or(self.near_width, <[u32]>::len) == 0 {
                    return None;
                }
                set[..size].copy_from_slice(gold);
                let two = random.coin() && size > 1;
                let first = random.below(size);
                set[first] = self.replacement(gold[first], own, random);
                if two {
                    let second = (first + 1 + random.below(size - 1)) % size;
                    set[second] = self.replacement(gold[second], own, random);
                }
                Some(size)
            }
            _ => {
                let grow = (random.coin() || size == 1) && size < self.max_size;
                set[..size].copy_from_slice(gold);
                if grow && !own.is_empty() {
                    set[size] = own[random.below(own.len())];
                    return Some(size + 1);
                }
                if size == 1 {
                    return None;
                }
                let dropped = random.below(size);
                set[dropped] = set[size - 1];
                Some(size - 1)
            }
        }
    }

    fn replacement(&self, tool: u32, own: Option<&[u32]>, random: &mut Random) -> u32 {
        let choice = own.unwrap_or_else(|| {
            let place = self.near_place[tool as usize] as usize;
            &self.near[place * self.near_width..][..self.near_width]
        });
        choice[random.below(choice.len())]
    }
}

/// The largest set that is scored, and one more.
const MOST: usize = crate::hyperedge::LARGEST_SET + 1;

/// Whether all of `part` is in `whole`; both ascend.
fn holds(whole: &[u32], part: &[u32]) -> bool {
    part.iter().all(|tool| whole.binary_search(tool).is_ok())
}

/// The `count` tools of the largest scores, best first, without `left_out` (ascending); equal scores go to the lower tool. `best` has room.
pub(super) fn best_tools<R: Real>(scores: &[R], left_out: &[u32], count: usize, best: &mut Vec<u32>) {
    best.clear();
    if count == 0 {
        return;
    }
    for (tool, score) in scores.iter().enumerate() {
        let full = best.len() == count;
        // Later tools of an equal score come behind, and what is no number is not among the best.
        let beats = |other: u32| *score > scores[other as usize];
        if full && !beats(best[count - 1]) || left_out.binary_search(&(tool as u32)).is_ok() {
            continue;
        }
        if full {
            best.pop();
        }
        let place = best.partition_point(|&other| !beats(other));
        best.insert(place, tool as u32);
    }
}

impl SourceCounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.drawn += other.drawn;
        self.missed += other.missed;
        self.supersets += other.supersets;
        self.subsets += other.subsets;
        self.identical += other.identical;
    }
}
