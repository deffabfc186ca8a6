// Insertion into a sorted list that is right for every test one thinks of first.
//
//     strata run examples/sorted_list.c
//
// Four numbers are inserted one by one, and the list must be sorted after each. The assertion fails for one pattern of comparisons; the card shows the
// numbers. Every other order of four numbers is a path, with a test.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *insert(struct node *head, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  if (!head || value <= head->value) {
    node->next = head;
    return node;
  }
  struct node *at = head;
  while (at->next && at->next->value < value)
    at = at->next->next ? at->next->next : at->next;
  node->next = at->next;
  at->next = node;
  return head;
}

static int sorted(const struct node *node) {
  for (; node && node->next; node = node->next)
    if (node->value > node->next->value)
      return 0;
  return 1;
}

int main(void) {
  int numbers[4];
  klee_make_symbolic(numbers, sizeof numbers, "numbers");
  struct node *list = NULL;
  for (int i = 0; i < 4; i++) {
    list = insert(list, numbers[i]);
    assert(sorted(list));
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
