/* How an allocation fails: the engine's malloc and its kin call this where there is no more memory, or an alignment is wrong. */
#include <errno.h>

void *__strata_fail_allocation(int error)
{
	errno = error;
	return 0;
}
