/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/fences.h"

void rcp_fences_finish(rcp_fences *fences, rcp_clocks *clocks) {
    for (size_t t = 0; t < fences->threads.len; t++) {
        rcp_stamp_drop(clocks, &fences->threads.at[t].released);
        rcp_clock_drop(clocks, fences->threads.at[t].taken);
    }
    rcp_stamp_drop(clocks, &fences->everywhere);
    rcp_vec_finish(&fences->threads);
}

rcp_thread_fences *rcp_fences_of(rcp_fences *fences, uint32_t tid) {
    while (fences->threads.len <= tid)
        rcp_vec_push(&fences->threads, (rcp_thread_fences){0});
    return &fences->threads.at[tid];
}
