//! Values that were asked for last. A program reads several tables at one index, which are several addresses that differ by a constant: what is asked of
//! the layers is the part without it, once for all of them.

use strata_query::{Path, Values};
use strata_term::{Term, mask};

/// As many are kept.
const KEPT: usize = 16;

#[derive(Default)]
pub struct Recent {
    /// The path and the term are held, so that address and id mean them.
    kept: Vec<(Path, Term, Option<Values>)>,
    /// The one that was asked for longest ago.
    oldest: usize,
}

impl Recent {
    /// What was said of a term at the end of a path, if that is not too long ago.
    pub fn get(&self, path: &Path, term: &Term) -> Option<&Option<Values>> {
        let is_it = |(at, known, _): &&(Path, Term, Option<Values>)| known.id() == term.id() && at.same(path);
        self.kept.iter().find(is_it).map(|(.., values)| values)
    }

    /// Keeps what was said.
    pub fn put(&mut self, path: &Path, term: &Term, values: Option<Values>) {
        let entry = (path.clone(), term.clone(), values);
        if self.kept.len() < KEPT {
            self.kept.push(entry);
        } else {
            self.kept[self.oldest] = entry;
            self.oldest = (self.oldest + 1) % KEPT;
        }
    }
}

/// The values of a sum with a constant of some width.
pub fn plus(values: &Values, constant: u64, width: u32) -> Values {
    let mut all: Vec<u64> = values.all.iter().map(|value| value.wrapping_add(constant) & mask(width)).collect();
    if all.first() > all.last() {
        // Some start again from zero.
        all.sort_unstable();
    }
    Values { all, exact: values.exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_in_order() {
        let values = Values { all: vec![1, 5, 250], exact: true };
        assert_eq!(plus(&values, 3, 8).all, [4, 8, 253]);
        assert_eq!(plus(&values, 6, 8).all, [0, 7, 11]);
        assert_eq!(plus(&values, 255, 8).all, [0, 4, 249]);
    }

    #[test]
    fn the_last_ones_are_kept() {
        let [path, other] = [1, 2].map(|value| {
            let mut path = Path::default();
            path.push(Term::symbol("x", 8).eq(&Term::number(8, value)));
            path
        });
        let terms: Vec<Term> = (0..20).map(|number| Term::symbol(&format!("t{number}"), 8)).collect();
        let mut recent = Recent::default();
        for (number, term) in terms.iter().enumerate() {
            recent.put(&path, term, Some(Values { all: vec![number as u64], exact: true }));
        }
        let said =
            |path: &Path, number: usize| recent.get(path, &terms[number]).cloned().flatten().map(|values| values.all);
        assert_eq!(said(&path, 19), Some(vec![19]));
        assert_eq!(said(&path, 4), Some(vec![4]));
        assert_eq!(said(&path, 3), None, "too long ago");
        assert_eq!(said(&other, 19), None, "another path");
    }
}
