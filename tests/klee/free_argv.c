// run: --no-confirm
// paths: 1
// error: free@8 free of memory that malloc did not give
// tests: 1
/* The arguments lie in the middle of what the system lays out. */
#include <stdlib.h>
int main(int argc, char **argv) {
	free(argv);
	return argc;
}
