// expect: paths=5 exit=0
// Place and length of a copy are symbolic: it forks once, over whether there are bytes at all.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char to[12] = "...........";
  unsigned place, n, at;
  klee_make_symbolic(&place, sizeof place, "place");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((place <= 6) & (n <= 5) & (at < 11));
  memcpy(to + place, "abcde", n);
  klee_assert(to[at] == (at >= place && at < place + n ? 'a' + (at - place) : '.'));
  return 0;
}
