/* Which streams may defer, and how they do: shared by vfprintf and fputs. */
#ifndef STRATA_PRINT_H
#define STRATA_PRINT_H

#include "stdio_impl.h"
#include "strata_hooks.h"

/* A stream whose bytes go to its descriptor, not the fake one of snprintf or open_memstream. */
static inline int on_descriptor(FILE *f)
{
	return f->write == __stdio_write || f->write == __stdout_write;
}

/* Ready to write, and nothing held back: what is deferred comes after all that was printed before. 0 if that failed. */
static inline int drained(FILE *f)
{
	if (!f->wend && __towrite(f)) return 0;
	if (f->wpos != f->wbase) f->write(f, 0, 0);
	return f->wpos == f->wbase && f->wend;
}

#endif
