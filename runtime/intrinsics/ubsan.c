/* What -fsanitize=undefined calls. The first violation ends the path, with the sanitizer's place in the source; the kinds are KLEE's.
 * A row for each handler: its name, its further arguments beside its data, the message and the kind. Those of which clang has a form that
 * must not return get it, too; here neither returns. */
#include <stdint.h>
#include <klee/klee.h>

typedef uintptr_t value;

/* Every handler's data begins with the place, except where the row below says otherwise. */
struct place {
	const char *file;
	uint32_t line, column;
};

static _Noreturn void violation(const struct place *place, const char *message, const char *kind)
{
	klee_report_error(place->file, (int)place->line, message, kind);
}

#define ROW(NAME, ARGUMENTS, MESSAGE, KIND)                               \
	void __ubsan_handle_##NAME ARGUMENTS { violation(data, MESSAGE, KIND); } \
	void __ubsan_handle_##NAME##_abort ARGUMENTS { violation(data, MESSAGE, KIND); }

#define WITH0 (const struct place *data)
#define WITH1 (const struct place *data, value a)
#define WITH2 (const struct place *data, value a, value b)
#define WITH3 (const struct place *data, value a, value b, value c)

ROW(add_overflow, WITH2, "integer overflow in an addition", "overflow.err")
ROW(sub_overflow, WITH2, "integer overflow in a subtraction", "overflow.err")
ROW(mul_overflow, WITH2, "integer overflow in a multiplication", "overflow.err")
ROW(negate_overflow, WITH1, "integer overflow in a negation", "overflow.err")
ROW(shift_out_of_bounds, WITH2, "shift out of bounds", "overflow.err")
ROW(float_cast_overflow, WITH1, "floating-point number does not fit the integer", "overflow.err")
ROW(out_of_bounds, WITH1, "index out of bounds", "ptr.err")
ROW(vla_bound_not_positive, WITH1, "length of an array is not positive", "ptr.err")
ROW(alignment_assumption, WITH3, "assumption about alignment does not hold", "ptr.err")
ROW(load_invalid_value, WITH1, "load of a value that the type does not have", "invalid_load.err")
ROW(invalid_builtin, WITH0, "zero passed to a builtin that forbids it", "invalid_builtin_use.err")
ROW(builtin_unreachable, WITH0, "unreachable code reached", "unreachable_call.err")
ROW(missing_return, WITH0, "function ends without a return value", "missing_return.err")
ROW(function_type_mismatch, WITH1, "call through a pointer of another function type", "function_type_mismatch.err")
ROW(nonnull_arg, WITH0, "null passed as an argument that must not be null", "nullable_attribute.err")
ROW(nullability_arg, WITH0, "null passed as an argument that must not be null", "nullable_attribute.err")

/* Here the place is an argument of its own: a function may return in several. */
#define RETURN_ROW(NAME)                                                                                    \
	void __ubsan_handle_##NAME(const void *data, const struct place *place)                             \
	{                                                                                                   \
		violation(place, "null returned where it must not be", "nullable_attribute.err");           \
	}                                                                                                   \
	void __ubsan_handle_##NAME##_abort(const void *data, const struct place *place)                     \
	{                                                                                                   \
		violation(place, "null returned where it must not be", "nullable_attribute.err");           \
	}

RETURN_ROW(nonnull_return_v1)
RETURN_ROW(nullability_return_v1)

/* Integer or floating point is said by the type: kind 0 is an integer. */
struct type {
	uint16_t kind, info;
};

struct division {
	struct place place;
	const struct type *type;
};

static _Noreturn void division(const struct division *data)
{
	if (data->type->kind == 0) violation(&data->place, "integer division overflow", "overflow.err");
	violation(&data->place, "floating-point division by zero", "div.err");
}

void __ubsan_handle_divrem_overflow(const struct division *data, value a, value b)
{
	division(data);
}

void __ubsan_handle_divrem_overflow_abort(const struct division *data, value a, value b)
{
	division(data);
}

/* Kinds 3 and 4 change the sign, or perhaps the sign; the others cut bits off. */
struct conversion {
	struct place place;
	const struct type *from, *to;
	unsigned char kind;
};

static _Noreturn void conversion(const struct conversion *data)
{
	const char *kind = data->kind >= 3 ? "implicit_conversion.err" : "implicit_truncation.err";
	violation(&data->place, "implicit conversion changes the value", kind);
}

void __ubsan_handle_implicit_conversion(const struct conversion *data, value a, value b)
{
	conversion(data);
}

void __ubsan_handle_implicit_conversion_abort(const struct conversion *data, value a, value b)
{
	conversion(data);
}

struct access {
	struct place place;
	const struct type *type;
	unsigned char alignment, check;
};

static _Noreturn void mismatch(const struct access *data, value pointer)
{
	if (!pointer) violation(&data->place, "use of a null pointer", "ptr.err");
	if (pointer & (((value)1 << data->alignment) - 1)) violation(&data->place, "use of a misaligned pointer", "ptr.err");
	violation(&data->place, "object too small for its type", "ptr.err");
}

void __ubsan_handle_type_mismatch_v1(const struct access *data, value pointer)
{
	mismatch(data, pointer);
}

void __ubsan_handle_type_mismatch_v1_abort(const struct access *data, value pointer)
{
	mismatch(data, pointer);
}

static _Noreturn void pointer_overflow(const struct place *place, value base, value result)
{
	violation(place, base && result ? "pointer arithmetic overflows" : "arithmetic on a null pointer", "ptr.err");
}

void __ubsan_handle_pointer_overflow(const struct place *place, value base, value result)
{
	pointer_overflow(place, base, result);
}

void __ubsan_handle_pointer_overflow_abort(const struct place *place, value base, value result)
{
	pointer_overflow(place, base, result);
}

/* The one handler that is told nothing. */
void __ubsan_handle_local_out_of_bounds(void)
{
	klee_report_error("", 0, "index out of bounds", "ptr.err");
}

void __ubsan_handle_local_out_of_bounds_abort(void)
{
	klee_report_error("", 0, "index out of bounds", "ptr.err");
}
