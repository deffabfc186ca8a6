// expect: paths=1 exit=0
// Structures of a wider alignment among the variable arguments: in registers, half in registers, in memory, and with others in between.
#include <klee/klee.h>
#include <stdarg.h>

struct wide { long a[2]; } __attribute__((aligned(16)));
struct wider { long a[4]; } __attribute__((aligned(32)));
struct mixed { double d; long l; };
struct floats { float f[3]; };
struct odd { char c[3]; };
struct triple { long a[3]; };

static long from_list(int n, va_list list) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    struct wide w = va_arg(list, struct wide);
    sum = sum * 3 + w.a[0] - w.a[1];
  }
  return sum;
}

static long wides(int n, ...) {
  va_list list, copy, again;
  va_start(list, n);
  va_copy(copy, list);
  long first = from_list(n, list);
  va_copy(again, copy);
  klee_assert(from_list(n, copy) == first);
  klee_assert(from_list(n, again) == first);
  va_end(again);
  va_end(copy);
  va_end(list);
  return first;
}

static void all(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  for (int i = 1; *kinds; kinds++, i++)
    switch (*kinds) {
    case 'i': klee_assert(va_arg(list, int) == i); break;
    case 'd': klee_assert(va_arg(list, double) == i + 0.5); break;
    case 'D': klee_assert(va_arg(list, long double) == i + 0.25L); break;
    case 'q': klee_assert(va_arg(list, __int128) == ((__int128)i << 70) + i); break;
    case 'w': {
      struct wide w = va_arg(list, struct wide);
      klee_assert(w.a[0] == i && w.a[1] == i + 100);
      break;
    }
    case 'W': {
      struct wider w = va_arg(list, struct wider);
      klee_assert(w.a[0] == i && w.a[1] == i + 100 && w.a[2] == i + 200 && w.a[3] == i + 300);
      break;
    }
    case 'm': {
      struct mixed m = va_arg(list, struct mixed);
      klee_assert(m.d == i + 0.5 && m.l == i);
      break;
    }
    case 'f': {
      struct floats f = va_arg(list, struct floats);
      klee_assert(f.f[0] == i && f.f[1] == i + 1 && f.f[2] == i + 2);
      break;
    }
    case 'o': {
      struct odd o = va_arg(list, struct odd);
      klee_assert(o.c[0] == i && o.c[1] == i + 1 && o.c[2] == i + 2);
      break;
    }
    case 't': {
      struct triple t = va_arg(list, struct triple);
      klee_assert(t.a[0] == i && t.a[1] == i + 1 && t.a[2] == i + 2);
      break;
    }
    }
  va_end(list);
}

#define I(n) n
#define F(n) (n + 0.5)
#define L(n) (n + 0.25L)
#define Q(n) (((__int128)n << 70) + n)
#define S(n) (struct wide){{n, n + 100}}
#define V(n) (struct wider){{n, n + 100, n + 200, n + 300}}
#define M(n) (struct mixed){n + 0.5, n}
#define G(n) (struct floats){{n, n + 1, n + 2}}
#define O(n) (struct odd){{n, n + 1, n + 2}}
#define T(n) (struct triple){{n, n + 1, n + 2}}

int main(void) {
  klee_assert(wides(1, (struct wide){{7, 3}}) == 4);
  klee_assert(wides(4, S(1), S(2), S(3), S(4)) == -100 * 40);
  all("iw", I(1), S(2));
  all("iwiwiwi", I(1), S(2), I(3), S(4), I(5), S(6), I(7));
  all("wiiwiwii", S(1), I(2), I(3), S(4), I(5), S(6), I(7), I(8));
  all("iiiiwiw", I(1), I(2), I(3), I(4), S(5), I(6), S(7));
  all("iWiW", I(1), V(2), I(3), V(4));
  all("tiWdtw", T(1), I(2), V(3), F(4), T(5), S(6));
  all("dwdwdwdwdddd", F(1), S(2), F(3), S(4), F(5), S(6), F(7), S(8), F(9), F(10), F(11), F(12));
  all("mmmmmmmm", M(1), M(2), M(3), M(4), M(5), M(6), M(7), M(8));
  all("fdfdfdfdfd", G(1), F(2), G(3), F(4), G(5), F(6), G(7), F(8), G(9), F(10));
  all("DiDwDW", L(1), I(2), L(3), S(4), L(5), V(6));
  all("qiqiqiqw", Q(1), I(2), Q(3), I(4), Q(5), I(6), Q(7), S(8));
  all("oooooot", O(1), O(2), O(3), O(4), O(5), O(6), T(7));
  return 0;
}
