// expect: paths=3 errors=abort@14 exit=1
// An optimiser shifts first and chooses afterwards: no amount of at least the width is ever used.
#include <klee/klee.h>
#include <stdlib.h>

volatile unsigned sink;

int main(void) {
    unsigned q, m = 3;
    klee_make_symbolic(&q, sizeof q, "q");
    if (q < 8) m = 255u << (8 - q);
    sink = m;
    if (q == 200)
        abort();
    return 0;
}
