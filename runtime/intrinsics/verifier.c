/* Test-Comp's and SV-COMP's functions. An object is named after its type. All are weak: programs often define some of them. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <klee/klee.h>

#define WEAK __attribute__((weak))

#define NONDET(NAME, T)                                \
	WEAK T __VERIFIER_nondet_##NAME(void)          \
	{                                              \
		T x;                                   \
		klee_make_symbolic(&x, sizeof x, #NAME); \
		return x;                              \
	}

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(int8, int8_t)
NONDET(uint8, uint8_t)
NONDET(int16, int16_t)
NONDET(uint16, uint16_t)
NONDET(int32, int32_t)
NONDET(uint32, uint32_t)
NONDET(int64, int64_t)
NONDET(uint64, uint64_t)
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)
NONDET(size_t, size_t)
NONDET(loff_t, long long)
NONDET(sector_t, uint64_t)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(pchar, char *)
NONDET(charp, char *)

/* Any other value than 0 and 1 would be undefined behaviour. */
WEAK _Bool __VERIFIER_nondet_bool(void)
{
	unsigned char x;
	klee_make_symbolic(&x, sizeof x, "bool");
	klee_assume(x <= 1);
	return x;
}

WEAK _Bool __VERIFIER_nondet__Bool(void)
{
	return __VERIFIER_nondet_bool();
}

WEAK void __VERIFIER_nondet_memory(void *object, size_t size)
{
	klee_make_symbolic(object, size, "memory");
}

/* Unlike klee_assume, an assumption that cannot hold is no error: the path ends without a test. */
WEAK void __VERIFIER_assume(int condition)
{
	if (!condition) klee_silent_exit(0);
}

WEAK void __VERIFIER_assert(int condition)
{
	if (!condition) __assert_fail("__VERIFIER_assert", __FILE__, __LINE__, __func__);
}

WEAK void reach_error(void)
{
	__assert_fail("reach_error()", __FILE__, __LINE__, __func__);
}

WEAK void __VERIFIER_error(void)
{
	__assert_fail("__VERIFIER_error()", __FILE__, __LINE__, __func__);
}
