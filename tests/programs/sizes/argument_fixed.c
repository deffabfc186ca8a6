// expect: errors=none exit=0
// args: --sym-arg 3
// Without symbolic lengths an argument has the bytes that KLEE gives it.
#include <string.h>

int main(int argc, char **argv) {
  volatile char *text = argv[1];
  return text[0] == 0 && text[1] == 'x' ? 1 : 0;
}
