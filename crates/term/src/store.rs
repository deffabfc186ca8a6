//! The store: every distinct term exists once, is named by a 32-bit id, and is reclaimed when nobody holds it.
//!
//! A term is a 20-byte node in a slab; a hash table per shard finds an equal one. Handles (`Term`) count references,
//! and a node counts as a holder of its arguments. When a count falls to zero the id goes into a queue of the
//! dropping thread; the queue is emptied in batches, so a term that is dropped and made again shortly after
//! is found, not rebuilt. Emptying is iterative: dropping a chain of a million nodes uses no stack.
//!
//! Why counts and not mark-and-sweep: a collector needs every holder (states, memory, caches of several threads) to be listed
//! as a root, and a forgotten one turns into a different term without notice. A count costs a few nanoseconds and cannot
//! be forgotten. Why one store for the process: a handle stays four bytes and can find its node in `Drop`.
//!
//! All `unsafe` of this crate is here. The argument:
//! - A node is written only while its shard is locked and its count is zero with no entry in the table, so no
//!   other thread can name it. It is published through the lock, or through a handle sent by other means.
//! - A node is read through a handle (count at least one: it cannot be freed) or under its shard's lock.
//! - A count rises from zero only under the shard's lock (a table hit), and a node is freed only under the same lock after
//!   its count was seen to be zero. So nobody holds what is freed.
//! - Slabs are never moved or returned: a pointer into one stays valid. Freed slots are used again.

use crate::bits::Bits;
use crate::op::Op;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The widest bit-vector.
pub const MAX_WIDTH: u32 = u16::MAX as u32;

/// A handle on a term: four bytes, counted. Equal terms have equal handles.
#[repr(transparent)]
pub struct Term(NonZeroU32);

/// What does not fit into a node's words.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Payload {
    Number(Bits),
    Name(Box<str>),
    Bytes(Arc<[u8]>),
}

/// The contents of a node before it has an identity.
pub(crate) struct Key {
    pub op: Op,
    /// Is the sort an array (with `width` bits of index) rather than a bit-vector?
    pub array: bool,
    pub width: u32,
    /// Ids of the argument terms, then immediate words.
    pub words: [u32; 3],
    pub payload: Option<Payload>,
}

#[repr(C)]
pub(crate) struct Node {
    count: AtomicU32,
    pub op: Op,
    /// `ARRAY`, `OPEN` and `CLAUSE`.
    marks: u8,
    width: u16,
    /// Ids of the argument terms, then immediate words; a payload's address is in the last two.
    pub words: [u32; 3],
}

const _: () = assert!(size_of::<Node>() == 20);

/// The sort is an array.
const ARRAY: u8 = 1;
/// The bound variable occurs outside a clause: the term has no value of its own.
const OPEN: u8 = 2;
/// There is a clause in the term.
const CLAUSE: u8 = 4;

const SHARD_BITS: u32 = 6;
const FIRST_SLAB_BITS: u32 = 8;
const SLABS: usize = (32 - SHARD_BITS - FIRST_SLAB_BITS + 1) as usize;

struct Shard {
    slabs: [AtomicPtr<Node>; SLABS],
    table: Mutex<Table>,
    live: AtomicUsize,
}

struct Table {
    /// Local indices of the live nodes.
    index: HashTable<u32>,
    /// Local index of the first free slot; each free slot holds the next one in `words[0]`.
    free: u32,
    /// Slots ever used.
    used: u32,
}

static SHARDS: [Shard; 1 << SHARD_BITS] = [const {
    Shard {
        slabs: [const { AtomicPtr::new(std::ptr::null_mut()) }; SLABS],
        table: Mutex::new(Table { index: HashTable::new(), free: 0, used: 0 }),
        live: AtomicUsize::new(0),
    }
}; 1 << SHARD_BITS];

fn mix(mut h: u64) -> u64 {
    h ^= h >> 32;
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^= h >> 32;
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^ h >> 32
}

fn hash(op: Op, array: bool, width: u32, words: [u32; 3], payload: Option<&Payload>) -> u64 {
    let head = u64::from(op as u8) | u64::from(array) << 8 | u64::from(width) << 16 | u64::from(words[0]) << 32;
    let tail = u64::from(words[1]) | u64::from(words[2]) << 32;
    let mut h = head.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ tail;
    if let Some(payload) = payload {
        let mut hasher = FxHasher::default();
        payload.hash(&mut hasher);
        h ^= hasher.finish();
    }
    mix(h)
}

fn shard_of(hash: u64) -> usize {
    // From the middle: the table below uses both ends.
    (hash >> 40) as usize & ((1 << SHARD_BITS) - 1)
}

impl Shard {
    /// The slab and the offset of a local index (which starts at 1, so that no id is zero).
    fn place(local: u32) -> (usize, usize) {
        let shifted = local + (1 << FIRST_SLAB_BITS) - 1;
        let top = 31 - shifted.leading_zeros();
        ((top - FIRST_SLAB_BITS) as usize, (shifted - (1 << top)) as usize)
    }

    fn slot(&self, local: u32) -> *mut Node {
        let (slab, offset) = Self::place(local);
        let base = self.slabs[slab].load(Ordering::Acquire);
        debug_assert!(!base.is_null());
        // SAFETY: `local` was handed out by `allocate`, so its slab exists and is long enough.
        unsafe { base.add(offset) }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // A panic while the lock is held is our own fault and leaves the table as it was before the change.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn allocate(&self, table: &mut Table) -> u32 {
        if table.free != 0 {
            let local = table.free;
            // SAFETY: the shard is locked and the slot is free: nobody else reads it.
            table.free = unsafe { (*self.slot(local)).words[0] };
            return local;
        }
        let local = table.used + 1;
        assert!(local < 1 << (32 - SHARD_BITS), "more than four billion terms are alive");
        table.used = local;
        let (slab, offset) = Self::place(local);
        if offset == 0 {
            let length = 1usize << (slab as u32 + FIRST_SLAB_BITS);
            let nodes: Box<[std::mem::MaybeUninit<Node>]> = Box::new_uninit_slice(length);
            self.slabs[slab].store(Box::into_raw(nodes).cast(), Ordering::Release);
        }
        local
    }
}

impl Node {
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    fn has_payload(&self) -> bool {
        match self.op {
            Op::Const => self.width > 64,
            Op::Symbol | Op::ArraySymbol | Op::Table => true,
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv => false,
            Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Concat | Op::Extract | Op::ZExt => false,
            Op::SExt | Op::Eq | Op::Ult | Op::Slt | Op::Ite | Op::Fill | Op::Write | Op::Read => false,
            Op::Bound | Op::Forall => false,
        }
    }

    pub fn is_array(&self) -> bool {
        self.marks & ARRAY != 0
    }

    /// Does the bound variable occur outside a clause?
    pub fn is_open(&self) -> bool {
        self.marks & OPEN != 0
    }

    /// Is there a clause in it?
    pub fn has_clause(&self) -> bool {
        self.marks & CLAUSE != 0
    }

    fn payload_address(&self) -> *mut Payload {
        let address = u64::from(self.words[1]) | u64::from(self.words[2]) << 32;
        address as usize as *mut Payload
    }

    pub fn payload(&self) -> Option<&Payload> {
        // SAFETY: the address was stored by `intern` from a box that this node owns until it is freed.
        self.has_payload().then(|| unsafe { &*self.payload_address() })
    }

    /// The words that identify the node: without the payload's address.
    fn own_words(&self) -> [u32; 3] {
        if self.has_payload() { [self.words[0], 0, 0] } else { self.words }
    }

    fn hash(&self) -> u64 {
        hash(self.op, self.is_array(), self.width(), self.own_words(), self.payload())
    }

    fn is(&self, key: &Key) -> bool {
        self.op == key.op
            && self.is_array() == key.array
            && self.width() == key.width
            && self.own_words() == key.words
            && self.payload() == key.payload.as_ref()
    }
}

/// Finds the term with these contents, or makes it.
pub(crate) fn intern(key: Key) -> Term {
    assert!(0 < key.width && key.width <= MAX_WIDTH, "width {} is not in 1..={MAX_WIDTH}", key.width);
    let hash = hash(key.op, key.array, key.width, key.words, key.payload.as_ref());
    let number = shard_of(hash);
    let shard = &SHARDS[number];
    let mut table = shard.lock();
    // SAFETY: entries of the index are live nodes of this locked shard.
    let node = |local: u32| unsafe { &*shard.slot(local) };
    let id = |local: u32| NonZeroU32::new(local << SHARD_BITS | number as u32);
    if let Some(&local) = table.index.find(hash, |&local| node(local).is(&key)) {
        node(local).count.fetch_add(1, Ordering::Relaxed);
        return Term(id(local).expect("local indices start at one"));
    }
    let mut marks = if key.array { ARRAY } else { 0 };
    for child in &key.words[..key.op.info().arity] {
        // The caller holds each argument, so its count is at least one.
        let child = node_of(*child);
        child.count.fetch_add(1, Ordering::Relaxed);
        marks |= child.marks & (OPEN | CLAUSE);
    }
    match key.op {
        Op::Bound => marks |= OPEN,
        Op::Forall => marks = marks & !OPEN | CLAUSE,
        _ => {}
    }
    let mut words = key.words;
    if let Some(payload) = key.payload {
        let address = Box::into_raw(Box::new(payload)) as usize as u64;
        words[1] = address as u32;
        words[2] = (address >> 32) as u32;
    }
    let local = shard.allocate(&mut table);
    let fresh = Node { count: AtomicU32::new(1), op: key.op, marks, width: key.width as u16, words };
    // SAFETY: the slot is free and the shard is locked.
    unsafe { shard.slot(local).write(fresh) };
    table.index.insert_unique(hash, local, |&local| node(local).hash());
    shard.live.fetch_add(1, Ordering::Relaxed);
    Term(id(local).expect("local indices start at one"))
}

fn node_of<'a>(id: u32) -> &'a Node {
    let shard = &SHARDS[id as usize & ((1 << SHARD_BITS) - 1)];
    // SAFETY: callers hold a count on `id` (or its shard's lock) for as long as they use the reference.
    unsafe { &*shard.slot(id >> SHARD_BITS) }
}

/// Gives up one count; true if it was the last.
fn release(id: u32) -> bool {
    node_of(id).count.fetch_sub(1, Ordering::Release) == 1
}

/// How many dead ids a thread lets pile up before it frees them.
const BATCH: usize = 1024;

struct Queue(Vec<u32>);

impl Queue {
    fn drain(&mut self) {
        while let Some(id) = self.0.pop() {
            let number = id as usize & ((1 << SHARD_BITS) - 1);
            let (shard, local) = (&SHARDS[number], id >> SHARD_BITS);
            let mut table = shard.lock();
            let node = node_of(id);
            // The slot may have been found again since, or freed by another thread's entry for the same id (then
            // the table does not name it, or it holds a newer node, to which the same test applies).
            if node.count.load(Ordering::Relaxed) != 0 {
                continue;
            }
            fence(Ordering::Acquire);
            let Ok(entry) = table.index.find_entry(node.hash(), |&other| other == local) else { continue };
            entry.remove();
            // After a peak: a sparse table is a cache miss for each look-up.
            if table.index.capacity() > 4096 && table.index.len() < table.index.capacity() / 16 {
                let room = table.index.len() * 2;
                table.index.shrink_to(room, |&other| node_of(other << SHARD_BITS | number as u32).hash());
            }
            let payload = node.has_payload().then(|| node.payload_address());
            let children = node.words;
            let arity = node.op.info().arity;
            // SAFETY: the node is in no table and nobody holds it; the shard is locked. A freed slot reads as a
            // constant without payload, which the test above finds in no table.
            unsafe {
                let slot = shard.slot(local);
                (*slot).op = Op::Const;
                (*slot).marks = ARRAY;
                (*slot).width = 1;
                (*slot).words = [table.free, 0, 0];
            }
            table.free = local;
            shard.live.fetch_sub(1, Ordering::Relaxed);
            drop(table);
            if let Some(payload) = payload {
                // SAFETY: made by `Box::into_raw` in `intern`, owned by the node just freed.
                drop(unsafe { Box::from_raw(payload) });
            }
            self.0.extend(children[..arity].iter().filter(|child| release(**child)));
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.drain();
    }
}

thread_local! {
    static DEAD: RefCell<Queue> = const { RefCell::new(Queue(Vec::new())) };
}

/// Frees what this thread dropped and has not freed yet.
pub fn collect() {
    crate::memo::clear();
    DEAD.with_borrow_mut(Queue::drain);
}

/// How many terms exist (some may be waiting to be freed).
pub fn live() -> usize {
    SHARDS.iter().map(|shard| shard.live.load(Ordering::Relaxed)).sum()
}

impl Drop for Term {
    fn drop(&mut self) {
        let id = self.0.get();
        if !release(id) {
            return;
        }
        let queued = DEAD.try_with(|queue| {
            let mut queue = queue.borrow_mut();
            queue.0.push(id);
            if queue.0.len() >= BATCH {
                queue.drain();
            }
        });
        if queued.is_err() {
            // The thread is ending and its queue is gone.
            Queue(vec![id]).drain();
        }
    }
}

impl Clone for Term {
    fn clone(&self) -> Term {
        self.node().count.fetch_add(1, Ordering::Relaxed);
        Term(self.0)
    }
}

impl Term {
    pub(crate) fn node(&self) -> &Node {
        node_of(self.0.get())
    }

    /// The id, unique among the terms alive. It says nothing about order or age.
    pub fn id(&self) -> u32 {
        self.0.get()
    }

    /// The argument terms.
    pub fn args(&self) -> &[Term] {
        let node = self.node();
        let arity = node.op.info().arity;
        // SAFETY: `Term` is a transparent non-zero u32; the first `arity` words are ids on which this node holds
        // a count, and `self` keeps the node.
        unsafe { std::slice::from_raw_parts(node.words.as_ptr().cast::<Term>(), arity) }
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.0 == other.0
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
