// expect: paths=2 errors=assert@9+ exit=1
// Declared only: the engine knows the name.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 21)
    reach_error();
  return 0;
}
