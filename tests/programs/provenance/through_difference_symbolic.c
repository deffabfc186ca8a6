// expect: paths=4 exit=0
// The same with a difference that depends on an input: by choice, by arithmetic, by place.
#include <klee/klee.h>
#include <stdint.h>

int x = 1, y[4] = {10, 11, 12, 13}, z = 30;
uintptr_t distances[4];

int main(void) {
  unsigned char which, at;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(which < 2);
  klee_assume(at < 4);
  uintptr_t base = (uintptr_t)&x;
  if (at == 3) {
    // One entry of a table of differences.
    distances[1] = (uintptr_t)&z - base;
    int *p = (int *)(base + distances[which]);
    klee_assert(*p == (which ? 30 : 1));
    return 0;
  }
  // An index into the other object, added to the difference.
  uintptr_t d = (uintptr_t)y - base + at * sizeof(int);
  int *p = (int *)(base + d);
  klee_assert(*p == 10 + at);
  // One of two differences.
  uintptr_t e = which ? (uintptr_t)&z - base : (uintptr_t)y - base;
  int *q = (int *)(base + e);
  klee_assert(*q == (which ? 30 : 10));
  return 0;
}
