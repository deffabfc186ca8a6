// expect: paths=1 exit=0
// args: one two
// Known arguments.
#include <klee/klee.h>
#include <string.h>

int main(int argc, char **argv) {
  klee_assert(argc == 3);
  klee_assert(strcmp(argv[2], "two") == 0);
  klee_assert(argv[3] == NULL);
  return 0;
}
