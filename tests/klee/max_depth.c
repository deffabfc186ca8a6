// run: --max-depth 2
// incomplete: depth
// tests: 4
// Each path forks twice at most.
#include <klee/klee.h>
int main(void) {
  unsigned char b[6]; int n = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 6; i++) if (b[i]) n++;
  return n;
}
