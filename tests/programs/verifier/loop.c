// expect: paths=15 exit=0
// A loop over inputs: how many are drawn depends on what was drawn.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void) {
  unsigned total = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char step = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(step <= 10);
    if (step == 0)
      break;
    if (step == 1)
      total++;
  }
  return total > 3;
}
