// expect: paths=2 exit=0
// longjmp out of a nested call.
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf back;

static void inner(int x) {
  if (x > 10)
    longjmp(back, 7);
}

int main(void) {
  int x = klee_int("x");
  volatile int before = 1;
  int code = setjmp(back);
  if (code == 0) {
    before = 2;
    inner(x);
    klee_assert(x <= 10);
    return 0;
  }
  klee_assert(code == 7);
  klee_assert(before == 2);
  return 0;
}
