// paths: 1
// error: user@6 Invalid string pointer passed to one of the klee_ functions
// A name that points nowhere.
#include <klee/klee.h>
int a; int main(void) {
  klee_make_symbolic(&a, sizeof a, (char *)12345);
  return 0;
}
