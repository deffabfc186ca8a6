// paths: 2
// object: c 3f
// object: c 61
// A preference that the path contradicts gives way.
#include <klee/klee.h>
int main(void) {
  char c;
  klee_make_symbolic(&c, 1, "c");
  klee_prefer_cex(&c, (c >= 'a') & (c <= 'z'));
  if (c == '?') return 1;
  return 0;
}
