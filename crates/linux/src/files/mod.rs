//! Files of a path: inodes and the tree of their names, descriptors and what they are open on.
//!
//! All is shared with the states that a path was forked from until it changes: the tree is persistent, contents lie in shared pages.

mod descriptor;
mod inode;
mod tree;

pub(crate) use descriptor::{Open, Table, same};
pub(crate) use inode::{ALIAS, Body, File, Inode, Pipe};
pub(crate) use tree::{Id, Name, Place, ROOT, Tree};
