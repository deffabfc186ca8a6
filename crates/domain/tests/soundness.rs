//! Every transfer function of every domain against sets of integers.
//!
//! What is exact is also counted: a domain that never claims to be would pass otherwise.

use strata_domain::rows;
use strata_domain::soundness::{Report, Shape, all_sets, all_singles, random_pairs, wide_properties};
use strata_term::Op;

/// Runs `check` for every operator and gives the reports.
fn every(check: impl Fn(Op) -> Result<Report, String>) -> Vec<(Op, Report)> {
    Shape::operators().map(|op| (op, check(op).unwrap_or_else(|why| panic!("{why}")))).collect()
}

fn show(reports: &[(Op, Report)]) {
    for (op, Report { forward: f, backward: b }) in reports {
        println!(
            "{:8} forward {:6}/{:6} exact, constant {:6}/{:6}, none {:5}; backward {:6}/{:6} exact, constant {:6}/{:6}, none {:5}",
            op.name(), f.exact, f.asked, f.exact_constant, f.asked_constant, f.none, b.exact, b.asked, b.exact_constant, b.asked_constant, b.none
        );
    }
}

macro_rules! tests {
    ($name:ident, $domain:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn all_sets_at_widths_1_to_3() {
                show(&every(|op| all_sets::<$domain>(op, &[1, 2, 3])));
            }

            #[test]
            fn all_single_members_at_width_4() {
                show(&every(|op| all_singles::<$domain>(op, 4)));
            }

            #[test]
            fn random_pairs_at_widths_5_to_8() {
                show(&every(|op| random_pairs::<$domain>(op, 10_000, 1)));
            }

            #[test]
            fn properties_at_16_to_64() {
                if <$domain as strata_domain::Domain>::WIDEST >= 64 {
                    show(&every(|op| wide_properties::<$domain>(op, 3_000, 1)));
                }
            }
        }
    };
}

rows!(tests);
