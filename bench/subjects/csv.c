// Splits a line of SIZE symbolic bytes into fields: commas, quotes, doubled quotes inside quotes, an end at newline or zero. -D SIZE=n
#include "subject.h"

enum state { START, PLAIN, QUOTED, CLOSING };

// The number of fields, or -1.
static int split(const char *line, int *starts) {
    enum state state = START;
    int fields = 1, at = 0;
    starts[0] = 0;
    for (; at < SIZE && line[at] != '\n' && line[at] != '\0'; at++) {
        char c = line[at];
        if (state == QUOTED) {
            if (c == '"')
                state = CLOSING;
        } else if (c == '"') {
            if (state == PLAIN)
                return -1;
            state = QUOTED;
        } else if (c == ',') {
            starts[fields++] = at + 1;
            state = START;
        } else {
            if (state == CLOSING)
                return -1;
            state = PLAIN;
        }
    }
    return state == QUOTED ? -1 : fields;
}

int main(void) {
    char line[SIZE];
    int starts[SIZE + 1];
    klee_make_symbolic(line, SIZE, "line");
    klee_assert(split(line, starts) <= SIZE + 1);
    return 0;
}
