// expect: paths=3 exit=0
// options: --sym-arg 2
// A symbolic argument of two letters.
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc == 2);
  if (argv[1][0] == '-')
    if (argv[1][1] == 'h')
      return 0;
  return 1;
}
