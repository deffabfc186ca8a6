/* Parses JSON and writes it again.
 *
 * Each argument is a text with holes: a ? is a byte of standard input, and at a | the text is cut, as it may be that comes from a network: the tokener goes on where
 * it was. The first byte of standard input says which text it is, the second one the tokener's flags. Without arguments the text is all that follows.
 *
 * Keys are hashed as Perl does: json-c's own way begins with a random number, and reads words beyond the ends of keys. */
#include <stdio.h>
#include <string.h>
#include "json.h"

static int flags(int choice)
{
	return (choice & 1) * JSON_TOKENER_STRICT | (choice >> 1 & 1) * JSON_TOKENER_ALLOW_TRAILING_CHARS | (choice >> 2 & 1) * JSON_TOKENER_VALIDATE_UTF8;
}

/* One of the texts. Halves are halved, so that none is further away than the others. */
static const char *chosen(int choice, char **texts, int count)
{
	int low = 0;
	while (count > 1) {
		int half = count / 2;
		if (choice % 16 >= low + half) {
			low += half;
			count -= half;
		} else count = half;
	}
	return texts[low];
}

/* The text up to its end or its next cut, with the holes filled: where it goes on, and how many bytes it has. */
static const char *part(const char *text, char *bytes, int room, int *length)
{
	int byte;
	for (*length = 0; *text && *text != '|' && *length < room; text++) {
		byte = *text == '?' ? getchar() : *text;
		if (byte != EOF) bytes[(*length)++] = (char)byte;
	}
	return text;
}

/* Gives the tokener one part after the other until it has a value or an error, and at last the end of the text. */
static struct json_object *parse(struct json_tokener *tokener, const char *text)
{
	char bytes[256];
	int length;
	do {
		text = part(text, bytes, sizeof bytes, &length);
		struct json_object *value = json_tokener_parse_ex(tokener, bytes, length);
		if (json_tokener_get_error(tokener) != json_tokener_continue) return value;
	} while (*text++);
	return json_tokener_parse_ex(tokener, "", -1);
}

int main(int count, char **words)
{
	static char all[] = "????????????????????????????????????????????????????????????????";
	char *texts[] = { all };
	struct json_tokener *tokener = json_tokener_new_ex(4);
	if (!tokener || json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE)) return 2;
	const char *text = count > 1 ? chosen(getchar(), words + 1, count - 1) : chosen(getchar(), texts, 1);
	json_tokener_set_flags(tokener, flags(getchar()));
	struct json_object *value = parse(tokener, text);
	enum json_tokener_error error = json_tokener_get_error(tokener);
	json_tokener_free(tokener);
	if (error != json_tokener_success) {
		puts(json_tokener_error_desc(error));
		return 1;
	}
	puts(json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED));
	json_object_put(value);
	return 0;
}
