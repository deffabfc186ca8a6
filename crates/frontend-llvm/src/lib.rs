//! LLVM modules to the program form: reads, links, prepares and lowers, then drops LLVM.
//!
//! ```text
//! bytes ─▶ link ─▶ prepare ─▶ lower ─▶ Program
//!                     └─▶ bitcode (the same module, for a native build with `native_form`)
//! ```
//!
//! Everything happens in one LLVM context that dies at the end of `load`. What cannot be lowered becomes
//! `Instruction::Unsupported` at the place where it would run; what is wrong with the input is an `Error`.
//!
//! Policy for undef and poison constants: both are `Constant::Undefined`, a value nobody chose; `freeze` keeps one
//! such choice.
//!
//! Policy for operations that can give poison (`lower/promise.rs`): in a function as the compiler wrote it, before any
//! pass, an operation stands where the source has it, and its breach is an error there (`checked`). Elsewhere an
//! optimiser may have moved it in front of its condition: its result is `Instruction::Poison`, an error where it
//! is used. `Options::promises` says which promises are watched. The machine's plain result stands for a breach
//! of the others, and of `inbounds` and the fast-math flags: accesses are checked by themselves.
//!
//! Rejected: walking LLVM's own objects while running (the interpreter would need LLVM alive, and threads would share
//! its lists), and inkwell or llvm-ir as readers (both lose parts of what the C interface gives).

mod archive;
mod entry;
mod error;
mod link;
mod llvm;
mod lower;
mod prepare;
mod trace;

pub use entry::{Entry, Shape};
pub use error::Error;
pub use trace::native_form;

use llvm::Context;
use serde::{Deserialize, Serialize};
use strata_ir::{Program, Promise};

/// What an input's bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bitcode or LLVM text; which one is seen from the bytes.
    Module,
    /// An archive of bitcode. Only members that define a symbol wanted so far are taken, to a fixed point.
    Archive,
}

/// One input of a link.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name, for messages.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// What they are.
    pub kind: Kind,
    /// Is it a library's (run, but not counted or traced)?
    pub library: bool,
}

/// What is done to the linked module before it is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// Nothing but the removal of what the roots do not reach.
    None,
    /// Also promotes scalar locals to registers. Every branch, line and possible error of the source stays: no pass that removes
    /// dead loads or divisions or makes a select of a branch is run.
    Promote,
    /// As `Promote`, and a local of the program that is read before it is set is a value that nobody chose on every branch that does not set it.
    Watch,
}

/// How to load.
pub struct Options<'a> {
    /// Symbols that must stay: the entry and what the engine calls by name.
    pub roots: Vec<String>,
    /// Where the program is entered, if not at its own `main`.
    pub entry: Option<Entry>,
    /// What is done before lowering.
    pub optimise: Passes,
    /// Promises to optimisers whose breach is poison. Each one costs instructions.
    pub promises: Vec<Promise>,
    /// Does the engine provide a function of this name? Such a name is never taken from an archive; where a module
    /// defines it, the definition stays callable by name.
    pub hooks: &'a dyn Fn(&str) -> bool,
}

/// What came of it. It can be handed from one process to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Functions that are called or whose address is taken, and that neither an input nor a hook defines.
    pub undefined_functions: Vec<String>,
    /// Globals likewise.
    pub undefined_globals: Vec<String>,
    /// What the user should know once, at the start.
    pub notes: Vec<String>,
    /// The linked and prepared module exactly as lowered, and where everything in it lies.
    #[serde(with = "serde_bytes")]
    pub bitcode: Vec<u8>,
    /// What the inputs are that the entry makes.
    pub shapes: Vec<Shape>,
    /// The MD5 sums, in hexadecimal digits, of the files that the compiler read: the sources of the compilation.
    pub sources: Vec<(String, String)>,
}

/// Reads, links, prepares and lowers.
pub fn load(inputs: Vec<Input>, options: &Options) -> Result<Loaded, Error> {
    let context = Context::new();
    let mut notes = Vec::new();
    let mut shapes = Vec::new();
    let module = link::link(&context, &inputs, options, &mut notes, &mut shapes)?;
    drop(inputs);
    let names = prepare::prepare(&module, options)?;
    let lowered = lower::lower(&module, &names, options);
    let bitcode = module.write();
    notes.extend(lowered.notes);
    let mut warnings = context.warnings();
    warnings.sort();
    warnings.dedup();
    notes.extend(warnings);
    Ok(Loaded {
        program: lowered.program,
        undefined_functions: lowered.undefined_functions,
        undefined_globals: lowered.undefined_globals,
        notes,
        bitcode,
        shapes,
        sources: lowered.sources,
    })
}
