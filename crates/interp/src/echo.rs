//! What a path writes, told to somebody while it runs.
//!
//! A path's output is kept in its state and filled in from each test's own input. Whoever wants to see it as it is written is told each piece
//! once: before a state is forked, so that its forks do not tell it again, and at the end of each turn. Writing it at the moment of
//! the system call was rejected: what depends on the input needs a model of the path, and one a turn is cheaper.

use crate::machine::Machine;
use crate::state::State;
use std::sync::Arc;
use strata_query::Model;

/// Is told what paths write: the descriptor, and the bytes for one input that takes the path.
pub type Echo = Arc<dyn Fn(i32, &[u8]) + Send + Sync>;

impl Machine<'_> {
    /// Tells what the state wrote since this was last called for it or for a state it was forked from.
    pub(crate) fn tell(&mut self, state: &mut State) {
        let new = state.output.len() - state.told;
        let Some(echo) = self.echo.clone().filter(|_| new > 0) else { return };
        // Where no input is known the bytes are those of an input of zeros.
        let model = self.witness(state).unwrap_or_else(|_| Arc::new(Model::default()));
        let mut pieces: Vec<_> = state.output.iter().take(new).collect();
        pieces.reverse();
        for output in pieces {
            echo(output.descriptor, &output.piece.bytes(&model));
        }
        state.told = state.output.len();
    }
}
