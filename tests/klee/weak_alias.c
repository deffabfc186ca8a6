// paths: 1
// Weak symbols, aliases, empty assembler.
#include <klee/klee.h>
int real(int x) { return x + 1; }
int other(int x) __attribute__((weak, alias("real")));
extern int missing(int) __attribute__((weak));
int value = 4; extern int value_alias __attribute__((alias("value")));
int main(void) {
  klee_assert(other(1) == 2);
  klee_assert(!missing);
  value_alias = 7;
  klee_assert(value == 7);
  __asm__ volatile("" ::: "memory");
  return 0;
}
