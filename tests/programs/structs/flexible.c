// expect: paths=2 errors=ptr@16 exit=1
// A flexible array member and the size that was allocated for it.
#include <klee/klee.h>
#include <stdlib.h>

struct packet { unsigned char length; char data[]; };

int main(void) {
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at <= 8);
  struct packet *packet = malloc(sizeof *packet + 8);
  packet->length = 8;
  packet->data[0] = 1;
  volatile char *data = packet->data;
  data[at] = 2;
  free(packet);
  return 0;
}
