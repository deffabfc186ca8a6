// expect: paths=1 exit=0
// Past one field into the next is inside the object, as in KLEE.
#include <klee/klee.h>

struct pair { char first[4], second[4]; };

int main(void) {
  struct pair pair = {"abc", "def"};
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 8);
  volatile char *all = (volatile char *)&pair;
  all[at] = 'x';
  klee_assert(((char *)&pair)[at] == 'x');
  return 0;
}
