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
    RCP_EXIT_LIMIT = 4,     /* a limit was reached and --strict was given */
    RCP_EXIT_INTERNAL = 5,  /* the system refused (disk full …), or a mistake of ours */
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
