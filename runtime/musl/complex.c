/* Complex products and quotients, which clang calls by these names: the rules of C99's Annex G for infinities and NaNs. */
#include <math.h>

#define COMPLEX(NAME, T, COPYSIGN, FABS, SCALB, LOGB, FMAX)                                  \
	static T sign_of_##NAME(T x) { return COPYSIGN(isinf(x) ? (T)1 : (T)0, x); }         \
	static T no_nan_##NAME(T x) { return isnan(x) ? COPYSIGN((T)0, x) : x; }             \
	T _Complex __mul##NAME(T a, T b, T c, T d)                                           \
	{                                                                                    \
		T ac = a * c, bd = b * d, ad = a * d, bc = b * c;                            \
		union { T part[2]; T _Complex z; } r = { { ac - bd, ad + bc } };             \
		if (!isnan(r.part[0]) || !isnan(r.part[1])) return r.z;                      \
		int again = 0;                                                               \
		if (isinf(a) || isinf(b)) {                                                  \
			a = sign_of_##NAME(a), b = sign_of_##NAME(b);                        \
			c = no_nan_##NAME(c), d = no_nan_##NAME(d);                          \
			again = 1;                                                           \
		}                                                                            \
		if (isinf(c) || isinf(d)) {                                                  \
			c = sign_of_##NAME(c), d = sign_of_##NAME(d);                        \
			a = no_nan_##NAME(a), b = no_nan_##NAME(b);                          \
			again = 1;                                                           \
		}                                                                            \
		if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {          \
			a = no_nan_##NAME(a), b = no_nan_##NAME(b);                          \
			c = no_nan_##NAME(c), d = no_nan_##NAME(d);                          \
			again = 1;                                                           \
		}                                                                            \
		if (again) {                                                                 \
			r.part[0] = (T)INFINITY * (a * c - b * d);                           \
			r.part[1] = (T)INFINITY * (a * d + b * c);                           \
		}                                                                            \
		return r.z;                                                                  \
	}                                                                                    \
	T _Complex __div##NAME(T a, T b, T c, T d)                                           \
	{                                                                                    \
		int scale = 0;                                                               \
		T size = LOGB(FMAX(FABS(c), FABS(d)));                                       \
		if (isfinite(size)) {                                                        \
			scale = (int)size;                                                   \
			c = SCALB(c, -scale), d = SCALB(d, -scale);                          \
		}                                                                            \
		T bottom = c * c + d * d;                                                    \
		union { T part[2]; T _Complex z; } r = {                                     \
			{ SCALB((a * c + b * d) / bottom, -scale), SCALB((b * c - a * d) / bottom, -scale) } \
		};                                                                           \
		if (!isnan(r.part[0]) || !isnan(r.part[1])) return r.z;                      \
		if (bottom == 0 && (!isnan(a) || !isnan(b))) {                               \
			r.part[0] = COPYSIGN((T)INFINITY, c) * a;                            \
			r.part[1] = COPYSIGN((T)INFINITY, c) * b;                            \
		} else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {           \
			a = sign_of_##NAME(a), b = sign_of_##NAME(b);                        \
			r.part[0] = (T)INFINITY * (a * c + b * d);                           \
			r.part[1] = (T)INFINITY * (b * c - a * d);                           \
		} else if (isinf(size) && size > 0 && isfinite(a) && isfinite(b)) {          \
			c = sign_of_##NAME(c), d = sign_of_##NAME(d);                        \
			r.part[0] = 0 * (a * c + b * d);                                     \
			r.part[1] = 0 * (b * c - a * d);                                     \
		}                                                                            \
		return r.z;                                                                  \
	}

COMPLEX(dc3, double, copysign, fabs, scalbn, logb, fmax)
COMPLEX(sc3, float, copysignf, fabsf, scalbnf, logbf, fmaxf)
