//! What a program finds when it starts: arguments, environment, auxiliary vector.

use strata_interp::State;
use strata_memory::{Kind, Value};

/// The words of a command line.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The program's name and its arguments.
    pub words: Vec<Vec<u8>>,
    /// `NAME=value`.
    pub environment: Vec<Vec<u8>>,
}

const AT_PAGESZ: u64 = 6;
const AT_RANDOM: u64 = 25;

/// Lays out the block that `_start_c` reads: the count, the arguments, the environment, the auxiliary vector. Gives its address,
/// or none where memory is used up.
pub fn prepare(state: &mut State, arguments: &Arguments) -> Option<Value> {
    let mut words = vec![Value::bits(arguments.words.len() as u64)];
    for list in [&arguments.words, &arguments.environment] {
        for word in list {
            words.push(place(state, &[word.as_slice(), b"\0"].concat())?);
        }
        words.push(Value::bits(0));
    }
    let random = place(state, &[0x5a; 16])?;
    words.extend([
        Value::bits(AT_PAGESZ),
        Value::bits(4096),
        Value::bits(AT_RANDOM),
        random,
        Value::bits(0),
        Value::bits(0),
    ]);
    let number = state.space.allocate(words.len() as u64 * 8, 16, Kind::System, true, 0)?;
    let object = state.space.object_mut(number)?;
    for (i, word) in words.iter().enumerate() {
        object.contents.write(i as u64 * 8, 8, word);
    }
    Some(Value::pointer(object.address, number))
}

fn place(state: &mut State, bytes: &[u8]) -> Option<Value> {
    let number = state.space.allocate(bytes.len() as u64, 1, Kind::System, true, 0)?;
    let object = state.space.object_mut(number)?;
    object.contents.write_plain(0, bytes);
    Some(Value::pointer(object.address, number))
}
