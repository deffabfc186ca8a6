// The worst case of multi-intervals: SIZE numbers that are 0 or 2^i each, so that their sum has 2^SIZE possible values, no two of them adjacent; multiplied by
// 0 or 1, which no interval can follow. With -D CONTROL without the multiplication. One path. -D SIZE=n
#include "subject.h"

static unsigned either(unsigned value) {
    unsigned symbolic = anything();
    klee_assume((symbolic == 0) | (symbolic == value));
    return symbolic;
}

int main(void) {
    unsigned sum = 0;
    for (int i = 1; i <= SIZE; i++)
        sum += either(1u << i);
#ifndef CONTROL
    sum *= either(1);
#endif
    if (sum > (2u << SIZE))
        return 1;
    return 0;
}
