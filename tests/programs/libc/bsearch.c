// expect: paths=1 exit=0
// bsearch in a sorted table.
#include <klee/klee.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  static const int keys[6] = {1, 4, 9, 16, 25, 36};
  int key = 25, missing = 26;
  const int *found = bsearch(&key, keys, 6, sizeof key, compare);
  klee_assert(found == keys + 4);
  klee_assert(bsearch(&missing, keys, 6, sizeof key, compare) == NULL);
  return 0;
}
