//! Small programs of the IR whose paths are known by hand.

use strata_fuzz::engine::{Unsure, model, names, run_text, run_text_with};
use strata_interp::{Config, Uninit};

fn ends(source: &str) -> Vec<String> {
    names(&run_text(source, &Config::default()))
}

/// Each input takes exactly one path; gives its end.
fn follow(source: &str, config: &Config, bytes: &[u8]) -> String {
    let ended = run_text(source, config);
    let model = model(bytes);
    let taken: Vec<_> = ended.iter().filter(|ended| ended.is_taken_by(&model)).collect();
    assert_eq!(taken.len(), 1, "{bytes:?} takes {:?}\n{source}", taken.iter().map(|e| e.name()).collect::<Vec<_>>());
    taken[0].name()
}

#[test]
fn branches_and_switches() {
    let source = "
function main(r0:i8) -> i32 {
b0:
  r1:i1 = ult r0, i8 10
  branch r1, b1, b2 site 1
b1:
  switch r0:i8 { i8 3: b3, i8 4: b3, i8 5: b4, i8 77: b4, else: b2 } site 2
b2:
  return i32 1
b3:
  return i32 2
b4:
  return i32 3
}";
    assert_eq!(ends(source), ["exit 1", "exit 1", "exit 2", "exit 3"]);
    for (byte, status) in [(3, 2), (4, 2), (5, 3), (77, 1), (0, 1), (10, 1)] {
        assert_eq!(follow(source, &Config::default(), &[byte]), format!("exit {status}"), "{byte}");
    }
}

const FORKING: &str = "
function strata_set_forking(r0:i32)
function main(r0:i8) -> i32 {
b0:
  call strata_set_forking(i32 0)
  switch r0:i8 { i8 3: b1, i8 4: b2, else: b3 }
b1:
  jump b4
b2:
  jump b4
b3:
  jump b4
b4:
  r1:i32 = zero_extend r0
  return r1
}";

#[test]
fn a_switch_without_forking_stands_for_what_it_takes() {
    let ended = run_text(FORKING, &Config::default());
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0].notes(), ["forking"]);
    let taken = (0..=255u8).filter(|byte| ended[0].is_taken_by(&model(&[*byte]))).count();
    assert_eq!(taken, 1, "the path is that of the first case alone");
}

#[test]
fn the_depth_limit_holds_for_switches() {
    let source = FORKING.replace("i32 0)", "i32 1)");
    let config = Config { max_depth: Some(0), ..Config::default() };
    let ended = run_text(&source, &config);
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0].notes(), ["depth"]);
}

#[test]
fn a_store_through_an_integer_respects_constants() {
    // The pointer's low bits are symbolic and its origin is lost by the multiplication.
    let source = "
constant text size 64 align 64 {
  \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"
}
function main(r0:i8) -> i32 {
b0:
  r1:i8 = and r0, i8 15
  r2:i64 = zero_extend r1
  r3:i64 = mul &text, i64 1
  r4:i64 = add r3, r2
  store i8 7 to r4
  return i32 0
}";
    assert_eq!(ends(source), ["error read_only"]);
}

#[test]
fn exclusive_or_lists() {
    // first ^ second, kept as one word, gives the second from the first and the first from the second.
    let source = "
global first size 8 align 8 zero
global second size 8 align 8 { \"\\09\\00\\00\\00\\00\\00\\00\\00\" }
function main() -> i32 {
b0:
  r0:i64 = copy &first
  r1:i64 = copy &second
  r2:i64 = xor r0, r1
  r3:i64 = xor r2, r0
  r4:i32 = load r3
  return r4
}";
    assert_eq!(ends(source), ["exit 9"]);
}

#[test]
fn sizes_that_were_not_tried_are_not_taken() {
    // Too many sizes to try all: the size is an element of a table. The least and the largest
    // below the limit are tried, and one between, which is not in the table.
    let source = "
function malloc(r0:i64) -> i64
global table size 16 align 4 { \"\\07\\01\\07\\c8\\c9\\ca\\cb\\cc\\cd\\ce\\cf\\d0\\d1\\d2\\d3\\d4\" }
function main(r0:i8) -> i32 {
b0:
  r1:i8 = and r0, i8 15
  r2:i64 = zero_extend r1
  r3:i64 = offset &table, r2 * 1
  r4:i8 = load r3
  r5:i64 = zero_extend r4
  r6:i64 = call malloc(r5:i64)
  r7:i32 = zero_extend r4
  return r7
}";
    let config = Config { size_cap: 100, ..Config::default() };
    let ended = run_text(source, &config);
    for byte in 0..=255u8 {
        let taken = ended.iter().filter(|e| e.is_taken_by(&model(&[byte]))).count();
        assert_eq!(taken, usize::from(byte & 15 < 3), "{byte}: {:?}", names(&ended));
    }
    assert!(ended.iter().all(|e| e.notes().contains(&"size")));
}

#[test]
fn values_come_back_in_the_caller_s_width() {
    let source = "
function narrow(r0:i8) -> i8 {
b0:
  r1:i8 = add r0, i8 1
  return r1
}
function nothing() {
b0:
  return
}
function main(r0:i8) -> i32 {
b0:
  r1:i64 = copy &narrow
  r2:i32 = call_indirect r1(r0:i8) -> i32
  r3:i32 = add r2, i32 1
  r4:i1 = ult r3, i32 5
  branch r4, b1, b2
b1:
  return i32 1
b2:
  return i32 2
}";
    assert_eq!(follow(source, &Config::default(), &[2]), "exit 1");
    assert_eq!(follow(source, &Config::default(), &[200]), "exit 2");
}

#[test]
fn calls_through_pointers_fork_over_their_targets() {
    let source = "
global table size 24 align 8 { &one &two \"\\00\\00\\00\\00\\00\\00\\00\\00\" }
function one() -> i32 {
b0:
  return i32 1
}
function two() -> i32 {
b0:
  return i32 2
}
function main(r0:i8) -> i32 {
b0:
  r1:i64 = zero_extend r0
  r2:i64 = offset &table, r1 * 8
  r3:i64 = load r2
  r4:i32 = call_indirect r3() -> i32
  return r4
}";
    for (byte, end) in [(0, "exit 1"), (1, "exit 2"), (2, "error exec"), (3, "error ptr"), (255, "error ptr")] {
        assert_eq!(follow(source, &Config::default(), &[byte]), end, "{byte}");
    }
}

#[test]
fn jumps_back_over_calls() {
    let source = "
function setjmp(r0:i64) -> i32
function longjmp(r0:i64, r1:i32)
global buffer size 64 align 8 zero
function deep(r0:i8) {
b0:
  r1:i64 = allocate i64 16 align 8
  store i8 1 to r1
  r2:i1 = ult r0, i8 100
  branch r2, b1, b2
b1:
  r3:i32 = zero_extend r0
  call longjmp(&buffer, r3:i32)
  unreachable
b2:
  return
}
function main(r0:i8) -> i32 {
b0:
  r1:i32 = call setjmp(&buffer)
  r2:i1 = eq r1, i32 0
  branch r2, b1, b2
b1:
  call deep(r0:i8)
  return i32 200
b2:
  r3:i1 = eq r1, i32 1
  branch r3, b3, b4
b3:
  return i32 1
b4:
  return i32 2
}";
    for (byte, end) in [(0, "exit 1"), (1, "exit 1"), (2, "exit 2"), (99, "exit 2"), (100, "exit 200")] {
        assert_eq!(follow(source, &Config::default(), &[byte]), end, "{byte}");
    }
}

/// The caller knows of no convention, so all are in memory: where they begin is in the layout
/// before them.
#[test]
fn surplus_arguments() {
    let source = "
function sum(r0:i32, ...) -> i32 {
b0:
  r11:i64 = variadic
  r12:i64 = load r11
  r13:i64 = lshr r12, i64 16
  r1:i64 = offset r11, r13 * 1
  r2:i32 = load r1
  r3:i64 = offset r1, i64 1 * 8
  r4:i64 = load r3
  r5:i32 = extract r4 from 0
  r6:i64 = offset r1, i64 2 * 8
  r7:i8 = load r6
  r8:i32 = zero_extend r7
  r9:i32 = add r2, r5
  r10:i32 = add r9, r8
  return r10
}
function main() -> i32 {
b0:
  r0:i32 = call sum(i32 9, i32 1, i64 20, i128 30)
  return r0
}";
    assert_eq!(ends(source), ["exit 51"]);
}

#[test]
fn sizes_of_objects_from_a_pointer_on() {
    let source = "
global buffer size 16 align 8 zero
function main(r0:i8) -> i32 {
b0:
  r1:i8 = and r0, i8 15
  r2:i64 = zero_extend r1
  r3:i64 = offset &buffer, r2 * 1
  r4:i64 = object_size r3
  r5:i64 = add r4, r2
  r6:i1 = eq r5, i64 16
  branch r6, b1, b2
b1:
  return i32 1
b2:
  return i32 2
}";
    assert_eq!(ends(source), ["exit 1"]);
}

#[test]
fn products_of_sizes_do_not_wrap() {
    // calloc(n << 60, 32): every n but 0 overflows, and the real calloc gives null.
    let source = "
function calloc(r0:i64, r1:i64) -> i64
function main(r0:i8) -> i32 {
b0:
  r1:i64 = zero_extend r0
  r2:i64 = shl r1, i64 59
  r3:i64 = call calloc(r2:i64, i64 32)
  r4:i1 = eq r3, i64 0
  branch r4, b1, b2
b1:
  return i32 1
b2:
  return i32 2
}";
    let ended = run_text(source, &Config::default());
    let wrong = ended.iter().any(|e| e.name() == "exit 2" && e.is_taken_by(&model(&[1])));
    assert!(!wrong, "an allocation beyond the address space gave memory");
}

#[test]
fn what_nobody_wrote_is_settled_after_many_symbolic_stores() {
    // 200 stores at a symbolic index into memory that nobody wrote: the list of updates is flattened. A branch on what was not hit is settled.
    let source = "
function main(r0:i8) -> i32 {
b0:
  r1:i64 = allocate i64 16 align 8
  r2:i8 = and r0, i8 7
  r3:i64 = zero_extend r2
  r4:i64 = offset r1, r3 * 1
  r5:i32 = copy i32 0
  jump b1
b1:
  store i8 1 to r4
  r5:i32 = add r5, i32 1
  r6:i1 = ult r5, i32 200
  branch r6, b1, b2
b2:
  r7:i8 = load r1
  r8:i1 = eq r7, i8 17
  branch r8, b3, b4
b3:
  return i32 1
b4:
  return i32 2
}";
    let config = Config { uninit: Uninit::Pattern, ..Config::default() };
    let ended = run_text(source, &config);
    assert_eq!(names(&ended), ["exit 2"]);
    assert!(ended[0].state.depends_on_uninit);
}

#[test]
fn assumptions() {
    let source = "
function strata_assume(r0:i64)
function main(r0:i8) -> i32 {
b0:
  r1:i1 = ult r0, i8 10
  r2:i64 = zero_extend r1
  call strata_assume(r2:i64)
  r3:i1 = ult i8 20, r0
  branch r3, b1, b2
b1:
  return i32 1
b2:
  r4:i1 = ult i8 30, r0
  r5:i64 = zero_extend r4
  call strata_assume(r5:i64)
  return i32 2
}";
    assert_eq!(ends(source), ["error user"]);
}

#[test]
fn objects_without_bytes() {
    let source = "
function malloc(r0:i64) -> i64
function free(r0:i64)
function main(r0:i8) -> i32 {
b0:
  r1:i64 = call malloc(i64 0)
  copy_memory r1, r1, i64 0
  fill_memory r1, i8 0, i64 0
  r2:i1 = ult r0, i8 5
  branch r2, b1, b2
b1:
  call free(r1:i64)
  return i32 1
b2:
  r3:i8 = load r1
  return i32 2
}";
    assert_eq!(ends(source), ["error ptr", "exit 1"]);
}

#[test]
fn objects_beyond_the_limit_of_resolutions_are_no_errors() {
    // Three objects of 16 bytes, 32 bytes apart; the pointer lost its origin.
    let source = "
global a size 16 align 32 zero
global b size 16 align 32 zero
global c size 16 align 32 zero
function main(r0:i8) -> i32 {
b0:
  r1:i64 = zero_extend r0
  r2:i64 = mul &a, i64 1
  r3:i64 = add r2, r1
  r4:i8 = load r3
  return i32 1
}";
    let ended = run_text(source, &Config { resolutions: 2, ..Config::default() });
    for byte in 0..=255u8 {
        let taken: Vec<String> = ended.iter().filter(|e| e.is_taken_by(&model(&[byte]))).map(|e| e.name()).collect();
        let expected: &[&str] = match byte {
            0..16 | 32..48 => &["exit 1"],
            64..80 => &[],
            16..32 | 48..64 | 80.. => &["error ptr"],
        };
        assert_eq!(taken, expected, "{byte}");
    }
    assert!(ended.iter().any(|e| e.notes() == ["resolution"]));
}

/// Something of everything that asks: branches, switches, sizes, symbolic places, pointers of no origin, calls, divisions, assumptions.
const QUESTIONS: &str = "
function malloc(r0:i64) -> i64
function strata_assume(r0:i64)
global table size 16 align 8 { &one &two }
global other size 16 align 16 zero
global bytes size 200 align 16 zero
function one() -> i32 {
b0:
  return i32 1
}
function two() -> i32 {
b0:
  return i32 2
}
function main(r0:i8, r1:i8) -> i32 {
b0:
  r2:i64 = zero_extend r0
  r3:i64 = zero_extend r1
  switch r0:i8 { i8 1: b1, i8 2: b2, i8 3: b3, i8 4: b4, i8 5: b5, i8 6: b6, else: b7 }
b1:
  r4:i8 = and r1, i8 31
  r5:i64 = zero_extend r4
  r6:i64 = call malloc(r5:i64)
  r7:i64 = offset r6, i64 3 * 1
  store i8 1 to r7
  return i32 10
b2:
  r8:i64 = offset &table, r3 * 8
  r9:i64 = load r8
  r10:i32 = call_indirect r9() -> i32
  return r10
b3:
  r11:i8 = udiv i8 100, r1
  r12:i32 = zero_extend r11
  r13:i1 = ult r12, i32 20
  branch r13, b8, b9
b4:
  r14:i64 = mul &other, i64 1
  r15:i64 = add r14, r3
  r16:i8 = load r15
  return i32 11
b5:
  r17:i64 = offset &bytes, r3 * 1
  store i8 5 to r17
  r18:i8 = load &bytes+7
  r19:i1 = eq r18, i8 5
  branch r19, b8, b9
b6:
  r20:i1 = ult r1, i8 100
  r21:i64 = zero_extend r20
  call strata_assume(r21:i64)
  r22:i1 = ult r1, i8 50
  branch r22, b8, b9
b7:
  return i32 12
b8:
  return i32 13
b9:
  return i32 14
}";

#[test]
fn what_the_solver_leaves_undecided_is_lost_and_said_never_wrong() {
    let config = Config { silent_assume: true, ..Config::default() };
    let second = || (0..32).chain([49, 50, 99, 100, 199, 200, 255]);
    let inputs: Vec<[u8; 2]> = (0..=7).flat_map(|a| second().map(move |b| [a, b])).collect();
    let sure = run_text(QUESTIONS, &config);
    let taken = |ended: &[strata_fuzz::engine::Ended], input: &[u8; 2]| -> Vec<String> {
        ended.iter().filter(|e| e.is_taken_by(&model(input))).map(|e| e.name()).collect()
    };
    // Every input has one path, unless the program excludes it.
    let expected: Vec<Vec<String>> = inputs.iter().map(|input| taken(&sure, input)).collect();
    for (input, names) in inputs.iter().zip(&expected) {
        let excluded = input[0] == 6 && input[1] >= 100;
        assert_eq!(names.len(), usize::from(!excluded), "{input:?} takes {names:?}");
    }
    for seed in 0..90 {
        let one_in = [2, 4, 10][seed as usize % 3];
        let ended = run_text_with(QUESTIONS, &config, Unsure::new(seed, one_in));
        let incomplete = ended.iter().any(|e| !e.notes().is_empty() || e.name().starts_with("incomplete"));
        for (input, expected) in inputs.iter().zip(&expected) {
            let names: Vec<String> =
                taken(&ended, input).into_iter().filter(|name| !name.starts_with("incomplete")).collect();
            assert!(names.len() <= 1, "seed {seed}: {input:?} takes {names:?}");
            if let ([name], [right]) = (names.as_slice(), expected.as_slice()) {
                assert_eq!(name, right, "seed {seed}: {input:?}");
            }
            assert!(names.len() >= expected.len() || incomplete, "seed {seed}: {input:?} is lost without a word");
        }
    }
}
