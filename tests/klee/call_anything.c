// paths: 1
// error: exec@7 invalid function pointer
// All that is no function is one path, however many values it has.
#include <klee/klee.h>
int main(void) {
  uintptr_t p = klee_int("p"); klee_assume(p < 4096);
  return ((int (*)(void))p)();
}
