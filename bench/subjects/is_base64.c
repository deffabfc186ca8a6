// Whether SIZE symbolic bytes are digits of base64, by a table of 256 entries: every byte is looked at, so there are 2^SIZE paths and as many conditions
// on one read of a constant table. -D SIZE=n
#include "base64_table.h"
#include "subject.h"

static int is_base64(unsigned char c) { return digits[c] >= 0; }

int main(void) {
    unsigned char text[SIZE];
    klee_make_symbolic(text, SIZE, "text");
    int good = 0, bad = 0;
    for (int i = 0; i < SIZE; i++)
        if (is_base64(text[i]))
            good++;
        else
            bad++;
    klee_assert(good + bad == SIZE);
    return 0;
}
