//! What a solver process answers to `get-value`, read back.

use super::lexer::Kind;
use super::terms::Terms;
use crate::bits::Bits;
use crate::text::Error;
use crate::text::error::{Fault, locate};

/// The pairs of `((term value) …)`: each term as it is written, and its value. A truth value is one bit.
pub fn read_values(text: &[u8]) -> Result<Vec<(String, Bits)>, Error> {
    let mut terms = Terms::new(text);
    pairs(&mut terms).map_err(|fault| match fault {
        Fault::At(offset, message) => locate(text, offset, message),
        Fault::End => locate(text, text.len(), "unexpected end of the values".into()),
    })
}

fn pairs(terms: &mut Terms) -> Result<Vec<(String, Bits)>, Fault> {
    let mut pairs = Vec::new();
    terms.expect_open("the values")?;
    loop {
        let token = terms.lexer.next()?;
        match token.kind {
            Kind::Close => return Ok(pairs),
            Kind::Open => {}
            _ => return terms.unexpected(token, "`(` of a term and its value"),
        }
        let asked = terms.lexer.next()?;
        let name = String::from_utf8_lossy(terms.lexer.skip_expression(asked)?).into_owned();
        let at = terms.lexer.at;
        match terms.term()?.term.as_const() {
            Some(value) => pairs.push((name, value)),
            None => return Fault::at(at, "expected a constant"),
        }
        terms.expect_close("a pair is a term and its value")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let text = b"((x #x05)\n (|a b| (_ bv3 70)) ((= x y) true) (p false) ($t1 #b01))";
        let expect = [
            ("x", Bits::new(8, 5)),
            ("|a b|", Bits::new(70, 3)),
            ("(= x y)", Bits::one(1)),
            ("p", Bits::zero(1)),
            ("$t1", Bits::new(2, 1)),
        ];
        assert_eq!(read_values(text).unwrap(), expect.map(|(name, value)| (name.to_string(), value)));
        for (text, expect) in [
            ("(error \"x\")", "1:2: unexpected `error`: expected `(` of a term and its value"),
            ("((x y))", "1:5: unknown symbol `y`"),
            ("((x ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00)))", "1:4: expected a constant"),
            ("((x #x05)", "1:10: unexpected end of the values"),
            ("unsupported", "1:1: unexpected `unsupported`: expected `(` of the values"),
        ] {
            assert_eq!(read_values(text.as_bytes()).unwrap_err().to_string(), expect);
        }
    }
}
