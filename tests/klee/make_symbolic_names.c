// paths: 1
// says: renamed empty name to "unnamed"
// object: unnamed 4
// No name and an empty name are both "unnamed".
#include <klee/klee.h>
int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, 0);
  klee_make_symbolic(&b, sizeof b, "");
  return 0;
}
