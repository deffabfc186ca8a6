//! The system of integers that comparisons of terms imply on a path.
//!
//! Sound: every value that the inputs have in a model of the path gives a solution. Atoms are their terms' values, within ranges from above. A sum modulo `2^w` is the sum over the
//! integers less `2^w * k` for one integer `k`, which lies between what the least and the largest sum need to come back into the width: one value where nothing wraps, and then there is no variable. A
//! signed value comes back into the signed range in the same way. A quotient is the one `q` with `value = divisor * q + r` and `0 <= r < divisor`. So each comparison of terms is one of sums,
//! exactly; only what ties atoms to each other is left out. A comparison whose numbers do not fit is left out as well.

use super::form::{Comparison, Form, Forms, Kind, Part};
use super::{Conflict, Interval, Relation, Row, System};
use rustc_hash::FxHashMap;
use strata_term::Term;

/// A system in the making.
pub struct Relaxation<'a> {
    pub system: System,
    forms: &'a mut Forms,
    /// Between which values an atom lies.
    range: &'a mut dyn FnMut(&Term) -> Interval,
    /// Values of terms, with a sign or without.
    values: FxHashMap<(u32, bool), Sum>,
    /// Quotients and remainders.
    divisions: FxHashMap<(u32, u64), [usize; 2]>,
    /// Terms taken as variables, and the place of each by its id.
    pub atoms: Vec<(Term, usize)>,
    places: FxHashMap<u32, usize>,
}

/// A sum of variables.
#[derive(Clone, Debug)]
pub struct Sum {
    terms: Vec<(usize, i128)>,
    constant: i128,
    /// It is not outside of this.
    range: Interval,
}

impl Sum {
    fn constant(constant: i128) -> Sum {
        Sum { terms: Vec::new(), constant, range: Interval { least: constant, most: constant } }
    }

    fn variable(place: usize, range: Interval) -> Sum {
        Sum { terms: vec![(place, 1)], constant: 0, range }
    }

    fn plus(&mut self, other: &Sum, times: i128) -> Option<()> {
        for (variable, coefficient) in &other.terms {
            self.terms.push((*variable, coefficient.checked_mul(times)?));
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        let ends = [other.range.least.checked_mul(times)?, other.range.most.checked_mul(times)?];
        self.range.least = self.range.least.checked_add(ends[0].min(ends[1]))?;
        self.range.most = self.range.most.checked_add(ends[0].max(ends[1]))?;
        Some(())
    }
}

impl<'a> Relaxation<'a> {
    /// Without rows. `range` says between which values a term lies on the path.
    pub fn new(forms: &'a mut Forms, range: &'a mut dyn FnMut(&Term) -> Interval) -> Relaxation<'a> {
        Relaxation {
            system: System::default(),
            forms,
            range,
            values: FxHashMap::default(),
            divisions: FxHashMap::default(),
            atoms: Vec::new(),
            places: FxHashMap::default(),
        }
    }

    fn variable(&mut self, bounds: Interval) -> usize {
        self.system.bounds.push(bounds);
        self.system.bounds.len() - 1
    }

    /// Adds `sum <relation> 0`.
    fn row(&mut self, sum: Sum, relation: Relation) -> Option<()> {
        let constant = sum.constant.checked_neg()?;
        self.system.rows.push(Row { terms: sum.terms, relation, constant });
        Some(())
    }

    /// Adds what a comparison says, as far as its numbers fit; a conflict if it cannot hold.
    pub fn compare(&mut self, comparison: &Comparison) -> Result<(), Conflict> {
        match comparison.kind {
            Kind::Equal => self.equal(&comparison.difference).unwrap_or(Ok(())),
            Kind::Apart => self.apart(comparison).unwrap_or(Ok(())),
            Kind::Below { signed } => self.below(comparison, signed, 1).unwrap_or(Ok(())),
            Kind::AtMost { signed } => self.below(comparison, signed, 0).unwrap_or(Ok(())),
        }
    }

    /// The sum is a multiple of `2^width`; nothing if numbers do not fit.
    fn equal(&mut self, difference: &Form) -> Option<Result<(), Conflict>> {
        let mut sum = self.sum(difference)?;
        let modulus = 1i128 << difference.width;
        let most = sum.range.most.div_euclid(modulus);
        let least = sum.range.least.checked_add(modulus - 1)?.div_euclid(modulus);
        if least > most {
            return Some(Err(Conflict));
        }
        self.less(&mut sum, modulus, Interval { least, most })?;
        self.row(sum, Relation::Equal).map(Ok)
    }

    fn apart(&mut self, comparison: &Comparison) -> Option<Result<(), Conflict>> {
        let mut difference = self.value(&comparison.left, false)?;
        difference.plus(&self.value(&comparison.right, false)?, -1)?;
        self.row(difference, Relation::Apart).map(Ok)
    }

    fn below(&mut self, comparison: &Comparison, signed: bool, by: i128) -> Option<Result<(), Conflict>> {
        let mut difference = self.value(&comparison.left, signed)?;
        difference.plus(&self.value(&comparison.right, signed)?, -1)?;
        difference.plus(&Sum::constant(by), 1)?;
        if difference.range.least > 0 {
            return Some(Err(Conflict));
        }
        self.row(difference, Relation::AtMost).map(Ok)
    }

    /// Takes `modulus * k` from a sum, with `k` in a range.
    fn less(&mut self, sum: &mut Sum, modulus: i128, range: Interval) -> Option<()> {
        let wraps = if range.is_fixed() {
            Sum::constant(range.least)
        } else {
            let place = self.variable(range);
            Sum::variable(place, range)
        };
        sum.plus(&wraps, modulus.checked_neg()?)
    }

    /// The value of a term, as a sum.
    pub fn value(&mut self, term: &Term, signed: bool) -> Option<Sum> {
        if let Some(known) = self.values.get(&(term.id(), signed)) {
            return Some(known.clone());
        }
        let form = self.forms.form(term);
        let mut sum = self.sum(&form)?;
        let modulus = 1i128 << form.width;
        let low = if signed { -modulus / 2 } else { 0 };
        let wraps = |end: i128| Some(end.checked_sub(low)?.div_euclid(modulus));
        let range = Interval { least: wraps(sum.range.least)?, most: wraps(sum.range.most)? };
        self.less(&mut sum, modulus, range)?;
        if !range.is_fixed() {
            sum.range = Interval { least: low, most: low + modulus - 1 };
            for (sign, end) in [(1, -sum.range.most), (-1, sum.range.least)] {
                let mut bound = Sum::constant(end);
                bound.plus(&sum, sign)?;
                self.row(bound, Relation::AtMost)?;
            }
        }
        self.values.insert((term.id(), signed), sum.clone());
        Some(sum)
    }

    /// The sum of a form over the integers.
    fn sum(&mut self, form: &Form) -> Option<Sum> {
        let mut sum = Sum::constant(form.constant);
        for (part, coefficient) in &form.parts {
            let value = match part {
                Part::Atom(term) => self.atom(term),
                Part::Unsigned(term) => self.value(term, false)?,
                Part::Signed(term) => self.value(term, true)?,
                Part::Quotient(term, divisor) => self.division(term, *divisor, 0)?,
                Part::Remainder(term, divisor) => self.division(term, *divisor, 1)?,
            };
            sum.plus(&value, *coefficient)?;
        }
        Some(sum)
    }

    fn atom(&mut self, term: &Term) -> Sum {
        let place = match self.places.get(&term.id()) {
            Some(place) => *place,
            None => {
                let bounds = (self.range)(term);
                let place = self.variable(bounds);
                self.places.insert(term.id(), place);
                self.atoms.push((term.clone(), place));
                place
            }
        };
        Sum::variable(place, self.system.bounds[place])
    }

    /// The quotient (0) or the remainder (1) of a term by a constant.
    fn division(&mut self, term: &Term, divisor: u64, which: usize) -> Option<Sum> {
        let key = (term.id(), divisor);
        if !self.divisions.contains_key(&key) {
            let by = i128::from(divisor);
            let mut value = self.value(term, false)?;
            let Interval { least, most } = value.range;
            let quotient = Interval { least: least.div_euclid(by), most: most.div_euclid(by) };
            let remainder = if quotient.is_fixed() {
                Interval { least: least.rem_euclid(by), most: most.rem_euclid(by) }
            } else {
                Interval { least: 0, most: by - 1 }
            };
            let places = [self.variable(quotient), self.variable(remainder)];
            value.plus(&Sum::variable(places[0], quotient), -by)?;
            value.plus(&Sum::variable(places[1], remainder), -1)?;
            self.row(value, Relation::Equal)?;
            self.divisions.insert(key, places);
        }
        let place = self.divisions[&key][which];
        Some(Sum::variable(place, self.system.bounds[place]))
    }

    /// A variable that is a sum.
    pub fn named(&mut self, mut sum: Sum) -> Option<usize> {
        let place = self.variable(sum.range);
        sum.plus(&Sum::variable(place, sum.range), -1)?;
        self.row(sum, Relation::Equal)?;
        Some(place)
    }
}
