// expect: paths=1 exit=0
// args: -v -n 3 rest
// Options from known arguments.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int verbose = 0, n = 0, option;
  while ((option = getopt(argc, argv, "vn:")) != -1)
    if (option == 'v')
      verbose = 1;
    else if (option == 'n')
      n = atoi(optarg);
  klee_assert(verbose == 1);
  klee_assert(n == 3);
  klee_assert(strcmp(argv[optind], "rest") == 0);
  return 0;
}
