// expect: paths=256 incomplete=resolution exit=0
// A pointer that may be the start of more objects than are tried is freed: what is left out is no error.
#include <klee/klee.h>
#include <stdlib.h>

char *all[260];

int main(void) {
  for (int i = 0; i < 260; i++)
    all[i] = malloc(8);
  unsigned short which;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_assume(which < 260);
  free(all[which]);
  return 0;
}
