//! Tests of reading and writing together; each file asks one question.

mod depth;
mod errors;
mod meaning;
mod mutation;
mod roundtrip;
mod scopes;

use super::{Command, Declaration, Parser, SmtSort};
use crate::assignment::Assignment;
use crate::bits::Bits;
use crate::op::Op;
use crate::random::Random;
use crate::store::Term;
use crate::text::Error;

/// Every command of a script.
fn commands(script: &str) -> Result<Vec<Command>, Error> {
    let mut parser = Parser::new(script.as_bytes());
    std::iter::from_fn(|| parser.next_command().transpose()).collect()
}

/// The assertions of a script that must be right.
fn assertions(script: &str) -> Vec<Term> {
    let commands = commands(script).unwrap_or_else(|error| panic!("{error}\n{script}"));
    let assertion = |command| if let Command::Assert(term) = command { Some(term) } else { None };
    commands.into_iter().filter_map(assertion).collect()
}

/// Bytes `x`, `y`, a word `w`, truth values `p`, `q`, a bit `b` and arrays `a`, `c`.
const DECLARATIONS: &str =
    "(declare-const x (_ BitVec 8)) (declare-fun y () (_ BitVec 8)) (declare-fun w () (_ BitVec 32))
(declare-const p Bool) (declare-const q Bool) (declare-const b (_ BitVec 1))
(declare-const a (Array (_ BitVec 32) (_ BitVec 8))) (declare-const c (Array (_ BitVec 32) (_ BitVec 8)))\n";

/// A term over `DECLARATIONS` and its sort.
fn term(text: &str) -> Result<(Term, SmtSort), Error> {
    let commands = commands(&format!("{DECLARATIONS}(get-value ({text}))"))?;
    match commands.last() {
        Some(Command::GetValue(asked)) => Ok((asked[0].term.clone(), asked[0].sort)),
        other => panic!("{text}: {other:?}"),
    }
}

/// Values for all inputs of `roots`.
fn assignment(random: &mut Random, roots: &[Term]) -> Assignment {
    let mut model = Assignment::default();
    for input in crate::walk::inputs(roots) {
        match input.op() {
            Op::Symbol => {
                let words: Vec<u64> = (0..input.width().div_ceil(64)).map(|_| random.number()).collect();
                let value = Bits::from_words(input.width(), &words);
                model.set(
                    input,
                    if random.below(3) == 0 { Bits::new(input.width(), random.number() % 5) } else { value },
                );
            }
            _ => (0..40).for_each(|at| model.set_cell(input, at, random.number() as u8)),
        }
    }
    model
}

#[test]
fn commands_of_a_session() {
    let script = "(set-logic QF_AUFBV )\n(set-info :status sat)(set-info :source |two\nlines|)
(set-option :produce-models true)(declare-fun x () (_ BitVec 8) )
(define-fun twice ((v (_ BitVec 8))) (_ BitVec 8) (bvadd v v)) (define-const four (_ BitVec 8) #x04)
(push 1)(assert (! (= (twice x) four) :named goal))(check-sat)(check-sat-assuming (goal (not goal)))
(get-value (x (twice  x) goal))(pop)(get-model)(get-info :name)(get-option :x)(echo \"a \"\"b\"\"\")
(get-unsat-core)(get-unsat-assumptions)(get-assertions)(reset-assertions)(reset)(exit)";
    let shown: Vec<String> = commands(script).unwrap().iter().map(|command| format!("{command:?}")).collect();
    let expect = [
        "SetLogic(\"QF_AUFBV\")",
        "SetStatus(Sat)",
        "SetInfo { keyword: \":source\", value: \"|two\\nlines|\" }",
        "SetOption { keyword: \":produce-models\", value: \"true\" }",
        "Declare(Declaration { name: \"x\", term: x:8, sort: BitVec(8) })",
        "Define(\"twice\")",
        "Define(\"four\")",
        "Push(1)",
    ];
    assert_eq!(&shown[..expect.len()], expect);
    let rest =
        ["Pop(1)", "GetModel", "GetInfo(\":name\")", "GetOption(\":x\")", "Echo(\"a \\\"b\\\"\")", "GetUnsatCore"];
    assert_eq!(&shown[12..18], rest);
    assert_eq!(&shown[18..], ["GetUnsatAssumptions", "GetAssertions", "ResetAssertions", "Reset", "Exit"]);

    let commands = commands(script).unwrap();
    let x = Term::symbol("x", 8);
    let goal = x.add(&x).eq(&Term::number(8, 4));
    let Command::Assert(asserted) = &commands[8] else { panic!("{:?}", commands[8]) };
    assert_eq!(*asserted, goal);
    let Command::CheckSatAssuming(assumed) = &commands[10] else { panic!("{:?}", commands[10]) };
    assert_eq!(*assumed, [goal.clone(), goal.not()]);
    let Command::GetValue(asked) = &commands[11] else { panic!("{:?}", commands[11]) };
    let asked: Vec<_> = asked.iter().map(|asked| (asked.text.as_str(), asked.term.clone(), asked.sort)).collect();
    let expect = [
        ("x", x.clone(), SmtSort::BitVec(8)),
        ("(twice  x)", x.add(&x), SmtSort::BitVec(8)),
        ("goal", goal, SmtSort::Bool),
    ];
    assert_eq!(asked, expect);
}

#[test]
fn positions_of_commands() {
    let mut parser = Parser::new(b"(push)\n ; comment\n  (pop)(exit)\n");
    for (line, column) in [(1, 1), (3, 3), (3, 8)] {
        parser.next_command().unwrap().unwrap();
        assert_eq!(parser.position(), crate::text::Position { line, column });
    }
    assert!(parser.next_command().unwrap().is_none());
}

#[test]
fn declarations_follow_the_scopes() {
    let mut parser = Parser::new(b"(declare-const x Bool)(push)(declare-const y Bool)(pop)(check-sat)");
    let mut seen = Vec::new();
    while parser.next_command().unwrap().is_some() {
        seen.push(parser.declarations().map(|Declaration { name, .. }| name.clone()).collect::<String>());
    }
    assert_eq!(seen, ["x", "x", "xy", "x", "x"]);
}
