/* Arithmetic on 128 bits, which the compiler calls by these names: usually from its own library, which is a package of its own. */
#include <stdint.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

/* By shift and subtract, since a division in here would call this very function. */
static u128 divide(u128 a, u128 b, u128 *rest)
{
	u128 quotient = 0, remainder = 0;
	if (!b) __builtin_trap();
	for (int i = 127; i >= 0; i--) {
		int carry = (int)(remainder >> 127);
		remainder = remainder << 1 | (a >> i & 1);
		if (carry || remainder >= b) {
			remainder -= b;
			quotient |= (u128)1 << i;
		}
	}
	*rest = remainder;
	return quotient;
}

static u128 size(i128 x)
{
	return x < 0 ? -(u128)x : (u128)x;
}

u128 __udivti3(u128 a, u128 b)
{
	u128 rest;
	return divide(a, b, &rest);
}

u128 __umodti3(u128 a, u128 b)
{
	u128 rest;
	divide(a, b, &rest);
	return rest;
}

i128 __divti3(i128 a, i128 b)
{
	u128 rest, q = divide(size(a), size(b), &rest);
	return (a < 0) != (b < 0) ? -q : q;
}

i128 __modti3(i128 a, i128 b)
{
	u128 rest;
	divide(size(a), size(b), &rest);
	return a < 0 ? -rest : rest;
}

u128 __udivmodti4(u128 a, u128 b, u128 *rest)
{
	u128 remainder, q = divide(a, b, &remainder);
	if (rest) *rest = remainder;
	return q;
}

i128 __multi3(i128 a, i128 b)
{
	uint64_t al = (uint64_t)a, bl = (uint64_t)b, ah = (uint64_t)((u128)a >> 64), bh = (uint64_t)((u128)b >> 64);
	return (i128)((u128)al * bl + ((u128)(al * bh + ah * bl) << 64));
}

i128 __muloti4(i128 a, i128 b, int *overflow)
{
	u128 rest, x = size(a), y = size(b), product = x * y;
	int negative = (a < 0) != (b < 0);
	u128 most = ((u128)1 << 127) - !negative;
	*overflow = x && (divide(product, x, &rest) != y || product > most);
	return negative ? -product : product;
}

/* The upper 64 bits that are not 0, with a last bit that stands for all below it: that rounds as the whole number would. */
static uint64_t top(u128 x, int *shift)
{
	uint64_t upper = (uint64_t)(x >> 64);
	*shift = upper ? 64 - __builtin_clzll(upper) : 0;
	uint64_t t = (uint64_t)(x >> *shift);
	return *shift && x & (((u128)1 << *shift) - 1) ? t | 1 : t;
}

static double power(int exponent)
{
	union { uint64_t bits; double value; } u = { (uint64_t)(1023 + exponent) << 52 };
	return u.value;
}

double __floatuntidf(u128 x)
{
	int shift;
	double d = (double)top(x, &shift);
	return d * power(shift);
}

double __floattidf(i128 x)
{
	return x < 0 ? -__floatuntidf(size(x)) : __floatuntidf((u128)x);
}

/* Not by way of double, which would round twice. */
float __floatuntisf(u128 x)
{
	int shift;
	float f = (float)top(x, &shift);
	return f * (float)power(shift);
}

float __floattisf(i128 x)
{
	return x < 0 ? -__floatuntisf(size(x)) : __floatuntisf((u128)x);
}

/* A number that does not fit has no defined result. */
u128 __fixunsdfti(double x)
{
	union { double value; uint64_t bits; } u = { x };
	int exponent = (int)(u.bits >> 52 & 2047) - 1023;
	u128 digits = (u.bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
	if (exponent < 0 || exponent > 127) return 0;
	return exponent < 52 ? digits >> (52 - exponent) : digits << (exponent - 52);
}

i128 __fixdfti(double x)
{
	return x < 0 ? -__fixunsdfti(-x) : __fixunsdfti(x);
}

u128 __fixunssfti(float x)
{
	return __fixunsdfti(x);
}

i128 __fixsfti(float x)
{
	return __fixdfti(x);
}
