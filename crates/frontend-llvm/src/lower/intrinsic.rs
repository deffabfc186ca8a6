//! LLVM's intrinsics: one row per name.

use super::body::{Body, bits, undefined};
use super::shape;
use crate::llvm::{LLVMOpcode, LLVMValueKind, Value};
use strata_ir::{
    BinaryOp, Constant, Conversion, FloatCompare, FloatFormat, FloatOp, FloatUnary, Instruction, Operand, OverflowOp,
    UnaryOp,
};
use strata_term::Bits;

/// The maths library's functions that have an intrinsic, by the name after `llvm.`.
const LIBRARY: [&str; 19] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "exp10", "log",
    "log2", "log10", "pow", "ldexp", "cbrt",
];

/// The library function that an intrinsic's full name (`llvm.sin.f64`) stands for.
pub fn library_function(intrinsic: &str) -> Option<String> {
    let (name, ty) = intrinsic.strip_prefix("llvm.")?.split_once('.')?;
    let known = LIBRARY.iter().find(|known| **known == name)?;
    match ty.split('.').next()? {
        "f64" => Some((*known).to_string()),
        "f32" => Some(format!("{known}f")),
        _ => None,
    }
}

/// A relation by LLVM's name for it: `o` for ordered, `u` for true also where one is not a number.
fn relation(name: &str) -> Option<FloatCompare> {
    let set = |less, equal, greater, unordered| Some(FloatCompare { less, equal, greater, unordered });
    match name {
        "ord" => return set(true, true, true, false),
        "uno" => return set(false, false, false, true),
        _ => {}
    }
    let unordered = name.starts_with('u');
    match name.strip_prefix(['o', 'u'])? {
        "eq" => set(false, true, false, unordered),
        "ne" => set(true, false, true, unordered),
        "lt" => set(true, false, false, unordered),
        "le" => set(true, true, false, unordered),
        "gt" => set(false, false, true, unordered),
        "ge" => set(false, true, true, unordered),
        _ => None,
    }
}

/// A number of any width as an operand.
fn constant(known: Bits) -> Operand {
    Operand::Const(Constant::Bits(known))
}

impl Body<'_, '_> {
    /// A call of an intrinsic. The rows without effect are those that only tell an optimiser something.
    pub fn intrinsic(&mut self, v: Value, callee: Value) {
        let name = callee.intrinsic_name();
        match name.strip_prefix("llvm.").unwrap_or(&name) {
            "dbg.declare"
            | "dbg.value"
            | "dbg.label"
            | "dbg.assign"
            | "assume"
            | "donothing"
            | "sideeffect"
            | "lifetime.start"
            | "lifetime.end"
            | "invariant.start"
            | "invariant.end"
            | "prefetch"
            | "pseudoprobe"
            | "experimental.noalias.scope.decl"
            | "var.annotation"
            | "codeview.annotation"
            | "va_end"
            | "clear_cache"
            | "fake.use"
            | "x86.sse2.pause"
            | "x86.sse2.lfence"
            | "x86.sse2.mfence"
            | "x86.sse.sfence" => {}
            "expect"
            | "expect.with.probability"
            | "ssa.copy"
            | "annotation"
            | "ptr.annotation"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "threadlocal.address"
            | "arithmetic.fence"
            | "preserve.array.access.index"
            | "preserve.union.access.index"
            | "canonicalize" => self.same(v),
            "memcpy"
            | "memmove"
            | "memcpy.inline"
            | "memcpy.element.unordered.atomic"
            | "memmove.element.unordered.atomic" => self.copy_memory(v),
            "memset" | "memset.inline" | "memset.element.unordered.atomic" => self.fill_memory(v),
            "va_start" => self.variadic_start(v),
            "va_copy" => self.variadic_copy(v),
            "stacksave" => {
                let mark = self.mark();
                self.define(v, vec![Operand::Reg(mark)]);
            }
            "stackrestore" => {
                let mark = self.operand(v.operand(0));
                self.emit(Instruction::Release { mark });
            }
            "trap" | "debugtrap" => self.emit(Instruction::Trap { kind: String::new() }),
            "ubsantrap" => {
                let kind = sanitizer_kind(v.operand(0).small()).to_string();
                self.emit(Instruction::Trap { kind });
            }
            "objectsize" => self.unknown_size(v),
            "is.constant" => self.number(v, 0),
            "returnaddress" => self.return_address(v),
            "frameaddress" => self.frame_address(v),
            "addressofreturnaddress" | "sponentry" => self.number(v, 0),
            "get.rounding" => self.number(v, 1),
            "load.relative" => self.load_relative(v, callee),
            "ptrmask" => self.each(v, |body, a, b| body.binary(BinaryOp::And, a, b)),
            rest => self.integer_intrinsic(v, callee, rest),
        }
    }

    fn integer_intrinsic(&mut self, v: Value, callee: Value, name: &str) {
        match name {
            "sadd.with.overflow" => self.overflowing(v, BinaryOp::Add, OverflowOp::SAdd),
            "uadd.with.overflow" => self.overflowing(v, BinaryOp::Add, OverflowOp::UAdd),
            "ssub.with.overflow" => self.overflowing(v, BinaryOp::Sub, OverflowOp::SSub),
            "usub.with.overflow" => self.overflowing(v, BinaryOp::Sub, OverflowOp::USub),
            "smul.with.overflow" => self.overflowing(v, BinaryOp::Mul, OverflowOp::SMul),
            "umul.with.overflow" => self.overflowing(v, BinaryOp::Mul, OverflowOp::UMul),
            "uadd.sat" => self.each(v, |body, a, b| body.saturate_unsigned(BinaryOp::Add, OverflowOp::UAdd, a, b)),
            "usub.sat" => self.each(v, |body, a, b| body.saturate_unsigned(BinaryOp::Sub, OverflowOp::USub, a, b)),
            "sadd.sat" => self.each(v, |body, a, b| body.saturate_signed(BinaryOp::Add, OverflowOp::SAdd, a, b)),
            "ssub.sat" => self.each(v, |body, a, b| body.saturate_signed(BinaryOp::Sub, OverflowOp::SSub, a, b)),
            "ushl.sat" => self.each(v, |body, a, b| body.saturate_shift(false, a, b)),
            "sshl.sat" => self.each(v, |body, a, b| body.saturate_shift(true, a, b)),
            "smin" => self.each(v, |body, a, b| body.extreme(BinaryOp::Slt, false, a, b)),
            "smax" => self.each(v, |body, a, b| body.extreme(BinaryOp::Slt, true, a, b)),
            "umin" => self.each(v, |body, a, b| body.extreme(BinaryOp::Ult, false, a, b)),
            "umax" => self.each(v, |body, a, b| body.extreme(BinaryOp::Ult, true, a, b)),
            "scmp" => self.three_way(v, BinaryOp::Slt),
            "ucmp" => self.three_way(v, BinaryOp::Ult),
            "bswap" => self.each_one(v, |body, a| body.unary(UnaryOp::ByteSwap, a)),
            "bitreverse" => self.each_one(v, |body, a| body.unary(UnaryOp::BitReverse, a)),
            "ctpop" => self.each_one(v, |body, a| body.unary(UnaryOp::PopCount, a)),
            "ctlz" => self.each_one(v, |body, a| body.unary(UnaryOp::LeadingZeros, a)),
            "cttz" => self.each_one(v, |body, a| body.unary(UnaryOp::TrailingZeros, a)),
            "abs" => self.absolute(v),
            "fshl" => self.funnel(v, true),
            "fshr" => self.funnel(v, false),
            rest if rest.starts_with("vector.") => self.vector_intrinsic(v, callee, rest),
            rest if rest.starts_with("experimental.constrained.") => self.constrained(v, callee, rest),
            rest => self.float_intrinsic(v, callee, rest),
        }
    }

    fn float_intrinsic(&mut self, v: Value, callee: Value, name: &str) {
        match name {
            "fabs" => self.float_unary(v, FloatUnary::Abs),
            "sqrt" => self.float_unary(v, FloatUnary::Sqrt),
            "floor" => self.float_unary(v, FloatUnary::Floor),
            "ceil" => self.float_unary(v, FloatUnary::Ceil),
            "trunc" => self.float_unary(v, FloatUnary::Trunc),
            "round" => self.float_unary(v, FloatUnary::Round),
            "rint" | "nearbyint" | "roundeven" => self.float_unary(v, FloatUnary::RoundEven),
            "copysign" => self.float_pairs(v, FloatOp::CopySign),
            "minnum" | "minimumnum" => self.float_pairs(v, FloatOp::Min),
            "maxnum" | "maximumnum" => self.float_pairs(v, FloatOp::Max),
            "minimum" => self.each_float(v, |body, format, a, b| body.strict_extreme(format, false, a, b)),
            "maximum" => self.each_float(v, |body, format, a, b| body.strict_extreme(format, true, a, b)),
            "fma" => self.multiply_add(v, true),
            "fmuladd" => self.multiply_add(v, false),
            "is.fpclass" => self.float_class(v),
            "fptosi.sat" => self.saturating_cast(v, Conversion::ToSignedSaturating),
            "fptoui.sat" => self.saturating_cast(v, Conversion::ToUnsignedSaturating),
            "lrint" | "llrint" => self.round_to_integer(v, FloatUnary::RoundEven),
            "lround" | "llround" => self.round_to_integer(v, FloatUnary::Round),
            _ => self.library_call(v, callee),
        }
    }

    /// Floating point where the program may look at rounding modes and exceptions. The mode is always to nearest here: another one
    /// asked for by name ends the path; one set while running is seen by the hook that sets it.
    fn constrained(&mut self, v: Value, callee: Value, name: &str) {
        let texts: Vec<String> = v.arguments().into_iter().map(Value::metadata_text).collect();
        let other = |text: &&String| {
            text.starts_with("round.") && !["round.dynamic", "round.tonearest"].contains(&text.as_str())
        };
        if let Some(mode) = texts.iter().find(other) {
            return self.unsupported(format!("rounding mode {mode}"));
        }
        match name.strip_prefix("experimental.constrained.").unwrap_or(name) {
            "fadd" => self.float_pairs(v, FloatOp::Add),
            "fsub" => self.float_pairs(v, FloatOp::Sub),
            "fmul" => self.float_pairs(v, FloatOp::Mul),
            "fdiv" => self.float_pairs(v, FloatOp::Div),
            "frem" => self.float_pairs(v, FloatOp::Rem),
            "fptosi" => self.float_cast(v, LLVMOpcode::LLVMFPToSI),
            "fptoui" => self.float_cast(v, LLVMOpcode::LLVMFPToUI),
            "sitofp" => self.float_cast(v, LLVMOpcode::LLVMSIToFP),
            "uitofp" => self.float_cast(v, LLVMOpcode::LLVMUIToFP),
            "fptrunc" => self.float_cast(v, LLVMOpcode::LLVMFPTrunc),
            "fpext" => self.float_cast(v, LLVMOpcode::LLVMFPExt),
            "fcmp" | "fcmps" => match texts.iter().find_map(|text| relation(text)) {
                Some(relation) => self.float_relation(v, relation),
                None => self.unsupported(format!("the intrinsic {}", callee.name())),
            },
            rest => self.float_intrinsic(v, callee, rest),
        }
    }

    /// The maths library's function of that name, if the program has or declares one.
    fn library_call(&mut self, v: Value, callee: Value) {
        let name = callee.name();
        let function = library_function(&name).and_then(|f| self.unit.by_name.get(&f).copied());
        let Some(id) = function else { return self.unsupported(format!("the intrinsic {name}")) };
        let mut arguments = Vec::new();
        for argument in v.arguments() {
            for part in self.operands(argument) {
                let width = self.width(&part);
                arguments.push((part, width));
            }
        }
        let matches = |body: &Self| {
            let function = &body.unit.program.functions[id.index()];
            let params = function.params.iter().map(|p| function.registers[p.index()]);
            params.eq(arguments.iter().map(|(_, w)| *w)) && function.returns == body.unit.widths(v.ty())
        };
        if !matches(self) {
            return self.unsupported(format!("the intrinsic {name}: the program's function of that name differs"));
        }
        self.call_plain(v, id, arguments);
    }

    fn same(&mut self, v: Value) {
        let result = self.operands(v.operand(0));
        self.define(v, result);
    }

    fn number(&mut self, v: Value, value: u64) {
        let result = self.unit.widths(v.ty()).into_iter().map(|w| constant(Bits::new(w, value))).collect();
        self.define(v, result);
    }

    /// `llvm.returnaddress`: the engine knows who called. There are no frames above.
    fn return_address(&mut self, v: Value) {
        if v.operand(0).small() != 0 {
            return self.number(v, 0);
        }
        let id = self.unit.provided("__strata_return_address");
        self.call_plain(v, id, Vec::new());
    }

    /// `llvm.frameaddress`: the end of a chain of frames. There are none above.
    fn frame_address(&mut self, v: Value) {
        if v.operand(0).small() != 0 {
            return self.number(v, 0);
        }
        let frame = self.allocate(bits(64, 16), 16, String::new());
        let saved = self.plus(frame.clone(), 8);
        self.store_bits(frame.clone(), bits(64, 0));
        self.store_bits(saved, bits(64, 0));
        self.define(v, vec![frame]);
    }

    /// `llvm.objectsize` that LLVM itself could not decide: the largest or the smallest number, as asked.
    fn unknown_size(&mut self, v: Value) {
        let smallest = v.operand(1).kind() == LLVMValueKind::LLVMConstantIntValueKind && v.operand(1).small() != 0;
        self.number(v, if smallest { 0 } else { u64::MAX });
    }

    /// Over all elements of two operands.
    fn each(&mut self, v: Value, with: impl Fn(&mut Self, Operand, Operand) -> Operand) {
        let pairs = self.pairs(v);
        let result = pairs.into_iter().map(|(a, b)| with(self, a, b)).collect();
        self.define(v, result);
    }

    /// Over all elements of one operand.
    fn each_one(&mut self, v: Value, with: impl Fn(&mut Self, Operand) -> Operand) {
        let all = self.operands(v.operand(0));
        let result = all.into_iter().map(|a| with(self, a)).collect();
        self.define(v, result);
    }

    fn each_float(&mut self, v: Value, with: impl Fn(&mut Self, FloatFormat, Operand, Operand) -> Operand) {
        let Some(format) = self.float_format(v.ty()) else { return };
        self.each(v, |body, a, b| with(body, format, a, b));
    }

    fn copy_memory(&mut self, v: Value) {
        let (to, from) = (self.operand(v.operand(0)), self.operand(v.operand(1)));
        let length = self.operand(v.operand(2));
        let length = self.resize(length, 64);
        self.emit(Instruction::CopyMemory { to, from, length });
    }

    fn fill_memory(&mut self, v: Value) {
        let (to, value) = (self.operand(v.operand(0)), self.operand(v.operand(1)));
        let length = self.operand(v.operand(2));
        let length = self.resize(length, 64);
        self.emit(Instruction::FillMemory { to, value, length });
    }

    fn overflows(&mut self, op: OverflowOp, a: Operand, b: Operand) -> Operand {
        let to = self.reg(1);
        self.emit(Instruction::Overflow { op, to, a, b });
        Operand::Reg(to)
    }

    /// Result and flag: all results, then all flags.
    fn overflowing(&mut self, v: Value, op: BinaryOp, overflow: OverflowOp) {
        let pairs = self.pairs(v);
        let (mut results, mut flags) = (Vec::new(), Vec::new());
        for (a, b) in pairs {
            flags.push(self.overflows(overflow, a.clone(), b.clone()));
            results.push(self.binary(op, a, b));
        }
        results.extend(flags);
        self.define(v, results);
    }

    fn saturate_unsigned(&mut self, op: BinaryOp, overflow: OverflowOp, a: Operand, b: Operand) -> Operand {
        let width = self.width(&a);
        let bound = if op == BinaryOp::Add { Bits::ones(width) } else { Bits::zero(width) };
        let over = self.overflows(overflow, a.clone(), b.clone());
        let plain = self.binary(op, a, b);
        self.choose(over, constant(bound), plain)
    }

    /// The bound that a signed number would pass: by its sign.
    fn signed_bound(&mut self, a: Operand) -> Operand {
        let width = self.width(&a);
        let least = Bits::min_signed(width);
        let negative = self.binary(BinaryOp::Slt, a, constant(Bits::zero(width)));
        self.choose(negative, constant(least.clone()), constant(least.not()))
    }

    fn saturate_signed(&mut self, op: BinaryOp, overflow: OverflowOp, a: Operand, b: Operand) -> Operand {
        let bound = self.signed_bound(a.clone());
        let over = self.overflows(overflow, a.clone(), b.clone());
        let plain = self.binary(op, a, b);
        self.choose(over, bound, plain)
    }

    fn saturate_shift(&mut self, signed: bool, a: Operand, by: Operand) -> Operand {
        let width = self.width(&a);
        let shifted = self.binary(BinaryOp::Shl, a.clone(), by.clone());
        let back = self.binary(if signed { BinaryOp::AShr } else { BinaryOp::LShr }, shifted.clone(), by);
        let over = self.binary(BinaryOp::Ne, back, a.clone());
        let bound = if signed { self.signed_bound(a) } else { constant(Bits::ones(width)) };
        self.choose(over, bound, shifted)
    }

    /// -1, 0 or 1.
    fn three_way(&mut self, v: Value, less: BinaryOp) {
        let width = self.scalar_width(v);
        self.each(v, |body, a, b| {
            let (below, above) = (body.binary(less, a.clone(), b.clone()), body.binary(less, b, a));
            let upper = body.choose(above, constant(Bits::one(width)), constant(Bits::zero(width)));
            body.choose(below, constant(Bits::ones(width)), upper)
        });
    }

    /// `llvm.abs`; its flag says that the least number must not come.
    fn absolute(&mut self, v: Value) {
        let promised = v.operand(1).small() != 0;
        self.each_one(v, |body, a| {
            let zero = constant(Bits::zero(body.width(&a)));
            let negative = body.binary(BinaryOp::Slt, a.clone(), zero.clone());
            let negated = body.binary_flagged(BinaryOp::Sub, zero, a.clone(), promised);
            body.choose(negative, negated, a)
        });
    }

    /// Funnel shifts: both operands joined and shifted by the amount modulo the width, which never exceeds it.
    fn funnel(&mut self, v: Value, left: bool) {
        let (high, low) = (self.operands(v.operand(0)), self.operands(v.operand(1)));
        let amounts = self.operands(v.operand(2));
        let mut result = Vec::new();
        for ((high, low), by) in high.into_iter().zip(low).zip(amounts) {
            let width = self.width(&high);
            let both = self.concat(high, low);
            let by = match &by {
                Operand::Const(Constant::Bits(known)) => constant(known.urem(&Bits::new(width, u64::from(width)))),
                _ if width == 1 => bits(1, 0),
                Operand::Const(_) | Operand::Reg(_) => {
                    self.binary(BinaryOp::URem, by, constant(Bits::new(width, u64::from(width))))
                }
            };
            let by = self.extend(by, 2 * width, false);
            let op = if left { BinaryOp::Shl } else { BinaryOp::LShr };
            let shifted = self.binary(op, both, by);
            result.push(self.extract(shifted, if left { width } else { 0 }, width));
        }
        self.define(v, result);
    }

    fn multiply_add(&mut self, v: Value, fused: bool) {
        let Some(format) = self.float_format(v.ty()) else { return };
        let summands = self.operands(v.operand(2));
        let pairs = self.pairs(v);
        let mut result = Vec::new();
        for ((a, b), c) in pairs.into_iter().zip(summands) {
            result.push(if fused {
                let to = self.reg(super::float::width(format));
                self.emit(Instruction::FloatFma { format, to, a, b, c });
                Operand::Reg(to)
            } else {
                let product = self.float_operation(FloatOp::Mul, format, a, b);
                self.float_operation(FloatOp::Add, format, product, c)
            });
        }
        self.define(v, result);
    }

    fn saturating_cast(&mut self, v: Value, conversion: impl Fn(FloatFormat) -> Conversion) {
        if let Some(format) = self.float_format(v.operand(0).ty()) {
            self.convert_all(v, conversion(format));
        }
    }

    fn round_to_integer(&mut self, v: Value, rounding: FloatUnary) {
        let Some(format) = self.float_format(v.operand(0).ty()) else { return };
        let width = self.scalar_width(v);
        self.each_one(v, |body, a| {
            let rounded = body.float_single(rounding, format, a);
            body.convert(Conversion::ToSigned(format), rounded, width)
        });
    }

    fn vector_intrinsic(&mut self, v: Value, callee: Value, name: &str) {
        let reduce = |op: BinaryOp| move |body: &mut Self, a, b| body.binary(op, a, b);
        match name {
            "vector.reduce.add" => self.reduce(v, reduce(BinaryOp::Add)),
            "vector.reduce.mul" => self.reduce(v, reduce(BinaryOp::Mul)),
            "vector.reduce.and" => self.reduce(v, reduce(BinaryOp::And)),
            "vector.reduce.or" => self.reduce(v, reduce(BinaryOp::Or)),
            "vector.reduce.xor" => self.reduce(v, reduce(BinaryOp::Xor)),
            "vector.reduce.smax" => self.reduce(v, |body, a, b| body.extreme(BinaryOp::Slt, true, a, b)),
            "vector.reduce.smin" => self.reduce(v, |body, a, b| body.extreme(BinaryOp::Slt, false, a, b)),
            "vector.reduce.umax" => self.reduce(v, |body, a, b| body.extreme(BinaryOp::Ult, true, a, b)),
            "vector.reduce.umin" => self.reduce(v, |body, a, b| body.extreme(BinaryOp::Ult, false, a, b)),
            "vector.reduce.fadd" => self.reduce_from_start(v, FloatOp::Add),
            "vector.reduce.fmul" => self.reduce_from_start(v, FloatOp::Mul),
            "vector.reduce.fmax" => self.reduce_float(v, |b, f, x, y| b.float_operation(FloatOp::Max, f, x, y)),
            "vector.reduce.fmin" => self.reduce_float(v, |b, f, x, y| b.float_operation(FloatOp::Min, f, x, y)),
            "vector.reduce.fmaximum" => self.reduce_float(v, |b, f, x, y| b.strict_extreme(f, true, x, y)),
            "vector.reduce.fminimum" => self.reduce_float(v, |b, f, x, y| b.strict_extreme(f, false, x, y)),
            "vector.extract" => self.subvector(v),
            "vector.insert" => self.insert_subvector(v),
            "vector.reverse" => {
                let mut all = self.operands(v.operand(0));
                all.reverse();
                self.define(v, all);
            }
            _ => self.unsupported(format!("the intrinsic {}", callee.name())),
        }
    }

    fn reduce(&mut self, v: Value, with: impl Fn(&mut Self, Operand, Operand) -> Operand) {
        let all = self.operands(v.operand(0));
        let width = self.scalar_width(v);
        let result = all.into_iter().reduce(|a, b| with(self, a, b)).unwrap_or_else(|| undefined(width));
        self.define(v, vec![result]);
    }

    fn reduce_float(&mut self, v: Value, with: impl Fn(&mut Self, FloatFormat, Operand, Operand) -> Operand) {
        let Some(format) = self.float_format(v.ty()) else { return };
        self.reduce(v, |body, a, b| with(body, format, a, b));
    }

    fn reduce_from_start(&mut self, v: Value, op: FloatOp) {
        let Some(format) = self.float_format(v.ty()) else { return };
        let start = self.operand(v.operand(0));
        let all = self.operands(v.operand(1));
        let result = all.into_iter().fold(start, |sum, x| self.float_operation(op, format, sum, x));
        self.define(v, vec![result]);
    }

    fn subvector(&mut self, v: Value) {
        let start = v.operand(1).small() as usize;
        let count = self.unit.shape(v.ty()).len();
        let width = self.scalar_width(v);
        let all = self.operands(v.operand(0));
        let pick = |i: usize| all.get(i).cloned().unwrap_or_else(|| undefined(width));
        self.define(v, (start..start + count).map(pick).collect());
    }

    fn insert_subvector(&mut self, v: Value) {
        let mut all = self.operands(v.operand(0));
        let parts = self.operands(v.operand(1));
        let start = v.operand(2).small() as usize;
        for (to, part) in all.iter_mut().skip(start).zip(parts) {
            *to = part;
        }
        debug_assert!(shape::is_vector(v.ty()));
        self.define(v, all);
    }
}

/// The kind of error that a check of UBSan found, by the number it traps with (clang's list of handlers).
fn sanitizer_kind(check: u64) -> &'static str {
    match check {
        0 | 5 | 7 | 12 | 13 | 21 => "overflow",
        1 | 11 => "unreachable",
        3 => "div",
        14..=19 | 22 | 23 => "ptr",
        20 => "overshift",
        _ => "",
    }
}
