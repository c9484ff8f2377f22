/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a compilation, each a process of its own, one after the other; and the directory for what is between
 * them.
 *
 * Invariant: while a step runs this process only waits. SIGINT, SIGTERM and SIGHUP, where they are not ignored, end the
 * step and are kept for rcp_tool_interrupted(), so that the caller can remove the directory and then end by the same
 * signal.
 */
#ifndef RECIPE_INSTRUMENT_TOOL_H
#define RECIPE_INSTRUMENT_TOOL_H

#include "base/text.h"
#include "instrument/words.h"

/* How a step ended: its exit code, or minus the signal that ended it. */
typedef int rcp_tool_end;

/* From here on the signals are watched for. */
void rcp_tool_watch(void);
/* The signal that came, or 0. */
int rcp_tool_interrupted(void);

/* Runs words[0] (a path), with `name` as its argv[0] where that is not NULL. Lines too long for the system go through a
 * file in `scratch`, as @FILE. */
rcp_code rcp_tool_run(const rcp_words *words, const char *name, const char *scratch, rcp_tool_end *end) RCP_MUST_USE;
/* The same with standard error taken into `said`, standard input and output being nothing, and TMPDIR being `scratch`.
 */
rcp_code rcp_tool_ask(const rcp_words *words, const char *name, const char *scratch, rcp_text *said,
                      rcp_tool_end *end) RCP_MUST_USE;
/* Calls `what` in a child, which ends with the code that it returns: should it crash, we do not. */
rcp_code rcp_tool_call(int (*what)(void *), void *with, rcp_tool_end *end) RCP_MUST_USE;

/* A directory of our own below TMPDIR; `path` takes its name. */
rcp_code rcp_tool_make_scratch(rcp_text *path) RCP_MUST_USE;
void rcp_tool_remove_scratch(const char *path);

#endif
