/* printf and its kin with symbolic arguments do not fork where that makes no difference: see strata_hooks.h. musl's own vfprintf is compiled
 * under another name. */
#include <stdarg.h>
#include "print.h"

int __strata_real_vfprintf(FILE *restrict f, const char *restrict format, va_list ap);

int vfprintf(FILE *restrict f, const char *restrict format, va_list ap)
{
	va_list copy;
	int defer = 0;
	if (on_descriptor(f)) {
		va_copy(copy, ap);
		defer = __strata_may_defer(f->fd, format, copy);
		va_end(copy);
	}
	if (!defer) return __strata_real_vfprintf(f, format, ap);

	int r = -1;
	FLOCK(f);
	if (drained(f)) {
		va_copy(copy, ap);
		__strata_print(f->fd, format, copy);
		va_end(copy);
		r = 0;
	}
	FUNLOCK(f);
	return r;
}
