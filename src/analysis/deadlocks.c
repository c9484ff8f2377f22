/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/deadlocks.h"

#include "base/deadline.h"
#include "base/limits.h"
#include "base/stage.h"
#include "outside/outside.h"
#include "predict/facts/lock_orders.h"
#include "predict/solve/ladder.h"
#include "program/recording/waits.h"
#include "program/telling/moments.h"

#include <stdio.h>
#include <string.h>

typedef struct finding {
    rcp_study *study;
    rcp_lock_orders orders;
    rcp_map row_at; /* ACQUIRE that may be in a cycle -> in `rows`: what was called; RCP_MAP_NONE - 1: not known yet */
    RCP_VEC(const rcp_outside *) rows;
    RCP_VEC(rcp_reach) broken; /* of locks with which something was done that no rule allows */
    rcp_ladder *ladder;
    rcp_relaxation relaxation;
    uint64_t asked, found, none;
    uint64_t unknown; /* takes that may have given up: by calls of which nothing is known */
} finding;

#define NOT_KNOWN (RCP_MAP_NONE - 1)

/* --- who asks for what --- */

/* Whoever tells a recorded run tells what the rules refuse as a pair that is named after the event
 * (program/telling/sink_sync.c): a mutex that another thread has released, and may release again. */
static void look_at_pair(finding *f, const rcp_event *e) {
    const rcp_defs *defs = f->orders.defs;
    if (e->kind != RCP_OPAQUE_BEGIN)
        return;
    const char *callee = rcp_defs_borrow_string(defs, e->callee);
    bool is_new = !strcmp(callee, rcp_event_traits(RCP_RELEASE)->name) ||
                  !strcmp(callee, rcp_event_traits(RCP_ACQUIRE)->name) ||
                  !strcmp(callee, rcp_event_traits(RCP_WAIT)->name);
    for (size_t i = 0; is_new && i < f->broken.len; i++)
        is_new = f->broken.at[i].v != e->reach.v;
    if (is_new)
        rcp_vec_push(&f->broken, e->reach);
}

static bool is_broken(const finding *f, rcp_obj lock) {
    const uint64_t at = f->orders.defs->objects.at[lock.v].addr;
    for (size_t i = 0; i < f->broken.len; i++)
        if (rcp_defs_reach_holds(f->orders.defs, f->broken.at[i], at, at + 1))
            return true;
    return false;
}

static void look_at(finding *f, uint64_t number, const rcp_event *e) {
    look_at_pair(f, e);
    rcp_lock_orders_add(&f->orders, (uint32_t)number, e);
}

/* The trace is there mostly: races were predicted on it. */
static rcp_code read_orders(finding *f) {
    const rcp_subject *run = &f->study->run;
    rcp_reader *reader = run->reader;
    const uint64_t most = rcp_study_most(f->study), end = most < f->study->checked ? most : f->study->checked;
    for (uint64_t n = 0; run->is_loaded && n < end && n < run->trace.events.len; n++)
        look_at(f, n, &run->trace.events.at[n]);
    if (run->is_loaded)
        return RCP_OK;
    rcp_batch batch;
    rcp_code code = rcp_reader_seek(reader, (rcp_eid){0});
    for (uint64_t n = 0; code == RCP_OK && n < end;) {
        code = rcp_reader_next(reader, &batch);
        if (code != RCP_OK || !batch.n)
            break;
        for (size_t i = 0; i < batch.n && n < end; i++, n++)
            look_at(f, n, &batch.at[i]);
    }
    return code;
}

static bool take_call(void *context, uint64_t event, const rcp_moment *moment) {
    finding *f = context;
    if (rcp_map_get(&f->row_at, event) == RCP_MAP_NONE)
        return true;
    rcp_map_set(&f->row_at, event, (uint32_t)f->rows.len);
    rcp_vec_push(&f->rows, moment->callee ? rcp_outside_find(moment->callee) : NULL);
    return true;
}

static const rcp_outside *row_of(const finding *f, uint32_t event) {
    uint32_t row = rcp_map_get(&f->row_at, event);
    return row >= NOT_KNOWN ? NULL : f->rows.at[row];
}

/* For as long as it must: a call of which that is not known may have given up. */
static bool waits(void *context, uint32_t event) {
    finding *f = context;
    const rcp_outside *row = row_of(f, event);
    f->unknown += !row;
    if (is_broken(f, f->study->run.trace.events.at[event].object))
        return false;
    return row && (row->model == RCP_MODEL_SYNC && row->sync.patience == RCP_PATIENCE_WAITS &&
                   (row->sync.does == RCP_DOES_ACQUIRE || row->sync.does == RCP_DOES_ACQUIRE_SHARED ||
                    row->sync.does == RCP_DOES_SEM_WAIT));
}

static rcp_code drop_those_with_an_end(finding *f) {
    if (!f->study->run.is_recorded)
        return RCP_OK;
    for (size_t i = 0; i < f->orders.wishes.len; i++)
        for (uint32_t k = 0; k < f->orders.wishes.at[i].n; k++)
            rcp_map_set(&f->row_at, f->orders.wishes.at[i].event[k], NOT_KNOWN);
    RCP_TRY(rcp_subject_load(&f->study->run, rcp_study_most(f->study)));
    RCP_TRY(rcp_moments_read(f->study->run.directory, take_call, f));
    rcp_lock_orders_keep(&f->orders, waits, f);
    return RCP_OK;
}

/* --- what is told of one --- */

static enum rcp_sync_object kind_of(rcp_object_kind kind) {
    return kind == RCP_SEM         ? RCP_SYNC_SEM
           : kind == RCP_RWLOCK    ? RCP_SYNC_RWLOCK
           : kind == RCP_RECURSIVE ? RCP_SYNC_RECURSIVE
                                   : RCP_SYNC_MUTEX;
}

static const char *name_of(const rcp_trace *trace, rcp_tid tid) {
    return rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[tid.v].name);
}

enum { NOT_TAKEN = UINT32_MAX };

/* Where the thread, standing before `event`, has taken the semaphore last, if more often than it gave it. */
static uint32_t took_semaphore(const rcp_run_facts *facts, uint32_t event, uint32_t semaphore) {
    const rcp_event *e = rcp_run_facts_event(facts, event);
    uint32_t last = NOT_TAKEN;
    int taken = 0;
    for (size_t i = facts->named.first[semaphore]; i < facts->named.first[semaphore + 1]; i++) {
        const rcp_event *other = rcp_run_facts_event(facts, facts->named.at[i]);
        if (facts->named.at[i] >= event || other->tid.v != e->tid.v)
            continue;
        const bool is_taken = other->kind == RCP_SEM_WAIT && other->outcome == RCP_DONE;
        last = is_taken ? facts->named.at[i] : last;
        taken += is_taken;
        taken -= other->kind == RCP_SEM_POST;
    }
    return taken > 0 ? last : NOT_TAKEN;
}

/* Where the thread, standing before `event`, has taken the lock that `wish` asks for. */
static uint32_t took_lock(const rcp_run_facts *facts, uint32_t event, uint32_t wish) {
    const rcp_event *e = rcp_run_facts_event(facts, event), *asks = rcp_run_facts_event(facts, wish);
    const uint32_t lock = asks->object.v;
    if (asks->kind == RCP_SEM_WAIT)
        return took_semaphore(facts, event, lock);
    for (uint32_t i = facts->first_section[lock]; i < facts->first_section[lock + 1]; i++) {
        const rcp_critical *s = &facts->sections.at[i];
        bool excludes = s->mode == RCP_EXCLUSIVE || asks->mode == RCP_EXCLUSIVE;
        if (s->tid == e->tid.v && s->acquire < event && s->release > event && excludes)
            return s->acquire;
    }
    return NOT_TAKEN;
}

static void put_wait(const finding *f, const rcp_standing *standing, uint32_t i, rcp_text *to) {
    const rcp_run_facts *facts = &f->study->run.groundwork->facts;
    const rcp_trace *trace = facts->trace;
    const rcp_event *e = rcp_run_facts_event(facts, standing->event[i]);
    const rcp_object *object = &trace->defs.objects.at[e->object.v];
    const struct rcp_log_wait wait = {.address = object->addr, .kind = kind_of((rcp_object_kind)object->kind)};
    const rcp_outside *row = row_of(f, standing->event[i]);
    const char *holder = NULL;
    rcp_text places = {0}, taken = {0};
    for (uint32_t k = 0; k < standing->n; k++) {
        const uint32_t took = k != i ? took_lock(facts, standing->event[k], standing->event[i]) : NOT_TAKEN;
        if (took == NOT_TAKEN)
            continue;
        const rcp_event *there = rcp_run_facts_event(facts, took);
        holder = name_of(trace, there->tid);
        rcp_text_clear(&taken);
        rcp_waits_put_taken(&taken, &trace->defs, there->loc, there->stack);
    }
    rcp_waits_put_places(&places, &trace->defs, e->loc, e->stack);
    rcp_waits_put(to, &(rcp_waiting){.wait = &wait,
                                     .thread = name_of(trace, e->tid),
                                     .holder = holder,
                                     .variable = rcp_defs_borrow_string(&trace->defs, object->name),
                                     .call = row ? row->name : NULL,
                                     .taken = taken.at,
                                     .places = places.at});
    rcp_text_finish(&places);
    rcp_text_finish(&taken);
}

static rcp_code put(finding *f, const rcp_standing *standing, rcp_witness *witness) {
    rcp_standstill found;
    rcp_text threads = {0};
    rcp_standstill_init(&found);
    found.witness = *witness;
    rcp_witness_init(witness);
    for (uint32_t i = 0; i < standing->n; i++) {
        rcp_text_puts(&threads, i ? ",\n        " : "");
        put_wait(f, standing, i, &threads);
        rcp_vec_push(&found.events, (rcp_eid){standing->event[i]});
    }
    found.threads = threads.at;
    rcp_code code = rcp_results_put_standstill(f->study->results, &found);
    rcp_standstill_finish(&found);
    return code;
}

/* --- the queries --- */

/* Until one of its instances has a witness. What others were cut by does not matter then. */
static rcp_code ask(finding *f, const rcp_lock_cycle *cycle) {
    rcp_limit_counts cut = {0}, *before = rcp_limits_capture(&cut);
    rcp_code code = RCP_OK;
    bool is_found = false, is_late = false;
    for (size_t i = 0; code == RCP_OK && i < cycle->kept.len && !is_found && !is_late; i++) {
        rcp_witness witness;
        rcp_answer answer;
        rcp_witness_init(&witness);
        code =
            rcp_ladder_stand(f->ladder, f->relaxation, cycle->kept.at[i].event, cycle->kept.at[i].n, &witness, &answer);
        is_found = code == RCP_OK && answer == RCP_ANSWER_WITNESS;
        if (is_found)
            code = put(f, &cycle->kept.at[i], &witness);
        rcp_witness_finish(&witness);
        is_late = !is_found && rcp_deadline_is_over();
    }
    rcp_limits_capture(before);
    f->asked++;
    f->found += is_found;
    f->none += !is_found && !is_late;
    if (is_found)
        return code;
    if (is_late) {
        rcp_limit_reached(RCP_LIMIT_DEADLOCK_SHARE);
        return code;
    }
    rcp_limits_add(&cut);
    if (cycle->is_cut)
        rcp_limit_reached(RCP_LIMIT_DEADLOCK_INSTANCES);
    return code;
}

static rcp_relaxation relaxation_of(uint32_t models) {
    return models & (RCP_MODEL_BIT(RCP_MODEL_RECIPE_S) | RCP_EXPLORING_MODELS) ? RCP_RELAX_VALUES
           : models & RCP_MODEL_BIT(RCP_MODEL_RV)                              ? RCP_RELAX_DATA
                                                                               : RCP_RELAX_NOTHING;
}

static rcp_code ask_all(finding *f) {
    rcp_study *study = f->study;
    RCP_TRY(rcp_subject_load(&study->run, rcp_study_most(study)));
    RCP_TRY(rcp_subject_lay_groundwork(&study->run));
    rcp_lock_orders_find(&f->orders, study->run.groundwork->forced.must);
    rcp_ladder_limits limits = rcp_ladder_limits_set();
    const size_t most = (size_t)rcp_limit(RCP_LIMIT_LONG_QUERY_EVENTS);
    limits.steps /= rcp_limit(RCP_LIMIT_TURN_PART); /* as of other questions that come beside races */
    limits.nodes = limits.nodes < most ? limits.nodes : most;
    f->ladder = rcp_ladder_create(study->run.groundwork, limits);
    f->relaxation = relaxation_of(study->options->models);
    rcp_code code = RCP_OK;
    const size_t n = f->orders.cycles.len, asked = (size_t)rcp_limit(RCP_LIMIT_DEADLOCK_CYCLES);
    for (size_t i = 0; code == RCP_OK && i < n; i++) {
        rcp_stage_at(i, n);
        if (i >= asked || rcp_deadline_is_over()) {
            rcp_limit_reached_times(i >= asked ? RCP_LIMIT_DEADLOCK_CYCLES : RCP_LIMIT_DEADLOCK_SHARE, n - i);
            break;
        }
        code = ask(f, &f->orders.cycles.at[i]);
    }
    const uint64_t refused = rcp_ladder_statistics(f->ladder).refused;
    if (refused && !study->unaccepted)
        snprintf(study->refusal, sizeof study->refusal, "threads do not wait for each other where they were led");
    study->unaccepted += refused;
    rcp_ladder_destroy(f->ladder);
    return code;
}

static rcp_code keep_statistics(const finding *f) {
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_DEADLOCK_CYCLES, (double)f->orders.cycles.len},
        {RCP_STATISTIC_DEADLOCK_ASKED, (double)f->asked},
        {RCP_STATISTIC_DEADLOCK_FOUND, (double)f->found},
        {RCP_STATISTIC_DEADLOCK_NONE, (double)f->none},
        {RCP_STATISTIC_DEADLOCK_OTHER_WAITS, (double)rcp_lock_orders_other_waits(&f->orders)},
        {RCP_STATISTIC_DEADLOCK_UNKNOWN_TAKES, (double)f->unknown},
    };
    return f->orders.wishes.len + f->orders.others.len
               ? rcp_results_put_statistics(f->study->results, NULL, rows, sizeof rows / sizeof *rows)
               : RCP_OK;
}

rcp_code rcp_deadlocks_find(rcp_study *study) {
    finding f = {.study = study};
    rcp_lock_orders_init(&f.orders, rcp_reader_borrow_defs(study->run.reader));
    rcp_map_init(&f.row_at);
    rcp_stage_begin("looking for locks that are taken in turn");
    rcp_budget_hold(&study->budget, rcp_limit(RCP_LIMIT_DEADLOCK_SHARE));
    rcp_code code = read_orders(&f);
    if (code == RCP_OK)
        rcp_lock_orders_find(&f.orders, NULL);
    bool is_any = code == RCP_OK && (f.orders.cycles.len || f.orders.is_over);
    if (is_any)
        code = drop_those_with_an_end(&f);
    if (is_any && code == RCP_OK)
        code = ask_all(&f);
    if (code == RCP_LIMIT && rcp_deadline_is_over()) {
        rcp_clear_causes();
        rcp_limit_reached(RCP_LIMIT_DEADLOCK_SHARE);
        code = RCP_OK;
    }
    rcp_budget_hold(&study->budget, 100);
    rcp_stage_end();
    if (code == RCP_OK)
        code = keep_statistics(&f);
    rcp_lock_orders_finish(&f.orders);
    rcp_map_finish(&f.row_at);
    rcp_vec_finish(&f.rows);
    rcp_vec_finish(&f.broken);
    return code;
}
