// A sparse matrix of ROWS rows in compressed form, with symbolic rows and columns: first[row] says where a row begins in column[] and value[], so that an entry
// is three tables deep. LOOKS entries are looked up and added; what is found must be what the full matrix has. -D ROWS=n -D LOOKS=n
#include "subject.h"

#define MOST (3 * ROWS)

static int first[ROWS + 1], full[ROWS][ROWS];
static unsigned char column[MOST];
static short value[MOST];

// One to three entries in each row.
static void fill(void) {
    unsigned seed = 7;
    int count = 0;
    for (int row = 0; row < ROWS; row++) {
        first[row] = count;
        for (int at = shuffled(&seed) % 3; at < ROWS && count < first[row] + 3; at += 1 + shuffled(&seed) % ROWS) {
            column[count] = at;
            value[count] = 10 * row + at + 1;
            full[row][at] = value[count++];
        }
    }
    first[ROWS] = count;
}

static int entry(int row, int wanted) {
    for (int i = first[row]; i < first[row + 1]; i++)
        if (column[i] == wanted)
            return value[i];
    return 0;
}

int main(void) {
    fill();
    int sum = 0, right = 0;
    for (int i = 0; i < LOOKS; i++) {
        int row = upto(ROWS - 1), wanted = upto(ROWS - 1);
        sum += entry(row, wanted);
        right += full[row][wanted];
    }
    klee_assert(sum == right);
    return sum > 10 * ROWS;
}
