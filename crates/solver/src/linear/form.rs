//! What conditions say as linear comparisons modulo powers of two. Worked out once for each term, whatever the path.
//!
//! A term of width `w` is a sum of multiples of parts and a constant, modulo `2^w`: sums, differences, products with a constant, shifts to the left and complements keep that form, and taking the
//! lowest bits reduces it. Where a value as such is used (extensions, concatenations, quotients) the part is the value of a term, a number from 0 to `2^w - 1`, or the signed one; its own
//! form comes in with it. Anything else is an atom. Which sums wrap is a matter of the path (`relax`).
//!
//! Sound: equalities modulo `2^w` hold for all values. A conjunct of another shape is dropped as a whole: only at the top, where that adds solutions; what stands below a negation is
//! taken apart only where the negation turns it into a conjunction.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_term::{Op, Term};

/// Parts of a form at most; a term with more is an atom.
const PARTS: usize = 24;
/// Forms inside forms at most.
const DEPTH: u32 = 6;
/// Nodes without a form below one term, at most; a term with more is an atom.
const NODES: usize = 1000;
/// Forms and conditions that are kept before all are forgotten.
const KEPT: usize = 20_000;
/// Atoms of a comparison that are kept, to find what shares one with it.
const ATOMS: usize = 128;
/// How many parts that are looked at take the time of a form that is made.
const PARTS_OF_A_FORM: usize = 4;
/// Comparisons of one condition, at most.
const COMPARISONS: usize = 64;

/// A number that a term stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Any term, as a number from zero on.
    Atom(Term),
    /// The value of a term with a form of its own, from zero on.
    Unsigned(Term),
    /// The value of a term, as a number with a sign.
    Signed(Term),
    /// The value of a term divided by a constant, rounded down.
    Quotient(Term, u64),
    /// What such a division leaves.
    Remainder(Term, u64),
}

/// `sum of coefficient * part + constant`, modulo `2^width`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    pub width: u32,
    pub parts: Vec<(Part, i128)>,
    pub constant: i128,
    depth: u32,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Equal,
    Apart,
    /// Strictly.
    Below {
        signed: bool,
    },
    /// Not strictly.
    AtMost {
        signed: bool,
    },
}

/// A comparison that a condition implies.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub left: Term,
    pub right: Term,
    pub kind: Kind,
    /// Left minus right.
    pub difference: Form,
    /// Ids of the atoms below it, those of the indices of reads too; no more than there is room for.
    pub atoms: Vec<u32>,
}

/// What conditions and terms were found to be.
#[derive(Default)]
pub struct Forms {
    forms: FxHashMap<u32, (Term, Arc<Form>)>,
    conditions: FxHashMap<u32, (Term, Arc<[Comparison]>)>,
    /// What was done since somebody asked, in parts looked at.
    work: usize,
}

/// Can a term be a number here?
fn fits(term: &Term) -> bool {
    !term.is_array() && term.width() <= 64
}

/// A coefficient modulo `2^width`, the one closest to zero.
fn reduced(number: i128, width: u32) -> i128 {
    let modulus = 1i128 << width;
    let rest = number.rem_euclid(modulus);
    if rest > modulus / 2 { rest - modulus } else { rest }
}

impl Form {
    fn constant(width: u32, constant: i128) -> Form {
        Form { width, parts: Vec::new(), constant: reduced(constant, width), depth: 0 }
    }

    fn of(width: u32, part: Part) -> Form {
        let depth = u32::from(!matches!(part, Part::Atom(_)));
        Form { width, parts: vec![(part, 1)], constant: 0, depth }
    }

    /// Adds a multiple of another form, of which only what counts modulo `2^width` is kept.
    fn add(&mut self, other: &Form, times: i128) {
        // Coefficients have at most 64 bits each, so products fit.
        for (part, coefficient) in &other.parts {
            let more = coefficient * times;
            match self.parts.iter_mut().find(|(known, _)| known == part) {
                Some((_, coefficient)) => *coefficient = reduced(*coefficient + reduced(more, self.width), self.width),
                None => self.parts.push((part.clone(), reduced(more, self.width))),
            }
        }
        self.parts.retain(|(_, coefficient)| *coefficient != 0);
        self.constant = reduced(self.constant + reduced(other.constant * times, self.width), self.width);
        self.depth = self.depth.max(other.depth);
    }

    /// Between which numbers the sum lies, whatever the values of its parts.
    fn extent(&self) -> Option<(i128, i128)> {
        self.parts.iter().try_fold((self.constant, self.constant), |(least, most), (part, coefficient)| {
            let (low, high) = natural(part);
            let ends = [coefficient.checked_mul(low)?, coefficient.checked_mul(high)?];
            Some((least.checked_add(ends[0].min(ends[1]))?, most.checked_add(ends[0].max(ends[1]))?))
        })
    }
}

/// Between which numbers a part lies on every path.
fn natural(part: &Part) -> (i128, i128) {
    let top = |term: &Term| 1i128 << term.width();
    match part {
        Part::Atom(term) | Part::Unsigned(term) => (0, top(term) - 1),
        Part::Signed(term) => (-top(term) / 2, top(term) / 2 - 1),
        Part::Quotient(term, divisor) => (0, (top(term) - 1) / i128::from(*divisor)),
        Part::Remainder(term, divisor) => (0, (i128::from(*divisor) - 1).min(top(term) - 1)),
    }
}

impl Forms {
    /// How many forms were made since this was asked last, or what takes as long.
    pub fn spent(&mut self) -> usize {
        let made = self.work / PARTS_OF_A_FORM;
        self.work %= PARTS_OF_A_FORM;
        made
    }

    /// The comparisons that hold where `condition` does.
    pub fn comparisons(&mut self, condition: &Term) -> Arc<[Comparison]> {
        if let Some((_, known)) = self.conditions.get(&condition.id()) {
            return known.clone();
        }
        if self.conditions.len() > KEPT {
            self.conditions.clear();
        }
        let found: Arc<[Comparison]> = self.taken_apart(condition).into();
        self.conditions.insert(condition.id(), (condition.clone(), found.clone()));
        found
    }

    fn taken_apart(&mut self, condition: &Term) -> Vec<Comparison> {
        let (mut open, mut found) = (vec![(condition, true)], Vec::new());
        while let Some((term, holds)) = open.pop() {
            if found.len() + open.len() > COMPARISONS {
                break;
            }
            match term.op() {
                Op::Not => open.push((term.arg(0), !holds)),
                Op::And if holds => open.extend(term.args().iter().map(|arg| (arg, true))),
                Op::Or if !holds => open.extend(term.args().iter().map(|arg| (arg, false))),
                Op::Eq | Op::Ult | Op::Slt => found.extend(self.comparison(term, holds)),
                // A bit of a number, such as its sign.
                Op::Extract if fits(term.arg(0)) => found.push(self.compared(Kind::Equal, term, &Term::bool(holds))),
                // Any other conjunct is dropped.
                Op::And | Op::Or | Op::Xor | Op::Extract | Op::Ite | Op::Const | Op::Symbol | Op::Read => {}
                Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => {}
                Op::Shl | Op::LShr | Op::AShr | Op::Concat | Op::ZExt | Op::SExt => {}
                Op::Bound | Op::Forall => {}
                Op::ArraySymbol | Op::Fill | Op::Table | Op::Write => unreachable!("a condition is no array"),
            }
        }
        found
    }

    fn comparison(&mut self, term: &Term, holds: bool) -> Option<Comparison> {
        let (left, right) = (term.arg(0), term.arg(1));
        if left.width() < 2 || !fits(left) {
            return None;
        }
        let signed = term.op() == Op::Slt;
        let (kind, left, right) = match (term.op(), holds) {
            (Op::Eq, true) => (Kind::Equal, left, right),
            (Op::Eq, false) => (Kind::Apart, left, right),
            (_, true) => (Kind::Below { signed }, left, right),
            (_, false) => (Kind::AtMost { signed }, right, left),
        };
        Some(self.compared(kind, left, right))
    }

    fn compared(&mut self, kind: Kind, left: &Term, right: &Term) -> Comparison {
        let mut difference = (*self.form(left)).clone();
        difference.add(&self.form(right), -1);
        let atoms = self.atoms_of(&difference);
        Comparison { left: left.clone(), right: right.clone(), kind, difference, atoms }
    }

    /// The ids of the atoms below a term.
    pub fn atoms(&mut self, term: &Term) -> Vec<u32> {
        let form = self.form(term);
        self.atoms_of(&form)
    }

    fn atoms_of(&mut self, form: &Form) -> Vec<u32> {
        let mut open: Vec<Part> = form.parts.iter().map(|(part, _)| part.clone()).collect();
        let mut found = Vec::new();
        while let Some(part) = open.pop().filter(|_| found.len() + open.len() < ATOMS) {
            self.work += 1;
            let inner = match &part {
                Part::Atom(term) => {
                    found.push(term.id());
                    (term.op() == Op::Read && fits(term.arg(1))).then(|| term.arg(1))
                }
                Part::Unsigned(term) | Part::Signed(term) => Some(term),
                Part::Quotient(term, _) | Part::Remainder(term, _) => Some(term),
            };
            if let Some(inner) = inner {
                open.extend(self.form(inner).parts.iter().map(|(part, _)| part.clone()));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The form of a term of at most 64 bits.
    pub fn form(&mut self, term: &Term) -> Arc<Form> {
        if self.forms.len() > KEPT {
            self.forms.clear();
        }
        let mut stack: Vec<&Term> = vec![term];
        let mut visited = 0;
        while let Some(&node) = stack.last() {
            if self.forms.contains_key(&node.id()) {
                stack.pop();
                continue;
            }
            visited += 1;
            if visited > NODES {
                let atom = Form::of(term.width(), Part::Atom(term.clone()));
                self.forms.insert(term.id(), (term.clone(), Arc::new(atom)));
                break;
            }
            let before = stack.len();
            stack.extend(operands(node).iter().filter(|arg| !self.forms.contains_key(&arg.id())));
            if stack.len() == before {
                stack.pop();
                self.work += PARTS_OF_A_FORM;
                let form = self.made(node);
                let small = form.parts.len() <= PARTS && form.depth <= DEPTH;
                let form = if small { form } else { Form::of(node.width(), Part::Atom(node.clone())) };
                self.forms.insert(node.id(), (node.clone(), Arc::new(form)));
            }
        }
        self.forms[&term.id()].1.clone()
    }

    /// The form of a node whose operands have one.
    fn made(&self, node: &Term) -> Form {
        let width = node.width();
        let known = |place: usize| &*self.forms[&node.arg(place).id()].1;
        let number = |place: usize| node.arg(place).const_u64();
        let mut form = Form::constant(width, 0);
        if operands(node).is_empty() {
            return match node.const_u64() {
                Some(value) => Form::constant(width, value.into()),
                None => Form::of(width, Part::Atom(node.clone())),
            };
        }
        match node.op() {
            Op::Add | Op::Sub => {
                form.add(known(0), 1);
                form.add(known(1), if node.op() == Op::Add { 1 } else { -1 });
            }
            Op::Mul => match (number(0), number(1)) {
                (_, Some(times)) => form.add(known(0), reduced(times.into(), width)),
                (times, None) => form.add(known(1), reduced(times.unwrap_or(0).into(), width)),
            },
            // The amount is constant and below the width: `operands` saw to it.
            Op::Shl => form.add(known(0), reduced(1 << number(1).unwrap_or(0), width)),
            Op::Not => {
                form.constant = -1;
                form.add(known(0), -1);
            }
            Op::ZExt => form.add(&self.value(node.arg(0), false), 1),
            Op::SExt => form.add(&self.value(node.arg(0), true), 1),
            Op::Concat => {
                form.add(&self.value(node.arg(0), false), 1 << node.arg(1).width());
                form.add(&self.value(node.arg(1), false), 1);
            }
            Op::Extract if node.low() == 0 => form.add(known(0), 1),
            Op::Extract => form.add(&divided(node.arg(0), 1 << node.low(), Part::Quotient), 1),
            Op::LShr => form.add(&divided(node.arg(0), 1 << number(1).unwrap_or(0), Part::Quotient), 1),
            Op::UDiv => form.add(&divided(node.arg(0), number(1).unwrap_or(1), Part::Quotient), 1),
            Op::URem => form.add(&divided(node.arg(0), number(1).unwrap_or(1), Part::Remainder), 1),
            // `operands` lets no other operator through.
            Op::Const
            | Op::Symbol
            | Op::Read
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::SDiv
            | Op::SRem
            | Op::AShr
            | Op::Eq
            | Op::Ult
            | Op::Slt
            | Op::Ite
            | Op::ArraySymbol
            | Op::Fill
            | Op::Table
            | Op::Write
            | Op::Bound
            | Op::Forall => {
                return Form::of(width, Part::Atom(node.clone()));
            }
        }
        if form.parts.iter().any(|(part, _)| matches!(part, Part::Quotient(..) | Part::Remainder(..))) {
            form.depth = form.depth.max(known(0).depth + 1);
        }
        form
    }

    /// The value of a term that has a form, as a sum without a modulus that matters: the form itself where it never wraps.
    fn value(&self, term: &Term, signed: bool) -> Form {
        let form = &*self.forms[&term.id()].1;
        let top = 1i128 << term.width();
        let (low, high) = if signed { (-top / 2, top / 2 - 1) } else { (0, top - 1) };
        match form.extent() {
            Some((least, most)) if low <= least && most <= high => form.clone(),
            _ => {
                let part = if signed { Part::Signed(term.clone()) } else { Part::Unsigned(term.clone()) };
                Form { depth: form.depth + 1, ..Form::of(term.width(), part) }
            }
        }
    }
}

fn divided(term: &Term, divisor: u64, part: fn(Term, u64) -> Part) -> Form {
    Form::of(term.width(), part(term.clone(), divisor))
}

/// The arguments whose forms make that of a term; none for an atom.
fn operands(node: &Term) -> &[Term] {
    let args = node.args();
    if !args.iter().all(fits) || !fits(node) {
        return &[];
    }
    let number = |place: usize| args[place].const_u64();
    let linear = match node.op() {
        Op::Add | Op::Sub | Op::ZExt | Op::SExt | Op::Concat | Op::Extract => true,
        // A truth value is an atom: its complement is no number to compute with.
        Op::Not => node.width() > 1,
        Op::Mul => number(0).is_some() || number(1).is_some(),
        Op::Shl | Op::LShr => number(1).is_some_and(|amount| amount < node.width().into()),
        Op::UDiv | Op::URem => number(1).is_some_and(|divisor| divisor > 0),
        Op::Const | Op::Symbol | Op::And | Op::Or | Op::Xor | Op::SDiv | Op::SRem | Op::AShr => false,
        Op::Eq | Op::Ult | Op::Slt | Op::Ite => false,
        Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read | Op::Bound | Op::Forall => false,
    };
    if linear { args } else { &[] }
}
