// expect: paths=7 errors=ptr@27 exit=1
// A byte is of one of four kinds, and its kind leads from state to state by tables with equal entries: a path for each state, not for each entry or case.
// The first byte is refused or leads to state 1 or 2; from each of these the second is refused, stays, or leads to 3, for which there is no weight.
#include <klee/klee.h>

static const unsigned char kinds[256] = {['0' ... '9'] = 1, ['a' ... 'z'] = 2, ['_'] = 3, ['A' ... 'Z'] = 2};
static const short base[] = {0, 4, 8, 8};
static const signed char next[] = {9, 1, 2, 2, 9, 1, 1, 3, 9, 2, 2, 3};
static const char *const names[] = {"start", "number", "word", "word"};
static const int weights[] = {3, 1, 2};

int main(void) {
  unsigned char bytes[2];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int state = 0;
  for (int i = 0; i < 2; i++) {
    state = next[base[state] + kinds[bytes[i]]];
    switch (state) {
    case 1: klee_assert(names[state][0] == 'n'); break;
    case 2: klee_assert(names[state][0] == 'w'); break;
    case 3: klee_assert(names[state][0] == 'w'); break;
    case 4: klee_assert(0); break;
    case 5: klee_assert(0); break;
    default: return 2;
    }
  }
  return weights[state];
}
