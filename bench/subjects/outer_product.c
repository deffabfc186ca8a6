// Outer product of SIZE symbolic numbers with 1, 2, … COLUMNS; counts the entries that reach COLUMNS. Products by constants leave gaps between possible values. -D SIZE=n
//
// With 6 columns the entries of a row cross the bound at 6, 3, 2, 2, 2, 1: five outcomes a row.
#include "subject.h"

#define COLUMNS 6

int main(void) {
    int x[SIZE], reached = 0;
    for (int i = 0; i < SIZE; i++)
        x[i] = upto(2 * COLUMNS);
    for (int i = 0; i < SIZE; i++)
        for (int j = 1; j <= COLUMNS; j++)
            if (x[i] * j >= COLUMNS)
                reached++;
    return reached < 0;
}
