// Object resolution: an array of LENGTH elements indexed with any 64-bit number while OBJECTS arrays are alive, one for each call on the stack. Run with
// --provenance off the pointer may hit every object there is: one path for each, and one outside of all. READS independent indices, one after the other.
// -D ELEMENT=type -D OBJECTS=n -D LENGTH=n -D READS=n
#include "subject.h"

static int resolve(const ELEMENT *array) {
    for (int i = 0; i < READS; i++) {
        unsigned long index;
        klee_make_symbolic(&index, sizeof index, "index");
        volatile ELEMENT element = array[index];
        (void)element;
    }
    return 0;
}

static int nest(int left) {
    ELEMENT array[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        array[i] = i;
    return left > 1 ? nest(left - 1) : resolve(array);
}

int main(void) { return nest(OBJECTS); }
