//! From a path that ended to the test that reproduces it.

use crate::least::{Array, Effort, Inputs, Least};
use strata_interp::{End, Fault, Image, Input, Output, State, bytes};
use strata_linux::Linux;
use strata_memory::{Kind, Value};
use strata_query::{Answer, Budget, Gauge, Model, Path, Solver};
use strata_record::{Bytes, Dependence, ErrorReport, Expectation, Frame, KTest, Object, Place, Trace};
use strata_term::{eval, eval_array};

/// Output kept of one path and descriptor.
const OUTPUT: usize = 1 << 20;

/// Bytes of an array that only chooses the length of an input (`strata_linux`'s world makes it).
const CHOSEN: u64 = 4;

/// A path's input, and what it is expected to do.
pub(crate) struct Test {
    pub input: KTest,
    pub expectation: Expectation,
    pub report: Option<ErrorReport>,
}

/// The input that shows a path that ended: a model of it. Adds the time that the solver takes.
pub(crate) fn choose(
    state: &State,
    least: &mut Least,
    solver: &mut dyn Solver,
    (effort, budget): (Effort, &Budget),
    hurry: bool,
    solving: &Gauge,
) -> Option<Model> {
    let inputs = arrays(state);
    // A run that is being stopped asks no more questions about paths that have an input already.
    let hurried = state.witness.is_some() && hurry;
    let task = solving.start();
    let found = if hurried {
        None
    } else {
        preferred(state, solver, (effort, budget))
            .and_then(|(path, model)| least.of(solver, &path, &model, &Inputs(&inputs), (effort, budget)))
    };
    solving.stop(task);
    // Else not the least, but one that reproduces the path.
    found.or_else(|| state.witness.as_ref().map(|witness| (**witness).clone()))
}

/// Makes the test of a path that ended, with this model of it as input.
pub(crate) fn make(
    image: &Image,
    state: &State,
    end: &End,
    model: &Model,
    new: bool,
    arguments: &[Vec<u8>],
) -> Option<Test> {
    let input = input(state, arguments, model);
    let report = match end {
        End::Error(fault) => Some(report(image, state, fault, model)),
        End::Incomplete(cause) if matches!(cause.kind, "external" | "unsupported" | "float" | "solver") => {
            let fault = Fault::new(strata_interp::ErrorKind::User(kind_of(cause.kind).into()), cause.reason.clone());
            Some(report(image, state, &fault, model))
        }
        End::Exit(_) | End::Incomplete(_) | End::Infeasible | End::Silent => None,
    };
    let end = match end {
        End::Exit(status) => strata_record::End::Exit { status: value(status, model) as i32 },
        End::Error(fault) => {
            let place = fault_place(image, state, fault);
            let (file, line) = (place.file, place.line);
            strata_record::End::Error { error: fault.kind.name().into(), file, line, message: fault.message.clone() }
        }
        End::Incomplete(cause) => strata_record::End::Incomplete { reason: cause.reason.clone() },
        End::Infeasible | End::Silent => return None,
    };
    let mut expectation = Expectation::of(end);
    let (stdout, stdout_cut) = output(state, 1, model);
    let (stderr, stderr_cut) = output(state, 2, model);
    expectation.stdout = Bytes(stdout);
    expectation.stderr = Bytes(stderr);
    expectation.cut = stdout_cut || stderr_cut;
    expectation.new = new;
    expectation.branches = Trace { count: state.trace.count, hash: state.trace.hash };
    if state.depends_on_uninit {
        expectation.depends.insert(Dependence::Uninit);
    }
    if state.depends_on_address {
        expectation.depends.insert(Dependence::Address);
    }
    if let Some(call) = state.depends_on_engine {
        expectation.depends.insert(Dependence::Environment);
        expectation.call = call.into();
    }
    let became = state.system_ref::<Linux>().and_then(|linux| linux.became(model));
    expectation.became = became.into_iter().flatten().map(Bytes).collect();
    Some(Test { input, expectation, report })
}

/// The test of a path on which the engine panicked: an input that leads there. It asks for as little as possible, since a part of what
/// makes a test may be what panicked.
pub(crate) fn reproduce(
    image: &Image,
    state: &State,
    text: &str,
    solver: &mut dyn Solver,
    budget: &Budget,
    arguments: &[Vec<u8>],
) -> Option<Test> {
    let model = match &state.witness {
        Some(witness) => (**witness).clone(),
        None => match solver.check(&state.path, &[], budget) {
            Answer::Sat(model) => model,
            Answer::Unsat | Answer::Unknown(_) => return None,
        },
    };
    let message = format!("internal error: {text}");
    let fault = Fault::new(strata_interp::ErrorKind::User("internal".into()), message.clone());
    let expectation = Expectation::of(strata_record::End::Incomplete { reason: message });
    Some(Test {
        input: input(state, arguments, &model),
        expectation,
        report: Some(report(image, state, &fault, &model)),
    })
}

/// The arrays that a path's inputs are made of. What only chooses a length comes before the bytes:
/// the shortest input is the least.
pub(crate) fn arrays(state: &State) -> Vec<Array> {
    let mut arrays: Vec<Array> = Vec::new();
    for input in state.inputs.to_vec() {
        // A text's length is chosen by its own bytes.
        let mut own = false;
        for array in strata_term::inputs(input.length.iter()).into_iter().filter(|input| input.is_array()) {
            own |= *array == input.array;
            if *array != input.array && arrays.iter().all(|known| known.array != *array) {
                arrays.push(Array { array: array.clone(), size: CHOSEN, length: None });
            }
        }
        let length = input.length.clone().filter(|_| !own);
        arrays.push(Array { array: input.array.clone(), size: input.size, length });
    }
    arrays
}

/// What a path's inputs are in a model.
fn input(state: &State, arguments: &[Vec<u8>], model: &Model) -> KTest {
    let size = |input: &Input| match &input.length {
        Some(length) => eval(length, model).low_u64().min(input.size),
        None => input.size,
    };
    let object = |input: &Input| (input.name.clone(), eval_array(&input.array, size(input), model));
    let objects = state.inputs.to_vec().into_iter().map(object).collect();
    KTest { args: arguments.to_vec(), sym_argvs: 0, sym_argv_len: 0, objects }
}

/// The path with the program's preferences, in the order they were made, as far as they can be had together.
fn preferred(state: &State, solver: &mut dyn Solver, (effort, budget): (Effort, &Budget)) -> Option<(Path, Model)> {
    let mut path = state.path.clone();
    let mut model = match &state.witness {
        Some(witness) => (**witness).clone(),
        None => match solver.check(&path, &[], budget) {
            Answer::Sat(model) => model,
            Answer::Unsat | Answer::Unknown(_) => return None,
        },
    };
    let budget = &Budget { layers_only: effort == Effort::Layers, ..budget.clone() };
    for wish in state.preferences.to_vec() {
        if !solver.holds(wish, &model) {
            match solver.ask(&path, &model, wish, budget) {
                Answer::Sat(better) => model = better,
                Answer::Unsat | Answer::Unknown(_) => continue,
            }
        }
        solver.extend(&mut path, wish);
    }
    Some((path, model))
}

/// KLEE's name for a reason to stop, where it has one.
fn kind_of(kind: &str) -> &str {
    match kind {
        "unsupported" | "float" => "model",
        other => other,
    }
}

fn value(value: &Value, model: &Model) -> u64 {
    value.term.as_ref().map_or(value.bits, |term| eval(term, model).low_u64())
}

/// What a path wrote to a descriptor for an input, and whether some of it was left out.
fn output(state: &State, descriptor: i32, model: &Model) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    for Output { descriptor: to, piece } in state.output.to_vec() {
        if *to != descriptor {
            continue;
        }
        bytes.extend(piece.bytes(model));
        if bytes.len() > OUTPUT {
            bytes.truncate(OUTPUT);
            return (bytes, true);
        }
    }
    (bytes, false)
}

fn frame(image: &Image, function: u32, pc: u32) -> Frame {
    let place = image.program().places[image.place(function, pc).index()];
    let file = if place.line == 0 { String::new() } else { image.program().files[place.file as usize].clone() };
    let function = image.program().functions[function as usize].name.clone();
    Frame { function, file, line: place.line, arguments: Vec::new() }
}

/// Where a path is: in the innermost call of the user's own code, if there is one.
pub(crate) fn place(image: &Image, state: &State) -> Place {
    let calls = state.backtrace();
    let own = calls.iter().find(|(function, _)| image.is_own(*function)).or(calls.first());
    let Some((function, pc)) = own else { return Place::default() };
    let frame = frame(image, *function, *pc);
    Place { file: frame.file, line: frame.line }
}

pub(crate) fn fault_place(image: &Image, state: &State, fault: &Fault) -> Place {
    let other = fault.place.and_then(|place| place_frame(image, place).pop());
    other.map_or_else(|| place(image, state), |frame| Place { file: frame.file, line: frame.line })
}

fn place_frame(image: &Image, place: u32) -> Vec<Frame> {
    let Some(place) = image.program().places.get(place as usize).filter(|place| place.line != 0) else {
        return Vec::new();
    };
    let file = image.program().files[place.file as usize].clone();
    vec![Frame { function: String::new(), file, line: place.line, arguments: Vec::new() }]
}

fn report(image: &Image, state: &State, fault: &Fault, model: &Model) -> ErrorReport {
    let object = fault.victim.as_ref().map(|victim| {
        let kind = match victim.kind {
            Kind::Global => "global",
            Kind::Undefined => "undefined global",
            Kind::Code => "function",
            Kind::Heap => "heap object",
            Kind::Stack => "local variable",
            Kind::System => "memory of the system",
        };
        let name = if victim.name.is_empty() { String::new() } else { format!(" '{}'", victim.name) };
        let chosen = if victim.size.is_symbolic() { " (a symbolic size)" } else { "" };
        let size = format!("{}{chosen}", bytes(value(&victim.size, model)));
        let offset = victim.offset.as_ref().map(|offset| value(offset, model) as i64);
        let offset = offset.map_or_else(String::new, |offset| format!(", accessed at offset {offset}"));
        Object {
            description: format!("{kind}{name} of {size} at {:#x}{offset}", victim.address),
            allocated: place_frame(image, victim.made_at),
            freed: victim.freed_at.map_or_else(Vec::new, |place| place_frame(image, place)),
        }
    });
    ErrorReport {
        kind: fault.kind.name().into(),
        message: fault.message.clone(),
        place: fault_place(image, state, fault),
        stack: state.backtrace().into_iter().map(|(function, pc)| frame(image, function, pc)).collect(),
        object,
        info: Vec::new(),
    }
}
