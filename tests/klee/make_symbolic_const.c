// paths: 1
// error: user@7 cannot make readonly object symbolic
// Constants stay constant.
#include <klee/klee.h>
static const int fixed = 5;
int main(void) {
  klee_make_symbolic((void *)&fixed, sizeof fixed, "fixed");
  return 0;
}
