// An array of LENGTH elements that is written at WRITES symbolic places, then read at READS symbolic places with branches on what was read: reads over
// writes that may or may not meet. ELEMENT says of what: char, short, int, long, or record, a structure of three fields. -D LENGTH=n -D WRITES=n -D READS=n
// -D ELEMENT=name
#include "subject.h"

struct record {
    short low;
    unsigned char kind;
    int high;
};

#define JOIN(a, b) a##b
#define TYPE(name) JOIN(type_, name)
#define GET(name) JOIN(get_, name)
#define SET(name) JOIN(set_, name)
#define NUMBER(name)                                                                                                                                           \
    typedef name type_##name;                                                                                                                                  \
    static inline int get_##name(const name *from) { return *from; }                                                                                           \
    static inline void set_##name(name *to, int number) { *to = number; }

NUMBER(char)
NUMBER(short)
NUMBER(int)
NUMBER(long)

typedef struct record type_record;
static inline int get_record(const struct record *from) { return from->kind == 1 ? from->low : from->high; }
static inline void set_record(struct record *to, int number) {
    to->kind = number & 1;
    to->low = to->high = number;
}

static TYPE(ELEMENT) elements[LENGTH];

int main(void) {
    int numbers[WRITES], places[WRITES], large = 0, sum = 0;
    for (int i = 0; i < LENGTH; i++)
        SET(ELEMENT)(&elements[i], i % 100);
    for (int i = 0; i < WRITES; i++) {
        numbers[i] = upto(120);
        places[i] = upto(LENGTH - 1);
        SET(ELEMENT)(&elements[places[i]], numbers[i]);
    }
    klee_assert(GET(ELEMENT)(&elements[places[WRITES - 1]]) == numbers[WRITES - 1]);
    for (int i = 0; i < READS; i++) {
        int read = GET(ELEMENT)(&elements[upto(LENGTH - 1)]);
        if (read > 100)
            large++;
        sum += read;
    }
    klee_assert(sum <= 120 * READS && sum >= 101 * large);
    return 0;
}
