//! Systems of linear constraints over bounded integers against z3's integers: coefficients up to 2^64, most systems near the border of what has solutions, and half of them around a
//! solution that is known.
//!
//! *No solution* must be z3's verdict, too, and never be said of a system with a known solution; a solution must be one; and neither the known solution nor any that z3 finds lies
//! outside of the bounds that are given for each variable.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use strata_solver::{Interval, LinearRow, Relation, System, Verdict, Work};
use strata_term::Random;

/// What a run of systems came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// A solution was found.
    pub sat: u64,
    /// There is none.
    pub unsat: u64,
    /// Not decided by us.
    pub unknown: u64,
    /// Bounds that are narrower than those given.
    pub narrowed: u64,
    /// Questions that z3 did not answer in its time.
    pub unchecked: u64,
}

/// Products for one verdict, and for the bounds of one system.
const WORK: usize = 50_000;

/// z3 with a pipe to both ends, and 200 ms for each question.
pub struct Integers {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Integers {
    /// Starts z3.
    pub fn start() -> std::io::Result<Integers> {
        let mut process = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (input, output) = (input.expect("asked for"), BufReader::new(output.expect("asked for")));
        let mut started = Integers { process, input, output };
        started.input.write_all(b"(set-option :timeout 200)\n(set-logic ALL)\n")?;
        Ok(started)
    }

    /// The answers to the questions in a script, each a word.
    fn ask(&mut self, script: &str, questions: usize) -> Result<Vec<String>, String> {
        let sent = self.input.write_all(script.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|error| format!("z3: {error}"))?;
        (0..questions)
            .map(|_| {
                let mut line = String::new();
                match self.output.read_line(&mut line) {
                    Ok(length) if length > 0 && !line.starts_with("(error") => Ok(line.trim().to_string()),
                    Ok(_) => Err(format!("z3 says {line:?} to\n{script}")),
                    Err(error) => Err(format!("z3: {error}")),
                }
            })
            .collect()
    }
}

impl Drop for Integers {
    fn drop(&mut self) {
        // It ends by itself when its input does; nothing is left to be done about one that has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

fn outside(bounds: &[Interval]) -> String {
    let parts = bounds.iter().enumerate().map(|(variable, bound)| {
        format!("(< x{variable} {}) (> x{variable} {})", number(bound.least), number(bound.most))
    });
    format!("(or {})", parts.collect::<Vec<_>>().join(" "))
}

/// As SMT-LIB has it.
fn text(system: &System) -> String {
    let mut text = String::new();
    for (variable, bound) in system.bounds.iter().enumerate() {
        let (least, most) = (number(bound.least), number(bound.most));
        let _ = writeln!(text, "(declare-const x{variable} Int) (assert (<= {least} x{variable} {most}))");
    }
    for row in &system.rows {
        let products = row.terms.iter().map(|(variable, times)| format!(" (* {} x{variable})", number(*times)));
        let sum = format!("(+ 0{})", products.collect::<String>());
        let constant = number(row.constant);
        let _ = match row.relation {
            Relation::AtMost => writeln!(text, "(assert (<= {sum} {constant}))"),
            Relation::Equal => writeln!(text, "(assert (= {sum} {constant}))"),
            Relation::Apart => writeln!(text, "(assert (not (= {sum} {constant})))"),
        };
    }
    text
}

/// A number of up to so many bits, more often than not a small one or one near a power of two.
fn sized(random: &mut Random, bits: u32) -> i128 {
    let size = 1i128 << random.draw(bits + 1);
    match random.draw(6) {
        0..=2 => i128::from(random.draw(5)),
        3 => size,
        4 => size - i128::from(random.draw(2)),
        _ => i128::from(random.number()) % size,
    }
}

fn signed(random: &mut Random, bits: u32) -> i128 {
    let size = sized(random, bits);
    if random.one_in(2) { -size } else { size }
}

fn bounds(random: &mut Random) -> Interval {
    let least = match random.draw(4) {
        0 => -i128::from(random.draw(9)),
        1 => signed(random, 64),
        _ => 0,
    };
    let size = match random.draw(3) {
        0 => (1i128 << random.draw(65)) - 1,
        1 => i128::from(random.draw(12)),
        _ => sized(random, 64),
    };
    Interval { least, most: least + size }
}

fn between(random: &mut Random, bound: Interval) -> i128 {
    match random.draw(4) {
        0 => bound.least,
        1 => bound.most,
        _ => bound.least + i128::from(random.number()) % (bound.most - bound.least + 1),
    }
}

/// A system and, if it was made around one, a solution.
fn system(random: &mut Random) -> (System, Option<Vec<i128>>) {
    let count = 1 + random.below(5);
    // Large numbers seldom stand in every row.
    let bits = *random.pick(&[2, 3, 8, 33, 64]);
    let bounds: Vec<Interval> = (0..count).map(|_| bounds(random)).collect();
    let point: Vec<i128> = bounds.iter().map(|bound| between(random, *bound)).collect();
    let kind = random.draw(4);
    let length = 1 + random.below(6);
    let mut rows = Vec::new();
    for place in 0..length {
        let differences = count > 1 && random.one_in(4);
        let terms: Vec<(usize, i128)> = if differences {
            let first = random.below(count);
            vec![(first, 1), ((first + 1 + random.below(count - 1)) % count, -1)]
        } else {
            let mut some = || (random.below(count), signed(random, bits));
            (0..=some().0).map(|_| some()).collect()
        };
        let relation = *random.pick(&[Relation::AtMost, Relation::AtMost, Relation::Equal, Relation::Apart]);
        let sum = terms.iter().try_fold(0i128, |sum, (at, times)| sum.checked_add(times.checked_mul(point[*at])?));
        let Some(sum) = sum else { continue };
        let border = kind == 2 && place + 1 == length;
        let off = if border { -1 } else { 0 };
        let constant = match (kind, relation) {
            (3, _) => signed(random, bits),
            (_, Relation::AtMost) => sum + off + if random.one_in(2) { 0 } else { sized(random, bits) },
            (_, Relation::Equal) => sum + off,
            (_, Relation::Apart) if border => sum,
            (_, Relation::Apart) => sum + 1 + sized(random, bits),
        };
        rows.push(LinearRow { terms, relation, constant });
    }
    let system = System { bounds, rows };
    let solution = system.holds(&point).then_some(point);
    (system, solution)
}

/// Tries `count` systems from `seed` on. What is wrong comes back as text.
pub fn compare(seed: u64, count: u64, z3: &mut Integers) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for number in 0..count {
        // A seed for each system, so that one can be repeated alone.
        let seed = seed.wrapping_add(number);
        let (system, solution) = system(&mut Random(seed));
        judge(&system, solution.as_deref(), z3, &mut tally)
            .map_err(|what| format!("seed {seed}: {what}\n{}", text(&system)))?;
    }
    Ok(tally)
}

fn judge(system: &System, solution: Option<&[i128]>, z3: &mut Integers, tally: &mut Tally) -> Result<(), String> {
    let verdict = system.solve(&mut Work::new(WORK));
    let narrowed = system.tightened(&mut Work::new(WORK));
    let never = verdict == Verdict::Unsat || narrowed.is_err();
    if let (true, Some(solution)) = (never, solution) {
        return Err(format!("said to have no solution, but {solution:?} is one"));
    }
    let mut questions = vec![String::new()];
    if let Ok(bounds) = &narrowed {
        let beyond = |point: &[i128]| point.iter().zip(bounds).any(|(x, bound)| *x < bound.least || bound.most < *x);
        if let Some(solution) = solution.filter(|point| beyond(point)) {
            return Err(format!("{bounds:?} cut off {solution:?}"));
        }
        tally.narrowed += u64::from(*bounds != system.bounds);
        questions.push(format!("(assert {})", outside(bounds)));
    }
    let asked: String = questions.iter().map(|more| format!("{more}\n(check-sat)\n")).collect();
    let answers = z3.ask(&format!("(push)\n{}{asked}(pop)\n", text(system)), questions.len())?;
    tally.unchecked += answers.iter().filter(|answer| !["sat", "unsat"].contains(&answer.as_str())).count() as u64;
    if never && answers[0] == "sat" {
        return Err("said to have no solution, but z3 has one".into());
    }
    if answers.get(1).is_some_and(|answer| answer == "sat") {
        return Err(format!("{narrowed:?} cut off a solution"));
    }
    match verdict {
        Verdict::Unsat => tally.unsat += 1,
        Verdict::Sat(point) if !system.holds(&point) || answers[0] == "unsat" => {
            return Err(format!("{point:?} is no solution"));
        }
        Verdict::Sat(_) => tally.sat += 1,
        Verdict::Unknown => tally.unknown += 1,
    }
    Ok(())
}
