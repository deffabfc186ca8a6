// Half of a symbolic number by counting, and the proof that twice the half is the number again: SIZE + 1 paths for the halves, one more for the number
// that is refused. -D SIZE=n
#include "subject.h"

int main(void) {
    int n = upto(2 * SIZE + 2);
    if (n > 2 * SIZE)
        return 0;
    int twice = 2 * n, half = 0;
    while (4 * half + 4 <= twice)
        half++;
    klee_assert(4 * half <= twice);
    klee_assert(twice <= 4 * half + 2);
    return 0;
}
