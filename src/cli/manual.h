/* SPDX-License-Identifier: Apache-2.0 */
/* The manual pages, in man(7) roff, from the same rows as --help: recipe.1 and a page per command, as recipe-run.1 and
 * recipe-trace-dump.1. The build calls it (`recipe help --man DIR`) and installs them. Nothing is owned.
 */
#ifndef RECIPE_CLI_MANUAL_H
#define RECIPE_CLI_MANUAL_H

#include "cli/options.h"

/* recipe(1): `about` are its paragraphs. */
void rcp_manual_overview(rcp_text *to, const rcp_command *const *commands, size_t n, const char *about);
void rcp_manual_command(rcp_text *to, const rcp_command *command);

/* All of them, in a directory that is made where it is not there. */
rcp_code rcp_manual_write(const char *directory, const rcp_command *const *commands, size_t n,
                          const char *about) RCP_MUST_USE;

#endif
