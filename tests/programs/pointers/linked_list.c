// expect: paths=4 exit=0
// A list of symbolic length, freed node by node.
#include <klee/klee.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 4);
  struct node *head = NULL;
  for (int i = 0; i < n; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    struct node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  klee_assert(sum == n * (n - 1) / 2);
  return 0;
}
