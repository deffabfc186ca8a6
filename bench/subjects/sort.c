// Six sorts over SIZE numbers, SYMBOLIC of them symbolic and the rest concrete.
//
// -D SORT=bubble|insertion|selection|merge|quick|heap -D SIZE=n -D SYMBOLIC=n
//
// Without RANDOM: the concrete numbers descend from SIZE to 1, the symbolic ones lie between 0 and 2 * SIZE and stand at SIZE/2, SIZE/4 and SIZE/8. This
// reproduces, for all eighteen sorts of the strided-interval paper, the number of paths and the number of its baseline's queries. With -D RANDOM:
// shuffled concrete numbers, symbolic ones without bounds, as in the multi-interval paper.
#include "subject.h"

#define JOIN(a, b) a##b
#define CALL(name) JOIN(name, _sort)

static int numbers[SIZE];

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

static inline void bubble_sort(int *a, int n) {
    int swapped = 1;
    for (int last = n - 1; swapped && last > 0; last--) {
        swapped = 0;
        for (int i = 0; i < last; i++)
            if (a[i] > a[i + 1]) {
                swap(&a[i], &a[i + 1]);
                swapped = 1;
            }
    }
}

static inline void insertion_sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int key = a[i], hole = i;
        for (; hole > 0 && a[hole - 1] > key; hole--)
            a[hole] = a[hole - 1];
        a[hole] = key;
    }
}

static inline void selection_sort(int *a, int n) {
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[least])
                least = j;
        swap(&a[i], &a[least]);
    }
}

static void merge_range(int *a, int *spare, int low, int high) {
    if (high - low < 2)
        return;
    int middle = (low + high + 1) / 2;
    merge_range(a, spare, low, middle);
    merge_range(a, spare, middle, high);
    int left = low, right = middle, out = low;
    while (left < middle && right < high) {
        if (a[left] <= a[right])
            spare[out++] = a[left++];
        else
            spare[out++] = a[right++];
    }
    while (left < middle)
        spare[out++] = a[left++];
    while (right < high)
        spare[out++] = a[right++];
    for (out = low; out < high; out++)
        a[out] = spare[out];
}

static inline void merge_sort(int *a, int n) {
    static int spare[SIZE];
    merge_range(a, spare, 0, n);
}

// The pivot is the last number; what does not exceed it comes before it.
static void quick_range(int *a, int low, int high) {
    if (low >= high)
        return;
    int store = low;
    for (int i = low; i < high; i++)
        if (a[i] <= a[high])
            swap(&a[store++], &a[i]);
    swap(&a[store], &a[high]);
    quick_range(a, low, store - 1);
    quick_range(a, store + 1, high);
}

static inline void quick_sort(int *a, int n) { quick_range(a, 0, n - 1); }

static void sift(int *a, int root, int n) {
    int largest = root, left = 2 * root + 1, right = left + 1;
    if (left < n && a[left] > a[largest])
        largest = left;
    if (right < n && a[right] > a[largest])
        largest = right;
    if (largest == root)
        return;
    swap(&a[root], &a[largest]);
    sift(a, largest, n);
}

static inline void heap_sort(int *a, int n) {
    for (int root = n / 2 - 1; root >= 0; root--)
        sift(a, root, n);
    for (int last = n - 1; last > 0; last--) {
        swap(&a[0], &a[last]);
        sift(a, 0, last);
    }
}

static void fill(void) {
#ifdef RANDOM
    unsigned seed = 7;
    for (int i = 0; i < SIZE; i++)
        numbers[i] = shuffled(&seed);
    for (int k = 0; k < SYMBOLIC; k++)
        numbers[SYMBOLIC == SIZE ? k : SIZE >> (k + 1)] = anything();
#else
    for (int i = 0; i < SIZE; i++)
        numbers[i] = SIZE - i;
    for (int k = 0; k < SYMBOLIC; k++)
        numbers[SYMBOLIC == SIZE ? k : SIZE >> (k + 1)] = upto(2 * SIZE);
#endif
}

int main(void) {
    fill();
    CALL(SORT)(numbers, SIZE);
    return 0;
}
