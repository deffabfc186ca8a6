// expect: paths=2 exit=0
// A false assumption ends the path in silence.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0)
    __VERIFIER_assume(x > 5);
  if (x > 100)
    return 1;
  return 0;
}
