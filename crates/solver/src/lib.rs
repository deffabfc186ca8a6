//! Query -> Answer, cheapest layer first.

mod arrays;
mod blast;
mod instance;
mod pool;

pub use pool::Pool;
