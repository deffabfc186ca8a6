//! A hashed graph of Boolean gates: the target of blasting, the source of clauses.
//!
//! Gates are and, exclusive or, choice and majority over literals. The last three could be built of ands, but each has a
//! short set of clauses of its own that propagates better than the sum of its parts, and comparators and adders are chains of them.
//! Constructors fold constants, equal and opposite inputs, normalise signs, and find an equal gate by hashing.
//!
//! A meter bounds what one question may build. When it runs out, `stopped` tells why and every constructor gives
//! false at once: results are garbage from then on, loops end quickly, and the owner discards the graph. This
//! keeps a check of a result out of every line of every circuit.

use hashbrown::HashTable;
use strata_query::{Budget, Reason};

/// A gate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_const(self) -> bool {
        self.0 < 2
    }

    /// The value, if it is constant.
    pub fn known(self) -> Option<bool> {
        self.is_const().then_some(self == Lit::TRUE)
    }

    fn xor(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }

    fn opposes(self, other: Lit) -> bool {
        self.0 ^ other.0 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a gate computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// A free variable (the node of the constants is one, too, and never used).
    Input,
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// The second if the first, else the third.
    Mux(Lit, Lit, Lit),
    /// At least two of three.
    Maj(Lit, Lit, Lit),
}

impl Gate {
    pub fn inputs(&self) -> impl Iterator<Item = Lit> + use<> {
        let (lits, count) = match *self {
            Gate::Input => ([Lit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, b], 2),
            Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => ([a, b, c], 3),
        };
        lits.into_iter().take(count)
    }
}

/// How many gates are built between two looks at the clock.
const PER_LOOK: usize = 4096;
/// Bytes that a gate takes here; its clauses are counted where they are made.
pub const BYTES_PER_GATE: usize = 64;

#[derive(Default)]
pub struct Gates {
    gates: Vec<Gate>,
    /// How many gates use each gate, up to two.
    uses: Vec<u8>,
    index: HashTable<u32>,
    budget: Budget,
    next_look: usize,
    stopped: Option<Reason>,
}

fn hash(gate: &Gate) -> u64 {
    let (tag, a, b, c) = match *gate {
        Gate::Input => (0, 0, 0, 0),
        Gate::And(a, b) => (1, a.0, b.0, 0),
        Gate::Xor(a, b) => (2, a.0, b.0, 0),
        Gate::Mux(a, b, c) => (3, a.0, b.0, c.0),
        Gate::Maj(a, b, c) => (4, a.0, b.0, c.0),
    };
    let mut h = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h ^= h >> 29 ^ (u64::from(c) << 3 | tag);
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^ h >> 32
}

impl Gates {
    pub fn new() -> Gates {
        Gates { gates: vec![Gate::Input], uses: vec![0], ..Gates::default() }
    }

    /// Sets what the next question may cost.
    pub fn allow(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.next_look = self.gates.len() + PER_LOOK;
    }

    /// Why building was stopped, if it was.
    pub fn stopped(&self) -> Option<&Reason> {
        self.stopped.as_ref()
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// Is the gate an input of at most one other?
    pub fn used_once(&self, node: usize) -> bool {
        self.uses[node] < 2
    }

    /// Looks at the clock now.
    pub fn look(&mut self) {
        self.next_look = self.gates.len() + PER_LOOK;
        if self.stopped.is_none() {
            let too_big = self.budget.memory.is_some_and(|limit| self.gates.len() * BYTES_PER_GATE > limit);
            self.stopped = if too_big { Some(Reason::Memory) } else { self.budget.exceeded() };
        }
        if self.stopped.is_some() {
            self.next_look = self.gates.len();
        }
    }

    fn push(&mut self, gate: Gate) -> Lit {
        if self.gates.len() >= self.next_look {
            self.look();
            if self.stopped.is_some() {
                return Lit::FALSE;
            }
        }
        for input in gate.inputs() {
            let uses = &mut self.uses[input.node()];
            *uses = (*uses + 1).min(2);
        }
        self.gates.push(gate);
        self.uses.push(0);
        Lit((self.gates.len() as u32 - 1) << 1)
    }

    pub fn input(&mut self) -> Lit {
        self.push(Gate::Input)
    }

    fn find(&mut self, gate: Gate) -> Lit {
        let h = hash(&gate);
        if let Some(&node) = self.index.find(h, |&node| self.gates[node as usize] == gate) {
            return Lit(node << 1);
        }
        let lit = self.push(gate);
        if !lit.is_const() {
            let gates = &self.gates;
            self.index.insert_unique(h, lit.0 >> 1, |&node| hash(&gates[node as usize]));
        }
        lit
    }

    fn as_and(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.gates[lit.node()] {
            Gate::And(a, b) => Some((a, b)),
            Gate::Input | Gate::Xor(..) | Gate::Mux(..) | Gate::Maj(..) => None,
        }
    }

    pub fn and(&mut self, mut a: Lit, mut b: Lit) -> Lit {
        if a == Lit::FALSE || b == Lit::FALSE || a.opposes(b) {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if b == Lit::TRUE {
            return a;
        }
        // One level down: x & (x & y), x & (!x & y), x & !(x & y), x & !(!x & y).
        for (this, other) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.as_and(other) {
                match other.negated() {
                    false if this == p || this == q => return other,
                    false if this.opposes(p) || this.opposes(q) => return Lit::FALSE,
                    true if this.opposes(p) || this.opposes(q) => return this,
                    true if this == p => return self.and(this, !q),
                    true if this == q => return self.and(this, !p),
                    true | false => {}
                }
            }
        }
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        self.find(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.negated() ^ b.negated();
        let (mut a, mut b) = (a.xor(a.negated()), b.xor(b.negated()));
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        let plain = match () {
            () if a == b => Lit::FALSE,
            () if a == Lit::FALSE => b,
            () => self.find(Gate::Xor(a, b)),
        };
        plain.xor(negate)
    }

    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    pub fn mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if let Some(value) = c.known() {
            return if value { t } else { e };
        }
        if c.negated() {
            return self.mux(!c, e, t);
        }
        if t == e {
            return t;
        }
        if t.opposes(e) {
            return self.xor(c, e);
        }
        if t == Lit::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Lit::FALSE || t.opposes(c) {
            return self.and(!c, e);
        }
        if e == Lit::TRUE || e.opposes(c) {
            return self.or(!c, t);
        }
        if e == Lit::FALSE || e == c {
            return self.and(c, t);
        }
        let negate = t.negated();
        self.find(Gate::Mux(c, t.xor(negate), e.xor(negate))).xor(negate)
    }

    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        // Constants sort first.
        if a == Lit::FALSE {
            return self.and(b, c);
        }
        if a == Lit::TRUE {
            return self.or(b, c);
        }
        if a == b || b == c {
            return b;
        }
        if a.opposes(b) {
            return c;
        }
        if b.opposes(c) {
            return a;
        }
        let negate = [a, b, c].iter().filter(|lit| lit.negated()).count() >= 2;
        self.find(Gate::Maj(a.xor(negate), b.xor(negate), c.xor(negate))).xor(negate)
    }

    /// The conjunction, as a balanced tree.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut layer: Vec<Lit> = lits.to_vec();
        while layer.len() > 1 {
            layer = layer.chunks(2).map(|pair| if let [a, b] = pair { self.and(*a, *b) } else { pair[0] }).collect();
        }
        layer.first().copied().unwrap_or(Lit::TRUE)
    }

    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|lit| !*lit).collect();
        !self.all(&negated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(gates: &Gates, lit: Lit, inputs: u32) -> bool {
        let of = |l| value(gates, l, inputs);
        let plain = match gates.gate(lit.node()) {
            Gate::Input => lit.node() > 0 && inputs >> (lit.node() - 1) & 1 == 1,
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Mux(c, t, e) => {
                if of(c) {
                    of(t)
                } else {
                    of(e)
                }
            }
            Gate::Maj(a, b, c) => u32::from(of(a)) + u32::from(of(b)) + u32::from(of(c)) >= 2,
        };
        plain != lit.negated()
    }

    /// Every gate over every choice of (possibly constant, negated or compound) inputs means what its name says.
    #[test]
    fn simplification_keeps_the_meaning() {
        let mut gates = Gates::new();
        gates.allow(&Budget::default());
        let [x, y, z] = [gates.input(), gates.input(), gates.input()];
        let mut pool = vec![Lit::FALSE, Lit::TRUE, x, !x, y, !y, z, !z];
        for (a, b) in [(x, y), (!x, y), (x, !z), (!y, !z)] {
            let (p, q) = (gates.and(a, b), gates.xor(a, b));
            pool.extend([p, !p, q, !q]);
        }
        for &a in &pool {
            for &b in &pool {
                let (and, or, xor) = (gates.and(a, b), gates.or(a, b), gates.xor(a, b));
                for &c in &pool {
                    let (mux, maj) = (gates.mux(a, b, c), gates.majority(a, b, c));
                    for inputs in 0..8 {
                        let v = |l| value(&gates, l, inputs);
                        let (p, q, r) = (v(a), v(b), v(c));
                        assert_eq!((v(and), v(or), v(xor)), (p && q, p || q, p != q));
                        assert_eq!(v(mux), if p { q } else { r });
                        assert_eq!(v(maj), [p, q, r].iter().filter(|v| **v).count() >= 2);
                    }
                }
            }
        }
    }

    #[test]
    fn a_spent_budget_stops_building() {
        let mut gates = Gates::new();
        gates.allow(&Budget { memory: Some(10_000 * BYTES_PER_GATE), ..Budget::default() });
        let mut chain = gates.input();
        for _ in 0..100_000 {
            let fresh = gates.input();
            chain = gates.xor(chain, fresh);
        }
        assert_eq!(gates.stopped(), Some(&Reason::Memory));
        assert!(gates.len() < 20_000);
    }
}
