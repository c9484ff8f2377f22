/* SPDX-License-Identifier: Apache-2.0 */
/* recipe as a compiler: `recipe cc`, `recipe c++`, or called by the name recipe-cc or recipe-c++. */
#ifndef RECIPE_CLI_COMPILER_H
#define RECIPE_CLI_COMPILER_H

#include "cli/command.h"

extern const rcp_command rcp_cmd_cc, rcp_cmd_cxx;

/* Does main's command line call for a compiler? Then it was one, and `end` is its exit code. */
bool rcp_compiler_is_meant(int argc, char **argv, int *end);

#endif
