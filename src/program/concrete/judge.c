/* SPDX-License-Identifier: Apache-2.0 */
#include "program/concrete/judge.h"

#include "base/text.h"
#include "program/concrete/state.h"
#include "program/telling/checkpoints.h"
#include "program/telling/recorded_events.h"

#include <string.h>

/* Events of the program between two checkpoints, at first. */
#define EVERY 200000

struct rcp_judge {
    rcp_checkpoints *checkpoints;
};

void rcp_judgement_finish(rcp_judgement *judgement) { rcp_vec_finish(&judgement->changes); }

rcp_code rcp_judge_create(const char *directory, rcp_judge **made) {
    rcp_judge *judge = rcp_alloc_zero(1, sizeof *judge);
    judge->checkpoints = rcp_checkpoints_create(EVERY);
    rcp_checkpoints_set_answerer(judge->checkpoints, rcp_concrete_judge);
    rcp_code code = rcp_recorded_events_again(directory, judge->checkpoints);
    if (code != RCP_OK) {
        rcp_judge_destroy(judge);
        return code;
    }
    *made = judge;
    return RCP_OK;
}

void rcp_judge_destroy(rcp_judge *judge) {
    if (!judge)
        return;
    rcp_checkpoints_destroy(judge->checkpoints);
    rcp_release(judge);
}

typedef RCP_VEC(uint64_t) numbers;

/* The events after the recorded ones, in the witness's order. */
static void list_events(const rcp_trace *trace, const rcp_witness *witness, numbers *events) {
    rcp_position *done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *done);
    for (uint64_t i = 0; i < witness->recorded; i++)
        done[trace->events.at[i].tid.v]++;
    for (size_t i = 0; i < witness->steps.len; i++)
        for (rcp_witness_step step = witness->steps.at[i]; done[step.tid.v] < step.to; done[step.tid.v]++)
            rcp_vec_push(events, rcp_trace_event_of(trace, step.tid, done[step.tid.v]).v);
    rcp_release(done);
}

typedef RCP_VEC(rcp_patch) patches;

/* Does the event leave something that it does not say? */
static bool is_silent(const rcp_event *e) { return !rcp_event_is_access(e) || !e->valued; }

static void list_patches(const rcp_observed *observed, uint64_t read, patches *to) {
    const rcp_event *e = &observed->trace->events.at[read];
    if (!rcp_event_reads(e) || !e->valued)
        return;
    for (uint64_t at = e->addr, end = e->addr + e->size, upto; at < end; at = upto) {
        uint64_t upto_life;
        uint32_t writer = rcp_observed_writer(observed, (rcp_eid){read}, at, &upto);
        uint32_t life = rcp_observed_life(observed, (rcp_eid){read}, at, &upto_life);
        upto = upto < upto_life ? upto : upto_life;
        upto = upto < end ? upto : end;
        if (writer && !is_silent(&observed->trace->events.at[writer - 1]))
            continue;
        for (uint64_t i = at; i < upto; i++)
            rcp_vec_push(to, ((rcp_patch){.when = writer > life ? writer : life,
                                          .read = read,
                                          .address = i,
                                          .byte = rcp_event_bytes(e)[i - e->addr]}));
    }
}

static void add(rcp_text *to, const void *bytes, size_t n) {
    if (n)
        rcp_text_add(to, bytes, n);
}

static void ask_for(const rcp_observed *observed, const rcp_witness *witness, uint64_t first, rcp_text *question) {
    const rcp_trace *trace = observed->trace;
    numbers events = {0};
    patches shown = {0};
    list_events(trace, witness, &events);
    rcp_judge_question q = {.recorded = witness->recorded, .events = events.len};
    for (size_t i = 0; i < events.len; i++)
        q.upto = events.at[i] > q.upto ? events.at[i] : q.upto;
    for (int i = 0; i < 2; i++) {
        const rcp_event *e = &trace->events.at[witness->race[i].v];
        q.race[i] = witness->race[i].v;
        q.upto = q.race[i] > q.upto ? q.race[i] : q.upto;
        q.address[i] = e->addr;
        q.kind[i] = e->kind;
    }
    for (uint64_t i = first; i < trace->events.len && i <= q.upto; i++)
        list_patches(observed, i, &shown);
    q.patches = shown.len;
    add(question, &q, sizeof q);
    add(question, events.at, events.len * sizeof *events.at);
    add(question, shown.at, shown.len * sizeof *shown.at);
    rcp_vec_finish(&events);
    rcp_vec_finish(&shown);
}

rcp_code rcp_judge_ask(rcp_judge *judge, const rcp_observed *observed, const rcp_witness *witness,
                       rcp_judgement *judgement) {
    *judgement = (rcp_judgement){0};
    rcp_text question = {0}, reply = {0};
    uint64_t first;
    RCP_TRY(rcp_checkpoints_before(judge->checkpoints, witness->recorded, &first));
    ask_for(observed, witness, first, &question);
    const rcp_again again = {.from = witness->recorded, .question = question.at, .question_size = question.len};
    rcp_code code = rcp_checkpoints_question(judge->checkpoints, &again, &reply);
    rcp_judge_answer a;
    if (code == RCP_OK && reply.len < sizeof a)
        code = rcp_fail(RCP_INTERNAL, "the concrete checker's answer is cut off");
    if (code == RCP_OK) {
        memcpy(&a, reply.at, sizeof a);
        judgement->verdict = a.verdict;
        memcpy(judgement->why, a.why, sizeof a.why);
        for (int i = 0; i < 2; i++) {
            judgement->was[i] = a.was[i];
            judgement->is[i] = a.is[i];
            judgement->has_values[i] = a.has_values[i];
        }
        if (a.changes <= (reply.len - sizeof a) / sizeof(rcp_change) && a.changes)
            memcpy(rcp_vec_extend(&judgement->changes, a.changes), reply.at + sizeof a, a.changes * sizeof(rcp_change));
    }
    rcp_text_finish(&question);
    rcp_text_finish(&reply);
    return code;
}
