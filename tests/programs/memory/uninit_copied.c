// expect: paths=1 exit=0
// options: --check uninit
// Copying bytes that nobody wrote is no use of them: structures have padding.
#include <string.h>
#include <stdio.h>

struct padded { char c; int n; };

int main(void) {
  struct padded a, b;
  a.c = 1;
  a.n = 2;
  memcpy(&b, &a, sizeof b);
  if (b.n == 2)
    puts("two");
  return 0;
}
