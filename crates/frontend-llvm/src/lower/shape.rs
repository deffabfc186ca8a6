//! Types as lists of scalars.

use super::Unit;
use crate::llvm::{LLVMTypeKind, Type};
use std::rc::Rc;
use strata_ir::FloatFormat;

/// How many scalars a first-class value may have. Compilers make such values of a few; memory holds the large ones.
pub const LIMIT: u64 = 1 << 16;

/// One scalar of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// In bits.
    pub width: u32,
}

/// The IEEE format of a type that arithmetic is exact on.
pub fn format(ty: Type) -> Option<FloatFormat> {
    match ty.kind() {
        LLVMTypeKind::LLVMFloatTypeKind => Some(FloatFormat::Single),
        LLVMTypeKind::LLVMDoubleTypeKind => Some(FloatFormat::Double),
        _ => None,
    }
}

/// Is it a list of scalars of one type?
pub fn is_vector(ty: Type) -> bool {
    ty.kind() == LLVMTypeKind::LLVMVectorTypeKind
}

/// The element of a vector, else the type itself.
pub fn scalar(ty: Type) -> Type {
    if is_vector(ty) { ty.element() } else { ty }
}

impl Unit<'_> {
    /// How many scalars a value of this type has; none where there are no registers for it.
    pub fn count(&self, ty: Type) -> Option<u64> {
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                let sum = (0..ty.fields()).try_fold(0u64, |sum, i| sum.checked_add(self.count(ty.field(i))?))?;
                (sum <= LIMIT).then_some(sum)
            }
            LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind => {
                let product = self.count(ty.element())?.checked_mul(ty.length())?;
                (product <= LIMIT).then_some(product)
            }
            LLVMTypeKind::LLVMVoidTypeKind => Some(0),
            LLVMTypeKind::LLVMScalableVectorTypeKind
            | LLVMTypeKind::LLVMX86_AMXTypeKind
            | LLVMTypeKind::LLVMTargetExtTypeKind
            | LLVMTypeKind::LLVMLabelTypeKind
            | LLVMTypeKind::LLVMFunctionTypeKind => None,
            LLVMTypeKind::LLVMTokenTypeKind | LLVMTypeKind::LLVMMetadataTypeKind => Some(0),
            _ => Some(1),
        }
    }

    /// The scalars of a type, in order; none where `count` gives none.
    pub fn shape(&self, ty: Type) -> Rc<[Part]> {
        if let Some(known) = self.shapes.borrow().get(&ty) {
            return known.clone();
        }
        let mut parts = Vec::new();
        if self.count(ty).is_some() {
            self.flatten(ty, &mut parts);
        }
        let parts: Rc<[Part]> = parts.into();
        self.shapes.borrow_mut().insert(ty, parts.clone());
        parts
    }

    /// The widths of a type's scalars.
    pub fn widths(&self, ty: Type) -> Vec<u32> {
        self.shape(ty).iter().map(|p| p.width).collect()
    }

    fn flatten(&self, ty: Type, parts: &mut Vec<Part>) {
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => (0..ty.fields()).for_each(|i| self.flatten(ty.field(i), parts)),
            LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind => {
                let element = self.shape(ty.element());
                (0..ty.length()).for_each(|_| parts.extend(element.iter()));
            }
            LLVMTypeKind::LLVMVoidTypeKind | LLVMTypeKind::LLVMTokenTypeKind | LLVMTypeKind::LLVMMetadataTypeKind => {}
            LLVMTypeKind::LLVMIntegerTypeKind => parts.push(Part { width: ty.int_width() }),
            _ => parts.push(Part { width: ty.bits(self.module) as u32 }),
        }
    }

    /// Where in a type's list the part at these indices starts, and that part's type.
    pub fn part(&self, ty: Type, indices: &[u32]) -> (usize, Type) {
        let (mut start, mut ty) = (0, ty);
        for &index in indices {
            if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                start += (0..index).map(|i| self.shape(ty.field(i)).len()).sum::<usize>();
                ty = ty.field(index);
            } else {
                ty = ty.element();
                start += index as usize * self.shape(ty).len();
            }
        }
        (start, ty)
    }
}
