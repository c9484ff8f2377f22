/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/leftovers.h"

#include "record/left.h"

static rcp_code put_in_order(rcp_leftovers *l, const rcp_staging *staging, double limit, const rcp_notices *notices,
                             const char *what) {
    const rcp_stage_steering nobody = {.watched = NULL};
    rcp_staging so = *staging;
    rcp_performance p;
    so.steering = &nobody;
    so.limit = limit;
    l->runs++;
    rcp_code code = rcp_stage_perform(&so, &p);
    if (code == RCP_OK && notices->verbose)
        rcp_notices_say(notices, "a run that was ended has left %s: the program was run to its end; %.1f s", what,
                        p.seconds);
    rcp_performance_finish(&p);
    return code;
}

rcp_code rcp_leftovers_clear(rcp_leftovers *l, const rcp_staging *staging, double limit, const rcp_notices *notices,
                             bool *is_clear) {
    rcp_text before = {0}, after = {0};
    *is_clear = false;
    if (l->why_not.len)
        return RCP_OK;
    rcp_code code = rcp_left_compare(l->top, &before);
    if (code == RCP_OK && before.len) {
        code = put_in_order(l, staging, limit, notices, before.at);
        if (code == RCP_OK)
            code = rcp_left_compare(l->top, &after);
    }
    if (after.len)
        rcp_text_printf(&l->why_not, "its files are not as the recorded run left them: %s", after.at);
    *is_clear = code == RCP_OK && !after.len;
    rcp_text_finish(&before);
    rcp_text_finish(&after);
    return code;
}

void rcp_leftovers_finish(rcp_leftovers *l) { rcp_text_finish(&l->why_not); }
