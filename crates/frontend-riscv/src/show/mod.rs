//! Instructions as text, as GNU objdump 2.40 prints them.
//!
//! - `text`: one instruction
//! - `alias`: what it is called where its operands make it something simpler
//! - `csr`: names of control and status registers
//! - `symbols`: the name for an address
//! - `listing`: a whole file

mod alias;
mod csr;
mod listing;
mod symbols;
mod text;

pub use listing::listing;
pub use text::text;
