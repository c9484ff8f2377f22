/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines by table: one row per option gives the parser, -h, --help and the manual page.
 *
 * Options are `--name`, `--name=V`, `--name V`, `-x`, `-xV`, `-x V`; `--` ends them; they may stand before and after
 * operands; `-` is an operand. Every command knows -h and --help without saying so. Where the operands are a program
 * and its arguments, the first one ends the options: what follows is the program's.
 *
 * Invariant: after a successful parse every required argument is there, every choice is one of those listed, and the
 * number of operands is allowed. Arguments borrow argv.
 */
#ifndef RECIPE_CLI_OPTIONS_H
#define RECIPE_CLI_OPTIONS_H

#include "base/text.h"
#include "cli/exit_codes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rcp_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* NULL: a switch; else what stands for it in the help, as "FILE" */
    bool choice;          /* the argument is one of the words in `argument`: "text|json" */
    const char *help;     /* one line */
    const char *more;     /* further sentences, for --help; may be NULL */
    /* NULL, or it may be given many times, and each value is taken by this; false: `wrong` says why not */
    bool (*take)(const char *value, rcp_text *wrong);
} rcp_option;

enum { RCP_OPTIONS_MAX = 24 };

typedef struct rcp_arguments {
    const char *option[RCP_OPTIONS_MAX]; /* by row of the table: NULL where not given, "" for a switch */
    char **operand;
    int operands;
} rcp_arguments;

typedef struct rcp_command {
    const char *name;     /* "analyze", "trace import" */
    const char *operands; /* for the usage line: "DIR" */
    const char *summary;  /* one line */
    const char *about;    /* paragraphs for --help */
    const rcp_option *options;
    size_t n_options;
    int least, most;   /* operands; most < 0: every word is another program's, nothing is parsed */
    bool runs_program; /* the operands are a program and its arguments; what goes wrong here exits with 125 */
    rcp_exit (*run)(const rcp_arguments *arguments);
} rcp_command;

typedef enum rcp_parsed { RCP_PARSED, RCP_PARSED_SHORT_HELP, RCP_PARSED_HELP, RCP_PARSED_WRONG } rcp_parsed;

/* argv: what follows the command's name; it is reordered. WRONG: `wrong` says what, for rcp_usage(). */
rcp_parsed rcp_options_parse(const rcp_command *command, int argc, char **argv, rcp_arguments *arguments,
                             rcp_text *wrong);
void rcp_options_help(rcp_text *to, const rcp_command *command, bool full);

/* Is `word` among those that `words` lists, separated by '|'? */
bool rcp_options_lists(const char *words, const char *word, size_t len);
/* A number, decimal or with 0x: the whole word, or what stands at its beginning. */
bool rcp_options_number(const char *word, uint64_t *number);
bool rcp_options_leading_number(const char *word, const char **end, uint64_t *number);
/* How many letters must change to make one word of the other; for 'did you mean'. */
size_t rcp_options_distance(const char *a, const char *b);

#endif
