//! Bytes at concrete or symbolic addresses: objects, the address space, and what a pointer can reach.
//!
//! - `Value`: what a register or a piece of memory holds: plain bits, the object a pointer came from, and a term only
//!   where the value is symbolic.
//! - `Tree`: a persistent array; forking an address space is one count, writing copies one path of it.
//! - `Contents`: the bytes of one object, in shared pages; symbolic bytes, uninitialised bytes and pointers' origins lie beside them.
//! - `Space`: all objects of a state. Addresses are given once and never again, so a stale pointer never hits a new object.
//! - `Windows`: raw views of the pages last used, so that concrete code reads and writes memory in a few instructions.
//!
//! Deliberately absent: deciding anything. Whether an address may lie outside an object is the interpreter's question to a solver.

mod contents;
mod join;
mod page;
mod space;
mod tree;
mod value;
mod window;

pub use contents::{Contents, INDEX, PAGE, is_never_written, stands_for_many};
pub use join::{Apart, Blend};
pub use space::{Extent, Kind, Object, Space};
pub use tree::Tree;
pub use value::{Origin, Value};
pub use window::Windows;
