/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/atomicity.h"

#include "analysis/leading.h"
#include "analysis/upshot.h"
#include "analysis/points.h"
#include "analysis/values.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/stage.h"
#include "predict/solve/ladder.h"
#include "program/recording/waits.h"
#include "record/inputs.h"
#include "results/fingerprint.h"
#include "trace/model/own_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Of rcp_atomicity, in its memory. */
enum { NUMBERS = 6 };

/* One parting, and what came of its orders. */
typedef struct attempt {
    rcp_atomicity *work;
    rcp_subject *run;
    rcp_ladder *ladder;
    const rcp_parting *parting;
    rcp_witness witness[RCP_UPSHOT_ORDERS];
    rcp_answer answer[RCP_UPSHOT_ORDERS];
    rcp_upshot outcome[RCP_UPSHOT_ORDERS];
    bool with_lines;
    uint32_t kept; /* the variant that shows it; 0: none */
} attempt;

static bool is_over(const rcp_atomicity *work) {
    return *work->stop || rcp_deadline_is_over() || work->leftovers->why_not.len;
}

/* --- orders --- */

/* The section between the other two, in which the reader stands then; or the last section of one operation, before the
 * other one has begun. */
static rcp_arrangement arrange(const rcp_parting *p, rcp_upshot_order order) {
    switch (order) {
    case RCP_UPSHOT_BETWEEN:
        return (rcp_arrangement){.last = {p->of_access->acquire},
                                 .never = RCP_NO_EID,
                                 .before = {{p->of_read->release}, {p->of_write->release}},
                                 .after = {{p->of_write->acquire}, {p->of_access->acquire}},
                                 .n = 2};
    case RCP_UPSHOT_BEFORE: return (rcp_arrangement){.last = {p->of_write->acquire}, .never = {p->of_read->acquire}};
    default: return (rcp_arrangement){.last = {p->of_access->acquire}, .never = {p->begins->acquire}};
    }
}

static rcp_code ask(attempt *a, rcp_upshot_order order) {
    const rcp_arrangement wanted = arrange(a->parting, order);
    return rcp_ladder_arrange(a->ladder, &wanted, &a->witness[order], &a->answer[order]);
}

/* --- runs --- */

static rcp_code perform(attempt *a, rcp_upshot_order order, rcp_performance *p, bool *is_made) {
    rcp_atomicity *work = a->work;
    rcp_staging so = *work->staging;
    rcp_race race;
    rcp_plan plan;
    *is_made = false;
    rcp_race_init(&race);
    race.event[0] = race.event[1] = arrange(a->parting, order).last;
    race.witness = a->witness[order]; /* lent */
    rcp_code code = rcp_plan_make_through(&plan, a->run->directory, a->run->reader, &race);
    so.limit = rcp_leading_limit(&so, work->end);
    if (code == RCP_OK)
        code = rcp_leftovers_clear(work->leftovers, &so, so.limit, work->notices, is_made);
    if (code == RCP_OK && *is_made) {
        plan.signals = 0; /* as in a run that is led along a guess */
        plan.handlers.len = 0;
        so.plan = &plan;
        so.is_guess = true;
        so.patience = work->patience;
        work->runs++;
        code = rcp_stage_perform(&so, p);
    }
    rcp_plan_finish(&plan);
    rcp_witness_init(&race.witness);
    rcp_race_finish(&race);
    return code;
}

/* What the program did, told; and where it shows the parting, it is kept. */
static rcp_code judge(attempt *a, rcp_upshot_order order, const rcp_performance *p, rcp_upshot *outcome) {
    rcp_atomicity *work = a->work;
    const uint32_t number = rcp_variants_next(work->directory);
    char *path = rcp_variant_take_path(work->directory, number);
    rcp_text why = {0};
    rcp_subject is;
    rcp_code code = rcp_variant_settle(p, path);
    rcp_subject_init(&is, path, number, false);
    bool is_run = false;
    if (code == RCP_OK)
        code = rcp_variant_is_run(&is, &is_run, &why);
    if (code == RCP_OK && is_run)
        code = rcp_subject_load(&is, rcp_limit(RCP_LIMIT_EVENTS));
    if (code == RCP_OK && is.is_loaded)
        rcp_upshot_take(outcome, &a->run->trace, a->parting, order, &is.trace, p);
    if (work->notices->verbose && why.len)
        rcp_notices_say(work->notices, "atomicity, run %" PRIu64 ": %s", work->runs, why.at);
    rcp_subject_finish(&is);
    const bool is_kept = code == RCP_OK && outcome->is_so && order == RCP_UPSHOT_BETWEEN && !a->kept;
    if (is_kept)
        a->kept = number;
    else
        rcp_file_remove_tree(path);
    rcp_text_finish(&why);
    rcp_release(path);
    return code;
}

static rcp_code carry_out(attempt *a, rcp_upshot_order order, rcp_upshot *outcome) {
    static const char *const names[] = {"between", "before", "after"};
    const rcp_notices *notices = a->work->notices;
    rcp_performance p = {0};
    bool is_made;
    *outcome = (rcp_upshot){.is_so = false};
    rcp_code code = perform(a, order, &p, &is_made);
    const bool has_come = p.outcome.verdict == RCP_RUN_BOTH || p.outcome.deadlocked == 1 ||
                          (!p.was_late && WIFSIGNALED(p.status) && WTERMSIG(p.status) != SIGKILL);
    if (code == RCP_OK && is_made && has_come)
        code = judge(a, order, &p, outcome);
    if (code == RCP_OK && notices->verbose)
        rcp_notices_say(notices, "atomicity, run %" PRIu64 ", the write %s: %s%.*s", a->work->runs, names[order],
                        outcome->is_so ? outcome->end.at
                        : has_come     ? "it came there, and not in that order, or nothing had changed"
                                       : "it did not come there: ",
                        has_come ? 0 : (int)strcspn(p.outcome.what, "\n"), p.outcome.what);
    rcp_performance_finish(&p);
    return code;
}

/* Once more: does the same come of it? */
static rcp_code repeat(attempt *a, rcp_upshot_order order, bool *is_same) {
    rcp_upshot again;
    rcp_code code = carry_out(a, order, &again);
    *is_same = code == RCP_OK && again.is_so && rcp_upshot_is_again(&a->outcome[order], &again);
    a->with_lines &= again.lines == a->outcome[order].lines;
    rcp_upshot_finish(&again);
    return code;
}

/* --- one parting --- */

static bool is_made(const attempt *a, rcp_upshot_order order) { return a->answer[order] == RCP_ANSWER_WITNESS; }

/* U5, so far. */
static bool is_other(const attempt *a) {
    bool is = true;
    for (rcp_upshot_order o = RCP_UPSHOT_BEFORE; o < RCP_UPSHOT_ORDERS; o++)
        is &= !is_made(a, o) || rcp_upshot_compare(&a->outcome[RCP_UPSHOT_BETWEEN], &a->outcome[o], a->with_lines);
    return is;
}

/* *is_known: of each of the two other orders what comes of it, or that it can't be; and of one of them at least the
 * former. *first: that one. */
static rcp_code try_apart(attempt *a, bool *is_known, rcp_upshot_order *first) {
    *first = RCP_UPSHOT_ORDERS;
    *is_known = true;
    for (rcp_upshot_order o = RCP_UPSHOT_BEFORE; o < RCP_UPSHOT_ORDERS && *is_known; o++) {
        RCP_TRY(ask(a, o));
        if (is_made(a, o))
            RCP_TRY(carry_out(a, o, &a->outcome[o]));
        *is_known = a->answer[o] == RCP_ANSWER_NONE ||
                    (is_made(a, o) && a->outcome[o].is_so &&
                     rcp_upshot_is_comparable(&a->outcome[RCP_UPSHOT_BETWEEN], &a->outcome[o]));
        *first = *first == RCP_UPSHOT_ORDERS && is_made(a, o) ? o : *first;
    }
    *is_known &= *first < RCP_UPSHOT_ORDERS;
    return RCP_OK;
}

/* *is_so: what comes of the section between comes of none of the other orders, and comes of it again. */
static rcp_code compare_orders(attempt *a, bool *is_known, bool *is_so) {
    rcp_upshot_order first;
    *is_so = false;
    RCP_TRY(try_apart(a, is_known, &first));
    *is_so = *is_known && is_other(a);
    if (*is_so)
        RCP_TRY(repeat(a, RCP_UPSHOT_BETWEEN, is_so));
    if (*is_so)
        RCP_TRY(repeat(a, first, is_so));
    *is_so = *is_so && is_other(a);
    return RCP_OK;
}

/* --- in words --- */

static const char *name_of(const rcp_trace *trace, const rcp_event *e) {
    return rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[e->tid.v].name);
}

static void put_outcome(rcp_text *to, const attempt *a, rcp_upshot_order order) {
    static const char *const keys[] = {"between", "before", "after"};
    const rcp_upshot *o = &a->outcome[order];
    const uint64_t size = a->run->trace.events.at[a->parting->read].size;
    if (!is_made(a, order))
        return;
    rcp_text value = {0}, last = {0};
    if (o->knows_after)
        rcp_values_put(o->after, size, &value);
    if (o->knows_last)
        rcp_values_put(o->last, size, &last);
    rcp_text_printf(to, ", \"%s\": { ", keys[order]);
    rcp_json_put_string(to, "value", value.len ? value.at : "");
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "last", last.len ? last.at : "");
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "end", o->end.at);
    rcp_text_puts(to, " }");
    rcp_text_finish(&value);
    rcp_text_finish(&last);
}

static void put_access(rcp_text *to, const attempt *a, uint32_t event) {
    const rcp_trace *trace = &a->run->trace;
    const rcp_event *e = &trace->events.at[event];
    const rcp_loc own = rcp_own_place(&trace->defs, e);
    rcp_stack stack = e->stack;
    for (rcp_loc at = e->loc; at.v != own.v && stack.v; stack = trace->defs.stacks.at[stack.v].caller)
        at = trace->defs.stacks.at[stack.v].loc;
    rcp_text_puts(to, "{ ");
    rcp_json_put_string(to, "thread_name", name_of(trace, e));
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "op", e->kind == RCP_RMW ? "rmw" : e->kind == RCP_READ ? "read" : "write");
    rcp_text_puts(to, ", ");
    rcp_waits_put_places(to, &trace->defs, own, stack);
    rcp_text_puts(to, " }");
}

/* How the first of the other orders differs from this one. */
static void put_why(rcp_text *to, const attempt *a) {
    const rcp_upshot_order order = is_made(a, RCP_UPSHOT_BEFORE) ? RCP_UPSHOT_BEFORE : RCP_UPSHOT_AFTER;
    const rcp_upshot *is = &a->outcome[RCP_UPSHOT_BETWEEN], *other = &a->outcome[order];
    const rcp_trace *trace = &a->run->trace;
    const rcp_event *r = &trace->events.at[a->parting->read];
    const rcp_upshot_difference by = rcp_upshot_compare(is, other, a->with_lines);
    rcp_text_printf(to, "With thread %s's section between the two, ",
                    name_of(trace, &trace->events.at[a->parting->write]));
    if (by == RCP_UPSHOT_ENDS)
        rcp_text_printf(to, "the program %s; apart, it %s.", is->end.at, other->end.at);
    else if (by == RCP_UPSHOT_LINES)
        rcp_text_puts(to, "the program prints something else than where they are apart.");
    else {
        rcp_values_name(&trace->defs, r, to);
        rcp_text_puts(to, " is ");
        rcp_values_put(is->after, r->size, to);
        for (rcp_upshot_order o = RCP_UPSHOT_BEFORE; o < RCP_UPSHOT_ORDERS; o++)
            if (is_made(a, o) && a->outcome[o].knows_after) {
                rcp_text_printf(to, "; with thread %s's operation first, ",
                                name_of(trace, o == RCP_UPSHOT_BEFORE ? &trace->events.at[a->parting->write] : r));
                rcp_values_put(a->outcome[o].after, r->size, to);
            }
        rcp_text_puts(to, ".");
    }
}

static uint64_t fingerprint_of(const rcp_trace *trace, const rcp_parting *p) {
    const rcp_event *r = &trace->events.at[p->read], *w = &trace->events.at[p->write];
    const rcp_event *x = &trace->events.at[p->access];
    return rcp_hash_join(rcp_fingerprint(&trace->defs, r, w), rcp_fingerprint(&trace->defs, w, x));
}

static void put(rcp_text *to, const attempt *a) {
    const rcp_trace *trace = &a->run->trace;
    const rcp_parting *p = a->parting;
    const rcp_event *r = &trace->events.at[p->read];
    const rcp_object *lock = &trace->defs.objects.at[p->of_read->lock];
    rcp_text name = {0}, why = {0};
    rcp_values_bare_name(&trace->defs, r, &name);
    put_why(&why, a);
    rcp_text_printf(to, "{ \"fingerprint\": \"%016" PRIx64 "\", ", fingerprint_of(trace, p));
    rcp_json_put_string(to, "variable", name.len ? name.at : "");
    rcp_text_printf(to, ", \"address\": \"0x%" PRIx64 "\", \"size\": %u, ", r->addr, r->size);
    rcp_json_put_string(to, "lock", rcp_defs_borrow_string(&trace->defs, lock->name));
    rcp_text_printf(to, ", \"lock_address\": \"0x%" PRIx64 "\",\n      ", lock->addr);
    rcp_json_put_string(to, "why", why.at);
    for (rcp_upshot_order o = RCP_UPSHOT_BETWEEN; o < RCP_UPSHOT_ORDERS; o++)
        put_outcome(to, a, o);
    rcp_text_printf(to, ", \"recording\": \"variants/%u\",\n      \"accesses\": [\n        ", a->kept);
    const uint32_t events[] = {p->read, p->write, p->access};
    for (size_t i = 0; i < 3; i++) {
        rcp_text_puts(to, i ? ",\n        " : "");
        put_access(to, a, events[i]);
    }
    rcp_text_puts(to, " ] }");
    rcp_text_finish(&name);
    rcp_text_finish(&why);
}

/* --- all of them --- */

/* One report for the same sections, whichever of their accesses shows it. */
static uint64_t sections_of(const rcp_trace *trace, const rcp_parting *p) {
    const rcp_critical *all[] = {p->of_read, p->of_access, p->of_write};
    const uint32_t accesses[] = {p->read, p->access, p->write};
    uint64_t h = 0;
    for (size_t i = 0; i < 3; i++) {
        const rcp_event *begin = &trace->events.at[all[i]->acquire], *e = &trace->events.at[accesses[i]];
        const char *function = rcp_defs_borrow_string(&trace->defs, trace->defs.locations.at[e->loc.v].function);
        h = rcp_hash_join(h, rcp_point_of_location(&trace->defs, rcp_own_place(&trace->defs, begin)));
        h = rcp_hash_join(h, rcp_hash_bytes(function, strlen(function)));
    }
    return h;
}

/* What was shown stays; what was not is counted, and its run goes. */
static rcp_code conclude(attempt *a, bool is_known, bool is_so) {
    rcp_atomicity *work = a->work;
    rcp_code code = RCP_OK;
    const bool is_possible = is_made(a, RCP_UPSHOT_BETWEEN);
    work->possible += is_possible;
    work->lost += is_possible && !is_known;
    work->not_shown += is_known && !is_so;
    work->n_shown += is_so;
    *rcp_map_at(&work->places, a->parting->places) += is_possible;
    if (is_so) {
        rcp_text told = {0};
        put(&told, a);
        code = rcp_results_put_violation(work->results, work->trace, a->kept, told.at);
        rcp_text_finish(&told);
    } else if (a->kept) {
        char *path = rcp_variant_take_path(work->directory, a->kept);
        rcp_file_remove_tree(path);
        rcp_release(path);
    }
    return code;
}

static rcp_code try(rcp_atomicity *work, rcp_subject *run, rcp_ladder *ladder, const rcp_parting *p, bool *is_so) {
    attempt a = {.work = work, .run = run, .ladder = ladder, .parting = p, .with_lines = true};
    bool is_known = false;
    *is_so = false;
    for (rcp_upshot_order o = RCP_UPSHOT_BETWEEN; o < RCP_UPSHOT_ORDERS; o++) {
        rcp_witness_init(&a.witness[o]);
        a.answer[o] = RCP_ANSWER_LIMIT;
    }
    rcp_code code = ask(&a, RCP_UPSHOT_BETWEEN);
    if (code == RCP_OK && is_made(&a, RCP_UPSHOT_BETWEEN))
        code = carry_out(&a, RCP_UPSHOT_BETWEEN, &a.outcome[RCP_UPSHOT_BETWEEN]);
    if (code == RCP_OK && a.outcome[RCP_UPSHOT_BETWEEN].is_so)
        code = compare_orders(&a, &is_known, is_so);
    *is_so &= code == RCP_OK;
    const rcp_code concluded = conclude(&a, is_known, *is_so);
    for (rcp_upshot_order o = RCP_UPSHOT_BETWEEN; o < RCP_UPSHOT_ORDERS; o++) {
        rcp_witness_finish(&a.witness[o]);
        rcp_upshot_finish(&a.outcome[o]);
    }
    return code == RCP_OK ? concluded : code;
}

static bool writes(const rcp_trace *trace, const rcp_parting *p) {
    return rcp_event_writes(&trace->events.at[p->access]);
}

/* Has something like it been reported, or have enough places been asked about? */
static bool is_left_out(rcp_atomicity *work, const rcp_trace *trace, const rcp_parting *p) {
    if (rcp_map_get(&work->known, fingerprint_of(trace, p)) != RCP_MAP_NONE)
        rcp_map_set(&work->shown, sections_of(trace, p), 1);
    if (rcp_map_get(&work->shown, sections_of(trace, p)) != RCP_MAP_NONE)
        return true;
    const uint32_t carried_out = rcp_map_get(&work->places, p->places);
    if (carried_out != RCP_MAP_NONE) {
        if (carried_out >= rcp_limit(RCP_LIMIT_ATOMICITY_INSTANCES))
            rcp_map_set(&work->cut, p->places, 1);
        return carried_out >= rcp_limit(RCP_LIMIT_ATOMICITY_INSTANCES);
    }
    if (work->n_places >= rcp_limit(RCP_LIMIT_ATOMICITY_PLACES)) {
        rcp_limit_reached(RCP_LIMIT_ATOMICITY_PLACES);
        return true;
    }
    rcp_map_set(&work->places, p->places, 0);
    work->n_places++;
    return false;
}

static rcp_code look_at(rcp_atomicity *work, rcp_subject *run, rcp_ladder *ladder, const rcp_parting *p) {
    const rcp_trace *trace = &run->trace;
    bool is_done;
    if (is_left_out(work, trace, p))
        return RCP_OK;
    if (is_over(work)) {
        rcp_limit_reached(RCP_LIMIT_ATOMICITY_SHARE);
        return RCP_OK;
    }
    RCP_TRY(try(work, run, ladder, p, &is_done));
    if (is_done)
        rcp_map_set(&work->shown, sections_of(trace, p), 1);
    return RCP_OK;
}

/* Places of which not all instances were listed, where none of those shows anything. */
static void note_cut(rcp_atomicity *work, const rcp_trace *trace, const rcp_partings *list) {
    for (size_t i = 0; i < list->at.len; i++) {
        const rcp_parting *p = &list->at.at[i];
        if (rcp_map_get(&work->shown, sections_of(trace, p)) != RCP_MAP_NONE)
            rcp_map_remove(&work->cut, p->places);
        else if (rcp_partings_is_cut(list, p))
            rcp_map_set(&work->cut, p->places, 1);
    }
}

/* What writes first: that says more than what only looks. */
rcp_code rcp_atomicity_look(rcp_atomicity *work, rcp_subject *run) {
    rcp_partings list;
    rcp_partings_find(&list, &run->groundwork->facts);
    rcp_ladder *ladder = rcp_ladder_create(run->groundwork, rcp_ladder_limits_set());
    rcp_code code = RCP_OK;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; code == RCP_OK && i < list.at.len; i++)
            if (writes(&run->trace, &list.at.at[i]) == (pass == 0))
                code = look_at(work, run, ladder, &list.at.at[i]);
    note_cut(work, &run->trace, &list);
    rcp_ladder_destroy(ladder);
    rcp_partings_finish(&list);
    return code;
}

void rcp_atomicity_init(rcp_atomicity *work) {
    rcp_map_init(&work->places);
    rcp_map_init(&work->shown);
    rcp_map_init(&work->cut);
    rcp_map_init(&work->known);
    work->n_places = work->possible = work->n_shown = work->not_shown = work->lost = work->runs = 0;
}

void rcp_atomicity_finish(rcp_atomicity *work) {
    rcp_map_finish(&work->places);
    rcp_map_finish(&work->shown);
    rcp_map_finish(&work->cut);
    rcp_map_finish(&work->known);
}

/* --- for a later call --- */

void rcp_atomicity_note_known(rcp_atomicity *work, const rcp_summary *summary) {
    for (size_t i = 0; i < summary->violations.len; i++) {
        const rcp_violation *one = &summary->violations.at[i];
        rcp_arena arena;
        const rcp_json *object = NULL;
        rcp_arena_init(&arena);
        if (rcp_json_parse("an atomicity violation", one->told, strlen(one->told), &arena, &object) != RCP_OK)
            rcp_clear_causes();
        const char *word = rcp_json_string(rcp_json_member(object, "fingerprint"));
        if (one->variant && word)
            rcp_map_set(&work->known, strtoull(word, NULL, 16), 1);
        rcp_arena_finish(&arena);
    }
}

/* Its size, and its keys with their values. */
static void remember_map(const rcp_map *map, rcp_atomicity_memory *memory) {
    rcp_vec_push(memory, map->len);
    RCP_MAP_EACH(map, slot) {
        rcp_vec_push(memory, slot->key);
        rcp_vec_push(memory, slot->value);
    }
}

void rcp_atomicity_remember(const rcp_atomicity *work, rcp_atomicity_memory *memory) {
    const uint64_t numbers[] = {work->n_places, work->possible, work->n_shown, work->not_shown, work->lost, work->runs};
    memory->len = 0;
    memcpy(rcp_vec_extend(memory, NUMBERS), numbers, sizeof numbers);
    remember_map(&work->places, memory);
    remember_map(&work->cut, memory);
    remember_map(&work->shown, memory);
}

/* From there on in the memory; false: it is cut off. */
static bool recall_map(rcp_map *map, const rcp_atomicity_memory *memory, size_t *at) {
    const size_t n = *at < memory->len ? memory->at[(*at)++] : SIZE_MAX;
    if (n > (memory->len - *at) / 2)
        return false;
    for (size_t i = 0; i < n; i++, *at += 2)
        rcp_map_set(map, memory->at[*at], (uint32_t)memory->at[*at + 1]);
    return true;
}

void rcp_atomicity_recall(rcp_atomicity *work, const rcp_atomicity_memory *memory) {
    size_t at = NUMBERS;
    if (memory->len < NUMBERS)
        return;
    uint64_t *const numbers[] = {&work->n_places,  &work->possible, &work->n_shown,
                                 &work->not_shown, &work->lost,     &work->runs};
    for (size_t i = 0; i < NUMBERS; i++)
        *numbers[i] = memory->at[i];
    /* what is in results.db has a checksum */
    RCP_CHECK(recall_map(&work->places, memory, &at) && recall_map(&work->cut, memory, &at) &&
              recall_map(&work->shown, memory, &at));
}

/* --- what comes of it --- */

/* Those of the instances are known when all is done, for what one of them shows the others need not. */
static void put_limits(rcp_text *to, const rcp_limit_counts *reached) {
    size_t n = 0;
    rcp_text_puts(to, ", \"limits\": {");
    for (int i = 0; i < RCP_LIMITS; i++)
        if (reached->at[i]) {
            rcp_text_puts(to, n++ ? ", " : "");
            rcp_json_put_number(to, rcp_limit_borrow((rcp_limit_name)i)->name, reached->at[i]);
        }
    rcp_text_puts(to, "}");
}

rcp_code rcp_atomicity_keep(const rcp_atomicity *work, const char *why_not, const rcp_limit_counts *limits) {
    const struct {
        const char *key;
        uint64_t n;
    } numbers[] = {{"places", work->n_places},     {"possible", work->possible}, {"shown", work->n_shown},
                   {"not_shown", work->not_shown}, {"lost", work->lost},         {"runs", work->runs}};
    rcp_text told = {0};
    rcp_limit_counts reached = limits ? *limits : (rcp_limit_counts){0};
    reached.at[RCP_LIMIT_ATOMICITY_INSTANCES] = work->cut.len;
    rcp_text_puts(&told, "{ ");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        rcp_text_puts(&told, i ? ", " : "");
        rcp_json_put_number(&told, numbers[i].key, numbers[i].n);
    }
    if (why_not) {
        rcp_text_puts(&told, ", ");
        rcp_json_put_string(&told, "why_not", why_not);
    }
    put_limits(&told, &reached);
    rcp_text_puts(&told, " }");
    rcp_code code = rcp_results_put_violation(work->results, work->trace, 0, told.at);
    rcp_text_finish(&told);
    return code;
}

/* --- of the recorded run alone --- */

/* Whoever sleeps comes back within about as long as the recorded run was. */
static uint32_t patience_of(const char *directory) {
    const double took = rcp_inputs_seconds(directory) * 1000, most = (double)rcp_limit(RCP_LIMIT_STEER_PATIENCE);
    return (uint32_t)(took < most ? took : most);
}

static rcp_code look(rcp_atomicity *work, rcp_subject *run, const rcp_staged *staged) {
    bool is_clear; /* nobody is to find what our runs have left */
    RCP_TRY(rcp_subject_load(run, rcp_limit(RCP_LIMIT_EVENTS)));
    RCP_TRY(rcp_subject_lay_groundwork(run));
    RCP_TRY(rcp_atomicity_look(work, run));
    return rcp_leftovers_clear(work->leftovers, &staged->staging, rcp_leading_limit(&staged->staging, work->end),
                               work->notices, &is_clear);
}

/* The end of the time, in the midst of a run; or somebody has had enough, and it was ended. What was found stands. */
static rcp_code in_time(const rcp_atomicity *work, rcp_code code) {
    if (code == RCP_OK || code == RCP_INTERNAL || !((code == RCP_LIMIT && rcp_deadline_is_over()) || *work->stop))
        return code;
    rcp_clear_causes();
    rcp_limit_reached(RCP_LIMIT_ATOMICITY_SHARE);
    return RCP_OK;
}

rcp_code rcp_atomicity_run(const char *directory, const rcp_atomicity_how *how, const rcp_notices *notices) {
    rcp_staged staged = {.why_not = NULL};
    rcp_leftovers leftovers = {.top = NULL};
    rcp_subject run;
    rcp_atomicity work = {.directory = directory,
                          .notices = notices,
                          .staging = &staged.staging,
                          .leftovers = &leftovers,
                          .patience = patience_of(directory),
                          .end = how->end,
                          .stop = how->stop};
    rcp_atomicity_init(&work);
    rcp_limit_counts reached = {0}, *before = rcp_limits_capture(&reached); /* else they are the analysis's, too */
    rcp_deadline_set(how->end);
    rcp_subject_init(&run, directory, 0, false);
    rcp_stage_begin("looking for sections that others part");
    rcp_code code = rcp_subject_open(&run);
    if (code == RCP_OK)
        code = rcp_results_open(directory, &work.results);
    if (code == RCP_OK) {
        work.trace = rcp_results_key(run.reader);
        code = rcp_staged_init(&staged, directory, how->limit, how->prints_to_nobody);
        leftovers.top = staged.top;
    }
    if (code == RCP_OK && !staged.why_not)
        code = in_time(&work, look(&work, &run, &staged));
    const char *why_not = staged.why_not ? staged.why_not : leftovers.why_not.len ? leftovers.why_not.at : NULL;
    if (code == RCP_OK)
        code = rcp_atomicity_keep(&work, why_not, &reached);
    rcp_stage_end();
    rcp_variants_tidy(directory);
    rcp_atomicity_finish(&work);
    rcp_leftovers_finish(&leftovers);
    rcp_staged_finish(&staged);
    rcp_subject_finish(&run);
    rcp_results_close(work.results);
    rcp_limits_capture(before);
    rcp_deadline_set(0);
    return code;
}
