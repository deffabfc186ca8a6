%{
// A parser of expressions that bison makes: SIZE symbolic bytes, each a token, through bison's own yyparse and its tables (yytranslate, yypact, yydefact,
// yytable, yycheck, yypgoto, yydefgoto, yyr1, yyr2). A sentence must have one operand more than it has operators with two. -D SIZE=n
#include "subject.h"

static unsigned char text[SIZE];
static int at, operands, operators;

static int yylex(void);
static void yyerror(const char *message) { (void)message; }
%}
%define api.value.type {int}
%right '='
%right '?' ':'
%left '|'
%left '&'
%nonassoc '<' '>'
%left '+' '-'
%left '*' '/' '%'
%right '^'
%precedence SIGN
%%
program:    statement                       { $$ = $1; }
    |       program ';' statement           { $$ = $3; operators++; }
    ;
statement:  expression
    |       'l' '=' expression              { $$ = $3; }
    ;
expression: 'n'                             { $$ = 1; operands++; }
    |       '(' expression ')'              { $$ = $2; }
    |       '-' expression %prec SIGN       { $$ = -$2; }
    |       '!' expression %prec SIGN       { $$ = !$2; }
    |       expression '+' expression       { $$ = $1 + $3; operators++; }
    |       expression '-' expression       { $$ = $1 - $3; operators++; }
    |       expression '*' expression       { $$ = $1 * $3; operators++; }
    |       expression '/' expression       { $$ = $1; operators++; }
    |       expression '%' expression       { $$ = 0; operators++; }
    |       expression '^' expression       { $$ = $1 ^ $3; operators++; }
    |       expression '&' expression       { $$ = $1 & $3; operators++; }
    |       expression '|' expression       { $$ = $1 | $3; operators++; }
    |       expression '<' expression       { $$ = $1 < $3; operators++; }
    |       expression '>' expression       { $$ = $1 > $3; operators++; }
    |       expression '?' expression ':' expression    { $$ = $1 ? $3 : $5; operators += 2; }
    |       'f' '(' arguments ')'           { $$ = $3; }
    ;
arguments:  expression
    |       arguments ',' expression        { $$ = $1 + $3; operators++; }
    ;
%%
static int yylex(void) { return at < SIZE ? text[at++] : 0; }

int main(void) {
    klee_make_symbolic(text, SIZE, "text");
    if (yyparse() == 0)
        klee_assert(operands == operators + 1);
    return 0;
}
