/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/staged.h"

#include "program/telling/recorded_events.h"
#include "record/inputs.h"

#include <stdio.h>
#include <string.h>

static rcp_code find_obstacle(const rcp_feeding *feeding, const char *directory, bool prints_to_nobody,
                              const char **why) {
    bool is_answered = false;
    if (!feeding->why_not && !feeding->was_kept && !prints_to_nobody)
        RCP_TRY(rcp_recorded_events_may_be_answered(directory, &is_answered));
    *why = feeding->why_not    ? feeding->why_not
           : feeding->was_kept ? "what it read from standard input is over: record it with the input in a file (< FILE)"
           : is_answered ? "what it printed may have been answered: record it where nobody sees that (> /dev/null 2>&1)"
                         : NULL;
    return RCP_OK;
}

/* A process that a command started has those that it talked to only where the whole command is run. */
rcp_code rcp_staged_init(rcp_staged *s, const char *directory, double limit, bool prints_to_nobody) {
    bool is_further;
    *s = (rcp_staged){.why_not = NULL};
    snprintf(s->top, sizeof s->top, "%s", directory);
    RCP_TRY(rcp_meant_read(&s->meant, directory, &is_further));
    if (is_further && strrchr(s->top, '/'))
        *strrchr(s->top, '/') = 0; /* DIR/process.N */
    RCP_TRY(rcp_command_read(&s->command, s->top));
    if (!is_further)
        RCP_TRY(rcp_command_check_program(&s->command));
    RCP_TRY(rcp_feeding_decide(&s->feeding, directory, &s->command));
    s->feeding.is_fed = false;
    RCP_TRY(find_obstacle(&s->feeding, directory, prints_to_nobody, &s->why_not));
    s->staging = (rcp_staging){.recorded = directory,
                               .command = &s->command,
                               .meant = is_further ? &s->meant : NULL,
                               .is_whole = is_further,
                               .feeding = &s->feeding,
                               .prints_to_nobody = prints_to_nobody,
                               .end_signal = rcp_inputs_end_signal(s->top),
                               .limit = rcp_stage_limit(limit, s->top)};
    return RCP_OK;
}

void rcp_staged_finish(rcp_staged *s) {
    rcp_command_finish(&s->command);
    rcp_meant_finish(&s->meant);
}
