// Decodes GROUPS groups of four symbolic bytes of base64 by a table of 256 entries and encodes the result again by one of 64: what was accepted must come
// back as it was. Unlike base64.c, which compares, everything goes through tables, and one table is indexed by what another one gave. -D GROUPS=n
#include "base64_table.h"
#include "subject.h"

#define SIZE (4 * GROUPS)

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The number of bytes made of one group, or -1.
static int decode(const unsigned char *group, unsigned char *out, int last) {
    int a = digits[group[0]], b = digits[group[1]], c = digits[group[2]], d = digits[group[3]];
    if (a < 0 || b < 0)
        return -1;
    out[0] = a << 2 | b >> 4;
    if (last && group[2] == '=' && group[3] == '=')
        return b & 15 ? -1 : 1;
    if (c < 0)
        return -1;
    out[1] = b << 4 | c >> 2;
    if (last && group[3] == '=')
        return c & 3 ? -1 : 2;
    if (d < 0)
        return -1;
    out[2] = c << 6 | d;
    return 3;
}

static void encode(const unsigned char *bytes, int count, unsigned char *out) {
    unsigned b = count > 1 ? bytes[1] : 0, c = count > 2 ? bytes[2] : 0;
    out[0] = alphabet[bytes[0] >> 2];
    out[1] = alphabet[(bytes[0] & 3) << 4 | b >> 4];
    out[2] = count > 1 ? alphabet[(b & 15) << 2 | c >> 6] : '=';
    out[3] = count > 2 ? alphabet[c & 63] : '=';
}

int main(void) {
    unsigned char text[SIZE], bytes[3], again[4];
    klee_make_symbolic(text, SIZE, "text");
    for (int at = 0; at < SIZE; at += 4) {
        int count = decode(text + at, bytes, at + 4 == SIZE);
        if (count < 0)
            return 1;
        encode(bytes, count, again);
        for (int i = 0; i < 4; i++)
            klee_assert(again[i] == text[at + i]);
    }
    return 0;
}
