// A small matcher of regular expressions with a harness as one writes it for KLEE.
//
//     strata run examples/regexp.c
//
// The pattern is symbolic, four letters and the end; the text is "strata". Letters, `.`, `*`, `^`, `$` and classes such as `[a-z]` are known. The
// harness looks for nothing in particular: the memory error it finds is in the class, whose end nobody checks. The tests are a
// collection of patterns that reach every line, which is hard to write by hand: see them with `strata tests strata-last`, and the
// lines that they cover in strata-last/coverage.info.
#include <klee/klee.h>
#include <stdio.h>

static int match_here(const char *pattern, const char *text);

// The first letter behind one element: a letter, a point, or a class.
static const char *behind(const char *pattern) {
  if (*pattern != '[')
    return pattern + 1;
  pattern++;
  while (*pattern != ']')
    pattern++;
  return pattern + 1;
}

static int in_class(const char *pattern, char letter) {
  for (pattern++; *pattern && *pattern != ']'; pattern++)
    if (pattern[1] == '-' && pattern[2] != ']') {
      if (pattern[0] <= letter && letter <= pattern[2])
        return 1;
      pattern += 2;
    } else if (*pattern == letter) {
      return 1;
    }
  return 0;
}

static int match_one(const char *pattern, char letter) {
  if (letter == '\0')
    return 0;
  if (*pattern == '[')
    return in_class(pattern, letter);
  return *pattern == '.' || *pattern == letter;
}

static int match_star(const char *element, const char *rest, const char *text) {
  do {
    if (match_here(rest, text))
      return 1;
  } while (match_one(element, *text++));
  return 0;
}

static int match_here(const char *pattern, const char *text) {
  if (*pattern == '\0')
    return 1;
  if (pattern[0] == '$' && pattern[1] == '\0')
    return *text == '\0';
  const char *next = behind(pattern);
  if (*next == '*')
    return match_star(pattern, next + 1, text);
  return match_one(pattern, *text) && match_here(next, text + 1);
}

static int match(const char *pattern, const char *text) {
  if (*pattern == '^')
    return match_here(pattern + 1, text);
  do {
    if (match_here(pattern, text))
      return 1;
  } while (*text++);
  return 0;
}

int main(void) {
  char pattern[5];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
  klee_assume(pattern[sizeof pattern - 1] == '\0');
  puts(match(pattern, "strata") ? "match" : "no match");
  return 0;
}
