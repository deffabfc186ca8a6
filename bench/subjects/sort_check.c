// Is a text of LINES lines, each of WIDTH bytes, sorted? Symbolic and concrete lines alternate. Lines are found by their newline and compared byte by byte, the
// check ends at the first line that is out of order. -D LINES=n -D WIDTH=n
#include "subject.h"

#define PITCH (WIDTH + 1)

static unsigned char text[LINES * PITCH];

static void fill(void) {
    unsigned seed = 3;
    for (int line = 0; line < LINES; line++) {
        unsigned char *start = text + line * PITCH;
        for (int i = 0; i < WIDTH; i++)
            start[i] = 'a' + shuffled(&seed) % 26;
        start[0] = 'a' + line * 25 / LINES;
        if (line % 2 == 0) {
            unsigned char symbolic[WIDTH];
            klee_make_symbolic(symbolic, WIDTH, "line");
            for (int i = 0; i < WIDTH; i++) {
                klee_assume(symbolic[i] != '\n');
                start[i] = symbolic[i];
            }
        }
        start[WIDTH] = '\n';
    }
}

static int line_end(int at) {
    while (text[at] != '\n')
        at++;
    return at;
}

static int ordered(int a, int a_end, int b, int b_end) {
    while (a < a_end && b < b_end) {
        if (text[a] < text[b])
            return 1;
        if (text[a] > text[b])
            return 0;
        a++, b++;
    }
    return a_end - a <= b_end - b;
}

int main(void) {
    fill();
    int last = 0, last_end = line_end(0);
    for (int line = 1; line < LINES; line++) {
        int start = last_end + 1, end = line_end(start);
        if (!ordered(last, last_end, start, end))
            return 0;
        last = start, last_end = end;
    }
    return 0;
}
