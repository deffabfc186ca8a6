// expect: paths=3 exit=0
// A whole structure as one input.
#include <klee/klee.h>

struct request { unsigned char kind; unsigned short length; };

int main(void) {
  struct request request;
  klee_make_symbolic(&request, sizeof request, "request");
  if (request.kind == 1) {
    if (request.length > 512)
      return 0;
    return 0;
  }
  return 0;
}
