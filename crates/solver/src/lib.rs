//! Query -> Answer, cheapest layer first.

mod arrays;
mod backend;
mod below;
mod blast;
mod cases;
mod clauses;
mod clock;
mod cone;
mod indices;
mod instance;
mod knowledge;
mod ladder;
mod layers;
mod linear;
mod manner;
mod pool;
mod recent;
mod stack;
mod tables;
mod writes;

pub use arrays::{ArrayStatistics, Hints, Ways, Window};
pub use backend::Process;
pub use clauses::ClauseStatistics;
pub use layers::{LAYERS, Row};
pub use linear::{Interval, Relation, Row as LinearRow, System, Verdict, Work};
pub use pool::Pool;
pub use stack::{Backend, Check, LayerStatistics, Selection, Stack, Statistics};
