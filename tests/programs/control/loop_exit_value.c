// expect: paths=5 exit=0
// The index at which a linear search ends.
#include <klee/klee.h>

int main(void) {
  static const int keys[4] = {3, 14, 15, 92};
  int key;
  klee_make_symbolic(&key, sizeof key, "key");
  int i;
  for (i = 0; i < 4; i++)
    if (keys[i] == key)
      break;
  klee_assert(i == 4 || keys[i] == key);
  return 0;
}
