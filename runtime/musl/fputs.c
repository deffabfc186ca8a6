/* fputs, and puts through it: a symbolic string is not measured where that makes no difference (see strata_hooks.h). */
#include <string.h>
#include "print.h"

int fputs(const char *restrict s, FILE *restrict f)
{
	if (!on_descriptor(f) || !__strata_may_defer_string(f->fd, s)) {
		size_t l = strlen(s);
		return (fwrite(s, 1, l, f)==l) - 1;
	}
	int r = -1;
	FLOCK(f);
	if (drained(f)) {
		__strata_print_string(f->fd, s);
		r = 0;
	}
	FUNLOCK(f);
	return r;
}

weak_alias(fputs, fputs_unlocked);
