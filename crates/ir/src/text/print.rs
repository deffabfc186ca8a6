//! From a program to its text.
//!
//! Nothing here fails: a program that does not verify is printed as far as it goes, because that is when one wants to see
//! it. Everything is written into one string; `Display` wrappers carry what a name or an operand needs from the program.

use super::names::Named;
use crate::program::{
    Block, BlockId, Case, Constant, Conversion, FloatCompare, Function, FunctionId, Global, GlobalId, Init,
    Instruction, Linkage, Operand, Place, PlaceId, Program, Reg, Relocation, Target,
};
use std::fmt::{self, Display, Formatter, Write};
use strata_term::{Bits, signed};

/// The text of a whole program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { program, out: String::new() };
    printer.positions();
    for global in &program.globals {
        printer.global(global);
    }
    for function in &program.functions {
        printer.function(function);
    }
    printer.out
}

/// The text of one function, as it stands in the text of its program.
pub fn print_function(program: &Program, function: FunctionId) -> String {
    let mut printer = Printer { program, out: String::new() };
    if let Some(function) = program.functions.get(function.index()) {
        printer.function(function);
    }
    printer.out
}

/// Widths from which on, and up to which, a small negative number is printed as such.
pub(super) const NEGATIVE_WIDTHS: std::ops::RangeInclusive<u32> = 8..=256;

/// How far below zero that goes. At eight bits it leaves characters alone.
const NEGATIVE: i64 = -1024;

/// Bytes of a global on one line.
const LINE: usize = 32;

struct Printer<'a> {
    program: &'a Program,
    out: String,
}

/// Writing into a string cannot fail, so its result is no news.
macro_rules! put {
    ($printer:expr, $($arg:tt)*) => {{ let _ = write!($printer.out, $($arg)*); }};
}

impl<'a> Printer<'a> {
    fn positions(&mut self) {
        for (id, file) in self.program.files.iter().enumerate() {
            put!(self, "file {id} {}\n", Quoted(file));
        }
        let places = match self.program.places.as_slice() {
            [place] if *place == Place::default() => &[],
            places => places,
        };
        for (id, place) in places.iter().enumerate() {
            put!(self, "place {id} ");
            if *place == Place::default() {
                put!(self, "unknown\n");
                continue;
            }
            put!(self, "{}:{}:{}", place.file, place.line, place.column);
            if place.inlined_at != 0 {
                put!(self, " in {}", place.inlined_at);
            }
            put!(self, "\n");
        }
    }

    fn linkage(&mut self, linkage: Linkage) {
        match linkage {
            Linkage::Own => {}
            Linkage::Library => put!(self, "library "),
        }
    }

    fn place(&mut self, place: PlaceId) {
        if place.0 != 0 {
            put!(self, " @{}", place.0);
        }
    }

    fn global(&mut self, global: &Global) {
        put!(self, "\n");
        self.linkage(global.linkage);
        let Global { name, size, align, .. } = global;
        let keyword = if global.constant { "constant" } else { "global" };
        put!(self, "{keyword} {} size {size} align {align}", Name(name));
        match &global.init {
            Init::Undefined => put!(self, " undefined"),
            Init::Zero => put!(self, " zero"),
            Init::Bytes { bytes, relocations } => {
                put!(self, " {{\n");
                self.contents(bytes, relocations);
                put!(self, "}}");
            }
        }
        self.place(global.place);
        put!(self, "\n");
    }

    /// Addresses stand where they are among the bytes; when one cannot, all are listed after the bytes.
    fn contents(&mut self, bytes: &[u8], relocations: &[Relocation]) {
        if !stand_in_place(bytes, relocations) {
            self.bytes(bytes);
            for Relocation { offset, target, addend } in relocations {
                put!(self, "  at {offset} {}\n", Address(self.program, *target, *addend));
            }
            return;
        }
        let mut start = 0;
        for Relocation { offset, target, addend } in relocations {
            self.bytes(&bytes[start..*offset as usize]);
            put!(self, "  {}\n", Address(self.program, *target, *addend));
            start = *offset as usize + 8;
        }
        self.bytes(&bytes[start..]);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for line in bytes.chunks(LINE) {
            put!(self, "  \"");
            for byte in line {
                match byte {
                    b'"' | b'\\' => put!(self, "\\{byte:02x}"),
                    b' '..=b'~' => put!(self, "{}", char::from(*byte)),
                    0..b' ' | 0x7f.. => put!(self, "\\{byte:02x}"),
                }
            }
            put!(self, "\"\n");
        }
    }

    fn function(&mut self, function: &Function) {
        put!(self, "\n");
        self.linkage(function.linkage);
        put!(self, "function {}(", Name(&function.name));
        for (i, param) in function.params.iter().enumerate() {
            put!(self, "{}{}", comma(i), Declared(function, *param));
        }
        if function.variadic {
            put!(self, "{}...", comma(function.params.len()));
        }
        put!(self, "){}", Returns(&function.returns));
        self.place(function.place);
        let silent = silent(function);
        if !(function.blocks.is_empty() && function.variables.is_empty() && silent.is_empty()) {
            put!(self, " {{\n");
            self.body(function, &silent);
            put!(self, "}}");
        }
        put!(self, "\n");
    }

    fn body(&mut self, function: &Function, silent: &[Reg]) {
        for (i, line) in silent.chunks(12).enumerate() {
            put!(self, "{}", if i == 0 { "  registers " } else { ",\n    " });
            for (i, reg) in line.iter().enumerate() {
                put!(self, "{}{}", comma(i), Declared(function, *reg));
            }
        }
        if !silent.is_empty() {
            put!(self, "\n");
        }
        for variable in &function.variables {
            put!(self, "  variable {} r{}\n", Name(&variable.name), variable.reg.0);
        }
        for (id, block) in function.blocks.iter().enumerate() {
            put!(self, "b{id}:\n");
            self.block(function, block);
        }
    }

    fn block(&mut self, function: &Function, block: &Block) {
        let mut shown = (0, 0);
        for (i, instruction) in block.instructions.iter().enumerate() {
            let place = block.places.get(i).copied().unwrap_or(PlaceId(0));
            self.line(place, &mut shown);
            put!(self, "  {}", Written { program: self.program, function, instruction });
            self.place(place);
            put!(self, "\n");
        }
    }

    /// A comment with file and line where the line is another than before.
    fn line(&mut self, place: PlaceId, shown: &mut (u32, u32)) {
        let Some(place) = self.program.places.get(place.index()).filter(|place| place.line != 0) else { return };
        let Some(file) = self.program.files.get(place.file as usize) else { return };
        if *shown != (place.file, place.line) {
            *shown = (place.file, place.line);
            put!(self, "  ; {}:{}\n", Escaped(file), place.line);
        }
    }
}

/// Do the relocations ascend without overlap, inside the bytes, over zeros?
fn stand_in_place(bytes: &[u8], relocations: &[Relocation]) -> bool {
    let mut free = 0;
    relocations.iter().all(|relocation| {
        let start = usize::try_from(relocation.offset).unwrap_or(usize::MAX);
        let zeros = bytes.get(start..).and_then(|rest| rest.get(..8)).is_some_and(|under| under == [0; 8]);
        let holds = zeros && start >= free;
        free = start.saturating_add(8);
        holds
    })
}

/// The registers that no parameter and no assignment declares.
fn silent(function: &Function) -> Vec<Reg> {
    let mut declared = vec![false; function.registers.len()];
    let written = function.blocks.iter().flat_map(|block| &block.instructions).flat_map(Instruction::writes);
    for reg in function.params.iter().copied().chain(written) {
        if let Some(declared) = declared.get_mut(reg.index()) {
            *declared = true;
        }
    }
    (0..).map(Reg).zip(declared).filter(|(_, declared)| !declared).map(|(reg, _)| reg).collect()
}

fn comma(index: usize) -> &'static str {
    if index == 0 { "" } else { ", " }
}

/// Text with everything escaped that a reader or the lexer could stumble over.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            if c.is_alphanumeric() || c == ' ' || (c.is_ascii_graphic() && !matches!(c, '"' | '\\')) {
                f.write_char(c)?;
            } else {
                let mut buffer = [0; 4];
                c.encode_utf8(&mut buffer).bytes().try_for_each(|byte| write!(f, "\\{byte:02x}"))?;
            }
        }
        Ok(())
    }
}

struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", Escaped(self.0))
    }
}

/// A name: bare where the lexer reads it as one word.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if super::lexer::is_word(self.0) { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// A register with its width.
struct Declared<'a>(&'a Function, Reg);

impl Display for Declared<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.registers.get(self.1.index()) {
            Some(width) => write!(f, "r{}:i{width}", self.1.0),
            None => write!(f, "r{}:?", self.1.0),
        }
    }
}

/// ` -> i32`, ` -> (i32, i64)`, or nothing.
struct Returns<'a>(&'a [u32]);

impl Display for Returns<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [width] => write!(f, " -> i{width}"),
            [first, rest @ ..] => {
                write!(f, " -> (i{first}")?;
                rest.iter().try_for_each(|width| write!(f, ", i{width}"))?;
                f.write_char(')')
            }
        }
    }
}

fn function_name<'a>(program: &'a Program, function: FunctionId) -> Result<Name<'a>, u32> {
    program.functions.get(function.index()).map(|function| Name(&function.name)).ok_or(function.0)
}

fn global_name<'a>(program: &'a Program, global: GlobalId) -> Result<Name<'a>, u32> {
    program.globals.get(global.index()).map(|global| Name(&global.name)).ok_or(global.0)
}

/// A name, or `?7` for an id that names nothing.
struct OrUnknown<'a>(Result<Name<'a>, u32>);

impl Display for OrUnknown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(name) => name.fmt(f),
            Err(id) => write!(f, "?{id}"),
        }
    }
}

struct Address<'a>(&'a Program, Target, i64);

impl Display for Address<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Address(program, target, addend) = self;
        match target {
            Target::Global(global) => write!(f, "&{}", OrUnknown(global_name(program, *global)))?,
            Target::Function(function) => write!(f, "&{}", OrUnknown(function_name(program, *function)))?,
            Target::Block(function, block) => {
                write!(f, "&{}/b{}", OrUnknown(function_name(program, *function)), block.0)?;
            }
        }
        if *addend == 0 { Ok(()) } else { write!(f, "{addend:+}") }
    }
}

/// `i32 5`: small negative numbers with their sign, up to 64 bits decimal, wider ones that need it hexadecimal.
struct Value<'a>(&'a Bits);

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = self.0.width();
        write!(f, "i{width} ")?;
        if let Some(negative) = small_negative(self.0) {
            return write!(f, "{negative}");
        }
        if let Some(value) = self.0.to_u64() {
            return write!(f, "{value}");
        }
        let words = self.0.to_words();
        let mut digits = words.iter().rev().skip_while(|word| **word == 0);
        write!(f, "{:#x}", digits.next().unwrap_or(&0))?;
        digits.try_for_each(|word| write!(f, "{word:016x}"))
    }
}

fn small_negative(bits: &Bits) -> Option<i64> {
    let width = bits.width();
    if !NEGATIVE_WIDTHS.contains(&width) || !bits.sign() {
        return None;
    }
    let value = signed(width.min(64), bits.low_u64());
    let whole = width <= 64 || Bits::new(64, value as u64).sext(width) == *bits;
    let least = if width < 16 { -1 } else { NEGATIVE };
    (whole && (least..0).contains(&value)).then_some(value)
}

struct Read<'a>(&'a Program, &'a Operand);

impl Display for Read<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Operand::Reg(reg) => write!(f, "r{}", reg.0),
            Operand::Const(Constant::Bits(bits)) => Value(bits).fmt(f),
            Operand::Const(Constant::Address(target, addend)) => Address(self.0, *target, *addend).fmt(f),
            Operand::Const(Constant::Undefined(width)) => write!(f, "undef i{width}"),
        }
    }
}

/// An operand beside which the instruction states a width.
struct Stated<'a>(&'a Program, &'a Operand, u32);

impl Display for Stated<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Stated(program, operand, width) = self;
        Read(program, operand).fmt(f)?;
        match operand {
            Operand::Const(constant) if constant.width() == *width => Ok(()),
            Operand::Const(_) | Operand::Reg(_) => write!(f, ":i{width}"),
        }
    }
}

/// The relations that hold, by their first letters; `never` where none does.
pub(super) fn relation_word(relation: FloatCompare) -> String {
    let FloatCompare { less, equal, greater, unordered } = relation;
    let letters = [(less, 'l'), (equal, 'e'), (greater, 'g'), (unordered, 'u')];
    let word: String = letters.iter().filter(|(holds, _)| *holds).map(|(_, letter)| *letter).collect();
    if word.is_empty() { "never".to_owned() } else { word }
}

struct Converted(Conversion);

impl Display for Converted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (word, format) = match self.0 {
            Conversion::FromSigned(format) => ("from_signed", format),
            Conversion::FromUnsigned(format) => ("from_unsigned", format),
            Conversion::ToSigned(format) => ("to_signed", format),
            Conversion::ToUnsigned(format) => ("to_unsigned", format),
            Conversion::ToSignedSaturating(format) => ("to_signed_saturating", format),
            Conversion::ToUnsignedSaturating(format) => ("to_unsigned_saturating", format),
            Conversion::Widen => return f.write_str("widen"),
            Conversion::Narrow => return f.write_str("narrow"),
        };
        write!(f, "{word} {}", format.word())
    }
}

struct Written<'a> {
    program: &'a Program,
    function: &'a Function,
    instruction: &'a Instruction,
}

impl Written<'_> {
    fn destinations(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut any = false;
        for (i, reg) in self.instruction.writes().enumerate() {
            write!(f, "{}{}", comma(i), Declared(self.function, reg))?;
            any = true;
        }
        if any { f.write_str(" = ") } else { Ok(()) }
    }

    /// All operands with commas between.
    fn operands(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, operand) in self.instruction.reads().enumerate() {
            write!(f, "{}{}", comma(i), Read(self.program, operand))?;
        }
        Ok(())
    }

    fn plain(&self, f: &mut Formatter<'_>, word: &str) -> fmt::Result {
        write!(f, "{word} ")?;
        self.operands(f)
    }

    fn arguments(&self, f: &mut Formatter<'_>, arguments: &[(Operand, u32)]) -> fmt::Result {
        f.write_char('(')?;
        for (i, (operand, width)) in arguments.iter().enumerate() {
            write!(f, "{}{}", comma(i), Stated(self.program, operand, *width))?;
        }
        f.write_char(')')
    }

    fn cases(&self, f: &mut Formatter<'_>, cases: &[Case], default: BlockId) -> fmt::Result {
        f.write_str(" {")?;
        for Case { value, block } in cases {
            write!(f, "\n    {}: b{},", Value(value), block.0)?;
        }
        write!(f, "\n    else: b{}\n  }}", default.0)
    }
}

/// The place of a branch in the trace, unless it has none.
fn site(f: &mut Formatter<'_>, site: u32) -> fmt::Result {
    if site == 0 { Ok(()) } else { write!(f, " site {site}") }
}

impl Display for Written<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.destinations(f)?;
        let read = |operand| Read(self.program, operand);
        match self.instruction {
            Instruction::Copy { .. } => self.plain(f, "copy"),
            Instruction::Binary { op, checked: true, .. } => {
                write!(f, "{} checked ", op.word())?;
                self.operands(f)
            }
            Instruction::Binary { op, checked: false, .. } => self.plain(f, op.word()),
            Instruction::Unary { op, .. } => self.plain(f, op.word()),
            Instruction::Overflow { op, .. } => {
                write!(f, "overflows {} ", op.word())?;
                self.operands(f)
            }
            Instruction::Extend { signed: true, .. } => self.plain(f, "sign_extend"),
            Instruction::Extend { signed: false, .. } => self.plain(f, "zero_extend"),
            Instruction::Extract { a, low, .. } => write!(f, "extract {} from {low}", read(a)),
            Instruction::Concat { .. } => self.plain(f, "concat"),
            Instruction::Select { .. } => self.plain(f, "select"),
            Instruction::Poison { promise, .. } => {
                write!(f, "poison {} ", promise.word())?;
                self.operands(f)
            }
            Instruction::Freeze { .. } => self.plain(f, "freeze"),
            Instruction::Offset { base, index, scale, .. } => {
                write!(f, "offset {}, {} * {scale}", read(base), read(index))
            }
            Instruction::Load { .. } => self.plain(f, "load"),
            Instruction::Store { address, value, width } => {
                write!(f, "store {} to {}", Stated(self.program, value, *width), read(address))
            }
            Instruction::CopyMemory { .. } => self.plain(f, "copy_memory"),
            Instruction::FillMemory { .. } => self.plain(f, "fill_memory"),
            Instruction::Allocate { size, align, name, .. } => {
                write!(f, "allocate {} align {align}", read(size))?;
                if name.is_empty() { Ok(()) } else { write!(f, " {}", Quoted(name)) }
            }
            Instruction::Mark { .. } => f.write_str("mark"),
            Instruction::Release { .. } => self.plain(f, "release"),
            Instruction::Variadic { .. } => f.write_str("variadic"),
            Instruction::ObjectSize { .. } => self.plain(f, "object_size"),
            Instruction::Call { function, arguments, .. } => {
                write!(f, "call {}", OrUnknown(function_name(self.program, *function)))?;
                self.arguments(f, arguments)
            }
            Instruction::CallIndirect { returns, target, arguments, .. } => {
                write!(f, "call_indirect {}", read(target))?;
                self.arguments(f, arguments)?;
                Returns(returns).fmt(f)
            }
            Instruction::Float { op, format, .. } => {
                write!(f, "{} {} ", op.word(), format.word())?;
                self.operands(f)
            }
            Instruction::FloatUnary { op, format, .. } => {
                write!(f, "{} {} ", op.word(), format.word())?;
                self.operands(f)
            }
            Instruction::FloatFma { format, .. } => {
                write!(f, "ffma {} ", format.word())?;
                self.operands(f)
            }
            Instruction::FloatCompare { relation, format, .. } => {
                write!(f, "fcompare {} {} ", format.word(), relation_word(*relation))?;
                self.operands(f)
            }
            Instruction::Convert { conversion, a, width, .. } => {
                write!(f, "convert {} {}", Converted(*conversion), Stated(self.program, a, *width))
            }
            Instruction::Jump { to } => write!(f, "jump b{}", to.0),
            Instruction::Branch { condition, then, otherwise, site: number } => {
                write!(f, "branch {}, b{}, b{}", read(condition), then.0, otherwise.0)?;
                site(f, *number)
            }
            Instruction::Switch { value, width, cases, default, site: number } => {
                write!(f, "switch {}", Stated(self.program, value, *width))?;
                self.cases(f, cases, *default)?;
                site(f, *number)
            }
            Instruction::JumpIndirect { target, blocks } => {
                write!(f, "jump_indirect {} {{", read(target))?;
                for (i, block) in blocks.iter().enumerate() {
                    write!(f, "{}b{}", comma(i), block.0)?;
                }
                f.write_char('}')
            }
            Instruction::Return { values } if values.is_empty() => f.write_str("return"),
            Instruction::Return { .. } => self.plain(f, "return"),
            Instruction::Unreachable => f.write_str("unreachable"),
            Instruction::Trap { kind } if kind.is_empty() => f.write_str("trap"),
            Instruction::Trap { kind } => write!(f, "trap {}", Quoted(kind)),
            Instruction::Unsupported { reason } => write!(f, "unsupported {}", Quoted(reason)),
        }
    }
}
