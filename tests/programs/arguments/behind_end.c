// expect: paths=3 exit=0
// args: --sym-arg 2 x
// What lies behind an argument's end is its own buffer in the engine and the next argument natively: such a test is not confirmed, and no divergence.
int main(int argc, char **argv)
{
	char *volatile text = argv[1];
	if (text[0]) return 0;
	if (text[1] == 'a') return 1;
	return text[1] == 'x' ? 2 : 3;
}
