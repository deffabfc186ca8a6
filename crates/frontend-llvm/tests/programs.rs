//! C programs through clang: everything lowers, and the form's rules hold.

mod common;

use common::{PLAIN, c, unsupported};

const VARIED: &str = r#"
#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <stdint.h>
struct big { int a[10]; double d; char c; };
struct pair { long a, b; };
struct bits { unsigned a:3, b:5, c:20; };
static int table[4] = {1, 2, 3, 4};
static int *pointers[2] = {&table[1], table};
int (*handlers[2])(struct big, int);
_Thread_local int tls = 5;
extern int weak(void) __attribute__((weak));
int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s; }
double sumd(int n, ...) { va_list l, m; va_start(l, n); va_copy(m, l); double s = va_arg(m, double) + va_arg(m, struct big).d; return s; }
static int by_value(struct big b, int i) { b.a[i] = 3; return b.a[0] + b.c; }
static struct pair swap(struct pair p) { struct pair q = {p.b, p.a}; return q; }
static struct big make(int x) { struct big b; memset(&b, 0, sizeof b); b.a[3] = x; return b; }
static __int128 wide(__int128 a, int s) { return (a << s) / 7 + ((__int128)0x123456789abcdefULL << 64 | 0xfedcba9876543210ULL); }
static int jumpy(int x) { static void *labels[] = {&&one, &&two, &&three}; int r = 0; goto *labels[x]; one: r++; two: r += 2; goto *labels[r == 2 ? 2 : 2]; three: return r; }
static int choose(int x) { switch (x) { case 1: return 5; case 2: case 3: return 9; case -4: x++; break; default: x = weak ? weak() : 0; } return x; }
static unsigned long builtins(unsigned x, long y) { int o; long r = __builtin_mul_overflow(y, 3L, &y); return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctzl(y) + __builtin_bswap32(x) + r + __builtin_object_size(&o, 0) + __builtin_rotateleft32(x, y); }
static double floats(float a, double b, int i, unsigned long u) { return a * b - (double)i / u + (a < b) + __builtin_fabs(b) + __builtin_sqrt(b) + (long)b + (unsigned char)a + (float)b + (a != a); }
typedef int v4 __attribute__((vector_size(16)));
static int vectors(v4 a, v4 b, int i) { v4 c = a * b + (a > b); c = __builtin_shufflevector(c, a, 0, 5, 2, 7); return c[i] + c[0]; }
static int dynamic(int n) { char buffer[n]; buffer[n - 1] = 3; int x[n][3]; x[1][2] = 4; return buffer[0] + x[0][1]; }
static int atoms(int *p) { int e = 3; __atomic_fetch_add(p, 2, 5); __atomic_compare_exchange_n(p, &e, 4, 0, 5, 5); __sync_synchronize(); return __atomic_exchange_n(p, 9, 5) + e; }
static int jumps(void) { jmp_buf b; if (setjmp(b)) return 1; longjmp(b, 2); }
static long assembler(long x) { __asm__ volatile("" : "+r"(x) :: "memory"); __asm__("" : "=r"(x) : "0"(x)); return x; }
static int old();
struct bits bf; _Bool flag; long double ld;
__attribute__((constructor)) static void start(void) { table[0] = 7; }
int main(int argc, char **argv) {
  struct big b = make(argc); struct pair p = {1, 2}; p = swap(p); struct bits f = {1, 2, argc}; bf = f; flag = argc; handlers[0] = by_value;
  int r = sum(3, 1, 2, 3) + (int)sumd(1, 2.0, b) + by_value(b, argc) + handlers[0](b, 1) + (int)p.a + (int)wide(argc, 3) + jumpy(argc) + choose(argc);
  r += builtins(argc, r) + floats(1, r, 2, 3) + vectors((v4){1, 2, 3, argc}, (v4){argc}, argc & 3) + dynamic(argc) + atoms(&r) + jumps() + assembler(r) + old(1, 'x') + tls++;
  for (char *q = argv[0]; *q && r; q++) r ^= *q << bf.b; int un; if (argc > 7) un = 3;
  return r + *pointers[argc & 1] + un + strlen(argv[0]);
}
static int old(int a, int b) { return a + b; }
"#;

#[test]
fn a_varied_program_lowers_wholly() {
    for flags in [&PLAIN[..], &["-O0"], &["-O1"], &["-O2"], &["-O2", "-fsanitize=undefined"], &["-O3", "-mavx2"]] {
        let loaded = c(VARIED, flags);
        assert_eq!(unsupported(&loaded.program), Vec::<String>::new(), "{flags:?}");
    }
}
