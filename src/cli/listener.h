/* SPDX-License-Identifier: Apache-2.0 */
/* Where what an analysis says (analysis/notices.h) goes: sentences to standard error, progress to its last line. */
#ifndef RECIPE_CLI_LISTENER_H
#define RECIPE_CLI_LISTENER_H

#include "analysis/notices.h"

#define RCP_VERBOSE_OPTION {"verbose", 'v', NULL, false, "say on standard error what is done first", NULL}

rcp_notices rcp_listener(bool verbose);

/* Commands on traces take recorded runs, too: their events are made first (analysis/recorded.h). */
rcp_code rcp_listener_prepare(const char *directory, bool verbose) RCP_MUST_USE;

#endif
