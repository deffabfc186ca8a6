// expect: paths=2 errors=ptr@32 exit=1
// C does not evaluate the operands of these builtins: what they name need not be there. A load of its own is evaluated all the same.
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>

struct node { struct node *n, **all; int value, numbers[4]; double d; };

static size_t room(struct node *q, int i) {
  return __builtin_object_size(q->n, 0) + __builtin_dynamic_object_size(q->n->n->numbers, 1) +
         __builtin_object_size(q->all[i]->n, 2);
}

static int known(const char *x, struct node *q, int zero) {
  return __builtin_constant_p(x[100]) + __builtin_constant_p(q->value) + __builtin_constant_p(q->n->n->value + 1) +
         __builtin_constant_p(q->all[zero]->numbers[x[1000]]) + __builtin_constant_p(x[5] / zero) +
         __builtin_constant_p((int)q->d) + __builtin_constant_p(*(volatile char *)x == 1) + __builtin_constant_p(&q->n->value);
}

int main(void) {
  volatile int zero = 0;
  struct node *volatile none = NULL;
  const char *volatile text = "abc";
  known(text, none, zero);
  room(none, zero);
  char *volatile nowhere = NULL;
  klee_assert(!__builtin_constant_p(nowhere[3]));
  klee_assert(__builtin_object_size(none->n, 0) == (size_t)-1);
  unsigned char read;
  klee_make_symbolic(&read, sizeof read, "read");
  if (read == 1) {
    int byte = text[100];
    return byte + __builtin_constant_p(byte);
  }
  return 0;
}
