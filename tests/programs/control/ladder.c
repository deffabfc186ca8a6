// expect: paths=5 exit=0
// An else-if ladder: grades.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char points;
  klee_make_symbolic(&points, sizeof points, "points");
  if (points > 100)
    puts("invalid");
  else if (points >= 90)
    puts("A");
  else if (points >= 75)
    puts("B");
  else if (points >= 50)
    puts("C");
  else
    puts("F");
  return 0;
}
