// expect: paths=4..16 errors=assert@13 exit=1
// native: skip, the system's libc is another
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
