/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/ahead.h"

#include "base/file.h"
#include "base/tally.h"

#include <string.h>

/* What is handed over: this, the meetings, and the two paths, which end with a NUL each. */
typedef struct heading {
    struct rcp_run_outcome outcome;
    double seconds;
    size_t seen;
    int status;
    bool was_late;
} heading;

static rcp_code perform(void *context, rcp_text *answer) {
    const rcp_staging *staging = context;
    rcp_performance p;
    RCP_CHECK(!staging->pause);
    rcp_code code = rcp_stage_perform(staging, &p);
    if (code != RCP_OK) {
        rcp_performance_finish(&p);
        return code;
    }
    const heading h = {p.outcome, p.seconds, p.seen.len, p.status, p.was_late};
    rcp_text_add(answer, (const char *)&h, sizeof h);
    rcp_text_add(answer, (const char *)p.seen.at, p.seen.len * sizeof *p.seen.at);
    rcp_text_add(answer, p.directory, strlen(p.directory) + 1);
    rcp_text_add(answer, p.log, strlen(p.log) + 1);
    return RCP_OK;
}

rcp_code rcp_ahead_begin(rcp_ahead *ahead, const rcp_staging *staging) {
    rcp_code code = rcp_process_begin_copy(perform, (void *)staging, &ahead->copy);
    ahead->is_begun = code == RCP_OK;
    return code;
}

static char *take_path(const char **at) {
    rcp_text path = {0};
    rcp_text_puts(&path, *at);
    *at += path.len + 1;
    return path.at;
}

rcp_code rcp_ahead_take(rcp_ahead *ahead, rcp_performance *p) {
    rcp_text answer = {0};
    heading h;
    *p = (rcp_performance){0};
    ahead->is_begun = false;
    rcp_tally_count(RCP_TALLY_REPLAYS); /* what the copy has counted is its own */
    rcp_code code = rcp_process_hear_copy(&ahead->copy, &answer);
    if (code == RCP_OK) {
        memcpy(&h, answer.at, sizeof h);
        const char *at = answer.at + sizeof h;
        p->outcome = h.outcome;
        p->seconds = h.seconds;
        p->status = h.status;
        p->was_late = h.was_late;
        for (size_t i = 0; i < h.seen; i++, at += sizeof *p->seen.at) {
            struct rcp_run_seen seen;
            memcpy(&seen, at, sizeof seen);
            rcp_vec_push(&p->seen, seen);
        }
        p->directory = take_path(&at);
        p->log = take_path(&at);
    }
    rcp_text_finish(&answer);
    return code;
}

/* The run is waited for: whoever makes it ends all that the program has started, and it has a limit. */
void rcp_ahead_end(rcp_ahead *ahead) {
    rcp_performance p;
    if (!ahead->is_begun)
        return;
    if (rcp_ahead_take(ahead, &p) != RCP_OK)
        rcp_clear_causes(); /* what led here has a cause of its own */
    rcp_performance_finish(&p);
}
