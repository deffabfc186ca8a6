//! What operations promise, and what becomes of a breach: an error where the operation stands, or poison.
//!
//! Sound: in code that an optimiser touched, an operation may run where the source does not run it. Reporting its
//! breach there would end paths that have no error, so only a use of the result counts.

use super::body::{Body, bits};
use crate::llvm::Value;
use crate::prepare::SOURCE;
use crate::trace;
use strata_ir::{BinaryOp, Constant, Instruction, Operand, OverflowOp, Promise};
use strata_term::Bits;

/// What may have happened to a function's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing: each operation stands where the source has it.
    Source,
    /// Passes may have moved operations.
    Optimised,
    /// It is a library's: its breaches are not the user's.
    Library,
}

impl Form {
    /// The form of a function.
    pub fn of(function: Value) -> Form {
        if !trace::own(function) {
            Form::Library
        } else if function.marked(SOURCE) {
            Form::Source
        } else {
            Form::Optimised
        }
    }
}

impl Body<'_, '_> {
    /// `a op b` as the instruction `v` has it, with what it promises.
    pub fn promised(&mut self, v: Value, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let checked = self.form == Form::Source
            && match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => v.no_signed_wrap(),
                BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => true,
                BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => false,
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => false,
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => false,
            };
        let result = self.binary_flagged(op, a.clone(), b.clone(), checked);
        if self.form != Form::Optimised {
            return result;
        }
        match op {
            BinaryOp::Add => self.wraps(v, (OverflowOp::SAdd, OverflowOp::UAdd), &a, &b, result),
            BinaryOp::Sub => self.wraps(v, (OverflowOp::SSub, OverflowOp::USub), &a, &b, result),
            BinaryOp::Mul => self.wraps(v, (OverflowOp::SMul, OverflowOp::UMul), &a, &b, result),
            BinaryOp::Shl => {
                let (signed, unsigned) = (v.no_signed_wrap(), v.no_unsigned_wrap());
                let value = self.overshift(&b, result.clone());
                let value = self.poison(signed, Promise::SignedWrap, value, |body| {
                    body.differs_undone(BinaryOp::AShr, &result, &b, &a)
                });
                self.poison(unsigned, Promise::UnsignedWrap, value, |body| {
                    body.differs_undone(BinaryOp::LShr, &result, &b, &a)
                })
            }
            BinaryOp::LShr | BinaryOp::AShr => {
                let value = self.overshift(&b, result.clone());
                self.poison(v.exact(), Promise::Exact, value, |body| {
                    body.differs_undone(BinaryOp::Shl, &result, &b, &a)
                })
            }
            BinaryOp::UDiv | BinaryOp::SDiv => self.poison(v.exact(), Promise::Exact, result.clone(), |body| {
                body.differs_undone(BinaryOp::Mul, &result, &b, &a)
            }),
            BinaryOp::Or => self.poison(v.disjoint(), Promise::Disjoint, result, |body| {
                let common = body.binary(BinaryOp::And, a, b);
                let zero = Operand::Const(Constant::Bits(Bits::zero(body.width(&common))));
                body.binary(BinaryOp::Ne, common, zero)
            }),
            BinaryOp::URem | BinaryOp::SRem | BinaryOp::And | BinaryOp::Xor => result,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => result,
        }
    }

    /// The operand of an extension by zeros.
    pub fn non_negative(&mut self, v: Value, a: Operand) -> Operand {
        let promised = self.form == Form::Optimised && v.non_negative();
        self.poison(promised, Promise::NonNegative, a.clone(), |body| {
            let zero = Operand::Const(Constant::Bits(Bits::zero(body.width(&a))));
            body.binary(BinaryOp::Slt, a, zero)
        })
    }

    /// `value`, or poison where the promise was made, is watched and is broken.
    fn poison(
        &mut self,
        made: bool,
        promise: Promise,
        value: Operand,
        broken: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        if !made || !self.unit.promises.contains(&promise) {
            return value;
        }
        let broken = broken(self);
        let to = self.reg(self.width(&value));
        self.emit(Instruction::Poison { to, promise, broken, a: value });
        Operand::Reg(to)
    }

    /// Does the inverse operator fail to give the first operand back?
    fn differs_undone(&mut self, inverse: BinaryOp, result: &Operand, b: &Operand, a: &Operand) -> Operand {
        let back = self.binary(inverse, result.clone(), b.clone());
        self.binary(BinaryOp::Ne, back, a.clone())
    }

    fn wraps(&mut self, v: Value, ops: (OverflowOp, OverflowOp), a: &Operand, b: &Operand, result: Operand) -> Operand {
        let (signed, unsigned) = ops;
        let rows = [
            (v.no_signed_wrap(), Promise::SignedWrap, signed),
            (v.no_unsigned_wrap(), Promise::UnsignedWrap, unsigned),
        ];
        rows.into_iter().fold(result, |result, (made, promise, op)| {
            self.poison(made, promise, result, |body| {
                let to = body.reg(1);
                body.emit(Instruction::Overflow { op, to, a: a.clone(), b: b.clone() });
                Operand::Reg(to)
            })
        })
    }

    /// The result of a shift. An amount that is a constant below the width breaks no promise.
    fn overshift(&mut self, amount: &Operand, result: Operand) -> Operand {
        let width = self.width(amount);
        let fine = matches!(amount, Operand::Const(Constant::Bits(known)) if width <= 64 && known.low_u64() < u64::from(width));
        self.poison(!fine, Promise::Shift, result, |body| {
            body.binary(BinaryOp::Ule, bits(width, u64::from(width)), amount.clone())
        })
    }
}
