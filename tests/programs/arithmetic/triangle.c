// expect: paths=8 exit=0
// The textbook example: three sides, no triangle, equilateral, isosceles in three ways, scalene.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char a, b, c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  if (a + b <= c || b + c <= a || c + a <= b)
    puts("none");
  else if (a == b && b == c)
    puts("equilateral");
  else if (a == b || b == c || c == a)
    puts("isosceles");
  else
    puts("scalene");
  return 0;
}
