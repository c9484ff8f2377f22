/* SPDX-License-Identifier: Apache-2.0 */
/* Completion for bash, from the same rows as --help: `recipe help --completion` prints it, and the build installs it.
 * Nothing is owned. */
#ifndef RECIPE_CLI_COMPLETION_H
#define RECIPE_CLI_COMPLETION_H

#include "cli/options.h"

void rcp_completion(rcp_text *to, const rcp_command *const *commands, size_t n);

#endif
