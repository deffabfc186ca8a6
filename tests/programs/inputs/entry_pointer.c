// expect: errors=ptr@8 exit=1
// options: --entry sum --symbolic --buffer-size 8
// native: skip, there is no main
// A pointer argument is a fresh buffer of the size given.
int sum(const unsigned char *bytes, unsigned count) {
  int total = 0;
  for (unsigned i = 0; i < count; i++)
    total += bytes[i];
  return total;
}
