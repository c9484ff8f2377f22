/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/listener.h"

#include "analysis/recorded.h"
#include "cli/command.h"
#include "cli/progress.h"

static void say(void *context, const char *sentence) {
    (void)context;
    rcp_say("%s", sentence);
}

static void progress(void *context, const rcp_progress *at) {
    (void)context;
    if (!at) {
        rcp_progress_clear();
        return;
    }
    char left[32];
    rcp_progress_left(left, at->seconds, at->done, at->all);
    if (at->stage == RCP_PROGRESS_PREDICTION)
        rcp_progress_say("analysing: %zu of %zu candidates, %zu races%s", at->done, at->all, at->found, left);
    else
        rcp_progress_say("replaying: race %zu of %zu, %zu confirmed%s", at->done + 1, at->all, at->found, left);
}

rcp_notices rcp_listener(bool verbose) { return (rcp_notices){.say = say, .progress = progress, .verbose = verbose}; }

rcp_code rcp_listener_prepare(const char *directory, bool verbose) {
    const rcp_notices notices = rcp_listener(verbose);
    return rcp_recorded_prepare(directory, &notices);
}
