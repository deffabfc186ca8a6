// expect: errors=ptr@7 exit=1
// options: --entry sum --symbolic --buffer-size 8
// A pointer argument is a fresh buffer of the size given.
int sum(const unsigned char *bytes, unsigned count) {
  int total = 0;
  for (unsigned i = 0; i < count; i++)
    total += bytes[i];
  return total;
}
