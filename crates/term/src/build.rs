//! The simplifying constructors. Everything outside the rule harness builds terms with these.
//!
//! `make` folds constants, orders the arguments of commutative operators (constants last), tries the operator's
//! rules in the order of their tables, and interns what is left. A rule's result is itself built by these constructors, so
//! results are in normal form. Each rule is directed (see `rules`), so this terminates; how deep rules may call constructors that
//! apply rules is bounded all the same, so that no chain of terms can exhaust the stack. Beyond the bound a term is
//! interned as it stands: less simple, never wrong.

use crate::fold::fold;
use crate::memo::Asked;
use crate::op::Op;
use crate::rules::{self, View};
use crate::store::Term;
use crate::term::Sort;
use std::cell::Cell;

/// How deep rules may nest.
const MAX_NESTING: u32 = 48;

thread_local! {
    static NESTING: Cell<u32> = const { Cell::new(0) };
}

/// The simplest term we know for this operator and these arguments (see `Term::raw` for the parameters).
pub(crate) fn make(op: Op, width: u32, low: u32, args: &[&Term]) -> Term {
    if op == Op::Forall {
        return Term::forall(args[0], args[1]);
    }
    let mut ordered = [args[0]; 3];
    ordered[..args.len()].copy_from_slice(args);
    let ordered = &mut ordered[..args.len()];
    if op.info().commutes && in_wrong_order(ordered[0], ordered[1]) {
        ordered.swap(0, 1);
    }
    if let Some(value) = fold_constants(op, width, low, ordered) {
        return value;
    }
    let nesting = NESTING.get();
    if nesting > 0 {
        return simplest(&View { op, width, low, args: ordered }, nesting);
    }
    // Deeper, what is made depends on how deep.
    let asked = Asked::new(op, width, low, ordered);
    if let Some(known) = asked.as_ref().and_then(Asked::known) {
        return known;
    }
    let made = simplest(&View { op, width, low, args: ordered }, nesting);
    if let Some(asked) = asked {
        asked.keep(&made);
    }
    made
}

fn simplest(view: &View<'_>, nesting: u32) -> Term {
    if nesting < MAX_NESTING {
        NESTING.set(nesting + 1);
        let simpler = rules::apply(view);
        NESTING.set(nesting);
        if let Some(term) = simpler {
            debug_assert_eq!(term.width(), view.width, "a rule changed the width of {:?}", view.op);
            return term;
        }
    }
    Term::raw(view.op, view.width, view.low, view.args)
}

fn in_wrong_order(first: &Term, second: &Term) -> bool {
    (first.is_const(), first.id()) > (second.is_const(), second.id())
}

fn fold_constants(op: Op, width: u32, low: u32, args: &[&Term]) -> Option<Term> {
    if !args.iter().all(|arg| arg.is_const()) {
        return None;
    }
    match args {
        [a] => fold(op, width, low, &[&a.as_const()?]),
        [a, b] => fold(op, width, low, &[&a.as_const()?, &b.as_const()?]),
        [a, b, c] => fold(op, width, low, &[&a.as_const()?, &b.as_const()?, &c.as_const()?]),
        _ => None,
    }
    .map(Term::constant)
}

/// Constructors of the operators whose arguments and result have one width.
macro_rules! uniform {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        $($(#[$doc])* pub fn $name(&self, other: &Term) -> Term {
            make(Op::$op, self.width(), 0, &[self, other])
        })*
    };
}

#[allow(clippy::should_implement_trait, reason = "constructors are named after operators")]
impl Term {
    uniform! {
        /// Bitwise and.
        and And;
        /// Bitwise or.
        or Or;
        /// Bitwise exclusive or.
        xor Xor;
        /// Sum.
        add Add;
        /// Difference.
        sub Sub;
        /// Product.
        mul Mul;
        /// Unsigned quotient.
        udiv UDiv;
        /// Signed quotient.
        sdiv SDiv;
        /// Unsigned remainder.
        urem URem;
        /// Signed remainder, with the sign of the dividend.
        srem SRem;
        /// Left shift.
        shl Shl;
        /// Logical right shift.
        lshr LShr;
        /// Arithmetic right shift.
        ashr AShr;
    }

    /// Bitwise complement; negation of a truth value.
    pub fn not(&self) -> Term {
        make(Op::Not, self.width(), 0, &[self])
    }

    /// Two's complement negation.
    pub fn neg(&self) -> Term {
        Term::number(self.width(), 0).sub(self)
    }

    /// Signed remainder with the sign of the divisor.
    pub fn smod(&self, other: &Term) -> Term {
        let remainder = self.srem(other);
        let zero = Term::number(self.width(), 0);
        let keep = remainder.eq(&zero).or(&self.slt(&zero).eq(&other.slt(&zero)));
        Term::ite(&keep, &remainder, &remainder.add(other))
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Term) -> Term {
        make(Op::Concat, self.width() + low.width(), 0, &[self, low])
    }

    /// Bits `high` down to `low`.
    pub fn extract(&self, high: u32, low: u32) -> Term {
        make(Op::Extract, high - low + 1, low, &[self])
    }

    /// Zero-extended to `width`.
    pub fn zext(&self, width: u32) -> Term {
        if width == self.width() { self.clone() } else { make(Op::ZExt, width, 0, &[self]) }
    }

    /// Sign-extended to `width`.
    pub fn sext(&self, width: u32) -> Term {
        if width == self.width() { self.clone() } else { make(Op::SExt, width, 0, &[self]) }
    }

    /// Zero-extended or truncated to `width`.
    pub fn resize(&self, width: u32) -> Term {
        if width < self.width() { self.extract(width - 1, 0) } else { self.zext(width) }
    }

    /// Equality.
    pub fn eq(&self, other: &Term) -> Term {
        make(Op::Eq, 1, 0, &[self, other])
    }

    /// Disequality.
    pub fn ne(&self, other: &Term) -> Term {
        self.eq(other).not()
    }

    /// Unsigned less-than.
    pub fn ult(&self, other: &Term) -> Term {
        make(Op::Ult, 1, 0, &[self, other])
    }

    /// Unsigned at most.
    pub fn ule(&self, other: &Term) -> Term {
        other.ult(self).not()
    }

    /// Signed less-than.
    pub fn slt(&self, other: &Term) -> Term {
        make(Op::Slt, 1, 0, &[self, other])
    }

    /// Signed at most.
    pub fn sle(&self, other: &Term) -> Term {
        other.slt(self).not()
    }

    /// `then` if `condition` holds, else `otherwise`: bit-vectors or arrays.
    pub fn ite(condition: &Term, then: &Term, otherwise: &Term) -> Term {
        make(Op::Ite, then.width(), 0, &[condition, then, otherwise])
    }

    /// `self` implies `other`, for truth values.
    pub fn implies(&self, other: &Term) -> Term {
        self.not().or(other)
    }

    /// `bytes` bytes of this array from `index` on, little-endian.
    pub fn read(&self, index: &Term, bytes: u32) -> Term {
        make(Op::Read, bytes * 8, 0, &[self, index])
    }

    /// This array with `value` stored at `index`, byte by byte, little-endian.
    pub fn write(&self, index: &Term, value: &Term) -> Term {
        let width = self.width();
        let mut array = self.clone();
        for byte in 0..value.width() / 8 {
            let at = index.add(&Term::number(width, u64::from(byte)));
            let part = value.extract(byte * 8 + 7, byte * 8);
            array = make(Op::Write, width, 0, &[&array, &at, &part]);
        }
        array
    }

    /// This term's operator over other arguments, simplified.
    pub fn with(&self, args: &[&Term]) -> Term {
        match self.op() {
            Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Bound => self.raw_with(args),
            Op::Extract => make(Op::Extract, self.width(), self.low(), args),
            op => make(op, self.width(), 0, args),
        }
    }

    /// The simplified term of this operator, or what is wrong with its arguments (see `Term::raw` for the parameters).
    pub fn checked(op: Op, width: u32, low: u32, args: &[&Term]) -> Result<Term, String> {
        crate::term::check(op, width, low, args)?;
        Ok(make(op, width, low, args))
    }

    /// A truth value for "this bit-vector is not zero".
    pub fn is_nonzero(&self) -> Term {
        assert!(matches!(self.sort(), Sort::Bits(_)));
        self.ne(&Term::number(self.width(), 0))
    }
}
