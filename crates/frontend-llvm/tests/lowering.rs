//! LLVM text to the program form, one property each.

mod common;

use common::{function, instructions, text, unsupported};
use strata_ir::{BinaryOp, Constant, FloatOp, Init, Instruction, Operand, OverflowOp, Program, Target, UnaryOp};
use strata_term::Bits;

fn f(code: &str) -> (Program, Vec<Instruction>) {
    let loaded = text(code);
    let all = instructions(function(&loaded.program, "f")).into_iter().cloned().collect();
    (loaded.program, all)
}

fn reasons(code: &str) -> Vec<String> {
    unsupported(&text(code).program)
}

fn count(all: &[Instruction], with: impl Fn(&Instruction) -> bool) -> usize {
    all.iter().filter(|i| with(i)).count()
}

#[test]
fn wide_constants_keep_all_bits() {
    let (_, all) =
        f("define i128 @f(i128 %x) { %y = add nsw i128 %x, -170141183460469231731687303715884105727\n ret i128 %y }");
    let expected = Bits::min_signed(128).add(&Bits::one(128));
    assert!(
        matches!(&all[0], Instruction::Binary { op: BinaryOp::Add, b: Operand::Const(Constant::Bits(b)), checked: true, .. } if *b == expected)
    );
}

#[test]
fn float_constants_are_their_bits() {
    let (_, all) = f("define float @f() { ret float 1.5 }");
    assert!(
        matches!(&all[0], Instruction::Return { values } if values[0] == Operand::Const(Constant::Bits(Bits::new(32, 0x3fc0_0000))))
    );
    let (_, all) = f("define x86_fp80 @f() { ret x86_fp80 0xK3FFF8000000000000000 }");
    let one = Bits::from_words(80, &[0x8000_0000_0000_0000, 0x3fff]);
    assert!(
        matches!(&all[0], Instruction::Return { values } if values[0] == Operand::Const(Constant::Bits(one.clone())))
    );
}

#[test]
fn phis_that_swap_get_one_temporary() {
    let (_, all) = f(
        "define i32 @f(i32 %n) {\nentry: br label %loop\nloop: %a = phi i32 [1, %entry], [%b, %loop]\n %b = phi i32 [2, %entry], [%a, %loop]\n %c = icmp eq i32 %a, %n\n br i1 %c, label %out, label %loop\nout: ret i32 %b }",
    );
    // Two copies into the loop, three around it: one more than the two phis, for the swap.
    assert_eq!(count(&all, |i| matches!(i, Instruction::Copy { .. })), 5);
}

#[test]
fn a_critical_edge_is_split() {
    let loaded = text(
        "define i32 @f(i32 %n) {\nentry: %c = icmp eq i32 %n, 0\n br i1 %c, label %out, label %more\nmore: br label %out\nout: %r = phi i32 [7, %entry], [%n, %more]\n ret i32 %r }",
    );
    let f = function(&loaded.program, "f");
    assert_eq!(f.blocks.len(), 4);
    let Instruction::Branch { then, site, .. } = &f.blocks[0].instructions[1] else { panic!("no branch") };
    assert_eq!((then.0, *site), (3, 1));
    assert!(matches!(f.blocks[3].instructions[0], Instruction::Copy { .. }));
}

#[test]
fn blocks_in_odd_order_lower() {
    let (_, all) = f(
        "define i32 @f(i32 %n) {\nentry: br label %first\nsecond: %b = add i32 %a, 1\n ret i32 %b\nfirst: %a = mul i32 %n, 3\n br label %second }",
    );
    assert_eq!(count(&all, |i| matches!(i, Instruction::Binary { .. })), 2);
}

#[test]
fn unreachable_blocks_keep_their_site_numbers() {
    let loaded = text(
        "define i32 @f(i1 %c, i1 %d) {\nentry: br label %b\ndead: br i1 %d, label %b, label %dead\nb: br i1 %c, label %x, label %y\nx: ret i32 1\ny: ret i32 2 }",
    );
    let all = instructions(function(&loaded.program, "f"));
    let sites: Vec<u32> =
        all.iter().filter_map(|i| if let Instruction::Branch { site, .. } = i { Some(*site) } else { None }).collect();
    assert_eq!(sites, [2]);
}

#[test]
fn address_arithmetic_folds() {
    let (program, all) = f(
        "%s = type { i8, [10 x i32] }\n@g = global [3 x %s] zeroinitializer\ndefine ptr @f(i64 %i) { %p = getelementptr %s, ptr getelementptr ([3 x %s], ptr @g, i64 0, i64 1), i64 0, i32 1, i64 %i\n ret ptr %p }",
    );
    assert_eq!(program.globals[0].size, 132);
    let Instruction::Offset { base, scale, .. } = &all[0] else { panic!("{all:?}") };
    assert!(matches!(base, Operand::Const(Constant::Address(Target::Global(_), 44))));
    assert_eq!(*scale, 4);
    let Instruction::Offset { index, scale: 1, .. } = &all[1] else { panic!("{all:?}") };
    assert_eq!(*index, Operand::Const(Constant::Bits(Bits::new(64, 4))));
}

#[test]
fn initialisers_have_bytes_and_relocations() {
    let (program, _) = f(
        "@t = global { i8, ptr, <4 x i1>, i32 } { i8 1, ptr getelementptr (i8, ptr @u, i64 3), <4 x i1> <i1 1, i1 0, i1 1, i1 1>, i32 undef }\n@u = constant [4 x i16] [i16 1, i16 -1, i16 3, i16 4]\n@a = alias i16, getelementptr (i8, ptr @u, i64 2)\n@p = global ptr @a\ndefine ptr @f() { store ptr @p, ptr @t\n ret ptr @a }",
    );
    let global = |name: &str| program.globals.iter().find(|g| g.name == name).expect(name);
    let Init::Bytes { bytes, relocations } = &global("t").init else { panic!("no bytes") };
    assert_eq!(
        (bytes[0], bytes[16], relocations.len(), relocations[0].offset, relocations[0].addend),
        (1, 0b1101, 1, 8, 3)
    );
    let Init::Bytes { bytes, .. } = &global("u").init else { panic!("no bytes") };
    assert_eq!(bytes, &[1, 0, 255, 255, 3, 0, 4, 0]);
    assert!(global("u").constant);
    let Init::Bytes { relocations, .. } = &global("p").init else { panic!("no bytes") };
    assert_eq!(relocations[0].addend, 2);
}

#[test]
fn distances_between_objects_become_addresses() {
    let code = "@a = private constant i8 1\n@b = private constant i8 2\n@t = private unnamed_addr constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @t to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @b to i64), i64 ptrtoint (ptr @t to i64)) to i32)]\ndeclare ptr @llvm.load.relative.i64(ptr, i64)\ndefine ptr @f(i64 %i) { %p = call ptr @llvm.load.relative.i64(ptr @t, i64 %i)\n ret ptr %p }";
    let (program, all) = f(code);
    assert!(matches!(all[0], Instruction::Offset { scale: 2, .. }));
    let t = program.globals.iter().find(|g| g.name == "t").expect("the table");
    assert_eq!(t.size, 16);
    // Read otherwise, it is a global whose contents nobody knows: said once, and touching it ends the path.
    let loaded = text(&code.replace("%p = call", "%x = load i32, ptr @t\n %p = call"));
    assert_eq!(loaded.notes.len(), 1, "{:?}", loaded.notes);
    assert_eq!(unsupported(&loaded.program), ["f: the intrinsic llvm.load.relative.i64"]);
}

#[test]
fn vectors_are_scalars() {
    let (_, all) = f(
        "define i32 @f(<2 x i32> %a, <2 x i32> %b, i32 %i) { %c = add <2 x i32> %a, %b\n %d = shufflevector <2 x i32> %c, <2 x i32> %a, <3 x i32> <i32 1, i32 2, i32 poison>\n %e = extractelement <3 x i32> %d, i32 %i\n ret i32 %e }",
    );
    assert_eq!(count(&all, |i| matches!(i, Instruction::Binary { op: BinaryOp::Add, .. })), 2);
    assert_eq!(count(&all, |i| matches!(i, Instruction::Select { .. })), 3);
    let (_, all) = f("define i64 @f(<2 x i32> %a) { %b = bitcast <2 x i32> %a to i64\n ret i64 %b }");
    // The first element is the lowest part.
    assert!(
        matches!(&all[0], Instruction::Concat { high: Operand::Reg(h), low: Operand::Reg(l), .. } if (h.0, l.0) == (1, 0))
    );
    let (_, all) = f("define <8 x i1> @f(ptr %p) { %v = load <8 x i1>, ptr %p\n ret <8 x i1> %v }");
    assert_eq!(count(&all, |i| matches!(i, Instruction::Load { .. })), 1);
    assert_eq!(count(&all, |i| matches!(i, Instruction::Extract { .. })), 8);
}

#[test]
fn aggregates_are_lists() {
    let (_, all) = f(
        "define i16 @f({ i8, { i16, i32 } } %a, ptr %p) { %b = insertvalue { i8, { i16, i32 } } %a, i16 9, 1, 0\n store { i8, { i16, i32 } } %b, ptr %p\n %c = extractvalue { i8, { i16, i32 } } %b, 1, 0\n ret i16 %c }",
    );
    let stores = all.iter().filter(|i| matches!(i, Instruction::Store { .. })).count();
    assert_eq!(stores, 3);
    assert!(
        matches!(all.last(), Some(Instruction::Return { values }) if values[0] == Operand::Const(Constant::Bits(Bits::new(16, 9))))
    );
}

#[test]
fn intrinsics_on_integers() {
    let (_, all) = f(
        "declare {i8, i1} @llvm.smul.with.overflow.i8(i8, i8)\ndeclare i8 @llvm.sadd.sat.i8(i8, i8)\ndeclare i8 @llvm.fshl.i8(i8, i8, i8)\ndeclare i16 @llvm.bswap.i16(i16)\ndefine i8 @f(i8 %a, i8 %b) { %r = call {i8, i1} @llvm.smul.with.overflow.i8(i8 %a, i8 %b)\n %x = extractvalue {i8, i1} %r, 0\n %y = call i8 @llvm.sadd.sat.i8(i8 %x, i8 %b)\n %z = call i8 @llvm.fshl.i8(i8 %y, i8 %x, i8 %b)\n %w = zext i8 %z to i16\n %v = call i16 @llvm.bswap.i16(i16 %w)\n %u = trunc i16 %v to i8\n ret i8 %u }",
    );
    assert!(all.iter().any(|i| matches!(i, Instruction::Overflow { op: OverflowOp::SMul, .. })));
    assert!(all.iter().any(|i| matches!(i, Instruction::Overflow { op: OverflowOp::SAdd, .. })));
    assert!(all.iter().any(|i| matches!(i, Instruction::Unary { op: UnaryOp::ByteSwap, .. })));
    // The amount of a funnel shift is reduced first: it cannot be an error.
    assert!(all.iter().any(|i| matches!(i, Instruction::Binary { op: BinaryOp::URem, .. })));
}

#[test]
fn variadic_arguments_take_slots() {
    let (_, all) = f(
        "declare void @v(i32, ...)\ndefine void @f(ptr %p, i128 %w) { call void (i32, ...) @v(i32 1, i8 2, i128 %w, ptr byval({i64, i8}) %p)\n ret void }",
    );
    let call =
        all.iter().find_map(|i| if let Instruction::Call { arguments, .. } = i { Some(arguments) } else { None });
    let widths: Vec<u32> = call.expect("a call").iter().map(|(_, w)| *w).collect();
    // The named number, the layout, i8 and i128 in three registers, two words of the struct's
    // bytes.
    assert_eq!(widths, [32, 48, 64, 64, 64, 64, 64]);
    let (_, all) = f(
        "declare void @llvm.va_start.p0(ptr)\ndefine i32 @f(i32 %n, ...) { %l = alloca [24 x i8], align 16\n call void @llvm.va_start.p0(ptr %l)\n %x = va_arg ptr %l, i32\n ret i32 %x }",
    );
    assert_eq!(count(&all, |i| matches!(i, Instruction::Variadic { .. })), 1);
    // The list's four fields, then two of them moved on.
    assert_eq!(count(&all, |i| matches!(i, Instruction::Store { .. })), 6);
}

#[test]
fn byval_is_a_copy_that_ends_with_the_call() {
    let (_, all) = f(
        "%s = type [40 x i8]\ndeclare void @g(ptr byval(%s))\ndefine void @f(ptr %p) { call void @g(ptr byval(%s) %p)\n ret void }",
    );
    let kinds: Vec<&str> = all
        .iter()
        .map(|i| match i {
            Instruction::Mark { .. } => "mark",
            Instruction::Allocate { .. } => "allocate",
            Instruction::CopyMemory { .. } => "copy",
            Instruction::Call { .. } => "call",
            Instruction::Release { .. } => "release",
            _ => "other",
        })
        .collect();
    assert_eq!(kinds, ["mark", "allocate", "copy", "call", "release", "other"]);
}

#[test]
fn calls_fit_the_callee() {
    let (_, all) =
        f("define i32 @g(i32 %a, i64 %b) { ret i32 %a }\ndefine i64 @f() { %r = call i64 @g(i8 1)\n ret i64 %r }");
    let Instruction::Call { arguments, .. } = &all[0] else { panic!("{all:?}") };
    assert_eq!(arguments[0], (Operand::Const(Constant::Bits(Bits::new(32, 1))), 32));
    assert_eq!(arguments[1], (Operand::Const(Constant::Undefined(64)), 64));
    assert!(matches!(all[1], Instruction::Extend { .. }));
}

#[test]
fn weak_undefined_is_null_and_others_are_named() {
    let loaded = text(
        "declare extern_weak i32 @w()\ndeclare i32 @u()\ndeclare i32 @hook_x()\n@g = external global i32\ndefine i32 @f() { %c = icmp eq ptr @w, null\n %a = call i32 @u()\n %b = call i32 @hook_x()\n %d = load i32, ptr @g\n ret i32 %d }",
    );
    assert_eq!(loaded.undefined_functions, ["u"]);
    assert_eq!(loaded.undefined_globals, ["g"]);
}

#[test]
fn start_up_arrays() {
    let (program, all) = f(
        "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 200, ptr @late, ptr null }, { i32, ptr, ptr } { i32 100, ptr @early, ptr null }]\n@__init_array_start = external global ptr\n@__init_array_end = external global ptr\n@n = global i32 0\ndefine internal void @late() { store i32 1, ptr @n\n ret void }\ndefine internal void @early() { store i32 2, ptr @n\n ret void }\ndefine i1 @f() { %c = icmp eq ptr @__init_array_start, @__init_array_end\n ret i1 %c }",
    );
    let Instruction::Binary { a, b, .. } = &all[0] else { panic!("{all:?}") };
    let Operand::Const(Constant::Address(Target::Global(id), 0)) = a else { panic!("{a:?}") };
    assert_eq!(*b, Operand::Const(Constant::Address(Target::Global(*id), 16)));
    let Init::Bytes { relocations, .. } = &program.globals[id.index()].init else { panic!("no contents") };
    let Target::Function(first) = relocations[0].target else { panic!("no function") };
    assert_eq!(program.functions[first.index()].name, "early");
}

#[test]
fn indirect_jumps_read_inlets() {
    let (_, all) = f(
        "define i32 @f(i64 %i) {\nentry: %p = getelementptr ptr, ptr @t, i64 %i\n %a = load ptr, ptr %p\n br label %go\ngo: %x = phi i32 [1, %entry], [%y, %one]\n indirectbr ptr %a, [label %one, label %two]\none: %y = phi i32 [%x, %go]\n br label %go\ntwo: ret i32 %x }\n@t = internal constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]",
    );
    assert!(all.iter().any(|i| matches!(i, Instruction::JumpIndirect { blocks, .. } if blocks.len() == 2)));
}

#[test]
fn what_is_not_understood_says_so() {
    let reason = |code: &str| reasons(code).join("|");
    assert_eq!(
        reason("define void @f() { call void asm sideeffect \"cpuid\", \"~{eax}\"()\n ret void }"),
        "f: inline assembler: cpuid"
    );
    assert_eq!(reason("define i32 @f(i32 %x) { %y = call i32 asm \"\", \"=r,0\"(i32 %x)\n ret i32 %y }"), "");
    assert_eq!(
        reason("define x86_fp80 @f(x86_fp80 %x) { %y = fadd x86_fp80 %x, %x\n ret x86_fp80 %y }"),
        "f: floating point of type x86_fp80"
    );
    assert_eq!(
        reason(
            "declare double @llvm.sin.f64(double)\ndefine double @f(double %x) { %y = call double @llvm.sin.f64(double %x)\n ret double %y }"
        ),
        "f: the intrinsic llvm.sin.f64"
    );
    assert_eq!(
        reason(
            "declare i64 @llvm.readcyclecounter()\ndefine i64 @f() { %y = call i64 @llvm.readcyclecounter()\n ret i64 %y }"
        ),
        "f: the intrinsic llvm.readcyclecounter"
    );
    assert_eq!(
        reason("define i32 @f(ptr addrspace(257) %p) { %y = load i32, ptr addrspace(257) %p\n ret i32 %y }"),
        "f: memory of address space 257"
    );
    assert_eq!(
        reason(
            "@i = ifunc i32 (), ptr @r\ndefine internal ptr @r() { ret ptr null }\ndefine i32 @f() { %y = call i32 @i()\n ret i32 %y }"
        ),
        "i: i is an ifunc: which function it is, is decided when a program is loaded"
    );
}

#[test]
fn maths_intrinsics_call_the_library_where_there_is_one() {
    let (_, all) = f(
        "declare double @llvm.sin.f64(double)\ndefine double @sin(double %x) { ret double %x }\n@keep = global ptr @sin\ndefine double @f(double %x) { %y = call double @llvm.sin.f64(double %x)\n %z = load ptr, ptr @keep\n ret double %y }",
    );
    assert!(matches!(all[0], Instruction::Call { .. }));
}

#[test]
fn fmuladd_rounds_twice_and_fma_once() {
    let (_, all) = f(
        "declare float @llvm.fmuladd.f32(float, float, float)\ndeclare float @llvm.fma.f32(float, float, float)\ndefine float @f(float %x) { %y = call float @llvm.fmuladd.f32(float %x, float %x, float %x)\n %z = call float @llvm.fma.f32(float %x, float %y, float %x)\n ret float %z }",
    );
    assert!(matches!(all[0], Instruction::Float { op: FloatOp::Mul, .. }));
    assert!(matches!(all[1], Instruction::Float { op: FloatOp::Add, .. }));
    assert!(matches!(all[2], Instruction::FloatFma { .. }));
}

#[test]
fn errors_of_the_source_stay() {
    // An unused division, an unused load through a pointer and a branch to nowhere new are all still there.
    let (_, all) = f(
        "define void @f(i32 %x, ptr %p) {\n %v = alloca i32\n store i32 %x, ptr %v\n %y = load i32, ptr %v\n %d = sdiv i32 1, %y\n %l = load i32, ptr %p\n %c = icmp eq i32 %y, 3\n br i1 %c, label %a, label %b\na: br label %b\nb: ret void }",
    );
    assert!(all.iter().any(|i| matches!(i, Instruction::Binary { op: BinaryOp::SDiv, .. })));
    assert_eq!(count(&all, |i| matches!(i, Instruction::Load { .. })), 1);
    assert_eq!(count(&all, |i| matches!(i, Instruction::Branch { .. })), 1);
    assert_eq!(count(&all, |i| matches!(i, Instruction::Allocate { .. })), 0);
}

#[test]
fn freeze_chooses_once() {
    let (_, all) = f("define i32 @f() { %x = freeze i32 undef\n %y = sub i32 %x, %x\n ret i32 %y }");
    assert!(matches!(all[0], Instruction::Copy { from: Operand::Const(Constant::Undefined(32)), .. }));
    assert!(matches!(&all[1], Instruction::Binary { a: Operand::Reg(a), b: Operand::Reg(b), .. } if a == b));
}

#[test]
fn aliases_with_known_names_are_functions() {
    let loaded = text(
        "define internal i32 @g(i32 %x) { ret i32 %x }\n@hook_g = alias i32 (i32), ptr @g\n@plain = internal alias i32 (i32), ptr @g\ndefine i32 @f(i32 %x) { %a = call i32 @hook_g(i32 %x)\n %b = call i32 @plain(i32 %a)\n ret i32 %b }",
    );
    let called: Vec<&str> = instructions(function(&loaded.program, "f"))
        .into_iter()
        .filter_map(|i| {
            if let Instruction::Call { function, .. } = i {
                Some(loaded.program.functions[function.index()].name.as_str())
            } else {
                None
            }
        })
        .collect();
    assert_eq!(called, ["hook_g", "g"]);
}
