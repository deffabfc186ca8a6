// A packet of SIZE symbolic bytes behind a ones' complement checksum of 16 bits: the sum must be right before the payload, a list of tagged
// items, is looked at. -D SIZE=n
#include "subject.h"

static int sound(const unsigned char *packet) {
    unsigned sum = 0;
    for (int i = 0; i < SIZE; i += 2)
        sum += packet[i] << 8 | packet[i + 1];
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = (sum & 0xFFFF) + (sum >> 16);
    return sum == 0xFFFF;
}

static int items(const unsigned char *packet) {
    int found = 0;
    for (int at = 2; at < SIZE;) {
        if (packet[at] == 0)
            return found;
        if (packet[at] == 1) {
            at++;
            continue;
        }
        if (at + 1 >= SIZE || packet[at + 1] < 2 || packet[at + 1] > SIZE - at)
            return -1;
        int size = 2;
        while (size < packet[at + 1])
            size++;
        at += size;
        found++;
    }
    return found;
}

int main(void) {
    unsigned char packet[SIZE];
    klee_make_symbolic(packet, SIZE, "packet");
    if (!sound(packet))
        return 0;
    klee_assert(items(packet) <= SIZE / 2);
    return 0;
}
