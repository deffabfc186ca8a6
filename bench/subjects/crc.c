// A packet of SIZE symbolic bytes that ends in a cyclic redundancy check of BITS bits, worked out a byte at a time by a table of 256 entries that the program
// fills first: what is left of the check after the whole packet must be nought, and only then are the items of the packet looked at. -D SIZE=n -D BITS=8|16|32
#include "subject.h"

#if BITS == 8
typedef unsigned char check;
#define POLYNOMIAL 0xE0u
#elif BITS == 16
typedef unsigned short check;
#define POLYNOMIAL 0xA001u
#else
typedef unsigned check;
#define POLYNOMIAL 0xEDB88320u
#endif

static check table[256];

static void fill(void) {
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned rest = byte;
        for (int bit = 0; bit < 8; bit++)
            rest = rest & 1 ? rest >> 1 ^ POLYNOMIAL : rest >> 1;
        table[byte] = rest;
    }
}

// What is left of a check after more bytes.
static check go_on(check rest, const unsigned char *bytes, int count) {
    for (int i = 0; i < count; i++)
        rest = table[(rest ^ bytes[i]) & 0xFF] ^ (unsigned)rest >> 8;
    return rest;
}

// The number of items, each a length and that many bytes, or -1.
static int items(const unsigned char *bytes, int count) {
    int found = 0;
    for (int at = 0; at < count; found++) {
        int length = 0;
        while (length < bytes[at])
            if (at + ++length >= count)
                return -1;
        at += length + 1;
    }
    return found;
}

int main(void) {
    unsigned char packet[SIZE];
    klee_make_symbolic(packet, SIZE, "packet");
    fill();
    if (go_on((check)~0u, packet, SIZE) != 0)
        return 1;
    int payload = SIZE - (int)sizeof(check);
    klee_assert(items(packet, payload) <= payload);
    return 0;
}
