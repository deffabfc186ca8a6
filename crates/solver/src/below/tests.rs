//! Boxes, points and searches against all values of small variables.

use super::*;
use crate::knowledge::{Kept, Known, assign};
use crate::manner::{Choice, Manner};
use strata_term::{Evaluator, Random};

const WIDTH: u32 = 4;

fn variables() -> Vec<Term> {
    ["p", "q", "r"].iter().map(|name| Term::symbol(name, WIDTH)).collect()
}

fn sum(random: &mut Random, variables: &[Term]) -> Term {
    let mut sum = random.pick(variables).clone();
    for _ in 0..random.below(3) {
        let other = random.pick(variables);
        let few = Term::number(WIDTH, u64::from(random.draw(8)));
        sum = match random.draw(7) {
            0 | 1 => sum.add(other),
            2 => sum.sub(other),
            3 => sum.add(&few),
            4 => sum.mul(&few),
            5 => sum.and(&few).add(other),
            _ => sum.udiv(&few),
        };
    }
    sum
}

fn condition(random: &mut Random, variables: &[Term]) -> Term {
    let left = sum(random, variables);
    let right = if random.one_in(2) { sum(random, variables) } else { Term::number(WIDTH, u64::from(random.draw(16))) };
    let compared = match random.draw(4) {
        0 => left.eq(&right),
        1 => left.slt(&right),
        _ => left.ult(&right),
    };
    if random.one_in(2) { compared.not() } else { compared }
}

fn models(variables: &[Term]) -> Vec<Model> {
    let all = 1u64 << (WIDTH as usize * variables.len());
    let model = |number: u64| {
        let mut model = Model::default();
        for (place, variable) in variables.iter().enumerate() {
            assign(&mut model, variable, number >> (place as u32 * WIDTH) & 15);
        }
        model
    };
    (0..all).map(model).collect()
}

/// What each manner found.
#[derive(Default, Debug)]
struct Found {
    boxes: u32,
    wide: u32,
    points: u32,
    holds: u32,
    never: u32,
    searched: u32,
}

fn trial(random: &mut Random, manner: Manner, models: &[Model], found: &mut Found) {
    let variables = variables();
    let mut shapes = Shapes::new(manner, Kept { tables: false, boxes: true, points: true, orders: random.one_in(2) });
    let (mut known, mut path) = (Known::default(), Vec::new());
    let mut left: Vec<&Model> = models.iter().collect();
    for _ in 0..2 + random.below(5) {
        let next = condition(random, &variables);
        let after: Vec<&Model> =
            left.iter().copied().filter(|model| strata_term::eval(&next, model).is_true()).collect();
        if next.is_const() || after.is_empty() {
            continue;
        }
        left = after;
        known.add(&next, &mut shapes);
        path.push(next);
        if random.one_in(2) {
            question(random, &known, &path, &left, &mut shapes, found);
        }
    }
}

fn question(
    random: &mut Random,
    known: &Known,
    path: &[Term],
    left: &[&Model],
    shapes: &mut Shapes,
    found: &mut Found,
) {
    let asked = condition(random, &variables());
    if asked.is_const() {
        return;
    }
    let witness = *random.pick(left);
    let groups = known.groups(&shapes.of(&asked).support);
    for group in &groups {
        for region in boxes(group, witness, shapes, &mut 0).iter() {
            check(group, region, witness);
            found.boxes += 1;
            found.wide += u32::from(region.iter().all(|(_, set)| set.single().is_none()));
        }
    }
    let possible = left.iter().any(|model| strata_term::eval(&asked, model).is_true());
    let mut all = Evaluator::new(&path.iter().chain([&asked]).cloned().collect::<Vec<_>>());
    let mut holds = |values: &[(Term, u64)]| {
        let mut model = witness.clone();
        values.iter().for_each(|(read, value)| assign(&mut model, read, *value));
        all.holds(&model)
    };
    if let Some(values) = point(&asked, &groups, witness, shapes, &mut Spent::upto(usize::MAX)) {
        // The condition itself is evaluated by the layer; everything else must hold.
        let mut model = witness.clone();
        values.iter().for_each(|(read, value)| assign(&mut model, read, *value));
        assert!(path.iter().all(|constraint| strata_term::eval(constraint, &model).is_true()), "{path:?}");
        found.points += 1;
    }
    for (verdict, count) in [
        (verdict(&asked, &groups, shapes, &mut 0), &mut found.holds),
        (search(&asked, &groups, witness, shapes, &mut Spent::upto(usize::MAX)), &mut found.searched),
    ] {
        match verdict {
            Some(Verdict::Holds(values)) => {
                assert!(holds(&values), "{path:?} {asked:?}");
                *count += 1;
            }
            Some(Verdict::Never) => {
                assert!(!possible, "{path:?} {asked:?}");
                found.never += 1;
            }
            None => {}
        }
    }
}

/// Every point of a box satisfies the group.
fn check(group: &Group, region: &Region, witness: &Model) {
    let constraints: Vec<Term> = group.path.iter().cloned().collect();
    let mut evaluator = Evaluator::new(&constraints);
    let mut points = vec![witness.clone()];
    for (read, set) in region.iter() {
        let mut next = Vec::new();
        set.each(&mut |value| {
            next.extend(points.iter().map(|point| {
                let mut point = point.clone();
                assign(&mut point, read, value);
                point
            }));
            true
        });
        points = next;
    }
    assert!(!points.is_empty(), "a box has points");
    assert!(points.iter().all(|point| evaluator.holds(point)), "{constraints:?} in {region:?}");
}

#[test]
fn against_all_values() {
    let mut random = Random(17);
    let models = models(&variables());
    for manner in [Manner::Everything, Manner::Ase(Choice::Either), Manner::Ase(Choice::Middle)] {
        let mut found = Found::default();
        for _ in 0..250 {
            trial(&mut random, manner, &models, &mut found);
        }
        let Found { boxes, wide, points, holds, never, searched } = found;
        assert!(boxes > 40 && wide > 20 && points > 40, "{manner:?}: {found:?}");
        assert!(holds > 10 && never > 10 && searched > 40, "{manner:?}: {found:?}");
    }
}
