// What the subjects share: a symbolic number within bounds, and concrete data that looks random but never changes.
#ifndef SUBJECT_H
#define SUBJECT_H

#include <klee/klee.h>

// A symbolic number from 0 to `most`, both included: the <0, most, 1> of strided intervals.
static int upto(int most) { return klee_range(0, most + 1, "value"); }

// Any 32-bit number.
static inline int anything(void) {
    int value;
    klee_make_symbolic(&value, sizeof value, "value");
    return value;
}

// The next number of a fixed sequence.
static inline unsigned shuffled(unsigned *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

#endif
