//! From a description of the world to the states that a program starts in: memory with arguments, environment and auxiliary vector; files;
//! inputs in the order of KLEE's runtime.
//!
//! How many arguments there are is decided before the first instruction: one state for each number, as if the program had forked there. A number that
//! stays symbolic was rejected: the layout of the arguments depends on it, and KLEE forks as well.

use crate::files::{Body, File, Inode};
use crate::numbers::*;
use crate::syscalls::{STATUS, sizes, status};
use crate::world::{Word, World, file_name};
use crate::{Failure, Given, Linux};
use std::sync::Arc;
use strata_interp::{End, Input, Machine, State};
use strata_memory::{INDEX, Space, Value};
use strata_term::Term;

const AT_PAGESZ: u64 = 6;
const AT_UID: u64 = 11;
const AT_EUID: u64 = 12;
const AT_GID: u64 = 13;
const AT_EGID: u64 = 14;
const AT_SECURE: u64 = 23;
const AT_RANDOM: u64 = 25;

/// Bytes of standard output's object in a test, as KLEE has it.
const STDOUT: u64 = 1024;

/// The states that a program starts in, each with its call of `function` begun.
pub fn prepare(machine: &mut Machine<'_>, space: &Space, world: &World, function: u32) -> Result<Vec<State>, End> {
    let choices = choices(&world.words);
    let several = choices.len() > 1;
    let mut states = Vec::new();
    for choice in choices {
        let mut state = State::new(space.clone(), Arc::new(Linux::default()));
        let words = arguments(machine, &mut state, world, &choice)?;
        files(machine, &mut state, world)?;
        let full = || End::from(strata_interp::Cause::new("limit", "the arguments do not fit into memory"));
        let block = lay_out(&mut state, &words, &world.environment).ok_or_else(full)?;
        if several {
            state.depth = choice.len() as u32;
            choice.iter().for_each(|number| state.decisions.push(*number));
        }
        machine.start(&mut state, function, &[block]);
        states.push(state);
    }
    Ok(states)
}

/// All ways to choose how many arguments each part of the command line stands for.
fn choices(words: &[Word]) -> Vec<Vec<u32>> {
    let mut choices = vec![Vec::new()];
    for word in words {
        let Word::Several { min, max, .. } = word else { continue };
        let longer = |choice: &Vec<u32>| {
            let choice = choice.clone();
            (*min..=*max).map(move |number| [choice.as_slice(), &[number]].concat())
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices
}

/// A new input of the path.
pub(crate) fn input(state: &mut State, name: &str, size: u64) -> Term {
    let array = array(state, name);
    state.inputs.push(Input { name: name.into(), array: array.clone(), size, length: None });
    array
}

/// The bytes of the path's next input.
fn array(state: &State, name: &str) -> Term {
    Term::array(&format!("{name}#{}", state.inputs.len()), INDEX)
}

/// A new input of the path with up to `most` bytes, and how many it has where that is symbolic.
fn measured(
    machine: &mut Machine<'_>,
    state: &mut State,
    world: &World,
    name: &str,
    most: u64,
) -> Result<(Term, Option<Term>), End> {
    if !world.lengths {
        return Ok((input(state, name, most), None));
    }
    let array = array(state, name);
    let chosen = self::array(state, &format!("{name}.length")).read(&Term::number(INDEX, 0), 4);
    machine.assume(state, &chosen.ule(&Term::number(32, most)))?;
    let length = Some(chosen.zext(64));
    state.inputs.push(Input { name: name.into(), array: array.clone(), size: most, length: length.clone() });
    Ok((array, length))
}

/// An object of the tests whose bytes are known.
fn known(state: &mut State, name: String, bytes: &[u8]) {
    let array = Term::constant_array(INDEX, bytes.into());
    state.inputs.push(Input { name, array, size: bytes.len() as u64, length: None });
}

/// The status of an input in a test: as it is known, but for the size where that is symbolic.
fn known_status(state: &mut State, name: String, bytes: &[u8], length: Option<&Term>) {
    let mut array = Term::constant_array(INDEX, bytes.into());
    for (offset, term) in length.map_or_else(Vec::new, sizes) {
        for i in 0..8 {
            let byte = term.extract(i * 8 + 7, i * 8);
            array = array.write(&Term::number(INDEX, offset + u64::from(i)), &byte);
        }
    }
    state.inputs.push(Input { name, array, size: bytes.len() as u64, length: None });
}

/// The words of the command line as pointers to their texts.
fn arguments(
    machine: &mut Machine<'_>,
    state: &mut State,
    world: &World,
    choice: &[u32],
) -> Result<Vec<Option<Value>>, End> {
    let mut choice = choice.iter();
    let mut made = vec![text(state, &world.program)];
    let mut number = 0;
    for word in &world.words {
        match word {
            Word::Plain(word) => made.push(text(state, word)),
            Word::Symbolic(length) => made.push(symbolic(state, *length, &mut number, world)),
            Word::Several { length, min, max } => {
                let count = *choice.next().expect("a number was chosen for each");
                // KLEE asks for a number only where there is a choice.
                if min < max {
                    let array = input(state, "n_args", 4);
                    let chosen = array.read(&Term::number(INDEX, 0), 4).eq(&Term::number(32, u64::from(count)));
                    machine.assume(state, &chosen)?;
                }
                for _ in 0..count {
                    made.push(symbolic(state, *length, &mut number, world));
                }
            }
        }
    }
    Ok(made)
}

/// A symbolic argument: so many bytes of any value, and a zero. Where lengths are symbolic it ends
/// at its first zero.
fn symbolic(state: &mut State, length: u64, number: &mut u32, world: &World) -> Option<Value> {
    let name = format!("arg{number:02}");
    let array = array(state, &name);
    *number += 1;
    let bytes: Vec<Term> = (0..length).map(|i| array.read(&Term::number(INDEX, i), 1)).collect();
    if world.readable {
        let printable = |byte: &Term| Term::number(8, 32).ule(byte).and(&byte.ule(&Term::number(8, 126)));
        bytes.iter().for_each(|byte| state.preferences.push(printable(byte)));
    }
    let text = world.lengths.then_some(&array);
    let made = state.place_text(length + 1, 1, text, |contents| {
        for (i, byte) in bytes.into_iter().enumerate() {
            contents.write(i as u64, 1, &Value::term(byte));
        }
    })?;
    let chosen = world.lengths.then(|| state.object(made.origin).map(|object| object.extent())).flatten();
    state.inputs.push(Input { name, array, size: length + 1, length: chosen });
    Some(made)
}

/// Files, standard descriptors, and what may fail: objects in KLEE's order.
fn files(machine: &mut Machine<'_>, state: &mut State, world: &World) -> Result<(), End> {
    let mut linux = Linux::default();
    world.seeds.iter().for_each(|seed| linux.tree.seed(seed));
    if let Some((count, length)) = world.files {
        for number in 0..count {
            let name = file_name(number);
            let (array, size) = measured(machine, state, world, &format!("{name}_data"), length)?;
            let file = File::input(&array, length, size.clone());
            let (folder, inode) = (linux.tree.start, Inode::new(0o644, Body::File(file)));
            let id = match linux.tree.child(folder, name.as_bytes()) {
                Some(_) => continue,
                None => linux.tree.make(folder, name.as_bytes(), inode),
            };
            let bytes = status(&mut linux.tree.clone(), id);
            known_status(state, format!("{name}_data_stat"), &bytes, size.as_ref());
        }
    }
    let body = match world.stdin {
        Some(length) => {
            let (array, size) = measured(machine, state, world, "stdin", length)?;
            File::input(&array, length, size)
        }
        None => File::empty(),
    };
    let size = body.extent.clone();
    let stdin = linux.tree.add(Inode { links: 1, ..Inode::new(0o644, Body::File(body)) });
    if world.stdin.is_some() {
        let bytes = status(&mut linux.tree.clone(), stdin);
        known_status(state, "stdin_stat".into(), &bytes, size.as_ref());
    }
    let mut given =
        Given { max_fail: world.max_fail, short_reads: world.short_reads, files: world.files, fails: Vec::new() };
    let fails = |state: &mut State, kind: Failure, wanted: bool| match wanted {
        true => input(state, kind.name(), 4).read(&Term::number(INDEX, 0), 4),
        false => Term::number(32, 0),
    };
    let klees = Failure::ALL.into_iter().filter(|kind| *kind != Failure::Short);
    given.fails.extend(klees.map(|kind| fails(state, kind, world.max_fail > 0)));
    let table = Arc::make_mut(&mut linux.table);
    let mut open = |id, flags| table.insert(id, flags).expect("the table is empty");
    open(stdin, O_LARGEFILE);
    for stream in [1, 2] {
        let id = linux.tree.add(Inode { links: 1, ..Inode::new(0o600, Body::Output(stream)) });
        open(id, O_WRONLY);
        if stream == 1 && world.stdout {
            input(state, "stdout", STDOUT);
            known(state, "stdout_stat".into(), &regular(status(&mut linux.tree.clone(), id), STDOUT));
        }
    }
    let symbolic = !world.words.iter().all(|word| matches!(word, Word::Plain(_)));
    if symbolic || world.files.is_some() || world.stdin.is_some() || world.stdout || world.max_fail > 0 {
        known(state, "model_version".into(), &1u32.to_le_bytes());
    }
    // Behind all of KLEE's, which its tools take in their order. It is the last of `Failure::ALL`.
    given.fails.push(fails(state, Failure::Short, world.short_reads));
    linux.given = Arc::new(given);
    state.system = Arc::new(linux);
    Ok(())
}

/// The status of standard output in a test: KLEE's tools make a file from it, and for a pipe one that cannot be written.
fn regular(mut status: [u8; STATUS], size: u64) -> [u8; STATUS] {
    status[24..28].copy_from_slice(&(S_IFREG | 0o644).to_le_bytes());
    status[48..56].copy_from_slice(&size.to_le_bytes());
    status[64..72].copy_from_slice(&8u64.to_le_bytes());
    status
}

/// Lays out the block that `_start_c` reads: the count, the arguments, the environment, the auxiliary vector. Gives its address,
/// or none where memory is used up.
fn lay_out(state: &mut State, arguments: &[Option<Value>], environment: &[Vec<u8>]) -> Option<Value> {
    let mut words = vec![Value::bits(arguments.len() as u64)];
    for argument in arguments {
        words.push(argument.clone()?);
    }
    words.push(Value::bits(0));
    for variable in environment {
        words.push(text(state, variable)?);
    }
    words.push(Value::bits(0));
    let random = place(state, &[0x5a; 16])?;
    let user = || Value::bits(u64::from(USER));
    let vector = [
        (AT_PAGESZ, Value::bits(4096)),
        (AT_UID, user()),
        (AT_EUID, user()),
        (AT_GID, user()),
        (AT_EGID, user()),
        (AT_SECURE, Value::bits(0)),
        (AT_RANDOM, random),
        (0, Value::bits(0)),
    ];
    words.extend(vector.into_iter().flat_map(|(kind, value)| [Value::bits(kind), value]));
    state.place(words.len() as u64 * 8, 16, |contents| {
        for (i, word) in words.iter().enumerate() {
            contents.write(i as u64 * 8, 8, word);
        }
    })
}

fn text(state: &mut State, word: &[u8]) -> Option<Value> {
    place(state, &[word, b"\0"].concat())
}

fn place(state: &mut State, bytes: &[u8]) -> Option<Value> {
    state.place(bytes.len() as u64, 1, |contents| contents.write_plain(0, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_arguments_is_chosen() {
        let several = |min, max| Word::Several { min, max, length: 1 };
        assert_eq!(choices(&[Word::Symbolic(2)]), [vec![]]);
        assert_eq!(choices(&[several(0, 2)]), [vec![0], vec![1], vec![2]]);
        let both = choices(&[several(0, 1), Word::Plain(b"x".to_vec()), several(2, 3)]);
        assert_eq!(both, [vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3]]);
    }
}
