// expect: paths=1 errors=read_only@5 exit=1
// A write into a string literal.
int main(void) {
  char *volatile text = "constant";
  text[0] = 'C';
  return 0;
}
