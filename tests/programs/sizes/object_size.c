// expect: paths=2 errors=ptr@15 exit=1
// klee_get_obj_size gives the term; klee_check_memory_access is checked against it.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 30));
  char *block = malloc(n);
  if (klee_get_obj_size(block) != n)
    return 1;
  klee_check_memory_access(block, n);
  if (n > 20)
    klee_check_memory_access(block + 1, n);
  free(block);
  return 0;
}
