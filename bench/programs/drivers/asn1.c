/* Parses ASN.1 definitions to a tree, which is printed, and to a table in C.
 *
 * Each argument is a text with holes, and the file A says which text it is (its first byte) and what is in the holes (the others):
 *
 *   ?  the next byte
 *   %  the word of ASN.1 that the next byte chooses, with blanks around it; some bytes choose none
 *
 * Bytes alone hardly ever make a sentence: DEFINITIONS has eleven letters. Words are taken from a table whose columns are equally wide, without a branch, so that
 * it is the lexer that tells one from another when it gets there, and the parser that refuses the wrong ones.
 *
 * With -d TYPE before the texts, what is left of A is decoded as DER of that type. */
#include <stdio.h>
#include <string.h>
#include <libtasn1.h>

#define WIDTH 17
#define NAME "definitions.asn"

static const char table[][WIDTH] = {
	" OPTIONAL       ", " INTEGER        ", " SIZE           ", " OCTET          ", " STRING         ", " SEQUENCE       ", " BIT            ", " UNIVERSAL      ",
	" PRIVATE        ", " DEFAULT        ", " CHOICE         ", " OF             ", " OBJECT         ", " IDENTIFIER     ", " BOOLEAN        ", " TRUE           ",
	" FALSE          ", " APPLICATION    ", " ANY            ", " DEFINED        ", " SET            ", " BY             ", " EXPLICIT       ", " IMPLICIT       ",
	" DEFINITIONS    ", " TAGS           ", " BEGIN          ", " END            ", " UTCTime        ", " GeneralizedTime", " GeneralString  ", " FROM           ",
	" IMPORTS        ", " NULL           ", " ENUMERATED     ", " NumericString  ", " IA5String      ", " TeletexString  ", " PrintableString", " UniversalString",
	" BMPString      ", " UTF8String     ", " VisibleString  ", " ::=            ", " {              ", " }              ", " (              ", " )              ",
	" [              ", " ]              ", " ,              ", " .              ", " |              ", " +              ", " -              ", " T              ",
	" a              ", " b              ", " 1              ", " 2              ", "                ", "                ", "                ", "                ",
};

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

/* Writes the text with its holes filled. */
static int compose(const char *text, FILE *choices)
{
	FILE *output = fopen(NAME, "w");
	if (!output) return 0;
	for (; *text; text++) {
		int choice = *text == '?' || *text == '%' ? fgetc(choices) : 0;
		if (choice == EOF) continue;
		if (*text == '%') fwrite(table[choice & 63], 1, WIDTH - 1, output);
		else fputc(*text == '?' ? choice : *text, output);
	}
	return fclose(output) == 0;
}

/* 0, or an error of the library's. */
static int decode(asn1_node definitions, const char *type, FILE *input)
{
	unsigned char der[256];
	char message[ASN1_MAX_ERROR_DESCRIPTION_SIZE] = "";
	int length = (int)fread(der, 1, sizeof der, input);
	asn1_node element = NULL;
	int result = asn1_create_element(definitions, type, &element);
	if (result == ASN1_SUCCESS) result = asn1_der_decoding(&element, der, length, message);
	if (result == ASN1_SUCCESS) asn1_print_structure(stdout, element, "", ASN1_PRINT_ALL);
	else puts(message);
	asn1_delete_structure(&element);
	return result;
}

int main(int count, char **words)
{
	char message[ASN1_MAX_ERROR_DESCRIPTION_SIZE] = "";
	asn1_node definitions = NULL;
	const char *type = NULL;
	if (count > 2 && !strcmp(words[1], "-d")) {
		type = words[2];
		count -= 2, words += 2;
	}
	FILE *file = fopen("A", "rb");
	if (count < 2 || !file || !compose(chosen(fgetc(file), words + 1, count - 1), file)) return 2;
	int result = asn1_parser2tree(NAME, &definitions, message);
	if (result == ASN1_SUCCESS && type) result = decode(definitions, type, file);
	else if (result == ASN1_SUCCESS) {
		asn1_print_structure(stdout, definitions, "", ASN1_PRINT_ALL);
		result = asn1_parser2array(NAME, "table.c", NULL, message);
	}
	if (result != ASN1_SUCCESS) printf("%s %s\n", asn1_strerror(result), message);
	fclose(file);
	asn1_delete_structure(&definitions);
	return result != ASN1_SUCCESS;
}
