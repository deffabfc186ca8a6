//! Values and models as text.

use super::printer::constant;
use super::sort::SmtSort;
use super::spelling::quote;
use super::symbols::Declaration;
use crate::assignment::Assignment;
use crate::bits::Bits;
use std::fmt::Write;

/// A value of a sort that is not an array's.
pub fn print_value(value: &Bits, sort: SmtSort) -> String {
    match sort {
        SmtSort::Bool => if value.is_true() { "true" } else { "false" }.to_string(),
        SmtSort::BitVec(_) | SmtSort::Array { .. } => {
            let mut out = String::new();
            constant(&mut out, value);
            out
        }
    }
}

/// An array with these cells and zero elsewhere, as `store`s over a constant array.
pub fn print_array(index: u32, cells: impl IntoIterator<Item = (u64, u8)>) -> String {
    let sort = SmtSort::Array { index };
    let cells: Vec<(u64, u8)> = cells.into_iter().filter(|(_, value)| *value != 0).collect();
    let mut out = "(store ".repeat(cells.len());
    write!(out, "((as const {sort}) #x00)").expect("a string takes everything");
    for (at, value) in cells {
        out.push(' ');
        constant(&mut out, &Bits::new(index, at));
        out.push(' ');
        constant(&mut out, &Bits::new(SmtSort::ELEMENT, u64::from(value)));
        out.push(')');
    }
    out
}

/// The values of declared constants, as `get-model` answers.
pub fn print_model<'a>(declarations: impl IntoIterator<Item = &'a Declaration>, model: &Assignment) -> String {
    let mut out = String::from("(\n");
    for Declaration { name, term, sort } in declarations {
        let value = match sort {
            SmtSort::Bool | SmtSort::BitVec(_) => print_value(&model.get(term), *sort),
            SmtSort::Array { index } => print_array(*index, model.cells(term)),
        };
        writeln!(out, "  (define-fun {} () {sort} {value})", quote(name)).expect("a string takes everything");
    }
    out.push_str(")\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Term;

    #[test]
    fn models() {
        let declare = |name: &str, sort: SmtSort| Declaration { name: name.into(), term: sort.input(name), sort };
        let declarations = [
            declare("p", SmtSort::Bool),
            declare("b", SmtSort::BitVec(1)),
            declare("x y", SmtSort::BitVec(8)),
            declare("z", SmtSort::BitVec(70)),
            declare("a", SmtSort::Array { index: 16 }),
        ];
        let mut model = Assignment::default();
        model.set(&Term::symbol("p", 1), Bits::one(1));
        model.set(&Term::symbol("b", 1), Bits::one(1));
        model.set(&Term::symbol("x y", 8), Bits::new(8, 5));
        model.set_cell(&Term::array("a", 16), 258, 7);
        model.set_cell(&Term::array("a", 16), 259, 0);
        let zeros = "0".repeat(70);
        let expect = format!(
            "(\n  (define-fun p () Bool true)\n  (define-fun b () (_ BitVec 1) #b1)\n  (define-fun |x y| () (_ BitVec 8) #x05)\n  \
             (define-fun z () (_ BitVec 70) #b{zeros})\n  (define-fun a () (Array (_ BitVec 16) (_ BitVec 8)) \
             (store ((as const (Array (_ BitVec 16) (_ BitVec 8))) #x00) #x0102 #x07))\n)\n"
        );
        assert_eq!(print_model(&declarations, &model), expect);
    }
}
