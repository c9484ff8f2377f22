/* SPDX-License-Identifier: Apache-2.0 */
/* What users set aside, by files: --suppressions, --baseline. The report is where it happens; engines know nothing of
 * it.
 *
 * Read before any work is done: a mistake in a file loses nothing. Owns what was read.
 */
#ifndef RECIPE_CLI_ASIDES_H
#define RECIPE_CLI_ASIDES_H

#include "cli/options.h"
#include "report/baseline.h"
#include "report/suppressions.h"

typedef struct rcp_asides {
    rcp_suppressions suppressions;
    rcp_baseline baseline;
    bool has_baseline;
    bool says_unmatched; /* lines that matched nothing are said */
} rcp_asides;

#define RCP_SUPPRESSIONS_OPTION                                                                                        \
    {"suppressions",                                                                                                   \
     0,                                                                                                                \
     "FILE",                                                                                                           \
     RCP_OPTION_LIST,                                                                                                  \
     "do not count what FILE names",                                                                                   \
     "In ThreadSanitizer's syntax, a line each: race:NAME, race_top:, called_from_lib:, thread:, mutex:, deadlock:; "  \
     "'#' begins a comment. NAME is part of the name of a function, a file or a program; * is any letters, ^ and $ "   \
     "are its ends; 'race:A <- B' is A called by B. What is suppressed is counted, and changes no exit code; "         \
     "--verbose says which lines matched nothing. See docs/report.md.",                                                \
     .names_file = true}

#define RCP_BASELINE_OPTION                                                                                            \
    {"baseline",                                                                                                       \
     0,                                                                                                                \
     "FILE",                                                                                                           \
     RCP_OPTION_LIST,                                                                                                  \
     "count only what FILE does not have",                                                                             \
     "FILE is an earlier report by --format json, or has a fingerprint a line. What it has is known: it is counted "   \
     "apart, and changes no exit code. What was unconfirmed there is new once the program has shown it.",              \
     .names_file = true}

/* The rows are those of the two options in the command's table. CLEAN: all was read. `asides` is the caller's to
 * finish, whatever comes of it. */
rcp_exit rcp_asides_read(rcp_asides *asides, const rcp_command *command, const rcp_arguments *arguments,
                         int suppressions, int baseline);
void rcp_asides_finish(rcp_asides *asides);

void rcp_asides_apply(rcp_asides *asides, rcp_findings *findings);

#endif
