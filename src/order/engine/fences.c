/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/fences.h"

void rcp_fences_finish(rcp_fences *fences, rcp_clocks *clocks) {
    for (size_t t = 0; t < fences->threads.len; t++) {
        rcp_stamp_drop(clocks, &fences->threads.at[t].released);
        rcp_clock_drop(clocks, fences->threads.at[t].taken);
    }
    rcp_vec_finish(&fences->threads);
}

rcp_thread_fences *rcp_fences_of(rcp_fences *fences, uint32_t tid) {
    while (fences->threads.len <= tid)
        rcp_vec_push(&fences->threads, (rcp_thread_fences){0});
    return &fences->threads.at[tid];
}

bool rcp_fences_meet(rcp_fences *fences, uint32_t tid) {
    rcp_thread_fences *thread = rcp_fences_of(fences, tid);
    thread->is_standing = thread->met < fences->everywhere;
    thread->met = fences->everywhere;
    return thread->is_standing;
}
