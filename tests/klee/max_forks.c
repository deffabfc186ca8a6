// run: --max-forks 3 --search bfs
// incomplete: forks
// tests: 4
// After three forks four paths are alive, and each gets a test.
#include <klee/klee.h>
int main(void) {
  unsigned char b[6]; int n = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 6; i++) if (b[i]) n++;
  return n;
}
