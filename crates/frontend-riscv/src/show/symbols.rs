//! The name for an address: which symbol objdump takes where several could serve.

use crate::elf::{Elf, Symbol, SymbolKind};
use std::cmp::{Ordering, Reverse};

/// The symbols that can name an address, in objdump's order.
pub(super) struct Symbols<'a> {
    elf: &'a Elf,
    /// By address; of several at one address the first is preferred.
    sorted: Vec<&'a Symbol>,
    /// Marks by section and address; of several at one address the last one holds.
    marks: Vec<&'a Symbol>,
}

/// Is it a name for people? Marks of the assembler tell code from data.
fn is_name(symbol: &Symbol) -> bool {
    !is_mark(&symbol.name) && symbol.name != ".L0 "
}

/// Is it a mark that tells what follows: instructions (`$x`) or data (`$d`)?
fn is_mark(name: &str) -> bool {
    name == "$x" || name == "$d" || name.starts_with("$xrv")
}

impl<'a> Symbols<'a> {
    /// The symbols of a file.
    pub fn new(elf: &'a Elf) -> Symbols<'a> {
        let useful = |symbol: &&Symbol| symbol.kind != SymbolKind::Note && !symbol.name.is_empty();
        let mut sorted: Vec<&Symbol> = elf.symbols.iter().filter(useful).collect();
        sorted.sort_by(|a, b| order(a, b));
        let mut marks: Vec<&Symbol> = sorted.iter().copied().filter(|symbol| is_mark(&symbol.name)).collect();
        marks.sort_by_key(|mark| (mark.section, mark.address));
        Symbols { elf, sorted, marks }
    }

    /// The address of the symbol with this name.
    pub fn address(&self, name: &str) -> Option<u64> {
        self.sorted.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.address)
    }

    /// The symbol for an address, looked for from code of a section: an exact one of this
    /// section, else the nearest one before. With `within`, and for an address in the section of
    /// an object file, one of this section or none, and one that follows if none is before.
    pub fn find(&self, address: u64, section: usize, within: bool) -> Option<&'a Symbol> {
        let end = self.sorted.partition_point(|symbol| symbol.address <= address);
        // Nothing is before the first symbol: it is measured from that one.
        let nearest = self.sorted.get(end.saturating_sub(1))?.address;
        let start = self.sorted.partition_point(|symbol| symbol.address < nearest);
        let end = self.sorted.partition_point(|symbol| symbol.address <= nearest);
        let same = &self.sorted[start..end];
        if let Some(own) = same.iter().find(|symbol| is_name(symbol) && symbol.section == Some(section)) {
            return Some(own);
        }
        let within = within || self.elf.relocatable && self.elf.sections[section].holds(address);
        let serves = |symbol: &&&Symbol| is_name(symbol) && (!within || symbol.section == Some(section));
        if let Some(first) = same.first().filter(serves) {
            return Some(first);
        }
        match self.sorted[..end].iter().rev().find(serves) {
            Some(before) => {
                // Of those at its address the first one.
                let start = self.sorted.partition_point(|symbol| symbol.address < before.address);
                self.sorted[start..].iter().find(serves).copied()
            }
            None => self.sorted[end..].iter().find(serves).copied(),
        }
    }

    /// The first symbol of a section beyond an address.
    pub fn next(&self, address: u64, section: usize) -> Option<&'a Symbol> {
        let start = self.sorted.partition_point(|symbol| symbol.address <= address);
        self.sorted[start..].iter().find(|symbol| is_name(symbol) && symbol.section == Some(section)).copied()
    }

    /// Is the byte at an address of a section data, as marks say? And where does the next mark
    /// stand?
    pub fn is_data(&self, address: u64, section: usize) -> (bool, Option<u64>) {
        let end = self.marks.partition_point(|mark| (mark.section, mark.address) <= (Some(section), address));
        let last = end.checked_sub(1).map(|last| self.marks[last]);
        let own = |mark: &&Symbol| mark.section == Some(section);
        let next = self.marks.get(end).copied().filter(own);
        (last.filter(own).is_some_and(|mark| mark.name == "$d"), next.map(|mark| mark.address))
    }

    /// An address as objdump shows it in code of a section: `12f4 <main+0x10>`.
    pub fn show(&self, address: u64, section: usize) -> String {
        if self.sorted.is_empty() {
            return format!("{address:#x}");
        }
        format!("{address:x} {}", self.place(address, section, self.find(address, section, false)))
    }

    /// `<main+0x10>`, or from the section's start where there is no symbol.
    pub fn place(&self, address: u64, section: usize, symbol: Option<&Symbol>) -> String {
        let section = &self.elf.sections[section];
        let (name, from) = symbol.map_or((&section.name, section.address), |symbol| (&symbol.name, symbol.address));
        match address.cmp(&from) {
            Ordering::Equal => format!("<{name}>"),
            Ordering::Greater => format!("<{name}+{:#x}>", address - from),
            Ordering::Less => format!("<{name}-{:#x}>", from - address),
        }
    }
}

/// By address; then functions, objects, the more visible and the larger ones first, and names
/// with a dot last.
fn order(a: &Symbol, b: &Symbol) -> Ordering {
    let key = |s: &Symbol| {
        let likely_file = s.name.ends_with(".o") || s.name.ends_with(".a");
        let made_by = s.name.contains("gnu_compiled") || s.name.contains("gcc2_compiled");
        (
            s.address,
            made_by,
            likely_file,
            s.kind != SymbolKind::Function,
            s.kind != SymbolKind::Object,
            s.binding,
            Reverse(s.size),
            s.name.starts_with('.'),
        )
    };
    key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
}
