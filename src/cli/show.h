/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the report of a trace directory: what 'report' does, and 'analyze' at its end. Owns nothing. */
#ifndef RECIPE_CLI_SHOW_H
#define RECIPE_CLI_SHOW_H

#include "base/status.h"
#include "cli/exit_codes.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_show {
    const char *directory;
    const char *path; /* NULL: standard output */
    bool json;
    bool statistics;  /* the numbers that the analyses kept follow on standard error */
    bool strict;      /* it matters whether everything was looked at */
    uint64_t witness; /* 0: the report; else only the witness of this race, in its text form */
} rcp_show;

/* `*outcome`: RACES where there are any; LIMIT where it is strict and not everything was looked at; else CLEAN. */
rcp_code rcp_show_report(const rcp_show *what, rcp_exit *outcome) RCP_MUST_USE;

#endif
