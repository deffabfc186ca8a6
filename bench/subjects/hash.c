// A hash table with open addressing and SLOTS slots: KEYS symbolic keys go in, then each is looked for, and one that may be another. The slot is a symbolic
// number, so every insertion writes where it is not known and every search reads over those writes. HASH=fold mixes a key with itself shifted, HASH=product
// multiplies it. -D SLOTS=n (a power of two) -D KEYS=n -D HASH=fold|product
#include "subject.h"

#define JOIN(a, b) a##b
#define PLACE(name) JOIN(name, _place)

struct slot {
    unsigned short key;
    short order;
    unsigned char used;
};

static struct slot slots[SLOTS];

static inline unsigned fold_place(unsigned short key) { return (key ^ key >> 5 ^ key >> 10) & (SLOTS - 1); }

static inline unsigned product_place(unsigned short key) { return key * 40503u >> 7 & (SLOTS - 1); }

// The slot that has the key, or the free one where it belongs, or 0 where there is neither.
static struct slot *look(unsigned short key) {
    unsigned at = PLACE(HASH)(key);
    for (int tries = 0; tries < SLOTS; tries++, at = (at + 1) & (SLOTS - 1))
        if (!slots[at].used || slots[at].key == key)
            return &slots[at];
    return 0;
}

int main(void) {
    unsigned short keys[KEYS];
    klee_make_symbolic(keys, sizeof keys, "keys");
    int count = 0;
    for (int i = 0; i < KEYS; i++) {
        struct slot *slot = look(keys[i]);
        if (!slot->used)
            *slot = (struct slot){keys[i], count++, 1};
    }
    for (int i = 0; i < KEYS; i++) {
        struct slot *slot = look(keys[i]);
        klee_assert(slot->used && slot->key == keys[i] && slot->order <= i);
    }
    struct slot *other = look(anything());
    klee_assert(!other || !other->used || other->order < count);
    return 0;
}
