// paths: 1
// error: user@5 klee_alias_function: the program has no function 'absent'
#include <klee/klee.h>
int main(void) {
  klee_alias_function("absent", "main");
  return 0;
}
