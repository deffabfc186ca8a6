// expect: paths=3 errors=ptr@19 exit=1
// A block of symbolic size grows to another one: what was in it is kept, and the new end is the one that counts.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n, m;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_assume((n >= 2) & (n <= 50));
  klee_assume((m >= 2) & (m <= 50));
  unsigned char *block = malloc(n);
  block[0] = 3;
  block[1] = 4;
  unsigned char *moved = realloc(block, m);
  int kept = moved[0] == 3 && moved[1] == 4;
  moved[m - 1] = 1;
  if (n != m)
    ((volatile unsigned char *)moved)[n > m ? n - 1 : m - 1] = 2;
  free(moved);
  return kept ? 0 : 1;
}
