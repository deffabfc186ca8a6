//! Printing does not fork: text that depends on the input is kept as terms and filled in for each test.
//!
//! The C library asks first (`__strata_may_defer`), and prints by its own code unless something symbolic is printed and nobody looks at
//! the length. See `runtime/musl/strata_hooks.h`.

use super::{Reply, Row, argument, plain_int};
use crate::end::End;
use crate::exec::Spot;
use crate::format::{Conversion, Piece as FormatPiece, parse};
use crate::machine::Machine;
use crate::state::{Output, Piece, State};
use std::sync::Arc;
use strata_memory::{INDEX, Object, Origin, Value};
use strata_term::{Op, Term, mentions};

pub(super) const ROWS: &[Row] = &[
    (&["__strata_may_defer"], may_defer),
    (&["__strata_print"], print),
    (&["__strata_may_defer_string"], may_defer_string),
    (&["__strata_print_string"], print_string),
];

/// The longest string that is kept as terms.
const LONGEST: u64 = 1 << 16;

/// Bytes of a string that are looked at together.
const PIECE: u64 = 64;

fn answer(yes: bool) -> Result<Reply, End> {
    Ok(Reply::Value(Value::bits(u64::from(yes))))
}

/// The stream that a call's descriptor leads to, if printing there may be deferred.
fn stream(state: &State, arguments: &[(Value, u32)]) -> Option<i32> {
    plain_int(arguments, 0).and_then(|descriptor| state.system.stream(descriptor))
}

fn may_defer(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let wanted = stream(state, arguments).is_some()
        && machine.length_is_unused(state)
        && machine.may_print_terms(state, arguments) == Some(true);
    let deferred = if wanted { machine.conversion(state, arguments)? } else { None };
    answer(deferred.is_some_and(|(_, symbolic)| symbolic))
}

fn print(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    if let (Some((conversion, _)), Some(descriptor)) = (machine.conversion(state, arguments)?, stream(state, arguments))
    {
        state.output.push(Output { descriptor, piece: Piece::Formatted(Arc::new(conversion)) });
    }
    Ok(Reply::Nothing)
}

fn may_defer_string(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let text = argument(arguments, 1);
    let symbolic = machine.plain_string(state, &text).is_none();
    answer(stream(state, arguments).is_some() && symbolic && machine.text_bytes(state, &text, None)?.is_some())
}

fn print_string(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    if let (Some(bytes), Some(descriptor)) =
        (machine.text_bytes(state, &argument(arguments, 1), None)?, stream(state, arguments))
    {
        state.output.push(Output { descriptor, piece: Piece::Text(bytes.into()) });
    }
    Ok(Reply::Nothing)
}

impl Machine<'_> {
    /// Does the user's code drop the result of the library call in progress?
    fn length_is_unused(&self, state: &State) -> bool {
        let own = state.stack.iter().find(|frame| self.image.is_own(frame.function));
        own.is_some_and(|frame| self.results(frame).is_empty())
    }

    /// May what is printed (`fd, format, va_list`) have terms in it? Most of it has none, which is seen without making one for each byte. None where
    /// that cannot be told.
    fn may_print_terms(&mut self, state: &mut State, arguments: &[(Value, u32)]) -> Option<bool> {
        let pieces = parse(&self.plain_string(state, &argument(arguments, 1))?)?;
        let mut list = VaList::new(self, state, &argument(arguments, 2))?;
        for piece in &pieces {
            let is_text = match piece {
                FormatPiece::Literal(_) => continue,
                FormatPiece::Star(_) => false,
                FormatPiece::Directive(directive) => directive.is_text(),
            };
            let value = list.next(self, state)?;
            if value.is_symbolic() || (is_text && self.plain_string(state, &value).is_none()) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The bytes of a string (terms of eight bits) up to a zero that is surely there, which is the last of them, or none where the end
    /// cannot be told.
    pub fn text_bytes(
        &mut self,
        state: &mut State,
        pointer: &Value,
        most: Option<usize>,
    ) -> Result<Option<Vec<Term>>, End> {
        let Some((number, offset, available, sure)) = text_place(state, pointer) else { return Ok(None) };
        let available = available.min(most.map_or(u64::MAX, |most| most as u64));
        let mut bytes = Vec::new();
        // Is no byte so far the end of the text?
        let mut goes_on = Term::bool(true);
        while (bytes.len() as u64) < available {
            let (at, left) = (offset + bytes.len() as u64, available - bytes.len() as u64);
            let object = state.space.object(number).expect("the string lies in it");
            let inside = sure.saturating_sub(at);
            let plain = object.contents.plain_start(at, left.min(PIECE).min(inside));
            let end = plain.iter().position(|byte| *byte == 0).map(|end| end + 1);
            bytes.extend(plain[..end.unwrap_or(plain.len())].iter().map(|byte| Term::number(8, u64::from(*byte))));
            if end.is_some() {
                return Ok(Some(bytes));
            }
            if (plain.len() as u64) < left.min(PIECE) {
                let spot = Spot::At { origin: number, offset: at + plain.len() as u64 };
                let beyond = inside <= plain.len() as u64;
                let mut byte = self.read(state, &spot, 1).to_term(8);
                let object = state.space.object(number).expect("the string lies in it");
                if beyond && !byte.is_zero() && !is_text(object, at + plain.len() as u64, &byte) {
                    return Ok(None);
                }
                if mentions(&byte, Op::Symbol) {
                    // What lies behind the end is not printed, whoever wrote it.
                    byte = self.settle(state, &Term::ite(&goes_on, &byte, &Term::number(8, 0)), "output")?;
                }
                if byte.is_zero() {
                    bytes.push(byte);
                    return Ok(Some(bytes));
                }
                goes_on = goes_on.and(&byte.ne(&Term::number(8, 0)));
                bytes.push(byte);
            }
        }
        Ok(if most == Some(bytes.len()) { Some(bytes) } else { None })
    }

    /// The format and its arguments (`fd, format, va_list`) as data, and whether anything in it is symbolic.
    fn conversion(&mut self, state: &mut State, arguments: &[(Value, u32)]) -> Result<Option<(Conversion, bool)>, End> {
        let Some(format) = self.plain_string(state, &argument(arguments, 1)) else { return Ok(None) };
        let Some(pieces) = parse(&format) else { return Ok(None) };
        let Some(mut list) = VaList::new(self, state, &argument(arguments, 2)) else { return Ok(None) };
        let (mut conversion, mut symbolic) = (Conversion::default(), false);
        let (mut width, mut precision) = (None, None);
        for piece in &pieces {
            match piece {
                FormatPiece::Literal(bytes) => conversion.literal(bytes),
                FormatPiece::Star(is_precision) => {
                    let Some(value) = list.next(self, state).and_then(|value| value.concrete()) else {
                        return Ok(None);
                    };
                    let value = value as i32;
                    *(if *is_precision { &mut precision } else { &mut width }) = Some(value);
                }
                FormatPiece::Directive(directive) => {
                    let mut directive = *directive;
                    directive = width.take().map_or(directive, |width| directive.with_width(width));
                    directive = precision.take().map_or(directive, |precision| directive.with_precision(precision));
                    let Some(value) = list.next(self, state) else { return Ok(None) };
                    if directive.is_text() {
                        let Some(bytes) = self.text_bytes(state, &value, directive.precision())? else {
                            return Ok(None);
                        };
                        symbolic |= bytes.iter().any(|byte| !byte.is_const());
                        conversion.text(directive, bytes);
                    } else {
                        let term = value.to_term(64).extract(directive.size() - 1, 0);
                        let term = self.settle(state, &term, "output")?;
                        symbolic |= !term.is_const();
                        conversion.argument(directive, term);
                    }
                }
            }
        }
        Ok(Some((conversion, symbolic)))
    }
}

/// The live object that a string starts in, where, and how much of it there is; and up to which
/// offset bytes are inside whatever they are. In an object that ends at the zero of a text those
/// behind are inside as long as they, and all from there on, are still that text's.
fn text_place(state: &State, pointer: &Value) -> Option<(Origin, u64, u64, u64)> {
    let address = pointer.concrete()?;
    let object = state.space.object(pointer.origin).or_else(|| state.space.find(address))?;
    if !object.is_live() || address < object.address {
        return None;
    }
    let offset = address - object.address;
    let text = object.extent.as_ref().is_some_and(|extent| extent.text.is_some());
    let (end, sure) = match object.sure() {
        sure if text && sure < object.size && offset < sure => (object.size, sure - 1),
        sure => (sure, sure),
    };
    Some((object.number, offset, end.checked_sub(offset)?.min(LONGEST), sure))
}

/// Is this byte of an object still the one of the text that says where the object ends?
fn is_text(object: &Object, at: u64, byte: &Term) -> bool {
    let text = object.extent.as_ref().and_then(|extent| extent.text.as_ref());
    text.is_some_and(|text| text.read(&Term::number(INDEX, at), 1) == *byte)
}

/// Walks the integers and pointers of an x86-64 va_list.
struct VaList {
    /// The next argument in memory.
    overflow: Value,
    /// The next one in a register, of `GENERAL` bytes of them.
    saved: Value,
    offset: u64,
}

/// Where the general registers of a va_list end, in bytes.
const GENERAL: u64 = 48;

impl VaList {
    fn new(machine: &mut Machine<'_>, state: &mut State, tag: &Value) -> Option<VaList> {
        let at = |offset: u64| Value::pointer(tag.bits + offset, tag.origin);
        let offset = read_plain(machine, state, &at(0), 4)?.concrete()?;
        let overflow = read_plain(machine, state, &at(8), 8)?;
        let mut saved = read_plain(machine, state, &at(16), 8)?;
        saved.bits = saved.concrete()?.wrapping_add(offset);
        Some(VaList { overflow, saved, offset })
    }

    fn next(&mut self, machine: &mut Machine<'_>, state: &mut State) -> Option<Value> {
        let next = if self.offset < GENERAL { &mut self.saved } else { &mut self.overflow };
        let value = read_plain(machine, state, next, 8)?;
        next.bits += 8;
        self.offset += if self.offset < GENERAL { 8 } else { 0 };
        Some(value)
    }
}

/// Bytes at a concrete address inside an object.
fn read_plain(machine: &mut Machine<'_>, state: &mut State, pointer: &Value, count: u64) -> Option<Value> {
    let address = pointer.concrete()?;
    let object = state.space.object(pointer.origin).or_else(|| state.space.find(address))?;
    let (number, offset) = (object.number, address.wrapping_sub(object.address));
    let inside = object.is_live() && object.holds(address, count);
    inside.then(|| machine.read(state, &Spot::At { origin: number, offset }, count))
}
