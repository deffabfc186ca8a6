// Greatest common divisor by subtraction, both numbers symbolic from 0 to SIZE. A path for each pair without a common divisor, and two for
// zeroes: 401 paths for SIZE = 25. -D SIZE=n
#include "subject.h"

static int gcd(int a, int b) {
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    while (a != b) {
        if (a > b)
            a = a - b;
        else
            b = b - a;
    }
    return a;
}

int main(void) {
    int a = upto(SIZE), b = upto(SIZE);
    return gcd(a, b) < 0;
}
