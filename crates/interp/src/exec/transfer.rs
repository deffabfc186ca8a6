//! What a modelled system does to a program: moves bytes between its memory and contents kept elsewhere (files, pipes), and calls its
//! functions (signal handlers).

use super::Spot;
use crate::end::{Cause, End};
use crate::hooks::Reply;
use crate::machine::Machine;
use crate::state::State;
use strata_memory::{Contents, Value};
use strata_term::mask;

impl Machine<'_> {
    /// Copies bytes from contents that are kept elsewhere into memory, with all that lies beside them.
    pub fn put_bytes(&mut self, state: &mut State, spot: &Spot, from: &Contents, start: u64, count: u64) {
        match spot {
            Spot::At { origin, offset } => {
                state.saw_uninit |= from.has_unset(start, count);
                let object = self.view.object_mut(state, *origin, *offset, count);
                let object = object.expect("a spot lies in a live object");
                object.contents.copy(*offset, from, start, count);
            }
            Spot::Among { .. } => {
                for i in 0..count {
                    let byte = from.read(start + i, 1);
                    self.write(state, &spot.shifted(i), 1, &byte);
                }
            }
        }
    }

    /// Copies bytes of memory into contents that are kept elsewhere.
    pub fn take_bytes(&mut self, state: &mut State, spot: &Spot, count: u64, to: &mut Contents, offset: u64) {
        match spot {
            Spot::At { origin, offset: start } => {
                let object = state.space.object(*origin).expect("a spot lies in a live object");
                state.saw_uninit |= object.contents.has_unset(*start, count);
                to.copy(offset, &object.contents, *start, count);
            }
            Spot::Among { .. } => {
                for i in 0..count {
                    let byte = self.read(state, &spot.shifted(i), 1);
                    to.write(offset + i, 1, &byte);
                }
            }
        }
    }

    /// In a hook: the call that it stands for gives `result`, but before that the function at `target` runs, whose own result is lost.
    pub fn interpose(
        &mut self,
        state: &mut State,
        target: &Value,
        arguments: Vec<(Value, u32)>,
        result: u64,
    ) -> Result<Reply, End> {
        let address = target.concrete().ok_or_else(|| Cause::new("unsupported", "a symbolic signal handler"))?;
        let Some(function) = self.image.function_at(address) else {
            return Err(super::no_function(Some(address)).into());
        };
        if self.image.hook(function.0).is_some() {
            return Err(Cause::new("unsupported", "a signal handler that the engine provides").into());
        }
        if let Some((slot, width)) = self.results(state.stack.top()).first() {
            state.stack.registers()[*slot as usize] = Value::bits(result & mask(*width));
        }
        self.call_body(state, function.0, &arguments)?;
        Ok(Reply::Jumped)
    }
}
