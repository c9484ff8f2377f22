/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/listener.h"

#include "analysis/recorded.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "base/clock.h"
#include "base/stage.h"

static void say(void *context, const char *sentence) {
    (void)context;
    rcp_progress_clear();
    rcp_say("%s", sentence);
}

static void progress(void *context, const rcp_progress *at) {
    (void)context;
    if (!at) {
        rcp_progress_clear();
        return;
    }
    char left[32];
    if (at->seconds < RCP_PROGRESS_AFTER)
        return;
    rcp_progress_left(left, at->seconds, at->done, at->all);
    if (at->stage == RCP_PROGRESS_HUNT)
        rcp_progress_say("hunting: %zu runs, %zu classes, %zu of %zu sides of branches, %zu pairs looked at, %zu races",
                         at->runs, at->classes, at->done, at->all, at->pairs, at->found);
    else if (at->stage == RCP_PROGRESS_PREDICTION)
        rcp_progress_say("analysing: %zu of %zu candidates, %zu races%s", at->done, at->all, at->found, left);
    else
        rcp_progress_say("replaying: race %zu of %zu, %zu confirmed%s", at->done + 1, at->all, at->found, left);
}

/* A stage that takes long: a few times a second. */
static void watch(const char *what, double share, double seconds) {
    static double last;
    char left[32] = "";
    if (!what) {
        rcp_progress_clear();
        return;
    }
    if (seconds < RCP_PROGRESS_AFTER || rcp_seconds_now() - last < 0.2)
        return;
    last = rcp_seconds_now();
    if (share > 0)
        rcp_progress_left(left, seconds, (size_t)(share * 1e6) + 1, 1000000);
    if (share < 0)
        rcp_progress_say("%s: %.0f s", what, seconds);
    else
        rcp_progress_say("%s: %.0f %%%s", what, share * 100, left);
}

rcp_notices rcp_listener(bool verbose) {
    rcp_stage_watch(watch);
    return (rcp_notices){.say = say, .progress = progress, .verbose = verbose};
}

rcp_code rcp_listener_prepare(const char *directory, bool verbose) {
    const rcp_notices notices = rcp_listener(verbose);
    return rcp_recorded_prepare(directory, &notices);
}
