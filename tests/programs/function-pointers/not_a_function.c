// expect: paths=1 errors=exec@8 exit=1
// native: skip, the kind is the engine's
// A call of data.
static int data[4];

int main(void) {
  void (*volatile hook)(void) = (void (*)(void))data;
  hook();
  return 0;
}
