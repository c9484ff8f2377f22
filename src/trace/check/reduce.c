/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/reduce.h"

#include <string.h>

typedef struct reduction {
    const rcp_checker *checker;
    const rcp_trace *trace;
    rcp_check_options options;
    uint64_t left;
    uint64_t length; /* events of the witness at hand */
    rcp_witness *witness;
} reduction;

typedef RCP_VEC(rcp_witness_step) steps;

/* Does the checker accept these steps instead? Then they are the witness's. */
static rcp_code try(reduction *r, const steps *wanted, bool *taken) {
    *taken = false;
    if (r->left < r->length)
        return RCP_OK;
    r->left -= r->length;
    rcp_witness other;
    rcp_check_verdict verdict;
    rcp_witness_init(&other);
    other.recorded = r->witness->recorded;
    memcpy(other.race, r->witness->race, sizeof other.race);
    for (size_t i = 0; i < wanted->len; i++)
        rcp_witness_run(&other, wanted->at[i].tid, wanted->at[i].to);
    rcp_code code = rcp_checker_run(r->checker, &other, r->options, &verdict);
    if (code == RCP_OK && verdict.accepted) {
        rcp_witness_finish(r->witness);
        *r->witness = other;
        *taken = true;
        return RCP_OK;
    }
    rcp_witness_finish(&other);
    return code;
}

static void copy(const rcp_witness *witness, steps *to) {
    to->len = 0;
    for (size_t i = 0; i < witness->steps.len; i++)
        rcp_vec_push(to, witness->steps.at[i]);
}

static bool is_racing(const reduction *r, rcp_tid tid) {
    return r->trace->events.at[r->witness->race[0].v].tid.v == tid.v ||
           r->trace->events.at[r->witness->race[1].v].tid.v == tid.v;
}

/* How far each thread is where the recorded part ends. */
static rcp_position *recorded_of(const reduction *r) {
    rcp_position *done = rcp_alloc_zero(r->trace->defs.threads.len + 1, sizeof *done);
    for (uint64_t i = 0; i < r->witness->recorded; i++)
        done[r->trace->events.at[i].tid.v]++;
    return done;
}

/* The witness with the thread running to `to` at most. */
static void cut_off(const rcp_witness *witness, rcp_tid tid, rcp_position to, const rcp_position *done, steps *wanted) {
    copy(witness, wanted);
    size_t kept = 0;
    rcp_position at = done[tid.v];
    for (size_t i = 0; i < wanted->len; i++) {
        rcp_witness_step step = wanted->at[i];
        if (step.tid.v == tid.v) {
            step.to = step.to < to ? step.to : to;
            if (step.to == at)
                continue;
            at = step.to;
        }
        wanted->at[kept++] = step;
    }
    wanted->len = kept;
}

/* A third thread may not be needed at all, or only as far as to a point that halving finds. Whether it may stop does
 * not grow with how far it runs (it may hold a lock there), so this is not the best point but one that is good. */
static rcp_code shorten(reduction *r, rcp_tid tid, rcp_position to, const rcp_position *done, steps *wanted) {
    rcp_position low = done[tid.v], high = to;
    bool taken;
    for (rcp_position at = low; low < high; at = low + (high - low) / 2) {
        cut_off(r->witness, tid, at, done, wanted);
        RCP_TRY(try(r, wanted, &taken));
        if (taken)
            high = at;
        else
            low = at + 1;
    }
    return RCP_OK;
}

static rcp_code drop_unneeded(reduction *r, steps *wanted) {
    rcp_position *done = recorded_of(r);
    rcp_code code = RCP_OK;
    for (uint32_t t = (uint32_t)r->trace->defs.threads.len; t-- > 0 && code == RCP_OK;) {
        rcp_position to = 0;
        for (size_t i = 0; i < r->witness->steps.len; i++)
            if (r->witness->steps.at[i].tid.v == t)
                to = r->witness->steps.at[i].to;
        if (to > done[t] && !is_racing(r, (rcp_tid){t}))
            code = shorten(r, (rcp_tid){t}, to, done, wanted);
    }
    rcp_release(done);
    return code;
}

/* Step `from` joined with the step of its thread before it at `to`: there, or where it is itself. */
static void join(const rcp_witness *witness, size_t to, size_t from, bool early, steps *wanted) {
    wanted->len = 0;
    for (size_t i = 0; i < witness->steps.len; i++) {
        if (i == (early ? from : to))
            continue;
        rcp_witness_step step = witness->steps.at[i];
        if (i == (early ? to : from))
            step.to = witness->steps.at[from].to;
        rcp_vec_push(wanted, step);
    }
}

/* Joins a thread's steps while the checker lets it. */
static rcp_code join_steps(reduction *r, steps *wanted) {
    for (size_t to = 0; to < r->witness->steps.len; to++) {
        size_t from = to + 1;
        while (from < r->witness->steps.len && r->witness->steps.at[from].tid.v != r->witness->steps.at[to].tid.v)
            from++;
        if (from == r->witness->steps.len)
            continue;
        bool taken = false;
        for (int early = 1; early >= 0 && !taken; early--) {
            join(r->witness, to, from, early, wanted);
            RCP_TRY(try(r, wanted, &taken));
        }
        if (taken)
            to = SIZE_MAX; /* from the first one on again */
    }
    return RCP_OK;
}

/* What the steps do as it was recorded is said so. The same schedule in other words. */
static void lengthen_recorded(reduction *r) {
    rcp_witness *witness = r->witness;
    rcp_position *done = recorded_of(r);
    size_t first = 0;
    while (first < witness->steps.len && witness->recorded < r->trace->events.len) {
        rcp_witness_step step = witness->steps.at[first];
        uint64_t next = rcp_trace_event_of(r->trace, step.tid, done[step.tid.v]).v;
        if (next != witness->recorded)
            break;
        witness->recorded++;
        first += ++done[step.tid.v] == step.to;
    }
    witness->steps.len -= first;
    memmove(witness->steps.at, witness->steps.at + first, witness->steps.len * sizeof *witness->steps.at);
    rcp_release(done);
}

rcp_code rcp_reduce_witness(const rcp_checker *checker, const rcp_trace *trace, rcp_check_options options,
                            uint64_t limit, rcp_witness *witness) {
    reduction r = {.checker = checker, .trace = trace, .options = options, .left = limit, .witness = witness};
    steps wanted = {0};
    rcp_position *done = recorded_of(&r);
    r.length = witness->recorded + 1;
    for (size_t i = 0; i < witness->steps.len; i++) {
        rcp_witness_step step = witness->steps.at[i];
        r.length += step.to - done[step.tid.v];
        done[step.tid.v] = step.to;
    }
    rcp_release(done);
    rcp_code code = witness->steps.len ? drop_unneeded(&r, &wanted) : RCP_OK;
    if (code == RCP_OK)
        code = join_steps(&r, &wanted);
    if (code == RCP_OK && witness->steps.len)
        lengthen_recorded(&r);
    rcp_vec_finish(&wanted);
    return code;
}
