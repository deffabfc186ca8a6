//! Bytes and 64-bit hashes inside JSON.
//!
//! Output is text nearly always, so bytes that are UTF-8 are a plain JSON string, which people and `jq` can read; others are
//! `{"hex": "…"}`. Base64 for everything was rejected: nobody can read it. Hashes are hex strings, since JSON numbers
//! lose bits beyond 2^53 in most readers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes, as text in JSON where they are text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Hex { hex: String },
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Form::Hex { hex: to_hex(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(Bytes(text.into_bytes())),
            Form::Hex { hex } => from_hex(&hex).map(Bytes).ok_or_else(|| serde::de::Error::custom("not hexadecimal")),
        }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(bytes)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        Bytes(bytes.to_owned())
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Bytes {
        Bytes(text.as_bytes().to_owned())
    }
}

fn to_hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| Some((digit(pair[0])? << 4 | digit(*pair.get(1)?)?) as u8)).collect()
}

/// A `u64` as a string of 16 hex digits, for `#[serde(with)]`.
pub(crate) mod hex64 {
    use super::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{value:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(|_| serde::de::Error::custom("expected up to 16 hex digits"))
    }
}

/// The hash by which a program is recognised (FNV-1a, 64 bits): it notices a mix-up, not an attack.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], json: &str) {
        let bytes = Bytes(bytes.to_owned());
        assert_eq!(serde_json::to_string(&bytes).unwrap(), json);
        assert_eq!(serde_json::from_str::<Bytes>(json).unwrap(), bytes);
    }

    #[test]
    fn bytes_round_trip() {
        check(b"", r#""""#);
        check(b"a \"b\"\n\0", r#""a \"b\"\n\u0000""#);
        check(b"\xff\x00a", r#"{"hex":"ff0061"}"#);
        for wrong in [r#"{"hex":"f"}"#, r#"{"hex":"zz"}"#, "1"] {
            assert!(serde_json::from_str::<Bytes>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hash_is_fnv() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
