//! What can be wrong with a program, and where.

use crate::program::{BinaryOp, BlockId, FunctionId, GlobalId, PlaceId};
use std::fmt;

/// Where a violation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// In a global.
    Global(GlobalId),
    /// In a function's head.
    Function(FunctionId),
    /// In a block as a whole.
    Block(FunctionId, BlockId),
    /// In an instruction, by its index in the block.
    Instruction(FunctionId, BlockId, usize),
    /// In the table of places.
    Place(PlaceId),
}

/// One broken invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where.
    pub site: Site,
    /// The name of the function or global there; empty for a place.
    pub name: String,
    /// What.
    pub fault: Fault,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { site, name, fault } = self;
        match site {
            Site::Global(_) => write!(f, "global {name:?}")?,
            Site::Function(_) => write!(f, "function {name:?}")?,
            Site::Block(_, block) => write!(f, "function {name:?}, block b{}", block.0)?,
            Site::Instruction(_, block, index) => {
                write!(f, "function {name:?}, block b{}, instruction {index}", block.0)?
            }
            Site::Place(place) => write!(f, "place {}", place.0)?,
        }
        write!(f, ": {fault}")
    }
}

/// What an id is an index of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A register of the function.
    Register,
    /// A block of the function.
    Block,
    /// A function of the program.
    Function,
    /// A global of the program.
    Global,
    /// A source position.
    Place,
    /// A source file.
    File,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An id beyond the end of its table.
    OutOfRange {
        /// What it names.
        kind: Kind,
        /// The id.
        id: u32,
        /// How many there are.
        count: usize,
    },
    /// A width that no value can have.
    NoSuchWidth(u32),
    /// A width other than the instruction needs.
    Width {
        /// Which part of the instruction.
        part: &'static str,
        /// Its width.
        found: u32,
        /// The width that it must have.
        expected: u32,
    },
    /// A part wider than it may be.
    TooWide {
        /// Which part of the instruction.
        part: &'static str,
        /// Its width.
        found: u32,
        /// The largest width that it may have.
        most: u32,
    },
    /// An extraction that reaches above its operand.
    Extract {
        /// The first bit that is not taken.
        end: u64,
        /// The operand's width.
        width: u32,
    },
    /// A concatenation whose parts do not add up to its destination.
    Concat {
        /// The sum of the parts.
        sum: u64,
        /// The destination's width.
        width: u32,
    },
    /// Bytes cannot be swapped at this width.
    ByteSwap(u32),
    /// An operator that has no signed overflow is marked as having none.
    Checked(BinaryOp),
    /// An alignment that is no power of two.
    Align(u64),
    /// A block without instructions, or whose last is no terminator.
    NoTerminator,
    /// A terminator before the end of its block.
    EarlyTerminator,
    /// As many places as instructions are needed.
    Places {
        /// How many places there are.
        places: usize,
        /// How many instructions there are.
        instructions: usize,
    },
    /// A call with too few arguments, or too many for a function that is not variadic.
    Arguments {
        /// How many are given.
        found: usize,
        /// How many parameters the function has.
        expected: usize,
    },
    /// A call that takes some results but not all.
    Results {
        /// How many are taken.
        found: usize,
        /// How many there are.
        expected: usize,
    },
    /// A return of more or fewer values than the function returns.
    Returns {
        /// How many are given.
        found: usize,
        /// How many the function returns.
        expected: usize,
    },
    /// Two cases of a switch with one value: the indices of both.
    Cases(usize, usize),
    /// A global whose contents are not as long as it is.
    Contents {
        /// Bytes given.
        found: usize,
        /// The global's size.
        expected: u64,
    },
    /// A relocation that ends outside its global: its offset.
    RelocationOutside(u64),
    /// A relocation that begins before the end of the one before: its offset.
    RelocationOrder(u64),
    /// A relocation over bytes that are not zero: its offset.
    RelocationBytes(u64),
    /// Another function or global has this name already.
    Name,
    /// Place 0 is missing or known.
    UnknownPlace,
    /// The place was inlined into itself.
    InlinedCycle,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Register => "register",
            Kind::Block => "block",
            Kind::Function => "function",
            Kind::Global => "global",
            Kind::Place => "place",
            Kind::File => "file",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OutOfRange { kind, id, count } => write!(f, "{kind} {id} does not exist: there are {count}"),
            Fault::NoSuchWidth(width) => write!(f, "a width of {width} bits: expected 1 to {}", strata_term::MAX_WIDTH),
            Fault::Width { part, found, expected } => write!(f, "{part} is {found} bits wide: expected {expected}"),
            Fault::TooWide { part, found, most } => write!(f, "{part} is {found} bits wide: expected at most {most}"),
            Fault::Extract { end, width } => write!(f, "bits up to {end} are taken from an operand of {width} bits"),
            Fault::Concat { sum, width } => write!(f, "the parts have {sum} bits together, the destination {width}"),
            Fault::ByteSwap(width) => write!(f, "a byte swap of {width} bits: expected a multiple of 16"),
            Fault::Checked(op) => write!(f, "{op:?} is marked as checked, and there is nothing to check"),
            Fault::Align(align) => write!(f, "an alignment of {align}: expected a power of two"),
            Fault::NoTerminator => write!(f, "the block does not end with a terminator"),
            Fault::EarlyTerminator => write!(f, "a terminator before the end of the block"),
            Fault::Places { places, instructions } => write!(f, "{places} places for {instructions} instructions"),
            Fault::Arguments { found, expected } => write!(f, "{found} arguments for {expected} parameters"),
            Fault::Results { found, expected } => {
                write!(f, "{found} of {expected} results are taken: expected all or none")
            }
            Fault::Returns { found, expected } => write!(f, "{found} values are returned: expected {expected}"),
            Fault::Cases(first, second) => write!(f, "cases {first} and {second} have one value"),
            Fault::Contents { found, expected } => write!(f, "{found} bytes of contents: expected {expected}"),
            Fault::RelocationOutside(offset) => write!(f, "the relocation at {offset} ends outside the global"),
            Fault::RelocationOrder(offset) => {
                write!(f, "the relocation at {offset} begins before the end of the one before it")
            }
            Fault::RelocationBytes(offset) => write!(f, "the bytes under the relocation at {offset} are not zero"),
            Fault::Name => write!(f, "another function or global has this name already"),
            Fault::UnknownPlace => write!(f, "place 0 must exist and be unknown (line 0, not inlined)"),
            Fault::InlinedCycle => write!(f, "the chain of places it was inlined at never ends"),
        }
    }
}
