/* SPDX-License-Identifier: Apache-2.0 */
/* What recipe's exit codes mean: users' scripts rely on them. tests/cli/exit_codes.sh holds us to this list. */
#ifndef RECIPE_CLI_EXIT_CODES_H
#define RECIPE_CLI_EXIT_CODES_H

#include "base/status.h"

typedef enum rcp_exit {
    RCP_EXIT_CLEAN = 0,     /* done; no race; well-formed; witness accepted */
    RCP_EXIT_RACES = 1,     /* races were found; a witness was refused */
    RCP_EXIT_USAGE = 2,     /* the command line makes no sense */
    RCP_EXIT_BAD_INPUT = 3, /* a file that is missing, unreadable, damaged or ill-formed */
    RCP_EXIT_LIMIT = 4,     /* something was not looked at (a limit …) and --strict was given */
    RCP_EXIT_INTERNAL = 5,  /* the system refused (disk full …), or a mistake of ours */
    /* Of commands that run a program and otherwise exit as it does, as env(1) and timeout(1) have them: */
    RCP_EXIT_FAILED = 125,    /* whatever is 2 to 5 elsewhere */
    RCP_EXIT_CANT_RUN = 126,  /* the program is there and can't be executed */
    RCP_EXIT_NOT_FOUND = 127, /* it is not there */
} rcp_exit;

static inline rcp_exit rcp_exit_of(rcp_code code) {
    switch (code) {
    case RCP_OK: return RCP_EXIT_CLEAN;
    case RCP_BAD_INPUT: return RCP_EXIT_BAD_INPUT;
    case RCP_LIMIT: return RCP_EXIT_LIMIT;
    default: return RCP_EXIT_INTERNAL;
    }
}

#endif
