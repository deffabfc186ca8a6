// expect: paths=2 errors=ptr@11 exit=1
// The room for the zero at the end is missing where the text has all the bytes that it may have.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static volatile char *copy(const char *text, unsigned n, unsigned most) {
  unsigned room = n < most ? n + 1 : most;
  volatile char *made = malloc(room);
  memcpy((char *)made, text, n);
  made[n] = 0;
  return made;
}

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 20);
  volatile char *made = copy("twenty bytes of text", n, 20);
  int end = made[n];
  free((void *)made);
  return end;
}
