// expect: paths=1 errors=read_only@7 exit=1
// A write to a constant.
const int limit = 10;

int main(void) {
  int *volatile p = (int *)&limit;
  *p = 11;
  return 0;
}
