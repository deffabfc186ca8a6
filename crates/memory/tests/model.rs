//! Memory against a flat model.
//!
//! A few assignments are drawn beforehand: every symbolic byte, index and byte never written has a value under each. All that is done to an
//! address space is done to plain vectors of bytes as well, one per assignment; whatever is read must evaluate to
//! those bytes. Windows follow the protocol of the interpreter: closed at a fork, told of each change made behind their back. Chosen
//! over unit tests per operation because the faults lie between operations: pages, regions, origins and windows.

use strata_memory::{INDEX, Kind, Origin, PAGE, Space, Value, Windows};
use strata_term::{Assignment, Bits, Op, Random, Term, eval, inputs};

const ASSIGNMENTS: usize = 3;
const SIZES: [u64; 10] = [0, 1, 7, 8, 64, 200, 2047, 2048, 2049, 6000];

/// What one assignment makes of an object.
type Flat = Vec<u8>;

#[derive(Clone)]
struct Reference {
    number: Origin,
    address: u64,
    bytes: [Flat; ASSIGNMENTS],
    /// By aligned word: the pointer that was stored there whole, and not touched since.
    origins: Vec<Origin>,
    /// Bytes that a write at a symbolic index may have reached: origins there may be lost.
    blurred: Vec<bool>,
}

#[derive(Clone)]
struct World {
    space: Space,
    objects: Vec<Reference>,
    freed: Vec<u64>,
}

struct Harness {
    random: Random,
    assignments: [Assignment; ASSIGNMENTS],
    bytes: Term,
    index: Term,
    windows: Windows,
    fresh: u64,
    hits: u64,
    plain_hits: u64,
}

impl Harness {
    fn new(seed: u64) -> Harness {
        Harness {
            random: Random(seed),
            assignments: Default::default(),
            bytes: Term::array("bytes", INDEX),
            index: Term::array("index", INDEX),
            windows: Windows::default(),
            fresh: 0,
            hits: 0,
            plain_hits: 0,
        }
    }

    /// A new symbolic byte of an array, with a value under each assignment.
    fn byte(&mut self, index: bool) -> Term {
        let array = if index { self.index.clone() } else { self.bytes.clone() };
        self.fresh += 1;
        for assignment in &mut self.assignments {
            assignment.set_cell(&array, self.fresh, self.random.number() as u8);
        }
        array.read(&Term::number(INDEX, self.fresh), 1)
    }

    fn allocate(&mut self, world: &mut World) {
        let size = *self.random.pick(&SIZES);
        let zero = self.random.one_in(2);
        let kind = *self.random.pick(&[Kind::Heap, Kind::Stack]);
        let number = world.space.allocate(size, 8, kind, zero, 0).expect("there is room");
        let object = world.space.object_mut(number).expect("it was made");
        let address = object.address;
        if self.random.one_in(3) {
            object.limit(Term::symbol(&format!("extent {}", number.0), 64), self.random.number() % (size + 1));
        }
        let mut bytes: [Flat; ASSIGNMENTS] = std::array::from_fn(|_| vec![0; size as usize]);
        if !zero {
            for offset in 0..size {
                let symbol = Term::symbol(&format!("uninit:{}:{offset}", number.0), 8);
                // Forks give the same number to objects of their own: a symbol has one value all the same.
                let mut random = Random(u64::from(number.0) << 32 | offset);
                for (assignment, flat) in self.assignments.iter_mut().zip(&mut bytes) {
                    let value = random.number() as u8;
                    assignment.set(&symbol, Bits::new(8, u64::from(value)));
                    flat[offset as usize] = value;
                }
            }
        }
        let words = size.div_ceil(8) as usize;
        let blurred = vec![false; size as usize];
        world.objects.push(Reference { number, address, bytes, origins: vec![Origin::NONE; words], blurred });
    }

    /// A value of so many bytes: plain, a pointer, or with symbolic bytes in it.
    fn value(&mut self, world: &World, count: u64) -> Value {
        match self.random.below(4) {
            0 if count == 8 => {
                let target = self.random.pick(&world.objects);
                Value::pointer(target.address + self.random.number() % 16, target.number)
            }
            0 if count < 8 && self.random.one_in(4) => {
                Value::pointer(self.random.number() & (u64::MAX >> (64 - count * 8)), Origin::MIXED)
            }
            1 => {
                let mut term = self.byte(false);
                for _ in 1..count {
                    let byte = if self.random.one_in(2) {
                        self.byte(false)
                    } else {
                        Term::number(8, self.random.number() & 0xff)
                    };
                    term = byte.concat(&term);
                }
                let origin = match self.random.below(4) {
                    0 | 1 if count == 8 => self.random.pick(&world.objects).number,
                    2 => Origin::MIXED,
                    _ => Origin::NONE,
                };
                Value::term(term).with_origin(origin)
            }
            _ => {
                let words = [self.random.number(), self.random.number()];
                Value::constant(&Bits::from_words(count as u32 * 8, &words[..(count as usize).div_ceil(8)]))
            }
        }
    }

    fn plain(&self, value: &Term) -> [Vec<u8>; ASSIGNMENTS] {
        std::array::from_fn(|i| {
            let bits = eval(value, &self.assignments[i]);
            let words = bits.to_words();
            (0..value.width() as usize / 8).map(|k| (words[k / 8] >> (k % 8 * 8)) as u8).collect()
        })
    }

    fn spot(&mut self, object: &Reference, most: u64) -> Option<(u64, u64)> {
        let size = object.bytes[0].len() as u64;
        let count = (1 + self.random.number() % most).min(size);
        if count == 0 {
            return None;
        }
        let last = size - count;
        let offset = match self.random.below(3) {
            // Around the borders of pages and words.
            0 => (PAGE * (self.random.number() % 4)).saturating_sub(self.random.number() % 20),
            1 => self.random.number() % (last + 1) / 8 * 8,
            _ => self.random.number() % (last + 1),
        };
        Some((offset.min(last), count))
    }

    /// An offset term of an object, and the window that is said of it (which may be wider than need be).
    fn offset(&mut self, object: &Reference, count: u64) -> Option<(Term, u64, u64)> {
        let size = object.bytes[0].len() as u64;
        let span = [1, 3, 15, 63][self.random.below(4)];
        let last = size.checked_sub(count + span)?;
        let low = self.random.number() % (last + 1);
        let byte = self.byte(true).and(&Term::number(8, span));
        let offset = byte.zext(INDEX).add(&Term::number(INDEX, low));
        let slack =
            |random: &mut Random, most: u64| if random.one_in(2) { 0 } else { random.number() % (most.min(20) + 1) };
        let (below, above) = (slack(&mut self.random, low), slack(&mut self.random, last - low));
        Some((offset, low - below, low + span + above))
    }

    fn step(&mut self, world: &mut World) {
        if world.objects.len() < 4 || self.random.one_in(40) {
            return self.allocate(world);
        }
        let at = self.random.below(world.objects.len());
        match self.random.below(20) {
            0 if world.objects.len() > 4 => self.free(world, at),
            1 if self.random.one_in(2) => self.grow(world, at),
            1 | 2 => self.fill(world, at),
            3..=5 => self.copy(world, at),
            6..=8 => self.write_at(world, at),
            9..=11 => self.read_at(world, at),
            12..=14 => self.read(world, at),
            _ => self.write(world, at),
        }
    }

    fn free(&mut self, world: &mut World, at: usize) {
        let object = world.objects.swap_remove(at);
        self.windows.close(world.space.object(object.number).expect("it lives"));
        world.space.free(object.number, 1);
        world.freed.push(object.address);
        // Safety: what is checked here; a window that was not closed shows memory that is still
        // there, since records stay.
        let seen = unsafe { self.windows.load(object.number, object.address, 1) };
        assert!(seen.is_none(), "a window on what was freed");
    }

    /// More of an object of symbolic size is surely inside.
    fn grow(&mut self, world: &mut World, at: usize) {
        let object = world.space.object_mut(world.objects[at].number).expect("it lives");
        let (before, sure) = (object.sure(), self.random.number() % (object.size + 1));
        object.grow_sure(sure);
        let expected = if object.extent.is_some() { before.max(sure) } else { object.size };
        assert_eq!(object.sure(), expected);
    }

    /// A window showed bytes: are they surely inside?
    fn check_inside(world: &World, number: Origin, offset: u64, count: u64) {
        let object = world.space.object(number).expect("it lives");
        assert!(offset + count <= object.sure(), "a window shows {offset}..+{count} of {} bytes", object.sure());
    }

    fn fill(&mut self, world: &mut World, at: usize) {
        let object = world.objects[at].clone();
        let size = object.bytes[0].len() as u64;
        let Some((mut offset, mut count)) = self.spot(&object, 3000) else { return };
        if self.random.one_in(4) {
            (offset, count) = (0, size);
        }
        let byte = match self.random.below(3) {
            0 => Value::bits(0),
            1 => Value::bits(self.random.number() & 0xff),
            _ if count > 200 => Value::bits(0),
            _ => Value::term(self.byte(false)),
        };
        let target = world.space.object_mut(object.number).expect("it lives");
        target.contents.fill(offset, count, &byte);
        self.windows.touched(target, offset, count);
        let plain = self.plain(&byte.to_term(8));
        let object = &mut world.objects[at];
        for (flat, value) in object.bytes.iter_mut().zip(plain) {
            flat[offset as usize..(offset + count) as usize].fill(value[0]);
        }
        clear(object, offset, count);
    }

    fn copy(&mut self, world: &mut World, at: usize) {
        let from = if self.random.one_in(2) { at } else { self.random.below(world.objects.len()) };
        let (target, source) = (world.objects[at].clone(), world.objects[from].clone());
        let most = [20, 100, 2500][self.random.below(3)];
        let (Some((to, count)), Some((mut start, length))) = (self.spot(&target, most), self.spot(&source, most))
        else {
            return;
        };
        let count = count.min(length);
        if self.random.one_in(2) && start >= 8 {
            // Words over words, so that pointers come along.
            start = start / 8 * 8 + to % 8
                - if to % 8 > start % 8 && start / 8 * 8 + to % 8 + count > source.bytes[0].len() as u64 {
                    8
                } else {
                    0
                };
        }
        if start + count > source.bytes[0].len() as u64 {
            return;
        }
        let contents = world.space.object(source.number).expect("it lives").contents.clone();
        let object = world.space.object_mut(target.number).expect("it lives");
        object.contents.copy(to, &contents, start, count);
        self.windows.touched(object, to, count);
        drop(contents);
        let object = &mut world.objects[at];
        for (flat, old) in object.bytes.iter_mut().zip(&source.bytes) {
            flat[to as usize..(to + count) as usize].copy_from_slice(&old[start as usize..(start + count) as usize]);
        }
        clear(object, to, count);
        for i in 0..count {
            object.blurred[(to + i) as usize] |= source.blurred[(start + i) as usize];
        }
        for i in (0..count).filter(|i| source.origins[((start + i) / 8) as usize].is_mixed()) {
            mix(object, to + i, 1);
        }
        if to % 8 == start % 8 {
            let mut word = start.next_multiple_of(8);
            while word + 8 <= start + count {
                object.origins[((word - start + to) / 8) as usize] = source.origins[(word / 8) as usize];
                word += 8;
            }
        }
    }

    fn write_at(&mut self, world: &mut World, at: usize) {
        let object = world.objects[at].clone();
        let count = [1, 2, 4, 8][self.random.below(4)];
        let Some((offset, low, last)) = self.offset(&object, count) else { return };
        let value = self.value(world, count).to_term(count as u32 * 8);
        let target = world.space.object_mut(object.number).expect("it lives");
        target.contents.write_at(&offset, low, last, count, &value);
        self.windows.touched(target, low, last - low + count);
        let (places, plain) = (self.places(&offset), self.plain(&value));
        let object = &mut world.objects[at];
        for ((flat, place), value) in object.bytes.iter_mut().zip(places).zip(plain) {
            flat[place..place + count as usize].copy_from_slice(&value);
        }
        clear(object, low, last - low + count);
        object.blurred.fill(true);
    }

    fn places(&self, offset: &Term) -> [usize; ASSIGNMENTS] {
        std::array::from_fn(|i| eval(offset, &self.assignments[i]).low_u64() as usize)
    }

    fn read_at(&mut self, world: &mut World, at: usize) {
        let object = world.objects[at].clone();
        let count = [1, 2, 4, 8][self.random.below(4)];
        let Some((offset, low, last)) = self.offset(&object, count) else { return };
        let found = world.space.object(object.number).expect("it lives").contents.read_at(&offset, low, last, count);
        for ((flat, place), found) in object.bytes.iter().zip(self.places(&offset)).zip(self.plain(&found)) {
            assert_eq!(flat[place..place + count as usize], found, "a read at a symbolic index");
        }
    }

    fn write(&mut self, world: &mut World, at: usize) {
        let object = world.objects[at].clone();
        let Some((offset, count)) = self.spot(&object, 16) else { return };
        let count = if self.random.one_in(2) { [1, 2, 4, 8][self.random.below(4)] } else { count };
        if offset + count > object.bytes[0].len() as u64 {
            return;
        }
        let value = self.value(world, count);
        let address = object.address + offset;
        let fast = !value.is_special()
            && (self.store_plain(object.number, address, count, &value)
                // Safety: the protocol.
                || unsafe { self.windows.store(object.number, address, count, value.bits, value.origin) });
        self.hits += u64::from(fast);
        if fast {
            Harness::check_inside(world, object.number, offset, count);
        } else {
            let target = world.space.object_mut(object.number).expect("it lives");
            target.contents.write(offset, count, &value);
            self.windows.touched(target, offset, count);
            if value.term.is_none() {
                self.windows.open(&mut world.space, object.number, address, true);
            }
        }
        let plain = self.plain(&value.to_term(count as u32 * 8));
        let object = &mut world.objects[at];
        for (flat, value) in object.bytes.iter_mut().zip(plain) {
            flat[offset as usize..(offset + count) as usize].copy_from_slice(&value);
        }
        clear(object, offset, count);
        if value.origin.is_mixed() {
            mix(object, offset, count);
        } else if count == 8 && offset.is_multiple_of(8) {
            object.origins[offset as usize / 8] = value.origin;
        }
    }

    fn store_plain(&mut self, number: Origin, address: u64, count: u64, value: &Value) -> bool {
        let (bits, origin, windows) = (value.bits, value.origin, &mut self.windows);
        // Safety: the protocol.
        let done = match count {
            1 => unsafe { windows.store_plain::<0>(number, address, bits, origin) },
            2 => unsafe { windows.store_plain::<1>(number, address, bits, origin) },
            4 => unsafe { windows.store_plain::<2>(number, address, bits, origin) },
            8 => unsafe { windows.store_plain::<3>(number, address, bits, origin) },
            _ => false,
        };
        self.plain_hits += u64::from(done);
        done
    }

    fn load_plain(&mut self, number: Origin, address: u64, count: u64) -> Option<(u64, Origin)> {
        let windows = &self.windows;
        // Safety: the protocol.
        let seen = match count {
            1 => unsafe { windows.load_plain::<0>(number, address) },
            2 => unsafe { windows.load_plain::<1>(number, address) },
            4 => unsafe { windows.load_plain::<2>(number, address) },
            8 => unsafe { windows.load_plain::<3>(number, address) },
            _ => None,
        };
        self.plain_hits += u64::from(seen.is_some());
        seen
    }

    fn read(&mut self, world: &mut World, at: usize) {
        let object = world.objects[at].clone();
        let Some((offset, count)) = self.spot(&object, 16) else { return };
        let count = if self.random.one_in(2) { [1, 2, 4, 8][self.random.below(4)] } else { count };
        if offset + count > object.bytes[0].len() as u64 {
            return;
        }
        self.check(world, &object, offset, count);
    }

    fn check(&mut self, world: &mut World, object: &Reference, offset: u64, count: u64) {
        let address = object.address + offset;
        let contents = &world.space.object(object.number).expect("it lives").contents;
        let found = contents.read(offset, count);
        // Safety: the protocol.
        if let Some(seen) = unsafe { self.windows.load(object.number, address, count) } {
            self.hits += 1;
            Harness::check_inside(world, object.number, offset, count);
            assert_eq!(
                (seen.concrete(), seen.origin),
                (found.concrete(), found.origin),
                "a window shows something else"
            );
        }
        if let Some((bits, origin)) = self.load_plain(object.number, address, count) {
            Harness::check_inside(world, object.number, offset, count);
            assert_eq!((Some(bits), origin), (found.concrete(), found.origin), "a plain read shows something else");
        }
        let unset = found.term.as_ref().is_some_and(|t| inputs([t]).iter().any(|t| t.op() == Op::Symbol));
        assert!(!unset || contents.is_symbolic(offset, count));
        let range = offset as usize..(offset + count) as usize;
        for (flat, found) in object.bytes.iter().zip(self.plain(&found.to_term(count as u32 * 8))) {
            assert_eq!(flat[range.clone()], found, "bytes {range:?} of {}", object.number.0);
        }
        if let Some(plain) = contents.plain(offset, count) {
            assert_eq!(plain, object.bytes[0][range.clone()]);
        }
        let word = count == 8 && offset.is_multiple_of(8);
        let mixed = object.origins[words(offset, count)].contains(&Origin::MIXED);
        let expected = match word {
            true => object.origins[offset as usize / 8],
            false if mixed => Origin::MIXED,
            false => Origin::NONE,
        };
        let may_be_lost = object.blurred.iter().any(|blurred| *blurred);
        assert!(
            found.origin == expected || may_be_lost && !expected.is_mixed() && !found.origin.is_object(),
            "origin {:?} instead of {expected:?} at {offset} of {}",
            found.origin,
            object.number.0
        );
        self.windows.open(&mut world.space, object.number, address, false);
    }

    fn check_all(&mut self, world: &mut World) {
        for object in world.objects.clone() {
            let size = object.bytes[0].len() as u64;
            (0..size / 8).for_each(|word| self.check(world, &object, word * 8, 8));
            (size / 8 * 8..size).for_each(|offset| self.check(world, &object, offset, 1));
            let found = world.space.find(object.address).map(|found| found.number);
            assert_eq!(found, Some(object.number), "found by address");
        }
        for address in &world.freed {
            assert!(world.space.find(*address).is_none(), "found though it was freed");
        }
    }
}

fn words(offset: u64, count: u64) -> std::ops::Range<usize> {
    offset as usize / 8..(offset + count).div_ceil(8) as usize
}

/// What the words of a range pointed to is forgotten. A word that keeps some of its bytes stays
/// mixed.
fn clear(object: &mut Reference, offset: u64, count: u64) {
    for word in words(offset, count) {
        let (start, size) = (word as u64 * 8, object.bytes[0].len() as u64);
        let whole = offset <= start && (start + 8).min(size) <= offset + count;
        if whole || !object.origins[word].is_mixed() {
            object.origins[word] = Origin::NONE;
        }
    }
}

fn mix(object: &mut Reference, offset: u64, count: u64) {
    object.origins[words(offset, count)].fill(Origin::MIXED);
}

#[test]
fn memory_is_what_the_flat_model_says() {
    let (mut hits, mut plain_hits) = (0, 0);
    for seed in 0..60 {
        let mut harness = Harness::new(seed);
        let mut worlds = vec![World { space: Space::default(), objects: Vec::new(), freed: Vec::new() }];
        let mut at = 0;
        for _ in 0..700 {
            if harness.random.one_in(30) {
                harness.windows.close_all();
                if worlds.len() < 5 {
                    let space = worlds[at].space.fork();
                    let copy = World { space, ..worlds[at].clone() };
                    worlds.push(copy);
                }
                at = harness.random.below(worlds.len());
            }
            harness.step(&mut worlds[at]);
        }
        for world in &mut worlds {
            harness.windows.close_all();
            harness.check_all(world);
        }
        hits += harness.hits;
        plain_hits += harness.plain_hits;
    }
    assert!(hits > 1_000, "windows were hit {hits} times only");
    assert!(plain_hits > 1_000, "plain bytes were hit {plain_hits} times only");
}

#[test]
fn windows_are_not_fooled_by_the_end_of_the_address_space() {
    let mut space = Space::default();
    let number = space.allocate(4 << 20, 8, Kind::Heap, true, 0).expect("there is room");
    let (address, size) = space.object(number).map(|o| (o.address, o.size)).expect("it was made");
    let mut windows = Windows::default();
    for page in 0..size / PAGE {
        windows.open(&mut space, number, address + page * PAGE, true);
    }
    for back in 1..=8 {
        let last = 0u64.wrapping_sub(back);
        // Safety: nothing was changed since the windows were opened.
        unsafe {
            assert!(windows.load(number, last, 8).is_none());
            assert!(windows.load_plain::<3>(number, last).is_none());
            assert!(!windows.store_plain::<3>(number, last, 1, Origin::NONE));
            assert!(!windows.store(number, last, 8, 1, Origin::NONE));
        }
    }
}

/// What an object of symbolic size says of an access, against its meaning for each size.
#[test]
fn accesses_are_inside_for_the_sizes_that_reach_there() {
    let (size, place) = (Term::symbol("size", 64), Term::symbol("place", 64));
    let text = Term::array("text", INDEX);
    for (capacity, ends_at_zero) in [(6, false), (6, true), (1, true), (0, false)] {
        let mut space = Space::default();
        let number = space.allocate(capacity, 1, Kind::Heap, true, 0).expect("there is room");
        let object = space.object_mut(number).expect("it was made");
        if ends_at_zero {
            object.limit_text(&text)
        } else {
            object.limit(size.clone(), 0)
        }
        assert_eq!(object.sure(), u64::from(ends_at_zero));
        for sure in 0..=capacity {
            object.grow_sure(sure);
            for chosen in object.sure()..=capacity {
                let mut model = Assignment::default();
                model.set(&size, Bits::new(64, chosen));
                (0..capacity).for_each(|i| model.set_cell(&text, i, u8::from(i + 1 != chosen)));
                let holds = |term: &Term, model: &Assignment| eval(term, model).is_true();
                assert_eq!(eval(&object.extent(), &model).low_u64(), chosen);
                for count in 1..=4 {
                    for at in (0..=capacity + 2).chain([u64::MAX, u64::MAX - 3]) {
                        let inside = at <= chosen && count <= chosen - at;
                        model.set(&place, Bits::new(64, at));
                        assert_eq!(
                            holds(&object.contains(&place, count), &model),
                            inside,
                            "{count} at {at} of {chosen}"
                        );
                        let address = object.address.wrapping_add(at);
                        assert!(!object.holds(address, count) || inside);
                        assert!(object.may_hold(address, count) || !inside);
                        if object.may_hold(address, count) {
                            assert_eq!(holds(&object.reaches(at + count), &model), inside);
                        }
                    }
                }
            }
        }
    }
}

/// An array over many bytes that were never written is small, and says what the bytes say.
#[test]
fn a_large_array_of_bytes_never_written_is_small() {
    let mut space = Space::default();
    let size = 64 << 10;
    let number = space.allocate(size, 1, Kind::Heap, false, 0).expect("there is room");
    let object = space.object_mut(number).expect("it was made");
    let (first, place) = (Term::symbol("first", 8), Term::symbol("place", 32));
    object.contents.write_plain(0, b"abc");
    object.contents.write(40_000, 1, &Value::term(first.clone()));
    object.contents.write_plain(40_001, b"d");
    object.contents.write_at(&place, 0, size - 1, 1, &Term::number(8, 9));
    object.contents.write(50_000, 1, &Value::bits(8));
    let mut model = Assignment::default();
    model.set(&first, Bits::new(8, 77));
    model.set(&Term::symbol(&format!("uninit:{}:*", number.0), 8), Bits::new(8, 200));
    for (at, expected) in [(1, 98), (3, 200), (39_999, 200), (40_000, 77), (40_001, 100), (50_000, 8), (60_000, 200)] {
        model.set(&place, Bits::new(32, 60_001));
        let read = |model: &Assignment| eval(&object.contents.read(at, 1).to_term(8), model).low_u64();
        assert_eq!(read(&model), expected, "at {at}");
        model.set(&place, Bits::new(32, at));
        assert_eq!(read(&model), if at == 50_000 { 8 } else { 9 }, "at {at}, where it was written");
    }
    let found = object.contents.read_at(&place, 0, size - 1, 1);
    assert!(strata_term::post_order([&found]).len() < 30, "a chain of writes");
}

/// Pages that were written, and no others.
#[test]
fn touched_bytes_are_told() {
    let mut space = Space::default();
    let number = space.allocate(5 * PAGE + 3, 1, Kind::Heap, false, 0).expect("there is room");
    let object = space.object_mut(number).expect("it was made");
    assert_eq!(object.contents.touched().count(), 0);
    object.contents.write(PAGE + 7, 1, &Value::bits(3));
    object.contents.write(5 * PAGE + 1, 1, &Value::bits(3));
    let touched: Vec<(u64, u64)> = object.contents.touched().collect();
    assert_eq!(touched, [(PAGE, 2 * PAGE), (5 * PAGE, 5 * PAGE + 3)]);
}

#[test]
fn fixed_objects_are_found_whatever_was_made_between_them() {
    let mut space = Space::default();
    let global = space.allocate(8, 8, Kind::Global, true, 0).expect("there is room");
    let first = space.allocate_at(0x1000, 16, Kind::System, 0);
    let heap = space.allocate(64, 8, Kind::Heap, true, 0).expect("there is room");
    let second = space.allocate_at(0x1010, 16, Kind::System, 0);
    let third = space.allocate_at(0x800, 16, Kind::System, 0);
    assert!(space.allocate_at(0x100f, 4, Kind::System, 0).is_none(), "it overlaps");
    let found = |address: u64| space.find(address).map(|object| object.number);
    assert_eq!([found(0x1003), found(0x1013), found(0x801)], [first, second, third]);
    assert_eq!([found(0x1020), found(0x1021), found(0x7ff)], [second, None, None]);
    for number in [global, heap] {
        let address = space.object(number).expect("it lives").address;
        assert_eq!(found(address + 3), Some(number));
        assert_eq!(found(address - 1), None);
    }
}
