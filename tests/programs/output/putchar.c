// expect: paths=1 exit=0
// Letters one by one, and standard error beside standard output.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "c");
  putchar('<');
  putchar(c);
  putchar('>');
  fputs("done\n", stderr);
  return 0;
}
