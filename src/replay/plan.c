/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/plan.h"

#include "base/map.h"
#include "program/telling/moments.h"
#include "program/recording/recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An event whose moment is wanted: the nth of a thread, or that of the trace. */
typedef struct wanted {
    uint32_t thread;
    uint64_t nth;
    rcp_eid eid; /* found */
    rcp_moment moment;
    bool is_found;
    bool is_signalled; /* a call that begins, and the next that its thread has is a signal's handler within it */
    uint64_t handlers; /* of its thread that have begun before it */
} wanted;

/* Of a thread, while the moments are read: its events so far, the first of `steps` that is still to be found, the last
 * one that begins a call, of which the next event says whether a handler ran in it; and its handlers. */
typedef struct course {
    uint64_t seen;
    size_t next;
    wanted *open;
    uint64_t handlers;
} course;

enum passed { NEITHER, FIRST, BOTH }; /* of the two accesses: they are on the way, not where it ends */

typedef struct planning {
    rcp_plan *plan;
    const char *directory;
    rcp_reader *reader;
    const rcp_race *race; /* NULL: it is a deadlock, whose events are in `stands` */
    const rcp_standstill *stands;
    const rcp_witness *witness;
    const rcp_tour *tour;
    const rcp_tour_pair *pairs;
    enum passed passed;
    bool is_late;   /* the first one is a write that comes late */
    rcp_map number; /* tid → number in the log */
    rcp_schedule recorded;
    RCP_VEC(wanted) steps;   /* per step of the witness, its last event */
    wanted last, racer[2];   /* the last event of the recorded beginning; the racing ones */
    RCP_VEC(wanted) sides;   /* two per stop of the tour; or the events of a deadlock */
    rcp_map side_of;         /* event → 1 + the last of `sides` that is it; `nth` is that of the one before it */
    size_t stop;             /* of the tour's, the next one */
    RCP_VEC(course) courses; /* by thread */
    RCP_VEC(struct rcp_run_handler) handlers;
    uint64_t missing;
} planning;

void rcp_plan_finish(rcp_plan *plan) {
    rcp_schedule_finish(&plan->schedule);
    rcp_vec_finish(&plan->roles);
    rcp_vec_finish(&plan->sides);
    rcp_vec_finish(&plan->beside);
    rcp_vec_finish(&plan->handlers);
    rcp_vec_finish(&plan->stands);
    rcp_release(plan->callee[0]);
    rcp_release(plan->callee[1]);
}

/* --- threads --- */

static const char *thread_name(const planning *p, rcp_tid tid) {
    const rcp_defs *defs = rcp_reader_borrow_defs(p->reader);
    return rcp_defs_borrow_string(defs, defs->threads.at[tid.v].name);
}

static rcp_code number_of(const planning *p, rcp_tid tid, uint32_t *number) {
    *number = rcp_map_get(&p->number, tid.v);
    if (*number != RCP_MAP_NONE)
        return RCP_OK;
    return rcp_fail(RCP_BAD_INPUT, "%s: the log has no thread that the trace calls '%s'", p->directory,
                    thread_name(p, tid));
}

static void match_threads(planning *p) {
    const rcp_defs *defs = rcp_reader_borrow_defs(p->reader);
    for (uint32_t t = 0; t < defs->threads.len; t++) {
        const char *name = thread_name(p, (rcp_tid){t});
        for (size_t i = 0; i < p->recorded.names.len; i++)
            if (p->recorded.names.at[i] && !strcmp(p->recorded.names.at[i], name))
                rcp_map_set(&p->number, t, (uint32_t)i);
    }
}

/* "0.2.1" is the first that "0.2" creates. */
static void cast_roles(planning *p) {
    const rcp_schedule *recorded = &p->recorded;
    for (size_t i = 0; i < recorded->names.len; i++) {
        struct rcp_run_role role = {RCP_RUN_ANYBODY, 0};
        const char *name = recorded->names.at[i], *dot = name ? strrchr(name, '.') : NULL;
        for (size_t k = 0; dot && k < recorded->names.len; k++) {
            const char *parent = recorded->names.at[k];
            if (parent && strlen(parent) == (size_t)(dot - name) && !strncmp(parent, name, (size_t)(dot - name)))
                role = (struct rcp_run_role){k, strtoull(dot + 1, NULL, 10)};
        }
        rcp_vec_push(&p->plan->roles, role);
    }
}

/* --- moments --- */

static void find_one(planning *p, course *c, wanted *w, uint64_t event, const rcp_moment *moment) {
    if (w->is_found)
        return;
    w->is_found = true;
    w->eid = (rcp_eid){event};
    w->moment = *moment;
    w->handlers = c->handlers;
    if (moment->leaves && !c->open)
        c->open = w;
    else
        p->missing--;
}

/* A call that is wanted counts as missing until its thread's next event is there. */
static void close_call(planning *p, course *c, const rcp_moment *moment) {
    if (!c->open)
        return;
    c->open->is_signalled = moment->signal && moment->before > c->open->moment.before;
    c->open = NULL;
    p->missing--;
}

/* What was wanted last is not there any more: the run ended there. */
static void close_calls(planning *p) {
    for (size_t i = 0; i < p->courses.len; i++)
        p->missing -= p->courses.at[i].open != NULL;
}

/* The first step from `i` on that is the thread's: their events ascend. */
static size_t next_step(const planning *p, uint32_t thread, size_t i) {
    while (i < p->steps.len && p->steps.at[i].thread != thread)
        i++;
    return i;
}

static bool visit(void *context, uint64_t event, const rcp_moment *moment) {
    planning *p = context;
    while (p->courses.len <= moment->thread) {
        const course fresh = {.next = next_step(p, (uint32_t)p->courses.len, 0)};
        rcp_vec_push(&p->courses, fresh);
    }
    course *c = &p->courses.at[moment->thread];
    uint64_t nth = c->seen++;
    close_call(p, c, moment);
    while (c->next < p->steps.len && p->steps.at[c->next].nth == nth) {
        find_one(p, c, &p->steps.at[c->next], event, moment);
        c->next = next_step(p, moment->thread, c->next + 1);
    }
    if (p->witness->recorded == event + 1)
        find_one(p, c, &p->last, event, moment);
    for (uint32_t i = rcp_map_get(&p->side_of, event); i && i != RCP_MAP_NONE; i = (uint32_t)p->sides.at[i - 1].nth)
        find_one(p, c, &p->sides.at[i - 1], event, moment);
    for (int i = 0; p->race && i < 2; i++)
        if (p->race->event[i].v == event && !p->racer[i].is_found) {
            rcp_text name = {0};
            find_one(p, c, &p->racer[i], event, moment);
            if (moment->callee)
                rcp_text_puts(&name, moment->callee);
            p->plan->callee[i] = name.at;
        }
    if (moment->signal) {
        const struct rcp_run_handler handler = {moment->thread, moment->before, moment->signal};
        rcp_vec_push(&p->handlers, handler);
        c->handlers++;
    }
    return p->missing > 0;
}

static void want_side(planning *p, rcp_eid event) {
    uint32_t *last = rcp_map_at(&p->side_of, event.v);
    rcp_vec_push(&p->sides, ((wanted){.nth = *last == RCP_MAP_NONE ? 0 : *last}));
    *last = (uint32_t)p->sides.len;
}

static void want_sides(planning *p) {
    for (size_t i = 0; i < p->tour->stops.len; i++)
        for (int k = 0; k < 2; k++)
            want_side(p, p->pairs[p->tour->stops.at[i].pair].event[k]);
    for (size_t i = 0; p->stands && i < p->stands->events.len; i++)
        want_side(p, p->stands->events.at[i]);
    p->missing += p->sides.len;
}

static rcp_code find_moments(planning *p) {
    const rcp_witness *witness = p->witness;
    for (size_t i = 0; i < witness->steps.len; i++) {
        const rcp_witness_step *step = &witness->steps.at[i];
        wanted w = {.nth = step->to - 1};
        if (!step->to)
            continue;
        RCP_TRY(number_of(p, step->tid, &w.thread));
        rcp_vec_push(&p->steps, w);
    }
    p->missing = p->steps.len + (witness->recorded > 0) + (p->race ? 2 : 0);
    want_sides(p);
    RCP_TRY(rcp_moments_read(p->directory, visit, p));
    close_calls(p);
    if (p->missing)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: its moments and its events are not of one run; remove both, and they are made again",
                        p->directory);
    return RCP_OK;
}

/* --- steps --- */

static void stop_before(struct rcp_run_step *step, const rcp_moment *moment) {
    if (moment->thread == step->thread && step->until != RCP_RUN_END && moment->before < step->until)
        step->until = moment->before;
}

/* Are both accesses of that stop instructions? */
static bool is_by_code(const planning *p, size_t stop) {
    return !p->sides.at[2 * stop].moment.is_call && !p->sides.at[2 * stop + 1].moment.is_call;
}

/* By role; of each in their order. */
static void sort_handlers(planning *p) {
    for (size_t t = 0; t < p->courses.len; t++)
        for (size_t i = 0; p->courses.at[t].handlers && i < p->handlers.len; i++)
            if (p->handlers.at[i].role == t)
                rcp_vec_push(&p->plan->handlers, p->handlers.at[i]);
    p->plan->signals = p->recorded.signals;
}

/* The thread goes on until it has had that event; into a call, where a handler ran in it: its signal may have to
 * find the thread there. Of a copy, whose pieces are events and which is one step on the
 * machine, not beyond the racing piece. */
static rcp_code go_past(planning *p, const wanted *w) {
    rcp_event event;
    RCP_TRY(rcp_reader_fetch(p->reader, w->eid, &event));
    struct rcp_run_step step = {w->moment.thread, event.kind == RCP_END ? RCP_RUN_END : w->moment.after};
    if (w->moment.leaves && w->is_signalled)
        step.until++;
    if (event.kind == RCP_BEGIN) /* it has begun to be as soon as it was created */
        return RCP_OK;
    for (int i = (int)p->passed; p->race && i < 2; i++)
        stop_before(&step, &p->racer[i].moment);
    for (size_t i = 0; p->stands && i < p->sides.len; i++)
        stop_before(&step, &p->sides.at[i].moment);
    for (size_t i = p->stop; i < p->tour->stops.len; i++)
        for (size_t k = 2 * i; k < 2 * i + 2 && is_by_code(p, i); k++)
            stop_before(&step, &p->sides.at[k].moment);
    rcp_vec_push(&p->plan->schedule.steps, step);
    return RCP_OK;
}

static void stand(planning *p, const wanted *w) {
    rcp_vec_push(&p->plan->schedule.steps, ((struct rcp_run_step){w->moment.thread, w->moment.before}));
}

/* Before that turn of the recorded schedule. */
static void stand_on_the_way(planning *p, uint64_t turn) {
    if (p->passed != FIRST || p->is_late || p->racer[0].moment.turn != turn)
        return;
    stand(p, &p->racer[0]);
    p->plan->older_step = p->plan->schedule.steps.len;
}

static rcp_code begin_as_recorded(planning *p) {
    if (!p->witness->recorded)
        return RCP_OK;
    uint64_t turn = p->last.moment.turn;
    if (!turn || turn > p->recorded.steps.len)
        return rcp_fail(RCP_BAD_INPUT, "%s: event %" PRIu64 " is of turn %" PRIu64 ", and the log has %zu",
                        p->directory, p->last.eid.v, turn, p->recorded.steps.len);
    for (uint64_t i = 0; i + 1 < turn; i++) {
        stand_on_the_way(p, i + 1);
        rcp_vec_push(&p->plan->schedule.steps, p->recorded.steps.at[i]);
    }
    stand_on_the_way(p, turn);
    p->plan->turn = turn;
    p->plan->last = (struct rcp_run_step){p->last.moment.thread, p->last.moment.after};
    RCP_TRY(go_past(p, &p->last));
    p->plan->recorded = p->plan->schedule.steps.len;
    return RCP_OK;
}

/* The thread of a write that comes late stops before it, and after it. */
static rcp_code pass_late(planning *p) {
    if (!p->is_late)
        return RCP_OK;
    stand(p, &p->racer[0]);
    p->plan->older_step = p->plan->schedule.steps.len;
    p->plan->is_late = true;
    return go_past(p, &p->racer[0]);
}

/* Accesses that a call outside makes (free, a read into a buffer) have no event of their own: the call is one. Memory
 * that is freed without a call goes with its thread. */
static rcp_code describe(const planning *p, const wanted *w, struct rcp_run_access *a) {
    rcp_event event;
    RCP_TRY(rcp_reader_fetch(p->reader, w->eid, &event));
    *a = (struct rcp_run_access){.role = w->moment.thread,
                                 .position = w->moment.before,
                                 .address = event.addr,
                                 .size = rcp_event_extent(&event),
                                 .does = event.kind == RCP_READ  ? RCP_RUN_READS
                                         : event.kind == RCP_RMW ? RCP_RUN_CHANGES
                                                                 : RCP_RUN_WRITES,
                                 .atomic = rcp_event_is_atomic(&event),
                                 .handlers = (uint32_t)w->handlers,
                                 .by = w->moment.is_call        ? RCP_RUN_BY_CALL
                                       : event.kind == RCP_FREE ? RCP_RUN_BY_END
                                                                : RCP_RUN_BY_CODE};
    return RCP_OK;
}

static rcp_code meet(planning *p, int i) {
    RCP_TRY(describe(p, &p->racer[i], &p->plan->race[i]));
    p->plan->is_state[i] = p->racer[i].moment.is_state;
    stand(p, &p->racer[i]);
    return RCP_OK;
}

/* The races that are on the way before this step of the witness. An instruction waits for nobody, so it suffices that
 * both stand there; of a call outside that would not be known. */
static rcp_code meet_others(planning *p, size_t step) {
    for (; p->stop < p->tour->stops.len && p->tour->stops.at[p->stop].step <= step; p->stop++) {
        const wanted *both = &p->sides.at[2 * p->stop];
        struct rcp_run_side side = {0};
        for (int i = 0; i < 2; i++)
            RCP_TRY(describe(p, &both[i], &side.access[i]));
        const struct rcp_run_access *a = side.access;
        if (!is_by_code(p, p->stop) || (a[0].atomic && a[1].atomic))
            continue;
        stand(p, &both[0]);
        stand(p, &both[1]);
        side.step = p->plan->schedule.steps.len;
        rcp_vec_push(&p->plan->sides, side);
        rcp_vec_push(&p->plan->beside, ((rcp_plan_side){p->tour->stops.at[p->stop].pair, {both[0].eid, both[1].eid}}));
    }
    return RCP_OK;
}

/* The last steps: each before its call. */
static rcp_code stand_all(planning *p) {
    for (size_t i = 0; i < p->sides.len; i++) {
        const wanted *w = &p->sides.at[i];
        const struct rcp_run_stand at = {w->moment.thread, w->moment.before};
        if (!w->moment.is_call)
            return rcp_fail(RCP_BAD_INPUT, "%s: event %" PRIu64 " takes a lock without a call", p->directory, w->eid.v);
        stand(p, w);
        rcp_vec_push(&p->plan->stands, at);
    }
    return RCP_OK;
}

static rcp_code plan_all(planning *p) {
    RCP_TRY(rcp_recording_schedule(p->directory, &p->recorded));
    match_threads(p);
    cast_roles(p);
    RCP_TRY(find_moments(p));
    sort_handlers(p);
    RCP_TRY(begin_as_recorded(p));
    RCP_TRY(pass_late(p));
    for (size_t i = 0; i < p->steps.len; i++) {
        RCP_TRY(meet_others(p, i));
        RCP_TRY(go_past(p, &p->steps.at[i]));
    }
    if (p->stands)
        return stand_all(p);
    RCP_TRY(meet_others(p, p->steps.len));
    for (int i = 0; i < 2; i++)
        RCP_TRY(i < (int)p->passed ? describe(p, &p->racer[i], &p->plan->race[i]) : meet(p, i));
    p->plan->is_through = p->passed == BOTH;
    return RCP_OK;
}

static rcp_code make_all(planning *p) {
    rcp_plan *plan = p->plan;
    *plan = (rcp_plan){0};
    rcp_schedule_init(&plan->schedule);
    rcp_schedule_init(&p->recorded);
    rcp_map_init(&p->number);
    rcp_map_init(&p->side_of);
    rcp_code code = plan_all(p);
    for (size_t i = 1; code == RCP_OK && i < p->recorded.names.len; i++) { /* the names go with it */
        rcp_vec_push(&plan->schedule.names, p->recorded.names.at[i]);
        p->recorded.names.at[i] = NULL;
    }
    rcp_schedule_finish(&p->recorded);
    rcp_map_finish(&p->number);
    rcp_map_finish(&p->side_of);
    rcp_vec_finish(&p->sides);
    rcp_vec_finish(&p->steps);
    rcp_vec_finish(&p->courses);
    rcp_vec_finish(&p->handlers);
    return code;
}

static rcp_code make(rcp_plan *plan, const char *directory, rcp_reader *reader, const rcp_race *race,
                     const rcp_tour *tour, const rcp_tour_pair *pairs, enum passed passed, bool is_late) {
    planning p = {.plan = plan,
                  .directory = directory,
                  .reader = reader,
                  .race = race,
                  .witness = tour->stops.len ? &tour->witness : &race->witness,
                  .tour = tour,
                  .pairs = pairs,
                  .passed = passed,
                  .is_late = is_late};
    return make_all(&p);
}

static const rcp_tour no_tour;

rcp_code rcp_plan_make_stand(rcp_plan *plan, const char *directory, rcp_reader *reader,
                             const rcp_standstill *standstill) {
    planning p = {.plan = plan,
                  .directory = directory,
                  .reader = reader,
                  .stands = standstill,
                  .witness = &standstill->witness,
                  .tour = &no_tour};
    return make_all(&p);
}

rcp_code rcp_plan_make(rcp_plan *plan, const char *directory, rcp_reader *reader, const rcp_race *race,
                       const rcp_tour *tour, const rcp_tour_pair *pairs) {
    return make(plan, directory, reader, race, tour ? tour : &no_tour, pairs, NEITHER, false);
}

rcp_code rcp_plan_make_older(rcp_plan *plan, const char *directory, rcp_reader *reader, const rcp_race *race) {
    return make(plan, directory, reader, race, &no_tour, NULL, FIRST, false);
}

rcp_code rcp_plan_make_late(rcp_plan *plan, const char *directory, rcp_reader *reader, const rcp_race *race) {
    return make(plan, directory, reader, race, &no_tour, NULL, FIRST, true);
}

rcp_code rcp_plan_make_through(rcp_plan *plan, const char *directory, rcp_reader *reader, const rcp_race *race) {
    rcp_race through = *race; /* its witness is lent */
    const uint64_t a = race->event[0].v, b = race->event[1].v;
    if (!race->witness.steps.len)
        through.witness.recorded = (a > b ? a : b) + 1;
    return make(plan, directory, reader, &through, &no_tour, NULL, BOTH, false);
}
