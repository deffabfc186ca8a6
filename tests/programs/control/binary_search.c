// expect: paths=14 exit=0
// Binary search over seven keys: seven hits and seven gaps (none between 2 and 3).
#include <klee/klee.h>

int main(void) {
  static const int keys[7] = {2, 3, 5, 7, 11, 13, 17};
  int key;
  klee_make_symbolic(&key, sizeof key, "key");
  klee_assume((key >= 0) & (key <= 20));
  int low = 0, high = 6;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (keys[middle] == key)
      return 0;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return 0;
}
