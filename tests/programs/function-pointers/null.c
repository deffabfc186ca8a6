// expect: paths=1 errors=exec@6 exit=1
// native: skip, the kind is the engine's
// A call through null.
int main(void) {
  void (*volatile hook)(void) = 0;
  hook();
  return 0;
}
