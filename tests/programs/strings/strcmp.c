// expect: paths=4..16 errors=assert@12 exit=1
// libc's strcmp finds the password.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[3] == 0);
  if (strcmp(text, "abc") == 0)
    assert(0 && "found");
  return 0;
}
