// Reads of one table of integers at indices that linear conditions tie together in pairs: with four elements and one pair, the example in which type and
// interval aware array solving counts 156 axioms over bytes and keeps 20. All elements are 0 but the last, which is LAST: with 5 the sum of two reads is never
// above 10, which follows from the intervals of the reads alone; with 9 it is where both indices are the last one. PAIRS pairs, each sharing an index with
// the next. -D ELEMENTS=n -D LAST=5|9 -D PAIRS=n
#include "subject.h"

static int above(int i, int j) {
    int a[ELEMENTS] = {[ELEMENTS - 1] = LAST};
    if (i + j > ELEMENTS)
        if (a[i] + a[j] > 10)
            return 1;
    return 0;
}

int main(void) {
    int found = 0, i = upto(ELEMENTS - 1);
    for (int pair = 0; pair < PAIRS; pair++) {
        int j = upto(ELEMENTS - 1);
        found += above(i, j);
        i = j;
    }
    klee_assert(LAST > 5 || found == 0);
    return 0;
}
