//! Value sets: what a bit-vector of up to 64 bits can be, from above or from below, and how operators carry it.
//!
//! One trait, `Domain`, says what a set can do; the propagation in the solver is written once against it. Forward
//! transfer takes the sets of the operands to the set of the result, backward transfer takes a set of results to the
//! operand's values that can give them. Every transfer says whether what it gives is exact, above or below, and is
//! held to it by enumeration (`soundness`).
//!
//! | domain | what it keeps | for |
//! |---|---|---|
//! | `MultiInterval` | sorted disjoint intervals | PARTI's learning |
//! | `Shifted` | such intervals times a power of two | PARTI's decision (its left-shift attribute) |
//! | `StridedSet` | wrapped strided intervals, one stride each | ASE |
//! | `KnownBits` | bits that are surely zero or one | masks and shifts |
//! | `ByteSet` | any set of values of up to 8 bits | terms over one byte |
//!
//! Small sets live inline: no transfer on one or two intervals allocates. Beyond a bound on members a result widens or
//! loses members, as it is aimed, and says so.
//!
//! Deliberately absent: terms, paths, inputs and any notion of which sets belong together. Whether a *joint* set is
//! exact (no input occurs twice, all constraints were learnt) is for the propagation to know.

mod blocks;
mod byte_set;
mod domain;
mod enumerate;
mod known_bits;
mod list;
mod multi_interval;
mod reduce;
mod shifted;
pub mod soundness;
mod strided;
mod word;

pub use byte_set::ByteSet;
pub use domain::{Aim, Apply, Domain, Image, Precision};
pub use known_bits::KnownBits;
pub use multi_interval::{Interval, MultiInterval};
pub use shifted::Shifted;
pub use strided::{Strided, StridedSet};
