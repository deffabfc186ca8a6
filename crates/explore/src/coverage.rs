//! Which lines and branches of the user's own files were reached.

use std::collections::BTreeMap;
use strata_interp::Image;
use strata_ir::{FunctionId, Linkage};
use strata_record::{Branch, Coverage, Covered, Function, Source};

/// What was reached so far, by file.
pub fn coverage(image: &Image) -> Coverage {
    let program = image.program();
    let mut sources: BTreeMap<u32, Source> = BTreeMap::new();
    for (i, function) in program.functions.iter().enumerate() {
        if function.linkage != Linkage::Own || function.blocks.is_empty() {
            continue;
        }
        for (b, block) in function.blocks.iter().enumerate() {
            let covered = image.is_covered(FunctionId(i as u32), b);
            for (instruction, place) in block.instructions.iter().zip(&block.places) {
                let place = program.places[place.index()];
                if place.line == 0 {
                    continue;
                }
                let source = sources.entry(place.file).or_default();
                *source.lines.entry(place.line).or_default() |= u64::from(covered);
                let site = instruction.site();
                if site != 0 {
                    let taken = image.sides(site);
                    for side in 0..2 {
                        let hit = if side == 0 { taken & 1 != 0 } else { taken & 6 != 0 };
                        let taken = covered.then_some(u64::from(hit));
                        source.branches.push(Branch { line: place.line, block: site, side, taken });
                    }
                }
            }
        }
        let place = program.places[function.place.index()];
        if place.line != 0 {
            let count = u64::from(image.is_covered(FunctionId(i as u32), 0));
            let entry = Function { name: function.name.clone(), line: place.line, count };
            sources.entry(place.file).or_default().functions.push(entry);
        }
    }
    let named = |(file, mut source): (u32, Source)| {
        source.path = program.files[file as usize].clone();
        source
    };
    Coverage { sources: sources.into_iter().map(named).collect() }
}

/// The sums of a coverage.
pub fn sums(coverage: &Coverage) -> Covered {
    let mut sums = Covered::default();
    for source in &coverage.sources {
        sums.lines_total += source.lines.len() as u64;
        sums.lines += source.lines.values().filter(|count| **count > 0).count() as u64;
        sums.branches_total += source.branches.len() as u64;
        sums.branches += source.branches.iter().filter(|branch| branch.taken.is_some_and(|n| n > 0)).count() as u64;
    }
    sums
}
