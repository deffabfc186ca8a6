//! What operators make of one member, or of two: each adds to the result, and tells whether it added all and nothing else.

use super::{CUTS, Members, Strided, gcd, solve};
use crate::domain::Aim;
use crate::word::mask;

/// Adds copies of `a` moved by the values of `b`; true if these are all.
pub(super) fn shifted_copies(width: u32, a: &Strided, b: &Strided, limit: u64, result: &mut Members) -> bool {
    let steps = b.steps(width);
    let mut by = b.lo;
    for _ in 0..=steps.min(limit) {
        let all = mask(width);
        result.push(a.moved(width, by));
        by = by.wrapping_add(b.stride) & all;
    }
    steps <= limit
}

/// Adds `a + b`. Exactness is that of the conditions (4) and (5) of the paper.
#[inline]
pub(super) fn add_sum(width: u32, aim: Aim, a: &Strided, b: &Strided, result: &mut Members) -> bool {
    let all = mask(width);
    if a.stride == 0 || b.stride == 0 {
        let (single, other) = if a.stride == 0 { (a, b) } else { (b, a) };
        return shifted_copies(width, other, single, 0, result);
    }
    let (coarse, fine) = if a.stride >= b.stride { (a, b) } else { (b, a) };
    let divides = fine.stride == 1 || coarse.stride % fine.stride == 0;
    let dense = divides && coarse.stride - fine.stride <= fine.span(width);
    let span = a.span(width).checked_add(b.span(width)).filter(|span| *span <= all);
    let stride = if divides { fine.stride } else { gcd(u128::from(a.stride), u128::from(b.stride)) as u64 };
    let lo = a.lo.wrapping_add(b.lo) & all;
    let short = coarse.steps(width).min(fine.steps(width)) <= 3;
    match (span, dense) {
        (Some(span), true) => result.push(Strided { lo, hi: lo.wrapping_add(span) & all, stride }),
        (None, true) if stride.is_power_of_two() => result.push(Strided::class(width, lo, u128::from(stride))),
        (_, _) if short || aim == Aim::Below => {
            let (few, many) = if a.steps(width) <= b.steps(width) { (a, b) } else { (b, a) };
            return shifted_copies(width, many, few, 3, result);
        }
        (Some(span), false) => {
            result.push(Strided { lo, hi: lo.wrapping_add(span) & all, stride });
            return false;
        }
        (None, _) => {
            result.push(Strided::class(width, lo, 1 << stride.trailing_zeros()));
            return false;
        }
    }
    true
}

/// Adds `a * k`, where `k` is at most half of 2^w.
pub(super) fn add_scaled(width: u32, aim: Aim, a: &Strided, k: u64, result: &mut Members) -> bool {
    let all = mask(width);
    let lo = a.lo.wrapping_mul(k) & all;
    let span = u128::from(a.span(width)) * u128::from(k);
    if span <= u128::from(all) {
        result.push(Strided::new(width, lo, lo.wrapping_add(span as u64) & all, a.stride.wrapping_mul(k)));
        return true;
    }
    let step = u128::from(a.stride) * u128::from(k);
    let zeros = step.trailing_zeros().min(width);
    let class = 1u128 << zeros;
    let steps = u128::from(a.steps(width));
    if steps + 1 >= (u128::from(all) + 1) / class {
        result.push(Strided::class(width, lo, class));
        return true;
    }
    let pieces = span / u128::from(all) + 1;
    if step <= u128::from(all) && (pieces <= CUTS || aim == Aim::Below) {
        return add_turns(width, lo, step as u64, steps as u64, result);
    }
    match aim {
        Aim::Above => result.push(Strided::class(width, lo, class)),
        Aim::Below => result.push(Strided { lo, hi: lo, stride: 0 }),
    }
    false
}

/// Adds `lo + i * step` for i up to `steps`, each member less than once round the circle; true if that was all.
pub(super) fn add_turns(width: u32, lo: u64, step: u64, steps: u64, result: &mut Members) -> bool {
    let all = mask(width);
    let turn = all / step;
    let (mut at, mut left) = (lo, steps);
    for _ in 0..2 * CUTS {
        let some = left.min(turn);
        let hi = at.wrapping_add(some * step) & all;
        result.push(Strided { lo: at, hi, stride: if some == 0 { 0 } else { step } });
        if left == some {
            return true;
        }
        left -= some + 1;
        at = hi.wrapping_add(step) & all;
    }
    false
}

/// Adds `a / k` for a piece that does not wrap.
pub(super) fn add_quotient(width: u32, aim: Aim, a: &Strided, k: u64, result: &mut Members) -> bool {
    if a.stride < k || a.stride.is_multiple_of(k) {
        let stride = if a.stride < k { 1 } else { a.stride / k };
        result.push(Strided::new(width, a.lo / k, a.hi / k, stride));
        return true;
    }
    let whole = u128::from((a.hi - a.lo) / a.stride) < CUTS / 2;
    if whole || aim == Aim::Below {
        for i in 0..=((a.hi - a.lo) / a.stride).min(CUTS as u64 / 2) {
            let value = (a.lo + i * a.stride) / k;
            result.push(Strided { lo: value, hi: value, stride: 0 });
        }
        return whole;
    }
    result.push(Strided::new(width, a.lo / k, a.hi / k, 1));
    false
}

/// Adds `a % k` for a piece that does not wrap.
pub(super) fn add_remainder(width: u32, aim: Aim, a: &Strided, k: u64, result: &mut Members) -> bool {
    let (first, last) = (a.lo / k, a.hi / k);
    if first == last {
        result.push(Strided { lo: a.lo % k, hi: a.hi % k, stride: a.stride });
        return true;
    }
    let common = gcd(u128::from(a.stride), u128::from(k)) as u64;
    let residue = a.lo % common;
    let class = Strided::new(width, residue, k - 1, common);
    if (a.hi - a.lo) / a.stride >= k / common - 1 {
        result.push(class);
        return true;
    }
    let few = u128::from(last - first) < CUTS / 2;
    if !few && aim == Aim::Above {
        result.push(class);
        return false;
    }
    for round in first..=last.min(first + CUTS as u64 / 2) {
        if let Some(part) = a.clip(round * k, (round * k).saturating_add(k - 1)) {
            result.push(Strided { lo: part.lo - round * k, hi: part.hi - round * k, stride: part.stride });
        }
    }
    few
}

/// Adds the `x` with `x * k` in `r`, turn by turn; false if there are too many turns.
pub(super) fn add_unscaled(width: u32, x: &Strided, k: u64, r: &Strided, result: &mut Members) -> bool {
    let modulus = 1u128 << width;
    let (first, last) = (u128::from(x.lo) * u128::from(k), u128::from(x.hi) * u128::from(k));
    let (from, to) = (first / modulus, last / modulus);
    if to - from >= CUTS {
        return false;
    }
    let steps = x.steps(64);
    for turn in from..=to {
        let base = first as i128 - (turn * modulus) as i128;
        let step = i128::from(x.stride) * i128::from(k);
        if let Some(found) = solve(base, step, steps, r) {
            result.push(x.at(&found));
        }
    }
    true
}

/// Adds the `x` with `x / k` in `r`.
pub(super) fn add_unquotient(width: u32, x: &Strided, k: u64, r: &Strided, result: &mut Members) -> bool {
    if x.stride.is_multiple_of(k) {
        let found = solve(i128::from(x.lo / k), i128::from(x.stride / k), x.steps(64), r);
        found.iter().for_each(|found| result.push(x.at(found)));
        return true;
    }
    let all = u128::from(mask(width));
    let mut add = |lo: u64, hi: u64| {
        let lo = u128::from(lo) * u128::from(k);
        let hi = u128::from(hi) * u128::from(k) + u128::from(k - 1);
        let part = (lo <= all).then(|| x.clip(lo as u64, hi.min(all) as u64)).flatten();
        part.iter().for_each(|part| result.push(*part));
    };
    if r.stride <= 1 {
        add(r.lo, r.hi);
        return true;
    }
    let Some(r) = r.clip(x.lo / k, x.hi / k) else { return true };
    let steps = r.steps(64);
    if u128::from(steps) >= CUTS {
        return false;
    }
    for i in 0..=steps {
        add(r.lo + i * r.stride, r.lo + i * r.stride);
    }
    true
}

/// Adds the `x` with `x % k` in `r`, all of which are below `k`.
pub(super) fn add_unremainder(width: u32, x: &Strided, k: u64, r: &Strided, result: &mut Members) -> bool {
    let mut add = |found: Option<Strided>| found.iter().for_each(|found| result.push(*found));
    let stride = r.stride.max(1);
    if k.is_multiple_of(stride) && r.lo < stride && k - r.hi <= stride {
        add(x.meet(&Strided::new(width, r.lo, mask(width), stride)));
        return true;
    }
    let (first, last) = (x.lo / k, x.hi / k);
    if u128::from(last - first) < CUTS {
        for round in first..=last {
            let base = i128::from(x.lo) - i128::from(round) * i128::from(k);
            add(solve(base, i128::from(x.stride), x.steps(64), r).map(|found| x.at(&found)));
        }
        return true;
    }
    let steps = r.steps(64);
    if u128::from(steps) >= CUTS {
        return false;
    }
    for i in 0..=steps {
        add(x.meet(&Strided::new(width, r.lo + i * r.stride, mask(width), k)));
    }
    true
}
