//! Attacks on the pack: cut at every byte, each byte flipped, hostile bytes. Nothing panics, and what is whole is read.

use super::{HEAD, HEADER, MARK, Packed, Reader, TEST, TEXT, Writer, checksum};
use crate::{Bytes, Dependence, End, ErrorReport, Expectation, Field, KTest, Shape, Trace};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn sample(number: u32) -> (KTest, Expectation, Option<ErrorReport>) {
    let objects = vec![
        ("x".into(), number.to_le_bytes().to_vec()),
        ("A-data-stat".into(), vec![number as u8 % 2; 144]),
        ("empty".into(), Vec::new()),
    ];
    let args = vec![b"a.out".to_vec(), b"\xff".to_vec()];
    let input = KTest { args, sym_argvs: number % 2, sym_argv_len: 7, objects };
    let (error, file, message) = ("ptr".into(), "a.c".into(), "out of bounds".into());
    let error = End::Error { error, file, line: 7, message };
    let end = [End::Exit { status: -3 }, error, End::Incomplete { reason: "time".into() }, End::Signal { signal: 9 }];
    let report = ErrorReport { kind: "ptr".into(), message: format!("at {number}"), ..ErrorReport::default() };
    let expectation = Expectation {
        end: end[number as usize % 4].clone(),
        stdout: Bytes(format!("an answer that is {}\n", number % 3).into_bytes()),
        stderr: Bytes(vec![0xfa; number as usize % 5]),
        cut: number % 3 == 1,
        branches: Trace { count: u64::from(number) << 30, hash: u64::MAX - u64::from(number) },
        depends: if number % 5 == 1 { BTreeSet::from([Dependence::Address]) } else { BTreeSet::new() },
        call: if number % 5 == 2 { "time".into() } else { String::new() },
        new: number.is_multiple_of(2),
        became: if number % 7 == 1 { vec![Bytes(b"/bin/\xff".to_vec())] } else { vec![] },
        shapes: vec![Shape { name: "int".into(), bytes: 4, signed: true, fields: vec![Field::default()] }],
        seed: 1,
    };
    (input, expectation, (number % 4 == 1).then_some(report))
}

fn packed(number: u32) -> Packed {
    let (input, expectation, report) = sample(number);
    Packed { input, expectation, report: report.map(|report| (report.suffix(), report.text())) }
}

/// The bytes of a pack with the samples of these numbers, and where each test ends.
fn pack(numbers: impl IntoIterator<Item = u32>) -> (Vec<u8>, Vec<(u32, usize)>) {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let unique = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("strata-pack-{}-{unique}", std::process::id()));
    let mut writer = Writer::new(path.clone());
    let ends = numbers.into_iter().map(|number| {
        let (input, expectation, report) = sample(number);
        writer.append(number, &input, &expectation, report.as_ref()).unwrap();
        (number, writer.length() as usize)
    });
    let ends = ends.collect();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    (bytes, ends)
}

fn read(bytes: &[u8]) -> Reader {
    Reader::of(PathBuf::from("tests.pack"), bytes.to_owned())
}

/// All tests can be asked for; those that are whole are as they were.
fn check(reader: &Reader) -> usize {
    let numbers: Vec<u32> = reader.numbers().collect();
    assert!(numbers.is_sorted());
    let read = numbers.iter().filter(|&&number| match reader.get(number).expect("it is listed") {
        Ok(found) => {
            assert_eq!(found, packed(number));
            true
        }
        Err(fault) => {
            assert!(fault.to_string().starts_with("tests.pack: offset "), "{fault}");
            false
        }
    });
    read.count()
}

#[test]
fn all_fields_read_back_and_what_repeats_is_short() {
    let (bytes, ends) = pack(1..=1000);
    let reader = read(&bytes);
    assert_eq!((check(&reader), reader.damage().len()), (1000, 0));
    assert!(reader.get(1001).is_none());
    // The stat object alone has 144 bytes; a report and 4 bytes that differ are in a quarter of them.
    let each = (ends[999].1 - ends[199].1) / 800;
    assert!(each < 100, "{each} bytes a test");
    // Written twice, in falling order.
    let (bytes, _) = pack((1..=9).rev().chain([5]));
    assert_eq!(check(&read(&bytes)), 9);
}

#[test]
fn a_cut_at_every_byte_loses_what_comes_after_it_alone() {
    let (bytes, ends) = pack(1..=20);
    for length in 0..=bytes.len() {
        let reader = read(&bytes[..length]);
        let whole = ends.iter().filter(|(_, end)| *end <= length).count();
        assert_eq!(check(&reader), whole, "cut at {length}");
        let at_border = reader.damage().is_empty();
        assert!(at_border || reader.damage().len() == 1 && reader.damage()[0].contains("torn"), "cut at {length}");
    }
}

#[test]
fn a_flipped_byte_costs_its_record_alone() {
    let (bytes, _) = pack(1..=20);
    for at in HEADER..bytes.len() {
        for bit in [1, 0x80] {
            let mut broken = bytes.clone();
            broken[at] ^= bit;
            let reader = read(&broken);
            assert_eq!(reader.damage().len(), 1, "flipped at {at}");
            let found = check(&reader);
            // A lost test is one; a lost text is missed by all that refer to it, and said of each.
            assert!(found >= 19 || reader.numbers().count() == 20, "flipped at {at}: {found}");
        }
    }
    for at in 0..HEADER {
        let mut broken = bytes.clone();
        broken[at] ^= 1;
        let reader = read(&broken);
        assert_eq!((check(&reader), reader.damage().len()), (0, 1), "flipped at {at}");
    }
}

#[test]
fn bytes_lost_in_the_middle_cost_nothing_else() {
    let (bytes, ends) = pack(1..=200);
    let (from, to) = (ends[149].1 + 3, ends[159].1 - 3);
    let reader = read(&[&bytes[..from], &bytes[to..]].concat());
    assert_eq!((check(&reader), reader.damage().len()), (190, 1), "{:?}", reader.damage());
    assert!(reader.damage()[0].contains("passed over"), "{:?}", reader.damage());
}

fn record(kind: u8, payload: &[u8]) -> Vec<u8> {
    let (length, sum) = ((payload.len() as u32).to_le_bytes(), checksum(kind, payload).to_le_bytes());
    [&[MARK, kind][..], &length, &sum, payload].concat()
}

#[test]
fn hostile_payloads_are_faults() {
    let (bytes, ends) = pack([1]);
    let header = &bytes[..HEADER];
    let test = &bytes[..ends[0].1];
    let payload = test[HEADER..].windows(2).position(|pair| pair == [MARK, TEST]).unwrap() + HEADER + HEAD;
    let payload = &test[payload..];
    let forged = |payloads: &[(u8, &[u8])]| {
        let records = payloads.iter().flat_map(|(kind, payload)| record(*kind, payload));
        read(&header.iter().copied().chain(records).collect::<Vec<u8>>())
    };
    // Without its texts, cut short with a right checksum, with bytes after its end.
    for end in 1..payload.len() {
        let reader = forged(&[(TEST, &payload[..end])]);
        assert!(reader.get(1).is_none_or(|found| found.is_err()), "cut to {end}");
        let whole = [&bytes[..ends[0].1], &record(TEST, &payload[..end])].concat();
        assert!(read(&whole).get(1).unwrap().is_err(), "cut to {end}");
    }
    assert!(read(&[&bytes, &record(TEST, &[payload, b"x"].concat())[..]].concat()).get(1).unwrap().is_err());
    let endless = [0xff; 11];
    for payload in [&[][..], &endless, &[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]] {
        let reader = forged(&[(TEST, payload), (TEXT, payload), (77, payload)]);
        assert_eq!(reader.numbers().count(), 0);
    }
    // A value that claims more than there is, and a text that is not there.
    for value in [&[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01][..], &[0x03]] {
        let reader = forged(&[(TEST, &[&[9, 0], value].concat())]);
        assert!(reader.get(9).unwrap().is_err());
    }
}

#[test]
fn a_search_for_the_next_record_ends_soon() {
    // Each place claims a record up to the end.
    let size = 4 << 20;
    let mut bytes = pack([1]).0;
    while bytes.len() < size {
        let left = (size - bytes.len()) as u32;
        bytes.extend_from_slice(&[MARK, TEST]);
        bytes.extend_from_slice(&left.saturating_sub(64).to_le_bytes());
    }
    let reader = read(&bytes);
    assert_eq!((check(&reader), reader.damage().len()), (1, 1));
}
