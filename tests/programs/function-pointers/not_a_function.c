// expect: paths=1 errors=exec@7 exit=1
// A call of data.
static int data[4];

int main(void) {
  void (*volatile hook)(void) = (void (*)(void))data;
  hook();
  return 0;
}
