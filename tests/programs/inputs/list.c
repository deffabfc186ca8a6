// expect: paths=12 errors=assert@22,assert@24 exit=1
// options: --entry look --symbolic
// The pointers of a structure without a harness: lists that end, go on and go in circles; text; and no path for what nobody looks at.
#include <assert.h>

struct node {
  int value;
  struct {
    const char *name;
  } inner;
  struct node *next, *other;
  void (*callback)(int);
};

int look(struct node *n) {
  struct node *next = n->next;
  if (!next) return 1;
  if (next == n) return 2;
  if (next->next == n && next->value == 7) {
    const char *name = next->inner.name;
    if (!name) return 3;
    assert(name[0] != 'x');
  }
  assert(next->value != 1000 || next->next != next);
  return 4;
}

int main(void) { return 0; }
