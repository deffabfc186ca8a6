//! Values of a term for all values of a byte, as they are kept: by class of the byte, and what fits into bytes in bytes.

use std::sync::{Arc, OnceLock};
use strata_domain::ByteSet;

/// Classes that are looked at one by one instead of bytes, at most.
const FEW: usize = 64;

/// Values of a byte, in classes that some terms do not look behind.
pub struct Classes {
    /// Of each value.
    of: [u8; 256],
    count: usize,
    /// The values in each; found out when asked for.
    sets: OnceLock<Box<[ByteSet]>>,
}

impl Classes {
    /// As many classes, and that of each value.
    pub fn new(of: [u8; 256], count: usize) -> Classes {
        Classes { of, count, sets: OnceLock::new() }
    }

    /// The class of each value.
    pub fn of(&self) -> &[u8; 256] {
        &self.of
    }

    fn sets(&self) -> &[ByteSet] {
        self.sets.get_or_init(|| {
            let mut words = vec![[0; 4]; self.count];
            for (byte, class) in self.of.iter().enumerate() {
                words[usize::from(*class)][byte / 64] |= 1 << (byte % 64);
            }
            words.into_iter().map(ByteSet::of_words).collect()
        })
    }
}

pub struct Column {
    classes: Arc<Classes>,
    values: Values,
}

/// By class.
enum Values {
    Bytes(Box<[u8]>),
    Words(Box<[u64]>),
}

impl Column {
    /// Of a term of a width, by class of the byte.
    pub fn of(width: u32, values: &[u64], classes: &Arc<Classes>) -> Column {
        let values = if width <= 8 {
            Values::Bytes(values.iter().map(|value| *value as u8).collect())
        } else {
            Values::Words(values.into())
        };
        Column { classes: classes.clone(), values }
    }

    /// The value at a value of the byte.
    pub fn at(&self, byte: u8) -> u64 {
        self.in_class(self.classes.of[usize::from(byte)].into())
    }

    fn in_class(&self, class: usize) -> u64 {
        match &self.values {
            Values::Bytes(values) => values[class].into(),
            Values::Words(values) => values[class],
        }
    }

    /// Does it fit into bytes?
    pub fn is_narrow(&self) -> bool {
        matches!(self.values, Values::Bytes(_))
    }

    /// The values that some of these bytes give, and those that do, perhaps in several parts; `None` if that is no shorter than going from byte to byte.
    pub fn within<'a>(&'a self, bytes: &'a ByteSet) -> Option<impl Iterator<Item = (u64, ByteSet)> + 'a> {
        let sets = (self.classes.count <= FEW).then(|| self.classes.sets())?;
        let classes = sets.iter().enumerate();
        Some(classes.filter_map(|(class, set)| set.common(bytes).map(|met| (self.in_class(class), met))))
    }

    /// What it takes, in half KiB: itself, its place, its part of the classes.
    pub fn size(&self) -> usize {
        let bytes = match &self.values {
            Values::Bytes(values) => values.len(),
            Values::Words(values) => 8 * values.len(),
        };
        1 + bytes / 512
    }
}
