/* musl allocates for itself under these names, so that a program can replace malloc. Here malloc belongs to whoever runs the program. */
#include <stdlib.h>

hidden void *__libc_malloc(size_t n)
{
	return malloc(n);
}

hidden void *__libc_calloc(size_t m, size_t n)
{
	return calloc(m, n);
}

hidden void *__libc_realloc(void *p, size_t n)
{
	return realloc(p, n);
}

hidden void __libc_free(void *p)
{
	free(p);
}
