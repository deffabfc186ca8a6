// paths: 4
// error: exec@10 invalid function pointer
// error: exec@11 invalid function pointer
// error: unreachable@12 reached "unreachable" instruction
// What must not be called or reached.
#include <klee/klee.h>
typedef int (*function)(int);
int data; int main(void) {
  switch (klee_range(0, 4, "x")) {
  case 1: return ((function)0)(1);
  case 2: return ((function)&data)(1);
  case 3: __builtin_unreachable();
  }
  return 0;
}
