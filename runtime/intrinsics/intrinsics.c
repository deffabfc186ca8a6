/* The intrinsics that are plain C over the few that the engine provides:
 *
 *   klee_make_symbolic klee_assume klee_prefer_cex klee_posix_prefer_cex klee_is_symbolic klee_is_replay klee_get_value_i64
 *   klee_get_obj_size klee_check_memory_access klee_define_fixed_object klee_mark_global klee_set_forking klee_alias_function
 *   klee_open_merge klee_close_merge klee_print_expr klee_print_range klee_stack_trace klee_warning klee_warning_once
 *   klee_report_error klee_silent_exit klee_abort __assert_fail
 *
 * An error in one of the functions below belongs to the line that called it.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <klee/klee.h>

int klee_int(const char *name)
{
	int x;
	klee_make_symbolic(&x, sizeof x, name);
	return x;
}

int klee_range(int begin, int end, const char *name)
{
	if (begin >= end) klee_report_error(__FILE__, __LINE__, "invalid range", "user");
	if (end - 1 == begin) return begin;
	int x;
	klee_make_symbolic(&x, sizeof x, name);
	/* One comparison where it says the same: 0 <= x < end. */
	if (begin == 0) {
		klee_assume((unsigned)x < (unsigned)end);
	} else {
		klee_assume(begin <= x);
		klee_assume(x < end);
	}
	return x;
}

uintptr_t klee_choose(uintptr_t n)
{
	uintptr_t x;
	klee_make_symbolic(&x, sizeof x, "klee_choose");
	if (n == 0) klee_silent_exit(0);
	klee_assume(x < n);
	return x;
}

int32_t klee_get_value_i32(int32_t x)
{
	return (int32_t)klee_get_value_i64((uint32_t)x);
}

long klee_get_valuel(long x)
{
	return klee_get_value_i64(x);
}

long long klee_get_valuell(long long x)
{
	return klee_get_value_i64(x);
}

float klee_get_valuef(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits = (uint32_t)klee_get_value_i64(bits);
	memcpy(&x, &bits, sizeof bits);
	return x;
}

double klee_get_valued(double x)
{
	int64_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits = klee_get_value_i64(bits);
	memcpy(&x, &bits, sizeof bits);
	return x;
}

/* klee_assert is this; the engine has its own. */
_Noreturn void klee_assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
	__assert_fail(condition, file, (int)line, function);
}

int klee_get_errno(void)
{
	return errno;
}
