// expect: paths=3 exit=0
// options: --entry clamp --symbolic
// One function, no harness.
int clamp(int x) {
  if (x < 0)
    return 0;
  if (x > 100)
    return 100;
  return x;
}
