//! Every transfer function of every domain against sets of integers.
//!
//! What is exact is also counted: a domain that never claims to be would pass otherwise. `LEAST` says how often, in per cent of the random pairs in which the
//! other operands are constants, each operator must be exact; an operator that is not listed must be exact always.

use strata_domain::soundness::{
    Report, Shape, Tally, all_sets, all_singles, lattice, random_pairs, universal, wide_properties,
};
use strata_domain::{ByteSet, Domain, KnownBits, MultiInterval, Shifted, StridedSet, rows};
use strata_term::Op;

/// Operator, least share of exact transfers forward and backward.
type Shares = &'static [(Op, u64, u64)];

/// By domain.
const LEAST: &[(&str, Shares)] = &[
    (
        MultiInterval::NAME,
        &[
            (Op::Mul, 60, 90),
            (Op::UDiv, 65, 100),
            (Op::SDiv, 65, 100),
            (Op::URem, 70, 75),
            (Op::SRem, 70, 75),
            (Op::Shl, 90, 95),
            (Op::Concat, 95, 100),
        ],
    ),
    (
        StridedSet::NAME,
        &[
            (Op::And, 90, 90),
            (Op::Or, 90, 90),
            (Op::Xor, 90, 90),
            (Op::Mul, 95, 95),
            (Op::UDiv, 80, 94),
            (Op::SDiv, 80, 94),
            (Op::URem, 80, 84),
            (Op::SRem, 80, 84),
            (Op::Shl, 99, 99),
            (Op::LShr, 99, 99),
            (Op::AShr, 99, 99),
            (Op::Extract, 99, 99),
        ],
    ),
];

/// Domains whose every transfer is exact, which are not in `LEAST` for that reason.
const EXACT: &[&str] = &[ByteSet::NAME];

/// Domains that are exact where their form allows, in these operators with constants.
const SOMETIMES: &[(&str, &[Op])] = &[
    (KnownBits::NAME, &[Op::Not, Op::And, Op::Or, Op::Xor, Op::Concat, Op::Extract, Op::ZExt]),
    (Shifted::NAME, &[Op::Extract, Op::ZExt, Op::SExt, Op::Eq, Op::Ult, Op::Slt]),
];

/// Runs `check` for every operator and gives the reports.
fn every(check: impl Fn(Op) -> Result<Report, String>) -> Vec<(Op, Report)> {
    Shape::operators().map(|op| (op, check(op).unwrap_or_else(|why| panic!("{why}")))).collect()
}

fn exact_share(tally: &Tally) -> u64 {
    100 * tally.exact_constant / tally.asked_constant.max(1)
}

/// Are as many transfers exact as there should be?
fn exact_enough(domain: &str, reports: &[(Op, Report)]) {
    let rows = LEAST.iter().find(|(name, _)| *name == domain).map(|(_, rows)| *rows);
    let always = SOMETIMES.iter().find(|(name, _)| *name == domain).map(|(_, ops)| *ops);
    assert!(rows.is_some() || always.is_some() || EXACT.contains(&domain), "{domain} has no row");
    for (op, Report { forward, backward }) in reports {
        let (f, b) = (exact_share(forward), exact_share(backward));
        println!("{domain} {}: exact forward {f} %, backward {b} %", op.name());
        let row = rows.unwrap_or(&[]).iter().find(|row| row.0 == *op);
        let (least_forward, least_backward) = match (row, always) {
            (Some(row), _) => (row.1, row.2),
            (None, Some(ops)) if !ops.contains(op) => (10, 10),
            // What is shifted is written out before it is taken back.
            (None, Some(_)) if domain == Shifted::NAME => (100, 80),
            (None, _) => (100, 100),
        };
        assert!(f >= least_forward && b >= least_backward, "{domain} {op:?}: {f} % and {b} % exact");
        assert_eq!(forward.none, 0, "{domain} {op:?}");
    }
}

macro_rules! tests {
    ($name:ident, $domain:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn all_sets_at_widths_1_to_3() {
                every(|op| all_sets::<$domain>(op, &[1, 2, 3]));
            }

            #[test]
            fn all_single_members_at_width_4() {
                every(|op| all_singles::<$domain>(op, 4));
            }

            #[test]
            fn random_pairs_at_widths_5_to_8() {
                exact_enough(<$domain>::NAME, &every(|op| random_pairs::<$domain>(op, 10_000, 1)));
            }

            #[test]
            fn meets_joins_and_complements() {
                lattice::<$domain>(20_000, 1).unwrap_or_else(|why| panic!("{why}"));
            }

            #[test]
            fn boxes_hold_for_all_values() {
                for op in Shape::operators() {
                    let tally = universal::<$domain>(op, 2_000, 1).unwrap_or_else(|why| panic!("{why}"));
                    assert!(tally.exact > 0, "{op:?}");
                }
            }

            #[test]
            fn properties_at_16_to_64() {
                if <$domain>::WIDEST >= 64 {
                    every(|op| wide_properties::<$domain>(op, 3_000, 1));
                }
            }
        }
    };
}

rows!(tests);
