//! What a solver process answers: where a reply ends, and the values in one.

use strata_term::Bits;

/// The length of the first whole reply in `bytes`, leading blanks included: an atom that a blank ends, or a balanced list.
pub(super) fn end(bytes: &[u8]) -> Option<usize> {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let (mut depth, mut quote) = (0usize, None);
    for (offset, &byte) in bytes.iter().enumerate().skip(start) {
        match (quote, byte) {
            (Some(mark), _) if byte == mark => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'|') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(offset + 1);
                }
            }
            (None, _) if depth == 0 && byte.is_ascii_whitespace() => return Some(offset),
            (None, _) => {}
        }
    }
    None
}

/// The values of a `get-value` reply, in order: `((x #x05) (y true) ((select a i) (_ bv3 8)))`. `None` if it is something else.
pub(super) fn values(reply: &str) -> Option<Vec<Bits>> {
    let tokens = tokens(reply);
    let inner = tokens.strip_prefix(&["("])?.strip_suffix(&[")"])?;
    let mut values = Vec::new();
    let mut rest = inner;
    while !rest.is_empty() {
        let (pair, after) = rest.split_at(list_length(rest)?);
        values.push(last_value(pair)?);
        rest = after;
    }
    Some(values)
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' => 1,
            '|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len()),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn list_length(tokens: &[&str]) -> Option<usize> {
    let mut depth = 0usize;
    for (number, token) in tokens.iter().enumerate() {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(number + 1);
        }
    }
    None
}

/// The value at the end of `( term value )`.
fn last_value(pair: &[&str]) -> Option<Bits> {
    match pair {
        [.., "(", "_", number, width, ")", ")"] => {
            let width: u32 = width.parse().ok().filter(|width| (1..=strata_term::MAX_WIDTH).contains(width))?;
            Bits::parse(width, number.strip_prefix("bv")?, 10)
        }
        [.., "true", ")"] => Some(Bits::bool(true)),
        [.., "false", ")"] => Some(Bits::bool(false)),
        [.., digits, ")"] => match digits.split_at_checked(2)? {
            ("#x", hex) => Bits::parse(hex.len() as u32 * 4, hex, 16),
            ("#b", binary) => Bits::parse(binary.len() as u32, binary, 2),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        let cases: [(&str, Option<usize>); 7] = [
            ("sat\n", Some(3)),
            ("sa", None),
            ("\n sat\nunsat\n", Some(5)),
            ("((x #x05)\n (y 1))rest", Some(17)),
            ("((x", None),
            ("(error \"a ) b\") ", Some(15)),
            ("(|a)b| 1)x", Some(9)),
        ];
        for (text, expect) in cases {
            assert_eq!(end(text.as_bytes()), expect, "{text}");
        }
    }

    #[test]
    fn value_lists() {
        let check = |text: &str, expect: Option<Vec<Bits>>| assert_eq!(values(text), expect, "{text}");
        check("((x #x05) (|a b| true))", Some(vec![Bits::new(8, 5), Bits::bool(true)]));
        check("(((select a #x01) (_ bv300 9)))", Some(vec![Bits::new(9, 300)]));
        check("((y #b101)\n)", Some(vec![Bits::new(3, 5)]));
        check("()", Some(vec![]));
        check("(error \"x\")", None);
        check("((x (fp #b0)))", None);
        check("((x #xzz))", None);
        check("", None);
    }
}
