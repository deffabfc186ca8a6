// Parses SIZE symbolic 32-bit words as records packed into bit fields: version, kind, flags, a length in words and a shift, taken out with masks and
// shifts. -D SIZE=n
#include "subject.h"

static unsigned field(unsigned word, int low, int width) { return word >> low & ((1u << width) - 1); }

// The number of payload words, or -1.
static int record(const unsigned *word, int left) {
    unsigned head = word[0];
    if (field(head, 29, 3) != 5)
        return -1;
    unsigned kind = field(head, 24, 4), flags = head & 0x00F00000, length = field(head, 8, 6);
    if (head & 0x10000000)
        return -1;
    if (kind == 0 || kind > 6)
        return -1;
    if ((flags & 0x00100000) && !(flags & 0x00800000))
        return -1;
    unsigned shift = head & 7, scaled = length << shift >> 3;
    if (kind >= 4 && (head >> 3 & 1) != (head >> 4 & 1))
        return -1;
    if (scaled + 1 > (unsigned)left)
        return -1;
    return scaled;
}

int main(void) {
    unsigned words[SIZE];
    for (int i = 0; i < SIZE; i++)
        words[i] = anything();
    int at = 0, records = 0;
    while (at < SIZE) {
        int payload = record(words + at, SIZE - at);
        if (payload < 0)
            break;
        records++;
        at += payload + 1;
    }
    klee_assert(records <= SIZE && at <= SIZE);
    return 0;
}
