// expect: exit=0 incomplete=instructions
// options: --max-instructions 100000
// A loop without end stops at the limit, with a test of the path.
int main(void) {
  volatile unsigned n = 0;
  for (;;)
    n++;
}
