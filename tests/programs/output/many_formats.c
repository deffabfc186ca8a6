// expect: paths=1 exit=0
// Formats on known values, compared by replay.
#include <stdio.h>

int main(void) {
  printf("%d %i %u %o %x %X %c %s %p\n", -1, 2, 3u, 8, 255, 255, 'c', "text", (void *)0);
  printf("%5d|%-5d|%05d|%+d|% d|%.3d\n", 42, 42, 42, 42, 42, 7);
  printf("%hhd %hd %ld %lld %zu\n", (char)300, (short)70000, 1L << 40, -1LL, sizeof(int));
  printf("%.2f %e %g %G %a\n", 3.14159, 12345.678, 0.0001, 1e20, 0.5);
  printf("%.3s|%10s|%-10s|%%|%*d\n", "abcdef", "right", "left", 6, 7);
  return 0;
}
