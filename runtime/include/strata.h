/* What a program under Strata may say: which data is symbolic, what may be assumed of it, and questions about it.
 *
 * The names with klee_ in <klee/klee.h> are the same functions, so that programs written for KLEE run as they are; a program may use both.
 * In a native replay make_symbolic reads the test, and the rest does what a plain program would.
 */
#ifndef STRATA_H
#define STRATA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define STRATA_NORETURN [[noreturn]]
#else
#define STRATA_NORETURN _Noreturn
#endif

#define STRATA_NAME(name) __asm__("klee_" #name)

/* Makes the object that begins at `object` and is `size` bytes long symbolic: its bytes can have any value from here on. `name` is
 * what the test calls it. */
void strata_make_symbolic(void *object, size_t size, const char *name) STRATA_NAME(make_symbolic);

/* A symbolic int with begin <= value < end; an empty range is an error of kind user. A range of one value is just that value. */
int strata_range(int begin, int end, const char *name) STRATA_NAME(range);

/* A symbolic int. */
int strata_int(const char *name) STRATA_NAME(int);

/* A symbolic number below n. */
uintptr_t strata_choose(uintptr_t n) STRATA_NAME(choose);

/* From here on only inputs with a condition that is not 0. If there is none, that is an error of kind user. */
void strata_assume(uintptr_t condition) STRATA_NAME(assume);

/* Where a test has a choice, it takes an input that fulfils the condition. */
void strata_prefer_cex(void *object, uintptr_t condition) STRATA_NAME(prefer_cex);
void strata_posix_prefer_cex(void *object, uintptr_t condition) STRATA_NAME(posix_prefer_cex);

/* 1 if the value depends on the input (always 0 in a native replay). */
unsigned strata_is_symbolic(uintptr_t value) STRATA_NAME(is_symbolic);

/* 1 in a native replay, 0 in the engine. */
unsigned strata_is_replay(void) STRATA_NAME(is_replay);

/* A value that the argument can have; nothing is assumed. */
float strata_get_valuef(float value) STRATA_NAME(get_valuef);
double strata_get_valued(double value) STRATA_NAME(get_valued);
long strata_get_valuel(long value) STRATA_NAME(get_valuel);
long long strata_get_valuell(long long value) STRATA_NAME(get_valuell);
int32_t strata_get_value_i32(int32_t value) STRATA_NAME(get_value_i32);
int64_t strata_get_value_i64(int64_t value) STRATA_NAME(get_value_i64);

/* The size of the object that the pointer points into the beginning of. */
size_t strata_get_obj_size(void *object) STRATA_NAME(get_obj_size);

/* An error, as an access would be, unless all bytes can be accessed. */
void strata_check_memory_access(const void *address, size_t size) STRATA_NAME(check_memory_access);

/* Makes memory at an address of one's choice. */
void strata_define_fixed_object(void *address, size_t size) STRATA_NAME(define_fixed_object);

/* The object lives as long as the program: no leak, even if it is on the stack. */
void strata_mark_global(void *object) STRATA_NAME(mark_global);

/* With 0 a branch that could go both ways takes one of them, until it is called with 1. */
void strata_set_forking(unsigned enable) STRATA_NAME(set_forking);

/* Calls of function `from` call `to` instead. */
void strata_alias_function(const char *from, const char *to) STRATA_NAME(alias_function);

/* Paths between the two become one, where merging is on. */
void strata_open_merge(void) STRATA_NAME(open_merge);
void strata_close_merge(void) STRATA_NAME(close_merge);

/* Into the run's log: the value as a term, its least and largest value, the stack, a message. */
void strata_print_expr(const char *message, ...) STRATA_NAME(print_expr);
void strata_print_range(const char *name, int value) STRATA_NAME(print_range);
void strata_stack_trace(void) STRATA_NAME(stack_trace);
void strata_warning(const char *message) STRATA_NAME(warning);
void strata_warning_once(const char *message) STRATA_NAME(warning_once);

/* The value of errno. */
int strata_get_errno(void) STRATA_NAME(get_errno);

/* Ends the path with an error of the given kind. */
STRATA_NORETURN void strata_report_error(const char *file, int line, const char *message, const char *kind) STRATA_NAME(report_error);

/* Ends the path: without a test, and as an error of kind abort. */
STRATA_NORETURN void strata_silent_exit(int status) STRATA_NAME(silent_exit);
STRATA_NORETURN void strata_abort(void) STRATA_NAME(abort);

/* Not by __assert_fail, which every C library declares in its own way. */
STRATA_NORETURN void strata_assert_fail(const char *condition, const char *file, unsigned line, const char *function) STRATA_NAME(assert_fail);
#define strata_assert(condition) \
	((condition) ? (void)0 : strata_assert_fail(#condition, __FILE__, __LINE__, __func__))

#undef STRATA_NAME

#ifdef __cplusplus
}
#endif

#endif
