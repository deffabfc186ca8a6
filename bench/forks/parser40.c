// A parser of nested lists, numbers, names and strings over 40 symbolic bytes: far more paths than anyone can finish.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 40

static char text[SIZE + 1];
static int at, depth, items;

static void fail(const char *why) {
  printf("%d: %s\n", at, why);
  exit(1);
}

static void blanks(void) {
  while (text[at] == ' ' || text[at] == '\n')
    at++;
}

static void number(void) {
  unsigned value = 0;
  if (text[at] == '-')
    at++;
  if (text[at] < '0' || text[at] > '9')
    fail("digit expected");
  while (text[at] >= '0' && text[at] <= '9')
    value = value * 10 + (text[at++] - '0');
  if (value > 100000)
    fail("number too large");
}

static void name(void) {
  while ((text[at] >= 'a' && text[at] <= 'z') || text[at] == '_')
    at++;
}

static void string(void) {
  for (at++; text[at] != '"'; at++) {
    if (text[at] == '\0')
      fail("string without end");
    if (text[at] == '\\') {
      at++;
      if (text[at] != 'n' && text[at] != '"' && text[at] != '\\')
        fail("unknown escape");
    }
  }
  at++;
}

static void value(void);

static void list(void) {
  if (++depth > 6)
    fail("too deep");
  at++;
  blanks();
  while (text[at] != ')') {
    if (text[at] == '\0')
      fail("list without end");
    value();
    blanks();
    if (text[at] == ',') {
      at++;
      blanks();
    }
  }
  at++;
  depth--;
}

static void value(void) {
  char c = text[at];
  items++;
  if (c == '(')
    list();
  else if (c == '"')
    string();
  else if (c == '-' || (c >= '0' && c <= '9'))
    number();
  else if (c >= 'a' && c <= 'z')
    name();
  else
    fail("value expected");
}

int main(void) {
  klee_make_symbolic(text, SIZE + 1, "text");
  klee_assume(text[SIZE] == '\0');
  blanks();
  while (text[at]) {
    value();
    blanks();
  }
  printf("%d items\n", items);
  return 0;
}
