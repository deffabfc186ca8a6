//! Operations that go wrong for some inputs: each is one line, so that its line names it, and
//! stands for a macro of `planted.c`.

use super::expression::{Array, Place, Scope};
use super::generate::{Function, Generator};
use super::kind::Kind;
use super::statement::Statement;

const INT: Kind = Kind { bits: 32, signed: true };
const UNSIGNED: Kind = Kind { bits: 32, signed: false };
const LONG: Kind = Kind { bits: 64, signed: false };

/// The products of the inputs' numbers of values: every path has an input of its own, so this also
/// bounds the paths.
const TOTALS: [u64; 8] = [16, 32, 64, 64, 128, 128, 256, 512];

impl Generator {
    /// One to three inputs as globals, arrays for texts, and a recursive function.
    pub(super) fn declare_choices(&mut self) {
        let mut left = *self.random.pick(&TOTALS);
        let count = 1 + self.random.draw(3);
        for i in 0..count {
            let kind = Kind::any(&mut self.random);
            // The last takes what the others leave, as far as its type goes.
            let most = left.min(128);
            let part = if i + 1 == count { most } else { most.min(2 << self.random.draw(4)) };
            left /= part;
            self.choices.push(part);
            self.globals.push(format!("static {} in{i};", kind.name()));
            let place = Place { text: format!("in{i}"), kind, addressable: true };
            self.scope.places.extend((0..4).map(|_| place.clone()));
        }
        for _ in 0..2 {
            let (name, length) = (self.name('t'), 2 + self.random.draw(4));
            self.globals.push(format!("static char {name}[{length}];"));
            self.texts.push((name, length));
        }
    }

    /// A number below `length` that depends on an input.
    pub(super) fn index(&mut self, scope: &Scope, length: u32, kind: Kind) -> String {
        let value = self.varied(scope);
        format!("({})({value} % {length})", kind.name())
    }

    /// A number of 64 bits that depends on an input.
    fn varied(&mut self, scope: &Scope) -> String {
        let input = self.random.below(self.choices.len());
        let other = Kind::any(&mut self.random);
        let other = scope.expression(&mut self.random, other, 1);
        let operator = *self.random.pick(&["+", "^", "-"]);
        format!("((uint64_t)in{input} {operator} (uint64_t){other})")
    }

    /// A condition that holds for few inputs.
    fn rare(&mut self, scope: &Scope) -> String {
        let value = self.varied(scope);
        match self.random.draw(3) {
            0 => format!("({value} & 31) == {}", self.random.draw(32)),
            1 => format!("{value} % 11 == {}", self.random.draw(11)),
            _ => format!("{value} == {}", self.random.draw(16)),
        }
    }

    /// An index into an array that is outside for some inputs.
    fn loose_index(&mut self, scope: &Scope, length: u32) -> String {
        let kind = *self.random.pick(&[INT, UNSIGNED, LONG, Kind { bits: 8, signed: true }]);
        let most = length + 1 + self.random.draw(2) * 5;
        let index = self.index(scope, most, kind);
        if kind.signed && self.random.one_in(2) { format!("({})({index} - 1)", kind.name()) } else { index }
    }

    /// An operation that goes wrong for some inputs, or one that is hard for the engine.
    pub(super) fn plant(&mut self, scope: &Scope) -> Statement {
        let target = scope.target(&mut self.random);
        let array = self.random.pick(&scope.arrays).clone();
        let line = match self.random.draw(29) {
            0..=2 => {
                let index = self.loose_index(scope, array.length);
                self.assigned(&target, &format!("READ({}, {index})", array.text))
            }
            3 | 4 => {
                let index = self.loose_index(scope, array.length);
                let value = scope.expression(&mut self.random, array.kind, 2);
                format!("WRITE({}, {index}, {value});", array.text)
            }
            5 | 6 => self.division(scope, &target),
            7 => self.shift(scope, &target),
            8 => self.behind(scope, &target),
            9 => {
                let kind = Kind::any(&mut self.random);
                let value = scope.expression(&mut self.random, kind, 2);
                let freed = self.rare(scope);
                self.assigned(&target, &format!("STALE({}, {value}, {freed})", kind.name()))
            }
            10 => format!("TWICE({});", self.rare(scope)),
            11 if self.random.one_in(2) => format!("INNER({} ? 4 : 0);", self.rare(scope)),
            11 => format!("FOREIGN({});", self.rare(scope)),
            12 => {
                let constant = self.rare(scope);
                let (index, value) = (self.index(scope, 3, UNSIGNED), scope.expression(&mut self.random, UNSIGNED, 2));
                format!("STORE({constant}, {index}, {value}); mix(loose[{}]);", self.random.draw(3))
            }
            13 => self.span(scope, &array),
            14 | 15 => self.text(scope, &target),
            16 => format!("ABORT({})", self.rare(scope)),
            17 => format!("CLAIM(!({}));", self.rare(scope)),
            18 => format!("if ({}) exit({});", self.rare(scope), 128 + self.random.draw(100)),
            19 | 20 => self.aim(scope),
            21..=24 => self.sized(scope, &target),
            25..=27 => self.scan(scope, &target, &array),
            _ => {
                let (a, b) = (self.varied(scope), scope.expression(&mut self.random, LONG, 2));
                self.assigned(&target, &format!("high_product({a}, {b})"))
            }
        };
        Statement::Line(line)
    }

    fn assigned(&mut self, target: &Place, value: &str) -> String {
        if self.random.one_in(4) {
            return format!("mix((uint64_t){value});");
        }
        format!("{} = ({}){value};", target.text, target.kind.name())
    }

    fn division(&mut self, scope: &Scope, target: &Place) -> String {
        let kind = Kind::any(&mut self.random);
        let by = self.loose_index(scope, 6);
        let value = scope.expression(&mut self.random, kind, 2);
        let operator = *self.random.pick(&["/", "%"]);
        self.assigned(target, &format!("DIVIDED({}, {value}, {operator}, {by})", kind.name()))
    }

    fn shift(&mut self, scope: &Scope, target: &Place) -> String {
        // A negative number must not be shifted to the left.
        let (operator, signed) = *self.random.pick(&[("<<", false), (">>", false), (">>", true)]);
        let kind = Kind { bits: *self.random.pick(&[32, 64]), signed };
        let by = self.loose_index(scope, kind.bits);
        let value = scope.expression(&mut self.random, kind, 2);
        self.assigned(target, &format!("SHIFTED({}, {value}, {operator}, {by})", kind.name()))
    }

    /// A read behind one of two addresses or null, as an input has it.
    fn behind(&mut self, scope: &Scope, target: &Place) -> String {
        let Some(one) = self.addressable(scope, None) else {
            return format!("ABORT({})", self.rare(scope));
        };
        let other = self.addressable(scope, Some(one.kind)).unwrap_or_else(|| one.clone());
        let (first, second) = (self.rare(scope), self.rare(scope));
        let (one, other) = (one.text, other.text);
        self.assigned(target, &format!("BEHIND({first} ? 0 : {second} ? &{one} : &{other})"))
    }

    /// memset and memcpy whose length depends on an input.
    fn span(&mut self, scope: &Scope, array: &Array) -> String {
        let size = array.length * array.kind.bits / 8;
        // Few lengths: check sums over bytes that may have been copied are hard for a solver.
        let shorter = self.index(scope, (size + 3).min(8), UNSIGNED);
        let length = format!("{} - {shorter}", size + 2);
        if self.random.one_in(2) {
            let byte = scope.expression(&mut self.random, Kind { bits: 8, signed: false }, 1);
            return format!("FILL({}, {byte}, {length});", array.text);
        }
        let others: Vec<Array> = scope.arrays.iter().filter(|other| other.text != array.text).cloned().collect();
        match others.is_empty() {
            true => format!("FILL({}, 1, {length});", array.text),
            false => format!("COPY({}, {}, {length});", array.text, self.random.pick(&others).text),
        }
    }

    /// A loop whose rounds depend on an input: states of it can be merged.
    fn scan(&mut self, scope: &Scope, target: &Place, array: &Array) -> String {
        let bits = self.varied(scope);
        let most = 2 + self.random.draw(5);
        let step = 1 + self.random.draw(3);
        let digit = self.random.draw(1 << step.min(2));
        let mask = (1 << step) - 1;
        let (name, length) = self.random.pick(&self.texts).clone();
        let found = self.assigned(target, "n_");
        match self.random.draw(5) {
            // Up to the first digit that is another one.
            0 => format!(
                "{{ uint64_t b_ = {bits}; unsigned n_ = 0; while (n_ < {most} && ((b_ >> n_ * {step}) & {mask}) == {digit}) n_++; {found} }}"
            ),
            // How often a digit is there.
            1 => format!(
                "{{ uint64_t b_ = {bits}; unsigned n_ = 0; for (unsigned i_ = 0; i_ < {most}; i_++) if (((b_ >> i_ * {step}) & {mask}) == {digit}) n_++; {found} }}"
            ),
            // The characters of a text that are in a set, as the paper's example.
            2 => format!(
                "write_text({name}, {length}, {bits}); {{ unsigned n_ = 0; for (const char *p_ = \"ab\"; *p_ && n_ < {length};) {{ if (*p_ == {name}[n_]) {{ n_++; p_ = \"ab\"; }} else p_++; }} {found} }}"
            ),
            // Cells up to a number are filled.
            3 => {
                let end = self.index(scope, array.length + 1, UNSIGNED);
                let value = scope.expression(&mut self.random, array.kind, 1);
                format!("{{ unsigned e_ = {end}; for (unsigned i_ = 0; i_ < e_; i_++) {}[i_] = {value}; }}", array.text)
            }
            // Backwards, with a way out in the middle.
            _ => format!(
                "{{ uint64_t b_ = {bits}; int n_ = {most}; while (n_ > 0) {{ n_--; if ((b_ >> n_ * {step} & {mask}) == {digit}) break; b_ += {step}; }} {found} }}"
            ),
        }
    }

    /// An object whose number of elements depends on an input, and an element of it that is
    /// outside for some.
    fn sized(&mut self, scope: &Scope, target: &Place) -> String {
        let kind = Kind::any(&mut self.random);
        let name = kind.name();
        let most = 2 + self.random.draw(14);
        let number = format!("1 + {}", self.index(scope, most, LONG));
        let at = self.loose_index(scope, most);
        let value = scope.expression(&mut self.random, kind, 1);
        let done = match self.random.draw(4) {
            0 => format!("VARIABLE({name}, {number}, {at}, {value})"),
            1 => {
                let other = format!("1 + {}", self.index(scope, 1 + most / 2, LONG));
                let (one, other) = if self.random.one_in(2) { (number, other) } else { (other, number) };
                format!("GROWN({name}, {one}, {other}, {at})")
            }
            _ => {
                let made = *self.random.pick(&[
                    "malloc(n_ * sizeof(T))",
                    "calloc(n_, sizeof(T))",
                    "realloc(malloc(1), n_ * sizeof(T))",
                    "aligned_alloc(16, n_ * sizeof(T))",
                ]);
                let made = made.replace("sizeof(T)", &format!("sizeof({name})"));
                let slides = self.random.draw(2);
                format!("BLOCK({name}, {made}, {number}, {slides}, {at}, {value})")
            }
        };
        self.assigned(target, &done)
    }

    /// A text that depends on an input, its length, or its order among others.
    fn text(&mut self, scope: &Scope, target: &Place) -> String {
        let (name, length) = self.random.pick(&self.texts).clone();
        let (other, _) = self.random.pick(&self.texts).clone();
        let bits = self.varied(scope);
        let write = format!("write_text({name}, {length}, {bits});");
        let used = match self.random.draw(3) {
            0 => self.assigned(target, &format!("TEXT_LENGTH({name})")),
            1 => self.assigned(target, &format!("TEXT_ORDER({name}, {other})")),
            _ => String::new(),
        };
        format!("{write} {used}")
    }

    /// A pointer gets one of two addresses. Those of globals are good for every pointer.
    fn aim(&mut self, scope: &Scope) -> String {
        let pointers: Vec<Place> = scope.pointers.clone();
        let fallback = format!("mix({});", self.varied(scope));
        if pointers.is_empty() {
            return fallback;
        }
        let pointer = self.random.pick(&pointers).clone();
        let globals = self.scope.clone();
        let Some(one) = self.addressable(&globals, Some(pointer.kind)) else { return fallback };
        let other = self.addressable(&globals, Some(pointer.kind)).unwrap_or_else(|| one.clone());
        // The place is what it points to: `(*p)`.
        let name = pointer.text.trim_matches(['(', '*', ')']).to_owned();
        let condition = self.varied(scope);
        format!("{name} = {condition} & 1 ? &{} : &{};", one.text, other.text)
    }

    /// A function that calls itself once or twice, as deep as its first argument says.
    pub(super) fn recursion(&mut self) {
        let name = self.name('c');
        let mut scope = self.scope.clone();
        scope.places.push(Place { text: "y".into(), kind: UNSIGNED, addressable: true });
        scope.counters.push(Place { text: "n".into(), kind: INT, addressable: false });
        let body = self.body(&mut scope, 0, 1, false);
        let (end, step) =
            (scope.expression(&mut self.random, UNSIGNED, 2), scope.expression(&mut self.random, UNSIGNED, 2));
        let second = if self.random.one_in(3) { format!(" + {name}(n - 2, y)") } else { String::new() };
        let head = format!("static UNUSED uint32_t {name}(int32_t n, uint32_t y)");
        let declarations = vec![format!("if (n <= 0 || fuel-- <= 0) return {end};")];
        let last = vec![format!("uint32_t got = {name}(n - 1, {step}){second};"), "return got ^ y;".into()];
        self.functions.push(Function { head, declarations, body, last });
        self.recursive.push(name);
    }

    /// A call of such a function.
    pub(super) fn descent(&mut self, scope: &Scope, target: &Place) -> String {
        let name = self.random.pick(&self.recursive).clone();
        let depth = self.index(scope, 5, INT);
        let value = scope.expression(&mut self.random, UNSIGNED, 2);
        format!("{} = {name}({depth}, {value});", target.text)
    }
}
