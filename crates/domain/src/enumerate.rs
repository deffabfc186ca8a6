//! Transfer by trying values: the way out where no formula is exact and the sets are small.
//!
//! Up to `POINTS` combinations are tried, which makes the result exact. Aimed below, the first few values of larger sets are tried: any result
//! that was seen is a result.

use crate::domain::{Aim, Apply, Domain, Image, Precision};
use crate::word;

/// Combinations that are tried at most.
pub(crate) const POINTS: usize = 32;

/// Values tried of each of two or three larger sets, when aimed below.
const FEW: usize = 5;

/// The first values of a set, distinct and ascending.
struct Values {
    items: [u64; POINTS],
    len: usize,
}

impl Values {
    /// At most `limit` values, and whether these are all.
    fn of<D: Domain>(set: &D, limit: usize) -> (Values, bool) {
        let mut values = Values { items: [0; POINTS], len: 0 };
        let mut whole = true;
        set.each(&mut |value| {
            if values.len == limit.min(POINTS) {
                whole = false;
                return false;
            }
            values.items[values.len] = value;
            values.len += 1;
            true
        });
        values.settle();
        (values, whole)
    }

    /// Sorted, without repetitions.
    fn settle(&mut self) {
        let items = &mut self.items[..self.len];
        items.sort_unstable();
        let mut kept = 0;
        for i in 0..items.len() {
            if i == 0 || items[i] != items[kept - 1] {
                items[kept] = items[i];
                kept += 1;
            }
        }
        self.len = kept;
    }

    fn slice(&self) -> &[u64] {
        &self.items[..self.len]
    }
}

/// Can all combinations be tried?
fn is_small<D: Domain>(operands: &[&D]) -> bool {
    let mut combinations = 1u128;
    for operand in operands {
        combinations = combinations.saturating_mul(operand.size());
    }
    combinations <= POINTS as u128
}

/// Values of each operand: all where that is cheap enough, else the first few; and whether they are all.
fn choose<D: Domain>(operands: &[&D], aim: Aim) -> Option<([Option<Values>; 3], bool)> {
    let small = is_small(operands);
    if !small && aim == Aim::Above {
        return None;
    }
    let limit = match operands.len() {
        1 => POINTS,
        2 => FEW,
        _ => 3,
    };
    let mut chosen = [None, None, None];
    let mut whole = true;
    for (slot, operand) in chosen.iter_mut().zip(operands) {
        let (values, all) = Values::of(*operand, if small { POINTS } else { limit });
        whole &= all;
        *slot = Some(values);
    }
    Some((chosen, whole))
}

/// Calls `visit` with each combination and its result.
fn combine(apply: &Apply, from: u32, chosen: &[Option<Values>; 3], visit: &mut impl FnMut(&[u64], u64)) -> Option<()> {
    let none = [0];
    let list = |i: usize| chosen[i].as_ref().map_or(&none[..], Values::slice);
    for &a in list(0) {
        for &b in list(1) {
            for &c in list(2) {
                let values = [a, b, c];
                visit(&values, word::apply(apply, from, values)?);
            }
        }
    }
    Some(())
}

fn image<D: Domain>(width: u32, mut found: Values, whole: bool, aim: Aim) -> Image<D> {
    found.settle();
    let image = D::of_points(width, found.slice(), aim);
    Image { precision: Precision::exact_if(whole, aim).then(image.precision), set: image.set }
}

/// Forward transfer by trying values; `None` if there are too many, or the operator has no value here.
pub(crate) fn forward<D: Domain>(apply: &Apply, operands: &[&D], aim: Aim) -> Option<Image<D>> {
    let (chosen, whole) = choose(operands, aim)?;
    let mut found = Values { items: [0; POINTS], len: 0 };
    combine(apply, operands[0].width(), &chosen, &mut |_, result| {
        found.items[found.len] = result;
        found.len += 1;
    })?;
    Some(image(apply.width, found, whole, aim))
}

/// Backward transfer by trying values; `None` as for `forward`.
pub(crate) fn backward<D: Domain>(
    apply: &Apply,
    result: &D,
    position: usize,
    operands: &[&D],
    aim: Aim,
) -> Option<Image<D>> {
    let (chosen, whole) = choose(operands, aim)?;
    let mut found = Values { items: [0; POINTS], len: 0 };
    combine(apply, operands[0].width(), &chosen, &mut |values, value| {
        if result.contains(value) {
            found.items[found.len] = values[position];
            found.len += 1;
        }
    })?;
    Some(image(operands[position].width(), found, whole, aim))
}

/// `image` if it is exact; else what trying values gives, if that is exact or `image` is not there.
pub(crate) fn improve<D: Domain>(
    image: Option<Image<D>>,
    tried: impl FnOnce() -> Option<Image<D>>,
) -> Option<Image<D>> {
    match image {
        Some(image) if image.is_exact() => Some(image),
        Some(image) => Some(tried().filter(Image::is_exact).unwrap_or(image)),
        None => tried(),
    }
}
