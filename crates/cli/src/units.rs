//! Durations and sizes as users type them.

use std::time::Duration;

/// `90`, `90s`, `500ms`, `5min`, `1h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit `{unit}`: use ms, s, min or h")),
    };
    let number: f64 =
        number.parse().map_err(|_| "expected a duration such as 10, 500ms, 90s, 5min or 1h".to_owned())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "longer than can be counted".to_owned())
}

/// `512M`, `1G`; a bare number is MiB.
pub fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = split(text);
    let factor: u64 = match unit.to_ascii_uppercase().trim_end_matches('B') {
        "K" | "KI" => 1 << 10,
        "" | "M" | "MI" => 1 << 20,
        "G" | "GI" => 1 << 30,
        "T" | "TI" => 1 << 40,
        _ => return Err(format!("unknown unit `{unit}`: use K, M, G or T")),
    };
    let number: u64 = number.parse().map_err(|_| "expected a size such as 512, 512M or 1G".to_owned())?;
    let bytes = number.checked_mul(factor).and_then(|bytes| usize::try_from(bytes).ok());
    bytes.ok_or_else(|| "too large".to_owned())
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, millis) in
            [("90", 90_000), ("90s", 90_000), ("1.5s", 1500), ("500ms", 500), ("5min", 300_000), ("1h", 3_600_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "-1", "1d", "1e99h", "x"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [("512", 512 << 20), ("512M", 512 << 20), ("1G", 1 << 30), ("4k", 4096), ("1GiB", 1 << 30)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "-1", "1P", "99999999999999G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
