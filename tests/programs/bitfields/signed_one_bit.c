// expect: paths=3 errors=assert@14 exit=1
// A signed field of one bit is 0 or -1, never 1.
#include <assert.h>
#include <klee/klee.h>

struct flag { int on : 1; };

int main(void) {
  unsigned char raw;
  klee_make_symbolic(&raw, sizeof raw, "raw");
  struct flag flag = {.on = raw & 1};
  if (raw > 100)
    return 0;
  assert(flag.on == (raw & 1));
  return 0;
}
