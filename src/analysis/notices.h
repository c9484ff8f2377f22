/* SPDX-License-Identifier: Apache-2.0 */
/* What an analysis has to say while it works. Libraries don't print: whoever started the analysis hands in who listens,
 * and decides where it goes.
 *
 * Nothing is owned; a sentence, or a progress, is the listener's for the call alone.
 */
#ifndef RECIPE_ANALYSIS_NOTICES_H
#define RECIPE_ANALYSIS_NOTICES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum rcp_progress_stage {
    RCP_PROGRESS_PREDICTION, /* candidates, and races among them */
    RCP_PROGRESS_REPLAY,     /* races, and those that were confirmed */
    RCP_PROGRESS_HUNT,       /* sides of branches that depend on others, and races */
} rcp_progress_stage;

typedef struct rcp_progress {
    rcp_progress_stage stage;
    size_t done, all, found;
    size_t runs, classes, pairs; /* of a hunt; pairs of accesses that were looked at */
    double seconds;              /* that the first `done` took */
} rcp_progress;

typedef struct rcp_notices {
    /* A sentence, without an end of line. NULL: nobody listens. */
    void (*say)(void *context, const char *sentence);
    /* How far it is; NULL for `at`: the stage is over. */
    void (*progress)(void *context, const rcp_progress *at);
    void *context;
    bool verbose; /* what was done is said, too, not only what the user must know */
} rcp_notices;

void rcp_notices_say(const rcp_notices *notices, const char *format, ...) RCP_PRINTF(2, 3);
void rcp_notices_progress(const rcp_notices *notices, const rcp_progress *at);

#endif
