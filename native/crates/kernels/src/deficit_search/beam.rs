//! The best children of one step, before any of them is made.

use std::cmp::Ordering;

use super::candidates::{Arena, Child, Outcome};

/// A child in the beam; what comes of it stands in [`Beam::words`] from `start` on.
#[derive(Debug, Clone, Copy)]
struct Place {
    child: Child,
    start: u32,
    cover: u32,
    missing: u32,
    links: u32,
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
        let worst = &self.places[self.width - 1];
        missing > worst.missing || (missing == worst.missing && total < worst.child.total)
    }

    /// Takes a child in, unless it has an equal or enough better ones.
    pub(crate) fn offer(&mut self, child: Child, outcome: Outcome<'_>, arena: &Arena) {
        if let Some(equal) = self
            .places
            .iter()
            .position(|place| self.is_equal(place, &child, outcome, arena))
        {
            if child.total <= self.places[equal].child.total {
                return;
            }
            self.places.remove(equal);
        }
        let at = self
            .places
            .partition_point(|place| self.compare(place, &child, outcome, arena) == Ordering::Less);
        if at >= self.width {
            return;
        }
        self.places.truncate(self.width - 1);
        let start = self.words.len() as u32;
        for list in [outcome.cover, outcome.missing, outcome.link_inputs, outcome.link_steps] {
            self.words.extend_from_slice(list);
        }
        let place = Place {
            child,
            start,
            cover: outcome.cover.len() as u32,
            missing: outcome.missing.len() as u32,
            links: outcome.link_inputs.len() as u32,
        };
        self.places.insert(at, place);
    }

    /// The children and what comes of them, best first.
    pub(crate) fn children(&self) -> impl Iterator<Item = (&Child, Outcome<'_>)> {
        self.places.iter().map(|place| (&place.child, self.outcome(place)))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>() + self.words.capacity() * size_of::<u32>()
    }

    /// The same tools, and the same is missing.
    fn is_equal(&self, place: &Place, child: &Child, outcome: Outcome<'_>, arena: &Arena) -> bool {
        place.child.signature == child.signature
            && self.outcome(place).missing == outcome.missing
            && place.child.tools(arena).eq(child.tools(arena))
    }

    fn compare(&self, place: &Place, child: &Child, outcome: Outcome<'_>, arena: &Arena) -> Ordering {
        (place.missing as usize)
            .cmp(&outcome.missing.len())
            .then_with(|| child.total.total_cmp(&place.child.total))
            .then_with(|| place.child.tools(arena).cmp(child.tools(arena)))
            .then_with(|| self.outcome(place).missing.cmp(outcome.missing))
    }

    fn outcome(&self, place: &Place) -> Outcome<'_> {
        let (cover, rest) = self.words[place.start as usize..].split_at(place.cover as usize);
        let (missing, rest) = rest.split_at(place.missing as usize);
        let (link_inputs, rest) = rest.split_at(place.links as usize);
        Outcome {
            cover,
            missing,
            link_inputs,
            link_steps: &rest[..place.links as usize],
        }
    }
}

impl Child {
    /// Its tools in ascending order.
    fn tools<'a>(&self, arena: &'a Arena) -> impl Iterator<Item = u32> + 'a {
        let sorted = arena.sorted(self.parent);
        let (before, behind) = sorted.split_at(sorted.partition_point(|&tool| tool < self.tool));
        before.iter().copied().chain([self.tool]).chain(behind.iter().copied())
    }
}
