// expect: paths=2 exit=0
// Test-Comp's inputs of every width.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  long sum = __VERIFIER_nondet_int() & 1;
  sum += __VERIFIER_nondet_uint() & 1;
  sum += __VERIFIER_nondet_char() & 1;
  sum += __VERIFIER_nondet_uchar() & 1;
  sum += __VERIFIER_nondet_short() & 1;
  sum += __VERIFIER_nondet_ushort() & 1;
  sum += __VERIFIER_nondet_long() & 1;
  sum += __VERIFIER_nondet_ulong() & 1;
  sum += __VERIFIER_nondet_bool();
  if (sum == 9)
    return 1;
  return 0;
}
