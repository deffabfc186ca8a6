/* Reads a text from standard input, parses it as JSON and writes it again. */
#include <stdio.h>
#include <string.h>
#include "json.h"

int main(void)
{
	char text[256];
	size_t length = fread(text, 1, sizeof text, stdin);
	struct json_tokener *tokener = json_tokener_new_ex(8);
	if (!tokener) return 2;
	struct json_object *value = json_tokener_parse_ex(tokener, text, (int)length);
	enum json_tokener_error error = json_tokener_get_error(tokener);
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
