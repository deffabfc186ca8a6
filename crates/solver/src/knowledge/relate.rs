//! Comparisons as edges of an order: which key each side has, given what is known of its variable.
//!
//! A side is a variable, or a sum of it with a constant. Adding a constant moves all keys by one distance, up or down, unless some value of the variable wraps
//! around; the set of the variable (from above) tells. Sets only shrink along a path, so what does not wrap when a constraint is learnt never does.
//!
//! A comparison of the other signedness than the graph's fits in where both sides lie in the half of values that both orders agree on.

use super::order::{Apart, Edge, FARTHEST, Order, key};
use super::set::Set;
use super::shape::Relation;
use strata_domain::Domain;
use strata_term::mask;

/// The place of a variable in the order, the values that it can have, and what is added to it.
pub type Side<'a> = (usize, &'a Set, u64);

/// Adds a comparison to an order; false if it does not fit in.
pub fn relate(order: &mut Order, sides: [Side<'_>; 2], relation: Relation) -> bool {
    let plain = sides.iter().all(|(_, _, plus)| *plus == 0);
    let Some(signed) = sign(order, &sides, relation, plain) else { return false };
    let [Some((left, up)), Some((right, down))] = sides.map(|side| end(side, signed)) else { return false };
    // The left key and `up`, the right key and `down` are compared.
    let (Some(ahead), Some(back)) = (up.checked_sub(down), down.checked_sub(up)) else { return false };
    if ahead.abs() >= FARTHEST || !order.agree(if plain && relation.sign().is_none() { None } else { Some(signed) }) {
        return false;
    }
    let above = |strict| Edge { from: left, to: right, distance: ahead + i64::from(strict) };
    let below = |strict| Edge { from: right, to: left, distance: back + i64::from(strict) };
    match relation {
        Relation::Below { strict, .. } => order.add(above(strict)),
        Relation::Above { strict, .. } => order.add(below(strict)),
        Relation::Equal => {
            order.add(above(false));
            order.add(below(false));
        }
        Relation::Apart => order.apart.push(Apart { from: left, to: right, distance: ahead }),
    }
    true
}

impl Relation {
    fn sign(self) -> Option<bool> {
        match self {
            Relation::Below { signed, .. } | Relation::Above { signed, .. } => Some(signed),
            Relation::Equal | Relation::Apart => None,
        }
    }
}

/// The signedness in which the comparison is made.
fn sign(order: &Order, sides: &[Side<'_>; 2], relation: Relation, plain: bool) -> Option<bool> {
    match (order.signed, relation.sign()) {
        (Some(signed), None) => Some(signed),
        (None, Some(signed)) => Some(signed),
        (Some(mine), Some(other)) if mine == other => Some(mine),
        (Some(mine), Some(_)) => sides.iter().all(is_low).then_some(mine),
        // Equality knows no sign, but a sum must not wrap in the order that comes later: signed is the commoner.
        (None, None) if plain => Some(false),
        (None, None) => [true, false].into_iter().find(|signed| sides.iter().all(|side| end(*side, *signed).is_some())),
    }
}

/// The variable of a side, and the distance that its sum moves it by.
fn end((place, set, plus): Side<'_>, signed: bool) -> Option<(u16, i64)> {
    let place = u16::try_from(place).ok()?;
    if plus == 0 {
        return Some((place, 0));
    }
    let (least, most) = set.keys(signed)?;
    let top = mask(set.width());
    let back = (top - plus) + 1;
    let distance = if most <= top - plus {
        i64::try_from(plus).ok()
    } else if back <= least {
        i64::try_from(back).ok().map(i64::wrapping_neg)
    } else {
        None
    };
    Some((place, distance.filter(|distance| distance.abs() < FARTHEST)?))
}

/// Does the side lie in the half that is the same in both orders?
fn is_low((place, set, plus): &Side<'_>) -> bool {
    let half = 1u64 << (set.width() - 1);
    let (Some((_, distance)), Some((_, most))) = (end((*place, *set, *plus), false), set.keys(false)) else {
        return false;
    };
    u64::try_from(i128::from(most) + i128::from(distance)).is_ok_and(|most| most < half)
}

impl Set {
    /// The least and the largest key.
    fn keys(&self, signed: bool) -> Option<(u64, u64)> {
        let (set, width) = (self.intervals(), self.width());
        if !signed {
            return Some((set.least()?, set.greatest()?));
        }
        let half = 1u64 << (width - 1);
        let negative = set.intervals().iter().filter(|i| i.hi >= half).map(|i| (i.lo.max(half), i.hi));
        let others = set.intervals().iter().filter(|i| i.lo < half).map(|i| (i.lo, i.hi.min(half - 1)));
        let all = negative.chain(others).map(|(lo, hi)| (key(lo, width, true), key(hi, width, true)));
        all.reduce(|(least, _), (_, most)| (least, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_domain::{Aim, MultiInterval};
    use strata_term::{Random, signed};

    const WIDTH: u32 = 4;

    fn any_set(random: &mut Random) -> Set {
        let (a, b) = (random.below(16) as u64, random.below(16) as u64);
        let wide = MultiInterval::constant(WIDTH, a).join(&MultiInterval::constant(WIDTH, b), Aim::Above).set;
        let between = MultiInterval::wrapped(WIDTH, a.min(b), a.max(b));
        Set::Word(if random.one_in(4) { wide } else { between })
    }

    fn any_relation(random: &mut Random) -> Relation {
        let (strict, signed) = (random.one_in(2), random.one_in(2));
        match random.below(4) {
            0 => Relation::Below { strict, signed },
            1 => Relation::Above { strict, signed },
            2 => Relation::Equal,
            _ => Relation::Apart,
        }
    }

    fn holds(relation: Relation, a: u64, b: u64) -> bool {
        let place = |value: u64, is_signed: bool| if is_signed { signed(WIDTH, value) as i64 } else { value as i64 };
        match relation {
            Relation::Below { strict, signed } => place(a, signed) + i64::from(strict) <= place(b, signed),
            Relation::Above { strict, signed } => place(a, signed) >= place(b, signed) + i64::from(strict),
            Relation::Equal => a == b,
            Relation::Apart => a != b,
        }
    }

    /// Whatever fits in means the same as the comparison for all values of the sets, in the order that the graph has from then on.
    #[test]
    fn edges_mean_what_was_compared() {
        let mut random = Random(23);
        let (mut fitting, mut crossed) = (0, 0);
        for _ in 0..50_000 {
            let sets = [any_set(&mut random), any_set(&mut random)];
            let plus = [0, 1].map(|_| if random.one_in(3) { 0 } else { random.below(16) as u64 });
            let relation = any_relation(&mut random);
            let mut order = Order { signed: [None, Some(false), Some(true)][random.below(3)], ..Order::default() };
            let before = order.signed;
            if !relate(&mut order, [(0, &sets[0], plus[0]), (1, &sets[1], plus[1])], relation) {
                continue;
            }
            fitting += 1;
            crossed += usize::from(before.is_some() && relation.sign().is_some() && before != relation.sign());
            for a in (0..16).filter(|a| sets[0].contains(*a)) {
                for b in (0..16).filter(|b| sets[1].contains(*b)) {
                    // Without a sign the order may still become either.
                    let signs = order.signed.map_or(vec![false, true], |signed| vec![signed]);
                    for signed in signs {
                        let keys = [key(a, WIDTH, signed) as i64, key(b, WIDTH, signed) as i64];
                        let at = |place: u16| keys[usize::from(place)];
                        let said = order.edges.iter().all(|edge| at(edge.to) >= at(edge.from) + edge.distance)
                            && order.apart.iter().all(|pair| at(pair.to) != at(pair.from) + pair.distance);
                        let sums = [(a + plus[0]) % 16, (b + plus[1]) % 16];
                        assert_eq!(said, holds(relation, sums[0], sums[1]), "{a} {b} {plus:?} {relation:?} {order:?}");
                    }
                }
            }
        }
        assert!(fitting > 20_000 && crossed > 200, "{fitting} {crossed}");
    }
}
