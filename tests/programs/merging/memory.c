// expect: errors=assert@30 exit=1
// options: --merge pattern --check-merges
// What a loop writes to memory, and how often it calls malloc, differs from state to state.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

struct part {
  short length;
  char text[6];
};

int main(void) {
  char b[6];
  struct part out = {0, "....."};
  char *last = 0;
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[5] == 0);
  for (int i = 0; b[i] && b[i] != '/'; i++) {
    free(last);
    last = malloc(4);
    last[0] = b[i];
    out.text[i] = b[i] >= 'a' ? b[i] - 32 : b[i];
    out.length++;
  }
  char c = out.length ? last[0] : 0;
  free(last);
  if (out.length == 3)
    assert(c == b[2]);
  assert(!(out.length == 4 && out.text[1] == 'X' && out.text[4] == '.'));
  return 0;
}
