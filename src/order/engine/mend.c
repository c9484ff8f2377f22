/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/mend.h"

#include "base/status.h"

void rcp_extras_init(rcp_extras *extras, rcp_clocks *clocks) {
    *extras = (rcp_extras){.clocks = clocks};
    rcp_vec_push(&extras->at, (rcp_extra){0});
}

void rcp_extras_finish(rcp_extras *extras) {
    for (size_t i = 0; i < extras->at.len; i++) {
        rcp_vec_finish(&extras->at.at[i].delayed);
        rcp_vec_finish(&extras->at.at[i].atomics);
        rcp_vec_finish(&extras->at.at[i].heads);
    }
    rcp_vec_finish(&extras->at);
    rcp_vec_finish(&extras->spare);
}

uint32_t rcp_extras_make(rcp_extras *extras) {
    if (extras->spare.len)
        return extras->spare.at[--extras->spare.len];
    RCP_CHECK(extras->at.len < 1u << 24); /* as many as an rcp_shared can name */
    rcp_vec_push(&extras->at, (rcp_extra){0});
    return (uint32_t)extras->at.len - 1;
}

uint32_t rcp_extras_copy(rcp_extras *extras, uint32_t from) {
    if (!from)
        return 0;
    uint32_t to = rcp_extras_make(extras);
    rcp_extra *copy = &extras->at.at[to], *old = &extras->at.at[from];
    for (size_t i = 0; i < old->delayed.len; i++) {
        rcp_clock_hold(extras->clocks, old->delayed.at[i].clock);
        rcp_vec_push(&copy->delayed, old->delayed.at[i]);
    }
    for (size_t i = 0; i < old->atomics.len; i++) {
        rcp_clock_hold(extras->clocks, old->atomics.at[i].stamp.clock);
        rcp_clock_hold(extras->clocks, old->atomics.at[i].weak);
        rcp_vec_push(&copy->atomics, old->atomics.at[i]);
    }
    for (size_t i = 0; i < old->heads.len; i++) {
        rcp_clock_hold(extras->clocks, old->heads.at[i].clock);
        rcp_vec_push(&copy->heads, old->heads.at[i]);
    }
    return to;
}

void rcp_extras_drop(rcp_extras *extras, uint32_t extra) {
    if (!extra)
        return;
    rcp_extra *e = &extras->at.at[extra];
    for (size_t i = 0; i < e->delayed.len; i++)
        rcp_clock_drop(extras->clocks, e->delayed.at[i].clock);
    for (size_t i = 0; i < e->atomics.len; i++) {
        rcp_clock_drop(extras->clocks, e->atomics.at[i].stamp.clock);
        rcp_clock_drop(extras->clocks, e->atomics.at[i].weak);
    }
    for (size_t i = 0; i < e->heads.len; i++)
        rcp_clock_drop(extras->clocks, e->heads.at[i].clock);
    e->delayed.len = e->atomics.len = e->heads.len = 0;
    rcp_vec_push(&extras->spare, extra);
}

void rcp_extra_atomic(rcp_clocks *clocks, rcp_extra *extra, const rcp_runner *runner, bool writes) {
    size_t i = 0;
    while (i < extra->atomics.len &&
           (extra->atomics.at[i].stamp.tid != runner->tid || extra->atomics.at[i].writes != writes))
        i++;
    if (i == extra->atomics.len)
        rcp_vec_push(&extra->atomics, ((rcp_atomic){.writes = writes}));
    rcp_stamp_set(clocks, &extra->atomics.at[i].stamp, runner);
    if (runner->weak)
        rcp_clock_put(clocks, &extra->atomics.at[i].weak, runner->weak->clock);
}

void rcp_extra_delay(rcp_clocks *clocks, rcp_extra *extra, uint32_t tid, rcp_stamp stamp) {
    for (size_t i = 0; i < extra->delayed.len; i++)
        if (extra->delayed.at[i].tid == tid) {
            rcp_clock_join_stamp(clocks, &extra->delayed.at[i].clock, stamp);
            return;
        }
    rcp_vec_push(&extra->delayed, (rcp_delayed){.tid = tid});
    rcp_clock_join_stamp(clocks, &extra->delayed.at[extra->delayed.len - 1].clock, stamp);
}

void rcp_extra_take(rcp_clocks *clocks, rcp_extra *extra, rcp_runner *seen) {
    for (size_t i = 0; i < extra->delayed.len; i++)
        if (extra->delayed.at[i].tid == seen->tid) {
            rcp_runner_join(clocks, seen, extra->delayed.at[i].clock);
            rcp_clock_drop(clocks, extra->delayed.at[i].clock);
            extra->delayed.at[i] = extra->delayed.at[--extra->delayed.len];
            return;
        }
}

void rcp_mend_finish(rcp_mend *mend) {
    rcp_vec_finish(&mend->threads);
    rcp_vec_finish(&mend->locks);
}

rcp_clock *rcp_mend_thread(rcp_mend *mend, uint32_t tid) {
    while (mend->threads.len <= tid)
        rcp_vec_push(&mend->threads, (rcp_clock){0});
    return &mend->threads.at[tid];
}

rcp_mend_lock *rcp_mend_lock_at(rcp_mend *mend, uint32_t lock) {
    while (mend->locks.len <= lock)
        rcp_vec_push(&mend->locks, (rcp_mend_lock){0});
    return &mend->locks.at[lock];
}
