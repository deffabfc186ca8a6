// run: --cflag -fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds,null,unreachable,nonnull-attribute,bool,vla-bound
// files: overflow 4
// files: ptr 3
// files: unreachable_call 1
// files: nullable_attribute 1
// files: invalid_load 1
// KLEE's kinds for what the sanitizer finds.
#include <klee/klee.h>
__attribute__((nonnull)) static void want(int *p) {}
int a[4];
int main(void) {
  int x = klee_int("x"); _Bool b; int *null = 0;
  switch (klee_range(0, 10, "w")) {
  case 0: return x + 1 != 9;
  case 1: return 1 << x != 9;
  case 2: return 7 / x != 9;
  case 3: klee_assume(x == 4); return a[x];
  case 4: return *(volatile int *)null;
  case 5: __builtin_unreachable();
  case 6: want(x ? null : &x); break;
  case 7: klee_make_symbolic(&b, 1, "b"); return b;
  case 8: { klee_assume((x < 1) & (x > -3)); char v[x]; return sizeof v != 3; }
  case 9: klee_assume(x == 1 << 31); return x / -klee_range(1, 2, "one");
  }
  return 0;
}
