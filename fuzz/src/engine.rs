//! Runs small programs of the IR to the end of all their paths, for tests of the interpreter.
//!
//! There is no system and no library: what a program does is in its text. States are run in the order in which they come, so a test is
//! a function of the program alone.

use std::any::Any;
use std::sync::Arc;
use strata_interp::{Config, End, Image, Machine, State, System, hook};
use strata_ir::{Program, Verified, text};
use strata_memory::Value;
use strata_query::{Answer, Budget, Interrupt, Model, Path, Reason, Solver};
use strata_solver::Pool;
use strata_term::{Random, Term, eval};

struct Nothing;

impl System for Nothing {
    fn copy(&self) -> Arc<dyn System> {
        Arc::new(Nothing)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// A solver that leaves some questions undecided: one in so many, or none for 0.
pub struct Unsure {
    pool: Pool,
    random: Random,
    one_in: u32,
}

impl Unsure {
    /// Undecided once in `one_in` questions.
    pub fn new(seed: u64, one_in: u32) -> Unsure {
        Unsure { pool: Pool::default(), random: Random(seed), one_in }
    }
}

impl Solver for Unsure {
    fn extend(&mut self, path: &mut Path, constraint: &Term) {
        self.pool.extend(path, constraint);
    }

    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer {
        if self.one_in > 0 && self.random.one_in(self.one_in) {
            return Answer::Unknown(Reason::Time);
        }
        self.pool.check(path, assumptions, budget)
    }
}

/// A path that ended.
pub struct Ended {
    /// The state as it was then.
    pub state: Box<State>,
    /// How.
    pub end: End,
}

impl Ended {
    /// `exit 3`, `error div`, `incomplete size`, `infeasible` or `silent`.
    pub fn name(&self) -> String {
        match &self.end {
            End::Exit(value) => value.concrete().map_or("exit ?".into(), |status| format!("exit {status}")),
            End::Error(fault) => format!("error {}", fault.kind),
            End::Incomplete(cause) => format!("incomplete {}", cause.kind),
            End::Infeasible => "infeasible".into(),
            End::Silent => "silent".into(),
        }
    }

    /// Does an input take this path?
    pub fn is_taken_by(&self, model: &Model) -> bool {
        self.state.path.iter().all(|constraint| eval(constraint, model).is_true())
    }

    /// The kinds of what makes the path incomplete, newest first.
    pub fn notes(&self) -> Vec<&'static str> {
        self.state.notes.iter().map(|note| note.kind).collect()
    }
}

/// Lays out a program that must verify.
pub fn image(program: Program, overflow: bool) -> Image {
    let text = text::print(&program);
    let program = Verified::new(program)
        .unwrap_or_else(|violations| panic!("the program does not verify: {violations:?}\n{text}"));
    Image::new(program, &hook, overflow).expect("the program fits into memory")
}

/// Runs a function on all paths. Every witness left behind is checked against its path.
pub fn run(image: &Image, config: &Config, function: &str, arguments: &[Value]) -> Vec<Ended> {
    run_with(image, config, function, arguments, Unsure::new(0, 0))
}

/// As `run`, with a solver of the caller's.
pub fn run_with(image: &Image, config: &Config, function: &str, arguments: &[Value], solver: Unsure) -> Vec<Ended> {
    let mut machine = Machine::new(image, config, Box::new(solver), Interrupt::default());
    let mut state = Box::new(State::new(image.space.clone(), Arc::new(Nothing)));
    let function = image.function(function).expect("there is such a function");
    machine.start(&mut state, function.0, arguments);
    let mut waiting = vec![state];
    let mut ended = Vec::new();
    while let Some(state) = waiting.pop() {
        let mut live = machine.run(&mut Some(state), 1_000);
        live.reverse();
        waiting.append(&mut live);
        ended.extend(machine.ended.drain(..).map(|(state, end)| Ended { state, end }));
        for state in waiting.iter().chain(ended.iter().map(|ended| &ended.state)) {
            check_witness(state);
        }
        assert!(ended.len() < 10_000, "too many paths");
    }
    ended
}

fn check_witness(state: &State) {
    let Some(witness) = &state.witness else { return };
    for constraint in state.path.iter() {
        assert!(eval(constraint, witness).is_true(), "a state's model does not satisfy its path: {constraint:?}");
    }
}

/// The names of all ends, sorted.
pub fn names(ended: &[Ended]) -> Vec<String> {
    let mut names: Vec<String> = ended.iter().map(Ended::name).collect();
    names.sort();
    names
}

/// Runs the function `main` of a text, whose parameters are inputs: 8 bits each, in the array `input`.
pub fn run_text(source: &str, config: &Config) -> Vec<Ended> {
    run_text_with(source, config, Unsure::new(0, 0))
}

/// As `run_text`, with a solver of the caller's.
pub fn run_text_with(source: &str, config: &Config, solver: Unsure) -> Vec<Ended> {
    let program = text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let image = image(program, config.checks.overflow);
    let main = &image.program().functions[image.function("main").expect("main").index()];
    let inputs: Vec<Value> = (0..main.params.len() as u64).map(|i| Value::term(input(i))).collect();
    run_with(&image, config, "main", &inputs, solver)
}

/// The byte of the array `input` at a place.
pub fn input(place: u64) -> Term {
    Term::array("input", 32).read(&Term::number(32, place), 1)
}

/// An input to programs of `run_text`.
pub fn model(bytes: &[u8]) -> Model {
    let mut model = Model::default();
    let array = Term::array("input", 32);
    bytes.iter().enumerate().for_each(|(i, byte)| model.set_cell(&array, i as u64, *byte));
    model
}
