//! A box around a point: as far along each variable as the constraints hold on all of it.
//!
//! From a point at which the constraints hold, and within a box that bounds the growth, each variable has two directions. All of the bounds are tried first. Then the
//! directions take turns, one trial each, between the farthest that was accepted and the nearest that was refused: what was refused stays refused, since the others
//! only grow. Turns and not one direction after the other: with x + y < 10 from (0, 0), x would take all there is. On x < y from a point of the middle this
//! meets about where ASE's second observation cuts.
//!
//! Magnitudes are found before digits: a bound 2^32 away and room for three are nine trials apart, not thirty-two.

use super::plan::Plan;
use strata_domain::{Domain, Strided, StridedSet};
use strata_term::mask;

/// Trials of one direction, at most.
const TURNS: u32 = 24;

/// One way along a variable, in steps of its stride.
struct Way {
    variable: usize,
    up: bool,
    /// Accepted.
    good: u64,
    /// Refused, or one more than there are.
    bad: u64,
}

impl Way {
    /// The next trial.
    fn next(&self) -> Option<u64> {
        if self.bad - self.good <= 1 {
            return None;
        }
        let low = self.good.max(1);
        if self.bad / low > 4 {
            let middle = 1u64 << ((low.ilog2() + self.bad.ilog2()) / 2);
            return Some(middle.clamp(self.good + 1, self.bad - 1));
        }
        Some(self.good + (self.bad - self.good) / 2)
    }
}

/// The member of a set that a point lies in; all round the circle, the circle begins opposite the point.
fn around(set: &StridedSet, point: u64) -> Option<Strided> {
    let (width, all) = (set.width(), mask(set.width()));
    let whole = set.members().iter().any(|member| member.stride == 1 && member.hi.wrapping_sub(member.lo) & all == all);
    if whole {
        let half = all / 2 + 1;
        return Some(Strided::new(width, point.wrapping_sub(half) & all, point.wrapping_add(half - 1) & all, 1));
    }
    set.members().iter().copied().find(|member| StridedSet::one(width, *member).contains(point))
}

fn between(width: u32, piece: &Strided, point: u64, down: u64, up: u64) -> StridedSet {
    let lo = point.wrapping_sub(down * piece.stride) & mask(width);
    let hi = point.wrapping_add(up * piece.stride) & mask(width);
    StridedSet::one(width, Strided::new(width, lo, hi, piece.stride))
}

/// A box around `point` and within `bounds`, on all of which the constraints of the plan hold; `None` if they cannot be shown to hold at the point itself. At most so
/// many nodes are computed.
pub fn grow(plan: &mut Plan, bounds: &[StridedSet], point: &[u64], budget: usize) -> Option<Vec<StridedSet>> {
    plan.run(bounds);
    if plan.holds() {
        return Some(bounds.to_vec());
    }
    let mut sets: Vec<StridedSet> =
        point.iter().zip(bounds).map(|(value, set)| StridedSet::constant(set.width(), *value)).collect();
    plan.run(&sets);
    if !plan.holds() {
        return None;
    }
    let pieces: Vec<Strided> =
        bounds.iter().zip(point).map(|(set, value)| around(set, *value)).collect::<Option<_>>()?;
    let mut ways: Vec<Way> = Vec::with_capacity(2 * point.len());
    for (variable, (piece, value)) in pieces.iter().zip(point).enumerate().filter(|(_, (piece, _))| piece.stride > 0) {
        let all = mask(bounds[variable].width());
        let room =
            [value.wrapping_sub(piece.lo), piece.hi.wrapping_sub(*value)].map(|room| (room & all) / piece.stride);
        for (up, room) in [false, true].into_iter().zip(room).filter(|(_, room)| *room > 0) {
            ways.push(Way { variable, up, good: 0, bad: room.saturating_add(1) });
        }
    }
    let limit = plan.spent + budget;
    for turn in 0..TURNS {
        for number in 0..ways.len() {
            let way = &ways[number];
            let Some(next) = (if turn == 0 { Some(way.bad - 1) } else { way.next() }) else { continue };
            if plan.spent > limit {
                return Some(sets);
            }
            let (variable, up) = (way.variable, way.up);
            let other =
                ways.iter().find(|other| other.variable == variable && other.up != up).map_or(0, |other| other.good);
            let (down, above) = if up { (other, next) } else { (next, other) };
            let set = between(sets[variable].width(), &pieces[variable], point[variable], down, above);
            if plan.accepts(variable, set.clone()) {
                sets[variable] = set;
                ways[number].good = next;
            } else {
                ways[number].bad = next;
            }
        }
    }
    Some(sets)
}
