//! Shared by the tests: loading text or C, and a check of the form's structure.

#![allow(dead_code)]

use std::process::Command;
use strata_frontend_llvm::{Entry, Error, Input, Kind, Loaded, Options, Passes, load};
use strata_ir::{
    BinaryOp, Constant, Conversion, FloatFormat, Function, FunctionId, Instruction, Operand, Program, Promise, Reg,
};

/// One module as an input.
pub fn module(name: &str, bytes: impl Into<Vec<u8>>) -> Input {
    Input { name: name.to_string(), bytes: bytes.into(), kind: Kind::Module, library: false }
}

/// Loads with `main` as the only root and `hooked` names as hooks.
pub fn load_with(inputs: Vec<Input>, optimise: Passes, roots: &[&str]) -> Result<Loaded, Error> {
    let hooks = |name: &str| name.starts_with("hook_") || name.contains("setjmp") || name.contains("longjmp");
    let roots = roots.iter().map(|r| r.to_string()).collect();
    load(inputs, &Options { roots, entry: None, optimise, promises: vec![Promise::Shift], hooks: &hooks })
}

/// Loads a program that is entered at a function.
pub fn load_entered(inputs: Vec<Input>, entry: Entry) -> Result<Loaded, Error> {
    let hooks = |name: &str| ["malloc", "klee_make_symbolic"].contains(&name);
    let (roots, entry, promises) = (vec!["main".into()], Some(entry), Vec::new());
    load(inputs, &Options { roots, entry, optimise: Passes::Promote, promises, hooks: &hooks })
}

/// Loads LLVM text whose function is `f`.
pub fn text(code: &str) -> Loaded {
    let loaded = load_with(vec![module("t.ll", code)], Passes::Promote, &["f", "main"]).expect("the text loads");
    check(&loaded.program);
    loaded
}

/// Compiles C to bitcode.
pub fn compile(code: &str, flags: &[&str]) -> Vec<u8> {
    let folder = std::env::temp_dir().join(format!("strata-front-{}-{}", std::process::id(), stamp()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    std::fs::write(folder.join("t.c"), code).expect("the source is written");
    let done = Command::new("clang-22")
        .args(["-g", "-emit-llvm", "-c", "-w", "t.c", "-o", "t.bc"])
        .args(flags)
        .current_dir(&folder)
        .output()
        .expect("clang-22 runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let bytes = std::fs::read(folder.join("t.bc")).expect("clang wrote bitcode");
    std::fs::remove_dir_all(folder).expect("the temporary folder goes");
    bytes
}

fn stamp() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Flags for code as the engine wants it.
pub const PLAIN: [&str; 3] = ["-O0", "-Xclang", "-disable-O0-optnone"];

/// Loads C code.
pub fn c(code: &str, flags: &[&str]) -> Loaded {
    let loaded = load_with(vec![module("t.bc", compile(code, flags))], Passes::Promote, &["f", "main"]);
    let loaded = loaded.expect("the program loads");
    check(&loaded.program);
    loaded
}

/// The function of that name.
pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.functions.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no function {name}"))
}

/// All instructions of a function.
pub fn instructions(function: &Function) -> Vec<&Instruction> {
    function.blocks.iter().flat_map(|b| &b.instructions).collect()
}

/// All reasons for which paths would end.
pub fn unsupported(program: &Program) -> Vec<String> {
    let all = program
        .functions
        .iter()
        .flat_map(|f| f.blocks.iter().flat_map(move |b| b.instructions.iter().map(move |i| (f, i))));
    all.filter_map(|(f, i)| match i {
        Instruction::Unsupported { reason } => Some(format!("{}: {reason}", f.name)),
        _ => None,
    })
    .collect()
}

/// Panics where the program breaks a rule of the form.
pub fn check(program: &Program) {
    for function in &program.functions {
        for (number, block) in function.blocks.iter().enumerate() {
            let here = format!("{} block {number}", function.name);
            assert_eq!(block.instructions.len(), block.places.len(), "{here}: places");
            let ends: Vec<bool> = block.instructions.iter().map(Instruction::is_terminator).collect();
            assert_eq!(ends.iter().filter(|e| **e).count(), 1, "{here}: terminators in {:?}", block.instructions);
            assert_eq!(ends.last(), Some(&true), "{here}: its end");
            for place in &block.places {
                assert!(place.index() < program.places.len(), "{here}: place");
            }
            for instruction in &block.instructions {
                Checker { program, function, here: format!("{here}: {instruction:?}") }.instruction(instruction);
            }
        }
        assert!(function.registers.iter().all(|w| *w > 0), "{}: width 0", function.name);
    }
}

struct Checker<'p> {
    program: &'p Program,
    function: &'p Function,
    here: String,
}

impl Checker<'_> {
    fn reg(&self, reg: &Reg) -> u32 {
        *self.function.registers.get(reg.index()).unwrap_or_else(|| panic!("{}: register", self.here))
    }

    fn op(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.reg(reg),
            Operand::Const(Constant::Bits(bits)) => bits.width(),
            Operand::Const(Constant::Address(..)) => 64,
            Operand::Const(Constant::Undefined(width)) => *width,
        }
    }

    fn equal(&self, a: u32, b: u32) {
        assert_eq!(a, b, "widths in {}", self.here);
    }

    fn block(&self, block: &strata_ir::BlockId) {
        assert!(block.index() < self.function.blocks.len(), "{}: block", self.here);
    }

    fn call(&self, to: &[Reg], function: FunctionId, arguments: &[(Operand, u32)]) {
        let callee = &self.program.functions[function.index()];
        let params: Vec<u32> = callee.params.iter().map(|p| callee.registers[p.index()]).collect();
        assert!(arguments.len() >= params.len(), "{}: too few arguments", self.here);
        assert!(
            callee.variadic || arguments.len() == params.len() || callee.blocks.len() == 1,
            "{}: too many",
            self.here
        );
        for ((operand, width), param) in arguments.iter().zip(&params) {
            self.equal(self.op(operand), *width);
            self.equal(*width, *param);
        }
        if !to.is_empty() {
            let given: Vec<u32> = to.iter().map(|r| self.reg(r)).collect();
            assert_eq!(given, callee.returns, "results in {}", self.here);
        }
    }

    fn float(&self, format: FloatFormat) -> u32 {
        match format {
            FloatFormat::Single => 32,
            FloatFormat::Double => 64,
        }
    }

    fn instruction(&self, instruction: &Instruction) {
        match instruction {
            Instruction::Copy { to, from } => self.equal(self.reg(to), self.op(from)),
            Instruction::Binary { op, to, a, b, .. } => {
                self.equal(self.op(a), self.op(b));
                let one = matches!(
                    op,
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle
                );
                self.equal(self.reg(to), if one { 1 } else { self.op(a) });
            }
            Instruction::Unary { to, a, .. } => self.equal(self.reg(to), self.op(a)),
            Instruction::Overflow { to, a, b, .. } => {
                self.equal(self.op(a), self.op(b));
                self.equal(self.reg(to), 1);
            }
            Instruction::Extend { to, a, .. } => assert!(self.reg(to) >= self.op(a), "{}", self.here),
            Instruction::Extract { to, a, low } => assert!(self.reg(to) + low <= self.op(a), "{}", self.here),
            Instruction::Concat { to, high, low } => self.equal(self.reg(to), self.op(high) + self.op(low)),
            Instruction::Select { to, condition, a, b } => {
                self.equal(self.op(condition), 1);
                self.equal(self.op(a), self.op(b));
                self.equal(self.reg(to), self.op(a));
            }
            Instruction::Poison { to, promise: _, broken, a } => {
                self.equal(self.op(broken), 1);
                self.equal(self.reg(to), self.op(a));
            }
            Instruction::Freeze { to, a } => self.equal(self.reg(to), self.op(a)),
            Instruction::Offset { to, base, index, .. } => {
                self.equal(self.reg(to), 64);
                self.equal(self.op(base), 64);
                assert!(self.op(index) <= 64, "{}", self.here);
            }
            Instruction::Load { to, address } => {
                self.reg(to);
                self.equal(self.op(address), 64);
            }
            Instruction::Store { address, value, width } => {
                self.equal(self.op(address), 64);
                self.equal(self.op(value), *width);
            }
            Instruction::CopyMemory { to, from, length } => {
                for o in [to, from, length] {
                    self.equal(self.op(o), 64);
                }
            }
            Instruction::FillMemory { to, value, length } => {
                for o in [to, length] {
                    self.equal(self.op(o), 64);
                }
                self.equal(self.op(value), 8);
            }
            Instruction::Allocate { to, size, align, .. } => {
                self.equal(self.reg(to), 64);
                self.equal(self.op(size), 64);
                assert!(align.is_power_of_two(), "{}", self.here);
            }
            Instruction::Mark { to } | Instruction::Variadic { to } => self.equal(self.reg(to), 64),
            Instruction::Release { mark } => self.equal(self.op(mark), 64),
            Instruction::ObjectSize { to, address } => {
                self.equal(self.reg(to), 64);
                self.equal(self.op(address), 64);
            }
            Instruction::Call { to, function, arguments } => self.call(to, *function, arguments),
            Instruction::CallIndirect { to, returns, target, arguments } => {
                self.equal(self.op(target), 64);
                arguments.iter().for_each(|(o, w)| self.equal(self.op(o), *w));
                if !to.is_empty() {
                    assert_eq!(&to.iter().map(|r| self.reg(r)).collect::<Vec<_>>(), returns, "{}", self.here);
                }
            }
            Instruction::Float { format, to, a, b, .. } => {
                for w in [self.reg(to), self.op(a), self.op(b)] {
                    self.equal(w, self.float(*format));
                }
            }
            Instruction::FloatUnary { format, to, a, .. } => {
                for w in [self.reg(to), self.op(a)] {
                    self.equal(w, self.float(*format));
                }
            }
            Instruction::FloatFma { format, to, a, b, c } => {
                for w in [self.reg(to), self.op(a), self.op(b), self.op(c)] {
                    self.equal(w, self.float(*format));
                }
            }
            Instruction::FloatCompare { format, to, a, b, .. } => {
                self.equal(self.reg(to), 1);
                for w in [self.op(a), self.op(b)] {
                    self.equal(w, self.float(*format));
                }
            }
            Instruction::Convert { conversion, to, a, width } => {
                self.equal(self.op(a), *width);
                self.convert(*conversion, self.reg(to), *width);
            }
            Instruction::Jump { to } => self.block(to),
            Instruction::Branch { condition, then, otherwise, .. } => {
                self.equal(self.op(condition), 1);
                self.block(then);
                self.block(otherwise);
            }
            Instruction::Switch { value, width, cases, default, .. } => {
                self.equal(self.op(value), *width);
                self.block(default);
                for case in cases {
                    self.equal(case.value.width(), *width);
                    self.block(&case.block);
                }
            }
            Instruction::JumpIndirect { target, blocks } => {
                self.equal(self.op(target), 64);
                blocks.iter().for_each(|b| self.block(b));
            }
            Instruction::Return { values } => {
                let given: Vec<u32> = values.iter().map(|v| self.op(v)).collect();
                assert_eq!(given, self.function.returns, "{}", self.here);
            }
            Instruction::Unreachable | Instruction::Trap { .. } | Instruction::Unsupported { .. } => {}
        }
    }

    fn convert(&self, conversion: Conversion, to: u32, from: u32) {
        match conversion {
            Conversion::FromSigned(format) | Conversion::FromUnsigned(format) => self.equal(to, self.float(format)),
            Conversion::ToSigned(format)
            | Conversion::ToUnsigned(format)
            | Conversion::ToSignedSaturating(format)
            | Conversion::ToUnsignedSaturating(format) => self.equal(from, self.float(format)),
            Conversion::Widen => self.equal(to, from * 2),
            Conversion::Narrow => self.equal(to * 2, from),
        }
    }
}
