// expect: paths=3 errors=unreachable@11 exit=1
// expect-O2: errors=none  why: the optimiser uses the promise and removes the branch; the native program shows nothing either
// __builtin_expect changes nothing; __builtin_unreachable is a promise, and breaking it is an error.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (__builtin_expect(x == 5, 0))
    return 0;
  if (x == 6)
    __builtin_unreachable();
  return 0;
}
