#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef SYMBOLIC
#include <klee/klee.h>
#define INPUT(x, value) (klee_make_symbolic(&x, sizeof x, #x), klee_assume(x == (value)))
#else
#define INPUT(x, value) (x = (value))
#endif
#define UNUSED __attribute__((unused))

static int fuel = 2000;
static uint64_t checksum = 0xcbf29ce484222325u;

/* No multiplication: solvers would spend their time on the check sum. */
static UNUSED void mix(uint64_t x) { checksum = (checksum << 7 | checksum >> 57) ^ x; }

#define OPERATIONS(T, N, BITS, LEAST)                                                                       \
  static UNUSED T add_##N(T a, T b) { return (T)((uint64_t)a + (uint64_t)b); }                              \
  static UNUSED T sub_##N(T a, T b) { return (T)((uint64_t)a - (uint64_t)b); }                              \
  static UNUSED T mul_##N(T a, T b) { return (T)((uint64_t)a * (uint64_t)b); }                              \
  static UNUSED T div_##N(T a, T b) { return b == 0 || (a == LEAST && b == (T)-1) ? a : (T)(a / b); }       \
  static UNUSED T rem_##N(T a, T b) { return b == 0 || (a == LEAST && b == (T)-1) ? b : (T)(a % b); }       \
  static UNUSED T shl_##N(T a, T b) { return (T)((uint64_t)a << (b & (BITS - 1))); }                        \
  static UNUSED T shr_##N(T a, T b) { return (T)(a >> (b & (BITS - 1))); }
OPERATIONS(int8_t, i8, 8, INT8_MIN)
OPERATIONS(uint8_t, u8, 8, 0)
OPERATIONS(int16_t, i16, 16, INT16_MIN)
OPERATIONS(uint16_t, u16, 16, 0)
OPERATIONS(int32_t, i32, 32, INT32_MIN)
OPERATIONS(uint32_t, u32, 32, 0)
OPERATIONS(int64_t, i64, 64, INT64_MIN)
OPERATIONS(uint64_t, u64, 64, 0)

static UNUSED uint64_t total(int count, ...) {
  va_list list;
  va_start(list, count);
  uint64_t sum = 0;
  for (int i = 0; i < count; i++)
    sum = sum * 3 + (i & 1 ? va_arg(list, uint64_t) : (uint64_t)va_arg(list, int));
  va_end(list);
  return sum;
}

static UNUSED void mix_real(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  mix(x != x ? 1 : bits);
}
