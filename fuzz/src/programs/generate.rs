//! Programs: globals, functions that call earlier ones, and a main that calls them all.
//!
//! There are two flavours. In the first each input has one value. In the second each input has a
//! few values, and planted operations go wrong for some of them (`planted.rs`); such a program is
//! smaller, since all its paths are explored.

use super::expression::{Array, Place, Scope};
use super::kind::Kind;
use super::statement::{Statement, print};
use std::fmt::Write as _;
use strata_term::Random;

/// What every program begins with: types, wrapping arithmetic, the check sum.
const PRELUDE: &str = include_str!("prelude.c");

/// What follows it in a program with planted errors.
const PLANTED: &str = include_str!("planted.c");

/// A function's declarations and its body.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) head: String,
    pub(super) declarations: Vec<String>,
    pub(super) body: Vec<Statement>,
    pub(super) last: Vec<String>,
}

/// A program that can be printed as C, and made smaller.
#[derive(Clone, Debug)]
pub struct Program {
    /// How many values each input has, in the order of the inputs; nothing if each has one that is
    /// fixed.
    pub choices: Vec<u64>,
    globals: Vec<String>,
    functions: Vec<Function>,
}

impl Program {
    /// As C.
    pub fn source(&self) -> String {
        let mut text = PRELUDE.to_string();
        if !self.choices.is_empty() {
            text.push_str(PLANTED);
            writeln!(text, "\nconst unsigned inputs = {};", self.choices.iter().product::<u64>())
                .expect("a string takes all");
        }
        text.push('\n');
        for global in &self.globals {
            writeln!(text, "{global}").expect("a string takes all");
        }
        for function in &self.functions {
            writeln!(text, "\n{} {{", function.head).expect("a string takes all");
            for line in &function.declarations {
                writeln!(text, "  {line}").expect("a string takes all");
            }
            print(&function.body, 1, &mut text);
            for line in &function.last {
                writeln!(text, "  {line}").expect("a string takes all");
            }
            text.push_str("}\n");
        }
        text
    }

    /// The bodies of the functions.
    pub fn bodies(&mut self) -> Vec<&mut Vec<Statement>> {
        self.functions.iter_mut().map(|function| &mut function.body).collect()
    }
}

/// What a call needs to know of a function.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    parameters: Vec<Kind>,
    /// The type behind the pointer that it takes last, if it takes one.
    pointer: Option<Kind>,
}

/// The program of a seed, with fixed inputs.
pub fn program(seed: u64) -> Program {
    generate(seed, Flavour { planted: false, functions: 2, spread: 4, depth: 3, deepest: 4 })
}

/// The program of a seed whose inputs have few values, with errors for some of them.
pub fn planted(seed: u64) -> Program {
    generate(seed, Flavour { planted: true, functions: 1, spread: 2, depth: 2, deepest: 2 })
}

fn generate(seed: u64, flavour: Flavour) -> Program {
    let mut generator = Generator {
        flavour,
        random: Random(seed),
        choices: Vec::new(),
        texts: Vec::new(),
        globals: Vec::new(),
        scope: Scope { deepest: flavour.deepest, ..Scope::default() },
        functions: Vec::new(),
        signatures: Vec::new(),
        recursive: Vec::new(),
        fresh: 0,
    };
    if flavour.planted {
        generator.declare_choices();
    }
    generator.declare_globals();
    generator.leaves();
    if flavour.planted {
        generator.recursion();
    }
    for _ in 0..flavour.functions + generator.random.draw(flavour.spread) {
        generator.function();
    }
    generator.main();
    Program { choices: generator.choices, globals: generator.globals, functions: generator.functions }
}

/// What a program is like.
#[derive(Clone, Copy, Debug)]
struct Flavour {
    /// Has each input several values, and are there operations that go wrong for some?
    planted: bool,
    /// The least number of functions beside main and the leaves.
    functions: u32,
    /// How many numbers of functions there are.
    spread: u32,
    /// How deep statements nest.
    depth: u32,
    /// How deep expressions nest.
    deepest: u32,
}

pub(super) struct Generator {
    flavour: Flavour,
    pub(super) random: Random,
    /// How many values each input has.
    pub(super) choices: Vec<u64>,
    /// Arrays of characters for the functions of the library, with their lengths.
    pub(super) texts: Vec<(String, u32)>,
    pub(super) globals: Vec<String>,
    /// What every function sees.
    pub(super) scope: Scope,
    pub(super) functions: Vec<Function>,
    signatures: Vec<Signature>,
    /// Functions that call themselves: of a depth and a number.
    pub(super) recursive: Vec<String>,
    fresh: u32,
}

/// The number of functions in the table of function pointers.
const LEAVES: u32 = 3;

impl Generator {
    pub(super) fn name(&mut self, letter: char) -> String {
        self.fresh += 1;
        format!("{letter}{}", self.fresh)
    }

    fn declare_globals(&mut self) {
        for _ in 0..3 + self.random.draw(4) {
            let (kind, name) = (Kind::any(&mut self.random), self.name('g'));
            let value = kind.constant(&mut self.random);
            self.globals.push(format!("static {} {name} = {value};", kind.name()));
            self.scope.places.push(Place { text: name, kind, addressable: true });
        }
        for _ in 0..1 + self.random.draw(3) {
            let (kind, name, length) = (Kind::any(&mut self.random), self.name('a'), 2 + self.random.draw(9));
            let values: Vec<String> = (0..length).map(|_| kind.constant(&mut self.random)).collect();
            self.globals.push(format!("static {} {name}[{length}] = {{{}}};", kind.name(), values.join(", ")));
            self.scope.arrays.push(Array { text: name, kind, length });
        }
        self.records();
        self.union();
        for _ in 0..self.random.draw(3) {
            self.pointer();
        }
    }

    /// A structure, with bit-fields now and then, and two objects of it.
    fn records(&mut self) {
        let tag = self.name('s');
        let names = [self.name('r'), self.name('r')];
        let mut fields = String::new();
        for i in 0..2 + self.random.draw(4) {
            let kind = Kind::any(&mut self.random);
            let narrow = kind.bits == 32 && self.random.one_in(2);
            let width = if narrow { format!(" : {}", 1 + self.random.draw(31)) } else { String::new() };
            write!(fields, "{} f{i}{width}; ", kind.name()).expect("a string takes all");
            for record in &names {
                self.scope.places.push(Place { text: format!("{record}.f{i}"), kind, addressable: !narrow });
            }
        }
        self.globals.push(format!("struct {tag} {{ {fields}}};"));
        self.globals.push(format!("static struct {tag} {};", names.join(", ")));
    }

    /// The same bytes as words and as bytes.
    fn union(&mut self) {
        let name = self.name('u');
        self.globals.push(format!("static union {{ uint32_t words[2]; uint8_t bytes[8]; uint64_t all; }} {name};"));
        let kind = |bits| Kind { bits, signed: false };
        self.scope.arrays.push(Array { text: format!("{name}.words"), kind: kind(32), length: 2 });
        self.scope.arrays.push(Array { text: format!("{name}.bytes"), kind: kind(8), length: 8 });
        self.scope.places.push(Place { text: format!("{name}.all"), kind: kind(64), addressable: true });
    }

    /// A global pointer to a global.
    fn pointer(&mut self) {
        let targets: Vec<Place> = self.scope.places.iter().filter(|place| place.addressable).cloned().collect();
        let target = self.random.pick(&targets).clone();
        let name = self.name('p');
        self.globals.push(format!("static {} *{name} = &{};", target.kind.name(), target.text));
        self.scope.pointers.push(Place { text: format!("(*{name})"), kind: target.kind, addressable: false });
    }

    /// Small functions of one signature, called through a table.
    fn leaves(&mut self) {
        let (first, second) = (Kind { bits: 32, signed: true }, Kind { bits: 32, signed: false });
        let mut names = Vec::new();
        for _ in 0..LEAVES {
            let name = self.name('l');
            let mut scope = self.scope.clone();
            scope.places.push(Place { text: "x".into(), kind: first, addressable: true });
            scope.places.push(Place { text: "y".into(), kind: second, addressable: true });
            let result = scope.expression(&mut self.random, first, 3);
            let body = self.body(&mut scope, 1, 2, false);
            let head = format!("static UNUSED int32_t {name}(int32_t x, uint32_t y)");
            let last = vec![format!("return {result};")];
            self.functions.push(Function { head, declarations: Vec::new(), body, last });
            names.push(name);
        }
        // The table is a declaration between functions; it stands before the first function that
        // uses it.
        let table = format!("static int32_t (*const leaves[{LEAVES}])(int32_t, uint32_t) = {{{}}};", names.join(", "));
        let prototypes = names.iter().map(|name| format!("static int32_t {name}(int32_t x, uint32_t y);"));
        self.globals.extend(prototypes);
        self.globals.push(table);
    }

    fn function(&mut self) {
        let (name, result) = (self.name('f'), Kind::any(&mut self.random));
        let parameters: Vec<Kind> = (0..1 + self.random.draw(3)).map(|_| Kind::any(&mut self.random)).collect();
        let pointer = self.random.one_in(3).then(|| Kind::any(&mut self.random));
        let mut scope = self.scope.clone();
        let mut written = Vec::new();
        for (i, kind) in parameters.iter().enumerate() {
            written.push(format!("{} x{i}", kind.name()));
            scope.places.push(Place { text: format!("x{i}"), kind: *kind, addressable: true });
        }
        if let Some(kind) = pointer {
            written.push(format!("{} *to", kind.name()));
            scope.pointers.push(Place { text: "(*to)".into(), kind, addressable: false });
        }
        let declarations = self.locals(&mut scope);
        let size = 3 + self.random.draw(6);
        let body = self.body(&mut scope, self.flavour.depth, size, true);
        let value = scope.expression(&mut self.random, result, 3);
        let last = vec![format!("return {value};")];
        let head = format!("static UNUSED {} {name}({})", result.name(), written.join(", "));
        self.functions.push(Function { head, declarations, body, last });
        self.signatures.push(Signature { name, parameters, pointer });
    }

    /// Declares variables, an array and a pointer of a function.
    fn locals(&mut self, scope: &mut Scope) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..1 + self.random.draw(4) {
            let (kind, name) = (Kind::any(&mut self.random), self.name('v'));
            let value = scope.expression(&mut self.random, kind, 2);
            lines.push(format!("{} {name} = {value};", kind.name()));
            scope.places.push(Place { text: name, kind, addressable: true });
        }
        if self.random.one_in(2) {
            let (kind, name, length) = (Kind::any(&mut self.random), self.name('a'), 2 + self.random.draw(7));
            lines.push(format!("{} {name}[{length}] = {{{}}};", kind.name(), kind.constant(&mut self.random)));
            scope.arrays.push(Array { text: name, kind, length });
        }
        if self.random.one_in(2) {
            let target = self.addressable(scope, None);
            if let Some(target) = target {
                let name = self.name('p');
                lines.push(format!("{} *{name} = &{};", target.kind.name(), target.text));
                scope.pointers.push(Place { text: format!("(*{name})"), kind: target.kind, addressable: false });
            }
        }
        lines
    }

    /// A variable to point to, of the kind asked for.
    pub(super) fn addressable(&mut self, scope: &Scope, kind: Option<Kind>) -> Option<Place> {
        let fits = |place: &&Place| place.addressable && kind.is_none_or(|kind| place.kind == kind);
        let targets: Vec<Place> = scope.places.iter().filter(fits).cloned().collect();
        (!targets.is_empty()).then(|| self.random.pick(&targets).clone())
    }

    /// So many statements. `calls` says whether other functions may be called.
    pub(super) fn body(&mut self, scope: &mut Scope, depth: u32, size: u32, calls: bool) -> Vec<Statement> {
        (0..size).map(|_| self.statement(scope, depth, calls)).collect()
    }

    fn statement(&mut self, scope: &mut Scope, depth: u32, calls: bool) -> Statement {
        if self.flavour.planted && self.random.one_in(4) {
            return self.plant(scope);
        }
        let size = 1 + self.random.draw(3);
        match self.random.draw(if depth == 0 { 10 } else { 16 }) {
            0..=3 => self.assignment(scope),
            4 => self.compound(scope),
            5 => self.mixing(scope),
            6 => self.show(scope),
            7 | 8 if calls => self.call(scope),
            9 => self.library(scope),
            7 | 8 => self.assignment(scope),
            10..=12 => {
                let kind = Kind::any(&mut self.random);
                let condition = scope.expression(&mut self.random, kind, 3);
                let then = self.body(scope, depth - 1, size, calls);
                let otherwise =
                    if self.random.one_in(2) { self.body(scope, depth - 1, size, calls) } else { Vec::new() };
                Statement::Choice { condition, then, otherwise }
            }
            13 | 14 => self.repeat(scope, depth, size, calls),
            _ => self.switch(scope, depth, calls),
        }
    }

    fn assignment(&mut self, scope: &Scope) -> Statement {
        let target = scope.target(&mut self.random);
        let value = scope.expression(&mut self.random, target.kind, 4);
        Statement::Line(format!("{} = {value};", target.text))
    }

    /// `x ^= …`, and arithmetic where no promotion to a signed type can overflow.
    fn compound(&mut self, scope: &Scope) -> Statement {
        let target = scope.target(&mut self.random);
        let wraps = !target.kind.signed && target.kind.bits >= 32;
        let operators: &[&str] = if wraps { &["^=", "|=", "&=", "+=", "-=", "*="] } else { &["^=", "|=", "&="] };
        let operator = *self.random.pick(operators);
        let value = scope.expression(&mut self.random, target.kind, 3);
        Statement::Line(format!("{} {operator} {value};", target.text))
    }

    fn mixing(&mut self, scope: &Scope) -> Statement {
        if self.random.one_in(4) {
            let number = |random: &mut Random| format!("{}.{}", random.draw(1000), random.draw(1000));
            let (a, b) = (number(&mut self.random), number(&mut self.random));
            let (c, operator) = (number(&mut self.random), *self.random.pick(&["+", "-", "*", "/"]));
            let single = if self.random.one_in(2) { "(float)" } else { "" };
            return Statement::Line(format!("mix_real({single}({a} {operator} {b}) * {c});"));
        }
        let kind = Kind::any(&mut self.random);
        Statement::Line(format!("mix((uint64_t){});", scope.expression(&mut self.random, kind, 3)))
    }

    fn show(&mut self, scope: &Scope) -> Statement {
        let (format, cast) = *self.random.pick(&[
            ("%d", "int"),
            ("%u", "unsigned"),
            ("%lx", "unsigned long"),
            ("%ld", "long"),
            ("%04hx", "short"),
        ]);
        let kind = Kind::any(&mut self.random);
        let value = scope.expression(&mut self.random, kind, 2);
        Statement::Line(format!("printf(\"{format}\\n\", ({cast}){value});"))
    }

    /// The result goes to a variable: which element an index means could depend on whether the
    /// call comes first.
    fn call(&mut self, scope: &Scope) -> Statement {
        let target = self.random.pick(&scope.places).clone();
        if !self.recursive.is_empty() && self.random.one_in(3) {
            let line = self.descent(scope, &target);
            return self.guarded(line);
        }
        if self.signatures.is_empty() || self.random.one_in(4) {
            let index = scope.index(&mut self.random, LEAVES, 1);
            let x = scope.expression(&mut self.random, Kind { bits: 32, signed: true }, 2);
            let y = scope.expression(&mut self.random, Kind { bits: 32, signed: false }, 2);
            return self.guarded(format!("{} = leaves[{index}]({x}, {y});", target.text));
        }
        let signature = self.random.pick(&self.signatures).clone();
        match self.arguments(scope, &signature) {
            Some(arguments) => self.guarded(format!("{} = {}({arguments});", target.text, signature.name)),
            None => self.assignment(scope),
        }
    }

    /// Without fuel a call is passed over.
    pub(super) fn guarded(&self, line: String) -> Statement {
        let condition = "fuel-- > 0".to_string();
        Statement::Choice { condition, then: vec![Statement::Line(line)], otherwise: Vec::new() }
    }

    fn arguments(&mut self, scope: &Scope, signature: &Signature) -> Option<String> {
        let mut arguments: Vec<String> =
            signature.parameters.iter().map(|kind| scope.expression(&mut self.random, *kind, 2)).collect();
        if let Some(kind) = signature.pointer {
            arguments.push(format!("&{}", self.addressable(scope, Some(kind))?.text));
        }
        Some(arguments.join(", "))
    }

    /// Variable arguments, memset and memmove.
    fn library(&mut self, scope: &Scope) -> Statement {
        if self.random.one_in(2) || scope.arrays.is_empty() {
            let count = self.random.draw(5);
            let (int, long) = (Kind { bits: 32, signed: true }, Kind { bits: 64, signed: false });
            let values: Vec<String> = (0..count)
                .map(|i| format!(", {}", scope.expression(&mut self.random, if i % 2 == 1 { long } else { int }, 1)))
                .collect();
            return Statement::Line(format!("mix(total({count}{}));", values.concat()));
        }
        let array = self.random.pick(&scope.arrays).clone();
        let name = &array.text;
        if self.random.one_in(2) {
            let byte = scope.expression(&mut self.random, Kind { bits: 8, signed: false }, 1);
            return Statement::Line(format!("memset({name}, {byte}, sizeof {name});"));
        }
        Statement::Line(format!("memmove({name}, {name} + 1, sizeof {name} - sizeof {name}[0]);"))
    }

    fn repeat(&mut self, scope: &mut Scope, depth: u32, size: u32, calls: bool) -> Statement {
        let (counter, rounds) = (self.name('i'), 1 + self.random.draw(6));
        let kind = Kind { bits: 32, signed: true };
        scope.counters.push(Place { text: counter.clone(), kind, addressable: false });
        let mut body = self.body(scope, depth - 1, size, calls);
        if self.random.one_in(3) {
            let condition = scope.expression(&mut self.random, kind, 2);
            let jump = *self.random.pick(&["break;", "continue;"]);
            let then = vec![Statement::Line(jump.into())];
            body.insert(
                self.random.below(body.len() + 1),
                Statement::Choice { condition, then, otherwise: Vec::new() },
            );
        }
        scope.counters.pop();
        let rounds = if self.flavour.planted && self.random.one_in(2) {
            self.index(scope, rounds + 1, Kind { bits: 32, signed: true })
        } else {
            rounds.to_string()
        };
        let head = format!("for (int {counter} = 0; {counter} < {rounds} && fuel-- > 0; {counter}++)");
        Statement::Block { head, body }
    }

    fn switch(&mut self, scope: &mut Scope, depth: u32, calls: bool) -> Statement {
        let kind = Kind::any(&mut self.random);
        let value = format!("{} & 7", scope.expression(&mut self.random, kind, 3));
        let mut arms = Vec::new();
        for label in 0..8 {
            if self.random.one_in(3) {
                let falls = self.random.one_in(3);
                arms.push((format!("case {label}"), self.body(scope, depth - 1, 1, calls), falls));
            }
        }
        arms.push(("default".to_string(), self.body(scope, depth - 1, 1, calls), false));
        Statement::Switch { value, arms }
    }

    fn main(&mut self) {
        let mut scope = self.scope.clone();
        let mut declarations = Vec::new();
        for (i, count) in self.choices.iter().enumerate() {
            declarations.push(format!("CHOICE(in{i}, {count});"));
        }
        let fixed = if self.flavour.planted { 0 } else { 1 + self.random.draw(4) };
        for i in 0..fixed {
            let kind = Kind::any(&mut self.random);
            self.globals.push(format!("static {} in{i};", kind.name()));
            declarations.push(format!("INPUT(in{i}, {});", kind.constant(&mut self.random)));
            scope.places.extend((0..3).map(|_| Place { text: format!("in{i}"), kind, addressable: true }));
        }
        declarations.extend(self.locals(&mut scope));
        let mut body = self.body(&mut scope, self.flavour.depth, 4, true);
        for signature in self.signatures.clone() {
            if let Some(arguments) = self.arguments(&scope, &signature) {
                body.push(Statement::Line(format!("mix((uint64_t){}({arguments}));", signature.name)));
            }
            body.push(self.statement(&mut scope, self.flavour.depth, true));
        }
        let mut last: Vec<String> =
            scope.places.iter().map(|place| format!("mix((uint64_t){});", place.text)).collect();
        for array in &scope.arrays {
            last.push(format!("for (int i = 0; i < {}; i++)", array.length));
            last.push(format!("  mix((uint64_t){}[i]);", array.text));
        }
        last.push("printf(\"%016lx\\n\", (unsigned long)checksum);".into());
        last.push(if self.flavour.planted { "return status();".into() } else { "return 0;".into() });
        self.functions.push(Function { head: "int main(void)".into(), declarations, body, last });
    }
}
