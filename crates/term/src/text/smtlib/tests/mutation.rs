//! No text makes the reader panic: valid scripts are cut, spliced and scrambled.

use super::Random;
use crate::text::smtlib::Parser;

const SCRIPTS: [&str; 4] = [
    "(set-logic QF_AUFBV )(set-info :status sat)(declare-fun a () (Array (_ BitVec 32) (_ BitVec 8) ) )
(assert (=  (select a (_ bv0 32) ) (_ bv255 8) ) )(assert (let ( (?B1 (concat  (select a (_ bv1 32) ) #xff ) ) )
(and  (bvult  ?B1 (_ bv8 16) ) (= false (= ?B1 #b0000000000000001)))))(check-sat)(get-value ( (select a (_ bv0 32)) ))(exit)",
    "(define-fun f ((v (_ BitVec 8)) (p Bool)) (_ BitVec 16) (ite p ((_ zero_extend 8) v) ((_ repeat 2) v)))
(push 1)(declare-const |x y| (_ BitVec 8))(assert (! (distinct (f |x y| true) ((_ rotate_left 3) (f |x y| false))) :named n))
(check-sat-assuming (n (not n)))(pop 1)(echo \"a \"\"b\")(reset)",
    "(declare-const x (_ BitVec 65))(declare-const b Bool)(assert (bvslt x (_ bv36893488147419103231 65)))
(assert (= ((_ extract 64 1) x) (bvsdiv ((_ sign_extend 3) #b1010101010101010101010101010101010101010101010101010101010101)
((_ extract 63 0) x))))(assert (=> b (xor b (= #b1 ((_ extract 0 0) x)))))",
    "(declare-const i (_ BitVec 4))(assert (= #x07 (select (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) i #x07) #x3)))",
];

const SPLICES: [&str; 24] = [
    "(",
    ")",
    "((",
    "))",
    "(_ bv",
    "65536",
    "99999999999999999999",
    "0",
    "|",
    "\"",
    "#b",
    "#x",
    ":",
    ";",
    "\u{0}",
    "é",
    "let",
    "!",
    "(_ ",
    "(as const ",
    "true",
    "x",
    "(_ BitVec 8)",
    "(Array ",
];

fn mutate(script: &str, random: &mut Random) -> Vec<u8> {
    let mut text = script.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len().max(1)).min(text.len());
        match random.below(6) {
            0 => text.truncate(at),
            1 if at < text.len() => text[at] = random.number() as u8,
            2 if at < text.len() => {
                text.remove(at);
            }
            3 => {
                text.splice(at..at, SPLICES[random.below(SPLICES.len())].bytes());
            }
            4 => {
                let other = SCRIPTS[random.below(SCRIPTS.len())].as_bytes();
                let from = random.below(other.len());
                let to = from + random.below((other.len() - from).min(30));
                text.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                let to = at + random.below((text.len() - at).clamp(1, 20)).min(text.len() - at);
                text.drain(at..to);
            }
        }
    }
    text
}

#[test]
fn mutated_scripts_never_panic() {
    let mut random = Random(1);
    let (mut errors, mut commands) = (0, 0);
    for round in 0..4000 {
        let text = mutate(SCRIPTS[round % SCRIPTS.len()], &mut random);
        let mut parser = Parser::new(&text);
        loop {
            match parser.next_command() {
                Ok(None) => break,
                Ok(Some(_)) => commands += 1,
                Err(error) => {
                    let lines = text.iter().filter(|byte| **byte == b'\n').count() + 1;
                    assert!((1..=lines).contains(&error.line) && error.column >= 1, "{error}");
                    errors += 1;
                }
            }
        }
    }
    assert!(errors > 1000 && commands > 1000, "{errors} errors and {commands} commands: not much of a test");
}

#[test]
fn the_scripts_themselves_are_right() {
    for script in SCRIPTS {
        super::commands(script).unwrap_or_else(|error| panic!("{error}\n{script}"));
    }
}
