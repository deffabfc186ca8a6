//! A persistent map from 64-bit keys: copying is one count, a change copies one short way down from the root.
//!
//! A trie of four ways over the bits of the mixed key. Mixing is a bijection, so that different keys part somewhere and no list of
//! collisions is needed. Four ways and not thirty-two: what a change copies is what a fork costs, and maps here have tens of entries.

use std::sync::Arc;

const BITS: u32 = 2;
const WAYS: usize = 1 << BITS;

#[derive(Clone, Debug)]
enum Slot<V> {
    Empty,
    Leaf(u64, V),
    Inner(Arc<[Slot<V>; WAYS]>),
}

/// A persistent map.
#[derive(Clone, Debug)]
pub struct Map<V>(Slot<V>);

impl<V> Default for Map<V> {
    fn default() -> Map<V> {
        Map(Slot::Empty)
    }
}

fn mix(key: u64) -> u64 {
    // A bijection: an odd factor, and shifts that only add higher bits to lower ones.
    let key = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key ^ key >> 29
}

fn way(mixed: u64, level: u32) -> usize {
    (mixed >> (BITS * level)) as usize & (WAYS - 1)
}

impl<V: Clone> Map<V> {
    /// The value of a key.
    pub fn get(&self, key: u64) -> Option<&V> {
        let mixed = mix(key);
        let (mut slot, mut level) = (&self.0, 0);
        loop {
            match slot {
                Slot::Empty => return None,
                Slot::Leaf(at, value) => return (*at == key).then_some(value),
                Slot::Inner(ways) => slot = &ways[way(mixed, level)],
            }
            level += 1;
        }
    }

    /// Gives a key a value.
    pub fn set(&mut self, key: u64, value: V) {
        let mixed = mix(key);
        let (mut slot, mut level) = (&mut self.0, 0);
        loop {
            match slot {
                Slot::Leaf(at, _) if *at != key => {
                    let Slot::Leaf(at, old) = std::mem::replace(slot, Slot::Empty) else {
                        unreachable!("matched above")
                    };
                    let mut ways = [const { Slot::Empty }; WAYS];
                    ways[way(mix(at), level)] = Slot::Leaf(at, old);
                    *slot = Slot::Inner(Arc::new(ways));
                }
                Slot::Empty | Slot::Leaf(..) => {
                    *slot = Slot::Leaf(key, value);
                    return;
                }
                Slot::Inner(ways) => {
                    slot = &mut Arc::make_mut(ways)[way(mixed, level)];
                    level += 1;
                }
            }
        }
    }

    /// Forgets a key. Emptied nodes stay: maps here shrink by merging groups only, and soon go away with their path.
    pub fn remove(&mut self, key: u64) {
        if self.get(key).is_none() {
            return;
        }
        let mixed = mix(key);
        let (mut slot, mut level) = (&mut self.0, 0);
        while let Slot::Inner(ways) = slot {
            slot = &mut Arc::make_mut(ways)[way(mixed, level)];
            level += 1;
        }
        *slot = Slot::Empty;
    }

    /// All entries, in no order that means anything but always the same for the same keys.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        let mut stack = vec![&self.0];
        std::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Slot::Empty => {}
                    Slot::Leaf(key, value) => return Some((*key, value)),
                    Slot::Inner(ways) => stack.extend(ways.iter().rev()),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use strata_term::Random;

    #[test]
    fn as_a_plain_map() {
        let mut random = Random(5);
        let mut copies: Vec<(Map<u64>, BTreeMap<u64, u64>)> = vec![Default::default()];
        for step in 0..20_000u64 {
            let at = random.below(copies.len());
            let (mut map, mut plain) = copies[at].clone();
            let key = if random.one_in(2) { random.number() % 300 } else { (random.number() % 8) << 32 };
            if random.one_in(4) {
                map.remove(key);
                plain.remove(&key);
            } else {
                map.set(key, step);
                plain.insert(key, step);
            }
            assert_eq!(map.get(key), plain.get(&key));
            if step % 512 == 0 {
                assert_eq!(map.iter().map(|(k, v)| (k, *v)).collect::<BTreeMap<_, _>>(), plain);
            }
            if copies.len() < 8 {
                copies.push((map, plain));
            } else {
                copies[at] = (map, plain);
            }
        }
        for (map, plain) in &copies {
            assert_eq!(map.iter().map(|(k, v)| (k, *v)).collect::<BTreeMap<_, _>>(), *plain);
        }
    }
}
