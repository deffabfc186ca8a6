//! The words of the text form for operators: one table each, read both ways.
//!
//! The match from operator to word is exhaustive, so a new operator does not compile until it has a word; the way
//! back is a search of the same table. Invariant: no word stands for two operators of an instruction's place (the
//! test below).

use crate::program::{BinaryOp, FloatFormat, FloatOp, FloatUnary, OverflowOp, Promise, UnaryOp};

/// An operator with a word.
pub(super) trait Named: Copy + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// Its word.
    fn word(self) -> &'static str;

    /// The one with this word.
    fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.word() == word)
    }
}

macro_rules! words {
    ($($type:ident { $($variant:ident $word:literal)* })*) => {$(
        impl Named for $type {
            const ALL: &'static [$type] = &[$($type::$variant),*];

            fn word(self) -> &'static str {
                match self {
                    $($type::$variant => $word,)*
                }
            }
        }
    )*};
}

words! {
    BinaryOp {
        Add "add" Sub "sub" Mul "mul" UDiv "udiv" SDiv "sdiv" URem "urem" SRem "srem" Shl "shl" LShr "lshr"
        AShr "ashr" And "and" Or "or" Xor "xor" Eq "eq" Ne "ne" Ult "ult" Ule "ule" Slt "slt" Sle "sle"
    }
    UnaryOp {
        Not "not" Neg "neg" PopCount "pop_count" LeadingZeros "leading_zeros" TrailingZeros "trailing_zeros"
        ByteSwap "byte_swap" BitReverse "bit_reverse"
    }
    Promise { Shift "shift" SignedWrap "signed" UnsignedWrap "unsigned" Exact "exact" NonNegative "nonnegative" Disjoint "disjoint" }
    OverflowOp { SAdd "sadd" UAdd "uadd" SSub "ssub" USub "usub" SMul "smul" UMul "umul" }
    FloatFormat { Single "single" Double "double" }
    FloatOp {
        Add "fadd" Sub "fsub" Mul "fmul" Div "fdiv" Rem "frem" Min "fmin" Max "fmax" CopySign "fcopysign"
    }
    FloatUnary {
        Neg "fneg" Abs "fabs" Sqrt "fsqrt" Floor "ffloor" Ceil "fceil" Trunc "ftrunc" Round "fround"
        RoundEven "fround_even"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn words<T: Named>() -> impl Iterator<Item = &'static str> {
        T::ALL.iter().map(|op| op.word())
    }

    #[test]
    fn words_that_open_an_instruction_are_distinct() {
        let all: Vec<&str> = words::<BinaryOp>()
            .chain(words::<UnaryOp>())
            .chain(words::<FloatOp>())
            .chain(words::<FloatUnary>())
            .chain(super::super::parse::OPENING.iter().copied())
            .collect();
        let distinct: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
