// A scanner by one table: eight states that are reached, CLASSES classes of bytes, and as many states more that are not as make STATES of them, so that the same
// paths are walked over tables of any size. SIZE symbolic bytes, and a branch for each of them. -D STATES=n (8 or more) -D SIZE=n
#include "subject.h"

#define CLASSES 16

static unsigned short next[STATES][CLASSES];
static unsigned char class[256];

static void fill(void) {
    unsigned seed = 11;
    for (int i = 0; i < 256; i++)
        class[i] = i % 7 + i / 64;
    for (int state = 0; state < STATES; state++)
        for (int i = 0; i < CLASSES; i++)
            next[state][i] = shuffled(&seed) % 8;
}

int main(void) {
    unsigned char text[SIZE];
    int state = 0, words = 0;
    klee_make_symbolic(text, SIZE, "text");
    fill();
    for (int i = 0; i < SIZE; i++) {
        state = next[state][class[text[i]]];
        if (state > 4)
            words++;
    }
    klee_assert(words <= SIZE);
    return 0;
}
