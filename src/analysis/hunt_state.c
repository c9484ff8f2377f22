/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_state.h"

#include "analysis/variant.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/varint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Goes up where what is kept would mean something else: what a hunt asks, what a decision is. Then it begins anew. */
enum { VERSION = 5 };
enum { DECISIONS, TURNS, WHOLE };

void rcp_hunt_state_init(rcp_hunt_state *state) {
    *state = (rcp_hunt_state){.made = 0};
    rcp_map_init(&state->ends);
    rcp_map_init(&state->stands);
    rcp_map_init(&state->stood);
}

static void finish_turns(rcp_hunt_run *run) {
    for (size_t i = 0; i < run->turns.len; i++) {
        rcp_vec_finish(&run->turns.at[i].lost);
        rcp_vec_finish(&run->turns.at[i].given_up);
        rcp_vec_finish(&run->turns.at[i].ended);
    }
    rcp_vec_finish(&run->turns);
}

static void finish_run(rcp_hunt_run *run, bool is_ours) {
    rcp_decisions_finish(&run->decisions);
    finish_turns(run);
    rcp_vec_finish(&run->overtakings);
    if (is_ours && run->subject) {
        rcp_subject_finish(run->subject);
        rcp_release(run->subject);
    }
    rcp_release(run->why_open);
    rcp_release(run);
}

void rcp_hunt_state_finish(rcp_hunt_state *state) {
    for (size_t i = 0; i < state->runs.len; i++)
        finish_run(state->runs.at[i], i > 0);
    rcp_vec_finish(&state->runs);
    rcp_map_finish(&state->ends);
    rcp_map_finish(&state->stands);
    rcp_map_finish(&state->stood);
    rcp_vec_finish(&state->curve.at);
    rcp_vec_finish(&state->atomicity);
}

rcp_hunt_run *rcp_hunt_state_add(rcp_hunt_state *state, rcp_subject *subject) {
    rcp_hunt_run *run = rcp_alloc_zero(1, sizeof *run);
    run->subject = subject;
    run->variant = subject ? subject->variant : 0;
    run->is_changed = true;
    rcp_map_init(&run->decisions.told);
    rcp_vec_push(&state->runs, run);
    return run;
}

/* What was left out of its events is left out, however often it is asked about. */
static bool has_reached(const rcp_hunt_run *run) {
    for (int i = 0; i < RCP_LIMITS; i++)
        if (run->reached.at[i] && rcp_limit_borrow((rcp_limit_name)i)->scope != RCP_LIMIT_OF_EVENTS)
            return true;
    return false;
}

bool rcp_hunt_run_is_settled(const rcp_hunt_run *run) {
    bool is =
        run->is_searched && run->is_listed && !has_reached(run) && run->stood == run->standings && !run->not_stood;
    for (size_t i = 0; is && i < run->turns.len; i++)
        is = run->turns.at[i].state == RCP_HUNT_ASKED && !run->turns.at[i].undecided;
    for (size_t i = 0; is && i < run->overtakings.len; i++)
        is = run->overtakings.at[i].state == RCP_HUNT_ASKED && !run->overtakings.at[i].is_undecided;
    return is;
}

uint64_t rcp_hunt_state_lost(const rcp_hunt_state *state) {
    uint64_t n = 0;
    for (size_t i = 0; i < state->runs.len; i++)
        for (size_t k = 0; k < state->runs.at[i]->turns.len; k++) {
            const rcp_hunt_turn *turn = &state->runs.at[i]->turns.at[k];
            n += turn->lost.len + turn->given_up.len;
        }
    for (size_t i = 0; i < state->runs.len; i++)
        for (size_t k = 0; k < state->runs.at[i]->overtakings.len; k++)
            n += state->runs.at[i]->overtakings.at[k].is_lost;
    return n;
}

uint64_t rcp_hunt_state_open(const rcp_hunt_state *state) {
    uint64_t n = rcp_hunt_state_lost(state);
    for (size_t i = 0; i < state->runs.len; i++) {
        const rcp_hunt_run *run = state->runs.at[i];
        n += run->left + !(run->is_listed && run->is_searched); /* nobody knows how many; one at least */
        n += run->standings - run->stood + run->not_stood;
        for (size_t k = 0; k < run->turns.len; k++) {
            const rcp_hunt_turn *turn = &run->turns.at[k];
            n += turn->undecided + turn->left + (turn->state != RCP_HUNT_ASKED);
        }
        for (size_t k = 0; k < run->overtakings.len; k++)
            n += run->overtakings.at[k].is_undecided || run->overtakings.at[k].state != RCP_HUNT_ASKED;
    }
    return n;
}

/* --- as bytes --- */

typedef RCP_VEC(uint8_t) bytes;

static void put(bytes *to, uint64_t x) {
    rcp_vec_reserve(to, RCP_VARINT_MAX);
    to->len = (size_t)(rcp_varint_put(to->at + to->len, x) - to->at);
}

/* What is no small number: hashes, and seconds. */
static void put_word(bytes *to, const void *word) { memcpy(rcp_vec_extend(to, 8), word, 8); }

static void put_ways(bytes *to, const rcp_hunt_ways *ways) {
    put(to, ways->len);
    for (size_t i = 0; i < ways->len; i++)
        put(to, ways->at[i]);
}

static void put_text(bytes *to, const char *text) {
    const size_t n = strlen(text);
    put(to, n);
    if (n)
        memcpy(rcp_vec_extend(to, n), text, n);
}

typedef struct source {
    const uint8_t *at, *end; /* `at` NULL: it is cut off */
} source;

static uint64_t get(source *from) {
    uint64_t x = 0;
    from->at = from->at ? rcp_varint_get(from->at, from->end, &x) : NULL;
    return from->at ? x : 0;
}

static void get_word(source *from, void *word) {
    memset(word, 0, 8);
    if (!from->at || from->end - from->at < 8) {
        from->at = NULL;
        return;
    }
    memcpy(word, from->at, 8);
    from->at += 8;
}

static void get_ways(source *from, rcp_hunt_ways *ways) {
    for (uint64_t n = get(from); n && from->at; n--)
        rcp_vec_push(ways, get(from));
}

/* Where it stands, and *n; NULL: it is cut off. */
static const char *get_text(source *from, size_t *n) {
    *n = get(from);
    const char *text = (const char *)from->at;
    from->at = text && *n <= (size_t)(from->end - from->at) ? from->at + *n : NULL;
    return from->at ? text : NULL;
}

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Ascending, each as what it is more than the one before. */
static void put_set(bytes *to, const rcp_map *set) {
    RCP_VEC(uint64_t) all = {0};
    uint64_t before = 0;
    RCP_MAP_EACH(set, slot)
        rcp_vec_push(&all, slot->key);
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_size);
    put(to, all.len);
    for (size_t i = 0; i < all.len; before = all.at[i++])
        put(to, all.at[i] - before);
    rcp_vec_finish(&all);
}

static void get_set(source *from, rcp_map *set) {
    uint64_t before = 0;
    for (uint64_t n = get(from); n && from->at; n--)
        rcp_map_set(set, before += get(from), 1);
}

/* Loops decide the same again and again: each kind of decision stands there once, and a decision is its number. */
static void put_decisions(bytes *to, const rcp_hunt_run *run) {
    const rcp_decisions *d = &run->decisions;
    RCP_VEC(const rcp_decision *) kinds = {0};
    bytes list = {0};
    rcp_map numbers;
    rcp_map_init(&numbers);
    for (size_t t = 0; t < d->threads.len; t++) {
        uint32_t event = 0;
        put_word(&list, &d->threads.at[t].name);
        put(&list, d->threads.at[t].at.len);
        for (size_t i = 0; i < d->threads.at[t].at.len; i++) {
            const rcp_decision *one = &d->threads.at[t].at.at[i];
            uint64_t kind = rcp_hash_join(rcp_hash_join(one->place, one->side), one->way);
            for (uint32_t k = 0; k < one->reads; k++)
                kind = rcp_hash_join(kind, d->words.at[one->first_read + k]);
            uint32_t *number = rcp_map_at(&numbers, kind);
            if (*number == RCP_MAP_NONE) {
                *number = (uint32_t)kinds.len;
                rcp_vec_push(&kinds, one);
            }
            put(&list, *number);
            put(&list, one->event - event);
            event = one->event;
        }
    }
    put_word(to, &d->number);
    put(to, kinds.len);
    for (size_t i = 0; i < kinds.len; i++) {
        put_word(to, &kinds.at[i]->place);
        put(to, kinds.at[i]->side);
        put(to, kinds.at[i]->value);
        put_word(to, &kinds.at[i]->way);
        put(to, kinds.at[i]->reads);
        for (uint32_t k = 0; k < kinds.at[i]->reads; k++)
            put(to, d->words.at[kinds.at[i]->first_read + k]);
    }
    put_set(to, &d->told);
    put(to, d->threads.len);
    if (list.len)
        memcpy(rcp_vec_extend(to, list.len), list.at, list.len);
    put(to, run->may_stand);
    put_text(to, run->why_open ? run->why_open : "");
    rcp_map_finish(&numbers);
    rcp_vec_finish(&kinds);
    rcp_vec_finish(&list);
}

static bool get_decisions(source *from, rcp_hunt_run *run) {
    rcp_decisions *d = &run->decisions;
    RCP_VEC(rcp_decision) kinds = {0};
    get_word(from, &d->number);
    for (uint64_t n = get(from); n && from->at; n--) {
        rcp_decision kind = {.first_read = (uint32_t)d->words.len};
        get_word(from, &kind.place);
        kind.side = get(from);
        kind.value = get(from);
        get_word(from, &kind.way);
        kind.reads = (uint32_t)get(from);
        for (uint32_t k = 0; k < kind.reads && from->at; k++)
            rcp_vec_push(&d->words, get(from));
        rcp_vec_push(&kinds, kind);
    }
    get_set(from, &d->told);
    for (uint64_t n = get(from); n && from->at; n--) {
        rcp_decisions_thread thread = {.name = 0};
        uint32_t event = 0;
        get_word(from, &thread.name);
        for (uint64_t k = get(from); k && from->at; k--) {
            const uint64_t number = get(from), more = get(from);
            from->at = number < kinds.len ? from->at : NULL;
            if (!from->at)
                break;
            rcp_vec_push(&thread.at, kinds.at[number]);
            thread.at.at[thread.at.len - 1].event = event += (uint32_t)more;
        }
        rcp_vec_push(&d->threads, thread);
    }
    size_t n;
    run->may_stand = get(from);
    const char *why = get_text(from, &n);
    if (why && n) {
        run->why_open = memcpy(rcp_alloc(n + 1), why, n);
        run->why_open[n] = 0;
    }
    rcp_vec_finish(&kinds);
    return from->at == from->end;
}

static void put_turns(bytes *to, const rcp_hunt_run *run, uint64_t options) {
    put_word(to, &options);
    put(to, rcp_hunt_run_is_settled(run));
    put(to, run->is_searched);
    put(to, run->is_parted);
    put(to, run->is_listed);
    put(to, run->left);
    put(to, run->standings);
    put(to, run->stood);
    put(to, run->not_stood);
    put(to, run->turns.len);
    for (size_t i = 0; i < run->turns.len; i++) {
        const rcp_hunt_turn *turn = &run->turns.at[i];
        put(to, turn->at.event);
        put(to, turn->at.models);
        put_word(to, &turn->at.place);
        put_word(to, &turn->place);
        put(to, turn->is_twofold);
        put(to, turn->state);
        put(to, turn->undecided);
        put(to, turn->left);
        put_ways(to, &turn->lost);
        put_ways(to, &turn->given_up);
        put_ways(to, &turn->ended);
    }
    put(to, run->overtakings.len);
    for (size_t i = 0; i < run->overtakings.len; i++) {
        const rcp_hunt_overtaking *it = &run->overtakings.at[i];
        put(to, it->of.earlier);
        put(to, it->of.later);
        put_word(to, &it->as);
        put_word(to, &it->else_as);
        put(to, it->state);
        put(to, it->is_undecided);
        put(to, it->is_lost);
    }
    for (int i = 0; i < RCP_LIMITS; i++)
        if (run->reached.at[i]) {
            put_text(to, rcp_limit_borrow((rcp_limit_name)i)->name); /* numbers change with the version */
            put(to, run->reached.at[i]);
        }
}

static void get_turn(source *from, rcp_hunt_turn *turn) {
    turn->at.event = (uint32_t)get(from);
    turn->at.models = (uint32_t)get(from);
    get_word(from, &turn->at.place);
    get_word(from, &turn->place);
    turn->is_twofold = get(from);
    turn->state = (uint8_t)get(from);
    turn->undecided = get(from);
    turn->left = get(from);
    get_ways(from, &turn->lost);
    get_ways(from, &turn->given_up);
    get_ways(from, &turn->ended);
}

static void get_overtaking(source *from, rcp_hunt_overtaking *it) {
    it->of.earlier = (uint32_t)get(from);
    it->of.later = (uint32_t)get(from);
    get_word(from, &it->as);
    get_word(from, &it->else_as);
    it->state = (uint8_t)get(from);
    it->is_undecided = get(from);
    it->is_lost = get(from);
}

/* Under other options it is as if nobody had asked, unless it is settled. */
static bool get_turns(source *from, rcp_hunt_run *run, uint64_t options) {
    uint64_t under;
    get_word(from, &under);
    const bool is_settled = get(from);
    if (under != options && !is_settled)
        return from->at;
    run->is_searched = get(from);
    run->is_parted = get(from);
    run->is_listed = get(from);
    run->left = get(from);
    run->standings = get(from);
    run->stood = get(from);
    run->not_stood = get(from);
    for (uint64_t n = get(from); n && from->at; n--) {
        rcp_hunt_turn turn = {.state = RCP_HUNT_NOT_ASKED};
        get_turn(from, &turn);
        rcp_vec_push(&run->turns, turn);
    }
    for (uint64_t n = get(from); n && from->at; n--) {
        rcp_hunt_overtaking it = {.state = RCP_HUNT_NOT_ASKED};
        get_overtaking(from, &it);
        rcp_vec_push(&run->overtakings, it);
    }
    while (from->at && from->at < from->end) {
        size_t n;
        rcp_limit_name limit;
        const char *name = get_text(from, &n);
        const uint64_t times = get(from);
        if (from->at && rcp_limit_find(name, n, &limit))
            run->reached.at[limit] += times;
    }
    return from->at;
}

static void put_whole(bytes *to, const rcp_hunt_state *state) {
    put(to, VERSION);
    put(to, state->made);
    put(to, state->again);
    put(to, state->pairs);
    put_word(to, &state->seconds);
    put_set(to, &state->ends);
    put_set(to, &state->stands);
    put_set(to, &state->stood);
    put_word(to, &state->curve.step);
    put(to, state->curve.at.len);
    for (size_t i = 0; i < state->curve.at.len; i++) {
        const rcp_hunt_point *p = &state->curve.at.at[i];
        put_word(to, &p->seconds);
        put(to, p->runs);
        put(to, p->classes);
        put(to, p->branches);
        put(to, p->races);
    }
    put(to, state->atomicity.len);
    for (size_t i = 0; i < state->atomicity.len; i++)
        put_word(to, &state->atomicity.at[i]);
}

static bool get_whole(source *from, rcp_hunt_state *state) {
    if (get(from) != VERSION)
        return false;
    state->made = get(from);
    state->again = get(from);
    state->pairs = get(from);
    get_word(from, &state->seconds);
    get_set(from, &state->ends);
    get_set(from, &state->stands);
    get_set(from, &state->stood);
    get_word(from, &state->curve.step);
    for (uint64_t n = get(from); n && from->at; n--) {
        rcp_hunt_point p;
        get_word(from, &p.seconds);
        p.runs = get(from);
        p.classes = get(from);
        p.branches = get(from);
        p.races = get(from);
        rcp_vec_push(&state->curve.at, p);
    }
    for (uint64_t n = get(from); n && from->at; n--) {
        uint64_t word;
        get_word(from, &word);
        rcp_vec_push(&state->atomicity, word);
    }
    return from->at == from->end;
}

/* --- kept --- */

rcp_code rcp_hunt_state_keep(rcp_hunt_state *state, rcp_results *results, uint64_t options) {
    RCP_VEC(rcp_hunted_part) parts = {0};
    RCP_VEC(bytes) all = {0};
    bytes whole = {0};
    put_whole(&whole, state);
    rcp_vec_push(&parts, ((rcp_hunted_part){.part = WHOLE, .at = whole.at, .n = whole.len}));
    rcp_vec_push(&all, whole);
    for (size_t i = 0; i < state->runs.len; i++) {
        rcp_hunt_run *run = state->runs.at[i];
        bytes decisions = {0}, turns = {0};
        if (!run->is_kept) {
            put_decisions(&decisions, run);
            rcp_vec_push(&parts, ((rcp_hunted_part){(uint32_t)i, DECISIONS, 0, decisions.at, decisions.len}));
            rcp_vec_push(&all, decisions);
        }
        if (run->is_changed) {
            const uint32_t needed = rcp_hunt_run_is_settled(run) ? 0 : run->variant;
            put_turns(&turns, run, options);
            rcp_vec_push(&parts, ((rcp_hunted_part){(uint32_t)i, TURNS, needed, turns.at, turns.len}));
            rcp_vec_push(&all, turns);
        }
    }
    rcp_code code = rcp_results_keep_hunted(results, parts.at, parts.len);
    for (size_t i = 0; code == RCP_OK && i < state->runs.len; i++) {
        state->runs.at[i]->is_kept = true;
        state->runs.at[i]->is_changed = false;
    }
    for (size_t i = 0; i < all.len; i++)
        rcp_vec_finish(&all.at[i]);
    rcp_vec_finish(&all);
    rcp_vec_finish(&parts);
    return code;
}

typedef struct recalling {
    rcp_hunt_state *state;
    const char *directory;
    rcp_subject *first;
    uint64_t options;
    bool is_whole; /* that part is there */
    bool is_wrong; /* what is kept is of another version */
} recalling;

static rcp_subject *find_subject(const recalling *r, uint32_t number) {
    char *path = rcp_variant_take_path(r->directory, number);
    rcp_subject *subject = NULL;
    if (number && rcp_file_is_there(path)) {
        subject = rcp_alloc(sizeof *subject);
        rcp_subject_init(subject, path, number, false);
    }
    rcp_release(path);
    return subject;
}

static rcp_code recall_part(void *context, const rcp_hunted_part *part) {
    recalling *r = context;
    source from = {part->at, (const uint8_t *)part->at + part->n};
    rcp_hunt_state *state = r->state;
    if (part->part == WHOLE) {
        r->is_whole = get_whole(&from, state);
        r->is_wrong |= !r->is_whole;
    } else if (part->part == DECISIONS) {
        rcp_hunt_run *run = rcp_hunt_state_add(state, part->run ? NULL : r->first);
        run->is_kept = true;
        r->is_wrong |= part->run + 1 != state->runs.len || !get_decisions(&from, run);
    } else if (part->run + 1 == state->runs.len) {
        rcp_hunt_run *run = state->runs.at[part->run];
        run->variant = part->variant;
        run->subject = part->run ? find_subject(r, part->variant) : r->first;
        run->is_changed = false;
        r->is_wrong |= !get_turns(&from, run, r->options);
    } else {
        r->is_wrong = true;
    }
    return RCP_OK;
}

rcp_code rcp_hunt_state_recall(rcp_hunt_state *state, rcp_results *results, uint64_t options, const char *directory,
                               rcp_subject *first, bool *is_there) {
    recalling r = {.state = state, .directory = directory, .first = first, .options = options};
    *is_there = false;
    RCP_TRY(rcp_results_recall_hunted(results, recall_part, &r));
    *is_there = r.is_whole && !r.is_wrong && state->runs.len;
    if (*is_there)
        return RCP_OK;
    rcp_hunt_state_finish(state);
    rcp_hunt_state_init(state);
    return rcp_results_drop_hunted(results);
}
