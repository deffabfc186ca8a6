// expect: paths=1 errors=ptr@13 exit=1
// The address of a local outlives its function.
#include <stdio.h>

static int *__attribute__((noinline)) leak(void) {
  int local = 3;
  int *volatile p = &local;
  return p;
}

int main(void) {
  int *volatile p = leak();
  printf("%d\n", *p);
  return 0;
}
