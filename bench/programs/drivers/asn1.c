/* Parses the ASN.1 definitions in the file that is named first; with a second file and the name of a type, decodes DER of that type. */
#include <stdio.h>
#include <libtasn1.h>

static int decode(asn1_node definitions, const char *type, const char *file)
{
	unsigned char der[256];
	char message[ASN1_MAX_ERROR_DESCRIPTION_SIZE] = "";
	FILE *input = fopen(file, "rb");
	if (!input) return 2;
	size_t length = fread(der, 1, sizeof der, input);
	fclose(input);
	asn1_node element = NULL;
	int result = asn1_create_element(definitions, type, &element);
	if (result == ASN1_SUCCESS) result = asn1_der_decoding(&element, der, (int)length, message);
	if (result == ASN1_SUCCESS) asn1_print_structure(stdout, element, "", ASN1_PRINT_ALL);
	else printf("%s %s\n", asn1_strerror(result), message);
	asn1_delete_structure(&element);
	return result != ASN1_SUCCESS;
}

int main(int count, char **words)
{
	char message[ASN1_MAX_ERROR_DESCRIPTION_SIZE] = "";
	asn1_node definitions = NULL;
	if (count < 2) return 2;
	int result = asn1_parser2tree(words[1], &definitions, message);
	if (result != ASN1_SUCCESS) {
		printf("%s %s\n", asn1_strerror(result), message);
		return 1;
	}
	int status = count > 3 ? decode(definitions, words[3], words[2]) : 0;
	asn1_delete_structure(&definitions);
	return status;
}
