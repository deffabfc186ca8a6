//! Every circuit over operands of which some bits are constant, on every value: constant bits are where circuits take short cuts.

use strata_query::{Answer, Budget, Path, Solver};
use strata_solver::Pool;
use strata_term::{Assignment, Bits, Kind, Op, Term, eval};

const WIDTH: u32 = 5;

/// Words of five bits over an input of two.
fn operands(x: &Term) -> Vec<Term> {
    let concat = |high: &Term, low: &Term| Term::raw(Op::Concat, high.width() + low.width(), 0, &[high, low]);
    let mut words = vec![
        Term::raw(Op::ZExt, WIDTH, 0, &[x]),
        Term::raw(Op::SExt, WIDTH, 0, &[x]),
        concat(x, &Term::number(3, 0)),
        concat(x, &Term::number(3, 5)),
        concat(&concat(&Term::number(2, 1), x), &Term::number(1, 0)),
        concat(&concat(&Term::number(1, 0), x), x),
    ];
    words.extend([0, 1, 7, 12, 31].map(|value| Term::number(WIDTH, value)));
    words
}

fn check(pool: &mut Pool, result: &Term, inputs: &[Term; 2]) {
    for values in 0..16u64 {
        let mut assignment = Assignment::default();
        let mut assumptions = Vec::new();
        for (input, value) in inputs.iter().zip([values & 3, values >> 2]) {
            assignment.set(input, Bits::new(2, value));
            assumptions.push(input.eq(&Term::number(2, value)));
        }
        let expected = Term::constant(eval(result, &assignment));
        let equal = Term::raw(Op::Eq, 1, 0, &[result, &expected]);
        assumptions.push(Term::raw(Op::Not, 1, 0, &[&equal]));
        let answer = pool.check(&Path::default(), &assumptions, &Budget::default());
        assert_eq!(answer, Answer::Unsat, "{result:?} is {expected:?} for {values}");
    }
}

#[test]
fn operands_with_constant_bits() {
    let inputs = ["x", "y"].map(|name| Term::symbol(name, 2));
    for op in Op::ALL.iter().copied().filter(|op| op.info().arity == 2) {
        let width = match op.info().kind {
            Kind::Uniform => WIDTH,
            Kind::Predicate => 1,
            Kind::Leaf | Kind::Cast | Kind::Choice | Kind::Array | Kind::Clause => continue,
        };
        let mut pool = Pool::default();
        for a in operands(&inputs[0]) {
            for b in operands(&inputs[1]) {
                check(&mut pool, &Term::raw(op, width, 0, &[&a, &b]), &inputs);
            }
        }
    }
}
