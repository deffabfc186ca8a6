//! Terms against their systems: all values of small inputs.

use super::*;
use strata_term::{Assignment, Bits, Random, Term, eval};

const WIDTH: u32 = 4;

/// Between which values an input lies.
type Ranges = [(u64, u64); 2];

fn inputs() -> [Term; 2] {
    ["x", "y"].map(|name| Term::symbol(name, WIDTH))
}

/// The verdict on a condition with these ranges of the inputs.
fn verdict(condition: &Term, ranges: Ranges) -> Verdict {
    let mut forms = Forms::default();
    let comparisons = forms.comparisons(condition);
    let inputs = inputs();
    let mut range = |atom: &Term| {
        let place = inputs.iter().position(|input| input == atom);
        let (least, most) = place.map_or((0, (1 << atom.width()) - 1), |place| ranges[place]);
        Interval { least: least.into(), most: most.into() }
    };
    let mut relaxation = Relaxation::new(&mut forms, &mut range);
    if comparisons.iter().any(|comparison| relaxation.compare(comparison).is_err()) {
        return Verdict::Unsat;
    }
    relaxation.system.solve(&mut Work::new(100_000))
}

fn holds(condition: &Term, values: [u64; 2]) -> bool {
    let mut assignment = Assignment::default();
    inputs().iter().zip(values).for_each(|(input, value)| assignment.set(input, Bits::new(WIDTH, value)));
    eval(condition, &assignment).is_true()
}

/// Sums that wrap do, on both sides of the sign.
#[test]
fn wrapping_around() {
    let [x, y] = inputs();
    let number = |value| Term::number(WIDTH, value);
    let full = [(0, 15), (0, 15)];
    let sat = |condition: &Term, ranges| matches!(verdict(condition, ranges), Verdict::Sat(_));
    // Only at the largest value.
    let above = x.add(&y).ult(&x).and(&y.eq(&number(1)));
    assert!(sat(&above, full) && sat(&above, [(15, 15), (1, 1)]));
    assert_eq!(verdict(&above, [(0, 14), (0, 15)]), Verdict::Unsat);
    let signed = x.add(&y).slt(&x).and(&y.eq(&number(1)));
    assert!(sat(&signed, [(7, 7), (1, 1)]));
    assert_eq!(verdict(&signed, [(0, 6), (0, 15)]), Verdict::Unsat);
    assert_eq!(verdict(&signed, [(8, 15), (0, 15)]), Verdict::Unsat);
    // A difference below zero is large.
    assert!(sat(&number(3).ult(&x.sub(&y)).and(&x.ult(&y)), [(0, 3), (0, 3)]));
    assert_eq!(verdict(&x.add(&y).eq(&number(9)).and(&x.eq(&y)), [(0, 7), (0, 7)]), Verdict::Unsat);
}

/// A term of this width over the inputs, all of it linear.
fn term(random: &mut Random, width: u32, depth: u32) -> Term {
    let constant = Term::constant(random.constant(width));
    if depth == 0 || random.one_in(8) {
        let input = random.pick(&inputs()).clone();
        return match width {
            _ if random.one_in(6) => constant,
            WIDTH => input,
            0..WIDTH => input.extract(width - 1, 0),
            _ if random.one_in(2) => input.zext(width),
            _ => input.sext(width),
        };
    }
    let mut same = || term(random, width, depth - 1);
    let (first, second) = (same(), same());
    match random.draw(12) {
        0 | 1 => first.add(&second),
        2 => first.sub(&second),
        3 => first.mul(&constant),
        4 => first.not(),
        5 => first.shl(&Term::number(width, u64::from(random.draw(width + 1)))),
        6 => first.lshr(&Term::number(width, u64::from(random.draw(width + 1)))),
        7 => first.udiv(&Term::number(width, 1 + u64::from(random.draw(7)))),
        8 => first.urem(&Term::number(width, 1 + u64::from(random.draw(7)))),
        9 => {
            let low = random.draw(3);
            term(random, width + 2, depth - 1).extract(low + width - 1, low)
        }
        10 if width > 2 => {
            let (high, low) = (term(random, width - 2, depth - 1), term(random, 2, depth - 1));
            high.concat(&low)
        }
        _ if width > 2 => {
            let narrow = term(random, width - 1, depth - 1);
            if random.one_in(2) { narrow.zext(width) } else { narrow.sext(width) }
        }
        _ => first,
    }
}

fn comparison(random: &mut Random) -> Term {
    let width = *random.pick(&[3, 4, 4, 4, 6]);
    let (left, right) = (term(random, width, 2), term(random, width, 2));
    let made = match random.draw(4) {
        0 => left.eq(&right),
        1 => left.slt(&right),
        _ => left.ult(&right),
    };
    if random.one_in(3) { made.not() } else { made }
}

/// Never *no solution* where there is one, over any ranges; and where the inputs have one value each the system says just what the condition says, unless
/// something in it is not linear after all.
#[test]
fn against_all_values() {
    let mut random = Random(5);
    let (mut exact, mut decided, mut never, mut count) = (0, 0, 0, 0);
    for _ in 0..2000 {
        let mut condition = comparison(&mut random);
        if random.one_in(2) {
            condition = condition.and(&comparison(&mut random));
        }
        if condition.is_const() {
            continue;
        }
        count += 1;
        let ranges: Ranges = [0, 1].map(|_| {
            let least = u64::from(random.draw(16));
            (least, (least + u64::from(random.draw(16))).min(15))
        });
        let within = |(least, most): (u64, u64)| least..=most;
        let points = || within(ranges[0]).flat_map(|x| within(ranges[1]).map(move |y| [x, y]));
        let possible = points().any(|point| holds(&condition, point));
        match verdict(&condition, ranges) {
            Verdict::Unsat => {
                assert!(!possible, "{condition:?} holds within {ranges:?}");
                never += 1;
            }
            Verdict::Sat(_) => decided += u32::from(possible),
            Verdict::Unknown => {}
        }
        let mut same = true;
        for point in points().step_by(7) {
            let one = verdict(&condition, point.map(|value| (value, value)));
            let truth = holds(&condition, point);
            assert!(one != Verdict::Unsat || !truth, "{condition:?} holds at {point:?}");
            same &= (one != Verdict::Unsat) == truth;
        }
        exact += u32::from(same);
    }
    assert!(
        never > count / 10 && decided > count / 4 && exact > 9 * count / 10,
        "{never}, {decided}, {exact} of {count}"
    );
}
