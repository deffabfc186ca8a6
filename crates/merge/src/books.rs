//! What merging did, by the place of the fork with which fragments began.

use std::collections::BTreeMap;
use strata_interp::Apart;

/// What became of the fragments that began at one place.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many ended with all their states landed.
    pub fragments: u64,
    /// States that landed.
    pub landed: u64,
    /// States that went on.
    pub went_on: u64,
    /// States that became as others were at the start of a round, and were merged there.
    pub united: u64,
    /// States that were dropped for that: they come again of the merged ones.
    pub dropped: u64,
    /// States that stand for a regular pattern.
    pub patterns: u64,
    /// Fragments that grew beyond the budget: their states go on as forks.
    pub released: u64,
    /// Why states were not merged, and how often.
    pub apart: BTreeMap<Apart, u64>,
}

/// By place (an index into the program's places).
#[derive(Clone, Debug, Default)]
pub struct Books {
    places: BTreeMap<u32, Tally>,
}

impl Books {
    /// The tally of a place.
    pub(crate) fn at(&mut self, place: u32) -> &mut Tally {
        self.places.entry(place).or_default()
    }

    /// Places and tallies.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Tally)> {
        self.places.iter().map(|(place, tally)| (*place, tally))
    }

    /// Adds what another worker did.
    pub fn add(&mut self, other: &Books) {
        for (place, theirs) in &other.places {
            let tally = self.at(*place);
            tally.fragments += theirs.fragments;
            tally.landed += theirs.landed;
            tally.went_on += theirs.went_on;
            tally.patterns += theirs.patterns;
            tally.united += theirs.united;
            tally.dropped += theirs.dropped;
            tally.released += theirs.released;
            for (why, count) in &theirs.apart {
                *tally.apart.entry(*why).or_default() += count;
            }
        }
    }
}
