//! What can be asked of a term, and the constructors that do not simplify.

use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Key, Payload, Term, intern};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A bit-vector of this width; a truth value has width one.
    Bits(u32),
    /// Bytes indexed by bit-vectors of this width.
    Array(u32),
}

impl Term {
    /// The operator.
    pub fn op(&self) -> Op {
        self.node().op
    }

    /// The width of a bit-vector, or of an array's index.
    pub fn width(&self) -> u32 {
        self.node().width()
    }

    /// The sort.
    pub fn sort(&self) -> Sort {
        if self.is_array() { Sort::Array(self.width()) } else { Sort::Bits(self.width()) }
    }

    /// Is it an array?
    pub fn is_array(&self) -> bool {
        self.node().is_array()
    }

    /// Does the bound variable occur outside a clause? Then the term has no value of its own.
    pub fn is_open(&self) -> bool {
        self.node().is_open()
    }

    /// Is there a clause in it?
    pub fn has_clause(&self) -> bool {
        self.node().has_clause()
    }

    /// Argument `i`.
    pub fn arg(&self, i: usize) -> &Term {
        &self.args()[i]
    }

    /// A sum with a constant of at most 64 bits: the other part and the constant. Any other term, and zero.
    pub fn apart(&self) -> (&Term, u64) {
        let (Op::Add, [first, second]) = (self.op(), self.args()) else { return (self, 0) };
        match (first.const_u64(), second.const_u64()) {
            (None, Some(constant)) => (first, constant),
            (Some(constant), None) => (second, constant),
            (None, None) | (Some(_), Some(_)) => (self, 0),
        }
    }

    /// The lowest bit that an `Extract` takes.
    pub fn low(&self) -> u32 {
        debug_assert_eq!(self.op(), Op::Extract);
        self.node().words[1]
    }

    /// The highest bit that an `Extract` takes.
    pub fn high(&self) -> u32 {
        self.low() + self.width() - 1
    }

    /// Is it a constant bit-vector?
    pub fn is_const(&self) -> bool {
        self.op() == Op::Const
    }

    /// The value of a constant.
    pub fn as_const(&self) -> Option<Bits> {
        let node = self.node();
        match (node.op, node.payload()) {
            (Op::Const, Some(Payload::Number(bits))) => Some(bits.clone()),
            (Op::Const, _) => Some(Bits::new(node.width(), self.narrow_value())),
            (_, _) => None,
        }
    }

    /// The value of a constant of at most 64 bits.
    pub fn const_u64(&self) -> Option<u64> {
        (self.is_const() && self.width() <= 64).then(|| self.narrow_value())
    }

    fn narrow_value(&self) -> u64 {
        let words = self.node().words;
        u64::from(words[0]) | u64::from(words[1]) << 32
    }

    /// Is it the constant true?
    pub fn is_true(&self) -> bool {
        self.width() == 1 && self.const_u64() == Some(1)
    }

    /// Is it the constant false?
    pub fn is_false(&self) -> bool {
        self.width() == 1 && self.const_u64() == Some(0)
    }

    /// A test of a constant: the first for values of at most 64 bits, the second for wider ones.
    fn constant_is(&self, narrow: impl Fn(u64) -> bool, wide: impl Fn(&Bits) -> bool) -> bool {
        match self.const_u64() {
            Some(value) => narrow(value),
            None if !self.is_const() => false,
            None => matches!(self.node().payload(), Some(Payload::Number(bits)) if wide(bits)),
        }
    }

    /// Is it the constant zero?
    pub fn is_zero(&self) -> bool {
        self.constant_is(|value| value == 0, Bits::is_zero)
    }

    /// Is it the constant one?
    pub fn is_one(&self) -> bool {
        self.constant_is(|value| value == 1, Bits::is_one)
    }

    /// Is it the constant with all bits set?
    pub fn is_ones(&self) -> bool {
        self.constant_is(|value| value == crate::bits::mask(self.width()), Bits::is_ones)
    }

    /// The name of a symbol or of an array symbol.
    pub fn name(&self) -> Option<&str> {
        match self.node().payload() {
            Some(Payload::Name(name)) => Some(name),
            Some(Payload::Number(_) | Payload::Bytes(_)) | None => None,
        }
    }

    /// The constant contents of a table.
    pub fn contents(&self) -> Option<&Arc<[u8]>> {
        match self.node().payload() {
            Some(Payload::Bytes(bytes)) => Some(bytes),
            Some(Payload::Number(_) | Payload::Name(_)) | None => None,
        }
    }

    /// The constant of these bits.
    pub fn constant(bits: Bits) -> Term {
        let width = bits.width();
        match bits.to_u64() {
            Some(value) if width <= 64 => Term::number(width, value),
            _ => {
                let payload = Some(Payload::Number(bits));
                intern(Key { op: Op::Const, array: false, width, words: [0; 3], payload })
            }
        }
    }

    /// The constant `value` modulo 2^width.
    pub fn number(width: u32, value: u64) -> Term {
        if width > 64 {
            return Term::constant(Bits::new(width, value));
        }
        let value = value & crate::bits::mask(width);
        let words = [value as u32, (value >> 32) as u32, 0];
        intern(Key { op: Op::Const, array: false, width, words, payload: None })
    }

    /// True or false.
    pub fn bool(value: bool) -> Term {
        static VALUES: OnceLock<[Term; 2]> = OnceLock::new();
        VALUES.get_or_init(|| [Term::number(1, 0), Term::number(1, 1)])[usize::from(value)].clone()
    }

    /// The bit-vector input of this name.
    pub fn symbol(name: &str, width: u32) -> Term {
        let payload = Some(Payload::Name(name.into()));
        intern(Key { op: Op::Symbol, array: false, width, words: [0; 3], payload })
    }

    /// The bound variable of clauses with a bound of this width.
    pub fn bound(width: u32) -> Term {
        intern(Key { op: Op::Bound, array: false, width, words: [0; 3], payload: None })
    }

    /// The array input of this name, with an index of at most 64 bits.
    pub fn array(name: &str, index_width: u32) -> Term {
        check_index(index_width);
        let payload = Some(Payload::Name(name.into()));
        intern(Key { op: Op::ArraySymbol, array: true, width: index_width, words: [0; 3], payload })
    }

    /// An array with `value` in every cell.
    pub fn fill(index_width: u32, value: &Term) -> Term {
        assert_eq!(value.sort(), Sort::Bits(8));
        check_index(index_width);
        intern(Key { op: Op::Fill, array: true, width: index_width, words: [value.id(), 0, 0], payload: None })
    }

    /// `base` with its first cells replaced by `contents`.
    pub fn table(base: &Term, contents: Arc<[u8]>) -> Term {
        assert!(base.is_array());
        let width = base.width();
        assert!(width >= 64 || contents.len() as u64 <= 1 << width, "a table longer than its index can reach");
        let payload = Some(Payload::Bytes(contents));
        intern(Key { op: Op::Table, array: true, width, words: [base.id(), 0, 0], payload })
    }

    /// The array of `contents`, zero beyond their end.
    pub fn constant_array(index_width: u32, contents: Arc<[u8]>) -> Term {
        Term::table(&Term::fill(index_width, &Term::number(8, 0)), contents)
    }

    /// The term of this operator and these arguments, as it stands. `width` is the result's width (the index's
    /// for an array); `low` is an extraction's lowest bit and zero otherwise. Leaves, fills and tables have constructors of their own.
    pub fn raw(op: Op, width: u32, low: u32, args: &[&Term]) -> Term {
        debug_assert_eq!(check(op, width, low, args), Ok(()));
        let mut words = [0, low, 0];
        for (word, arg) in words.iter_mut().zip(args) {
            *word = arg.id();
        }
        let array = op == Op::Write || op == Op::Ite && args[1].is_array();
        intern(Key { op, array, width, words, payload: None })
    }

    /// This term's operator over other arguments, without simplifying.
    pub fn raw_with(&self, args: &[&Term]) -> Term {
        match self.op() {
            Op::Const | Op::Symbol | Op::ArraySymbol | Op::Bound => self.clone(),
            Op::Fill => Term::fill(self.width(), args[0]),
            Op::Table => Term::table(args[0], self.contents().expect("a table has contents").clone()),
            Op::Extract => Term::raw(Op::Extract, self.width(), self.low(), args),
            op => Term::raw(op, self.width(), 0, args),
        }
    }
}

/// Evaluator and solver have places as machine words. Every other array is made of an array, so of one with such an index.
fn check_index(width: u32) {
    assert!(width <= 64, "an index of {width} bits: at most 64 are supported");
}

/// Is a term of this operator, width and these arguments well-sorted? Says what is wrong otherwise.
pub(crate) fn check(op: Op, width: u32, low: u32, args: &[&Term]) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{}: {what}", op.name()));
    if args.len() != op.info().arity {
        return fail("wrong number of arguments");
    }
    let same = |want: u32| args.iter().all(|a| a.sort() == Sort::Bits(want));
    let bits = |i: usize| !args[i].is_array();
    let ok = match op {
        Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Bound => {
            return fail("has a constructor of its own");
        }
        Op::Forall => {
            let sorts = width == 1 && bits(0) && args[1].sort() == Sort::Bits(1);
            if let Some(wrong) = sorts.then(|| crate::clause::wrong(args[0], args[1])).flatten() {
                return fail(&wrong);
            }
            sorts
        }
        Op::Write => {
            args[0].sort() == Sort::Array(width)
                && args[1].sort() == Sort::Bits(width)
                && args[2].sort() == Sort::Bits(8)
        }
        Op::Read => args[0].is_array() && args[1].sort() == Sort::Bits(args[0].width()) && width.is_multiple_of(8),
        Op::Ite => args[0].sort() == Sort::Bits(1) && args[1].sort() == args[2].sort() && args[1].width() == width,
        Op::Concat => bits(0) && bits(1) && args[0].width() + args[1].width() == width,
        Op::Extract => bits(0) && low + width <= args[0].width(),
        Op::ZExt | Op::SExt => bits(0) && width >= args[0].width(),
        Op::Eq | Op::Ult | Op::Slt => width == 1 && same(args[0].width()),
        Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv => same(width),
        Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr => same(width),
    };
    if ok { Ok(()) } else { fail(&format!("ill-sorted: {:?}", args.iter().map(|a| a.sort()).collect::<Vec<_>>())) }
}

/// A short form for messages: sub-terms below a few levels are elided.
impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn show(term: &Term, depth: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            if let Some(value) = term.as_const() {
                return write!(f, "{value:?}");
            }
            if let Some(name) = term.name() {
                return write!(f, "{name}:{}", term.width());
            }
            if depth == 0 {
                return write!(f, "…");
            }
            write!(f, "({}", term.op().name())?;
            match term.op() {
                Op::Extract => write!(f, "[{}:{}]", term.high(), term.low())?,
                Op::ZExt | Op::SExt | Op::Read => write!(f, "[{}]", term.width())?,
                _ => {}
            }
            for arg in term.args() {
                write!(f, " ")?;
                show(arg, depth - 1, f)?;
            }
            write!(f, ")")
        }
        show(self, 8, f)
    }
}
