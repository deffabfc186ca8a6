// expect: paths=2 exit=0
// A global made symbolic is per path: what one path writes no other sees.
#include <klee/klee.h>

int level;

int main(void) {
  klee_make_symbolic(&level, sizeof level, "level");
  if (level > 3)
    level = 3;
  klee_assert(level <= 3);
  return 0;
}
