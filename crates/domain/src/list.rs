//! Short lists of members: inline while short, shared when long.
//!
//! A `List` is what a set keeps: up to `N` members in place, more behind a counted pointer, so a copy of a set is a few words whatever its
//! size. A `Buffer` is what a transfer writes into: `N` members on the stack, then a vector.
//!
//! Rejected: a crate for small vectors. Lists are never changed in place, and long ones want to be shared, which those do not do.

use std::sync::Arc;

/// An immutable list.
#[derive(Clone)]
pub(crate) enum List<T, const N: usize> {
    Inline(u8, [T; N]),
    Shared(Arc<[T]>),
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    #[inline]
    pub(crate) fn new() -> Self {
        List::Inline(0, [T::default(); N])
    }

    #[inline]
    pub(crate) fn one(item: T) -> Self {
        let mut items = [T::default(); N];
        items[0] = item;
        List::Inline(1, items)
    }

    #[inline]
    pub(crate) fn two(first: T, second: T) -> Self {
        let mut items = [T::default(); N];
        items[0] = first;
        items[1] = second;
        List::Inline(2, items)
    }

    #[inline]
    pub(crate) fn of(slice: &[T]) -> Self {
        if slice.len() > N {
            return List::Shared(Arc::from(slice));
        }
        let mut items = [T::default(); N];
        for (to, from) in items.iter_mut().zip(slice) {
            *to = *from;
        }
        List::Inline(slice.len() as u8, items)
    }

    #[inline]
    pub(crate) fn slice(&self) -> &[T] {
        match self {
            List::Inline(len, items) => &items[..usize::from(*len).min(N)],
            List::Shared(items) => items,
        }
    }
}

/// A list under construction.
pub(crate) struct Buffer<T, const N: usize> {
    len: usize,
    inline: [T; N],
    spilt: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Buffer<T, N> {
    #[inline]
    pub(crate) fn new() -> Self {
        Buffer { len: 0, inline: [T::default(); N], spilt: Vec::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.len < N {
            self.inline[self.len] = item;
        } else {
            self.spill(item);
        }
        self.len += 1;
    }

    #[cold]
    fn spill(&mut self, item: T) {
        if self.len == N {
            self.spilt.extend_from_slice(&self.inline);
        }
        self.spilt.push(item);
    }

    /// As a list, without looking at its members.
    #[inline]
    pub(crate) fn list(self) -> List<T, N> {
        if self.len <= N { List::Inline(self.len as u8, self.inline) } else { List::Shared(Arc::from(self.spilt)) }
    }

    #[inline]
    pub(crate) fn slice(&self) -> &[T] {
        if self.len <= N { &self.inline[..self.len] } else { &self.spilt }
    }

    #[inline]
    pub(crate) fn slice_mut(&mut self) -> &mut [T] {
        if self.len <= N { &mut self.inline[..self.len] } else { &mut self.spilt }
    }
}
