//! Rational solutions of rows within bounds: the bounded simplex method with whole numbers.
//!
//! Each row has a variable of its own, the value of its sum, so that all rows are bounds. A line of the tableau is `divisor * basic = sum of coefficient * column` with whole numbers and a positive
//! divisor: no fractions, and one greatest common divisor for each line instead of one for each entry. All variables have two bounds, and those in columns sit at one of
//! them, so that values of the basic ones are sums over a divisor and none has to be kept.
//!
//! The basic variable out of its bounds, and the column that moves it back, are those of the smallest numbers (Bland's rule): it ends. A basic variable that no
//! column can move back proves that there is no solution, since its line follows from the rows.

use super::{Interval, Relation, Row, Work, gcd};

pub struct Simplex {
    lines: Vec<Line>,
    /// The variable of each column.
    columns: Vec<usize>,
    /// Of each variable: does it sit at its upper bound while it has a column?
    upper: Vec<bool>,
    /// Variables that are not sums of rows.
    own: usize,
    /// What variables must not be.
    apart: Vec<(usize, i128)>,
}

/// `divisor * basic = sum of coefficients * columns`.
struct Line {
    basic: usize,
    divisor: i128,
    coefficients: Vec<i128>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Feasible,
    Infeasible,
    /// Too much work, or numbers that are too large.
    GaveUp,
}

/// What to do with a rational solution.
pub enum Split {
    /// Nothing is left: no whole numbers satisfy a line.
    Never,
    /// It is whole, and nothing excludes it.
    Point(Vec<i128>),
    /// A variable is at most `below`, or at least `above`.
    At { variable: usize, below: i128, above: i128 },
}

impl Line {
    fn value(&self, columns: &[usize], upper: &[bool], bounds: &[Interval]) -> Option<i128> {
        let mut sum = 0i128;
        for (coefficient, variable) in
            self.coefficients.iter().zip(columns).filter(|(coefficient, _)| **coefficient != 0)
        {
            sum = sum.checked_add(coefficient.checked_mul(at(*variable, upper, bounds))?)?;
        }
        Some(sum)
    }

    /// Divides by what divides all of it, and makes the divisor positive. No number is the smallest of all (`pivot`), so all can be negated.
    fn reduce(&mut self) {
        let mut divisor = self.divisor;
        for coefficient in &self.coefficients {
            if divisor.abs() == 1 {
                break;
            }
            divisor = gcd(divisor, *coefficient);
        }
        let divisor = if self.divisor < 0 { -divisor.abs() } else { divisor.abs() };
        if divisor != 1 {
            self.divisor /= divisor;
            self.coefficients.iter_mut().for_each(|coefficient| *coefficient /= divisor);
        }
    }
}

/// The value of a variable that has a column.
fn at(variable: usize, upper: &[bool], bounds: &[Interval]) -> i128 {
    if upper[variable] { bounds[variable].most } else { bounds[variable].least }
}

impl Simplex {
    /// For rows over variables within bounds; and the bounds of all variables, those of the rows behind the others.
    pub fn new(rows: &[Row], bounds: &[Interval]) -> (Simplex, Vec<Interval>) {
        let own = bounds.len();
        let mut all = bounds.to_vec();
        let (mut lines, mut apart) = (Vec::new(), Vec::new());
        for row in rows {
            if let (Relation::Apart, [(variable, 1 | -1)]) = (row.relation, &row.terms[..]) {
                apart.push((*variable, row.constant * row.terms[0].1));
                continue;
            }
            // A row whose sum overflows is left out: more solutions, never fewer.
            let Some(mut sum) = row.activity(bounds) else { continue };
            match row.relation {
                Relation::AtMost => sum.most = sum.most.min(row.constant),
                Relation::Equal => sum = Interval { least: row.constant, most: row.constant },
                Relation::Apart => apart.push((all.len(), row.constant)),
            }
            let mut coefficients = vec![0; own];
            row.terms.iter().for_each(|(variable, coefficient)| coefficients[*variable] = *coefficient);
            lines.push(Line { basic: all.len(), divisor: 1, coefficients });
            all.push(sum);
        }
        let upper = vec![false; all.len()];
        (Simplex { lines, columns: (0..own).collect(), upper, own, apart }, all)
    }

    /// Is there a rational solution? Then the tableau has one.
    pub fn check(&mut self, bounds: &[Interval], work: &mut Work) -> Outcome {
        if bounds.iter().any(|bound| bound.least > bound.most) {
            return Outcome::Infeasible;
        }
        loop {
            if !work.take(1 + self.lines.len() * self.columns.len()) {
                return Outcome::GaveUp;
            }
            let Some(violated) = self.violated(bounds) else { return Outcome::GaveUp };
            let Some((line, up)) = violated else { return Outcome::Feasible };
            let Some(column) = self.moving(&self.lines[line], up, bounds) else { return Outcome::Infeasible };
            self.upper[self.lines[line].basic] = !up;
            if self.pivot(line, column).is_none() {
                return Outcome::GaveUp;
            }
        }
    }

    /// The line of the first variable out of its bounds, and whether it must go up; nothing on overflow.
    #[allow(clippy::option_option, reason = "overflow is not the same as none")]
    fn violated(&self, bounds: &[Interval]) -> Option<Option<(usize, bool)>> {
        let mut first: Option<(usize, bool)> = None;
        for (number, line) in self.lines.iter().enumerate() {
            let sum = line.value(&self.columns, &self.upper, bounds)?;
            let Interval { least, most } = bounds[line.basic];
            let (low, high) = (sum < least.checked_mul(line.divisor)?, sum > most.checked_mul(line.divisor)?);
            if (low || high) && first.is_none_or(|(other, _)| self.lines[other].basic > line.basic) {
                first = Some((number, low));
            }
        }
        Some(first)
    }

    /// The column of the smallest variable that can move a line's sum up, or down.
    fn moving(&self, line: &Line, up: bool, bounds: &[Interval]) -> Option<usize> {
        let moves = |(column, coefficient): (usize, &i128)| {
            let variable = self.columns[column];
            let goes = *coefficient != 0 && !bounds[variable].is_fixed();
            (goes && ((*coefficient > 0) == up) != self.upper[variable]).then_some((variable, column))
        };
        line.coefficients.iter().enumerate().filter_map(moves).min().map(|(_, column)| column)
    }

    /// Exchanges the basic variable of a line for that of a column. Without a result numbers became too large, and the tableau is of no use any more.
    fn pivot(&mut self, line: usize, column: usize) -> Option<()> {
        let mut row = std::mem::take(&mut self.lines[line].coefficients);
        let (basic, divisor) = (self.lines[line].basic, self.lines[line].divisor);
        let pivot = row[column];
        // divisor * basic = pivot * x + rest, so pivot * x = divisor * basic - rest.
        for (place, coefficient) in row.iter_mut().enumerate() {
            *coefficient = if place == column { divisor } else { coefficient.checked_neg()? };
        }
        let mut solved = Line { basic: self.columns[column], divisor: pivot, coefficients: row };
        solved.reduce();
        for other in
            self.lines.iter_mut().filter(|other| other.coefficients.get(column).is_some_and(|entry| *entry != 0))
        {
            let entry = other.coefficients[column];
            let common = gcd(entry, solved.divisor);
            let (entry, scale) = (entry / common, solved.divisor / common);
            other.divisor = other.divisor.checked_mul(scale).filter(|divisor| *divisor != i128::MIN)?;
            other.coefficients[column] = 0;
            for (coefficient, new) in other.coefficients.iter_mut().zip(&solved.coefficients) {
                let sum = coefficient.checked_mul(scale)?.checked_add(entry.checked_mul(*new)?)?;
                *coefficient = Some(sum).filter(|sum| *sum != i128::MIN)?;
            }
            other.reduce();
        }
        self.columns[column] = basic;
        self.lines[line] = solved;
        Some(())
    }

    /// What to do with the solution that the tableau has; nothing on overflow.
    pub fn split(&self, bounds: &[Interval]) -> Option<Split> {
        let mut values: Vec<i128> = (0..self.upper.len()).map(|variable| at(variable, &self.upper, bounds)).collect();
        let mut part: Option<(usize, i128)> = None;
        for line in &self.lines {
            let sum = line.value(&self.columns, &self.upper, bounds)?;
            let floor = sum.div_euclid(line.divisor);
            values[line.basic] = floor;
            if floor.checked_mul(line.divisor)? != sum {
                if !self.divisible(line, bounds)? {
                    return Some(Split::Never);
                }
                // Variables before sums.
                if part.is_none_or(|(variable, _)| line.basic < variable) {
                    part = Some((line.basic, floor));
                }
            }
        }
        if let Some((variable, below)) = part {
            return Some(Split::At { variable, below, above: below + 1 });
        }
        match self.apart.iter().find(|(variable, value)| values[*variable] == *value) {
            Some((variable, value)) => Some(Split::At { variable: *variable, below: value - 1, above: value + 1 }),
            None => {
                values.truncate(self.own);
                Some(Split::Point(values))
            }
        }
    }

    /// Can whole numbers satisfy a line, as far as what divides its coefficients says?
    fn divisible(&self, line: &Line, bounds: &[Interval]) -> Option<bool> {
        let (mut divisor, mut rest) = (line.divisor, 0i128);
        for (coefficient, variable) in line.coefficients.iter().zip(&self.columns) {
            let bound = bounds[*variable];
            if bound.is_fixed() {
                rest = rest.checked_add(coefficient.checked_mul(bound.least)?)?;
            } else {
                divisor = gcd(divisor, *coefficient);
            }
        }
        Some(rest % divisor == 0)
    }

    /// How far up or down a variable goes in rational solutions, rounded to the last whole number; nothing if that is too much work. The tableau has a solution, and has
    /// one afterwards unless nothing came out.
    pub fn farthest(&mut self, bounds: &[Interval], variable: usize, up: bool, work: &mut Work) -> Option<i128> {
        loop {
            if !work.take(1 + self.lines.len() * self.columns.len()) {
                return None;
            }
            let column = match self.columns.iter().position(|column| *column == variable) {
                Some(_) if self.upper[variable] == up || bounds[variable].is_fixed() => {
                    return Some(at(variable, &self.upper, bounds));
                }
                Some(column) => column,
                None => {
                    let line = self.lines.iter().find(|line| line.basic == variable)?;
                    let Some(column) = self.moving(line, up, bounds) else {
                        let sum = line.value(&self.columns, &self.upper, bounds)?;
                        let floor = sum.div_euclid(line.divisor);
                        let whole = up || floor.checked_mul(line.divisor)? == sum;
                        return Some(if whole { floor } else { floor + 1 });
                    };
                    column
                }
            };
            self.step(bounds, column)?;
        }
    }

    /// Moves the variable of a column away from its bound, as far as the first bound that something meets.
    fn step(&mut self, bounds: &[Interval], column: usize) -> Option<()> {
        let entering = self.columns[column];
        let down = self.upper[entering];
        // How far, as a fraction, and the line that stops it, with the end that its variable meets.
        let mut nearest: (i128, i128) = (bounds[entering].most.checked_sub(bounds[entering].least)?, 1);
        let mut stops: Option<(usize, bool)> = None;
        for (number, line) in self.lines.iter().enumerate().filter(|(_, line)| line.coefficients[column] != 0) {
            let rate = line.coefficients[column].checked_mul(if down { -1 } else { 1 })?;
            let sum = line.value(&self.columns, &self.upper, bounds)?;
            let Interval { least, most } = bounds[line.basic];
            let room = match rate > 0 {
                true => most.checked_mul(line.divisor)?.checked_sub(sum)?,
                false => sum.checked_sub(least.checked_mul(line.divisor)?)?,
            };
            let (ours, best) = (room.checked_mul(nearest.1)?, nearest.0.checked_mul(rate.abs())?);
            let earlier = stops.is_some_and(|(other, _)| line.basic < self.lines[other].basic);
            if ours < best || ours == best && earlier {
                (nearest, stops) = ((room, rate.abs()), Some((number, rate > 0)));
            }
        }
        match stops {
            None => self.upper[entering] = !down,
            Some((line, top)) => {
                self.upper[self.lines[line].basic] = top;
                self.pivot(line, column)?;
            }
        }
        Some(())
    }
}
