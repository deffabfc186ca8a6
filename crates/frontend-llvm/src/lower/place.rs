//! Debug information to source positions.

use crate::llvm::{Location, Meta, Module};
use rustc_hash::FxHashMap;
use strata_ir::{Place, PlaceId};

/// All positions so far, each once.
pub struct Places<'a> {
    module: &'a Module<'a>,
    files: Vec<String>,
    /// Of each file: the sum of its contents that the compiler noted.
    checksums: Vec<Option<String>>,
    places: Vec<Place>,
    file_of: FxHashMap<Meta, u32>,
    file_named: FxHashMap<String, u32>,
    known: FxHashMap<Place, PlaceId>,
    of_meta: FxHashMap<Meta, PlaceId>,
}

/// Folder and name joined, without `.` and what `..` takes back.
pub fn join(folder: &str, name: &str) -> String {
    let path = if name.starts_with('/') || folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, parts.join("/"))
}

impl<'a> Places<'a> {
    /// Only the unknown one.
    pub fn new(module: &'a Module<'a>) -> Places<'a> {
        Places {
            module,
            files: Vec::new(),
            checksums: Vec::new(),
            places: vec![Place::default()],
            file_of: FxHashMap::default(),
            file_named: FxHashMap::default(),
            known: FxHashMap::from_iter([(Place::default(), PlaceId(0))]),
            of_meta: FxHashMap::default(),
        }
    }

    fn file(&mut self, meta: Meta) -> u32 {
        if let Some(known) = self.file_of.get(&meta) {
            return *known;
        }
        let (folder, name) = meta.file_name();
        let path = join(&folder, &name);
        let id = *self.file_named.entry(path).or_insert_with_key(|path| {
            self.files.push(path.clone());
            self.checksums.push(None);
            self.files.len() as u32 - 1
        });
        // A file that names itself by `#line` has a second node, without a sum.
        let sum = &mut self.checksums[id as usize];
        *sum = sum.take().or_else(|| self.module.checksum(meta));
        self.file_of.insert(meta, id);
        id
    }

    /// The id of a position.
    pub fn add(&mut self, location: &Location) -> PlaceId {
        let inlined_at = location.inlined_at.map_or(0, |outer| self.at(outer).0);
        let (Some(file), true) = (location.file, location.line > 0) else { return PlaceId(inlined_at) };
        let file = self.file(file);
        let place = Place { file, line: location.line, column: location.column, inlined_at };
        *self.known.entry(place).or_insert_with(|| {
            self.places.push(place);
            PlaceId(self.places.len() as u32 - 1)
        })
    }

    /// The id of a location node.
    pub fn at(&mut self, meta: Meta) -> PlaceId {
        if let Some(known) = self.of_meta.get(&meta) {
            return *known;
        }
        // Not cached until known: the chain of inlined calls is walked by recursion, as deep as inlining went.
        let id = self.add(&meta.location());
        self.of_meta.insert(meta, id);
        id
    }

    /// The tables: files, their sums, positions.
    pub fn finish(self) -> (Vec<String>, Vec<Option<String>>, Vec<Place>) {
        (self.files, self.checksums, self.places)
    }
}
