//! Integer operators on terms, with the checks that C wants.

use super::Flow;
use crate::end::{End, ErrorKind, Fault};
use crate::machine::Machine;
use crate::origin;
use crate::poison::Poison;
use crate::state::State;
use strata_ir::{BinaryOp, OverflowOp, PlaceId, Promise, Reg, UnaryOp};
use strata_memory::{Origin, Value};
use strata_term::{Bits, Op, Substitution, Term, inputs, mentions, rebuild};

impl Machine<'_> {
    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    pub(super) fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        to: Reg,
        width: u32,
        a: &Value,
        b: &Value,
        checked: bool,
    ) -> Result<Flow, End> {
        let (x, y) = (a.to_term(width), b.to_term(width));
        self.check_binary(state, op, &x, &y, checked)?;
        let result = Value::term(apply(op, &x, &y));
        let origin = origin::binary(op, width, a, b, &result);
        self.set(state, to, result.with_origin(origin))
    }

    fn check_binary(&mut self, state: &mut State, op: BinaryOp, x: &Term, y: &Term, checked: bool) -> Result<(), End> {
        let (overflow, overshift) = (checked && self.config.checks.overflow, checked && self.config.checks.overshift);
        match op {
            BinaryOp::UDiv | BinaryOp::URem => self.check_divisor(state, y).map(|_| ()),
            BinaryOp::SDiv | BinaryOp::SRem => self.check_signed_division(state, x, y),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if overshift => self.check_shift(state, y),
            BinaryOp::Add if overflow => self.check_overflow(state, OverflowOp::SAdd, x, y, "overflow on addition"),
            BinaryOp::Sub if overflow => self.check_overflow(state, OverflowOp::SSub, x, y, "overflow on subtraction"),
            BinaryOp::Mul if overflow => {
                self.check_overflow(state, OverflowOp::SMul, x, y, "overflow on multiplication")
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => Ok(()),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => Ok(()),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Ok(()),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => Ok(()),
        }
    }

    fn check_divisor(&mut self, state: &mut State, y: &Term) -> Result<Term, End> {
        let y = self.settle(state, y, "a divisor")?;
        if self.config.checks.div {
            self.demand(state, &y.is_nonzero(), |_| Fault::new(ErrorKind::Div, "divide by zero"))?;
        }
        Ok(y)
    }

    fn check_signed_division(&mut self, state: &mut State, x: &Term, y: &Term) -> Result<(), End> {
        let y = self.check_divisor(state, y)?;
        let least = x.eq(&Term::constant(Bits::min_signed(x.width())));
        let bad = least.and(&y.eq(&Term::constant(Bits::ones(x.width()))));
        let text = "overflow on division or remainder (the quotient of the least number and -1 does not fit)";
        self.demand(state, &bad.not(), |_| Fault::new(ErrorKind::Overflow, text))
    }

    fn check_shift(&mut self, state: &mut State, y: &Term) -> Result<(), End> {
        let width = y.width();
        let y = self.settle(state, y, "a shift amount")?;
        let good = y.ult(&Term::number(width, u64::from(width)));
        let text = || format!("overshift error (a shift of {width} bits by at least as many)");
        self.demand(state, &good, |_| Fault::new(ErrorKind::Overshift, text()))
    }

    /// `a`, or poison where the promise may be broken on this path.
    pub(super) fn poison(
        &mut self,
        state: &mut State,
        to: Reg,
        promise: Promise,
        broken: &Value,
        a: Value,
    ) -> Result<Flow, End> {
        let width = self.register_width(state, to);
        let broken = broken.to_term(1);
        if !self.may(state, &broken)? {
            return self.set(state, to, a);
        }
        state.saw_uninit = true;
        let place = PlaceId(self.here(state));
        let symbol = Poison { promise, place }.symbol(width);
        let value = Value::term(Term::ite(&broken, &symbol, &a.to_term(width))).with_origin(a.origin);
        self.set(state, to, value)
    }

    /// The value with zero in place of poison. Sound: any fixed value may be chosen.
    pub(super) fn freeze(&mut self, state: &mut State, to: Reg, a: Value) -> Result<Flow, End> {
        let Some(term) = a.term.as_ref().filter(|term| state.saw_uninit && mentions(term, Op::Symbol)) else {
            return self.set(state, to, a);
        };
        let mut chosen = Substitution::default();
        for symbol in inputs([term]).into_iter().filter(|symbol| Poison::of(symbol).is_some()) {
            chosen.insert(symbol.clone(), Term::constant(Bits::zero(symbol.width())));
        }
        let frozen = rebuild(std::slice::from_ref(term), &chosen).remove(0);
        self.set(state, to, Value::term(frozen).with_origin(a.origin))
    }

    pub(super) fn unary(&mut self, state: &mut State, op: UnaryOp, to: Reg, a: &Value) -> Result<Flow, End> {
        let width = self.register_width(state, to);
        let origin = match op {
            UnaryOp::Not | UnaryOp::Neg | UnaryOp::ByteSwap | UnaryOp::BitReverse => a.origin.derived(),
            UnaryOp::PopCount | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => Origin::NONE,
        };
        if let (Some(bits), true) = (a.concrete(), width <= 64) {
            let unused = 64 - width;
            let result = match op {
                UnaryOp::Not => !bits,
                UnaryOp::Neg => bits.wrapping_neg(),
                UnaryOp::PopCount => u64::from(bits.count_ones()),
                UnaryOp::LeadingZeros => u64::from(bits.leading_zeros() - unused),
                UnaryOp::TrailingZeros => u64::from(bits.trailing_zeros().min(width)),
                UnaryOp::ByteSwap => bits.swap_bytes() >> unused,
                UnaryOp::BitReverse => bits.reverse_bits() >> unused,
            };
            return self.set(state, to, Value::bits(result & strata_term::mask(width)).with_origin(origin));
        }
        let term = a.to_term(width);
        self.set(state, to, Value::term(apply_unary(op, &term)).with_origin(origin))
    }
}

fn apply(op: BinaryOp, x: &Term, y: &Term) -> Term {
    match op {
        BinaryOp::Add => x.add(y),
        BinaryOp::Sub => x.sub(y),
        BinaryOp::Mul => x.mul(y),
        BinaryOp::UDiv => x.udiv(y),
        BinaryOp::SDiv => x.sdiv(y),
        BinaryOp::URem => x.urem(y),
        BinaryOp::SRem => x.srem(y),
        BinaryOp::Shl => x.shl(y),
        BinaryOp::LShr => x.lshr(y),
        BinaryOp::AShr => x.ashr(y),
        BinaryOp::And => x.and(y),
        BinaryOp::Or => x.or(y),
        BinaryOp::Xor => x.xor(y),
        BinaryOp::Eq => x.eq(y),
        BinaryOp::Ne => x.ne(y),
        BinaryOp::Ult => x.ult(y),
        BinaryOp::Ule => x.ule(y),
        BinaryOp::Slt => x.slt(y),
        BinaryOp::Sle => x.sle(y),
    }
}

fn apply_unary(op: UnaryOp, x: &Term) -> Term {
    let width = x.width();
    let bit = |i: u32| x.extract(i, i);
    let number = |n: u32| Term::number(width, u64::from(n));
    match op {
        UnaryOp::Not => x.not(),
        UnaryOp::Neg => x.neg(),
        UnaryOp::PopCount if width == 1 => x.clone(),
        UnaryOp::PopCount => {
            (0..width).map(|i| bit(i).zext(width)).reduce(|a, b| a.add(&b)).unwrap_or_else(|| number(0))
        }
        UnaryOp::LeadingZeros => {
            (0..width).fold(number(width), |rest, i| Term::ite(&bit(i), &number(width - 1 - i), &rest))
        }
        UnaryOp::TrailingZeros => (0..width).rev().fold(number(width), |rest, i| Term::ite(&bit(i), &number(i), &rest)),
        UnaryOp::ByteSwap => {
            let byte = |i: u32| x.extract(i * 8 + 7, i * 8);
            (1..width / 8).fold(byte(0), |high, i| high.concat(&byte(i)))
        }
        UnaryOp::BitReverse => (1..width).fold(bit(0), |high, i| high.concat(&bit(i))),
    }
}
