//! Which handler runs an instruction: alone, or together with those that follow it in its block.
//!
//! The rows are what compiled C is made of: addresses with the access to them, arithmetic with arithmetic, the copies at
//! the end of a block with the jump, a count with the comparison and the branch of its loop. Rejected: longer sequences of any kind, since each
//! row multiplies the code, and what is gained is one jump.

use super::arithmetic::*;
use super::flow::*;
use super::memory::{self, Load, Narrow, Offset, OffsetLoad, OffsetStore, Store, Wide};
use super::{Handler, Pair, Step, general, landing, last, one, only};
use crate::code::{Ins, Op};

/// The handler of the first of these instructions; the others follow it in its block.
pub(crate) fn handler(rest: &[Ins]) -> Handler {
    let i = &rest[0];
    match i.op {
        Op::Copy => copies(rest),
        Op::Add => with::<Add>(rest),
        Op::Sub => with::<Sub>(rest),
        Op::Mul => with::<Mul>(rest),
        Op::UDiv => one::<UDiv>,
        Op::SDiv => one::<SDiv>,
        Op::URem => with::<URem>(rest),
        Op::SRem => one::<SRem>,
        Op::Shl => with::<Shl>(rest),
        Op::LShr => with::<LShr>(rest),
        Op::AShr => with::<AShr>(rest),
        Op::And => with::<And>(rest),
        Op::Or => with::<Or>(rest),
        Op::Xor => with::<Xor>(rest),
        Op::Eq => with::<Eq>(rest),
        Op::Ne => with::<Ne>(rest),
        Op::Ult => with::<Ult>(rest),
        Op::Ule => one::<Ule>,
        Op::Slt => less(rest),
        Op::Sle => one::<Sle>,
        Op::BranchEq => only::<BranchEq>,
        Op::BranchNe => only::<BranchNe>,
        Op::BranchUlt => only::<BranchUlt>,
        Op::BranchUle => only::<BranchUle>,
        Op::BranchSlt => only::<BranchSlt>,
        Op::BranchSle => only::<BranchSle>,
        Op::ZeroExtend => with::<ZeroExtend>(rest),
        Op::SignExtend => with::<SignExtend>(rest),
        Op::Truncate => with::<Truncate>(rest),
        Op::Select => with::<Select>(rest),
        Op::Poison => one::<Poison>,
        Op::Freeze => one::<Freeze>,
        Op::Offset if i.width == 64 => offsets::<Wide>(rest),
        Op::Offset => offsets::<Narrow>(rest),
        Op::Load => loads(rest),
        Op::Store => stores(rest),
        Op::Concat => rotation(rest),
        Op::Not => with::<Not>(rest),
        Op::ByteSwap => one::<ByteSwap>,
        Op::CopyMemory => memory::copy,
        Op::Allocate => allocate,
        Op::Jump => only::<Jump>,
        Op::Branch => only::<Branch>,
        Op::Switch => only::<Switch>,
        Op::Call => call,
        Op::CallIndirect => call_indirect,
        Op::Return => leave,
        Op::Landing => landing,
        Op::General => general,
    }
}

fn op(rest: &[Ins], at: usize) -> Op {
    rest.get(at).map_or(Op::General, |ins| ins.op)
}

/// A step with what follows it.
fn with<A: Step>(rest: &[Ins]) -> Handler {
    match op(rest, A::LENGTH) {
        Op::Copy => one::<Pair<A, Copy>>,
        Op::Add => one::<Pair<A, Add>>,
        Op::Mul => one::<Pair<A, Mul>>,
        Op::And => one::<Pair<A, And>>,
        Op::Or => one::<Pair<A, Or>>,
        Op::Xor => one::<Pair<A, Xor>>,
        Op::Shl => one::<Pair<A, Shl>>,
        Op::LShr => one::<Pair<A, LShr>>,
        Op::ZeroExtend => one::<Pair<A, ZeroExtend>>,
        Op::SignExtend => one::<Pair<A, SignExtend>>,
        Op::Truncate => one::<Pair<A, Truncate>>,
        Op::Select => one::<Pair<A, Select>>,
        Op::Jump => last::<A, Jump>,
        Op::Branch => last::<A, Branch>,
        Op::BranchEq => last::<A, BranchEq>,
        Op::BranchNe => last::<A, BranchNe>,
        Op::BranchUlt => last::<A, BranchUlt>,
        Op::BranchSlt => last::<A, BranchSlt>,
        Op::Sub | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::AShr | Op::Not | Op::ByteSwap => one::<A>,
        Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::BranchUle | Op::BranchSle => one::<A>,
        Op::Poison | Op::Freeze | Op::Offset | Op::Load | Op::Store => one::<A>,
        Op::Concat | Op::CopyMemory | Op::Allocate => one::<A>,
        Op::Switch | Op::Call | Op::CallIndirect | Op::Return | Op::Landing | Op::General => one::<A>,
    }
}

/// Copies at the end of a block.
fn copies(rest: &[Ins]) -> Handler {
    match (op(rest, 1), op(rest, 2), op(rest, 3)) {
        (Op::Copy, Op::Copy, Op::Jump) => last::<Pair<Pair<Copy, Copy>, Copy>, Jump>,
        (Op::Copy, Op::Copy, _) => one::<Pair<Pair<Copy, Copy>, Copy>>,
        (Op::Copy, Op::Jump, _) => last::<Pair<Copy, Copy>, Jump>,
        _ => with::<Copy>(rest),
    }
}

/// A comparison, a count, and the branch on the comparison: the order that compilers leave in loops with two exits.
fn less(rest: &[Ins]) -> Handler {
    match (op(rest, 1), op(rest, 2)) {
        (Op::Add, Op::Branch) => last::<Pair<Slt, Add>, Branch>,
        _ => with::<Slt>(rest),
    }
}

/// The rotation of a word: itself above itself, shifted, and the upper half of that.
fn rotation(rest: &[Ins]) -> Handler {
    match (op(rest, 1), op(rest, 2)) {
        (Op::Shl, Op::Truncate) => one::<Pair<Pair<Concat, Shl>, Truncate>>,
        _ => with::<Concat>(rest),
    }
}

/// An address, with the access to it where that is next.
fn offsets<I: memory::Index>(rest: &[Ins]) -> Handler {
    let Some(access) = rest.get(1).filter(|access| access.a == rest[0].to) else { return one::<Offset<I>> };
    match (access.op, access.width) {
        (Op::Load, 1) => with::<OffsetLoad<I, 0>>(rest),
        (Op::Load, 2) => one::<OffsetLoad<I, 1>>,
        (Op::Load, 4) => with::<OffsetLoad<I, 2>>(rest),
        (Op::Load, 8) => with::<OffsetLoad<I, 3>>(rest),
        (Op::Store, 1) => with::<OffsetStore<I, 0>>(rest),
        (Op::Store, 2) => one::<OffsetStore<I, 1>>,
        (Op::Store, 4) => with::<OffsetStore<I, 2>>(rest),
        (Op::Store, 8) => one::<OffsetStore<I, 3>>,
        _ => one::<Offset<I>>,
    }
}

fn loads(rest: &[Ins]) -> Handler {
    match rest[0].width {
        1 => with::<Load<0>>(rest),
        2 => one::<Load<1>>,
        4 => with::<Load<2>>(rest),
        _ => with::<Load<3>>(rest),
    }
}

fn stores(rest: &[Ins]) -> Handler {
    match rest[0].width {
        1 => with::<Store<0>>(rest),
        2 => one::<Store<1>>,
        4 => with::<Store<2>>(rest),
        _ => with::<Store<3>>(rest),
    }
}
