//! Small systems against enumeration: verdicts, points and bounds.

use super::*;
use strata_term::Random;

/// All points within the bounds.
fn points(bounds: &[Interval]) -> Vec<Vec<i128>> {
    bounds.iter().fold(vec![Vec::new()], |points, bound| {
        let longer = |point: &Vec<i128>| {
            let point = point.clone();
            (bound.least..=bound.most).map(move |value| [&point[..], &[value]].concat())
        };
        points.iter().flat_map(longer).collect()
    })
}

/// Verdict and bounds must be right; what is so small is decided.
fn check(system: &System) -> bool {
    let solutions: Vec<Vec<i128>> = points(&system.bounds).into_iter().filter(|point| system.holds(point)).collect();
    match system.solve(&mut Work::new(100_000)) {
        Verdict::Unsat => assert!(solutions.is_empty(), "{system:?} has {:?}", solutions[0]),
        Verdict::Sat(point) => assert!(solutions.contains(&point), "{system:?}: {point:?}"),
        Verdict::Unknown => panic!("{system:?} is not decided"),
    }
    // With and without work for more than single rows.
    for work in [100_000, 20, 0] {
        match system.tightened(&mut Work::new(work)) {
            Err(Conflict) => assert!(solutions.is_empty(), "{system:?} has {:?}", solutions[0]),
            Ok(bounds) => {
                let inside = |point: &Vec<i128>| {
                    point.iter().zip(&bounds).all(|(value, bound)| bound.least <= *value && *value <= bound.most)
                };
                assert!(solutions.iter().all(inside), "{system:?}: {bounds:?} cuts off a solution");
                let reach = system.reach(0, &mut Work::new(work));
                let within = |bound: Interval| solutions.iter().all(|x| bound.least <= x[0] && x[0] <= bound.most);
                assert!(reach.map_or(solutions.is_empty(), within), "{system:?}");
            }
        }
    }
    !solutions.is_empty()
}

const RELATIONS: [Relation; 3] = [Relation::AtMost, Relation::Equal, Relation::Apart];

fn interval(least: i128, most: i128) -> Interval {
    Interval { least, most }
}

/// Every pair of rows over two variables with small numbers.
#[test]
fn all_pairs_of_rows() {
    let mut rows = Vec::new();
    for a in -2..=2 {
        for b in -2..=2 {
            for relation in RELATIONS {
                rows.extend((-3..=3).map(|constant| Row { terms: vec![(0, a), (1, b)], relation, constant }));
            }
        }
    }
    let (mut sat, mut all) = (0, 0);
    for (number, first) in rows.iter().enumerate() {
        for second in &rows[number..] {
            let rows = vec![first.clone(), second.clone()];
            sat += u32::from(check(&System { bounds: vec![interval(-2, 1), interval(0, 2)], rows }));
            all += 1;
        }
    }
    assert!(sat > all / 4 && sat < all, "{sat} of {all}");
}

/// Random rows over three variables, near the border of what has solutions.
#[test]
fn random_rows() {
    let mut random = Random(11);
    let (mut sat, count) = (0, 20_000);
    for _ in 0..count {
        let bounds: Vec<Interval> = (0..3)
            .map(|_| {
                let least = i128::from(random.draw(5)) - 3;
                interval(least, least + i128::from(random.draw(6)))
            })
            .collect();
        let rows = (0..2 + random.below(5)).map(|_| row(&mut random)).collect();
        sat += u32::from(check(&System { bounds, rows }));
    }
    assert!(sat > count / 8 && sat < 7 * count / 8, "{sat} of {count}");
}

fn row(random: &mut Random) -> Row {
    let terms = (0..3).map(|variable| (variable, i128::from(random.draw(13)) - 6)).collect();
    let relation = *random.pick(&[Relation::AtMost, Relation::AtMost, Relation::Equal, Relation::Apart]);
    Row { terms, relation, constant: i128::from(random.draw(25)) - 12 }
}

/// Chains that propagation would walk through one by one, and what only divisors or rational solutions show.
#[test]
fn wide_ranges() {
    let wide = vec![interval(0, u64::MAX.into()); 3];
    let system = |rows: &[(&[i128], Relation, i128)]| System {
        bounds: wide.clone(),
        rows: rows
            .iter()
            .map(|(terms, relation, constant)| Row {
                terms: terms.iter().copied().enumerate().collect(),
                relation: *relation,
                constant: *constant,
            })
            .collect(),
    };
    let never = |rows: &[(&[i128], Relation, i128)]| {
        assert_eq!(system(rows).solve(&mut Work::new(10_000)), Verdict::Unsat, "{rows:?}");
    };
    use Relation::{AtMost, Equal};
    never(&[(&[1, -1, 0], AtMost, -1), (&[0, 1, -1], AtMost, 0), (&[-1, 0, 1], AtMost, 0)]);
    never(&[(&[2, -4, 6], Equal, 7)]);
    never(&[(&[1, 1, 0], AtMost, 9), (&[0, 1, 1], AtMost, 9), (&[1, 0, 1], AtMost, 9), (&[-1, -1, -1], AtMost, -15)]);
    never(&[(&[1, 1, 0], Equal, 7), (&[1, -1, 0], Equal, 0)]);
    never(&[(&[1, 1 << 40, 0], AtMost, 5), (&[0, -1, 0], AtMost, -1)]);
    let bounds = system(&[(&[1, 1, 0], AtMost, 9), (&[1, -1, 0], Equal, 2)]).tightened(&mut Work::new(10_000));
    assert_eq!(bounds, Ok(vec![interval(2, 5), interval(0, 3), interval(0, u64::MAX.into())]));
}

/// Numbers beyond what can be computed with: no verdict, or the right one, and no panic.
#[test]
fn large_numbers() {
    for large in [1 << 64, 1 << 100, i128::MAX, i128::MIN, i128::MIN + 1] {
        for most in [1, 1 << 64, i128::MAX] {
            for relation in RELATIONS {
                let rows = vec![
                    Row { terms: vec![(0, large), (1, 3), (2, -(large / 3))], relation, constant: large / 5 },
                    Row { terms: vec![(0, 7), (1, large), (2, large / 7)], relation, constant: 0 },
                    Row { terms: vec![(0, 1), (1, -5), (2, 1)], relation, constant: -(large / 2) },
                ];
                let system = System { bounds: vec![interval(0, most); 3], rows };
                if let Verdict::Sat(point) = system.solve(&mut Work::new(10_000)) {
                    assert!(system.holds(&point));
                }
                let zero = system.holds(&[0; 3]);
                assert!(!zero || system.solve(&mut Work::new(10_000)) != Verdict::Unsat);
            }
        }
    }
}

/// A chain of differences whose rows stand in the order that takes most rounds: each variable is above the one before it.
#[test]
fn long_chains() {
    let count = 60;
    let above =
        |variable| Row { terms: vec![(variable, -1), (variable - 1, 1)], relation: Relation::AtMost, constant: -1 };
    let system = |most| System { bounds: vec![interval(0, most); count], rows: (1..count).rev().map(above).collect() };
    let bounds = system(60).tightened(&mut Work::new(1_000_000));
    assert_eq!(bounds, Ok((0..60).map(|place| interval(place, place + 1)).collect()));
    assert_eq!(system(58).tightened(&mut Work::new(1_000_000)), Err(Conflict));
    let mut round = system(1 << 60);
    round.rows.push(Row { terms: vec![(count - 1, 1), (0, -1)], relation: Relation::AtMost, constant: 58 });
    assert_eq!(round.solve(&mut Work::new(1_000_000)), Verdict::Unsat);
}
