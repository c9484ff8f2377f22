/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/schedule.h"

static uint32_t thread_of(const rcp_trace *trace, uint8_t e) { return trace->events.at[e].tid.v; }

static uint32_t executed_of(const rcp_trace *trace, const rcp_schedule *schedule, uint32_t tid) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < schedule->len; i++)
        n += thread_of(trace, schedule->at[i]) == tid;
    return n;
}

/* The next event of the thread after the schedule. */
static bool next_of(const rcp_trace *trace, const rcp_schedule *schedule, uint32_t tid, uint8_t *e) {
    uint32_t n = executed_of(trace, schedule, tid);
    if (n >= rcp_trace_thread_len(trace, (rcp_tid){tid}))
        return false;
    *e = (uint8_t)rcp_trace_event_of(trace, (rcp_tid){tid}, n).v;
    return true;
}

void rcp_schedule_of_witness(const rcp_trace *trace, const rcp_witness *witness, rcp_schedule *schedule) {
    schedule->len = 0;
    for (uint64_t e = 0; e < witness->recorded; e++)
        schedule->at[schedule->len++] = (uint8_t)e;
    for (size_t s = 0; s < witness->steps.len; s++) {
        rcp_witness_step step = witness->steps.at[s];
        for (uint32_t n = executed_of(trace, schedule, step.tid.v); n < step.to; n++)
            schedule->at[schedule->len++] = (uint8_t)rcp_trace_event_of(trace, step.tid, n).v;
    }
}

void rcp_schedule_to_witness(const rcp_trace *trace, const rcp_schedule *schedule, uint32_t recorded,
                             rcp_witness *witness) {
    witness->recorded = 0;
    witness->steps.len = 0;
    witness->race[0] = witness->race[1] = RCP_NO_EID;
    while (witness->recorded < recorded && witness->recorded < schedule->len &&
           schedule->at[witness->recorded] == witness->recorded)
        witness->recorded++;
    for (uint32_t i = (uint32_t)witness->recorded; i < schedule->len; i++) {
        uint8_t e = schedule->at[i];
        rcp_witness_run(witness, trace->events.at[e].tid, trace->position[e] + 1);
    }
}

void rcp_schedule_observed(const rcp_trace *trace, rcp_schedule *schedule) {
    schedule->len = (uint32_t)trace->events.len;
    for (uint32_t i = 0; i < schedule->len; i++)
        schedule->at[i] = (uint8_t)i;
}

void rcp_schedule_merge(const rcp_trace *trace, rcp_random *random, rcp_schedule *schedule) {
    uint32_t length = rcp_random_below(random, (uint32_t)trace->events.len + 1);
    uint32_t stay = rcp_random_below(random, 90), tid = 0;
    schedule->len = 0;
    for (unsigned tries = 0; schedule->len < length && tries < 200; tries++) {
        uint8_t e;
        if (!rcp_random_percent(random, stay))
            tid = rcp_random_below(random, (uint32_t)trace->defs.threads.len);
        if (next_of(trace, schedule, tid, &e))
            schedule->at[schedule->len++] = e;
        else
            tid = rcp_random_below(random, (uint32_t)trace->defs.threads.len);
    }
}

static void take_out(rcp_schedule *schedule, uint32_t i) {
    for (schedule->len--; i < schedule->len; i++)
        schedule->at[i] = schedule->at[i + 1];
}

static void put_in(rcp_schedule *schedule, uint32_t i, uint8_t e) {
    for (uint32_t j = schedule->len++; j > i; j--)
        schedule->at[j] = schedule->at[j - 1];
    schedule->at[i] = e;
}

/* Moves the event at `i` to a random place between its neighbours in program order. */
static void move(const rcp_trace *trace, rcp_random *random, rcp_schedule *schedule, uint32_t i) {
    uint8_t e = schedule->at[i];
    uint32_t low = i, high = i;
    while (low > 0 && thread_of(trace, schedule->at[low - 1]) != thread_of(trace, e))
        low--;
    while (high + 1 < schedule->len && thread_of(trace, schedule->at[high + 1]) != thread_of(trace, e))
        high++;
    take_out(schedule, i);
    put_in(schedule, low + rcp_random_below(random, high - low + 1), e);
}

void rcp_schedule_mutate(const rcp_trace *trace, rcp_random *random, rcp_schedule *schedule) {
    uint32_t roll = rcp_random_below(random, 100);
    uint32_t i = rcp_random_below(random, schedule->len);
    uint8_t e;
    if (roll < 25 || !schedule->len) { /* one more, mostly at the end */
        uint32_t tid = rcp_random_below(random, (uint32_t)trace->defs.threads.len);
        if (!next_of(trace, schedule, tid, &e))
            return;
        put_in(schedule, schedule->len, e);
        if (rcp_random_percent(random, 30))
            move(trace, random, schedule, schedule->len - 1);
    } else if (roll < 55) {
        if (i + 1 < schedule->len && thread_of(trace, schedule->at[i]) != thread_of(trace, schedule->at[i + 1])) {
            e = schedule->at[i];
            schedule->at[i] = schedule->at[i + 1];
            schedule->at[i + 1] = e;
        }
    } else if (roll < 80) {
        for (unsigned tries = 0; tries < 6; tries++, i = rcp_random_below(random, schedule->len)) {
            uint8_t kind = trace->events.at[schedule->at[i]].kind;
            if (kind == RCP_SIGNAL || kind == RCP_BROADCAST || kind == RCP_WAIT || tries == 5) {
                move(trace, random, schedule, i);
                break;
            }
        }
    } else {
        uint32_t tid = thread_of(trace, schedule->at[i]);
        for (uint32_t j = schedule->len; j-- > i;)
            if (thread_of(trace, schedule->at[j]) == tid)
                take_out(schedule, j);
    }
}

bool rcp_schedule_next_pair(const rcp_trace *trace, rcp_random *random, const rcp_schedule *schedule, rcp_eid pair[2]) {
    uint32_t n = (uint32_t)trace->defs.threads.len;
    uint8_t a, b;
    /* Mostly a pair that conflicts, if there is one. */
    for (unsigned tries = 0; tries < 6; tries++) {
        uint32_t t = rcp_random_below(random, n), u = rcp_random_below(random, n);
        if (t == u || !next_of(trace, schedule, t, &a) || !next_of(trace, schedule, u, &b))
            continue;
        pair[0] = (rcp_eid){a};
        pair[1] = (rcp_eid){b};
        if (tries == 5 || rcp_event_conflict(&trace->events.at[a], &trace->events.at[b]))
            return true;
    }
    return false;
}
