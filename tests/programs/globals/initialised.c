// expect: paths=1 exit=0
// Constants, addresses and nested structures in initial values.
#include <klee/klee.h>

struct entry { const char *name; int *cell; int values[3]; };

static int first = 10, second = 20;
static struct entry table[2] = {{"first", &first, {1, 2, 3}}, {"second", &second, {4, 5}}};
static char *middle = (char *)&table[1] + 16;

int main(void) {
  klee_assert(table[0].name[1] == 'i');
  klee_assert(*table[1].cell == 20);
  klee_assert(table[1].values[2] == 0);
  klee_assert(*(int *)middle == 4);
  return 0;
}
