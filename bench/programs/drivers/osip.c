/* Parses standard input as a SIP message and writes it again. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <osipparser2/osip_parser.h>

int main(void)
{
	char text[512], *again = NULL;
	size_t length = fread(text, 1, sizeof text - 1, stdin), size;
	text[length] = 0;
	osip_message_t *message;
	parser_init();
	if (osip_message_init(&message)) return 2;
	int result = osip_message_parse(message, text, length);
	if (result == 0 && osip_message_to_str(message, &again, &size) == 0) fwrite(again, 1, size, stdout);
	osip_message_free(message);
	return result != 0;
}
