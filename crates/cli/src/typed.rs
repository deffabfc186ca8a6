//! The bytes of an input as people read them: by the type that the source gives it, or else by what they look like.

use strata_record::{Field, Shape};

/// Elements of an array that are shown.
const ELEMENTS: usize = 16;
/// At most so many bytes are shown of an input.
const BYTES: usize = 64;
/// Equal elements at the end that are counted instead of shown.
const RUN: usize = 8;

/// An input in one line.
pub fn typed(bytes: &[u8], shape: Option<&Shape>) -> String {
    shape.and_then(|shape| shaped(bytes, shape)).unwrap_or_else(|| guessed(bytes))
}

/// By its type; none where that does not fit or where text says more.
fn shaped(bytes: &[u8], shape: &Shape) -> Option<String> {
    let size = shape.bytes as usize;
    if size == 0 || !bytes.len().is_multiple_of(size) || (size == 1 && bytes.len() > 1) {
        return None;
    }
    let count = bytes.len() / size;
    let name = match count {
        1 => shape.name.clone(),
        _ => format!("{}[{count}]", shape.name),
    };
    let elements: Option<Vec<String>> = bytes.chunks(size).map(|element| self::element(element, shape)).collect();
    let elements = elements?;
    let value = if count == 1 { elements[0].clone() } else { list(&elements) };
    Some(format!("{value} ({})", crate::console::plain(&name)))
}

fn element(bytes: &[u8], shape: &Shape) -> Option<String> {
    if shape.fields.is_empty() {
        return number(bytes, shape.signed);
    }
    let field = |field: &Field| {
        let start = field.offset as usize;
        let value = number(bytes.get(start..start + field.bytes as usize)?, field.signed)?;
        Some(format!("{} = {value}", crate::console::plain(&field.name)))
    };
    let fields: Option<Vec<String>> = shape.fields.iter().map(field).collect();
    Some(format!("{{{}}}", fields?.join(", ")))
}

/// Elements between braces; equal ones at the end are counted, and of many the first are shown.
fn list(elements: &[String]) -> String {
    let Some(last) = elements.last() else { return "{}".into() };
    let run = elements.iter().rev().take_while(|element| *element == last).count();
    let start = if run > RUN { elements.len() - run } else { elements.len() };
    let shown = elements[..start.min(ELEMENTS)].join(", ");
    match (start > ELEMENTS, start < elements.len()) {
        (true, _) => format!("{{{shown}, …}}"),
        (false, false) => format!("{{{shown}}}"),
        (false, true) if start == 0 => format!("{{{run} times {last}}}"),
        (false, true) => format!("{{{shown}, then {run} times {last}}}"),
    }
}

fn number(bytes: &[u8], signed: bool) -> Option<String> {
    if !(1..=16).contains(&bytes.len()) {
        return None;
    }
    let value = bytes.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
    let shift = 128 - 8 * bytes.len() as u32;
    Some(if signed { ((value << shift) as i128 >> shift).to_string() } else { value.to_string() })
}

/// A number where the bytes have the size of one, both ways where its sign is not known, and text where they look like it.
fn guessed(bytes: &[u8]) -> String {
    let shown = shown(bytes);
    let ended = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(ended);
    let text = text.len() > 1 && text.iter().all(u8::is_ascii_graphic) && rest.iter().all(|byte| *byte == 0);
    match (number(bytes, true), number(bytes, false)) {
        (Some(signed), Some(other)) if [1, 2, 4, 8].contains(&bytes.len()) && !text => {
            if signed == other {
                format!("{signed} ({shown})")
            } else {
                format!("{signed} or {other} ({shown})")
            }
        }
        _ => shown,
    }
}

/// Bytes as text; a long run of one byte at the end is counted instead.
fn shown(bytes: &[u8]) -> String {
    let last = bytes.last().copied().unwrap_or_default();
    let run = bytes.iter().rev().take_while(|byte| **byte == last).count();
    let (start, run) = if run > RUN { bytes.split_at(bytes.len() - run) } else { (bytes, &[][..]) };
    let quoted = start[..start.len().min(BYTES)].escape_ascii();
    match (start.len() > BYTES, run) {
        (true, _) => format!("\"{quoted}\"… ({} bytes)", bytes.len()),
        (false, []) => format!("\"{quoted}\""),
        (false, run) if start.is_empty() => format!("{} times \"{}\"", run.len(), run[..1].escape_ascii()),
        (false, run) => format!("\"{quoted}\", then {} times \"{}\"", run.len(), run[..1].escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_type_by_the_looks() {
        assert_eq!(typed(&[7, 0, 0, 0], None), "7 (\"\\x07\\x00\\x00\\x00\")");
        assert_eq!(typed(&[255], None), "-1 or 255 (\"\\xff\")");
        assert_eq!(typed(b"abc\0", None), "\"abc\\x00\"");
        assert_eq!(typed(b"mudstone", None), "\"mudstone\"");
        assert_eq!(typed(b"ab\0", None), "\"ab\\x00\"");
        assert_eq!(typed(&[0; 64], None), "64 times \"\\x00\"");
        assert_eq!(typed(&[&b"!"[..], &[0; 64]].concat(), None), "\"!\", then 64 times \"\\x00\"");
        let long: Vec<u8> = (0..100).map(|i| b'a' + i % 26).collect();
        assert!(typed(&long, None).ends_with("l\"… (100 bytes)"), "{}", typed(&long, None));
    }

    #[test]
    fn by_the_type() {
        let shape = |name: &str, bytes, signed| Shape { name: name.into(), bytes, signed, fields: vec![] };
        assert_eq!(typed(&[255; 8], Some(&shape("uint64_t", 8, false))), "18446744073709551615 (uint64_t)");
        assert_eq!(typed(&[254, 255], Some(&shape("short", 2, true))), "-2 (short)");
        let numbers = [1, 0, 255, 255].into_iter().chain([0; 24]).collect::<Vec<u8>>();
        assert_eq!(typed(&numbers, Some(&shape("short", 2, true))), "{1, -1, then 12 times 0} (short[14])");
        assert_eq!(typed(&[0; 64], Some(&shape("int", 4, true))), "{16 times 0} (int[16])");
        assert_eq!(typed(b"text", Some(&shape("char", 1, true))), "\"text\"");
        // A type that does not fit is not believed.
        assert_eq!(typed(b"abc", Some(&shape("int", 4, true))), "\"abc\"");
        let field = |name: &str, offset, bytes, signed| Field { name: name.into(), offset, bytes, signed };
        let fields = vec![field("x", 0, 4, true), field("c", 4, 1, false)];
        let point = Shape { name: "struct p".into(), bytes: 8, signed: false, fields };
        let one = [3, 0, 0, 0, 200, 9, 9, 9];
        assert_eq!(typed(&one, Some(&point)), "{x = 3, c = 200} (struct p)");
        let two = [one, [0; 8]].concat();
        assert_eq!(typed(&two, Some(&point)), "{{x = 3, c = 200}, {x = 0, c = 0}} (struct p[2])");
    }
}
