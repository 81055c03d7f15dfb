//! The best children of one step, before any of them is made.

use std::cmp::Ordering;

use super::candidates::{Arena, Child, are_same_sets, compare_sets};

/// A child in the beam; what comes of it stands in [`Beam::words`] from `start` on.
#[derive(Debug, Clone, Copy)]
struct Place {
    child: Child,
    start: u32,
    length: u32,
}

/// At most `width` children, best first.
#[derive(Debug, Default)]
pub(crate) struct Beam {
    places: Vec<Place>,
    words: Vec<u32>,
    width: usize,
}

impl Beam {
    pub(crate) fn restart(&mut self, width: usize) {
        self.places.clear();
        self.words.clear();
        self.width = width;
    }

    /// Whether a child with at least so many missing inputs and this total stays outside.
    #[inline]
    pub(crate) fn rejects(&self, missing: u32, total: f64) -> bool {
        if self.places.len() < self.width {
            return false;
        }
        let worst = &self.places[self.width - 1].child;
        missing > worst.counts.missing || (missing == worst.counts.missing && total < worst.total)
    }

    /// Takes a child in, unless it has an equal or enough better ones.
    pub(crate) fn offer(&mut self, child: Child, outcome: &[u32], arena: &Arena) {
        let missing = &outcome[..child.counts.missing as usize];
        let equal = self.places.iter().position(|place| {
            place.child.signature == child.signature
                && self.missing(place) == missing
                && are_same_sets(place.child.tools(arena), child.tools(arena))
        });
        if let Some(equal) = equal {
            if child.total <= self.places[equal].child.total {
                return;
            }
            self.places.remove(equal);
        }
        let mut at = self.places.len();
        while at > 0 && self.compare(&self.places[at - 1], &child, missing, arena) == Ordering::Greater {
            at -= 1;
        }
        if at < self.width {
            let start = self.words.len() as u32;
            self.words.extend_from_slice(outcome);
            self.places.truncate(self.width - 1);
            let length = outcome.len() as u32;
            self.places.insert(at, Place { child, start, length });
        }
    }

    /// The children and what comes of them, best first.
    pub(crate) fn children(&self) -> impl Iterator<Item = (&Child, &[u32])> {
        self.places.iter().map(|place| {
            let outcome = &self.words[place.start as usize..][..place.length as usize];
            (&place.child, outcome)
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>() + self.words.capacity() * size_of::<u32>()
    }

    fn compare(&self, place: &Place, child: &Child, missing: &[u32], arena: &Arena) -> Ordering {
        (place.child.counts.missing.cmp(&child.counts.missing))
            .then_with(|| child.total.total_cmp(&place.child.total))
            .then_with(|| {
                let ((left, tool), (right, other)) = (place.child.tools(arena), child.tools(arena));
                compare_sets((left, Some(tool)), (right, Some(other)))
            })
            .then_with(|| self.missing(place).cmp(missing))
    }

    fn missing(&self, place: &Place) -> &[u32] {
        &self.words[place.start as usize..][..place.child.counts.missing as usize]
    }
}

impl Child {
    /// Its parent's tools, and its own.
    fn tools<'a>(&self, arena: &'a Arena) -> (&'a [u32], u32) {
        (arena.tools(self.parent), self.tool)
    }
}
