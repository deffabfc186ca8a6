// expect: paths=2 errors=ptr@15 exit=1
// A dynamic array on the stack.
#include <alloca.h>
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  volatile int size = 6;
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 8);
  volatile char *block = alloca(size);
  for (int i = 0; i < 6; i++)
    block[i] = i;
  printf("%d\n", block[at]);
  return 0;
}
