//! A path in execution: its stack, its memory, its constraints and what it has done so far.
//!
//! Everything is shared with the states it was forked from until one of them changes it. The stack's upper frame is a state's
//! own; the frames below are frozen into shared segments at a fork and copied out one at a time when a return reaches them.

use crate::code::Code;
use crate::format::{Conversion, until_zero};
use crate::fragment::{Landing, Member};
use crate::view::Mark;
use std::any::Any;
use std::sync::Arc;
use strata_memory::{Object, Origin, Space, Value};
use strata_query::{Model, Path};
use strata_term::{Term, eval, eval_bytes};

/// One call in progress.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The function.
    pub function: u32,
    /// The instruction to run next; in a caller, the call's own.
    pub pc: u32,
    /// Where its part of what calls hold starts.
    base: Base,
    /// How many of its values may be terms: those behind are constants.
    registers: u32,
    /// Distinguishes this call from all others of the path.
    pub serial: u64,
}

/// A position in each list of what calls hold.
#[derive(Clone, Copy, Debug, Default)]
struct Base {
    values: u32,
    objects: u32,
    surplus: u32,
}

/// What calls hold, the outermost's first. One list of each kind for all of them: lists of a call's own would be allocated for each.
#[derive(Clone, Default)]
struct Held {
    /// Registers, and constants behind them.
    values: Vec<Value>,
    /// Objects on the stack.
    objects: Vec<Origin>,
    /// Arguments beyond the parameters, with their widths.
    surplus: Vec<(Value, u32)>,
}

impl Held {
    fn end(&self) -> Base {
        let [values, objects, surplus] = [self.values.len(), self.objects.len(), self.surplus.len()].map(|n| n as u32);
        Base { values, objects, surplus }
    }

    fn split_off(&mut self, at: Base) -> Held {
        Held {
            values: self.values.split_off(at.values as usize),
            objects: self.objects.split_off(at.objects as usize),
            surplus: self.surplus.split_off(at.surplus as usize),
        }
    }

    /// Adds a part of another's.
    fn extend(&mut self, from: &Held, start: Base, end: Base) {
        self.values.extend_from_slice(&from.values[start.values as usize..end.values as usize]);
        self.objects.extend_from_slice(&from.objects[start.objects as usize..end.objects as usize]);
        self.surplus.extend_from_slice(&from.surplus[start.surplus as usize..end.surplus as usize]);
    }
}

struct Segment {
    below: Below,
    frames: Vec<Frame>,
    held: Held,
    /// Frames in this segment and those below.
    depth: u32,
}

/// Values that a stack gets room for when it has none: a fork's has just what it holds, and would grow at each of its next calls.
const ROOM: usize = 128;

/// A frozen part of a stack: the first `count` frames of a segment and all below it.
type Below = Option<(Arc<Segment>, u32)>;

/// The calls in progress.
#[derive(Default)]
pub struct Stack {
    below: Below,
    frames: Vec<Frame>,
    held: Held,
    serials: u64,
}

impl Stack {
    /// How many calls are in progress.
    #[inline]
    pub fn depth(&self) -> usize {
        self.frames.len()
            + self.below.as_ref().map_or(0, |(s, count)| (s.depth - s.frames.len() as u32 + count) as usize)
    }

    /// The running call.
    #[inline]
    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a running state has a frame")
    }

    /// The running call.
    #[inline]
    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running state has a frame")
    }

    /// The running call's registers.
    #[inline]
    pub(crate) fn registers(&mut self) -> &mut [Value] {
        let base = self.top().base.values as usize;
        &mut self.held.values[base..]
    }

    /// The running call's registers.
    #[inline]
    pub fn registers_ref(&self) -> &[Value] {
        &self.held.values[self.top().base.values as usize..]
    }

    /// The running call's objects on the stack, oldest first.
    #[inline]
    pub(crate) fn objects(&self) -> &[Origin] {
        &self.held.objects[self.top().base.objects as usize..]
    }

    /// Gives the running call an object.
    #[inline]
    pub(crate) fn add_object(&mut self, number: Origin) {
        self.held.objects.push(number);
    }

    /// Takes the running call's newest object from it, if it has more than `keep`.
    #[inline]
    pub(crate) fn take_object(&mut self, keep: usize) -> Option<Origin> {
        if self.objects().len() > keep { self.held.objects.pop() } else { None }
    }

    /// The running call's arguments beyond the parameters, with their widths.
    pub(crate) fn surplus(&self) -> &[(Value, u32)] {
        &self.held.surplus[self.top().base.surplus as usize..]
    }

    /// Keeps arguments beyond the parameters for the call just started.
    pub(crate) fn keep_surplus(&mut self, arguments: &[(Value, u32)]) {
        self.held.surplus.extend_from_slice(arguments);
    }

    /// Starts a call: registers all zero, constants behind them.
    #[inline]
    pub(crate) fn push(&mut self, function: u32, code: &Code) {
        let (base, count) = (self.held.end(), code.frame.len());
        let values = &mut self.held.values;
        if values.capacity() - values.len() < count || self.frames.len() == self.frames.capacity() {
            self.grow(count);
        }
        let (values, start) = (&mut self.held.values, base.values as usize);
        // Safety: there is room for them, and a value without a term is good for any number of copies.
        unsafe {
            code.frame.as_ptr().copy_to_nonoverlapping(values.as_mut_ptr().add(start), count);
            values.set_len(start + count);
        }
        for (at, term) in &code.terms {
            values[start + *at as usize] = term.clone();
        }
        self.serials += 1;
        self.frames.push(Frame { function, pc: 0, base, registers: code.registers, serial: self.serials });
    }

    /// Makes room for a call.
    #[cold]
    fn grow(&mut self, count: usize) {
        self.held.values.reserve(count.max(ROOM));
        self.frames.reserve(ROOM / 16);
    }

    /// The value of an operand of the running call.
    #[inline]
    pub(crate) fn operand(&self, operand: u32) -> &Value {
        &self.held.values[self.top().base.values as usize + operand as usize]
    }

    /// Moves the running call on behind the call that it is at. Gives its function, that call's position and its registers.
    #[inline]
    pub(crate) fn proceed(&mut self) -> (u32, u32, &mut [Value]) {
        let frame = self.frames.last_mut().expect("a running state has a frame");
        frame.pc += 1;
        (frame.function, frame.pc - 1, &mut self.held.values[frame.base.values as usize..])
    }

    /// Starts a call with these operands of the running one as arguments. Gives its registers.
    #[inline]
    pub(crate) fn call(&mut self, function: u32, callee: &Code, arguments: &[(u32, u32)]) -> &mut [Value] {
        let caller = self.top().base.values as usize;
        let base = self.held.values.len();
        self.push(function, callee);
        let (callers, values) = self.held.values.split_at_mut(base);
        for (param, (operand, _)) in callee.params.iter().zip(arguments) {
            let Value { bits, origin, ref term } = callers[caller + *operand as usize];
            let slot = &mut values[*param as usize];
            // Field by field: a value that is moved as a whole right after it was written in parts keeps the processor waiting.
            (slot.bits, slot.origin) = (bits, origin);
            if term.is_some() {
                slot.term = term.clone();
            }
        }
        if callee.variadic {
            let fetch = |(operand, width): &(u32, u32)| (callers[caller + *operand as usize].clone(), *width);
            self.held.surplus.extend(arguments.iter().skip(callee.params.len()).map(fetch));
        }
        values
    }

    /// Ends the running call. False when it was the last.
    #[inline]
    pub(crate) fn pop(&mut self) -> bool {
        let Some(Frame { base, registers, .. }) = self.frames.pop() else { return false };
        let (values, start) = (&mut self.held.values, base.values as usize);
        values[start..start + registers as usize].iter_mut().filter(|value| value.term.is_some()).for_each(drop_term);
        // Safety: fewer than there are, and what is left out has no terms: constants have none.
        unsafe { values.set_len(start) };
        self.held.objects.truncate(base.objects as usize);
        self.held.surplus.truncate(base.surplus as usize);
        if !self.frames.is_empty() {
            return true;
        }
        self.thaw()
    }

    /// Takes the uppermost frozen frame back. Apart from `pop`, which is called for every return and needs few registers.
    #[inline(never)]
    fn thaw(&mut self) -> bool {
        let Some((segment, count)) = self.below.take() else { return false };
        let at = count as usize - 1;
        let mut frame = segment.frames[at];
        let end = segment.frames.get(at + 1).map_or_else(|| segment.held.end(), |next| next.base);
        self.held.extend(&segment.held, frame.base, end);
        frame.base = Base::default();
        self.frames.push(frame);
        self.below = if at == 0 { segment.below.clone() } else { Some((segment, at as u32)) };
        true
    }

    /// Another stack in the same position. Freezes all but the running call.
    fn fork(&mut self) -> Stack {
        self.freeze();
        Stack { below: self.below.clone(), frames: self.frames.clone(), held: self.held.clone(), serials: self.serials }
    }

    /// Freezes all but the running call.
    pub(crate) fn freeze(&mut self) {
        if self.frames.len() > 1 {
            let mut top = self.frames.pop().expect("there are two");
            let held = self.held.split_off(top.base);
            top.base = Base::default();
            let depth = self.depth() as u32;
            let frames = std::mem::replace(&mut self.frames, vec![top]);
            let count = frames.len() as u32;
            let below = self.below.take();
            let segment = Segment { below, frames, held: std::mem::replace(&mut self.held, held), depth };
            self.below = Some((Arc::new(segment), count));
        }
    }

    /// Is the running call the same one, at the same position, with the same objects?
    pub(crate) fn top_fits(&self, other: &Stack) -> bool {
        let key = |frame: &Frame| (frame.function, frame.pc, frame.serial, frame.registers);
        key(self.top()) == key(other.top())
            && self.registers_ref().len() == other.registers_ref().len()
            && self.objects() == other.objects()
            && same_values(self.surplus().iter().map(|(v, _)| v), other.surplus().iter().map(|(v, _)| v))
    }

    /// Are the frozen calls the same, with the same values? What both share is not looked at.
    pub(crate) fn rests_on(&self, other: &Stack) -> bool {
        let (mut a, mut b) = (self.below.clone(), other.below.clone());
        loop {
            let ((one, i), (two, j)) = match (&a, &b) {
                (None, None) => return true,
                (Some(a), Some(b)) => ((&a.0, a.1 as usize - 1), (&b.0, b.1 as usize - 1)),
                (None, Some(_)) | (Some(_), None) => return false,
            };
            if Arc::ptr_eq(one, two) && i == j {
                return true;
            }
            if !one.frame_is(i, two, j) {
                return false;
            }
            (a, b) = (one.under(i), two.under(j));
        }
    }

    /// Gives no call a number that the other gave.
    pub(crate) fn reserve_as(&mut self, other: &Stack) {
        self.serials = self.serials.max(other.serials);
    }

    /// The calls in progress, innermost first.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        let mut below = self.below.as_ref();
        let mut left = below.map_or(0, |(_, count)| *count);
        let frozen = std::iter::from_fn(move || {
            if left == 0 {
                below = below.and_then(|(segment, _)| segment.below.as_ref());
                left = below.map_or(0, |(_, count)| *count);
            }
            let (segment, _) = below?;
            left = left.checked_sub(1)?;
            Some(&segment.frames[left as usize])
        });
        self.frames.iter().rev().chain(frozen)
    }
}

impl Segment {
    /// What the frame `i` holds.
    fn range(&self, i: usize) -> (Base, Base) {
        let end = self.frames.get(i + 1).map_or_else(|| self.held.end(), |next| next.base);
        (self.frames[i].base, end)
    }

    /// Is the frame `i` the same as another segment's `j`?
    fn frame_is(self: &Arc<Segment>, i: usize, other: &Arc<Segment>, j: usize) -> bool {
        let key = |frame: &Frame| (frame.function, frame.pc, frame.serial, frame.registers);
        let ((from, to), (start, end)) = (self.range(i), other.range(j));
        let values = |segment: &'_ Segment, from: Base, to: Base| {
            segment.held.values[from.values as usize..to.values as usize].to_vec()
        };
        let objects = |segment: &'_ Segment, from: Base, to: Base| {
            segment.held.objects[from.objects as usize..to.objects as usize].to_vec()
        };
        let surplus = |segment: &'_ Segment, from: Base, to: Base| {
            segment.held.surplus[from.surplus as usize..to.surplus as usize].to_vec()
        };
        key(&self.frames[i]) == key(&other.frames[j])
            && same_values(values(self, from, to).iter(), values(other, start, end).iter())
            && objects(self, from, to) == objects(other, start, end)
            && same_values(
                surplus(self, from, to).iter().map(|(value, _)| value),
                surplus(other, start, end).iter().map(|(value, _)| value),
            )
    }

    /// What lies under the frame `i`.
    fn under(self: &Arc<Segment>, i: usize) -> Below {
        if i == 0 { self.below.clone() } else { Some((self.clone(), i as u32)) }
    }
}

/// Are the values the same, one by one?
fn same_values<'a>(a: impl Iterator<Item = &'a Value>, b: impl Iterator<Item = &'a Value>) -> bool {
    a.map(|v| (v.bits, v.origin, &v.term)).eq(b.map(|v| (v.bits, v.origin, &v.term)))
}

#[cold]
fn drop_term(value: &mut Value) {
    value.term = None;
}

/// Drops long chains of segments without recursion.
impl Drop for Segment {
    fn drop(&mut self) {
        let mut next = self.below.take();
        while let Some((segment, _)) = next {
            next = Arc::into_inner(segment).and_then(|mut segment| segment.below.take());
        }
    }
}

/// A symbolic input that the path made.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name, as the program gave it.
    pub name: String,
    /// Its bytes.
    pub array: Term,
    /// How many; the most that there can be where their number is a term.
    pub size: u64,
    /// The number of bytes where that is a term, 64 bits wide: each test has its own.
    pub length: Option<Term>,
}

/// A persistent list, newest first.
#[derive(Debug)]
pub struct List<T>(Option<Arc<Link<T>>>);

#[derive(Debug)]
struct Link<T> {
    item: T,
    length: usize,
    before: List<T>,
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        List(self.0.clone())
    }
}

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List(None)
    }
}

impl<T> List<T> {
    /// Adds an item.
    pub fn push(&mut self, item: T) {
        let length = self.len() + 1;
        let before = std::mem::take(self);
        self.0 = Some(Arc::new(Link { item, length, before }));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Are both one list, not just equal ones?
    pub fn is(&self, other: &List<T>) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    /// The longest list that both extend.
    pub fn common(&self, other: &List<T>) -> List<T> {
        let shorter = self.len().min(other.len());
        let (mut a, mut b) = (self, other);
        while a.len() > shorter {
            let Some(link) = &a.0 else { break };
            a = &link.before;
        }
        while b.len() > shorter {
            let Some(link) = &b.0 else { break };
            b = &link.before;
        }
        while !a.is(b) {
            let (Some(one), Some(two)) = (&a.0, &b.0) else { break };
            (a, b) = (&one.before, &two.before);
        }
        a.clone()
    }

    /// Newest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut at = self;
        std::iter::from_fn(move || {
            let link = at.0.as_ref()?;
            at = &link.before;
            Some(&link.item)
        })
    }

    /// Oldest first.
    pub fn to_vec(&self) -> Vec<&T> {
        let mut items: Vec<&T> = self.iter().collect();
        items.reverse();
        items
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.0.take();
        }
    }
}

/// What a path wrote to a descriptor.
#[derive(Clone, Debug)]
pub struct Output {
    /// 1 for standard output, 2 for standard error.
    pub descriptor: i32,
    /// What.
    pub piece: Piece,
}

/// A piece of output: known now, or filled in from each test's own input.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Plain bytes.
    Bytes(Arc<[u8]>),
    /// Bytes some of which are terms of eight bits.
    Terms(Arc<[Term]>),
    /// Bytes up to the first zero.
    Text(Arc<[Term]>),
    /// So many of the bytes: the number is 64 bits wide.
    Start(Arc<[Term]>, Term),
    /// A conversion of printf.
    Formatted(Arc<Conversion>),
}

impl Piece {
    /// The bytes for an input.
    pub fn bytes(&self, model: &Model) -> Vec<u8> {
        match self {
            Piece::Bytes(plain) => plain.to_vec(),
            Piece::Terms(terms) => eval_bytes(terms, model),
            Piece::Text(terms) => until_zero(terms, None, model),
            Piece::Start(terms, count) => {
                let count = eval(count, model).low_u64().min(terms.len() as u64);
                eval_bytes(&terms[..count as usize], model)
            }
            Piece::Formatted(conversion) => conversion.render(model),
        }
    }
}

/// The branches taken in the user's own code: how many, and a hash of their sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// How many.
    pub count: u64,
    /// Of sites and sides, in order.
    pub hash: u64,
}

impl Trace {
    /// Adds a branch. The native runtime computes the same.
    #[inline(always)]
    pub fn add(&mut self, site: u32, side: u32) {
        let word = (u64::from(site) << 16).wrapping_add(u64::from(side));
        self.hash = (self.hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
        self.count += 1;
    }
}

/// What the modelled system keeps for a path. The interpreter does not look inside.
pub trait System: Send + Sync {
    /// A copy for a fork that is about to change it.
    fn copy(&self) -> Arc<dyn System>;
    /// Where what is written to a descriptor goes, if that is standard output (1) or error (2), nobody reads it back, and a write cannot fail: then
    /// printing may be deferred.
    fn stream(&self, descriptor: i32) -> Option<i32> {
        matches!(descriptor, 1 | 2).then_some(descriptor)
    }
    /// Is it the same as another path's, as far as a program can tell? False where nobody looked.
    fn same(&self, _other: &dyn System) -> bool {
        false
    }
    /// For the crate that made it.
    fn as_any(&self) -> &dyn Any;
    /// For the crate that made it.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// A path in execution.
pub struct State {
    /// Its constraints.
    pub path: Path,
    /// A model of them, when one is at hand.
    pub witness: Option<Arc<Model>>,
    /// The image whose functions it calls, by number.
    pub(crate) image: u64,
    /// Its calls.
    pub(crate) stack: Stack,
    /// Its memory.
    pub(crate) space: Space,
    /// Its symbolic inputs.
    pub inputs: List<Input>,
    /// What the program would like its tests to fulfil, newest first.
    pub preferences: List<Term>,
    /// What it wrote.
    pub output: List<Output>,
    /// How much of that somebody who wants to see it was told.
    pub(crate) told: usize,
    /// The branches it took.
    pub trace: Trace,
    /// Instructions run.
    pub instructions: u64,
    /// Forks since the start.
    pub depth: u32,
    /// The number of forks at which each of its ancestors went which way: replays the path. True: the first successor.
    pub decisions: List<u32>,
    /// Did it reach code nobody reached before since it was last picked?
    pub covered_new: bool,
    /// Instructions (of this path) when it last reached new code.
    pub covered_at: u64,
    /// A value nobody wrote decided something.
    pub depends_on_uninit: bool,
    /// The first call whose result a native run may see otherwise.
    pub depends_on_engine: Option<&'static str>,
    /// Does an input hold an address of an object?
    pub depends_on_address: bool,
    /// Some value nobody wrote was read: terms may contain one.
    pub(crate) saw_uninit: bool,
    /// Causes that make what follows incomplete (a concretisation), with this path going on.
    pub notes: List<crate::end::Cause>,
    /// Pointers without an origin that were resolved: what object this term points into.
    pub(crate) resolved: List<(Term, Origin)>,
    /// Sizes and code addresses that were forked over: what this term is.
    pub(crate) pinned: List<(Term, u64)>,
    /// The least and the largest value of indices that were looked at.
    pub(crate) windows: List<(Term, u64, u64)>,
    /// Functions that calls are led to instead of others, newest first.
    pub(crate) aliases: List<(u32, u32)>,
    /// Where longjmp may go: number, the frame's serial, its position.
    pub(crate) jumps: List<(u64, u64, u32)>,
    /// Numbers given to fresh things of this path.
    pub(crate) fresh: u32,
    /// Forking is forbidden by the program: go one way only.
    pub(crate) single: bool,
    /// Bytes of live stack objects.
    pub(crate) stack_bytes: u64,
    /// Shared with the machine that ran it last, whose windows still view its pages. Both lose it when the pages are shared by a fork.
    pub(crate) viewer: Mark,
    /// Words that the engine's hooks keep for a path (thread pointer …).
    pub thread_pointer: Value,
    /// The modelled system's part.
    pub system: Arc<dyn System>,
    /// The fragments that it is in, the innermost last.
    pub members: Vec<Member>,
    /// Where it stopped for other states, until they are done with.
    pub landing: Option<Landing>,
    /// It was stopped at the landing where it is, and goes on.
    pub(crate) rested: bool,
    /// It stands for several paths: what its branches were is not known.
    pub merged: bool,
    /// Which of the starting states it came of.
    pub origin: u32,
}

impl State {
    /// A state before its first instruction.
    pub fn new(space: Space, system: Arc<dyn System>) -> State {
        State {
            path: Path::default(),
            witness: Some(Arc::new(Model::default())),
            image: 0,
            stack: Stack::default(),
            space,
            inputs: List::default(),
            preferences: List::default(),
            output: List::default(),
            told: 0,
            trace: Trace::default(),
            instructions: 0,
            depth: 0,
            decisions: List::default(),
            covered_new: false,
            covered_at: 0,
            depends_on_uninit: false,
            depends_on_engine: None,
            depends_on_address: false,
            saw_uninit: false,
            notes: List::default(),
            resolved: List::default(),
            pinned: List::default(),
            windows: List::default(),
            aliases: List::default(),
            jumps: List::default(),
            fresh: 0,
            single: false,
            stack_bytes: 0,
            viewer: None,
            thread_pointer: Value::default(),
            system,
            members: Vec::new(),
            landing: None,
            rested: false,
            merged: false,
            origin: 0,
        }
    }

    /// Another state in the same position.
    pub fn fork(&mut self) -> Box<State> {
        self.viewer = None;
        Box::new(State {
            path: self.path.clone(),
            witness: self.witness.clone(),
            image: self.image,
            stack: self.stack.fork(),
            space: self.space.fork(),
            inputs: self.inputs.clone(),
            preferences: self.preferences.clone(),
            output: self.output.clone(),
            told: self.told,
            trace: self.trace,
            instructions: self.instructions,
            depth: self.depth,
            decisions: self.decisions.clone(),
            covered_new: false,
            covered_at: self.covered_at,
            depends_on_uninit: self.depends_on_uninit,
            depends_on_engine: self.depends_on_engine,
            depends_on_address: self.depends_on_address,
            saw_uninit: self.saw_uninit,
            notes: self.notes.clone(),
            resolved: self.resolved.clone(),
            pinned: self.pinned.clone(),
            windows: self.windows.clone(),
            aliases: self.aliases.clone(),
            jumps: self.jumps.clone(),
            fresh: self.fresh,
            single: self.single,
            stack_bytes: self.stack_bytes,
            viewer: None,
            thread_pointer: self.thread_pointer.clone(),
            system: self.system.clone(),
            members: self.members.clone(),
            landing: self.landing,
            rested: self.rested,
            merged: self.merged,
            origin: self.origin,
        })
    }

    /// Ends the life of the running call's objects beyond the first `keep`. `leave` closes the
    /// windows on each of them.
    pub(crate) fn release(&mut self, keep: usize, mut leave: impl FnMut(&Object)) {
        while let Some(number) = self.stack.take_object(keep) {
            self.space.take(number, |object| {
                // One of symbolic size was not counted.
                let size = if object.extent.is_none() { object.size } else { 0 };
                self.stack_bytes -= size.min(self.stack_bytes);
                leave(object);
            });
        }
    }

    /// Its calls.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The function that a call of this one goes to. Led once: the way from one alias to another is not followed, as in KLEE.
    pub(crate) fn alias(&self, function: u32) -> u32 {
        self.aliases.iter().find(|(from, _)| *from == function).map_or(function, |(_, to)| *to)
    }

    /// The modelled system's part, to be changed.
    pub fn system_mut<T: System + 'static>(&mut self) -> Option<&mut T> {
        if Arc::get_mut(&mut self.system).is_none() {
            self.system = self.system.copy();
        }
        Arc::get_mut(&mut self.system)?.as_any_mut().downcast_mut()
    }

    /// The modelled system's part.
    pub fn system_ref<T: System + 'static>(&self) -> Option<&T> {
        self.system.as_any().downcast_ref()
    }

    /// The innermost positions of all calls: function and instruction.
    pub fn backtrace(&self) -> Vec<(u32, u32)> {
        self.stack.iter().map(|frame| (frame.function, frame.pc)).collect()
    }
}
