// expect: errors=assert@12 exit=1
// strtol on two symbolic letters: somewhere among the paths is the answer.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[2] == 0);
  if (strtol(text, NULL, 10) == 42)
    assert(0 && "found");
  return 0;
}
