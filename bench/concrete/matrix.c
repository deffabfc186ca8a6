// The product of two integer matrices, and of the product with itself.
#include <stdio.h>

#define N 360

static int a[N][N], b[N][N], c[N][N];

static void multiply(int (*to)[N], int (*x)[N], int (*y)[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      unsigned sum = 0;
      for (int k = 0; k < N; k++)
        sum += (unsigned)x[i][k] * (unsigned)y[k][j];
      to[i][j] = (int)sum;
    }
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i * 7 + j * j) % 1009 | 1;
      b[i][j] = (i * i ^ j * 3) % 1013 | (i == j);
    }
  multiply(c, a, b);
  multiply(a, c, b);
  multiply(b, a, c);
  unsigned checksum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      checksum = checksum * 31 + (unsigned)b[i][j];
  printf("%u\n", checksum);
  return 0;
}
