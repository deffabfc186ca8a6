//! The archive format: which member defines what, without reading members.
//!
//! llvm-ar (and ar with LLVM's plugin) writes a symbol table for bitcode; it is all a linker needs to choose members. Where
//! the table is missing the caller reads each member's symbols instead. Written here because it is sixty lines, and a
//! general object library would be a large guest for them.

/// One file in an archive.
#[derive(Debug)]
pub struct Member<'a> {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub bytes: &'a [u8],
}

/// An archive taken apart.
#[derive(Debug)]
pub struct Archive<'a> {
    /// Its members, in order.
    pub members: Vec<Member<'a>>,
    /// From the symbol table: name and index of the member that defines it.
    pub symbols: Vec<(String, usize)>,
}

const HEADER: usize = 60;

fn number(field: &[u8]) -> Option<usize> {
    std::str::from_utf8(field).ok()?.trim().parse().ok()
}

/// A name in the table of long names: up to a line break.
fn long_name(table: &[u8], at: usize) -> String {
    let rest = table.get(at..).unwrap_or(&[]);
    let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    String::from_utf8_lossy(&rest[..end]).trim_end_matches('/').to_string()
}

/// The symbol table: a big-endian count, as many offsets of headers, as many zero-terminated names.
fn symbol_table(table: &[u8], word: usize) -> Option<Vec<(String, usize)>> {
    let read = |at: usize| -> Option<usize> {
        let bytes = table.get(at..at.checked_add(word)?)?;
        bytes.iter().try_fold(0usize, |sum, &b| Some(sum.checked_mul(256)? + usize::from(b)))
    };
    let count = read(0)?;
    let names = table.get(word.checked_mul(count.checked_add(1)?)?..)?;
    let mut names = names.split(|&b| b == 0);
    let mut all = Vec::new();
    for i in 0..count {
        let name = names.next()?;
        all.push((String::from_utf8_lossy(name).into_owned(), read(word * (i + 1))?));
    }
    Some(all)
}

/// Takes an archive apart.
pub fn read(bytes: &[u8]) -> Result<Archive<'_>, String> {
    if bytes.starts_with(b"!<thin>\n") {
        return Err("a thin archive, which only names its members; make an ordinary one (ar rc, without T)".into());
    }
    if !bytes.starts_with(b"!<arch>\n") {
        return Err("not an archive; make it with llvm-ar rcs".into());
    }
    let cut = || "cut off in the middle of a member; make the archive again".to_string();
    let (mut members, mut starts, mut table, mut names) = (Vec::new(), Vec::new(), Vec::new(), &[][..]);
    let mut at = 8;
    while at + HEADER <= bytes.len() {
        let header = &bytes[at..at + HEADER];
        let size = number(&header[48..58]).ok_or_else(cut)?;
        let start = at + HEADER;
        let body = start.checked_add(size).and_then(|end| bytes.get(start..end)).ok_or_else(cut)?;
        let name = String::from_utf8_lossy(&header[..16]).trim_end().to_string();
        match name.as_str() {
            "/" => table = symbol_table(body, 4).ok_or_else(cut)?,
            "/SYM64/" => table = symbol_table(body, 8).ok_or_else(cut)?,
            "//" => names = body,
            _ => {
                let (name, bytes) = member_name(&name, names, body);
                if !name.starts_with("__.SYMDEF") {
                    starts.push(at);
                    members.push(Member { name, bytes });
                }
            }
        }
        at = start + size + size % 2;
    }
    let find = |offset: &usize| starts.binary_search(offset).ok();
    let symbols = table.iter().filter_map(|(name, offset)| Some((name.clone(), find(offset)?))).collect();
    Ok(Archive { members, symbols })
}

/// The name behind the three ways of writing it, and the contents after a name written there.
fn member_name<'a>(name: &str, names: &[u8], body: &'a [u8]) -> (String, &'a [u8]) {
    if let Some(length) = name.strip_prefix("#1/").and_then(|n| n.parse::<usize>().ok()) {
        let length = length.min(body.len());
        let written = String::from_utf8_lossy(&body[..length]).trim_end_matches('\0').to_string();
        return (written, &body[length..]);
    }
    if let Some(at) = name.strip_prefix('/').and_then(|n| n.parse::<usize>().ok()) {
        return (long_name(names, at), body);
    }
    (name.trim_end_matches('/').to_string(), body)
}
