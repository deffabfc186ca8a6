// Checks and decodes SIZE bytes of base64, the last SYMBOLIC of them symbolic: groups of four out of the alphabet, padding only at the end, unused bits
// zero. -D SIZE=n -D SYMBOLIC=n
#include "subject.h"

static int digit(unsigned char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    if (c == '/')
        return 63;
    return -1;
}

// The number of bytes decoded, or -1.
static int decode(const unsigned char *text, unsigned char *out) {
    int made = 0;
    for (int group = 0; group < SIZE; group += 4) {
        unsigned bits = 0;
        int digits = 0;
        for (; digits < 4; digits++) {
            int value = digit(text[group + digits]);
            if (value < 0)
                break;
            bits |= (unsigned)value << (18 - 6 * digits);
        }
        if (digits < 2)
            return -1;
        for (int i = digits; i < 4; i++)
            if (text[group + i] != '=' || group + 4 != SIZE)
                return -1;
        if (bits & ((1u << (24 - (digits - 1) * 8)) - 1))
            return -1;
        for (int i = 0; i < digits - 1; i++)
            out[made++] = bits >> (16 - 8 * i);
    }
    return made;
}

int main(void) {
    unsigned char text[SIZE], out[SIZE];
    for (int i = 0; i < SIZE - SYMBOLIC; i++)
        text[i] = 'A' + i;
    unsigned char symbolic[SYMBOLIC];
    klee_make_symbolic(symbolic, SYMBOLIC, "text");
    for (int i = 0; i < SYMBOLIC; i++)
        text[SIZE - SYMBOLIC + i] = symbolic[i];
    int made = decode(text, out);
    klee_assert(made <= SIZE / 4 * 3);
    return 0;
}
