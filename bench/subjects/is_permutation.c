// Is one array of SIZE symbolic numbers a permutation of another? Every number must occur as often in both. -D SIZE=n
#include "subject.h"

static int a[SIZE], b[SIZE];

static int count(const int *numbers, int key) {
    int found = 0;
    for (int i = 0; i < SIZE; i++)
        if (numbers[i] == key)
            found++;
    return found;
}

static int is_permutation(void) {
    for (int i = 0; i < SIZE; i++)
        if (count(a, a[i]) != count(b, a[i]))
            return 0;
    return 1;
}

int main(void) {
    for (int i = 0; i < SIZE; i++)
        a[i] = upto(2 * SIZE);
    for (int i = 0; i < SIZE; i++)
        b[i] = upto(2 * SIZE);
    return is_permutation();
}
