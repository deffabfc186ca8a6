// paths: 2
// Calls of one function go to another from now on, on this path only; to itself: no longer. A call through a pointer is not led.
#include <klee/klee.h>
int plain(int x) { return x + 1; }
int other(int x) { return x + 100; }
int main(void) {
  int x = klee_int("x");
  int (*volatile pointer)(int) = plain;
  klee_assert(plain(1) == 2);
  if (x > 0) {
    klee_alias_function("plain", "other");
    klee_assert(plain(1) == 101);
    klee_assert(other(1) == 101);
    klee_assert(pointer(1) == 2);
    klee_alias_function("plain", "plain");
  }
  klee_assert(plain(1) == 2);
  return 0;
}
