/* Some programs say <klee.h>. */
#include <klee/klee.h>
