//! The operator table: every operator of the term language, declared once.
//!
//! A row says what an operator is called, how many arguments it takes and what it means; the
//! printer, the parser, the evaluator and the blaster match on `Op` without catch-all arms, so the compiler
//! lists what a new row still needs.
//!
//! What is deliberately absent: a Boolean sort (a truth value is a bit-vector of width one, so one set of
//! rules serves `and` of conditions and of bits), negation (`0 - x`), `<=`, `>` and `>=` (each is `<`, with its
//! arguments swapped or the result negated). Fewer operators are fewer shapes for every layer above.

/// How an operator's result relates to its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No term arguments.
    Leaf,
    /// All arguments and the result have one width.
    Uniform,
    /// Two arguments of one width, a result of one bit.
    Predicate,
    /// The width changes, as the operator says.
    Cast,
    /// A choice between two terms of one sort by a bit.
    Choice,
    /// An array, or a read of one.
    Array,
    /// A bound and a body in which a variable is bound, a result of one bit.
    Clause,
}

/// A row of the operator table.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Our own name, used in rules and messages.
    pub name: &'static str,
    /// How many arguments are terms.
    pub arity: usize,
    /// What the result looks like.
    pub kind: Kind,
    /// Do the arguments commute?
    pub commutes: bool,
}

macro_rules! operators {
    ($($(#[$doc:meta])* $op:ident $name:literal $arity:literal $kind:ident $commutes:literal;)*) => {
        /// An operator of the term language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $op,)* }

        impl Op {
            /// Every operator, in the order of the table.
            pub const ALL: &'static [Op] = &[$(Op::$op,)*];
            const TABLE: &'static [Info] = &[$(Info { name: $name, arity: $arity, kind: Kind::$kind, commutes: $commutes },)*];
        }
    };
}

operators! {
    /// A constant.
    Const "const" 0 Leaf false;
    /// A named bit-vector input.
    Symbol "symbol" 0 Leaf false;
    /// Bitwise complement.
    Not "not" 1 Uniform false;
    /// Bitwise and.
    And "and" 2 Uniform true;
    /// Bitwise or.
    Or "or" 2 Uniform true;
    /// Bitwise exclusive or.
    Xor "xor" 2 Uniform true;
    /// Sum.
    Add "add" 2 Uniform true;
    /// Difference.
    Sub "sub" 2 Uniform false;
    /// Product.
    Mul "mul" 2 Uniform true;
    /// Unsigned quotient, all ones for a zero divisor.
    UDiv "udiv" 2 Uniform false;
    /// Signed quotient, towards zero; 1 or -1 for a zero divisor.
    SDiv "sdiv" 2 Uniform false;
    /// Unsigned remainder, the dividend for a zero divisor.
    URem "urem" 2 Uniform false;
    /// Signed remainder with the dividend's sign, the dividend for a zero divisor.
    SRem "srem" 2 Uniform false;
    /// Left shift.
    Shl "shl" 2 Uniform false;
    /// Logical right shift.
    LShr "lshr" 2 Uniform false;
    /// Arithmetic right shift.
    AShr "ashr" 2 Uniform false;
    /// The first argument above the second.
    Concat "concat" 2 Cast false;
    /// Bits `low() + width() - 1` down to `low()` of the argument.
    Extract "extract" 1 Cast false;
    /// Zero extension to `width()`.
    ZExt "zext" 1 Cast false;
    /// Sign extension to `width()`.
    SExt "sext" 1 Cast false;
    /// Equality of bit-vectors.
    Eq "eq" 2 Predicate true;
    /// Unsigned less-than.
    Ult "ult" 2 Predicate false;
    /// Signed less-than.
    Slt "slt" 2 Predicate false;
    /// The second argument if the first (one bit) is set, else the third.
    Ite "ite" 3 Choice false;
    /// A named array of input bytes.
    ArraySymbol "array" 0 Array false;
    /// An array whose every byte is the argument.
    Fill "fill" 1 Array false;
    /// The argument with its first cells replaced by constant contents.
    Table "table" 1 Array false;
    /// The first argument with the byte at the second replaced by the third.
    Write "write" 3 Array false;
    /// `width() / 8` bytes of the first argument from the second on, little-endian; indices wrap.
    Read "read" 2 Array false;
    /// The variable of the clause around it. It has a value only in the clause's body.
    Bound "bound" 0 Leaf false;
    /// The second argument holds for each value of its `Bound` from 1 to the first argument.
    Forall "forall" 2 Clause false;
}

impl Op {
    /// This operator's row.
    pub fn info(self) -> &'static Info {
        &Self::TABLE[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = Op::ALL.iter().map(|op| op.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Op::ALL.len());
    }
}
