// expect: paths=2..4 exit=0
// args: --sym-stdin 10 --sym-lengths
// Standard input of symbolic length, read at once and searched at a symbolic place.
#include <klee/klee.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char bytes[10];
  unsigned at;
  klee_make_symbolic(&at, sizeof at, "at");
  long got = read(0, bytes, sizeof bytes);
  klee_assert(got >= 0 && got <= 10);
  if (at < (unsigned long)got && bytes[at] == 'x')
    return 1;
  return 0;
}
