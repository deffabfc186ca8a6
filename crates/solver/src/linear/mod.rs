//! Conjunctions of linear constraints over bounded integers, decided exactly.
//!
//! In the order of what they cost: each row narrows the bounds of its variables, by what divides its coefficients too (`propagate`); chains of differences `x - y <= c` are shortest
//! paths (`differences`); what is left is relaxed to rational numbers (`simplex`) and split where a solution of that is not whole, or hits what a row excludes (`solve`). Work is
//! counted in products, never by a clock: the same system gives the same verdict.
//!
//! Invariant: numbers are `i128`, each operation on them is checked. A row that overflows is left out, which only adds solutions; a tableau that does ends the search without a
//! verdict. So *no solution* is never said of a system that has one, and a point is put into all rows as they were given before it leaves (`System::holds`). Rejected: floating point, which is
//! wrong at coefficients near 2^64; numbers of any length, which cost most where the core is cheaper anyway.
//!
//! Attacked by all small systems beside enumeration (`tests`) and random ones with coefficients up to 2^64 beside z3 (`fuzz/src/linear.rs`).

mod differences;
mod form;
mod propagate;
mod relax;
#[cfg(test)]
mod relaxed;
mod simplex;
#[cfg(test)]
mod tests;

pub use form::{Comparison, Forms, Kind};
pub use relax::Relaxation;

use propagate::propagate;
use simplex::{Outcome, Simplex};

/// What lies between two integers, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The smallest.
    pub least: i128,
    /// The largest.
    pub most: i128,
}

impl Interval {
    /// One value only.
    fn is_fixed(self) -> bool {
        self.least == self.most
    }
}

/// How a sum is to its constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Less or equal.
    AtMost,
    /// Equal.
    Equal,
    /// Not equal.
    Apart,
}

/// A sum of multiples of variables, compared with a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Variables, by number, and their coefficients.
    pub terms: Vec<(usize, i128)>,
    /// How the sum compares.
    pub relation: Relation,
    /// With what.
    pub constant: i128,
}

/// Rows that hold together, over variables within bounds.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Of each variable.
    pub bounds: Vec<Interval>,
    /// All of them hold.
    pub rows: Vec<Row>,
}

/// What is known of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has no solution.
    Unsat,
    /// This is one.
    Sat(Vec<i128>),
    /// It was too much work, or numbers became too large.
    Unknown,
}

/// There is no solution.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict;

/// What is left of the products that may be computed.
#[derive(Debug)]
pub struct Work(usize);

impl Work {
    /// So many products.
    pub fn new(products: usize) -> Work {
        Work(products)
    }

    /// Products that are left.
    pub fn left(&self) -> usize {
        self.0
    }

    /// Takes so many, or what is left and says no.
    fn take(&mut self, products: usize) -> bool {
        let enough = self.0 >= products;
        self.0 = self.0.saturating_sub(products);
        enough
    }
}

/// Coefficients and constants are below this in size, so that they can be negated and doubled.
const LARGEST: i128 = 1 << 120;

/// What a row is once equal variables are one and what divides all coefficients is divided out.
enum Normal {
    Row(Row),
    /// It holds whatever the values are.
    Always,
    /// It never holds.
    Never,
    /// Its numbers are too large.
    Lost,
}

impl Row {
    fn normal(&self) -> Normal {
        let mut terms: Vec<(usize, i128)> = Vec::with_capacity(self.terms.len());
        let mut sorted = self.terms.clone();
        sorted.sort_unstable();
        for (variable, coefficient) in sorted {
            match terms.last_mut() {
                Some((last, sum)) if *last == variable => match sum.checked_add(coefficient) {
                    Some(both) => *sum = both,
                    None => return Normal::Lost,
                },
                Some(_) | None => terms.push((variable, coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| *coefficient != 0);
        let fits = |number: i128| number > -LARGEST && number < LARGEST;
        if !fits(self.constant) || !terms.iter().all(|(_, coefficient)| fits(*coefficient)) {
            return Normal::Lost;
        }
        let divisor = terms.iter().fold(0, |divisor, (_, coefficient)| gcd(divisor, *coefficient));
        if divisor == 0 {
            return if compares(0, self.relation, self.constant) { Normal::Always } else { Normal::Never };
        }
        let whole = self.constant % divisor == 0;
        let constant = match self.relation {
            Relation::AtMost => self.constant.div_euclid(divisor),
            Relation::Equal if !whole => return Normal::Never,
            Relation::Apart if !whole => return Normal::Always,
            Relation::Equal | Relation::Apart => self.constant / divisor,
        };
        terms.iter_mut().for_each(|(_, coefficient)| *coefficient /= divisor);
        Normal::Row(Row { terms, relation: self.relation, constant })
    }

    /// Does it hold at a point? Not if that overflows.
    fn holds(&self, point: &[i128]) -> bool {
        let product = |(variable, coefficient): &(usize, i128)| coefficient.checked_mul(point[*variable]);
        let sum = self.terms.iter().try_fold(0i128, |sum, term| sum.checked_add(product(term)?));
        sum.is_some_and(|sum| compares(sum, self.relation, self.constant))
    }

    /// Between which values the sum lies.
    fn activity(&self, bounds: &[Interval]) -> Option<Interval> {
        let mut sum = Interval { least: 0, most: 0 };
        for (variable, coefficient) in &self.terms {
            let Interval { least, most } = bounds[*variable];
            let (low, high) = if *coefficient > 0 { (least, most) } else { (most, least) };
            sum.least = sum.least.checked_add(coefficient.checked_mul(low)?)?;
            sum.most = sum.most.checked_add(coefficient.checked_mul(high)?)?;
        }
        Some(sum)
    }
}

fn compares(sum: i128, relation: Relation, constant: i128) -> bool {
    match relation {
        Relation::AtMost => sum <= constant,
        Relation::Equal => sum == constant,
        Relation::Apart => sum != constant,
    }
}

/// The largest number that divides both; zero if both are.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        if let (Ok(small), Ok(other)) = (u64::try_from(a), u64::try_from(b)) {
            return i128::from(gcd_small(small, other));
        }
        (a, b) = (b, a % b);
    }
    // The smallest number of all is no coefficient.
    i128::try_from(a).unwrap_or(1)
}

fn gcd_small(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl System {
    /// Does a point satisfy all of it?
    pub fn holds(&self, point: &[i128]) -> bool {
        let within = |(value, bounds): (&i128, &Interval)| bounds.least <= *value && *value <= bounds.most;
        point.len() == self.bounds.len()
            && point.iter().zip(&self.bounds).all(within)
            && self.rows.iter().all(|row| row.holds(point))
    }

    /// Decides it with so much work.
    pub fn solve(&self, work: &mut Work) -> Verdict {
        match self.reduced(work) {
            Ok((rows, bounds)) => self.split(&rows, bounds, work),
            Err(Conflict) => Verdict::Unsat,
        }
    }

    /// Bounds that no solution is beyond, or that there is none. The work goes into moving each variable as far as rational solutions allow; without it bounds are
    /// those of single rows and of differences.
    pub fn tightened(&self, work: &mut Work) -> Result<Vec<Interval>, Conflict> {
        let (rows, mut bounds) = self.reduced(work)?;
        let (mut simplex, mut all) = Simplex::new(&rows, &bounds);
        match simplex.check(&all, work) {
            Outcome::Infeasible => return Err(Conflict),
            Outcome::GaveUp => return Ok(bounds),
            Outcome::Feasible => {}
        }
        for (variable, bound) in bounds.iter_mut().enumerate().filter(|(_, bound)| !bound.is_fixed()) {
            let Some(most) = simplex.farthest(&all, variable, true, work) else { break };
            bound.most = bound.most.min(most);
            let Some(least) = simplex.farthest(&all, variable, false, work) else { break };
            bound.least = bound.least.max(least);
            if bound.least > bound.most {
                return Err(Conflict);
            }
            all[variable] = *bound;
            match simplex.check(&all, work) {
                Outcome::Infeasible => return Err(Conflict),
                Outcome::GaveUp => break,
                Outcome::Feasible => {}
            }
        }
        propagate(&rows, &mut bounds, work)?;
        Ok(bounds)
    }

    /// Bounds of one variable, as `tightened` has them.
    pub fn reach(&self, variable: usize, work: &mut Work) -> Result<Interval, Conflict> {
        let (rows, bounds) = self.reduced(work)?;
        let mut bound = bounds[variable];
        let (mut simplex, all) = Simplex::new(&rows, &bounds);
        match simplex.check(&all, work) {
            Outcome::Infeasible => return Err(Conflict),
            Outcome::GaveUp => return Ok(bound),
            Outcome::Feasible => {}
        }
        if let Some(most) = simplex.farthest(&all, variable, true, work) {
            bound.most = bound.most.min(most);
            if let Some(least) = simplex.farthest(&all, variable, false, work) {
                bound.least = bound.least.max(least);
            }
        }
        if bound.least > bound.most { Err(Conflict) } else { Ok(bound) }
    }

    /// Rows in their normal form, without those that bounds say, and bounds as rows narrow them.
    fn reduced(&self, work: &mut Work) -> Result<(Vec<Row>, Vec<Interval>), Conflict> {
        let mut bounds = self.bounds.clone();
        let mut rows = Vec::with_capacity(self.rows.len());
        if bounds.iter().any(|bound| bound.least > bound.most) {
            return Err(Conflict);
        }
        for row in &self.rows {
            match row.normal() {
                Normal::Row(row) => rows.push(row),
                Normal::Never => return Err(Conflict),
                Normal::Always | Normal::Lost => {}
            }
        }
        propagate(&rows, &mut bounds, work)?;
        differences::narrow(&rows, &mut bounds, work)?;
        propagate(&rows, &mut bounds, work)?;
        // What bounds say alone is no row: propagation has made it theirs.
        rows.retain(|row| match row.relation {
            Relation::AtMost | Relation::Equal if row.terms.len() == 1 => false,
            Relation::AtMost => row.activity(&bounds).is_none_or(|sum| sum.most > row.constant),
            Relation::Apart => {
                row.activity(&bounds).is_none_or(|sum| sum.least <= row.constant && row.constant <= sum.most)
            }
            Relation::Equal => true,
        });
        Ok((rows, bounds))
    }

    /// Branch and bound.
    fn split(&self, rows: &[Row], bounds: Vec<Interval>, work: &mut Work) -> Verdict {
        let (mut simplex, all) = Simplex::new(rows, &bounds);
        let mut open = vec![all];
        while let Some(mut all) = open.pop() {
            if propagate(rows, &mut all[..bounds.len()], work) == Err(Conflict) {
                continue;
            }
            match simplex.check(&all, work) {
                Outcome::Infeasible => continue,
                Outcome::GaveUp => return Verdict::Unknown,
                Outcome::Feasible => {}
            }
            let Some(split) = simplex.split(&all) else { return Verdict::Unknown };
            match split {
                simplex::Split::Never => {}
                simplex::Split::Point(point) if self.holds(&point) => return Verdict::Sat(point),
                simplex::Split::Point(_) => return Verdict::Unknown,
                simplex::Split::At { variable, below, above } => {
                    let Interval { least, most } = all[variable];
                    let parts = [Interval { least: above, most }, Interval { least, most: below }];
                    for part in parts.into_iter().filter(|part| part.least <= part.most) {
                        let mut narrowed = all.clone();
                        narrowed[variable] = part;
                        open.push(narrowed);
                    }
                }
            }
        }
        Verdict::Unsat
    }
}
