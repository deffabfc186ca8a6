//! Inputs to one module, as a linker does it.
//!
//! Modules are taken whole, in order. Archives are searched after that, all of them until nothing changes, so their order on
//! the command line does not matter: what users expect of `--start-group` costs nothing here, because the archives'
//! symbol tables answer without a member being read. A definition's owner (the user or a library) is written on it before it is merged, and
//! linking keeps the mark.
//!
//! Modules are merged like the digits of a binary counter, neighbours of equal rank first: LLVM walks the whole destination for
//! each merge, so adding a thousand small members one by one to a growing module takes quadratic time.

use crate::archive::{self, Archive};
use crate::entry::{self, Entry, Shape};
use crate::error::Error;
use crate::llvm::{Context, LLVMLinkage, Module, Value};
use crate::lower::intrinsic::library_function;
use crate::{Input, Kind, Options};
use rustc_hash::{FxHashMap, FxHashSet};

/// The text attribute of a library's functions.
pub const LIBRARY: &str = "strata-library";
/// The metadata kind of a library's globals.
pub const LIBRARY_GLOBAL: &str = "strata.library";

/// Named metadata that becomes orders to the linker: libraries to add, options. LLVM has no call
/// that takes it away; the linker of the native program is told not to follow it.
const DIRECTIVES: &[&str] = &["llvm.dependent-libraries", "llvm.linker.options"];

const TRIPLE: &std::ffi::CStr = c"x86_64-pc-linux-gnu";
const LAYOUT: &std::ffi::CStr = c"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Links all inputs.
pub fn link<'c>(
    context: &'c Context,
    inputs: &[Input],
    options: &Options,
    notes: &mut Vec<String>,
    shapes: &mut Vec<Shape>,
) -> Result<Module<'c>, Error> {
    let (parts, defined, wanted) = (Vec::new(), FxHashSet::default(), Vec::new());
    let mut linker = Linker { context, parts, defined, wanted, entered: false, notes, shapes };
    linker.wanted.extend(options.entry.iter().map(|entry| entry.function.clone()));
    for root in &options.roots {
        linker.wanted.push(root.clone());
    }
    for input in inputs.iter().filter(|i| i.kind == Kind::Module) {
        let module = read(context, &input.name, &input.bytes)?;
        linker.add(&input.name, module, input.library, options)?;
    }
    let archives = inputs.iter().filter(|i| i.kind == Kind::Archive);
    let archives = archives.map(|input| Shelf::open(context, input)).collect::<Result<Vec<_>, Error>>()?;
    linker.pull(archives, options)?;
    linker.entered(options)?;
    linker.finish()
}

/// Modules merged so far.
struct Merged<'c> {
    /// The last input in it, for messages.
    name: String,
    module: Module<'c>,
    rank: u32,
}

impl<'c> Merged<'c> {
    fn take(self, other: Merged<'c>) -> Result<Merged<'c>, Error> {
        self.module.link(other.module).map_err(|message| Error::Link { file: other.name.clone(), message })?;
        Ok(Merged { name: other.name, module: self.module, rank: self.rank.max(other.rank) + 1 })
    }
}

struct Linker<'a, 'c> {
    context: &'c Context,
    /// In order, ranks falling.
    parts: Vec<Merged<'c>>,
    defined: FxHashSet<String>,
    wanted: Vec<String>,
    /// Was the function found at which the program is to be entered?
    entered: bool,
    notes: &'a mut Vec<String>,
    /// What the inputs of the entry are.
    shapes: &'a mut Vec<Shape>,
}

impl<'c> Linker<'_, 'c> {
    /// Merges one module.
    fn add(&mut self, name: &str, module: Module<'c>, library: bool, options: &Options) -> Result<(), Error> {
        if module.layout().is_empty() && is_ours(&module.triple()) {
            module.set_target(TRIPLE, LAYOUT);
        }
        check_target(name, &module)?;
        // Which system a module was compiled for (gnu, musl) makes no difference to its code, but LLVM says so for each one.
        if module.triple().starts_with("x86_64") {
            module.set_triple(TRIPLE);
        }
        if module.strip_old_debug() {
            self.notes.push(format!("{name}: debug information of another version is ignored"));
        }
        if let Some(entry) = options.entry.as_ref().filter(|_| !library) {
            self.enter(name, &module, entry)?;
        }
        self.survey(&module);
        if library {
            mark(&module);
        } else {
            verify(name, &module, self.notes)?;
        }
        if !module.assembler().trim().is_empty() {
            // The native program must not have it either: it could define what the engine takes
            // for undefined, or read files.
            module.drop_assembler();
            self.notes.push(format!("{name}: assembler text outside of functions is ignored"));
        }
        for directive in DIRECTIVES.iter().filter(|directive| module.has_named(directive)) {
            self.notes.push(format!("{name}: what it tells the linker (!{directive}) is ignored"));
        }
        let mut new = Merged { name: name.to_string(), module, rank: 0 };
        while let Some(last) = self.parts.pop_if(|last| last.rank == new.rank) {
            new = last.take(new)?;
        }
        self.parts.push(new);
        Ok(())
    }

    /// Adds a `main` to the first module that defines the entry.
    fn enter(&mut self, name: &str, module: &Module, entry: &Entry) -> Result<(), Error> {
        let Some(function) = entry::find(module, entry) else { return Ok(()) };
        if self.entered {
            self.notes.push(format!("{name}: has another function {}; the first one is entered", entry.function));
            return Ok(());
        }
        self.entered = true;
        *self.shapes = entry::build(module, function, entry)?;
        Ok(())
    }

    /// Is there a function to enter?
    fn entered(&self, options: &Options) -> Result<(), Error> {
        match &options.entry {
            Some(Entry { function, .. }) if !self.entered => {
                let function = function.clone();
                let reason = "the program defines no such function (a static one may have been inlined or dropped: compile with -O0, and bitcode with -femit-all-decls)";
                Err(Error::Entry { function, reason: reason.into() })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<Module<'c>, Error> {
        let mut whole = self.parts.pop().ok_or(Error::Nothing)?;
        while let Some(last) = self.parts.pop() {
            whole = last.take(whole)?;
        }
        Ok(whole.module)
    }

    /// Notes what a module defines and wants.
    fn survey(&mut self, module: &Module) {
        for function in module.functions() {
            if function.intrinsic() != 0 {
                self.wanted.extend(library_function(&function.name()));
                continue;
            }
            self.symbol(function);
        }
        for value in module.globals().into_iter().chain(module.aliases()).chain(module.ifuncs()) {
            self.symbol(value);
        }
    }

    fn symbol(&mut self, value: Value) {
        if value.local() {
            return;
        }
        let weak = value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage;
        if value.declared() {
            if !weak {
                self.wanted.push(value.name());
            }
        } else if value.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage {
            // A body to inline: the one that counts is elsewhere, or this is the only one.
            self.wanted.push(value.name());
        } else {
            self.defined.insert(value.name());
        }
    }

    /// Takes members until no archive defines anything that is still wanted.
    fn pull(&mut self, archives: Vec<Shelf>, options: &Options) -> Result<(), Error> {
        let mut taken = FxHashSet::default();
        while let Some(name) = self.wanted.pop() {
            if self.defined.contains(&name) || (options.hooks)(&name) {
                continue;
            }
            let offer = |shelf: &Shelf| shelf.symbols.get(&name).copied();
            let Some((shelf, member)) = archives.iter().find_map(|shelf| Some((shelf, offer(shelf)?))) else {
                continue;
            };
            if !taken.insert((std::ptr::from_ref(shelf), member)) {
                continue;
            }
            let bytes = shelf.archive.members[member].bytes;
            let title = format!("{}({})", shelf.input.name, shelf.archive.members[member].name);
            let module = read(self.context, &title, bytes)?;
            self.add(&title, module, shelf.input.library, options)?;
        }
        Ok(())
    }
}

/// An archive and what it offers.
struct Shelf<'a> {
    input: &'a Input,
    archive: Archive<'a>,
    symbols: FxHashMap<String, usize>,
}

impl<'a> Shelf<'a> {
    fn open(context: &Context, input: &'a Input) -> Result<Shelf<'a>, Error> {
        let wrong = |reason: String| Error::Archive { file: input.name.clone(), reason };
        let mut archive = archive::read(&input.bytes).map_err(wrong)?;
        if !archive.members.is_empty() && !archive.members.iter().any(|m| is_bitcode(m.bytes)) {
            return Err(wrong("none of its members is bitcode; compile them with clang -c -emit-llvm".into()));
        }
        if archive.symbols.is_empty() {
            archive.symbols = scan(context, input, &archive)?;
        }
        let mut symbols = FxHashMap::default();
        for (name, member) in &archive.symbols {
            symbols.entry(name.clone()).or_insert(*member);
        }
        Ok(Shelf { input, archive, symbols })
    }
}

/// The symbols of an archive without a symbol table: each member's, read without bodies.
fn scan(context: &Context, input: &Input, archive: &Archive) -> Result<Vec<(String, usize)>, Error> {
    let mut all = Vec::new();
    for (index, member) in archive.members.iter().enumerate().filter(|(_, m)| is_bitcode(m.bytes)) {
        let title = format!("{}({})", input.name, member.name);
        let module = context.bitcode_symbols(&title, member.bytes).map_err(|message| classify(&title, message))?;
        let values = module.functions().into_iter().chain(module.globals()).chain(module.aliases());
        let offered = values.filter(|v| !v.declared() && !v.local());
        all.extend(offered.map(|v| (v.name(), index)));
    }
    Ok(all)
}

/// Marks all that a library's module defines.
fn mark(module: &Module) {
    for function in module.functions().into_iter().filter(|f| !f.declared()) {
        module.mark_function(function, LIBRARY);
    }
    let kind = module.context().metadata_kind(LIBRARY_GLOBAL);
    for global in module.globals().into_iter().filter(|g| !g.declared()) {
        module.mark_global(global, kind);
    }
}

/// Well-formed, perhaps after its debug information is dropped?
fn verify(name: &str, module: &Module, notes: &mut Vec<String>) -> Result<(), Error> {
    let Err(message) = module.verify() else { return Ok(()) };
    if module.strip_debug() && module.verify().is_ok() {
        notes.push(format!("{name}: its debug information is not valid and ignored: lines are unknown"));
        return Ok(());
    }
    Err(Error::Invalid { file: name.to_string(), message: message.trim().to_string() })
}

/// Variadic functions, the layout of structures, numbers of system calls and the headers' constants are those of Linux on x86-64.
fn check_target(name: &str, module: &Module) -> Result<(), Error> {
    let triple = module.triple();
    if module.is_64_bit_little_endian() && is_ours(&triple) {
        return Ok(());
    }
    Err(Error::Target { file: name.to_string(), triple })
}

/// Is the triple that of Linux on x86-64? One that names no system is taken for it.
fn is_ours(triple: &str) -> bool {
    let (machine, rest) = triple.split_once('-').unwrap_or((triple, ""));
    let named = rest.split('-').find(|part| !matches!(*part, "" | "unknown" | "pc" | "none" | "elf"));
    triple.is_empty() || (matches!(machine, "x86_64" | "amd64") && named.is_none_or(|_| rest.contains("linux")))
}

/// Bitcode, plain or in its wrapper?
pub fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

/// What kind of file this is instead, if it is certainly no LLVM text.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() {
        Some("an empty file")
    } else if bytes.starts_with(b"\x7fELF") {
        Some("an ELF file")
    } else if bytes.starts_with(b"!<arch>") || bytes.starts_with(b"!<thin>") {
        Some("an archive given as a module")
    } else if bytes.starts_with(b"BC") {
        Some("the start of a bitcode file")
    } else if bytes.iter().take(4096).any(|&b| b == 0) || std::str::from_utf8(bytes).is_err() {
        Some("binary data")
    } else {
        None
    }
}

/// Reads one module.
pub fn read<'c>(context: &'c Context, name: &str, bytes: &[u8]) -> Result<Module<'c>, Error> {
    if is_bitcode(bytes) {
        return context.bitcode(name, bytes).map_err(|message| classify(name, message));
    }
    if let Some(looks_like) = foreign(bytes) {
        return Err(Error::NotLlvm { file: name.to_string(), looks_like: looks_like.to_string() });
    }
    let text = context.assembly(name, bytes);
    text.map_err(|message| Error::Syntax { file: name.to_string(), message: message.trim().to_string() })
}

/// Too new, or broken? LLVM names producer and reader in its message; both numbers are LLVM's own spelling.
fn classify(name: &str, message: String) -> Error {
    let major = |key: &str| -> Option<u32> {
        let after = message.split(key).nth(1)?.trim_start_matches(|c: char| !c.is_ascii_digit());
        after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let newer = matches!((major("Producer:"), major("Reader:")), (Some(made), Some(read)) if made > read);
    let file = name.to_string();
    if newer { Error::Newer { file, message } } else { Error::Broken { file, message } }
}
