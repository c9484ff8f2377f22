/* SPDX-License-Identifier: Apache-2.0 */
/* recipe.opts: options that hold for a whole project, one a line, as on the command line; '#' begins a comment. The
 * file of the directory in hand counts, or of the nearest one above it that has one. After it RECIPE_OPTIONS, a
 * variable of the environment, in one line: the user's own.
 *
 * Each command takes the options that are its own: --exclude and --log-values=… are the compiler's, --opaque is of
 * those that analyze. What the command line says comes after them.
 */
#ifndef RECIPE_BASE_OPTS_H
#define RECIPE_BASE_OPTS_H

#include "base/text.h"

#include <stdbool.h>

/* The file's path and text; false: there is none. */
bool rcp_opts_find(rcp_text *path, rcp_text *text);
/* The next option in the text from *at on: [begin, *end). NULL: there is no more. */
const char *rcp_opts_next(const char **at, const char **end);
/* The next option of such a line of words from *at on, as "--name" or "--name=value": a word that does not begin with a
 * dash is the value of the one before it. Blanks in '…' or "…" do not end a word. False: there is no more. */
bool rcp_opts_next_word(const char **at, rcp_text *option);

#endif
