//! Vectors: elements in and out, and shuffles. An index that is not constant becomes a chain of selects.

use super::body::{Body, undefined};
use crate::llvm::Value;
use strata_ir::{BinaryOp, Constant, Operand};
use strata_term::Bits;

/// A constant index, if it is one.
fn known(index: &Operand) -> Option<usize> {
    match index {
        Operand::Const(Constant::Bits(bits)) => bits.to_u64().map(|i| i as usize),
        Operand::Const(_) | Operand::Reg(_) => None,
    }
}

impl Body<'_, '_> {
    fn is_at(&mut self, index: &Operand, at: usize) -> Operand {
        let width = self.width(index);
        let number = Operand::Const(Constant::Bits(Bits::new(width, at as u64)));
        self.binary(BinaryOp::Eq, index.clone(), number)
    }

    /// Can this index be told apart from others in its width?
    fn reachable(&self, index: &Operand, at: usize) -> bool {
        let width = self.width(index);
        width >= 64 || (at as u64) < (1 << width)
    }

    /// `extractelement`.
    pub fn extract_element(&mut self, v: Value) {
        let elements = self.operands(v.operand(0));
        let index = self.operand(v.operand(1));
        let width = self.scalar_width(v);
        let result = match known(&index) {
            Some(at) => elements.get(at).cloned().unwrap_or_else(|| undefined(width)),
            None => self.pick(elements, &index, width),
        };
        self.define(v, vec![result]);
    }

    fn pick(&mut self, elements: Vec<Operand>, index: &Operand, width: u32) -> Operand {
        let mut result = undefined(width);
        for (at, element) in elements.into_iter().enumerate() {
            if self.reachable(index, at) {
                let hit = self.is_at(index, at);
                result = self.choose(hit, element, result);
            }
        }
        result
    }

    /// `insertelement`.
    pub fn insert_element(&mut self, v: Value) {
        let mut elements = self.operands(v.operand(0));
        let (element, index) = (self.operand(v.operand(1)), self.operand(v.operand(2)));
        match known(&index) {
            Some(at) if at < elements.len() => elements[at] = element,
            Some(_) => elements.iter_mut().for_each(|e| *e = undefined(self.width(e))),
            None => {
                for (at, slot) in elements.iter_mut().enumerate() {
                    if self.reachable(&index, at) {
                        let hit = self.is_at(&index, at);
                        *slot = self.choose(hit, element.clone(), slot.clone());
                    }
                }
            }
        }
        self.define(v, elements);
    }

    /// `shufflevector`.
    pub fn shuffle(&mut self, v: Value) {
        let mut all = self.operands(v.operand(0));
        all.extend(self.operands(v.operand(1)));
        let width = self.scalar_width(v);
        let pick =
            |at: Option<u32>| at.and_then(|at| all.get(at as usize).cloned()).unwrap_or_else(|| undefined(width));
        let result = v.mask().into_iter().map(pick).collect();
        self.define(v, result);
    }
}
