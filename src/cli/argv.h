/* SPDX-License-Identifier: Apache-2.0 */
/* Another command's line, as this program would have been given it: for a command that does what several others do.
 *
 * The line owns the words that it was given with rcp_argv_add(); those that are pushed into argv are borrowed.
 */
#ifndef RECIPE_CLI_ARGV_H
#define RECIPE_CLI_ARGV_H

#include "base/text.h"
#include "base/vec.h"
#include "cli/options.h"

typedef struct rcp_argv {
    RCP_VEC(char *) argv;
    RCP_VEC(char *) made; /* of these, ours */
} rcp_argv;

/* `word` is empty then. */
void rcp_argv_add(rcp_argv *line, rcp_text *word);
/* Of the options in `rows`, as it was given, or by the default that they have. */
void rcp_argv_add_option(rcp_argv *line, const rcp_option *rows, const rcp_arguments *arguments, int option);
/* RCP_EXIT_CLEAN: parsed. `self`: who is asked for help. */
rcp_exit rcp_argv_parse(rcp_argv *line, const rcp_command *command, const rcp_command *self, rcp_arguments *parsed);
void rcp_argv_finish(rcp_argv *line);

#endif
