//! Where paths fork. Each worker counts by place for itself; the counts are added up now and then, and ranked by line when somebody looks.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use strata_interp::Image;
use strata_record::ForkCount;

/// Forks of all workers by place (an index into the program's places).
#[derive(Default)]
pub(crate) struct Forks(Mutex<HashMap<u32, u64>>);

impl Forks {
    /// Adds what a worker has counted, and leaves it nothing.
    pub fn add(&self, counted: &mut HashMap<u32, u64>) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, count) in counted.drain() {
            *sums.entry(place).or_default() += count;
        }
    }

    /// The lines with most forks, the hottest first.
    pub fn hottest(&self, image: &Image, most: usize) -> Vec<ForkCount> {
        let program = image.program();
        let mut lines: BTreeMap<(&str, u32), u64> = BTreeMap::new();
        for (place, count) in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if let Some(place) = program.places.get(*place as usize).filter(|place| place.line != 0) {
                *lines.entry((&program.files[place.file as usize], place.line)).or_default() += count;
            }
        }
        let row = |((file, line), forks): ((&str, u32), u64)| ForkCount { file: file.to_string(), line, forks };
        let mut rows: Vec<ForkCount> = lines.into_iter().map(row).collect();
        // Stable: lines with as many forks stay in order of file and line.
        rows.sort_by_key(|row| std::cmp::Reverse(row.forks));
        rows.truncate(most);
        rows
    }
}
