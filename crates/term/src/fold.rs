//! The meaning of each operator on constants: the one definition that the constructors, the evaluator and every harness use.

use crate::bits::{Bits, mask, signed};
use crate::op::Op;
use std::cmp::Ordering;

/// The value of `op` applied to constant bit-vectors. `None` for leaves and for operators over arrays.
pub fn fold(op: Op, width: u32, low: u32, args: &[&Bits]) -> Option<Bits> {
    Some(match op {
        Op::Not => args[0].not(),
        Op::And => args[0].and(args[1]),
        Op::Or => args[0].or(args[1]),
        Op::Xor => args[0].xor(args[1]),
        Op::Add => args[0].add(args[1]),
        Op::Sub => args[0].sub(args[1]),
        Op::Mul => args[0].mul(args[1]),
        Op::UDiv => args[0].udiv(args[1]),
        Op::SDiv => args[0].sdiv(args[1]),
        Op::URem => args[0].urem(args[1]),
        Op::SRem => args[0].srem(args[1]),
        Op::Shl => args[0].shl(args[1]),
        Op::LShr => args[0].lshr(args[1]),
        Op::AShr => args[0].ashr(args[1]),
        Op::Concat => args[0].concat(args[1]),
        Op::Extract => args[0].extract(low + width - 1, low),
        Op::ZExt => args[0].resize(width),
        Op::SExt => args[0].sext(width),
        Op::Eq => Bits::bool(args[0] == args[1]),
        Op::Ult => Bits::bool(args[0].ucmp(args[1]) == Ordering::Less),
        Op::Slt => Bits::bool(args[0].scmp(args[1]) == Ordering::Less),
        Op::Ite => if args[0].is_true() { args[1] } else { args[2] }.clone(),
        Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read => return None,
        Op::Bound | Op::Forall => return None,
    })
}

/// `fold` for values of at most 64 bits as plain integers; `from` is the width of the first argument.
/// Invariant: agrees with `fold` (tested below). Not for leaves and arrays.
#[inline]
pub fn fold_narrow(op: Op, width: u32, low: u32, from: u32, a: u64, b: u64, c: u64) -> u64 {
    let value = match op {
        Op::Not => !a,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => match (signed(width, a), signed(width, b)) {
            (n, 0) => {
                if n < 0 {
                    1
                } else {
                    u64::MAX
                }
            }
            (n, d) => n.wrapping_div(d) as u64,
        },
        Op::SRem => match (signed(width, a), signed(width, b)) {
            (n, 0) => n as u64,
            (n, d) => n.wrapping_rem(d) as u64,
        },
        Op::Shl => {
            if b < u64::from(width) {
                a << b
            } else {
                0
            }
        }
        Op::LShr => {
            if b < u64::from(width) {
                a >> b
            } else {
                0
            }
        }
        Op::AShr => (signed(width, a) >> b.min(u64::from(width) - 1)) as u64,
        Op::Concat => a << (width - from) | b,
        Op::Extract => a >> low,
        Op::ZExt => a,
        Op::SExt => signed(from, a) as u64,
        Op::Eq => u64::from(a == b),
        Op::Ult => u64::from(a < b),
        Op::Slt => u64::from(signed(from, a) < signed(from, b)),
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Const
        | Op::Symbol
        | Op::ArraySymbol
        | Op::Fill
        | Op::Table
        | Op::Write
        | Op::Read
        | Op::Bound
        | Op::Forall => {
            unreachable!("{op:?} is not folded")
        }
    };
    value & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Kind;

    #[test]
    fn narrow_agrees_with_general() {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 20 ^ state << 30
        };
        for _ in 0..200_000 {
            let op = Op::ALL[random() as usize % Op::ALL.len()];
            let from = 1 + random() as u32 % 64;
            let pick = |r: u64, s: u64| {
                Bits::new(
                    from,
                    match s % 4 {
                        0 => r,
                        1 => r % 5,
                        2 => u64::MAX - r % 3,
                        _ => r % 70,
                    },
                )
            };
            let (a, b) = (pick(random(), random()), pick(random(), random()));
            let (width, low, args) = match op.info().kind {
                Kind::Leaf | Kind::Array | Kind::Clause => continue,
                Kind::Uniform => (from, 0, [a.clone(), b.clone(), b.clone()]),
                Kind::Predicate => (1, 0, [a.clone(), b.clone(), b.clone()]),
                Kind::Choice => (from, 0, [a.extract(0, 0), a.clone(), b.clone()]),
                Kind::Cast => match op {
                    Op::Extract => (1, random() as u32 % from, [a.clone(), b.clone(), b.clone()]),
                    Op::Concat if from <= 32 => (2 * from, 0, [a.clone(), b.clone(), b.clone()]),
                    Op::Concat => continue,
                    _ => (from + random() as u32 % (65 - from), 0, [a.clone(), b.clone(), b.clone()]),
                },
            };
            let args: Vec<&Bits> = args.iter().collect();
            let [x, y, z] = [args[0].low_u64(), args[1].low_u64(), args[2].low_u64()];
            let general = fold(op, width, low, &args).map(|v| v.low_u64());
            assert_eq!(general, Some(fold_narrow(op, width, low, args[0].width(), x, y, z)), "{op:?} {args:?}");
        }
    }
}
