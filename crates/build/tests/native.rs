//! Whole programs: compiled to bitcode, linked with the bitcode libc, made native, run. (The engine links in process; here lld does it.)

mod shared;
use shared::{Kit, file, folder};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use strata_build::{CompileOptions, Opt, native};

const MAGIC: u64 = 0x3174_726f_7065_7253;

/// The program's native form, in a folder of its own.
fn build(name: &str, text: &str, options: &CompileOptions) -> PathBuf {
    let kit = Kit::new();
    let folder = folder(name);
    let bitcode = kit.compile(&file(&folder, "prog.c", text), options).unwrap();
    assert_eq!(bitcode.warnings, "");
    let (part, whole, program) = (folder.join("part.bc"), folder.join("whole.bc"), folder.join("prog"));
    fs::write(&part, bitcode.bytes).unwrap();
    let mut lld = Command::new(kit.tools.lld().unwrap());
    lld.args(["--lto-emit-llvm", "--lto-O0", "-e", "_start_c", "--unresolved-symbols=ignore-all", "-o"]).arg(&whole);
    let linked = lld.args([&part, &kit.libc.crt, &kit.libc.archive]).output().unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    native(&kit.tools, &kit.cache, &kit.libc, &whole, &program).unwrap();
    program
}

#[derive(Debug, PartialEq, Eq)]
struct Report {
    count: u64,
    hash: u64,
    hash_at_stop: u64,
    assume_failed: u64,
    end_kind: u64,
    message: String,
}

/// Runs with a test and a report.
fn replay(program: &Path, test: &[u8], stop_at: u64) -> (Output, Report) {
    replay_at(program, test, stop_at, 0, 0, &[])
}

/// The same, with memory placed so, the program left beyond the path or not, and arguments.
fn replay_at(
    program: &Path,
    test: &[u8],
    stop_at: u64,
    placing: u64,
    leave: u64,
    arguments: &[&str],
) -> (Output, Report) {
    let (input, report) = (program.with_extension("ktest"), program.with_extension("report"));
    fs::write(&input, test).unwrap();
    let mut page = [MAGIC.to_le_bytes(), stop_at.to_le_bytes()].concat();
    page.resize(4096 - 16, 0);
    page.extend([placing.to_le_bytes(), leave.to_le_bytes()].concat());
    fs::write(&report, page).unwrap();
    let mut shell = Command::new("bash");
    shell.args(["-c", "test=$1 report=$2; shift 2; exec \"$0\" \"$@\" 198<\"$test\" 199<>\"$report\""]);
    shell.arg(program).arg(input).arg(&report).args(arguments).env("HOME", "/");
    let output = shell.output().unwrap();
    let page = fs::read(report).unwrap();
    let word = |n: usize| u64::from_le_bytes(page[n * 8..n * 8 + 8].try_into().unwrap());
    let message = page[56..].split(|byte| *byte == 0).next().unwrap();
    let report = Report {
        count: word(2),
        hash: word(3),
        hash_at_stop: word(4),
        assume_failed: word(5),
        end_kind: word(6),
        message: String::from_utf8_lossy(message).into_owned(),
    };
    (output, report)
}

/// A .ktest file with one argument and some objects.
fn ktest(objects: &[(&str, &[u8])]) -> Vec<u8> {
    let number = |n: usize| (n as u32).to_be_bytes();
    let mut file = [b"KTEST".as_slice(), &number(3), &number(1), &number(4), b"prog", &number(0), &number(0)].concat();
    file.extend(number(objects.len()));
    for (name, bytes) in objects {
        file.extend([&number(name.len()), name.as_bytes(), &number(bytes.len()), bytes].concat());
    }
    file
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const LIBC: &str = r#"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }

static long sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    long s = 0;
    while (n--) s += va_arg(ap, long);
    va_end(ap);
    return s;
}

static double mean(int n, ...)
{
    va_list ap;
    double s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) s += va_arg(ap, double);
    va_end(ap);
    return s / n;
}

static __thread int local = 41;
static jmp_buf out;
static sigjmp_buf back;
static void handler(int signal) { siglongjmp(back, signal); }
static int handled;
static void counter(int signal) { handled += signal; }
static void leave(int n) { if (n == 0) longjmp(out, 7); leave(n - 1); }
static int made;
__attribute__((constructor)) static void make(void) { made = 12; }
static void bye(void) { printf("bye\n"); }

struct big { char bytes[300]; int last; };
static struct big change(struct big b) { b.last++; b.bytes[299] = 'z'; return b; }

int main(int argc, char **argv)
{
    int numbers[] = { 5, 3, 9, -1, INT_MAX, 7, 0 };
    qsort(numbers, 7, sizeof *numbers, compare);
    for (int i = 0; i < 7; i++) printf("%d ", numbers[i]);
    printf("\n%s|%5.2f|%-8s|%#x|%c|%zu|%e|%g\n", "text", 3.14159, "left", 255, 'c', sizeof(int), 1e100, 0.1);
    char *end;
    long parsed = strtol("123abc", &end, 10);
    printf("%ld %s\n", parsed, end);
    parsed = strtol("99999999999999999999", 0, 10);
    printf("%ld %d\n", parsed, errno == ERANGE);
    printf("%.17g %.17g\n", strtod("0.1", 0), pow(2.5, 3.5));
    printf("%.17g %.17g %.3f %.17g\n", floor(-2.5), rint(2.5), sqrt(2), fma(1.1, 2.2, 3.3));
    printf("%s %d\n", getenv("GREETING"), getenv("NOTHING") == 0);
    printf("%d %s\n", argc, argv[1]);
    printf("%ld %.3f\n", sum(3, 10L, 20L, 30L), mean(3, 1.0, 2.0, 4.5));
    int volatile before = 1;
    int r = setjmp(out);
    if (r == 0) { before = 2; leave(5); }
    printf("setjmp %d %d\n", r, before);
    signal(SIGUSR1, handler);
    signal(SIGUSR2, counter);
    if ((r = sigsetjmp(back, 1)) == 0) raise(SIGUSR1);
    printf("signal %d\n", r == SIGUSR1);
    if ((r = sigsetjmp(back, 1)) == 0) raise(SIGUSR1);
    raise(SIGUSR2);
    printf("signal %d %d\n", r == SIGUSR1, handled == SIGUSR2);
    char *text = malloc(10);
    strcpy(text, "heap");
    text = realloc(text, 5000);
    strcat(text, " grown");
    int *zero = calloc(100, sizeof(int));
    printf("%s %d %d\n", text, zero[0], zero[99]);
    free(text);
    free(zero);
    char line[64];
    snprintf(line, sizeof line, "%08lx", 0xbeefUL);
    puts(line);
    local++;
    struct big b = { .last = 1 };
    b = change(b);
    printf("%d %d %d %c\n", local, made, b.last, b.bytes[299]);
    __int128 wide = (__int128)numbers[6] * numbers[6] * numbers[5] * -3;
    printf("%lld %lld %.0f %d\n", (long long)(wide / 1000000007), (long long)(wide % 1000000007), (double)wide,
        (int)((__int128)-1.5e20 / 1000000000000000000));
    time_t when = 86400 * 365;
    printf("%s", asctime(gmtime(&when)));
    for (int i = 0; i < 30000; i++) { char *p = malloc(24 + i % 50); *p = i; if (i % 3) free(p); }
    fprintf(stderr, "error %d\n", 3);
    write(1, "raw\n", 4);
    if (fgets(line, sizeof line, stdin)) printf("in %s", line);
    atexit(bye);
    return 42;
}
"#;

fn run_with_input(program: &Path, input: &Path) -> Output {
    let mut command = Command::new(program);
    command.arg("argument").env_clear().env("GREETING", "hello").stdin(fs::File::open(input).unwrap());
    command.output().unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    let mut lines: Vec<_> = text(&output.stdout).lines().map(str::to_owned).collect();
    // What the system's libc holds back in its buffer it prints after what went round it.
    lines.sort();
    lines
}

/// Ours and the system compiler's program end and print alike.
fn agree(name: &str, source: &str, opt: Opt, status: i32) {
    let program = build(name, source, &CompileOptions { opt, ..CompileOptions::default() });
    let reference = program.with_file_name("reference");
    let mut cc = Command::new("cc");
    cc.args(["-w", "-fwrapv", "-ffp-contract=off", "-o"])
        .arg(&reference)
        .arg(program.with_file_name("prog.c"))
        .arg("-lm");
    assert!(cc.status().unwrap().success());
    let input = file(program.parent().unwrap(), "stdin", "first line\nsecond\n");
    let (ours, theirs) = (run_with_input(&program, &input), run_with_input(&reference, &input));
    assert_eq!((ours.status.code(), theirs.status.code()), (Some(status), Some(status)));
    assert_eq!(text(&ours.stderr), text(&theirs.stderr));
    assert_eq!(lines(&ours), lines(&theirs));
}

#[test]
fn a_program_prints_what_the_systems_compiler_makes_it_print() {
    agree("libcO0", LIBC, Opt::O0, 42);
    agree("libcO2", LIBC, Opt::O2, 42);
}

/// Numbers of 128 bits and complex ones, for which compilers bring a library of their own: ours is in the runtime.
const ARITHMETIC: &str = r#"
#include <complex.h>
#include <math.h>
#include <stdio.h>
typedef __int128 i128;
typedef unsigned __int128 u128;
static unsigned long state = 88172645463325252UL;
static unsigned long next(void) { state ^= state << 13; state ^= state >> 7; return state ^= state << 17; }
static u128 number(void) { u128 x = (u128)next() << 64 | next(); return x >> (next() % 128); }
static void show(const char *what, u128 x) { printf("%s %016lx%016lx\n", what, (unsigned long)(x >> 64), (unsigned long)x); }
int main(void)
{
    for (int i = 0; i < 3000; i++) {
        u128 a = number(), b = number() | 1;
        i128 sa = next() & 1 ? -(i128)a : (i128)a, sb = next() & 1 ? -(i128)b : (i128)b, product;
        printf("%d ", i);
        show("udiv", a / b);
        show("umod", a % b);
        if (sb != -1) show("div", sa / sb), show("mod", sa % sb);
        show("mul", a * b);
        printf("%d overflow %d\n", i, __builtin_mul_overflow(sa, sb, &product));
        show("product", product);
        printf("%a %a %a %a\n", (double)a, (double)sa, (float)a, (float)sa);
        double d = (double)(sa >> 1);
        show("fix", (i128)d);
        show("fixuns", (u128)(double)(a >> 1));
        show("fixf", (i128)(float)(sa >> 2));
    }
    double special[] = { 0, -0.0, 1, -2.5, INFINITY, -INFINITY, NAN, 1e300, 3 };
    for (int a = 0; a < 9; a++) for (int b = 0; b < 9; b++) for (int c = 0; c < 9; c++) for (int d = 0; d < 9; d++) {
        volatile double complex x = CMPLX(special[a], special[b]), y = CMPLX(special[c], special[d]);
        double complex z = x * y;
        volatile float complex fx = x, fy = y;
        float complex fz = fx * fy;
        printf("%d%d%d%d %g %g %g %g\n", a, b, c, d, fabs(creal(z)), fabs(cimag(z)), fabs(crealf(fz)), fabs(cimagf(fz)));
    }
    volatile double complex x = CMPLX(3, -4), y = CMPLX(1, 2), zero = 0;
    printf("%g %g %g %g\n", creal(x / y), cimag(x / y), fabs(creal(x / zero)), fabs(cimag(x / zero)));
    return 0;
}
"#;

#[test]
fn wide_and_complex_arithmetic() {
    agree("arithmetic", ARITHMETIC, Opt::O0, 0);
}

/// Hooks of the program's own, which defer what has an exclamation mark.
const DEFERRED: &str = r#"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int __strata_may_defer(int fd, const char *format, void *ap) { return strchr(format, '!') != 0; }
int __strata_may_defer_string(int fd, const char *s) { return strchr(s, '!') != 0; }
void __strata_print(int fd, const char *format, void *ap)
{
    char text[100];
    vsnprintf(text, sizeof text, format, ap);
    write(fd, "<", 1), write(fd, text, strlen(text)), write(fd, ">", 1);
}
void __strata_print_string(int fd, const char *s) { write(fd, "{", 1), write(fd, s, strlen(s)), write(fd, "}", 1); }
int main(void)
{
    static char buffer[200];
    char text[20];
    printf("a");
    printf("%d!%s", 5, "x");
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("b");
    fprintf(stdout, "%g!", 0.5);
    puts("c!");
    fputs("d", stdout);
    fputs("e!", stdout);
    sprintf(text, "%d!", 7);
    dprintf(1, "%d!", 8);
    fputs("f", stdout);
    return strcmp(text, "7!");
}
"#;

#[test]
fn what_is_deferred_keeps_its_place() {
    let program = build("deferred", DEFERRED, &CompileOptions::default());
    let output = Command::new(program).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "a<5!x>b<0.5!>{c!}\nd{e!}<8!>f");
}

const TEST: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
void __strata_trace(int site, int side);
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x;
    char name[4];
    klee_make_symbolic(&x, sizeof x, "x");
    __strata_trace(1, x > 0);
    klee_make_symbolic(name, sizeof name, "name");
    __strata_trace(2, name[0] == 'a');
    int y = klee_range(1, 10, "y");
    __strata_trace(300000, 65537);
    printf("%d %.4s %d %d %u\n", x, name, y, __VERIFIER_nondet_int(), klee_is_replay());
    return 0;
}
"#;

fn hash(steps: &[(u32, u32)]) -> u64 {
    steps.iter().fold(0u64, |hash, (site, side)| {
        let step = u64::from(*site) * 65536 + u64::from(*side);
        (hash ^ step).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    })
}

#[test]
fn a_test_is_read_and_a_report_written() {
    let program = build("test", TEST, &CompileOptions::default());
    let number = |n: i32| n.to_le_bytes();
    let fit = ktest(&[
        ("model_version", &number(1)),
        ("x", &number(-5)),
        ("A-data", b"f"),
        ("name", b"abcd"),
        ("y", &number(3)),
        ("int", &number(8)),
    ]);
    let (output, report) = replay(&program, &fit, 2);
    assert_eq!(text(&output.stdout), "-5 abcd 3 8 1\n");
    assert_eq!(output.status.code(), Some(0));
    let steps = [(1, 0), (2, 1), (300_000, 65537)];
    let expected = Report {
        count: 3,
        hash: hash(&steps),
        hash_at_stop: hash(&steps[..2]),
        assume_failed: 0,
        end_kind: 0,
        message: String::new(),
    };
    assert_eq!(report, expected);

    let ends = |objects: &[(&str, &[u8])], status: i32, kind: u64, message: &str| {
        let (output, report) = replay(&program, &ktest(objects), 0);
        assert_eq!((output.status.code(), report.end_kind), (Some(status), kind), "{report:?}");
        assert!(report.message.contains(message), "{report:?}");
        assert_eq!(text(&output.stderr), "");
    };
    ends(&[("x", &number(1)), ("name", b"abcd"), ("y", &number(10))], 121, 1, "assumption");
    ends(
        &[("x", &number(1)), ("other", b"abcd")],
        122,
        2,
        "test does not fit: it has another input where the program asks for \"name\"",
    );
    ends(&[("x", b"ab")], 122, 2, "test does not fit: another size of \"x\"");
    ends(&[], 122, 2, "test does not fit: it has no input left for \"x\"");

    let (output, report) = replay(&program, b"no such thing", 0);
    assert_eq!((output.status.code(), report.end_kind), (Some(122), 2));

    let alone = Command::new(&program).output().unwrap();
    assert_eq!(alone.status.code(), Some(123));
    assert!(text(&alone.stderr).starts_with("no test was given"));
}

/// Ends by this signal (0: exits with 0), with this kind of end and a message that contains this.
fn ends(name: &str, body: &str, flags: &[&str], signal: i32, kind: u64, message: &str) {
    use std::os::unix::process::ExitStatusExt;
    let source = format!(
        "#include <klee/klee.h>\n#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {{ {body} return 0; }}\n"
    );
    let options =
        CompileOptions { flags: flags.iter().map(|flag| (*flag).to_owned()).collect(), ..CompileOptions::default() };
    let (output, report) = replay(&build(&format!("ends-{name}"), &source, &options), &ktest(&[]), 0);
    assert_eq!((output.status.signal().unwrap_or(0), report.end_kind), (signal, kind), "{name}: {report:?} {output:?}");
    assert!(report.message.contains(message), "{name}: {report:?}");
}

/// Memory as the engine places it: aligned, and arguments apart; then with what the test has behind an argument's end.
#[test]
fn memory_lies_where_it_is_asked_for() {
    const SOURCE: &str = r#"
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(int argc, char **argv) {
            uintptr_t odd = (uintptr_t)malloc(5), large = (uintptr_t)malloc(5001), asked = (uintptr_t)aligned_alloc(64, 3);
            printf("%d %d %d", (int)(odd % 16), (int)(large % 1024), (int)(asked % 64));
            char *volatile one = argv[1], *volatile other = argv[2];
            printf(" %d %d %d", one + strlen(one) + 1 == other, (unsigned char)one[2], (unsigned char)one[3]);
            printf(" %s", getenv("HOME"));
            return 0;
        }"#;
    let program = build("placing", SOURCE, &CompileOptions::default());
    let test = ktest(&[("n_args", &2u32.to_le_bytes()), ("arg00", b"a\0b\0\0"), ("arg01", b"d\0")]);
    let seen = |placing| text(&replay_at(&program, &test, 0, placing, 0, &["a", "d"]).0.stdout).to_owned();
    assert_eq!(seen(0), "11 119 0 1 100 0 /");
    assert_eq!(seen(1), "0 0 0 0 0 255 /");
    assert_eq!(seen(2), "0 0 0 0 98 0 /");
}

#[test]
fn a_program_is_left_beyond_its_path() {
    let source = "void __strata_trace(unsigned, unsigned); int main(void) { for (;;) __strata_trace(1, 0); }";
    let program = build("left", source, &CompileOptions::default());
    let (output, report) = replay_at(&program, &ktest(&[]), 1000, 0, 1, &[]);
    assert_eq!((output.status.code(), report.end_kind, report.count), (Some(120), 8, 1001));
    assert_eq!(report.hash_at_stop, hash(&[(1, 0); 1000]));
}

#[test]
fn errors_show() {
    const ABORT: i32 = 6;
    const FAULT: i32 = 11;
    const KILLS: [(&str, &str); 6] = [
        ("past-the-end", "volatile char *p = malloc(10); p[9] = 1; if (p[0]) return 1; p[10] = 1;"),
        ("past-the-page", "volatile char *p = malloc(4096); p[0] = p[4095] = 1; p[4096] = 1;"),
        ("after-free", "volatile char *p = malloc(10); free((void *)p); p[0] = 1;"),
        ("after-realloc", "volatile char *p = malloc(10); char *q = realloc((void *)p, 8); q[0] = 1; p[0] = 1;"),
        ("empty-block", "volatile char *p = malloc(0); if (!p) return 0; p[0] = 1;"),
        ("undefined", "extern void nowhere(void); nowhere();"),
    ];
    for (name, body) in KILLS {
        ends(name, body, &[], FAULT, 0, "");
    }
    ends(
        "double-free",
        "char *p = malloc(10), *q = p; free(p); free(q);",
        &[],
        ABORT,
        7,
        "free of a block that is free already",
    );
    ends(
        "free-of-none",
        "char a[64], *p = a + 16; free(p);",
        &["-Wno-free-nonheap-object"],
        ABORT,
        7,
        "no block of the heap",
    );
    ends("inside", "char *p = malloc(10); free(p + 1);", &[], ABORT, 7, "no block of the heap");
    ends("assert", "assert(klee_is_replay() == 0);", &[], ABORT, 0, "");
    ends("abort", "klee_abort();", &[], ABORT, 5, "");
    ends("report", "klee_report_error(\"f\", 1, \"mine\", \"my.err\");", &[], ABORT, 4, "my.err: mine");
    ends("range", "klee_range(3, 3, \"r\");", &[], ABORT, 4, "user: invalid range");
    ends("access", "char *p = malloc(100); klee_check_memory_access(p, 100);", &[], 0, 0, "");
    ends("no-access", "char *p = malloc(100); klee_check_memory_access(p, 101);", &[], FAULT, 0, "");
    ends("silent", "klee_silent_exit(0);", &[], 0, 6, "");
    ends(
        "aligned",
        "for (int i = 0; i < 15; i++) if ((long)aligned_alloc(1 << i, 100) % (1 << i)) abort();",
        &[],
        0,
        0,
        "",
    );
}

#[test]
fn the_sanitizers_handlers_are_there() {
    let sanitize = ["-fsanitize=undefined,integer,implicit-conversion,nullability,float-divide-by-zero"];
    let value =
        "volatile int big = 2147483647, zero = 0; volatile double none = 0; (void)big, (void)zero, (void)none; ";
    for (name, body, message) in [
        ("add", "return big + 1;", "overflow.err: integer overflow in an addition"),
        ("shift", "return 1 << (big & 63);", "overflow.err: shift out of bounds"),
        ("divide", "return (-big - 1) / (zero - 1);", "overflow.err: integer division overflow"),
        ("float", "return 1.0 / none > 5;", "div.err: floating-point division by zero"),
        ("index", "int a[4] = {0}; return a[zero + 4];", "ptr.err: index out of bounds"),
        ("null", "int *p = (int *)(long)zero; return *p;", "ptr.err: use of a null pointer"),
        ("aligned", "long v[2]; int *p = (int *)((char *)v + 1); return *p;", "ptr.err: use of a misaligned pointer"),
        (
            "bool",
            "union { char c; _Bool b; } u = { (char)(zero + 3) }; return u.b;",
            "invalid_load.err: load of a value",
        ),
        ("narrow", "char c = big; return c;", "implicit_truncation.err"),
        ("cut", "unsigned char c = (unsigned)big; return c;", "implicit_truncation.err"),
        ("unreachable", "if (zero == 0) __builtin_unreachable();", "unreachable_call.err: unreachable code"),
    ] {
        ends(&format!("ubsan-{name}"), &format!("{value}{body}"), &sanitize, 6, 4, message);
    }
}
