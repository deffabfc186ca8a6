//! The operators of SMT-LIB, one row each, and what each shape of row demands of its arguments.
//!
//! Invariant: a constructor is called only after the sorts were checked here, because constructors assert.

use super::sort::{SmtSort, Value};
use crate::op::Op;
use crate::store::{MAX_WIDTH, Term};

type Unary = fn(&Term) -> Term;
type Binary = fn(&Term, &Term) -> Term;

/// An operator: its name, what it takes, and how to build it.
pub(super) struct Row {
    pub name: &'static str,
    shape: Shape,
}

enum Shape {
    /// A truth value to a truth value.
    Not,
    /// Truth values, associating to the left.
    Connective(Binary),
    /// Truth values, associating to the right.
    Implies,
    /// Two or more of one sort, each equal to the next.
    Equal,
    /// Two or more of one sort, all different.
    Distinct,
    Ite,
    /// A bit-vector to one of the same width.
    Unary(Unary),
    /// Two or more bit-vectors of one width, associating to the left.
    Chain(Binary),
    /// Two bit-vectors of one width to another.
    Pair(Binary),
    /// Two bit-vectors of one width to a truth value.
    Predicate(Binary),
    /// Two bit-vectors of one width to a single bit.
    Compare(Binary),
    Concat,
    Select,
    Store,
}

const fn row(name: &'static str, shape: Shape) -> Row {
    Row { name, shape }
}

/// Every operator that is not indexed.
pub(super) static ROWS: &[Row] = &[
    row("not", Shape::Not),
    row("and", Shape::Connective(Term::and)),
    row("or", Shape::Connective(Term::or)),
    row("xor", Shape::Connective(Term::xor)),
    row("=>", Shape::Implies),
    row("=", Shape::Equal),
    row("distinct", Shape::Distinct),
    row("ite", Shape::Ite),
    row("concat", Shape::Concat),
    row("bvnot", Shape::Unary(Term::not)),
    row("bvneg", Shape::Unary(Term::neg)),
    row("bvand", Shape::Chain(Term::and)),
    row("bvor", Shape::Chain(Term::or)),
    row("bvxor", Shape::Chain(Term::xor)),
    row("bvadd", Shape::Chain(Term::add)),
    row("bvmul", Shape::Chain(Term::mul)),
    row("bvnand", Shape::Pair(|a, b| a.and(b).not())),
    row("bvnor", Shape::Pair(|a, b| a.or(b).not())),
    row("bvxnor", Shape::Pair(|a, b| a.xor(b).not())),
    row("bvsub", Shape::Pair(Term::sub)),
    row("bvudiv", Shape::Pair(Term::udiv)),
    row("bvurem", Shape::Pair(Term::urem)),
    row("bvsdiv", Shape::Pair(Term::sdiv)),
    row("bvsrem", Shape::Pair(Term::srem)),
    row("bvsmod", Shape::Pair(Term::smod)),
    row("bvshl", Shape::Pair(Term::shl)),
    row("bvlshr", Shape::Pair(Term::lshr)),
    row("bvashr", Shape::Pair(Term::ashr)),
    row("bvult", Shape::Predicate(Term::ult)),
    row("bvule", Shape::Predicate(Term::ule)),
    row("bvugt", Shape::Predicate(|a, b| b.ult(a))),
    row("bvuge", Shape::Predicate(|a, b| b.ule(a))),
    row("bvslt", Shape::Predicate(Term::slt)),
    row("bvsle", Shape::Predicate(Term::sle)),
    row("bvsgt", Shape::Predicate(|a, b| b.slt(a))),
    row("bvsge", Shape::Predicate(|a, b| b.sle(a))),
    row("bvcomp", Shape::Compare(Term::eq)),
    row("select", Shape::Select),
    row("store", Shape::Store),
];

/// `distinct` compares every pair: beyond this many arguments a script means something else.
const MAX_DISTINCT: usize = 1000;

impl Row {
    /// The operator applied to these arguments, or why it cannot be.
    pub(super) fn apply(&self, args: &[Value]) -> Result<Value, String> {
        match &self.shape {
            Shape::Not => {
                self.count(args, 1)?;
                self.booleans(args)?;
                Ok(Value::bool(args[0].term.not()))
            }
            Shape::Connective(make) => {
                self.at_least(args, 1)?;
                self.booleans(args)?;
                Ok(Value::bool(left(args, *make)))
            }
            Shape::Implies => {
                self.at_least(args, 2)?;
                self.booleans(args)?;
                let (last, first) = args.split_last().expect("two or more");
                Ok(Value::bool(first.iter().rfold(last.term.clone(), |then, arg| arg.term.implies(&then))))
            }
            Shape::Equal => self.equal(args),
            Shape::Distinct => self.distinct(args),
            Shape::Ite => self.ite(args),
            Shape::Unary(make) => {
                self.count(args, 1)?;
                self.one_width(args)?;
                Ok(Value::bits(make(&args[0].term)))
            }
            Shape::Chain(make) => {
                self.at_least(args, 2)?;
                self.one_width(args)?;
                Ok(Value::bits(left(args, *make)))
            }
            Shape::Pair(make) | Shape::Compare(make) => {
                self.count(args, 2)?;
                self.one_width(args)?;
                Ok(Value::bits(make(&args[0].term, &args[1].term)))
            }
            Shape::Predicate(make) => {
                self.count(args, 2)?;
                self.one_width(args)?;
                Ok(Value::bool(make(&args[0].term, &args[1].term)))
            }
            Shape::Concat => self.concat(args),
            Shape::Select => self.select(args),
            Shape::Store => self.store(args),
        }
    }

    fn count(&self, args: &[Value], want: usize) -> Result<(), String> {
        if args.len() == want { Ok(()) } else { Err(wrong_count(self.name, &plural(want), args.len())) }
    }

    fn at_least(&self, args: &[Value], want: usize) -> Result<(), String> {
        let wanted = || format!("at least {}", plural(want));
        if args.len() >= want { Ok(()) } else { Err(wrong_count(self.name, &wanted(), args.len())) }
    }

    fn booleans(&self, args: &[Value]) -> Result<(), String> {
        match args.iter().all(|arg| arg.sort == SmtSort::Bool) {
            true => Ok(()),
            false => Err(ill_sorted(self.name, if args.len() == 1 { "a Bool" } else { "Bools" }, args)),
        }
    }

    /// Needs at least one argument.
    fn one_width(&self, args: &[Value]) -> Result<(), String> {
        let first = args[0].sort;
        let wanted = || if args.len() == 1 { "a bit-vector" } else { "bit-vectors of one width" };
        match matches!(first, SmtSort::BitVec(_)) && args.iter().all(|arg| arg.sort == first) {
            true => Ok(()),
            false => Err(ill_sorted(self.name, wanted(), args)),
        }
    }

    fn one_sort(&self, args: &[Value]) -> Result<(), String> {
        match args.iter().all(|arg| arg.sort == args[0].sort) {
            true => Ok(()),
            false => Err(ill_sorted(self.name, "arguments of one sort", args)),
        }
    }

    fn equal(&self, args: &[Value]) -> Result<Value, String> {
        self.at_least(args, 2)?;
        self.one_sort(args)?;
        refuse_arrays(args)?;
        if let [a, b] = args {
            return Ok(Value::bool(equality(a, b)));
        }
        let pairs = args.windows(2).map(|pair| equality(&pair[0], &pair[1]));
        Ok(Value::bool(pairs.fold(Term::bool(true), |all, equal| all.and(&equal))))
    }

    fn distinct(&self, args: &[Value]) -> Result<Value, String> {
        self.at_least(args, 2)?;
        self.one_sort(args)?;
        refuse_arrays(args)?;
        if args.len() > MAX_DISTINCT {
            return Err(format!("distinct of {} terms is not supported: at most {MAX_DISTINCT}", args.len()));
        }
        let mut all = Term::bool(true);
        for (number, a) in args.iter().enumerate() {
            for b in &args[number + 1..] {
                all = all.and(&equality(a, b).not());
            }
        }
        Ok(Value::bool(all))
    }

    fn ite(&self, args: &[Value]) -> Result<Value, String> {
        self.count(args, 3)?;
        let [condition, then, otherwise] = args else { unreachable!("counted") };
        if condition.sort != SmtSort::Bool || then.sort != otherwise.sort {
            return Err(ill_sorted(self.name, "a Bool and two arguments of one sort", args));
        }
        let as_bit = then.sort == SmtSort::BitVec(1) && then.term.is_true() && otherwise.term.is_false();
        let term = match as_bit {
            // A condition written as a bit: the same term to us.
            true => condition.term.clone(),
            false => Term::ite(&condition.term, &then.term, &otherwise.term),
        };
        Ok(Value { term, sort: then.sort })
    }

    fn concat(&self, args: &[Value]) -> Result<Value, String> {
        self.at_least(args, 2)?;
        let mut width = 0u64;
        for arg in args {
            match arg.sort {
                SmtSort::BitVec(more) => width += u64::from(more),
                SmtSort::Bool | SmtSort::Array { .. } => return Err(ill_sorted(self.name, "bit-vectors", args)),
            }
        }
        SmtSort::bit_vector(Some(width)).map_err(|why| format!("concat makes {why}"))?;
        Ok(Value::bits(left(args, Term::concat)))
    }

    fn select(&self, args: &[Value]) -> Result<Value, String> {
        self.count(args, 2)?;
        match (args[0].sort, args[1].sort) {
            (SmtSort::Array { index }, SmtSort::BitVec(width)) if index == width => {
                Ok(Value::bits(args[0].term.read(&args[1].term, 1)))
            }
            _ => Err(ill_sorted(self.name, "an array and an index of its width", args)),
        }
    }

    fn store(&self, args: &[Value]) -> Result<Value, String> {
        self.count(args, 3)?;
        match (args[0].sort, args[1].sort, args[2].sort) {
            (SmtSort::Array { index }, SmtSort::BitVec(width), SmtSort::BitVec(SmtSort::ELEMENT)) if index == width => {
                let written = [&args[0].term, &args[1].term, &args[2].term];
                Ok(Value::array(Term::checked(Op::Write, index, 0, &written)?))
            }
            _ => Err(ill_sorted(self.name, "an array, an index of its width and an element", args)),
        }
    }
}

fn left(args: &[Value], make: Binary) -> Term {
    let (first, rest) = args.split_first().expect("at least one");
    rest.iter().fold(first.term.clone(), |all, arg| make(&all, &arg.term))
}

/// Equality of two values of one sort that is not an array's.
fn equality(a: &Value, b: &Value) -> Term {
    match (a.term.is_true(), b.term.is_true()) {
        // A bit tested against one, or a truth value against true: the same term to us.
        (true, _) => b.term.clone(),
        (_, true) => a.term.clone(),
        (false, false) => a.term.eq(&b.term),
    }
}

fn refuse_arrays(args: &[Value]) -> Result<(), String> {
    match args[0].sort {
        SmtSort::Array { .. } => Err("equality between arrays is not supported".into()),
        SmtSort::Bool | SmtSort::BitVec(_) => Ok(()),
    }
}

fn plural(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}

pub(super) fn wrong_count(name: &str, wanted: &str, got: usize) -> String {
    format!("{name} wants {wanted}, got {got}")
}

pub(super) fn ill_sorted(name: &str, wanted: &str, args: &[Value]) -> String {
    const SHOWN: usize = 4;
    let mut sorts: Vec<String> = args.iter().take(SHOWN).map(|arg| arg.sort.to_string()).collect();
    if args.len() > SHOWN {
        sorts.push("others".into());
    }
    let last = sorts.pop().unwrap_or_default();
    let list = if sorts.is_empty() { last } else { format!("{} and {last}", sorts.join(", ")) };
    format!("ill-sorted: {name} wants {wanted}, got {list}")
}

/// An operator that takes numbers besides terms, as in `(_ extract 7 0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indexed {
    Extract,
    ZeroExtend,
    SignExtend,
    RotateLeft,
    RotateRight,
    Repeat,
}

impl Indexed {
    pub(super) const ALL: [(&'static str, Indexed); 6] = [
        ("extract", Indexed::Extract),
        ("zero_extend", Indexed::ZeroExtend),
        ("sign_extend", Indexed::SignExtend),
        ("rotate_left", Indexed::RotateLeft),
        ("rotate_right", Indexed::RotateRight),
        ("repeat", Indexed::Repeat),
    ];

    pub(super) fn name(self) -> &'static str {
        Indexed::ALL.iter().find(|(_, op)| *op == self).map_or("", |(name, _)| name)
    }

    /// How many numbers it takes.
    pub(super) fn numbers(self) -> usize {
        match self {
            Indexed::Extract => 2,
            Indexed::ZeroExtend | Indexed::SignExtend | Indexed::RotateLeft | Indexed::RotateRight => 1,
            Indexed::Repeat => 1,
        }
    }

    /// The operator with these numbers applied to these arguments, or why it cannot be.
    pub(super) fn apply(self, numbers: [u64; 2], args: &[Value]) -> Result<Value, String> {
        let name = self.name();
        let [Value { term, sort: SmtSort::BitVec(width) }] = args else {
            return Err(match args.len() {
                1 => ill_sorted(name, "a bit-vector", args),
                got => wrong_count(name, "1 argument", got),
            });
        };
        let (width, number) = (*width, numbers[0]);
        let wide = |width: u64| {
            let fits = width <= u64::from(MAX_WIDTH);
            if fits { Ok(width as u32) } else { Err(format!("{name} makes a bit-vector wider than {MAX_WIDTH}")) }
        };
        let rotated = |by: u32| if by == 0 { term.clone() } else { rotate_left(term, by) };
        Ok(Value::bits(match self {
            Indexed::Extract => {
                let (high, low) = (numbers[0], numbers[1]);
                if high < low || high >= u64::from(width) {
                    return Err(format!(
                        "extract from {high} to {low} of (_ BitVec {width}): expected {width} > high >= low"
                    ));
                }
                term.extract(high as u32, low as u32)
            }
            Indexed::ZeroExtend => term.zext(wide(number.saturating_add(u64::from(width)))?),
            Indexed::SignExtend => term.sext(wide(number.saturating_add(u64::from(width)))?),
            Indexed::RotateLeft => rotated((number % u64::from(width)) as u32),
            Indexed::RotateRight => rotated(((u64::from(width) - number % u64::from(width)) % u64::from(width)) as u32),
            Indexed::Repeat if number == 0 => return Err("repeat wants a number above 0".into()),
            Indexed::Repeat => {
                wide(number.saturating_mul(u64::from(width)))?;
                (1..number).fold(term.clone(), |all, _| all.concat(term))
            }
        }))
    }
}

/// `by` is above zero and below the width.
fn rotate_left(term: &Term, by: u32) -> Term {
    let width = term.width();
    term.extract(width - by - 1, 0).concat(&term.extract(width - 1, width - by))
}
