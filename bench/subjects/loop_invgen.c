// Two counting loops with symbolic bounds and an invariant that ties them, in the manner of loop-invariant benchmarks. A path for each bound and
// number of steps, and two for bounds that are refused: 4,097 for SIZE = 89. -D SIZE=n
#include "subject.h"

int main(void) {
    int high = upto(2 * SIZE), low = upto(2 * SIZE);
    if (high > SIZE)
        return 0;
    if (low < 1)
        return 0;
    int rest = high;
    for (int i = 0; i < high; i++)
        rest--;
    klee_assert(rest == 0);
    int steps = 0;
    for (int i = low; i <= high; i++) {
        steps++;
        klee_assert(steps <= high);
    }
    return 0;
}
