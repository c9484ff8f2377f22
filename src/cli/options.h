/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines by table: one row per option gives its parsing, the check of its range, -h, --help and the manual page.
 *
 * Options are `--name`, `--name=V`, `--name V`, `-x`, `-xV`, `-x V`; `--` ends them; they may stand before and after
 * operands; `-` is an operand. Every command knows -h and --help without saying so. Where the operands are a program
 * and its arguments, the first one ends the options: what follows is the program's.
 *
 * Invariant: after a successful parse every required argument is there, every choice is one of those listed, every
 * number is in its range, and the number of operands is allowed. A default stands in its row and nowhere else: whoever
 * wants it takes `word` or `number`. Arguments borrow argv.
 */
#ifndef RECIPE_CLI_OPTIONS_H
#define RECIPE_CLI_OPTIONS_H

#include "base/limits.h"
#include "base/text.h"
#include "cli/exit_codes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rcp_option_type {
    RCP_OPTION_TEXT,    /* any word that is not empty */
    RCP_OPTION_CHOICE,  /* one of the words that `argument` lists: "text|json" */
    RCP_OPTION_FLAG,    /* takes no argument */
    RCP_OPTION_SWITCH,  /* a flag that may say more: --name, or --name=V with V one of the words of `argument` */
    RCP_OPTION_NUMBER,  /* from `least` to `most` */
    RCP_OPTION_SECONDS, /* the same: whole seconds */
    RCP_OPTION_PATH,    /* a file or a directory; whether it is there is for who opens it */
    RCP_OPTION_LIMIT,   /* a number that sets `limit`, whose range and default are its own */
    RCP_OPTION_LIST,    /* may be given several times: rcp_arguments_next(), and `take` */
} rcp_option_type;

typedef struct rcp_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* NULL: a FLAG; else what stands for it in the help, as "FILE" */
    rcp_option_type type;
    const char *help; /* one line, without the default and without a full stop */
    const char *more; /* further sentences, for --help; may be NULL */
    /* What holds where it is not given; without any of these, nothing. */
    const char *usual;     /* of texts, choices and paths: as if it had been given */
    uint64_t usual_number; /* of numbers and seconds; 0: none */
    const char *otherwise; /* where it is no value: "one per core", for the help alone */
    /* Of numbers and seconds. */
    uint64_t least, most; /* most 0: no end */
    const char *means;    /* for who gives something else; NULL: "a number" */
    rcp_limit_name limit; /* of LIMIT alone */
    /* Of lists: takes each value when it is read; false: `wrong` says what is wrong with it. May be NULL. */
    bool (*take)(const char *value, rcp_text *wrong);
    bool names_file;   /* of lists: values are paths */
    bool writes_there; /* or executes it: what a file in a directory says must not decide that (cli/defaults.h) */
} rcp_option;

/* A number as a word of a row. */
#define RCP_OPTION_WORD(number)  RCP_OPTION_WORD_(number)
#define RCP_OPTION_WORD_(number) #number

enum { RCP_OPTIONS_MAX = 32, RCP_REPEATED_MAX = 128 };

/* Who says an option; the later ones win, and lists are of all of them. */
typedef enum rcp_option_source { RCP_SOURCE_PROJECT, RCP_SOURCE_USER, RCP_SOURCE_LINE } rcp_option_source;

typedef struct rcp_arguments {
    /* By row of the table. */
    const char *option[RCP_OPTIONS_MAX]; /* as given: NULL where it is not, "" for a flag, a list's last */
    const char *word[RCP_OPTIONS_MAX];   /* as given, or the default; NULL: neither */
    uint64_t number[RCP_OPTIONS_MAX];    /* of numbers and seconds: as given, or the default; 0: neither */
    struct {
        int row;
        const char *word;
    } repeated[RCP_REPEATED_MAX]; /* what lists were given, in this order */
    size_t repetitions;
    rcp_option_source source[RCP_OPTIONS_MAX]; /* by row, of those that are given */
    char **operand;
    int operands;
} rcp_arguments;

/* What the command's first operand is to it (cli/entry.h). */
typedef enum rcp_entry {
    RCP_ENTRY_NONE, /* no directory of ours */
    RCP_ENTRY_READ,
    RCP_ENTRY_WORK, /* waits until nobody else works there, and keeps others waiting until this process ends */
} rcp_entry;

typedef struct rcp_command {
    const char *name;     /* "analyze", "trace import" */
    const char *operands; /* for the usage line: "DIR" */
    const char *summary;  /* one line */
    const char *about;    /* paragraphs for --help */
    const rcp_option *options;
    size_t n_options;
    int least, most;   /* operands; most < 0: every word is another program's, nothing is parsed */
    bool runs_program; /* the operands are a program and its arguments; what goes wrong here exits with 125 */
    rcp_entry entry;
    rcp_exit (*run)(const rcp_arguments *arguments);
} rcp_command;

typedef enum rcp_parsed { RCP_PARSED, RCP_PARSED_SHORT_HELP, RCP_PARSED_HELP, RCP_PARSED_WRONG } rcp_parsed;

/* Nothing is given yet. */
void rcp_options_begin(const rcp_command *command, rcp_arguments *arguments);
/* The row that a word means, "--name" or "--name=V", where it has a value exactly if the word has one; else NULL. */
const rcp_option *rcp_options_meant(const rcp_command *command, const char *word);
/* Such a word, from elsewhere than the command line and before it is parsed. False: `wrong` says why. */
bool rcp_options_preset(const rcp_command *command, const char *word, rcp_option_source source,
                        rcp_arguments *arguments, rcp_text *wrong);
/* Begun before, and perhaps preset; or at once.
 * argv: what follows the command's name; it is reordered. WRONG: `wrong` says what, for rcp_usage(). */
rcp_parsed rcp_options_parse_line(const rcp_command *command, int argc, char **argv, rcp_arguments *arguments,
                                  rcp_text *wrong);
rcp_parsed rcp_options_parse(const rcp_command *command, int argc, char **argv, rcp_arguments *arguments,
                             rcp_text *wrong);
/* What a list was given, one after the other, from *at on, which is 0 at first; NULL: there is no more. */
const char *rcp_arguments_next(const rcp_arguments *arguments, int option, size_t *at);

void rcp_options_help(rcp_text *to, const rcp_command *command, bool full);
/* The row's help with its default, as every form of it says it. */
void rcp_options_describe(rcp_text *to, const rcp_option *option);
/* Appends the further sentences; nothing where there are none. */
void rcp_options_explain(rcp_text *to, const rcp_option *option);
extern const rcp_option rcp_options_help_row; /* every command's own */

/* Is `word` among those that `words` lists, separated by '|'? */
bool rcp_options_lists(const char *words, const char *word, size_t len);
/* A number, decimal or with 0x: the whole word, or what stands at its beginning. */
bool rcp_options_number(const char *word, uint64_t *number);
bool rcp_options_leading_number(const char *word, const char **end, uint64_t *number);
/* How many letters must change to make one word of the other; for 'did you mean'. */
size_t rcp_options_distance(const char *a, const char *b);

#endif
