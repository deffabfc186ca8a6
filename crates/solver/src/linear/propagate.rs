//! Bounds of variables, narrowed row by row.
//!
//! Sound: in `sum <= b` each variable may leave its better end by what the others, all at their better ends, leave of `b`, rounded to whole steps; an equality is two of these, and
//! what divides the coefficients of all variables that can still move divides the rest. Each step keeps all solutions, so it may stop at any time: two rows can push each other through
//! a range of 2^64 one by one.

use super::{Conflict, Interval, Relation, Row, Work, gcd};

/// Times that all rows are looked at, at most.
const ROUNDS: usize = 8;

/// Narrows bounds until nothing changes, or enough was done.
pub fn propagate(rows: &[Row], bounds: &mut [Interval], work: &mut Work) -> Result<(), Conflict> {
    for _ in 0..ROUNDS {
        let mut changed = false;
        for row in rows {
            work.take(row.terms.len());
            changed |= match row.relation {
                Relation::AtMost => at_most(row, 1, bounds)?,
                Relation::Equal => {
                    let changed = at_most(row, 1, bounds)? | at_most(row, -1, bounds)?;
                    divisible(row, bounds)?;
                    changed
                }
                Relation::Apart => apart(row, bounds)?,
            };
        }
        if !changed || work.left() == 0 {
            break;
        }
    }
    Ok(())
}

/// `sign * sum <= sign * constant`. Did a bound change?
fn at_most(row: &Row, sign: i128, bounds: &mut [Interval]) -> Result<bool, Conflict> {
    let Some(room) = room(row, sign, bounds) else { return Ok(false) };
    if room < 0 {
        return Err(Conflict);
    }
    let mut changed = false;
    for (variable, coefficient) in &row.terms {
        let bound = &mut bounds[*variable];
        let steps = room / coefficient.abs();
        if sign * coefficient > 0 {
            // The end that made room does not move, so what is computed from it stays right.
            let most = bound.least.saturating_add(steps);
            changed |= most < bound.most;
            bound.most = bound.most.min(most);
        } else {
            let least = bound.most.saturating_sub(steps);
            changed |= least > bound.least;
            bound.least = bound.least.max(least);
        }
    }
    Ok(changed)
}

/// What is left of the constant when the sum is least.
fn room(row: &Row, sign: i128, bounds: &[Interval]) -> Option<i128> {
    row.terms.iter().try_fold(sign * row.constant, |room, (variable, coefficient)| {
        let coefficient = sign * coefficient;
        let Interval { least, most } = bounds[*variable];
        room.checked_sub(coefficient.checked_mul(if coefficient > 0 { least } else { most })?)
    })
}

/// The constant without what fixed variables make of the sum.
fn rest(row: &Row, bounds: &[Interval]) -> Option<i128> {
    let fixed = row.terms.iter().filter(|(variable, _)| bounds[*variable].is_fixed());
    fixed.into_iter().try_fold(row.constant, |rest, (variable, coefficient)| {
        rest.checked_sub(coefficient.checked_mul(bounds[*variable].least)?)
    })
}

fn divisible(row: &Row, bounds: &[Interval]) -> Result<(), Conflict> {
    let Some(rest) = rest(row, bounds) else { return Ok(()) };
    let moving = row.terms.iter().filter(|(variable, _)| !bounds[*variable].is_fixed());
    let divisor = moving.fold(0, |divisor, (_, coefficient)| gcd(divisor, *coefficient));
    let whole = if divisor == 0 { rest == 0 } else { rest % divisor == 0 };
    if whole { Ok(()) } else { Err(Conflict) }
}

/// Where one variable can move, it leaves the one value that is excluded, if that is an end.
fn apart(row: &Row, bounds: &mut [Interval]) -> Result<bool, Conflict> {
    let Some(rest) = rest(row, bounds) else { return Ok(false) };
    let mut moving = row.terms.iter().filter(|(variable, _)| !bounds[*variable].is_fixed());
    let (variable, coefficient) = match (moving.next(), moving.next()) {
        (None, _) => return if rest == 0 { Err(Conflict) } else { Ok(false) },
        (Some(term), None) => *term,
        (Some(_), Some(_)) => return Ok(false),
    };
    let (Some(0), Some(excluded)) = (rest.checked_rem(coefficient), rest.checked_div(coefficient)) else {
        return Ok(false);
    };
    let bound = &mut bounds[variable];
    if bound.least == excluded {
        bound.least += 1;
    } else if bound.most == excluded {
        bound.most -= 1;
    } else {
        return Ok(false);
    }
    Ok(true)
}
