//! The text form: what is printed parses to the same program, and what does not parse says why.

mod generator;

use generator::{KINDS, kind, program};
use strata_ir::text::{parse, print, print_function};
use strata_ir::{FunctionId, verify};
use strata_term::Random;

/// Every instruction, as it is printed.
const ALL: &str = include_str!("all.ir");

fn rounds(text: &str) {
    let read = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(print(&read), text);
}

#[test]
fn every_instruction_reads_and_prints_as_written() {
    rounds(ALL);
    let program = parse(ALL).unwrap();
    verify(&program).unwrap_or_else(|violations| panic!("{}", violations[0]));
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let mut seen = [false; KINDS];
    blocks.flat_map(|block| &block.instructions).for_each(|instruction| seen[kind(instruction)] = true);
    assert_eq!(seen, [true; KINDS]);
}

/// The example in the module's documentation is what the printer writes.
#[test]
fn the_documented_example_is_true() {
    let source = include_str!("../src/text/mod.rs");
    let lines = source.lines().skip_while(|line| *line != "//! ```text").skip(1).take_while(|line| *line != "//! ```");
    let text: String =
        lines.map(|line| line.trim_start_matches("//!").strip_prefix(' ').unwrap_or("").to_owned() + "\n").collect();
    rounds(&text);
    assert!(verify(&parse(&text).unwrap()).is_ok());
}

#[test]
fn random_programs_survive_the_round_trip() {
    let mut seen = [0; KINDS];
    for seed in 0..3000 {
        let program = program(&mut Random(seed));
        if let Err(violations) = verify(&program) {
            panic!("seed {seed}: {}\n{}", violations[0], print(&program));
        }
        let text = print(&program);
        let read = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(print(&read), text, "seed {seed}");
        assert_eq!(format!("{read:?}"), format!("{program:?}"), "seed {seed}");
        let blocks = program.functions.iter().flat_map(|function| &function.blocks);
        blocks.flat_map(|block| &block.instructions).for_each(|instruction| seen[kind(instruction)] += 1);
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}

/// Pieces of one text in another, bytes changed, and halves: an error or a program, never a panic, and what is read
/// prints and verifies without one.
#[test]
fn broken_text_never_panics() {
    let random = &mut Random(1);
    let pieces: Vec<&str> = ALL.split_inclusive([' ', '\n', ':', ',']).collect();
    for _ in 0..20_000 {
        let mut text = ALL.to_owned();
        for _ in 0..1 + random.below(3) {
            let boundary = |text: &str, at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let start = boundary(&text, random.below(text.len()));
            let end = boundary(&text, (start + random.below(20)).min(text.len()));
            let piece = match random.below(4) {
                0 => "18446744073709551615",
                1 => random.pick(&["", "\"", "{", "}", "é", "-", "0x", "i65535", "r4294967295:i1 = ", "\\", "&"]),
                _ => random.pick(&pieces),
            };
            text.replace_range(start..end.max(start), piece);
        }
        match parse(&text) {
            Err(error) => assert!(error.line >= 1 && !error.to_string().is_empty()),
            Ok(program) => {
                let _ = verify(&program);
                let printed = print(&program);
                if let Ok(again) = parse(&printed) {
                    assert_eq!(print(&again), printed);
                }
            }
        }
    }
}

fn fails(text: &str, expect: &str) {
    match parse(text) {
        Ok(_) => panic!("parsed: {text}"),
        Err(error) => assert_eq!(error.to_string(), expect, "{text}"),
    }
}

#[test]
fn errors_say_where_and_what() {
    fails("file 1 \"a\"", "1:6: expected file 0 here");
    fails("place 0 1:x", "1:11: expected a line, found `x`");
    fails("\nfunctoin f()", "2:1: expected `file`, `place`, `global`, `constant` or `function`, found `functoin`");
    fails("file 0 \"a\nb\"", "1:8: expected a closing '\"' on the same line");
    fails("file 0 \"\\4\"", "1:8: expected two hexadecimal digits after every '\\' of the string");
    fails("file 0 \"\\+f\"", "1:8: expected two hexadecimal digits after every '\\' of the string");
    fails("file 0 \"\\ff\"", "1:8: expected UTF-8 in this string");
    fails("function f() function f()", "1:23: \"f\" is defined already: expected another name");
    fails("function f() global f size 1 align 1 zero", "1:21: \"f\" is defined already: expected another name");
    fails("global é size", "1:8: expected a name, found `é`");
    fails("function é", "1:10: expected a name, found `é`");
    fails("global g size 1 align 1 x", "1:25: expected `undefined`, `zero` or `{`, found `x`");
    fails("global g size 18446744073709551616", "1:15: expected a number of at most 18446744073709551615");
    fails("function f(r0:i32) { b1: }", "1:22: expected block 0 here");
    fails("function f(r0:i0)", "1:15: a width of 0 bits: expected 1 to 65535");
    fails("function f(r0:i32, r0:i64)", "1:20: r0 is i32 elsewhere in this function: expected the same");
    fails(
        "function f(r1:i32)\nfunction g()",
        "2:1: r0 has no width: expected an assignment, a parameter or a `registers` line with r0:i…",
    );
    fails("function f(..., r0:i1)", "1:17: expected `)` after `...`, found `r0`");
    fails("function f(r0:i1 r1:i1)", "1:18: expected `,` or `)`, found `r1`");
    let inside = |line: &str, expect: &str| fails(&format!("function f() {{\nb0:\n{line}"), expect);
    inside("r0:i32 = add i32 1, i8 256", "3:24: expected a value that fits into 8 bits");
    inside("r0:i32 = add i32 1, i8 -129", "3:24: expected a value that fits into 8 bits");
    inside("r0:i32 = add i32 1, i64 0x10000000000000000", "3:25: expected a value that fits into 64 bits");
    inside("r0:i32 = add i32 1, i300 -1", "3:26: expected a number without a sign (wide values are hexadecimal)");
    inside("r0:i32 = add i32 1 2", "3:20: expected `,`, found `2`");
    inside("r0:i32 = frob r0", "3:10: expected an operation with one result, found `frob`");
    inside(
        "r0:i1, r1:i1 = add r0",
        "3:16: expected `call` or `call_indirect`, which alone have several results, found `add`",
    );
    inside("r0:i64 = copy &g", "3:16: no function or global is called \"g\": expected one that is");
    inside("jump 3", "3:6: expected a block such as `b0`, found `3`");
    inside("store r0 to r1", "3:10: expected `:` and a width, found `to`");
    inside(
        "r0:i1 = fcompare single el r1, r2",
        "3:25: expected `never`, or letters of `legu` in this order (less, equal, greater, unordered), found `el`",
    );
    inside("trap", "3:5: expected an instruction, a block or `}`, found the end of the text");
    inside("r99999999999:i1 = mark", "3:1: expected a number of at most 4294967295");
    fails("global g size 1 align 1 zero function f() { b0: call g() }", "1:54: \"g\" is a global: expected a function");
}

/// The parser's memory follows the length of the text: no number in it sizes anything.
#[test]
fn large_numbers_take_no_memory() {
    let wide = "function f() { b0: r4294967295:i65535 = copy i65535 1 trap }";
    fails(wide, "1:61: r0 has no width: expected an assignment, a parameter or a `registers` line with r0:i…");
    assert!(parse("global g size 18446744073709551615 align 1 zero").is_ok());
    assert!(parse("constant g size 9 align 1 { at 18446744073709551615 &g }").is_ok());
    let digits = "9".repeat(1_000_000);
    fails(
        &format!("function f() {{ b0: r0:i65535 = copy i65535 {digits}"),
        "1:44: expected a value that fits into 65535 bits",
    );
    let nest = "{".repeat(1_000_000);
    assert!(parse(&nest).is_err());
}

/// What does not verify is printed, and says what it cannot name.
#[test]
fn invalid_programs_print() {
    let mut program = parse(ALL).unwrap();
    for function in &mut program.functions {
        function.registers.truncate(1);
        function.blocks.iter_mut().for_each(|block| block.places.clear());
    }
    program.globals.clear();
    let text = print(&program);
    assert!(text.contains(":?") && text.contains("&?0"));
    assert!(parse(&text).is_err());
    assert_eq!(print_function(&program, FunctionId(1_000_000)), "");
}

/// Relocations that cannot stand among the bytes are listed after them, in their order, even where nothing else is wrong
/// with them than the order.
#[test]
fn crooked_relocations_print() {
    let zeros = "\\00".repeat(32);
    for offsets in ["8 0", "0 0", "0 7", "0 4 12", "25", "18446744073709551615"] {
        let list: String = offsets.split(' ').map(|offset| format!("  at {offset} &g\n")).collect();
        rounds(&format!("\nglobal g size 32 align 1 {{\n  \"{zeros}\"\n{list}}}\n"));
    }
}

/// Linear in the length of the program: a quadratic one would not come back from this.
#[test]
fn long_programs_are_read_in_linear_time() {
    let mut text = String::from("function f() {\n");
    for block in 0..200_000 {
        text.push_str(&format!("b{block}:\n  r{block}:i32 = copy i32 {block}\n  jump b{block}\n"));
    }
    text.push_str("}\n");
    let program = parse(&text).unwrap();
    assert!(verify(&program).is_ok());
    assert_eq!(print(&program), format!("\n{text}"));
}
