// expect: paths=1 errors=ptr@11 exit=1
// A field of a null structure: not at address zero, still null.
#include <stddef.h>

struct pair { char pad[100]; int value; };

struct pair *find(int key) { return key == 1 ? NULL : NULL; }

int main(void) {
  struct pair *volatile pair = find(1);
  return pair->value;
}
