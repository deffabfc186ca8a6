//! Query -> Answer, cheapest layer first.

mod arrays;
mod backend;
mod blast;
mod instance;
mod pool;
mod stack;

pub use backend::Process;
pub use pool::Pool;
pub use stack::{Backend, LAYERS, LayerStatistics, Row, Selection, Stack, Statistics};
