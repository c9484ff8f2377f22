/* SPDX-License-Identifier: Apache-2.0 */
#include "report/finding.h"

#include "base/file.h"
#include "base/json.h"
#include "report/allocated.h"
#include "report/stored.h"
#include "report/testcase.h"
#include "results/fingerprint.h"
#include "trace/model/limit_facts.h"
#include "trace/model/own_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- one pass over the trace fetches every event that a report mentions --- */

/* An event that is wanted: by its number, or by its thread and place there. */
typedef struct wish {
    uint64_t key; /* event number, or thread << 32 | position */
    size_t race;
    size_t slot; /* which of the race's two events (RECORDED: the end of the recorded beginning; DECIDING and the next
                    one: of those that decide what turns), or which step */
} wish;

enum { RECORDED = 2, DECIDING };

typedef RCP_VEC(wish) wishes;

typedef struct collector {
    rcp_reader *reader;
    const rcp_defs *defs;
    uint32_t variant; /* whose races are looked at */
    rcp_stat *stat;
    rcp_finding *all; /* one per race of the summary */
    wishes events, stops;
    wishes deeds;           /* accesses that may be of synchronisation objects: the key is their thread */
    size_t *next;           /* per thread: its next entry of stops */
    rcp_position *position; /* per thread: how many of its events have been seen */
    rcp_owned_list *held;   /* per thread: the locks that it has by now */
    rcp_ranges blocks;      /* memory that is allocated: where, by the program */
    rcp_owned *gave_up;     /* per thread: the lock that it gave up last */
    rcp_frame *created;     /* per thread: where, and who called that; of those that somebody created */
    bool *is_created;
    rcp_frame *joined; /* per thread: where somebody waited for its end, and who called that */
    rcp_loc *test;     /* per thread: the frame of the test's case that created it, or who did; 0: none did */
} collector;

static int by_key(const void *x, const void *y) {
    const wish *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->race != b->race ? (a->race < b->race ? -1 : 1) : a->slot < b->slot ? -1 : a->slot > b->slot;
}

static void sort_wishes(wishes *list) {
    if (list->len)
        qsort(list->at, list->len, sizeof *list->at, by_key);
}

static rcp_code wish_for_all(collector *c, const rcp_summary *summary, uint64_t events, const char *directory) {
    for (size_t i = 0; i < summary->races.len; i++) {
        const rcp_race *race = &summary->races.at[i];
        if (race->variant != c->variant)
            continue;
        c->all[i] = (rcp_finding){
            .race = race, .reader = c->reader, .defs = c->defs, .models = race->models, .instances = race->instances};
        for (size_t k = 0; k < 2; k++) {
            if (race->event[k].v >= events)
                return rcp_fail(RCP_BAD_INPUT,
                                "%s: results.db speaks of event %llu, the trace has %llu; run 'recipe analyze' again",
                                directory, (unsigned long long)race->event[k].v, (unsigned long long)events);
            rcp_vec_push(&c->events, ((wish){race->event[k].v, i, k}));
        }
        for (size_t k = 0; k < 2 && rcp_race_is_decided(race); k++) {
            if (race->deciding[k].v >= events)
                return rcp_fail(RCP_BAD_INPUT,
                                "%s: results.db speaks of a read and a write that the trace does not have; run 'recipe "
                                "analyze' again",
                                directory);
            rcp_vec_push(&c->events, ((wish){race->deciding[k].v, i, DECIDING + k}));
        }
        c->all[i].recorded.eid = RCP_NO_EID;
        if (race->witness.recorded > events)
            return rcp_fail(RCP_BAD_INPUT,
                            "%s: results.db has a schedule of %llu recorded events, the trace has %llu; run 'recipe "
                            "analyze' again",
                            directory, (unsigned long long)race->witness.recorded, (unsigned long long)events);
        if (race->witness.recorded)
            rcp_vec_push(&c->events, ((wish){race->witness.recorded - 1, i, RECORDED}));
        size_t steps = race->witness.steps.len;
        c->all[i].schedule = rcp_alloc_zero(steps ? steps : 1, sizeof(rcp_stop));
        for (size_t k = 0; k < steps; k++) {
            rcp_witness_step step = race->witness.steps.at[k];
            if (step.tid.v >= c->defs->threads.len || !step.to)
                return rcp_fail(RCP_BAD_INPUT,
                                "%s: results.db has a schedule that does not fit the trace; run 'recipe "
                                "analyze' again",
                                directory);
            c->all[i].schedule[k] = (rcp_stop){.tid = step.tid, .eid = RCP_NO_EID};
            rcp_vec_push(&c->stops, ((wish){(uint64_t)step.tid.v << 32 | (step.to - 1), i, k}));
        }
    }
    sort_wishes(&c->events);
    sort_wishes(&c->stops);
    for (size_t i = 0, t = 0; t < c->defs->threads.len; t++) {
        c->next[t] = i;
        while (i < c->stops.len && c->stops.at[i].key >> 32 == t)
            i++;
    }
    return RCP_OK;
}

static void keep(rcp_event *to, const rcp_event *event) {
    *to = *event;
    if (rcp_event_is_access(event) && event->size > 8) { /* the bytes are the reader's and go with its next batch */
        to->valued = 0;
        to->value = to->written = 0;
    }
}

/* What comes after an access in its thread says whether it is one of a synchronisation object. */
static void ask_deeds(collector *c, const rcp_event *event) {
    size_t kept = 0;
    for (size_t i = 0; i < c->deeds.len; i++) {
        wish w = c->deeds.at[i];
        rcp_finding *finding = &c->all[w.race];
        if (w.key != event->tid.v || rcp_deed_ask(&finding->deed[w.slot], c->defs, &finding->access[w.slot], event))
            c->deeds.at[kept++] = w;
    }
    c->deeds.len = kept;
}

static rcp_stop stop_at(const rcp_event *event, uint64_t eid) {
    return (rcp_stop){.tid = event->tid,
                      .eid = {eid},
                      .loc = event->loc,
                      .stack = event->stack,
                      .object = event->object,
                      .addr = event->addr,
                      .kind = event->kind};
}

static void follow_block(collector *c, const rcp_event *event) {
    const uint64_t end = event->value < UINT64_MAX - event->addr ? event->addr + event->value : UINT64_MAX;
    if (event->kind == RCP_ALLOC && event->value)
        rcp_ranges_set(&c->blocks, event->addr, end, rcp_own_place(c->defs, event).v);
    else if (event->kind == RCP_FREE && event->value)
        rcp_ranges_erase(&c->blocks, event->addr, end);
}

/* The program's own place, and who called that. */
static rcp_frame own_frame(const rcp_defs *defs, const rcp_event *event) {
    const rcp_loc own = rcp_own_place(defs, event);
    rcp_frame frame = {event->loc, event->stack};
    while (frame.loc.v != own.v && frame.caller.v)
        frame = defs->stacks.at[frame.caller.v];
    return frame;
}

static rcp_owned give_up(const rcp_defs *defs, const rcp_event *event) {
    const rcp_frame own = own_frame(defs, event);
    return (rcp_owned){.object = event->object, .mode = event->mode, .loc = own.loc, .stack = own.caller};
}

static rcp_loc test_of(const collector *c, const rcp_event *event) {
    const rcp_loc own = rcp_testcase_find(c->defs, event);
    return own.v ? own : c->test[event->tid.v];
}

/* An access that was wished for, before what it does to its block. */
static void take(collector *c, const wish *w, const rcp_event *event) {
    rcp_finding *finding = &c->all[w->race];
    keep(&finding->access[w->slot], event);
    rcp_vec_copy(&finding->held[w->slot], &c->held[event->tid.v]);
    if (c->gave_up[event->tid.v].stack.v == own_frame(c->defs, event).caller.v)
        finding->gave_up[w->slot] = c->gave_up[event->tid.v];
    if (c->is_created[event->tid.v]) {
        finding->created[w->slot] = c->created[event->tid.v].loc;
        finding->created_by[w->slot] = c->created[event->tid.v].caller;
    }
    finding->test[w->slot] = test_of(c, event);
    uint32_t block = rcp_ranges_get(&c->blocks, event->addr);
    if (block != RCP_RANGES_NONE && !finding->allocated.v)
        finding->allocated.v = block;
    if (!rcp_deed_of_slot(&finding->deed[w->slot], event) && rcp_deed_is_possible(event))
        rcp_vec_push(&c->deeds, ((wish){event->tid.v, w->race, w->slot}));
}

static rcp_code pass(collector *c, rcp_reader *reader) {
    rcp_batch batch;
    size_t wanted = 0;
    RCP_TRY(rcp_reader_seek(reader, (rcp_eid){0}));
    for (;;) {
        RCP_TRY(rcp_reader_next(reader, &batch));
        if (!batch.n)
            return RCP_OK;
        for (size_t i = 0; i < batch.n; i++) {
            const rcp_event *event = &batch.at[i];
            uint64_t eid = batch.first.v + i;
            rcp_stat_add(c->stat, event);
            ask_deeds(c, event);
            rcp_owned_follow(&c->held[event->tid.v], event);
            if (event->kind == RCP_RELEASE)
                c->gave_up[event->tid.v] = give_up(c->defs, event);
            if (event->kind == RCP_JOIN && event->outcome == RCP_DONE)
                c->joined[event->child.v] = own_frame(c->defs, event);
            if (event->kind == RCP_FORK) {
                c->created[event->child.v] = own_frame(c->defs, event);
                c->is_created[event->child.v] = true;
                c->test[event->child.v] = test_of(c, event);
            }
            for (; wanted < c->events.len && c->events.at[wanted].key == eid; wanted++) {
                rcp_finding *finding = &c->all[c->events.at[wanted].race];
                const size_t slot = c->events.at[wanted].slot;
                if (slot == RECORDED)
                    finding->recorded = stop_at(event, eid);
                else if (slot >= DECIDING) {
                    keep(&finding->deciding[slot - DECIDING], event);
                    rcp_vec_copy(&finding->deciding_held[slot - DECIDING], &c->held[event->tid.v]);
                } else
                    take(c, &c->events.at[wanted], event);
            }
            if (wanted < c->events.len)
                follow_block(c, event);
            uint64_t place = (uint64_t)event->tid.v << 32 | c->position[event->tid.v]++;
            for (size_t *n = &c->next[event->tid.v]; *n < c->stops.len && c->stops.at[*n].key == place; ++*n)
                c->all[c->stops.at[*n].race].schedule[c->stops.at[*n].slot] = stop_at(event, eid);
        }
    }
}

/* --- sorting and joining --- */

static int compare_u64(uint64_t a, uint64_t b) { return a == b ? 0 : a < b ? -1 : 1; }

/* Program points in the order of the source; memory without a location by address. 0: the same static access. */
static int compare_points(const rcp_defs *of_a, const rcp_event *a, const rcp_defs *of_b, const rcp_event *b) {
    const rcp_location *p = &of_a->locations.at[a->loc.v], *q = &of_b->locations.at[b->loc.v];
    int c = strcmp(rcp_defs_borrow_string(of_a, p->file), rcp_defs_borrow_string(of_b, q->file));
    c = c ? c : compare_u64(p->line, q->line);
    c = c ? c : compare_u64(p->column, q->column);
    c = c ? c : strcmp(rcp_defs_borrow_string(of_a, p->function), rcp_defs_borrow_string(of_b, q->function));
    if (!c && !a->loc.v && !b->loc.v)
        c = compare_u64(a->addr, b->addr);
    return c ? c : compare_u64(a->kind, b->kind);
}

static int compare_pairs(const rcp_finding *a, const rcp_finding *b) {
    bool turn_a = compare_points(a->defs, &a->access[0], a->defs, &a->access[1]) > 0;
    bool turn_b = compare_points(b->defs, &b->access[0], b->defs, &b->access[1]) > 0;
    int c = compare_points(a->defs, &a->access[turn_a], b->defs, &b->access[turn_b]);
    return c ? c : compare_points(a->defs, &a->access[!turn_a], b->defs, &b->access[!turn_b]);
}

bool rcp_finding_is_same(const rcp_finding *a, const rcp_finding *b) { return !compare_pairs(a, b); }

static uint64_t hash_string(uint64_t h, const char *string) {
    for (; *string; string++)
        h = (h ^ (uint8_t)*string) * UINT64_C(0x100000001b3);
    return (h ^ 256) * UINT64_C(0x100000001b3);
}

uint64_t rcp_finding_points(const rcp_finding *finding) {
    bool turn = compare_points(finding->defs, &finding->access[0], finding->defs, &finding->access[1]) > 0;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 2; i++) {
        const rcp_event *access = &finding->access[turn ? !i : i];
        const rcp_location *at = &finding->defs->locations.at[access->loc.v];
        char place[96];
        snprintf(place, sizeof place, "%u %u %u %llu", at->line, at->column, (unsigned)access->kind,
                 access->loc.v ? 0 : (unsigned long long)access->addr);
        h = hash_string(h, rcp_defs_borrow_string(finding->defs, at->file));
        h = hash_string(h, rcp_defs_borrow_string(finding->defs, at->function));
        h = hash_string(h, place);
    }
    return h;
}

/* In the child of a fork: both were before it. */
static bool is_parents(const rcp_finding *finding) {
    const char *forked = rcp_defs_borrow_fact(finding->defs, "forked");
    uint64_t at = forked ? strtoull(forked, NULL, 10) : 0;
    return finding->race->event[0].v < at && finding->race->event[1].v < at;
}

/* A schedule that shows both next to each other says more than the rules of the language; these say more than one that
 * the program did not follow. */
static int rank_of(const rcp_race *race) {
    enum { LANGUAGE = 2 };
    static const int rank[RCP_RACE_STATUSES] = {
        [RCP_RACE_CONFIRMED] = 0, [RCP_RACE_PREDICTED] = 1, [RCP_RACE_NOT_REPLAYED] = 3,
        [RCP_RACE_NOT_TRIED] = 3, [RCP_RACE_UNPROVEN] = 4,  [RCP_RACE_UNDECIDED] = 4};
    const bool is_by_language = rcp_race_is_proven(race) && !rcp_race_is_unconfirmed(race);
    return is_by_language && rcp_model_first(race->models) == RCP_MODEL_C11 ? LANGUAGE : rank[race->status];
}

static int by_place(const void *x, const void *y) {
    const rcp_finding *a = x, *b = y;
    int c = compare_pairs(a, b);
    if (c)
        return c;
    /* of one pair, what speaks for all comes first: confirmed, proven, by the first model */
    c = rank_of(a->race) - rank_of(b->race);
    c = c ? c : compare_u64(rcp_model_first(a->models), rcp_model_first(b->models));
    c = c ? c : compare_u64(a->race->variant, b->race->variant);
    c = c ? c : compare_u64(a->race->event[0].v, b->race->event[0].v);
    return c ? c : compare_u64(a->race->event[1].v, b->race->event[1].v);
}

static void join(rcp_finding *into, const rcp_finding *other) {
    into->is_undecided |= other->race->status == RCP_RACE_UNDECIDED;
    if (rcp_race_is_proven(into->race) == rcp_race_is_proven(other->race)) {
        into->models |= other->models;
        rcp_vec_push(&into->others, other->race);
    }
    if (other->instances > into->instances)
        into->instances = other->instances;
}

void rcp_findings_count(rcp_findings *findings, const rcp_finding *finding, int n) {
    unsigned *const counts[RCP_RACE_STATUSES] = {
        [RCP_RACE_CONFIRMED] = &findings->confirmed,
        [RCP_RACE_PREDICTED] = &findings->predicted,
        [RCP_RACE_NOT_REPLAYED] = &findings->not_replayed,
        [RCP_RACE_NOT_TRIED] = &findings->not_tried,
    };
    *counts[finding->race->status] += (unsigned)n;
}

void rcp_findings_set_aside(rcp_findings *findings, rcp_finding *finding, const struct rcp_suppression *by) {
    if (rcp_finding_fate(finding) == RCP_FATE_COUNTS)
        rcp_findings_count(findings, finding, -1);
    if (by)
        finding->suppressed = by;
    else
        finding->is_known = true;
}

/* The finding takes its place in the report; its fingerprint tells it from those before it that hash alike. */
static void list(rcp_findings *findings, rcp_finding *finding, rcp_map *seen) {
    finding->address = rcp_overlap(&finding->access[0], &finding->access[1], &finding->size);
    finding->variable = rcp_defs_find_variable(finding->defs, finding->address);
    for (size_t k = 0; k < 2 && !finding->allocated.v; k++)
        if (finding->access[k].kind == RCP_FREE)
            finding->allocated = rcp_allocated_where(finding->defs, finding->race->event[k]);
    if (rcp_finding_end_side(finding) < 2)
        finding->lent = rcp_stored_where(finding->reader, finding->address, finding->race->event[1]);
    uint64_t fingerprint = rcp_fingerprint(finding->defs, &finding->access[0], &finding->access[1]);
    uint32_t *same = rcp_map_at(seen, fingerprint);
    *same = *same == RCP_MAP_NONE ? 0 : *same + 1;
    finding->fingerprint = rcp_fingerprint_number(fingerprint, *same);
    if (!rcp_race_is_proven(finding->race)) {
        findings->undecided += finding->is_undecided || finding->race->status == RCP_RACE_UNDECIDED;
        rcp_vec_push(&findings->unproven, *finding);
        return;
    }
    finding->id = (unsigned)findings->proven.len + 1;
    rcp_findings_count(findings, finding, 1);
    rcp_vec_push(&findings->proven, *finding);
}

static void finish_finding(rcp_finding *finding) {
    rcp_release(finding->schedule);
    rcp_vec_finish(&finding->held[0]);
    rcp_vec_finish(&finding->held[1]);
    rcp_vec_finish(&finding->deciding_held[0]);
    rcp_vec_finish(&finding->deciding_held[1]);
    rcp_vec_finish(&finding->others);
    rcp_vec_finish(&finding->also);
}

static void arrange(rcp_findings *findings, rcp_finding *all, size_t n) {
    rcp_map proven, unproven;
    rcp_map_init(&proven);
    rcp_map_init(&unproven);
    if (n)
        qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0, first; i < n;) {
        for (first = i++; i < n && !compare_pairs(&all[first], &all[i]); i++) {
            join(&all[first], &all[i]);
            finish_finding(&all[i]);
        }
        if (is_parents(&all[first]))
            finish_finding(&all[first]);
        else
            list(findings, &all[first], rcp_race_is_proven(all[first].race) ? &proven : &unproven);
    }
    rcp_map_finish(&proven);
    rcp_map_finish(&unproven);
}

static rcp_code fits(const collector *c, size_t races, const char *directory) {
    for (size_t i = 0; i < races; i++) {
        if (c->all[i].race->variant != c->variant)
            continue;
        bool whole = rcp_event_conflict(&c->all[i].access[0], &c->all[i].access[1]);
        for (size_t k = 0; k < c->all[i].race->witness.steps.len; k++)
            whole = whole && c->all[i].schedule[k].eid.v != RCP_NO_EID.v;
        if (!whole)
            return rcp_fail(RCP_BAD_INPUT,
                            "%s: results.db speaks of a race between events %llu and %llu that does not fit the trace; "
                            "run 'recipe analyze' again",
                            directory, (unsigned long long)c->all[i].race->event[0].v,
                            (unsigned long long)c->all[i].race->event[1].v);
    }
    return RCP_OK;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* --- what was not looked at --- */

static void name_once(rcp_gap *gap, const char *name) {
    for (size_t i = 0; i < gap->names.len; i++)
        if (!strcmp(gap->names.at[i], name))
            return;
    rcp_gap_name(gap, name);
}

/* Threads that somebody created, and whose code nobody ever ran: the process ended first. Of a trace that is only the
 * beginning of the run nobody knows: they may have begun later. */
static void add_never_ran(rcp_gaps *gaps, const collector *c, bool is_whole) {
    uint64_t n = 0;
    for (size_t t = 0; is_whole && t < c->defs->threads.len; t++)
        n += c->is_created[t] && !c->position[t];
    rcp_gap *gap = rcp_gaps_add(gaps, RCP_GAP_THREADS, n,
                                "Threads were created and never ran: what they would have done is not known.");
    rcp_text place = {0};
    for (size_t t = 0; gap && t < c->defs->threads.len; t++) {
        if (!c->is_created[t] || c->position[t] || !c->created[t].loc.v)
            continue;
        rcp_text_clear(&place);
        rcp_finding_location(&place, c->defs, c->created[t].loc);
        name_once(gap, place.at);
    }
    rcp_text_finish(&place);
}

void rcp_findings_note_not_tried(rcp_findings *findings) {
    rcp_gaps_drop(&findings->gaps, RCP_GAP_REPLAYS);
    rcp_gap *gap = rcp_gaps_add(&findings->gaps, RCP_GAP_REPLAYS, findings->not_tried,
                                "Of what the checkers accepted, some was not carried out on the program: whether it "
                                "happens there is not known.");
    for (size_t i = 0; gap && i < findings->proven.len; i++) {
        char id[16];
        snprintf(id, sizeof id, "%u", findings->proven.at[i].id);
        if (findings->proven.at[i].race->status == RCP_RACE_NOT_TRIED &&
            rcp_finding_fate(&findings->proven.at[i]) == RCP_FATE_COUNTS)
            rcp_gap_name(gap, id);
    }
}

/* docs/report.md, 'What was not looked at', is the list of these. */
static void add_gaps(rcp_findings *findings) {
    rcp_limit_counts reached;
    rcp_summary_limits(findings->summary, &reached);
    rcp_limit_facts_add(findings->defs, &reached);
    if (findings->loss)
        rcp_gaps_add(&findings->gaps, RCP_GAP_CUT, 1, "%s", findings->loss);
    const char *cut = rcp_defs_borrow_fact(findings->defs, "cut");
    if (cut)
        rcp_gaps_add(&findings->gaps, RCP_GAP_CUT, 1, "%s", cut);
    rcp_findings_note_not_tried(findings);
    rcp_gaps_of_analyses(&findings->gaps, findings->summary, &reached, findings->counts.events, findings->undecided,
                         findings->defs);
}

/* Mostly after both accesses. */
static void note_joins(collector *c, const rcp_summary *summary) {
    for (size_t i = 0; i < summary->races.len; i++)
        for (size_t k = 0; k < 2 && summary->races.at[i].variant == c->variant; k++)
            c->all[i].joined[k] = c->joined[c->all[i].access[k].tid.v];
}

/* The events of one variant's races; of the trace itself also how much there is of it, and who never ran. */
static rcp_code collect_from(rcp_reader *reader, uint32_t variant, const rcp_summary *summary, const char *directory,
                             rcp_finding *all, rcp_findings *of_trace) {
    const rcp_defs *defs = rcp_reader_borrow_defs(reader);
    size_t races = summary->races.len, threads = defs->threads.len;
    collector c = {.reader = reader, .defs = defs, .variant = variant, .stat = rcp_stat_create(defs), .all = all};
    c.next = rcp_alloc_zero(threads ? threads : 1, sizeof *c.next);
    c.position = rcp_alloc_zero(threads ? threads : 1, sizeof *c.position);
    c.held = rcp_alloc_zero(threads ? threads : 1, sizeof *c.held);
    c.gave_up = rcp_alloc_zero(threads ? threads : 1, sizeof *c.gave_up);
    c.created = rcp_alloc_zero(threads ? threads : 1, sizeof *c.created);
    c.is_created = rcp_alloc_zero(threads ? threads : 1, sizeof *c.is_created);
    c.joined = rcp_alloc_zero(threads ? threads : 1, sizeof *c.joined);
    c.test = rcp_alloc_zero(threads ? threads : 1, sizeof *c.test);
    rcp_ranges_init(&c.blocks);
    rcp_code code = wish_for_all(&c, summary, rcp_reader_count(reader), directory);
    if (code == RCP_OK)
        code = pass(&c, reader);
    if (code == RCP_OK && threads)
        note_joins(&c, summary);
    if (code == RCP_OK)
        code = fits(&c, races, directory);
    if (of_trace) {
        of_trace->counts = *rcp_stat_borrow_counts(c.stat);
        add_never_ran(&of_trace->gaps, &c, !of_trace->loss && !rcp_defs_borrow_fact(defs, "told until"));
    }
    rcp_stat_destroy(c.stat);
    for (size_t t = 0; t < threads; t++)
        rcp_vec_finish(&c.held[t]);
    rcp_release(c.held);
    rcp_ranges_finish(&c.blocks);
    rcp_release(c.gave_up);
    rcp_release(c.created);
    rcp_release(c.is_created);
    rcp_release(c.joined);
    rcp_release(c.test);
    rcp_release(c.next);
    rcp_vec_finish(&c.deeds);
    rcp_release(c.position);
    rcp_vec_finish(&c.events);
    rcp_vec_finish(&c.stops);
    return code;
}

/* Races are sorted by variant. */
static rcp_code collect_variants(rcp_findings *findings, const rcp_summary *summary, const char *directory,
                                 rcp_finding *all) {
    uint32_t last = 0;
    for (size_t i = 0; i < summary->races.len; i++) {
        const rcp_race *race = &summary->races.at[i];
        if (race->variant == last)
            continue;
        last = race->variant;
        char *path = rcp_race_take_directory(race, directory);
        rcp_reader *reader;
        rcp_code code = rcp_reader_open(path, &reader);
        if (code == RCP_OK) {
            rcp_vec_push(&findings->variants, reader);
            code = collect_from(reader, last, summary, path, all, NULL);
        }
        rcp_release(path);
        RCP_TRY(code);
    }
    return RCP_OK;
}

static int64_t recorded_when(const char *directory) {
    char *path = rcp_file_take_path(directory, "run.json");
    struct stat is;
    const int64_t when = stat(path, &is) ? 0 : is.st_mtime;
    rcp_release(path);
    return when;
}

/* As whoever recorded a command of several processes has found out (record/ctest.h). */
static char *take_ctest(const char *directory) {
    rcp_arena arena;
    rcp_text text = {0};
    const rcp_json *run = NULL;
    rcp_arena_init(&arena);
    if (rcp_file_read_if_there(directory, "run.json", &text) != RCP_OK ||
        (text.len && rcp_json_parse("run.json", text.at, text.len, &arena, &run) != RCP_OK))
        rcp_clear_causes();
    const char *name = rcp_json_string(rcp_json_member(run, "test"));
    char *copy = name ? rcp_copy(name, strlen(name) + 1) : NULL;
    rcp_arena_finish(&arena);
    rcp_text_finish(&text);
    return copy;
}

rcp_code rcp_findings_collect(rcp_findings *findings, rcp_reader *reader, const rcp_summary *summary,
                              const char *directory) {
    const rcp_defs *defs = rcp_reader_borrow_defs(reader);
    *findings = (rcp_findings){.defs = defs, .summary = summary, .loss = rcp_reader_borrow_loss(reader)};
    const char *program = rcp_defs_borrow_fact(defs, "program"), *source = rcp_defs_borrow_fact(defs, "source");
    findings->program = program ? program : base_name(source ? source : directory);
    size_t races = summary->races.len;
    rcp_finding *all = rcp_alloc_zero(races ? races : 1, sizeof *all);
    const int64_t recorded_at = recorded_when(directory);
    findings->ctest = take_ctest(directory);
    for (size_t i = 0; i < races; i++)
        all[i].race = &summary->races.at[i];
    rcp_code code = collect_from(reader, 0, summary, directory, all, findings);
    if (code == RCP_OK)
        code = collect_variants(findings, summary, directory, all);
    for (size_t i = 0; i < races; i++) {
        all[i].recorded_at = recorded_at;
        all[i].ctest = findings->ctest;
    }
    if (code == RCP_OK) {
        arrange(findings, all, races);
        add_gaps(findings);
        code = rcp_findings_add_ends(findings, directory);
        rcp_findings_add_parted(findings, summary);
        rcp_findings_name_ends(findings);
        for (size_t i = 0; i < findings->deadlocks.len; i++)
            findings->deadlocks.at[i].recorded_at = recorded_at;
        for (size_t i = 0; i < findings->possible.len; i++)
            findings->possible.at[i].recorded_at = recorded_at;
    } else
        for (size_t i = 0; i < races; i++)
            finish_finding(&all[i]);
    rcp_release(all);
    return code;
}

void rcp_findings_finish(rcp_findings *findings) {
    for (size_t i = 0; i < findings->proven.len; i++)
        finish_finding(&findings->proven.at[i]);
    for (size_t i = 0; i < findings->unproven.len; i++)
        finish_finding(&findings->unproven.at[i]);
    rcp_vec_finish(&findings->proven);
    rcp_vec_finish(&findings->unproven);
    rcp_gaps_finish(&findings->gaps);
    rcp_findings_drop_deadlocks(findings);
    rcp_vec_finish(&findings->crashes);
    rcp_findings_finish_parted(findings);
    rcp_release(findings->ctest);
    rcp_vec_finish(&findings->known_crashes);
    for (size_t i = 0; i < findings->variants.len; i++)
        rcp_reader_close(findings->variants.at[i]);
    rcp_vec_finish(&findings->variants);
}

bool rcp_findings_are_of_all_runs(const rcp_findings *findings) {
    const rcp_summary *summary = findings->summary;
    bool is = summary->work.models & RCP_MODEL_BIT(RCP_MODEL_HUNT) && !summary->unfinished && !findings->gaps.len &&
              !findings->together && rcp_summary_statistic(summary, RCP_STATISTIC_HUNT_OPEN) <= 0;
    for (size_t i = 0; i < summary->statistics.len; i++)
        is &= summary->statistics.at[i].id != RCP_STATISTIC_HUNT_REASON;
    return is;
}
