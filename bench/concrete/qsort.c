// 200,000 numbers sorted: by libc's qsort once, and 24 times by a quicksort of our own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 200000

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void quicksort(int *cells, long low, long high) {
  while (low < high) {
    int pivot = cells[(low + high) / 2];
    long i = low, j = high;
    while (i <= j) {
      while (cells[i] < pivot)
        i++;
      while (cells[j] > pivot)
        j--;
      if (i <= j) {
        int kept = cells[i];
        cells[i++] = cells[j];
        cells[j--] = kept;
      }
    }
    quicksort(cells, low, j);
    low = i;
  }
}

int main(void) {
  int *first = malloc(COUNT * sizeof *first), *second = malloc(COUNT * sizeof *second);
  unsigned x = 12345;
  for (int i = 0; i < COUNT; i++) {
    x = x * 1664525 + 1013904223;
    first[i] = x >> 4;
  }
  memcpy(second, first, COUNT * sizeof *first);
  qsort(first, COUNT, sizeof *first, compare);
  for (int round = 0; round < 24; round++) {
    for (int i = 0; i < COUNT; i++) {
      x = x * 1664525 + 1013904223;
      second[i] ^= round ? x >> 8 : 0;
    }
    quicksort(second, 0, COUNT - 1);
    if (round == 0 && memcmp(first, second, COUNT * sizeof *first)) {
      puts("different");
      return 1;
    }
  }
  unsigned checksum = 0;
  for (int i = 0; i < COUNT; i++)
    checksum = checksum * 31 + first[i] + second[i];
  printf("%u\n", checksum);
  free(first);
  free(second);
  return 0;
}
