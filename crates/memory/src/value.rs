//! What a register or a piece of memory holds.
//!
//! Sixteen bytes: bits, origin, term. Concrete values up to 64 bits wide need neither a term nor an allocation; a term
//! stands for the value when it is symbolic, or when it is wider than 64 bits (then it may be a constant).

use strata_term::{Bits, Term};

/// The object that a pointer was derived from: its number in the address space, or none, or
/// `MIXED`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(pub u32);

impl Origin {
    /// Not derived from an object, as far as is known.
    pub const NONE: Origin = Origin(0);

    /// Of a number that was computed from addresses, and is no longer one of them plus an integer:
    /// a difference of pointers into two objects, a hash, a shifted address. Added to a pointer it
    /// may give any other pointer, so the sum is resolved by address. No object has this number.
    pub const MIXED: Origin = Origin(1 << 31);

    /// Is it that of no object?
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Is it `MIXED`?
    #[inline]
    pub fn is_mixed(self) -> bool {
        self == Origin::MIXED
    }

    /// Is it an object?
    #[inline]
    pub fn is_object(self) -> bool {
        !self.is_none() && !self.is_mixed()
    }

    /// That of a number that is computed from one of this origin, and is no pointer into its
    /// object.
    #[inline]
    pub fn derived(self) -> Origin {
        if self.is_none() { Origin::NONE } else { Origin::MIXED }
    }
}

/// A value. The default is zero.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub struct Value {
    /// The bits when there is no term; unused bits are zero.
    pub bits: u64,
    /// For a pointer: where it came from.
    pub origin: Origin,
    /// The value when it is symbolic or wider than 64 bits.
    pub term: Option<Term>,
}

impl Value {
    /// Plain bits.
    #[inline]
    pub fn bits(bits: u64) -> Value {
        Value { bits, origin: Origin::NONE, term: None }
    }

    /// A concrete pointer.
    #[inline]
    pub fn pointer(address: u64, origin: Origin) -> Value {
        Value { bits: address, origin, term: None }
    }

    /// A term's value: plain bits where the term is a constant that fits.
    pub fn term(term: Term) -> Value {
        match term.const_u64() {
            Some(bits) if term.width() <= 64 => Value::bits(bits),
            _ => Value { bits: 0, origin: Origin::NONE, term: Some(term) },
        }
    }

    /// A constant of any width.
    pub fn constant(bits: &Bits) -> Value {
        if bits.width() <= 64 { Value::bits(bits.low_u64()) } else { Value::term(Term::constant(bits.clone())) }
    }

    /// The same value from another object.
    pub fn with_origin(mut self, origin: Origin) -> Value {
        self.origin = origin;
        self
    }

    /// As a term of this width.
    pub fn to_term(&self, width: u32) -> Term {
        match &self.term {
            Some(term) => term.clone(),
            None => Term::number(width, self.bits),
        }
    }

    /// The bits, when they are plain.
    #[inline]
    pub fn concrete(&self) -> Option<u64> {
        if self.term.is_none() { Some(self.bits) } else { None }
    }

    /// Origin and term as one word, for the one test that nearly every instruction makes: zero when there is neither.
    #[inline(always)]
    pub fn beside(&self) -> u64 {
        // Safety: the layout is C's: eight bytes of bits, then four and four that are always initialised (`Option<Term>` is zero for none).
        unsafe { (&raw const *self).cast::<u64>().add(1).read() }
    }

    /// Is there a term, or is the origin mixed? One test, since neither is frequent.
    #[inline(always)]
    pub fn is_special(&self) -> bool {
        self.beside() >= u64::from(Origin::MIXED.0)
    }

    /// Writes a value without a term over another without one, in two words of eight bytes: what reads origin and term at once soon after would
    /// wait for two narrower writes.
    ///
    /// # Safety
    /// `slot` may be written, and what lies there has no term.
    #[inline(always)]
    pub unsafe fn put(slot: *mut Value, bits: u64, origin: Origin) {
        let [a, b, c, d] = origin.0.to_ne_bytes();
        // Safety: the caller's; the layout is as for `beside`, and no term is zero.
        unsafe {
            slot.cast::<u64>().write(bits);
            slot.cast::<u64>().add(1).write(u64::from_ne_bytes([a, b, c, d, 0, 0, 0, 0]));
        }
    }

    /// Is there a term?
    #[inline]
    pub fn is_symbolic(&self) -> bool {
        self.term.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_sixteen_bytes() {
        assert_eq!(std::mem::size_of::<Value>(), 16);
    }

    #[test]
    fn what_lies_beside_the_bits() {
        assert_eq!(Value::bits(7).beside(), 0);
        assert_ne!(Value::pointer(7, Origin(1)).beside(), 0);
        assert!(!Value::bits(7).is_special() && !Value::pointer(7, Origin(u32::MAX >> 1)).is_special());
        assert!(Value::pointer(7, Origin::MIXED).is_special() && Value::term(Term::symbol("x", 8)).is_special());
        assert_ne!(Value::term(Term::symbol("x", 8)).beside(), 0);
    }

    #[test]
    fn a_value_in_two_words() {
        let mut value = Value::pointer(1, Origin(2));
        // Safety: it has no term.
        unsafe { Value::put(&raw mut value, 7, Origin(9)) };
        assert_eq!((value.concrete(), value.origin), (Some(7), Origin(9)));
    }

    #[test]
    fn constants_become_plain_bits() {
        assert_eq!(Value::term(Term::number(32, 7)).concrete(), Some(7));
        assert!(Value::term(Term::number(65, 7)).is_symbolic());
        assert!(Value::term(Term::symbol("x", 8)).is_symbolic());
    }
}
