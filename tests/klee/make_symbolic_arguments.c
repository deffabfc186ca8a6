// paths: 2
// error: user@11 klee_make_symbolic takes an address, a size and a name: the call passes 2 arguments
// error: user@13 Invalid string pointer passed to one of the klee_ functions
/* Calls without a declaration, as in old C. */
int choice(void);
int main(int argc, char **argv) {
	int x = 0;
	char way;
	klee_make_symbolic(&way, sizeof way, "way");
	if (way)
		klee_make_symbolic(&x, sizeof x);
	else
		klee_make_symbolic("x", &x, 4);
	return x;
}
