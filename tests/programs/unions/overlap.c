// expect: paths=1 exit=0
// One memory, two views.
#include <klee/klee.h>

union view { unsigned word; unsigned char bytes[4]; };

int main(void) {
  union view view;
  klee_make_symbolic(&view, sizeof view, "view");
  unsigned before = view.word;
  view.bytes[1] = 0xff;
  klee_assert(view.word == (before | 0xff00));
  return 0;
}
