/* SPDX-License-Identifier: Apache-2.0 */
/* Options that stand elsewhere than on the command line: in the project's recipe.opts, in the user's RECIPE_OPTIONS
 * (base/opts.h). They come in this order, and the command line last: the later one wins, lists are of all of them.
 *
 * A command takes those that are its own, by their long names, and with a value only where it wants one; what another
 * command knows is that one's. What no command knows is a mistake, and said with its place. Paths in recipe.opts are
 * from its directory on. A file that lies in a directory does not say what is written or executed elsewhere: such
 * options are for the user alone.
 *
 * Owns the words that arguments borrow from here.
 */
#ifndef RECIPE_CLI_DEFAULTS_H
#define RECIPE_CLI_DEFAULTS_H

#include "base/vec.h"
#include "cli/options.h"

typedef struct rcp_defaults {
    RCP_VEC(char *) words;
    rcp_text taken; /* which, and from where: a line each */
} rcp_defaults;

/* As rcp_options_parse(), with these before the command line. `all`: every command, by which words are known.
 * `defaults` is the caller's to finish when the arguments are no longer used. */
rcp_parsed rcp_defaults_parse(rcp_defaults *defaults, const rcp_command *command, const rcp_command *const *all,
                              size_t n, int argc, char **argv, rcp_arguments *arguments, rcp_text *wrong);
void rcp_defaults_finish(rcp_defaults *defaults);

#endif
