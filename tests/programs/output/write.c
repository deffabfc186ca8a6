// expect: paths=1 exit=0
// The system call itself.
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  char text[2];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assert(write(1, text, 2) == 2);
  klee_assert(write(1, "\n", 1) == 1);
  return 0;
}
