/* SPDX-License-Identifier: Apache-2.0 */
/* Limits on the command line: --set NAME=N of commands that analyse, and 'recipe help limits'. Nothing is owned. */
#ifndef RECIPE_CLI_LIMITS_H
#define RECIPE_CLI_LIMITS_H

#include "base/limits.h"
#include "cli/options.h"

bool rcp_limits_take(const char *assignment, rcp_text *wrong);

#define RCP_SET_OPTION                                                                                                 \
    {"set",                                                                                                            \
     0,                                                                                                                \
     "NAME=N",                                                                                                         \
     RCP_OPTION_LIST,                                                                                                  \
     "set a limit",                                                                                                    \
     "'recipe help limits' lists them: what each bounds, its usual value and its range. Where one was reached "        \
     "the report says what was not looked at.",                                                                        \
     .take = rcp_limits_take}

/* All of them, by what they bound. */
void rcp_limits_list(rcp_text *to);

#endif
