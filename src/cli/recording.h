/* SPDX-License-Identifier: Apache-2.0 */
/* What 'record' does, for 'run' too: options read, the program recorded, what there is to say said. */
#ifndef RECIPE_CLI_RECORDING_H
#define RECIPE_CLI_RECORDING_H

#include "cli/options.h"
#include "record/record.h"

/* Rows that both commands have. */
#define RCP_FOR_OPTION                                                                                                 \
    {"for",                                                                                                            \
     0,                                                                                                                \
     "SECONDS",                                                                                                        \
     RCP_OPTION_SECONDS,                                                                                               \
     "end the program after so long",                                                                                  \
     "What was recorded until then is analysed. By SIGTERM; where it goes on, by SIGKILL after the limit end-grace. "  \
     "One that our own signal ended has "                                                                              \
     "not failed. Replays end it in the same way once the race was shown.",                                            \
     .least = 1,                                                                                                       \
     .otherwise = "it ends by itself"}
#define RCP_CLIENT_OPTION                                                                                              \
    {"client",                                                                                                         \
     0,                                                                                                                \
     "CMD",                                                                                                            \
     RCP_OPTION_LIST,                                                                                                  \
     "run CMD (sh -c) beside the program",                                                                             \
     "For servers; in every replay that is real, too. It begins when the program listens on a socket, or after the "   \
     "limit client-delay; RECIPE_PID "                                                                                 \
     "is the program's id, as in 'curl …; kill $RECIPE_PID'. It is not recorded, its standard input is empty, "        \
     "and it is ended when the program has ended.",                                                                    \
     .writes_there = true}

typedef enum rcp_recording_what {
    RCP_RECORDING_PROGRAM, /* where the recording is, is said */
    RCP_RECORDING_COMMAND, /* it is not; and what was not built by recipe may start programs that were */
} rcp_recording_what;

/* Runs and records what the arguments of 'record' name. CLEAN unless recording failed, whatever the program's own end
 * was. `record` is the caller's to finish. */
rcp_exit rcp_recording_run(const rcp_arguments *arguments, rcp_recording_what what, rcp_record *record);

#endif
