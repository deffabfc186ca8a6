/* Words of standard input by APR's rules: split as a shell does, matched against a pattern, compared in natural order, as sizes. */
#include <stdio.h>
#include <apr_fnmatch.h>
#include <apr_general.h>
#include <apr_strings.h>

int main(int count, char **words)
{
	char text[128];
	size_t length = fread(text, 1, sizeof text - 1, stdin);
	text[length] = 0;
	apr_pool_t *pool;
	if (apr_initialize() != APR_SUCCESS || apr_pool_create(&pool, NULL) != APR_SUCCESS) return 2;
	const char *pattern = count > 1 ? words[1] : "*";
	char **tokens;
	if (apr_tokenize_to_argv(text, &tokens, pool) != APR_SUCCESS) return 1;
	for (int i = 0; tokens[i]; i++) {
		int matches = apr_fnmatch(pattern, tokens[i], APR_FNM_CASE_BLIND) == APR_SUCCESS;
		int order = i ? apr_strnatcmp(tokens[i - 1], tokens[i]) : 0;
		printf("%s %d %d %s\n", apr_pstrdup(pool, tokens[i]), matches, order, apr_strfsize(apr_strtoi64(tokens[i], NULL, 0), (char[5]){ 0 }));
	}
	apr_terminate();
	return 0;
}
