/* Reads a text from standard input, parses it as JSON and writes it again.
 *
 * A first argument is the tokener's flags, as letters: s strict, t trailing characters are allowed, u UTF-8 is checked. A second one says after how many bytes
 * (a digit) the text is cut in two, as it may arrive from a network: the tokener goes on where it was. */
#include <stdio.h>
#include <string.h>
#include "json.h"

static int flags(const char *letters)
{
	int flags = 0;
	if (strchr(letters, 's')) flags |= JSON_TOKENER_STRICT;
	if (strchr(letters, 't')) flags |= JSON_TOKENER_ALLOW_TRAILING_CHARS;
	if (strchr(letters, 'u')) flags |= JSON_TOKENER_VALIDATE_UTF8;
	return flags;
}

/* The bytes of the text before the cut. */
static size_t cut(const char *digit, size_t length)
{
	size_t first = (size_t)(*digit - '0');
	return first < 10 && first < length ? first : length;
}

int main(int count, char **words)
{
	char text[256];
	size_t length = fread(text, 1, sizeof text, stdin);
	size_t first = count > 2 ? cut(words[2], length) : length;
	struct json_tokener *tokener = json_tokener_new_ex(4);
	if (!tokener) return 2;
	if (count > 1) json_tokener_set_flags(tokener, flags(words[1]));
	struct json_object *value = json_tokener_parse_ex(tokener, text, (int)first);
	enum json_tokener_error error = json_tokener_get_error(tokener);
	if (error == json_tokener_continue && first < length) {
		value = json_tokener_parse_ex(tokener, text + first, (int)(length - first));
		error = json_tokener_get_error(tokener);
	}
	if (error == json_tokener_continue) {
		value = json_tokener_parse_ex(tokener, "", -1);
		error = json_tokener_get_error(tokener);
	}
	json_tokener_free(tokener);
	if (error != json_tokener_success) {
		puts(json_tokener_error_desc(error));
		return 1;
	}
	puts(json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED));
	json_object_put(value);
	return 0;
}
