//! What instructions say they touch, against what their data holds.

mod generator;

use generator::program;
use strata_ir::*;
use strata_term::Random;

/// The numbers after each `name` in a printed instruction for which the text before it passes.
fn numbers(text: &str, name: &str, passes: impl Fn(&str) -> bool) -> Vec<u32> {
    let number = |rest: &str| rest.split(')').next().and_then(|digits| digits.parse().ok());
    let places = text.match_indices(name).filter(|(at, _)| passes(&text[..*at]));
    let mut found: Vec<u32> = places.filter_map(|(at, _)| number(&text[at + name.len()..])).collect();
    found.sort();
    found
}

fn sorted(ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort();
    ids
}

/// An operand prints as `Reg(Reg(7))`, a destination as `Reg(7)`, a block's address after its function.
fn check(instruction: &Instruction) {
    let text = format!("{instruction:?}");
    let is_read = |before: &str| before.ends_with("Reg(");
    let is_address = |before: &str| {
        before.rsplit_once("FunctionId(").is_some_and(|(_, tail)| tail.len() < 8 && !tail.contains("],"))
    };
    assert_eq!(sorted(instruction.read_registers().map(|reg| reg.0)), numbers(&text, "Reg(", is_read), "{text}");
    assert_eq!(sorted(instruction.writes().map(|reg| reg.0)), numbers(&text, "Reg(", |b| !is_read(b)), "{text}");
    assert_eq!(sorted(instruction.targets().map(|to| to.0)), numbers(&text, "BlockId(", |b| !is_address(b)), "{text}");
    let constants = instruction.reads().filter(|operand| matches!(operand, Operand::Const(_))).count();
    assert_eq!(constants, text.matches("Const(").count(), "{text}");
}

#[test]
fn reads_writes_and_targets_are_complete() {
    for seed in 0..2000 {
        for function in program(&mut Random(seed)).functions {
            function.blocks.iter().flat_map(|block| &block.instructions).for_each(check);
        }
    }
}
