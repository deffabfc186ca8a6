//! What a value domain is: the one interface between sets and the algorithm that propagates them.
//!
//! A transfer is *aimed*: where the set that is wanted cannot be kept, one that aims above gives a superset, one that aims
//! below a subset, and the image says which. So one propagation serves proofs of infeasibility (above) and boxes of
//! solutions (below), and either way an exact result is known to be one. Mixing aims in one chain has no meaning, hence a transfer never
//! answers on the side that was not asked for.
//!
//! Rejected: two traits, one for each side. Nearly all code would be there twice, and the exact case, which is the common one, would
//! have to be asked for twice.

use std::fmt::Debug;
use strata_term::Op;

/// How a computed set relates to the set that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// It is that set.
    Exact,
    /// It is a superset.
    Above,
    /// It is a subset.
    Below,
}

/// What to give where the exact set cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A superset.
    Above,
    /// A subset.
    Below,
}

impl Aim {
    /// The precision of a result that missed in this direction.
    pub fn missed(self) -> Precision {
        match self {
            Aim::Above => Precision::Above,
            Aim::Below => Precision::Below,
        }
    }

    /// The other side: what a complement makes of this one.
    pub fn opposite(self) -> Aim {
        match self {
            Aim::Above => Aim::Below,
            Aim::Below => Aim::Above,
        }
    }
}

impl Precision {
    /// The precision of two steps under one aim.
    #[inline]
    pub fn then(self, next: Precision) -> Precision {
        debug_assert!(self == next || self == Precision::Exact || next == Precision::Exact, "mixed aims");
        if self == Precision::Exact { next } else { self }
    }

    /// Exact if `holds`, else missed in the direction of `aim`.
    #[inline]
    pub fn exact_if(holds: bool, aim: Aim) -> Precision {
        if holds { Precision::Exact } else { aim.missed() }
    }
}

/// A set and how it relates to the one that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image<S> {
    /// The set.
    pub set: S,
    /// What it is.
    pub precision: Precision,
}

impl<S> Image<S> {
    /// The very set that was asked for.
    #[inline]
    pub fn exact(set: S) -> Image<S> {
        Image { set, precision: Precision::Exact }
    }

    /// A set on the side of `aim`.
    #[inline]
    pub fn missed(set: S, aim: Aim) -> Image<S> {
        Image { set, precision: aim.missed() }
    }

    /// Is it the very set?
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.precision == Precision::Exact
    }

    /// A further step on this set.
    #[inline]
    pub fn then<T>(self, step: impl FnOnce(S) -> Image<T>) -> Image<T> {
        let next = step(self.set);
        Image { set: next.set, precision: self.precision.then(next.precision) }
    }

    /// A further step that loses nothing.
    #[inline]
    pub fn map<T>(self, step: impl FnOnce(S) -> T) -> Image<T> {
        Image { set: step(self.set), precision: self.precision }
    }
}

/// An operator with the numbers that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apply {
    /// The operator.
    pub op: Op,
    /// Width of the result.
    pub width: u32,
    /// Lowest bit taken, for `Op::Extract`.
    pub low: u32,
}

impl Apply {
    /// An operator without a lowest bit.
    pub fn new(op: Op, width: u32) -> Apply {
        Apply { op, width, low: 0 }
    }
}

/// A family of sets of bit-vectors of one width.
pub trait Domain: Clone + PartialEq + Debug {
    /// Its name, in messages.
    const NAME: &'static str;
    /// The widest bit-vector it can describe.
    const WIDEST: u32;

    /// No value.
    fn empty(width: u32) -> Self;
    /// Every value.
    fn full(width: u32) -> Self;
    /// One value.
    fn constant(width: u32, value: u64) -> Self;
    /// These values; they are strictly ascending.
    fn of_points(width: u32, points: &[u64], aim: Aim) -> Image<Self>;

    /// The width of its values.
    fn width(&self) -> u32;
    /// Has it no value?
    fn is_empty(&self) -> bool;
    /// Has it every value?
    fn is_full(&self) -> bool;
    /// Is this value in it?
    fn contains(&self, value: u64) -> bool;
    /// Its least value, unsigned.
    fn least(&self) -> Option<u64>;
    /// Its only value.
    fn single(&self) -> Option<u64>;
    /// How many values it has, at most.
    fn size(&self) -> u128;
    /// Calls `visit` with each value, some perhaps more than once, until it says false.
    fn each(&self, visit: &mut dyn FnMut(u64) -> bool);

    /// What is in both.
    fn meet(&self, other: &Self, aim: Aim) -> Image<Self>;
    /// What is in either.
    fn join(&self, other: &Self, aim: Aim) -> Image<Self>;
    /// What is not in it.
    fn complement(&self, aim: Aim) -> Image<Self>;

    /// The results of the operator on all combinations of the operands' values. `None`: not supported, or no set on the side asked for.
    fn forward(apply: &Apply, operands: &[&Self], aim: Aim) -> Option<Image<Self>>;

    /// The values of operand `position` that give, with *some* values of the others, a result in `result`. `None` as for `forward`;
    /// what is known of the operand already can be kept then.
    fn backward(apply: &Apply, result: &Self, position: usize, operands: &[&Self], aim: Aim) -> Option<Image<Self>>;

    /// The values of operand `position` that give, with *all* values of the others, a result in `result`: what may stay in a
    /// box of solutions. Aimed below.
    ///
    /// It is what remains after those are taken away that can give another result.
    fn backward_all(apply: &Apply, result: &Self, position: usize, operands: &[&Self]) -> Option<Image<Self>> {
        let other = result.complement(Aim::Above);
        let spoilt = Self::backward(apply, &other.set, position, operands, Aim::Above)?;
        let kept = spoilt.set.complement(Aim::Below);
        let met = kept.set.meet(operands[position], Aim::Below);
        let exact = other.is_exact() && spoilt.is_exact() && kept.is_exact() && met.is_exact();
        Some(Image { set: met.set, precision: Precision::exact_if(exact, Aim::Below) })
    }
}
