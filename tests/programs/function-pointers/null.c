// expect: paths=1 errors=exec@5 exit=1
// A call through null.
int main(void) {
  void (*volatile hook)(void) = 0;
  hook();
  return 0;
}
