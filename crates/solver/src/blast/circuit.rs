//! Circuits for words: vectors of literals, least significant first.
//!
//! Constant bits cost nothing: every gate folds them, so adding a constant, multiplying by one, dividing by a small one or comparing
//! zero-extended words yields only the gates that matter. Loops whose length grows with the square of the width ask whether
//! building was stopped.

use super::gates::{Gates, Lit};

/// A bit-vector as literals, least significant first.
pub type Word = Vec<Lit>;

pub fn constant(width: usize, bit: impl Fn(usize) -> bool) -> Word {
    (0..width).map(|i| Lit::constant(bit(i))).collect()
}

pub fn not(a: &[Lit]) -> Word {
    a.iter().map(|lit| !*lit).collect()
}

pub fn zip(g: &mut Gates, a: &[Lit], b: &[Lit], gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
    a.iter().zip(b).map(|(a, b)| gate(g, *a, *b)).collect()
}

pub fn mux(g: &mut Gates, c: Lit, t: &[Lit], e: &[Lit]) -> Word {
    t.iter().zip(e).map(|(t, e)| g.mux(c, *t, *e)).collect()
}

pub fn add(g: &mut Gates, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = g.xor(a, b);
        sum.push(g.xor(half, carry));
        carry = g.majority(a, b, carry);
    }
    sum
}

pub fn sub(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Word {
    add(g, a, &not(b), Lit::TRUE)
}

pub fn negate(g: &mut Gates, a: &[Lit]) -> Word {
    add(g, &constant(a.len(), |_| false), &not(a), Lit::TRUE)
}

pub fn equal(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let bits = zip(g, a, b, Gates::equal);
    // A bit that differs for sure decides; the rest need not be built into a tree.
    if bits.contains(&Lit::FALSE) { Lit::FALSE } else { g.all(&bits) }
}

/// Unsigned `a < b`: the borrow of `a - b`.
pub fn less(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    a.iter().zip(b).fold(Lit::FALSE, |borrow, (a, b)| g.majority(!*a, *b, borrow))
}

/// Signed `a < b`: unsigned with the sign bits exchanged.
pub fn signed_less(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    if let (Some(a), Some(b)) = (a.last_mut(), b.last_mut()) {
        std::mem::swap(a, b);
    }
    less(g, &a, &b)
}

/// Product modulo 2^width: one row for each bit of `b`, the operand with more constant bits.
pub fn mul(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Word {
    let constants = |word: &[Lit]| word.iter().filter(|lit| lit.is_const()).count();
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    if b.iter().all(|lit| lit.is_const()) {
        return mul_constant(g, a, b);
    }
    let width = a.len();
    let mut sum = constant(width, |_| false);
    for (i, &bit) in b.iter().enumerate() {
        if g.stopped().is_some() {
            break;
        }
        if bit == Lit::FALSE {
            continue;
        }
        let row: Word = a[..width - i].iter().map(|lit| g.and(*lit, bit)).collect();
        let high = add(g, &sum[i..], &row, Lit::FALSE);
        sum.splice(i.., high);
    }
    sum
}

/// Product with a constant in signed digits: a run of ones is one addition and one subtraction.
fn mul_constant(g: &mut Gates, a: &[Lit], constant_word: &[Lit]) -> Word {
    let width = a.len();
    let bit = |i: usize| i < width && constant_word[i] == Lit::TRUE;
    let mut sum = constant(width, |_| false);
    let mut carry = false;
    for i in 0..width {
        if g.stopped().is_some() {
            break;
        }
        let here = bit(i) != carry;
        // A digit of -1 where a run of at least two ones begins; the carry continues the run.
        let minus = here && bit(i + 1);
        carry = if here { minus } else { carry && bit(i) };
        if here {
            let row = if minus { not(&a[..width - i]) } else { a[..width - i].to_vec() };
            let high = add(g, &sum[i..], &row, Lit::constant(minus));
            sum.splice(i.., high);
        }
    }
    sum
}

/// Quotient and remainder, digit by digit. A zero divisor gives all ones and the dividend without a special case.
pub fn divide(g: &mut Gates, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    // The remainder stays below the divisor, so a divisor with constant zeros at its high end needs a
    // narrower remainder; a divisor that may be zero has none (its remainder grows to the dividend).
    let significant = width - b.iter().rev().take_while(|lit| **lit == Lit::FALSE).count();
    let nonzero = b.contains(&Lit::TRUE);
    let size = if nonzero { significant } else { width };
    let mut divisor = b[..size].to_vec();
    divisor.push(Lit::FALSE);
    let mut remainder = constant(size, |_| false);
    let mut quotient = constant(width, |_| false);
    for i in (0..width).rev() {
        if g.stopped().is_some() {
            break;
        }
        let mut shifted = vec![a[i]];
        shifted.extend_from_slice(&remainder);
        let fits = !less(g, &shifted, &divisor);
        let difference = sub(g, &shifted, &divisor);
        quotient[i] = fits;
        remainder = mux(g, fits, &difference[..size], &shifted[..size]);
    }
    remainder.resize(width, Lit::FALSE);
    (quotient, remainder)
}

fn absolute(g: &mut Gates, a: &[Lit]) -> Word {
    let sign = a[a.len() - 1];
    let negated = negate(g, a);
    mux(g, sign, &negated, a)
}

fn with_sign(g: &mut Gates, sign: Lit, a: &[Lit]) -> Word {
    let negated = negate(g, a);
    mux(g, sign, &negated, a)
}

/// The operands of an unsigned division whose result, signed, is that of the signed one.
pub fn magnitudes(g: &mut Gates, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    (absolute(g, a), absolute(g, b))
}

pub fn signed_quotient(g: &mut Gates, a: &[Lit], b: &[Lit], quotient: &[Lit]) -> Word {
    let sign = g.xor(a[a.len() - 1], b[b.len() - 1]);
    with_sign(g, sign, quotient)
}

pub fn signed_remainder(g: &mut Gates, a: &[Lit], remainder: &[Lit]) -> Word {
    with_sign(g, a[a.len() - 1], remainder)
}

/// The direction of a shift, and what comes in at the other end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    Left,
    Right,
    /// Right, copying the sign.
    Arithmetic,
}

/// A shift by a word: one stage of choices for each bit of the amount that matters.
pub fn shift(g: &mut Gates, kind: Shift, a: &[Lit], by: &[Lit]) -> Word {
    let width = a.len();
    let fill = if kind == Shift::Arithmetic { a[width - 1] } else { Lit::FALSE };
    let mut word = a.to_vec();
    let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
    for (stage, &bit) in by.iter().enumerate().take(stages) {
        let distance = 1 << stage;
        let moved: Word = (0..width)
            .map(|i| match kind {
                Shift::Left => {
                    if i >= distance {
                        word[i - distance]
                    } else {
                        Lit::FALSE
                    }
                }
                Shift::Right | Shift::Arithmetic => {
                    if i + distance < width {
                        word[i + distance]
                    } else {
                        fill
                    }
                }
            })
            .collect();
        word = mux(g, bit, &moved, &word);
    }
    // The stages shift by anything below 2^stages; amounts from there on shift everything out. (An
    // amount between the width and 2^stages has shifted everything out already.)
    let beyond = if by.len() > stages { g.any(&by[stages..]) } else { Lit::FALSE };
    let emptied = vec![fill; width];
    mux(g, beyond, &emptied, &word)
}

/// The byte of `contents` at `index`, where `index` is surely below `contents.len()` rounded up to a power of two;
/// what lies between is unspecified.
pub fn look_up(g: &mut Gates, contents: &[u8], index: &[Lit]) -> [Lit; 8] {
    let first = contents[0];
    if contents.iter().all(|byte| *byte == first) {
        return std::array::from_fn(|i| Lit::constant(first >> i & 1 == 1));
    }
    // More than one byte left: the highest bit of the index that tells halves apart.
    let top = (usize::BITS - (contents.len() - 1).leading_zeros() - 1) as usize;
    let (low, high) = contents.split_at(1 << top);
    match index[top].known() {
        Some(false) => look_up(g, low, &index[..top]),
        Some(true) => look_up(g, high, &index[..top]),
        None => {
            let (low, high) = (look_up(g, low, &index[..top]), look_up(g, high, &index[..top]));
            std::array::from_fn(|i| g.mux(index[top], high[i], low[i]))
        }
    }
}
