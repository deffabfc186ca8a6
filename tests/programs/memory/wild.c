// expect: paths=1 errors=ptr@5 exit=1
// An address that belongs to nothing.
int main(void) {
  volatile int *p = (volatile int *)0x123450;
  return *p;
}
