//! Blasting: terms to gates, once each, and gates to clauses, where needed.
//!
//! `Blaster` owns the graph of gates and knows the literals of every term it has met. Reads are left to `arrays`, which turns
//! them into choices or into fresh variables with axioms on demand.

mod circuit;
mod clauses;
mod gates;
mod search;
mod terms;

pub use circuit::{Word, add, equal, less, look_up, mux};
pub use clauses::{Found, Sat};
pub use gates::Lit;
pub use terms::Blaster;
