// expect: paths=1 exit=0
// Methods in a structure.
#include <klee/klee.h>

struct shape { int (*area)(const struct shape *); int width, height; };

static int rectangle(const struct shape *shape) { return shape->width * shape->height; }
static int triangle(const struct shape *shape) { return shape->width * shape->height / 2; }

int main(void) {
  struct shape shapes[2] = {{rectangle, 3, 4}, {triangle, 3, 4}};
  int total = 0;
  for (int i = 0; i < 2; i++)
    total += shapes[i].area(&shapes[i]);
  klee_assert(total == 18);
  return 0;
}
