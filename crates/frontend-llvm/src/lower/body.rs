//! One function: registers, the current block, and the way from a value to its operands.
//!
//! Blocks are lowered in reverse post-order, so that every value is known before its uses, phis apart. A value that
//! only renames others (casts between pointers and 64-bit integers, parts of aggregates, shuffles) costs no instruction: it
//! shares their operands. That is sound because a register is written at one place only (its definition, or the
//! edges into its phi), and a definition dominates all uses of what shares it.
//!
//! Once a block has ended early (`Unsupported`, `Trap`) the rest of it is lowered into nothing, so that later blocks find their values.

use super::Unit;
use super::promise::Form;
use crate::llvm::{BlockRef, LLVMOpcode, LLVMValueKind, Type, Value};
use crate::trace;
use rustc_hash::{FxHashMap, FxHashSet};
use strata_ir::{
    BinaryOp, Block, BlockId, Constant, FunctionId, Instruction, Linkage, Operand, PlaceId, Reg, UnaryOp, Variable,
};
use strata_term::Bits;

/// A function at work.
pub struct Body<'u, 'a> {
    pub unit: &'u mut Unit<'a>,
    pub function: Value,
    /// What an optimiser may have done to it.
    pub form: Form,
    registers: Vec<u32>,
    blocks: Vec<Block>,
    current: usize,
    ended: bool,
    pub place: PlaceId,
    values: FxHashMap<Value, Vec<Operand>>,
    pub index: FxHashMap<BlockRef, u32>,
    /// Phis that are written on the edges into a block.
    pub phis: FxHashMap<BlockRef, Vec<Value>>,
    /// Registers that edges write for a phi: its own, or those it is read from at the start of an indirect jump's target.
    pub inlets: FxHashMap<Value, Vec<Reg>>,
    /// The number of a block's branch or switch.
    pub sites: FxHashMap<BlockRef, u32>,
}

/// A constant of at most 64 bits.
pub fn bits(width: u32, value: u64) -> Operand {
    Operand::Const(Constant::Bits(Bits::new(width, value)))
}

/// A value nobody chose.
pub fn undefined(width: u32) -> Operand {
    Operand::Const(Constant::Undefined(width))
}

/// Lowers a function's body into its place in the program.
pub fn lower(unit: &mut Unit, function: Value, id: FunctionId) {
    let refs = function.blocks();
    let registers = unit.program.functions[id.index()].registers.clone();
    let mut body = Body {
        unit,
        function,
        form: Form::of(function),
        registers,
        blocks: refs.iter().map(|_| Block::default()).collect(),
        current: 0,
        ended: false,
        place: PlaceId(0),
        values: FxHashMap::default(),
        index: refs.iter().copied().zip(0..).collect(),
        phis: FxHashMap::default(),
        inlets: FxHashMap::default(),
        sites: FxHashMap::default(),
    };
    let variables = body.parameters(id);
    body.number_sites(id, &refs);
    let order = reverse_post_order(&refs);
    body.declare_phis(&order);
    for block in &order {
        body.block(*block);
    }
    let reached: FxHashSet<BlockRef> = order.into_iter().collect();
    for block in refs.iter().filter(|b| !reached.contains(b)) {
        body.enter(BlockId(body.index[block]));
        body.emit(Instruction::Unreachable);
    }
    let (registers, blocks) = (body.registers, body.blocks);
    let made = &mut unit.program.functions[id.index()];
    (made.registers, made.blocks, made.variables) = (registers, blocks, variables);
}

/// The blocks that the entry reaches, each before those it alone leads to.
fn reverse_post_order(blocks: &[BlockRef]) -> Vec<BlockRef> {
    let successors = |block: BlockRef| block.terminator().map(Value::successors).unwrap_or_default();
    let Some(entry) = blocks.first() else { return Vec::new() };
    let mut seen = FxHashSet::from_iter([*entry]);
    let mut stack = vec![(*entry, successors(*entry))];
    let mut order = Vec::new();
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

impl Body<'_, '_> {
    fn parameters(&mut self, id: FunctionId) -> Vec<Variable> {
        let registers = self.unit.program.functions[id.index()].params.clone();
        let mut registers = registers.into_iter();
        let mut variables = Vec::new();
        for param in self.function.params() {
            let count = self.unit.shape(param.ty()).len();
            let own: Vec<Reg> = registers.by_ref().take(count).collect();
            let name = self.unit.names.get(&param).cloned().unwrap_or_else(|| param.name());
            if let (false, [reg]) = (name.is_empty(), own.as_slice()) {
                variables.push(Variable { name, reg: *reg });
            }
            self.define(param, own.into_iter().map(Operand::Reg).collect());
        }
        variables
    }

    fn number_sites(&mut self, id: FunctionId, blocks: &[BlockRef]) {
        if self.unit.program.functions[id.index()].linkage != Linkage::Own {
            return;
        }
        for block in blocks {
            if block.terminator().is_some_and(trace::chooses) {
                self.unit.site += 1;
                self.sites.insert(*block, self.unit.site);
            }
        }
    }

    fn block(&mut self, block: BlockRef) {
        self.enter(BlockId(self.index[&block]));
        for instruction in block.instructions() {
            self.place = instruction.location().map_or(PlaceId(0), |meta| self.unit.places.at(meta));
            self.instruction(block, instruction);
        }
    }

    fn instruction(&mut self, block: BlockRef, v: Value) {
        if self.unit.count(v.ty()).is_none() {
            self.unsupported(format!("a value of type {}", v.ty().print()));
        } else {
            self.dispatch(block, v);
        }
        let ty = v.ty();
        if !self.values.contains_key(&v) {
            let nothing = self.unit.widths(ty).into_iter().map(undefined).collect();
            self.define(v, nothing);
        }
    }

    /// One line per instruction.
    fn dispatch(&mut self, block: BlockRef, v: Value) {
        let opcode = v.opcode();
        match opcode {
            LLVMOpcode::LLVMAdd
            | LLVMOpcode::LLVMSub
            | LLVMOpcode::LLVMMul
            | LLVMOpcode::LLVMUDiv
            | LLVMOpcode::LLVMSDiv
            | LLVMOpcode::LLVMURem
            | LLVMOpcode::LLVMSRem
            | LLVMOpcode::LLVMShl
            | LLVMOpcode::LLVMLShr
            | LLVMOpcode::LLVMAShr
            | LLVMOpcode::LLVMAnd
            | LLVMOpcode::LLVMOr
            | LLVMOpcode::LLVMXor => self.integer_binary(v, opcode),
            LLVMOpcode::LLVMFAdd
            | LLVMOpcode::LLVMFSub
            | LLVMOpcode::LLVMFMul
            | LLVMOpcode::LLVMFDiv
            | LLVMOpcode::LLVMFRem => self.float_binary(v, opcode),
            LLVMOpcode::LLVMFNeg => self.float_unary(v, strata_ir::FloatUnary::Neg),
            LLVMOpcode::LLVMICmp => self.integer_compare(v),
            LLVMOpcode::LLVMFCmp => self.float_compare(v),
            LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMZExt
            | LLVMOpcode::LLVMSExt
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMPtrToAddr
            | LLVMOpcode::LLVMIntToPtr
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMBitCast => {
                let result = self.cast(v, opcode);
                self.define(v, result);
            }
            LLVMOpcode::LLVMFPToUI
            | LLVMOpcode::LLVMFPToSI
            | LLVMOpcode::LLVMUIToFP
            | LLVMOpcode::LLVMSIToFP
            | LLVMOpcode::LLVMFPTrunc
            | LLVMOpcode::LLVMFPExt => self.float_cast(v, opcode),
            LLVMOpcode::LLVMAlloca => self.alloca(v),
            LLVMOpcode::LLVMLoad => self.load(v),
            LLVMOpcode::LLVMStore => self.store(v),
            LLVMOpcode::LLVMGetElementPtr => {
                let result = self.gep(v);
                self.define(v, result);
            }
            LLVMOpcode::LLVMFence => {}
            LLVMOpcode::LLVMAtomicCmpXchg => self.compare_exchange(v),
            LLVMOpcode::LLVMAtomicRMW => self.read_modify_write(v),
            LLVMOpcode::LLVMSelect => self.select(v),
            LLVMOpcode::LLVMFreeze => self.freeze(v),
            LLVMOpcode::LLVMExtractValue => self.extract_value(v),
            LLVMOpcode::LLVMInsertValue => self.insert_value(v),
            LLVMOpcode::LLVMExtractElement => self.extract_element(v),
            LLVMOpcode::LLVMInsertElement => self.insert_element(v),
            LLVMOpcode::LLVMShuffleVector => self.shuffle(v),
            LLVMOpcode::LLVMVAArg => self.variadic_argument(v),
            LLVMOpcode::LLVMPHI => self.phi(block, v),
            LLVMOpcode::LLVMCall => self.call(v),
            LLVMOpcode::LLVMInvoke => {
                self.call(v);
                self.jump(block, v.normal());
            }
            LLVMOpcode::LLVMRet => self.ret(v),
            LLVMOpcode::LLVMBr => self.branch(block, v),
            LLVMOpcode::LLVMSwitch => self.switch(block, v),
            LLVMOpcode::LLVMIndirectBr => self.indirect(block, v),
            LLVMOpcode::LLVMUnreachable => self.emit(Instruction::Unreachable),
            LLVMOpcode::LLVMLandingPad
            | LLVMOpcode::LLVMResume
            | LLVMOpcode::LLVMCleanupRet
            | LLVMOpcode::LLVMCatchRet
            | LLVMOpcode::LLVMCatchPad
            | LLVMOpcode::LLVMCleanupPad
            | LLVMOpcode::LLVMCatchSwitch => self.unsupported("C++ exceptions".to_string()),
            LLVMOpcode::LLVMCallBr => self.unsupported("asm goto".to_string()),
            LLVMOpcode::LLVMUserOp1 | LLVMOpcode::LLVMUserOp2 => self.unsupported(v.print()),
        }
    }

    /// Goes on in this block.
    pub fn enter(&mut self, block: BlockId) {
        self.current = block.index();
        self.ended = false;
    }

    /// A further block, after those of the source.
    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The block at work.
    pub fn here(&self) -> BlockId {
        BlockId(self.current as u32)
    }

    /// Appends to the current block, unless it has ended.
    pub fn emit(&mut self, instruction: Instruction) {
        if self.ended {
            return;
        }
        self.ended = instruction.is_terminator();
        let block = &mut self.blocks[self.current];
        block.instructions.push(instruction);
        block.places.push(self.place);
    }

    /// Can nothing more be added to the current block?
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Ends the path here.
    pub fn unsupported(&mut self, reason: String) {
        self.emit(Instruction::Unsupported { reason });
    }

    /// A fresh register.
    pub fn reg(&mut self, width: u32) -> Reg {
        self.registers.push(width.max(1));
        Reg(self.registers.len() as u32 - 1)
    }

    /// An operand's width.
    pub fn width(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.registers[reg.index()],
            Operand::Const(Constant::Bits(bits)) => bits.width(),
            Operand::Const(Constant::Address(..)) => 64,
            Operand::Const(Constant::Undefined(width)) => *width,
        }
    }

    /// Gives a value its operands.
    pub fn define(&mut self, v: Value, operands: Vec<Operand>) {
        self.values.insert(v, operands);
    }

    /// A value's operands, one per scalar.
    pub fn operands(&mut self, v: Value) -> Vec<Operand> {
        if let Some(known) = self.values.get(&v) {
            return known.clone();
        }
        let mut all = Vec::new();
        self.constants(v, &mut all);
        all
    }

    /// A scalar value's operand.
    pub fn operand(&mut self, v: Value) -> Operand {
        if let Some([one]) = self.values.get(&v).map(Vec::as_slice) {
            return one.clone();
        }
        self.operands(v).into_iter().next().unwrap_or_else(|| undefined(1))
    }

    fn constants(&mut self, v: Value, all: &mut Vec<Operand>) {
        let ty = v.ty();
        let shape = self.unit.shape(ty);
        match v.kind() {
            LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind => {
                all.extend(shape.iter().map(|p| undefined(p.width)));
            }
            LLVMValueKind::LLVMConstantAggregateZeroValueKind => {
                all.extend(shape.iter().map(|p| Operand::Const(Constant::Bits(Bits::zero(p.width)))));
            }
            LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantVectorValueKind
            | LLVMValueKind::LLVMConstantDataArrayValueKind
            | LLVMValueKind::LLVMConstantDataVectorValueKind => self.elements(v, ty, all),
            _ if super::shape::is_vector(ty) && v.element(0).is_some() => self.elements(v, ty, all),
            _ => {
                let operand = self.scalar(v);
                all.extend(operand);
            }
        }
    }

    fn elements(&mut self, v: Value, ty: Type, all: &mut Vec<Operand>) {
        let count = if ty.kind() == crate::llvm::LLVMTypeKind::LLVMStructTypeKind {
            u64::from(ty.fields())
        } else {
            ty.length()
        };
        for i in 0..count {
            if let Some(element) = v.element(i as u32) {
                self.constants(element, all);
            }
        }
    }

    /// A constant that is one scalar (or a vector's expression): known, or computed here.
    fn scalar(&mut self, v: Value) -> Vec<Operand> {
        if self.unit.shape(v.ty()).len() == 1
            && let Some(known) = self.unit.scalar_constant(v)
        {
            return vec![Operand::Const(known)];
        }
        if v.kind() == LLVMValueKind::LLVMConstantExprValueKind {
            return self.constant_expression(v);
        }
        self.unsupported(format!("the constant {}", v.print()));
        self.unit.widths(v.ty()).into_iter().map(undefined).collect()
    }

    fn constant_expression(&mut self, v: Value) -> Vec<Operand> {
        let opcode = v.constant_opcode();
        match opcode {
            LLVMOpcode::LLVMGetElementPtr => self.gep(v),
            LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMXor => self.constant_operation(v, opcode),
            LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMPtrToAddr
            | LLVMOpcode::LLVMIntToPtr
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMBitCast => self.cast(v, opcode),
            _ => {
                self.unsupported(format!("the constant {}", v.print()));
                self.unit.widths(v.ty()).into_iter().map(undefined).collect()
            }
        }
    }

    /// `a op b` into a fresh register.
    pub fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        self.binary_flagged(op, a, b, false)
    }

    /// `a op b`, where a breach of the source language's rule may be an error.
    pub fn binary_flagged(&mut self, op: BinaryOp, a: Operand, b: Operand, checked: bool) -> Operand {
        let width = match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => 1,
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.width(&a),
        };
        let to = self.reg(width);
        self.emit(Instruction::Binary { op, to, a, b, checked });
        Operand::Reg(to)
    }

    /// `op a` into a fresh register.
    pub fn unary(&mut self, op: UnaryOp, a: Operand) -> Operand {
        let to = self.reg(self.width(&a));
        self.emit(Instruction::Unary { op, to, a });
        Operand::Reg(to)
    }

    /// `a` widened.
    pub fn extend(&mut self, a: Operand, width: u32, signed: bool) -> Operand {
        if self.width(&a) == width {
            return a;
        }
        if let Operand::Const(Constant::Bits(known)) = &a {
            let wide = if signed { known.sext(width) } else { known.resize(width) };
            return Operand::Const(Constant::Bits(wide));
        }
        let to = self.reg(width);
        self.emit(Instruction::Extend { to, a, signed });
        Operand::Reg(to)
    }

    /// `width` bits of `a` from `low` on.
    pub fn extract(&mut self, a: Operand, low: u32, width: u32) -> Operand {
        if low == 0 && self.width(&a) == width {
            return a;
        }
        if let Operand::Const(Constant::Bits(known)) = &a {
            return Operand::Const(Constant::Bits(known.extract(low + width - 1, low)));
        }
        let to = self.reg(width);
        self.emit(Instruction::Extract { to, a, low });
        Operand::Reg(to)
    }

    /// `a` cut or widened by zeros.
    pub fn resize(&mut self, a: Operand, width: u32) -> Operand {
        if self.width(&a) > width { self.extract(a, 0, width) } else { self.extend(a, width, false) }
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Operand, low: Operand) -> Operand {
        let to = self.reg(self.width(&high) + self.width(&low));
        self.emit(Instruction::Concat { to, high, low });
        Operand::Reg(to)
    }

    /// `condition ? a : b`.
    pub fn choose(&mut self, condition: Operand, a: Operand, b: Operand) -> Operand {
        let to = self.reg(self.width(&a));
        self.emit(Instruction::Select { to, condition, a, b });
        Operand::Reg(to)
    }
}
