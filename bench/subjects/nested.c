// A substitution table of ENTRIES bytes (a permutation) and its inverse, both filled by the program: SIZE symbolic bytes go DEPTH times through the first, each
// mixed with the one before, and back through the second. Tables within tables, and nothing else. -D ENTRIES=n (a power of two up to 256) -D SIZE=n -D DEPTH=n
#include "subject.h"

static unsigned char there[ENTRIES], back[ENTRIES];

static void fill(void) {
    unsigned seed = 3;
    for (int i = 0; i < ENTRIES; i++)
        there[i] = i;
    for (int i = ENTRIES - 1; i > 0; i--) {
        int other = shuffled(&seed) % (i + 1);
        unsigned char kept = there[i];
        there[i] = there[other];
        there[other] = kept;
    }
    for (int i = 0; i < ENTRIES; i++)
        back[there[i]] = i;
}

int main(void) {
    unsigned char text[SIZE], secret[SIZE], before = 0;
    klee_make_symbolic(text, SIZE, "text");
    fill();
    for (int i = 0; i < SIZE; i++) {
        unsigned char byte = (text[i] ^ before) & (ENTRIES - 1);
        for (int round = 0; round < DEPTH; round++)
            byte = there[byte];
        secret[i] = before = byte;
        if (byte < ENTRIES / 4)
            return 1;
    }
    before = 0;
    for (int i = 0; i < SIZE; i++) {
        unsigned char byte = secret[i];
        for (int round = 0; round < DEPTH; round++)
            byte = back[byte];
        klee_assert(((byte ^ before ^ text[i]) & (ENTRIES - 1)) == 0);
        before = secret[i];
    }
    return 0;
}
