// The largest, then the smallest of SIZE symbolic numbers: 3^(SIZE-1) paths. -D SIZE=n
#include "subject.h"

static int numbers[SIZE];

int main(void) {
    for (int i = 0; i < SIZE; i++)
        numbers[i] = upto(2 * SIZE);
    int max = numbers[0], min = numbers[0];
    for (int i = 1; i < SIZE; i++)
        if (numbers[i] > max)
            max = numbers[i];
    for (int i = 1; i < SIZE; i++)
        if (numbers[i] < min)
            min = numbers[i];
    return max < min;
}
