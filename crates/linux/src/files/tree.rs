//! The tree of names, and the way along one to what it stands for.

use super::{Body, File, Inode};
use crate::numbers::*;
use crate::world::{FOLDER, Seed, SeedBody};
use std::collections::VecDeque;
use std::sync::Arc;
use strata_memory::Tree as Persistent;

/// The number of an inode within its tree.
pub(crate) type Id = u32;

/// The root folder's.
pub(crate) const ROOT: Id = 1;

/// All inodes of a path.
#[derive(Clone)]
pub(crate) struct Tree {
    inodes: Persistent<Arc<Inode>>,
    next: Id,
    /// In the order in which the program saw their numbers: what `stat` calls the n-th of them is n. The native runtime counts alike.
    seen: Arc<Vec<Id>>,
    /// The folder that programs start in.
    pub start: Id,
    /// Bytes in files.
    pub used: u64,
}

/// The last part of a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A name.
    Plain(Vec<u8>),
    /// `.`: a folder that is there, under no name of its own here.
    Here,
    /// `..`
    Up,
    /// The root.
    Root,
    /// A name that is none of those that are there.
    Unknown(Vec<strata_term::Term>),
}

/// Where a way leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The folder that the last name is in.
    pub folder: Id,
    pub name: Name,
    /// What has that name, if anything has.
    pub found: Option<Id>,
    /// It was written with a slash at its end: then only a folder is meant.
    pub slash: bool,
}

impl Default for Tree {
    fn default() -> Tree {
        let mut tree = Tree { inodes: Persistent::default(), next: ROOT, seen: Arc::default(), start: ROOT, used: 0 };
        tree.add(Inode::folder(0o777, ROOT));
        tree.inode_mut(ROOT).links = 1;
        let dev = tree.make(ROOT, b"dev", Inode::folder(0o755, ROOT));
        tree.make(dev, b"null", Inode::new(0o666, Body::Device { zero: false }));
        tree.make(dev, b"zero", Inode::new(0o666, Body::Device { zero: true }));
        for (number, name) in ["stdin", "stdout", "stderr"].iter().enumerate() {
            tree.make(dev, name.as_bytes(), Inode::new(0o777, Body::Alias(number as i32)));
        }
        tree.make(ROOT, b"tmp", Inode::folder(0o1777, ROOT));
        tree.start = tree.make(ROOT, &FOLDER[1..], Inode::folder(0o755, ROOT));
        tree
    }
}

impl Tree {
    /// Are the same files there, unchanged?
    pub fn is(&self, other: &Tree) -> bool {
        (self.next, self.start, self.used) == (other.next, other.start, other.used)
            && self.seen == other.seen
            && self.inodes.differences(&other.inodes, &Arc::ptr_eq).is_empty()
    }

    pub fn inode(&self, id: Id) -> &Inode {
        self.inodes.get(id).expect("inodes that something refers to are kept")
    }

    pub fn inode_mut(&mut self, id: Id) -> &mut Inode {
        Arc::make_mut(self.inodes.get_mut(id).expect("inodes that something refers to are kept"))
    }

    /// An inode without a name.
    pub fn add(&mut self, inode: Inode) -> Id {
        let id = self.next;
        self.next += 1;
        self.inodes.set(id, Arc::new(inode));
        id
    }

    /// An inode under a new name.
    pub fn make(&mut self, folder: Id, name: &[u8], inode: Inode) -> Id {
        let id = self.add(inode);
        self.link(folder, name, id);
        id
    }

    /// Gives an inode a name, in place of what had it.
    pub fn link(&mut self, folder: Id, name: &[u8], id: Id) {
        if let Body::Folder { entries, .. } = &mut self.inode_mut(folder).body {
            Arc::make_mut(entries).insert(name.to_vec(), id);
        }
        self.inode_mut(id).links += 1;
        if let Body::Folder { parent, .. } = &mut self.inode_mut(id).body {
            *parent = folder;
        }
    }

    /// Takes a name away. The inode stays for those who have it open.
    pub fn unlink(&mut self, folder: Id, name: &[u8]) {
        let Body::Folder { entries, .. } = &mut self.inode_mut(folder).body else { return };
        if let Some(id) = Arc::make_mut(entries).remove(name) {
            self.inode_mut(id).links -= 1;
        }
    }

    /// What a folder has under a name.
    pub fn child(&self, folder: Id, name: &[u8]) -> Option<Id> {
        self.entries(folder)?.get(name).copied()
    }

    /// All names of a folder.
    pub fn entries(&self, folder: Id) -> Option<&Arc<std::collections::BTreeMap<Vec<u8>, Id>>> {
        match &self.inode(folder).body {
            Body::Folder { entries, .. } => Some(entries),
            Body::File(_)
            | Body::Link(_)
            | Body::Device { .. }
            | Body::Pipe(_)
            | Body::Output(_)
            | Body::Alias(_)
            | Body::Socket { .. } => None,
        }
    }

    pub fn parent(&self, folder: Id) -> Id {
        if let Body::Folder { parent, .. } = self.inode(folder).body { parent } else { ROOT }
    }

    /// Names of an inode, as `stat` counts them: a folder is also in itself and in its folders.
    pub fn links(&self, id: Id) -> u64 {
        match self.entries(id) {
            Some(_) if self.inode(id).links == 0 => 0,
            Some(entries) => 2 + entries.values().filter(|child| self.inode(**child).is_folder()).count() as u64,
            None => u64::from(self.inode(id).links),
        }
    }

    /// The number that the program sees.
    pub fn number(&mut self, id: Id) -> u64 {
        let position = self.seen.iter().position(|seen| *seen == id).unwrap_or_else(|| {
            Arc::make_mut(&mut self.seen).push(id);
            self.seen.len() - 1
        });
        position as u64 + 1
    }

    /// The way from the root to a folder; none if it has no name any more.
    pub fn way(&self, folder: Id) -> Option<Vec<u8>> {
        let mut names = Vec::new();
        let mut at = folder;
        while at != ROOT {
            let parent = self.parent(at);
            let (name, _) = self.entries(parent)?.iter().find(|(_, id)| **id == at)?;
            names.push(name.clone());
            at = parent;
        }
        names.reverse();
        Some([b"/".to_vec(), names.join(&b'/')].concat())
    }

    /// Follows a way. `follow`: a link at its end, too.
    pub fn walk(&self, from: Id, path: &[u8], follow: bool) -> Result<Place, i64> {
        if path.is_empty() {
            return Err(ENOENT);
        }
        if path.len() >= PATH_MAX {
            return Err(ENAMETOOLONG);
        }
        let mut at = if path[0] == b'/' { ROOT } else { from };
        let mut rest: VecDeque<Vec<u8>> = VecDeque::new();
        let mut slash = lay(&mut rest, path);
        let mut links = 0;
        let mut end = Name::Root;
        while let Some(name) = rest.pop_front() {
            let last = rest.is_empty();
            self.enter(at)?;
            if name.len() > NAME_MAX {
                return Err(ENAMETOOLONG);
            }
            let found = match name.as_slice() {
                b"." | b".." => {
                    (at, end) = if name == b"." { (at, Name::Here) } else { (self.parent(at), Name::Up) };
                    continue;
                }
                name => self.child(at, name),
            };
            let Some(id) = found else {
                let place = Place { folder: at, name: Name::Plain(name), found: None, slash };
                return if last { Ok(place) } else { Err(ENOENT) };
            };
            if let Body::Link(target) = &self.inode(id).body
                && (!last || follow || slash)
            {
                links += 1;
                if links > LINKS {
                    return Err(ELOOP);
                }
                (at, end) = if target.starts_with(b"/") { (ROOT, Name::Root) } else { (at, Name::Here) };
                slash |= lay(&mut rest, target) && last;
                continue;
            }
            if last {
                return Ok(Place { folder: at, name: Name::Plain(name), found: Some(id), slash });
            }
            at = id;
        }
        self.is_folder(at)?;
        Ok(Place { folder: self.parent(at), name: end, found: Some(at), slash })
    }

    fn is_folder(&self, id: Id) -> Result<(), i64> {
        if self.inode(id).is_folder() { Ok(()) } else { Err(ENOTDIR) }
    }

    /// May names be looked up there?
    pub fn enter(&self, id: Id) -> Result<(), i64> {
        self.is_folder(id)?;
        if self.inode(id).permits(1) { Ok(()) } else { Err(EACCES) }
    }

    /// Puts a file there that a program finds when it starts. Folders that are missing are made.
    pub fn seed(&mut self, seed: &Seed) {
        let parts: Vec<&[u8]> = seed.path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
        let Some((name, folders)) = parts.split_last() else { return };
        let mut at = if seed.path.starts_with(b"/") { ROOT } else { self.start };
        for folder in folders {
            let known = self.child(at, folder);
            at = known.unwrap_or_else(|| self.make(at, folder, Inode::folder(0o755, at)));
        }
        let body = match &seed.body {
            SeedBody::File(bytes) => {
                self.used += bytes.len() as u64;
                Body::File(File::plain(bytes))
            }
            SeedBody::Link(target) => Body::Link(target.clone()),
            SeedBody::Folder => match self.child(at, name) {
                Some(known) => {
                    self.inode_mut(known).mode = seed.mode;
                    return;
                }
                None => Inode::folder(seed.mode, at).body,
            },
        };
        if self.child(at, name).is_some() {
            self.unlink(at, name);
        }
        self.make(at, name, Inode::new(seed.mode, body));
    }
}

/// Puts the parts of a way before what is left of another. Does it end in a slash?
fn lay(rest: &mut VecDeque<Vec<u8>>, path: &[u8]) -> bool {
    for part in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).rev() {
        rest.push_front(part.to_vec());
    }
    path.ends_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let mut tree = Tree::default();
        let seed = |path: &str, body| Seed { path: path.into(), mode: 0o644, body };
        tree.seed(&seed("/work/a", SeedBody::File(b"abc".as_slice().into())));
        tree.seed(&Seed { path: "/work/d/e".into(), mode: 0o755, body: SeedBody::Folder });
        tree.seed(&seed("/work/l", SeedBody::Link(b"d/../a".to_vec())));
        tree.seed(&seed("/work/dangling", SeedBody::Link(b"d/none".to_vec())));
        tree.seed(&seed("/work/round", SeedBody::Link(b"round".to_vec())));
        tree.seed(&seed("/work/up", SeedBody::Link(b"/work/d/".to_vec())));
        tree
    }

    /// The way to what was found, `?` before a name that is not there, or the error.
    fn check(path: &str, follow: bool, expect: &str) {
        let tree = tree();
        let text = match tree.walk(tree.start, path.as_bytes(), follow) {
            Err(error) => error.to_string(),
            Ok(place) => {
                let folder = String::from_utf8(tree.way(place.folder).unwrap()).unwrap();
                let name = match &place.name {
                    Name::Plain(name) => String::from_utf8(name.clone()).unwrap(),
                    Name::Here | Name::Up | Name::Root => {
                        String::from_utf8(tree.way(place.found.unwrap()).unwrap()).unwrap()
                    }
                    Name::Unknown(_) => unreachable!("all names are plain"),
                };
                let missing = if place.found.is_none() { "?" } else { "" };
                format!("{folder}:{missing}{name}")
            }
        };
        assert_eq!(text, expect, "{path}");
    }

    #[test]
    fn ways_lead_where_they_should() {
        check("a", true, "/work:a");
        check("/work/a", true, "/work:a");
        check("./d/../a", true, "/work:a");
        check("b", true, "/work:?b");
        check("d/b", true, "/work/d:?b");
        check("no/b", true, "-2");
        check("a/b", true, "-20");
        check("a/", true, "/work:a");
        check("d/", true, "/work:d");
        check("", true, "-2");
        check("/", true, "/:/");
        check("..", true, "/:/");
        check("../..", true, "/:/");
        check(".", true, "/:/work");
        check("d/.", true, "/work:/work/d");
        check("a/.", true, "-20");
        check(&"x".repeat(256), true, "-36");
        check(&"x/".repeat(2048), true, "-36");
    }

    #[test]
    fn links_are_followed() {
        check("l", true, "/work:a");
        check("l", false, "/work:l");
        check("dangling", true, "/work/d:?none");
        check("dangling", false, "/work:dangling");
        check("round", true, "-40");
        check("up/e", false, "/work/d:e");
        check("up", true, "/work:d");
        check("up/", false, "/work:d");
    }

    #[test]
    fn numbers_are_given_in_the_order_of_looks() {
        let mut tree = tree();
        let a = tree.child(tree.start, b"a").unwrap();
        let d = tree.child(tree.start, b"d").unwrap();
        assert_eq!((tree.number(d), tree.number(a), tree.number(d)), (1, 2, 1));
    }

    #[test]
    fn a_folder_that_lost_its_name_has_no_way() {
        let mut tree = tree();
        let d = tree.child(tree.start, b"d").unwrap();
        assert_eq!(tree.links(d), 3);
        assert_eq!(tree.way(d), Some(b"/work/d".to_vec()));
        tree.unlink(tree.start, b"d");
        assert_eq!(tree.way(d), None);
        assert_eq!(tree.links(d), 0);
    }
}
