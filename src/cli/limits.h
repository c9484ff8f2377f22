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

/* The limit descriptor-slots is 0 where the option is given. */
#define RCP_NO_FD_OPTION                                                                                               \
    {"no-fd",                                                                                                          \
     0,                                                                                                                \
     NULL,                                                                                                             \
     RCP_OPTION_FLAG,                                                                                                  \
     "no races on descriptors",                                                                                        \
     "A descriptor that is closed, or made to lead elsewhere, while another thread uses its number is a race on that " \
     "descriptor. With this option it is none."}
void rcp_limits_no_fd(const char *option);

/* All of them, by what they bound. */
void rcp_limits_list(rcp_text *to);

#endif
