// expect: paths=6 exit=0
// Three keys into a binary tree, equal ones to the left: six orders.
#include <klee/klee.h>
#include <stdlib.h>

struct node { unsigned char key; struct node *left, *right; };

int main(void) {
  unsigned char keys[3];
  klee_make_symbolic(keys, sizeof keys, "keys");
  struct node *root = NULL;
  for (int i = 0; i < 3; i++) {
    struct node **at = &root;
    while (*at)
      if (keys[i] <= (*at)->key)
        at = &(*at)->left;
      else
        at = &(*at)->right;
    *at = calloc(1, sizeof **at);
    (*at)->key = keys[i];
  }
  return root == NULL;
}
