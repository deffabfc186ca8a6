// Searching among SIZE symbolic numbers for a symbolic key: -D FIND=binary|linear -D SIZE=n
//
// Every number is independent of the others (nothing says that they ascend), so each comparison goes both ways: 2 * SIZE + 1 paths for
// the binary search, SIZE + 1 for the linear one.
#include "subject.h"

#define JOIN(a, b) a##b
#define CALL(name) JOIN(name, _find)

static int numbers[SIZE];

static inline int binary_find(int key) {
    int low = 0, high = SIZE - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (numbers[middle] == key)
            return middle;
        if (numbers[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

static inline int linear_find(int key) {
    for (int i = 0; i < SIZE; i++)
        if (numbers[i] == key)
            return i;
    return -1;
}

int main(void) {
    for (int i = 0; i < SIZE; i++)
        numbers[i] = upto(2 * SIZE);
    return CALL(FIND)(upto(2 * SIZE)) >= 0;
}
