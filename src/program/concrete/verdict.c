/* SPDX-License-Identifier: Apache-2.0 */
/* From a checkpoint to a verdict, in a process of its own: two more run aside, one that notes what the stretch did when
 * it was recorded, one that runs it so with the machinery that is to judge. */
#include "base/process.h"
#include "program/concrete/state.h"

#include "base/limits.h"
#include "program/telling/lead.h"

#include <inttypes.h>
#include <string.h>

/* --- what the stretch did --- */

typedef struct stretch {
    rcp_run *run;
    uint64_t recorded, upto; /* events of the trace */
    uint64_t records, end;   /* records to follow up to its beginning; the log's byte at its end */
} stretch;

/* It begins before the last record that is followed while no more than `recorded` events are told. */
static rcp_code note(void *context, rcp_text *to) {
    stretch *s = context;
    rcp_run *r = s->run;
    rcp_notes notes = {0};
    uint64_t counts[RCP_INS_OP_COUNT] = {0};
    rcp_lead_note(r, &notes);
    r->m.counts = counts; /* so that every event's position is known */
    s->records = 0;
    for (uint64_t n = 0; rcp_lead_told(r) <= s->upto && !rcp_run_is_over(r); n++) {
        if (rcp_lead_told(r) <= s->recorded) {
            rcp_notes_restart(&notes, rcp_lead_told(r));
            s->records = n;
        }
        RCP_TRY(rcp_run_follow(r));
        if (notes.at.len > rcp_limit(RCP_LIMIT_JUDGE_EVENTS)) {
            rcp_limit_reached(RCP_LIMIT_JUDGE_EVENTS);
            return rcp_fail(RCP_LIMIT, "the part of the run that changes has more than %" PRIu64 " events",
                            rcp_limit(RCP_LIMIT_JUDGE_EVENTS));
        }
    }
    s->end = rcp_run_is_over(r) ? UINT64_MAX : r->m.record.at;
    rcp_text_add(to, (const char *)&s->records, sizeof s->records);
    rcp_text_add(to, (const char *)&s->end, sizeof s->end);
    rcp_notes_put(&notes, to);
    return RCP_OK;
}

static rcp_code learn(stretch *s, rcp_notes *notes) {
    rcp_text text = {0};
    RCP_TRY(rcp_process_ask_copy(note, s, &text));
    const char *at = text.at, *end = text.at + text.len;
    if ((size_t)(end - at) < 2 * sizeof s->end)
        return rcp_fail(RCP_INTERNAL, "the notes of a stretch are cut off");
    memcpy(&s->records, at, sizeof s->records);
    memcpy(&s->end, at + sizeof s->records, sizeof s->end);
    at += 2 * sizeof s->end;
    bool whole = rcp_notes_get(notes, &at, end);
    rcp_text_finish(&text);
    return whole ? RCP_OK : rcp_fail(RCP_INTERNAL, "the notes of a stretch are cut off");
}

/* --- the recorded order, with the machinery that is to judge --- */

static rcp_code rehearse(void *context, rcp_text *to) {
    rcp_concrete *all = context;
    all->is_noting = true;
    all->schedule.len = 0;
    for (uint32_t i = 0; i < all->notes.at.len; i++)
        rcp_vec_push(&all->schedule, i);
    RCP_TRY(rcp_concrete_follow(all));
    rcp_text_add(to, (const char *)all->paths.at, all->paths.len * sizeof *all->paths.at);
    for (size_t i = 0; i < all->lanes.len; i++) {
        const rcp_lane *lane = all->lanes.at[i];
        uint64_t n = lane->flows.len;
        rcp_text_add(to, (const char *)&n, sizeof n);
        if (n)
            rcp_text_add(to, (const char *)lane->flows.at, n * sizeof n);
    }
    return RCP_OK;
}

static bool take(const char **at, const char *end, void *to, size_t n) {
    if ((size_t)(end - *at) < n)
        return false;
    if (n)
        memcpy(to, *at, n);
    *at += n;
    return true;
}

static rcp_code learn_paths(rcp_concrete *all) {
    rcp_text text = {0};
    RCP_TRY(rcp_process_ask_copy(rehearse, all, &text));
    const char *at = text.at, *end = text.at + text.len;
    bool whole = take(&at, end, all->paths.at, all->paths.len * sizeof *all->paths.at);
    for (size_t i = 0; whole && i < all->lanes.len; i++) {
        rcp_lane *lane = all->lanes.at[i];
        uint64_t n;
        whole = take(&at, end, &n, sizeof n) && n <= (size_t)(end - at) / sizeof n &&
                take(&at, end, rcp_vec_extend(&lane->flows, n), n * sizeof n);
        /* calls that the rehearsal did not get to: nothing is known of what flows in */
        lane->calls.len = lane->flows.len < lane->calls.len ? lane->flows.len : lane->calls.len;
    }
    rcp_text_finish(&text);
    return whole ? RCP_OK : rcp_fail(RCP_INTERNAL, "the rehearsal of a stretch is cut off");
}

/* --- the question --- */

static rcp_code read_question(rcp_concrete *all, stretch *s, const rcp_judge_question *q, const char *at,
                              const char *end) {
    const rcp_notes *notes = &all->notes;
    for (uint64_t i = notes->first; i < s->recorded; i++)
        rcp_vec_push(&all->schedule, (uint32_t)(i - notes->first));
    for (uint64_t i = 0, event = 0; i < q->events; i++) {
        if (!take(&at, end, &event, sizeof event) || event - notes->first >= notes->at.len)
            return rcp_fail(RCP_INTERNAL, "event %" PRIu64 " of a witness is not in its stretch", event);
        rcp_vec_push(&all->schedule, (uint32_t)(event - notes->first));
    }
    if (q->patches > (size_t)(end - at) / sizeof(rcp_patch) ||
        !take(&at, end, rcp_vec_extend(&all->patches, q->patches), q->patches * sizeof(rcp_patch)))
        return rcp_fail(RCP_INTERNAL, "a question to the concrete checker is cut off");
    size_t kept = 0; /* what was read before the stretch may have been written over by then */
    for (size_t i = 0; i < all->patches.len; i++)
        if (all->patches.at[i].read >= notes->first)
            all->patches.at[kept++] = all->patches.at[i];
    all->patches.len = kept;
    for (int i = 0; i < 2; i++) {
        const uint64_t event = q->race[i];
        const rcp_noted *told = event - notes->first < notes->at.len ? &notes->at.at[event - notes->first] : NULL;
        if (!told || told->kind != q->kind[i] || (told->kind != RCP_FREE && told->addr != q->address[i]))
            return rcp_fail(RCP_BAD_INPUT, "event %" PRIu64 " of the trace is not what the run tells now", event);
        all->race[i] = (uint32_t)(event - notes->first);
    }
    return RCP_OK;
}

/* What the two would read or write next. */
static uint64_t value_at(rcp_concrete *all, const rcp_noted *e) {
    rcp_lane *lane = all->lanes.at[rcp_map_get(&all->lane_index, e->thread)];
    uint64_t value = 0;
    if (e->kind == RCP_WRITE)
        return lane->value;
    rcp_space_read(lane->view.space, e->addr, &value, e->size < sizeof value ? e->size : sizeof value);
    return value;
}

static void answer(rcp_concrete *all, rcp_code code, bool is_able, rcp_text *reply) {
    const char *why = code == RCP_OK ? "" : rcp_borrow_cause(0);
    rcp_judge_answer a = {.verdict = code == RCP_OK ? RCP_JUDGED_FEASIBLE
                                     : is_able      ? RCP_JUDGED_REFUSED
                                                    : RCP_JUDGED_NOT};
    snprintf(a.why, sizeof a.why, "%s", why ? why : "no reason is known");
    for (int i = 0; code == RCP_OK && i < 2; i++) {
        const rcp_noted *e = &all->notes.at.at[all->race[i]];
        a.was[i] = 0;
        a.has_values[i] = e->valued && e->size <= 8;
        if (a.has_values[i])
            memcpy(&a.was[i], all->notes.contents.at + e->bytes, e->size);
        a.is[i] = value_at(all, e);
    }
    a.changes = code == RCP_OK ? all->changes.len : 0;
    rcp_text_add(reply, (const char *)&a, sizeof a);
    if (a.changes)
        rcp_text_add(reply, (const char *)all->changes.at, a.changes * sizeof *all->changes.at);
    rcp_clear_causes();
}

rcp_code rcp_concrete_judge(rcp_run *r, const char *question, size_t n, rcp_text *reply) {
    rcp_judge_question q;
    rcp_concrete all = {0};
    const char *at = question, *end = question + n;
    if (!take(&at, end, &q, sizeof q))
        return rcp_fail(RCP_INTERNAL, "a question to the concrete checker is cut off");
    stretch s = {.run = r, .recorded = q.recorded, .upto = q.upto};
    rcp_code code = learn(&s, &all.notes);
    for (uint64_t i = 0; code == RCP_OK && i < s.records; i++)
        code = rcp_run_follow(r);
    if (code == RCP_OK)
        code = rcp_concrete_lanes(&all, r, s.end);
    if (code == RCP_OK)
        code = read_question(&all, &s, &q, at, end);
    if (code == RCP_OK)
        code = learn_paths(&all);
    const bool is_able = code == RCP_OK;
    if (is_able)
        code = rcp_concrete_follow(&all);
    if (code == RCP_SYSTEM) /* that says nothing about the code */
        return code;
    answer(&all, code, is_able, reply);
    return RCP_OK;
}
