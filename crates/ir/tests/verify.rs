//! The verifier: each invariant broken once, with the whole message.

use std::collections::BTreeSet;
use strata_ir::text::parse;
use strata_ir::verify::{Fault, Kind};
use strata_ir::*;

/// A function with registers of many widths around the lines under test.
fn around(lines: &str) -> String {
    format!(
        "function callee(r0:i8, r1:i64) -> (i8, i64)
         function print(r0:i64, ...) -> i32
         global g size 8 align 8 zero
         function f() -> i32 {{
           registers r0:i1, r1:i8, r2:i16, r3:i32, r4:i64, r5:i128
         b0:
           {lines}
         }}"
    )
}

fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn faults(program: &Program) -> Vec<Violation> {
    verify(program).err().unwrap_or_default()
}

fn messages(program: &Program) -> Vec<String> {
    faults(program).iter().map(Violation::to_string).collect()
}

/// Lines with a mistake in the first of them, and the message without its place.
const LINES: &[(&str, &str)] = &[
    ("r3:i32 = copy r4 trap", "the source is 64 bits wide: expected 32"),
    ("r3:i32 = copy undef i8 trap", "the source is 8 bits wide: expected 32"),
    ("r3:i32 = copy &g trap", "the source is 64 bits wide: expected 32"),
    ("r3:i32 = copy r9 trap", "register 9 does not exist: there are 6"),
    ("r3:i32 = add r3, r4 trap", "the second operand is 64 bits wide: expected 32"),
    ("r3:i32 = add r4, r4 trap", "the destination is 32 bits wide: expected 64"),
    ("r3:i32 = eq r3, r3 trap", "the destination is 32 bits wide: expected 1"),
    ("r3:i32 = xor checked r3, r3 trap", "Xor is marked as checked, and there is nothing to check"),
    ("r3:i32 = not r4 trap", "the destination is 32 bits wide: expected 64"),
    ("r1:i8 = byte_swap r1 trap", "a byte swap of 8 bits: expected a multiple of 16"),
    ("r0:i1 = overflows sadd r3, r4 trap", "the second operand is 64 bits wide: expected 32"),
    ("r3:i32 = overflows sadd r3, r3 trap", "the destination is 32 bits wide: expected 1"),
    ("r3:i32 = zero_extend r4 trap", "the operand is 64 bits wide: expected at most 32"),
    ("r1:i8 = extract r3 from 25 trap", "bits up to 33 are taken from an operand of 32 bits"),
    ("r1:i8 = extract r3 from 4294967295 trap", "bits up to 4294967303 are taken from an operand of 32 bits"),
    ("r3:i32 = concat r2, r1 trap", "the parts have 24 bits together, the destination 32"),
    ("r3:i32 = select r1, r3, r3 trap", "the condition is 8 bits wide: expected 1"),
    ("r3:i32 = select r0, r4, r3 trap", "the first choice is 64 bits wide: expected 32"),
    ("r3:i32 = select r0, r3, r4 trap", "the second choice is 64 bits wide: expected 32"),
    ("r3:i32 = offset r4, r4 * 1 trap", "the destination is 32 bits wide: expected 64"),
    ("r4:i64 = offset r3, r4 * 1 trap", "the base is 32 bits wide: expected 64"),
    ("r4:i64 = offset r4, r5 * 1 trap", "the index is 128 bits wide: expected at most 64"),
    ("r3:i32 = load r3 trap", "the address is 32 bits wide: expected 64"),
    ("store r3:i32 to r3 trap", "the address is 32 bits wide: expected 64"),
    ("store r3:i8 to r4 trap", "the value is 32 bits wide: expected 8"),
    ("copy_memory r3, r4, r4 trap", "the destination address is 32 bits wide: expected 64"),
    ("copy_memory r4, r3, r4 trap", "the source address is 32 bits wide: expected 64"),
    ("copy_memory r4, r4, r3 trap", "the length is 32 bits wide: expected 64"),
    ("fill_memory r3, r1, r4 trap", "the address is 32 bits wide: expected 64"),
    ("fill_memory r4, r2, r4 trap", "the value is 16 bits wide: expected 8"),
    ("fill_memory r4, r1, r3 trap", "the length is 32 bits wide: expected 64"),
    ("r3:i32 = allocate r4 align 1 trap", "the destination is 32 bits wide: expected 64"),
    ("r4:i64 = allocate r3 align 1 trap", "the size is 32 bits wide: expected 64"),
    ("r4:i64 = allocate r4 align 3 trap", "an alignment of 3: expected a power of two"),
    ("r3:i32 = mark trap", "the destination is 32 bits wide: expected 64"),
    ("release r3 trap", "the mark is 32 bits wide: expected 64"),
    ("r3:i32 = variadic trap", "the destination is 32 bits wide: expected 64"),
    ("r4:i64 = object_size r3 trap", "the address is 32 bits wide: expected 64"),
    ("call callee(r1:i8) trap", "1 arguments for 2 parameters"),
    ("call callee(r1:i8, r4:i64, r4:i64) trap", "3 arguments for 2 parameters"),
    ("call print() trap", "0 arguments for 1 parameters"),
    ("call print(r3:i32, r3:i32) trap", "an argument is 32 bits wide: expected 64"),
    ("call print(r4:i64, r3:i64) trap", "an argument is 32 bits wide: expected 64"),
    ("r1:i8 = call callee(r1:i8, r4:i64) trap", "1 of 2 results are taken: expected all or none"),
    ("r1:i8, r3:i32 = call callee(r1:i8, r4:i64) trap", "a result's register is 32 bits wide: expected 64"),
    ("call_indirect r3() trap", "the target is 32 bits wide: expected 64"),
    ("call_indirect r4(r3:i8) trap", "an argument is 32 bits wide: expected 8"),
    ("r1:i8 = call_indirect r4() trap", "1 of 0 results are taken: expected all or none"),
    ("r1:i8 = call_indirect r4() -> i9 trap", "a result's register is 8 bits wide: expected 9"),
    ("r3:i32 = fadd double r4, r4 trap", "the destination is 32 bits wide: expected 64"),
    ("r3:i32 = fadd single r4, r3 trap", "an operand is 64 bits wide: expected 32"),
    ("r3:i32 = fneg single r4 trap", "an operand is 64 bits wide: expected 32"),
    ("r3:i32 = ffma single r3, r3, r4 trap", "an operand is 64 bits wide: expected 32"),
    ("r1:i8 = fcompare single e r3, r3 trap", "the destination is 8 bits wide: expected 1"),
    ("r0:i1 = fcompare single e r3, r4 trap", "an operand is 64 bits wide: expected 32"),
    ("r3:i32 = convert from_signed single r1:i9 trap", "the operand is 8 bits wide: expected 9"),
    ("r3:i32 = convert from_signed double r1:i8 trap", "the destination is 32 bits wide: expected 64"),
    ("r3:i32 = convert from_unsigned single r5:i128 trap", "the operand is 128 bits wide: expected at most 64"),
    ("r3:i32 = convert to_signed double r3:i32 trap", "the operand is 32 bits wide: expected 64"),
    ("r3:i32 = convert widen r3:i32 trap", "the destination is 32 bits wide: expected 64"),
    ("r4:i64 = convert widen r4:i64 trap", "the operand is 64 bits wide: expected 32"),
    ("r3:i32 = convert narrow r3:i32 trap", "the operand is 32 bits wide: expected 64"),
    ("r4:i64 = convert narrow r4:i64 trap", "the destination is 64 bits wide: expected 32"),
    ("jump b7", "block 7 does not exist: there are 1"),
    ("branch r1, b0, b0", "the condition is 8 bits wide: expected 1"),
    ("branch r0, b0, b1", "block 1 does not exist: there are 1"),
    ("switch r1:i9 { else: b0 }", "the value is 8 bits wide: expected 9"),
    ("switch r1:i8 { i9 1: b0, else: b0 }", "a case is 9 bits wide: expected 8"),
    ("switch r1:i8 { i8 1: b3, else: b0 }", "block 3 does not exist: there are 1"),
    ("switch r1:i8 { i8 1: b0, i8 2: b0, i8 1: b0, else: b0 }", "cases 0 and 2 have one value"),
    ("jump_indirect r3 {}", "the target is 32 bits wide: expected 64"),
    ("jump_indirect r4 {b0, b2}", "block 2 does not exist: there are 1"),
    ("jump_indirect &f/b2 {}", "block 2 does not exist: there are 1"),
    ("return", "0 values are returned: expected 1"),
    ("return r3, r3", "2 values are returned: expected 1"),
    ("return r4", "a returned value is 64 bits wide: expected 32"),
    ("trap trap", "a terminator before the end of the block"),
    ("trap @7", "place 7 does not exist: there are 1"),
];

#[test]
fn each_instruction_keeps_its_rules() {
    for (lines, expect) in LINES {
        let found = messages(&program(&around(lines)));
        assert_eq!(found, [format!("function \"f\", block b0, instruction 0: {expect}")], "{lines}");
    }
}

/// Programs as text, and the whole message.
const TEXTS: &[(&str, &str)] = &[
    ("function f() { b0: }", "function \"f\", block b0: the block does not end with a terminator"),
    ("function f(r0:i64) { b0: r0:i64 = mark }", "function \"f\", block b0: the block does not end with a terminator"),
    ("function f() @3", "function \"f\": place 3 does not exist: there are 1"),
    ("function f() { variable x r3 }", "function \"f\": register 3 does not exist: there are 0"),
    ("global g size 1 align 0 zero", "global \"g\": an alignment of 0: expected a power of two"),
    ("global g size 1 align 1 zero @9", "global \"g\": place 9 does not exist: there are 1"),
    ("global g size 9 align 1 { &g }", "global \"g\": 8 bytes of contents: expected 9"),
    (
        "global g size 10 align 1 { &g \"\\00\\00\" at 2 &g }",
        "global \"g\": the relocation at 2 begins before the end of the one before it",
    ),
    ("global g size 1 align 1 { \"x\" at 0 &g }", "global \"g\": the relocation at 0 ends outside the global"),
    (
        "global g size 1 align 1 { \"x\" at 18446744073709551615 &g }",
        "global \"g\": the relocation at 18446744073709551615 ends outside the global",
    ),
    (
        "global g size 8 align 1 { \"\\00\\00\\00\\00\\00\\00\\00x\" at 0 &g }",
        "global \"g\": the bytes under the relocation at 0 are not zero",
    ),
    ("function f() global g size 8 align 1 { &f/b0 }", "global \"g\": block 0 does not exist: there are 0"),
    ("file 0 \"a\" place 0 0:3:1", "place 0: place 0 must exist and be unknown (line 0, not inlined)"),
    ("place 0 unknown place 1 4:3:1", "place 1: file 4 does not exist: there are 0"),
    ("place 0 unknown place 1 0:0:0 in 9", "place 1: place 9 does not exist: there are 2"),
    ("place 0 unknown place 1 0:0:0 in 1", "place 1: the chain of places it was inlined at never ends"),
    (
        "place 0 unknown place 1 0:0:0 in 2 place 2 0:0:0 in 3 place 3 0:0:0 in 2 place 4 0:0:0 in 3",
        "place 2: the chain of places it was inlined at never ends",
    ),
];

#[test]
fn programs_keep_their_rules() {
    for (text, expect) in TEXTS {
        let found = messages(&program(text));
        assert_eq!(found, [*expect], "{text}");
    }
}

/// What the text form cannot say.
type Change = fn(&mut Program);

const CHANGES: &[(Change, &str)] = &[
    (|p| p.places.clear(), "place 0: place 0 must exist and be unknown (line 0, not inlined)"),
    (|p| p.functions[0].name = "g".into(), "function \"g\": another function or global has this name already"),
    (
        |p| p.functions[1].name = "callee".into(),
        "function \"callee\": another function or global has this name already",
    ),
    (|p| p.functions[2].registers[3] = 0, "function \"f\": a width of 0 bits: expected 1 to 65535"),
    (|p| p.functions[2].registers[3] = 65536, "function \"f\": a width of 65536 bits: expected 1 to 65535"),
    (|p| p.functions[0].returns[0] = 0, "function \"callee\": a width of 0 bits: expected 1 to 65535"),
    (|p| p.functions[0].params[0] = Reg(2), "function \"callee\": register 2 does not exist: there are 2"),
    (|p| p.functions[2].blocks[0].places.clear(), "function \"f\", block b0: 0 places for 1 instructions"),
    (
        |p| first(p, Instruction::Call { to: vec![], function: FunctionId(3), arguments: vec![] }),
        "function \"f\", block b0, instruction 0: function 3 does not exist: there are 3",
    ),
    (
        |p| first(p, copy(Constant::Address(Target::Function(FunctionId(3)), 0))),
        "function \"f\", block b0, instruction 0: function 3 does not exist: there are 3",
    ),
    (
        |p| first(p, copy(Constant::Address(Target::Global(GlobalId(1)), 0))),
        "function \"f\", block b0, instruction 0: global 1 does not exist: there are 1",
    ),
    (
        |p| first(p, copy(Constant::Address(Target::Block(FunctionId(9), BlockId(0)), 0))),
        "function \"f\", block b0, instruction 0: function 9 does not exist: there are 3",
    ),
    (
        |p| first(p, Instruction::Mark { to: Reg(6) }),
        "function \"f\", block b0, instruction 0: register 6 does not exist: there are 6",
    ),
];

fn copy(from: Constant) -> Instruction {
    Instruction::Copy { to: Reg(4), from: Operand::Const(from) }
}

fn first(program: &mut Program, instruction: Instruction) {
    let block = &mut program.functions[2].blocks[0];
    block.instructions.insert(0, instruction);
    block.places.insert(0, PlaceId(0));
}

#[test]
fn changed_programs_are_found_out() {
    for (change, expect) in CHANGES {
        let mut program = program(&around("trap"));
        assert_eq!(messages(&program), Vec::<String>::new());
        change(&mut program);
        assert_eq!(messages(&program), [*expect]);
    }
    let mut zero = program(&around("trap"));
    first(&mut zero, copy(Constant::Undefined(0)));
    let place = "function \"f\", block b0, instruction 0";
    let expect = ["a width of 0 bits: expected 1 to 65535", "the source is 0 bits wide: expected 64"];
    assert_eq!(messages(&zero), expect.map(|text| format!("{place}: {text}")));
}

/// All violations are listed, each at its place.
#[test]
fn all_violations_are_listed() {
    let text = around("r3:i32 = copy r4 r9:i1 = copy r8 jump b9 b1: release r3");
    let places: Vec<String> = messages(&program(&text.replace("r9:i1 = copy r8", "r3:i32 = copy r5")));
    assert_eq!(
        places,
        [
            "function \"f\", block b0, instruction 0: the source is 64 bits wide: expected 32",
            "function \"f\", block b0, instruction 1: the source is 128 bits wide: expected 32",
            "function \"f\", block b0, instruction 2: block 9 does not exist: there are 2",
            "function \"f\", block b1: the block does not end with a terminator",
            "function \"f\", block b1, instruction 0: the mark is 32 bits wide: expected 64",
        ]
    );
}

/// Calls of variadic functions, unused results and equal widths in an extension are fine.
#[test]
fn borders_are_inside() {
    let fine = [
        "call print(r4:i64) trap",
        "r3:i32 = call print(r4:i64, r0:i1, r5:i128) trap",
        "call callee(r1:i8, r4:i64) trap",
        "call_indirect r4() -> i8 trap",
        "r3:i32 = sign_extend r3 trap",
        "r3:i32 = extract r4 from 32 trap",
        "r3:i32 = lshr checked r3, r3 trap",
        "switch r1:i8 { else: b0 }",
        "jump_indirect r4 {}",
    ];
    for lines in fine {
        assert_eq!(messages(&program(&around(lines))), Vec::<String>::new(), "{lines}");
    }
    assert!(verify(&program("global g size 8 align 1 { &g }")).is_ok());
    assert!(Verified::new(program("global g size 8 align 1 { &g }")).is_ok_and(|verified| verified.globals.len() == 1));
    assert!(Verified::new(Program::default()).is_err(), "nobody gets one that does not verify");
    assert!(verify(&Program { places: vec![Place::default()], ..Program::default() }).is_ok());
}

/// The kind of a fault. Has no catch-all: a new one wants its line above.
fn fault_kind(fault: &Fault) -> usize {
    match fault {
        Fault::OutOfRange { kind, .. } => match kind {
            Kind::Register => 0,
            Kind::Block => 1,
            Kind::Function => 2,
            Kind::Global => 3,
            Kind::Place => 4,
            Kind::File => 5,
        },
        Fault::NoSuchWidth(_) => 6,
        Fault::Width { .. } => 7,
        Fault::TooWide { .. } => 8,
        Fault::Extract { .. } => 9,
        Fault::Concat { .. } => 10,
        Fault::ByteSwap(_) => 11,
        Fault::Checked(_) => 12,
        Fault::Align(_) => 13,
        Fault::NoTerminator => 14,
        Fault::EarlyTerminator => 15,
        Fault::Places { .. } => 16,
        Fault::Arguments { .. } => 17,
        Fault::Results { .. } => 18,
        Fault::Returns { .. } => 19,
        Fault::Cases(..) => 20,
        Fault::Contents { .. } => 21,
        Fault::RelocationOutside(_) => 22,
        Fault::RelocationOrder(_) => 23,
        Fault::RelocationBytes(_) => 24,
        Fault::Name => 25,
        Fault::UnknownPlace => 26,
        Fault::InlinedCycle => 27,
    }
}

#[test]
fn each_fault_is_shown_above() {
    let lines = LINES.iter().map(|(lines, _)| program(&around(lines)));
    let texts = TEXTS.iter().map(|(text, _)| program(text));
    let changes = CHANGES.iter().map(|(change, _)| {
        let mut program = program(&around("trap"));
        change(&mut program);
        program
    });
    let seen: BTreeSet<usize> =
        lines.chain(texts).chain(changes).flat_map(|program| faults(&program)).map(|v| fault_kind(&v.fault)).collect();
    assert_eq!(seen, (0..28).collect());
}
