/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/solve/encode.h"

#include "predict/facts/mutant.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void list_objects(rcp_encoding *x) {
    const rcp_query *q = x->q;
    for (uint32_t node = 0; node < q->race; node++) {
        const rcp_event *e = rcp_query_event(q, node);
        uint32_t uses = rcp_event_traits(e->kind)->uses;
        if (uses & RCP_USES_OBJECT)
            rcp_vec_push(&x->objects, e->object.v);
        if (uses & RCP_USES_LOCK)
            rcp_vec_push(&x->objects, e->lock.v);
    }
    if (!x->objects.len)
        return;
    qsort(x->objects.at, x->objects.len, sizeof *x->objects.at, by_number);
    size_t kept = 1;
    for (size_t i = 1; i < x->objects.len; i++)
        if (x->objects.at[i] != x->objects.at[kept - 1])
            x->objects.at[kept++] = x->objects.at[i];
    x->objects.len = kept;
}

static void add_section(void *context, uint32_t section) {
    rcp_encoding *x = context;
    rcp_vec_push(&x->sections, section);
}

static void list_sections(rcp_encoding *x) {
    const rcp_run_facts *f = x->facts;
    x->first_section = rcp_alloc((x->objects.len + 1) * sizeof *x->first_section);
    for (size_t i = 0; i < x->objects.len; i++) {
        uint32_t lock = x->objects.at[i], first = f->first_section[lock], end = f->first_section[lock + 1];
        x->first_section[i] = (uint32_t)x->sections.len;
        if (first == end)
            continue;
        if (x->q->slice->start && !RCP_MUTANT(NO_LOCKS_HELD_BEFORE))
            rcp_run_facts_open_sections(f, lock, x->q->slice->start, x, add_section);
        for (uint32_t lo = first, hi = end; first < end;) { /* to the first that is acquired in the slice */
            if (lo == hi) {
                first = lo;
                break;
            }
            uint32_t middle = lo + (hi - lo) / 2;
            if (f->sections.at[middle].acquire < x->q->slice->start)
                lo = middle + 1;
            else
                hi = middle;
        }
        for (; first < end && f->sections.at[first].acquire < x->q->slice->end; first++)
            if (rcp_query_node(x->q, f->sections.at[first].acquire) < x->q->race &&
                f->sections.at[first].acquire != x->q->slice->turned) /* that one is not had */
                rcp_vec_push(&x->sections, first);
    }
    x->first_section[x->objects.len] = (uint32_t)x->sections.len;
}

static void set_up_slots(rcp_encoding *x) {
    const rcp_query *q = x->q;
    size_t slots = q->touched.len + 1;
    x->observed = rcp_alloc_zero(slots, sizeof *x->observed);
    x->took = rcp_alloc_zero(slots, sizeof *x->took);
    x->group_of = rcp_alloc(slots * sizeof *x->group_of);
    memset(x->group_of, 0xff, slots * sizeof *x->group_of);
    x->node_of = rcp_alloc_zero(slots, sizeof *x->node_of);
    x->explained = rcp_alloc_zero(slots, sizeof *x->explained);
    x->last = rcp_alloc_zero(q->places.len + 1, sizeof *x->last);
    x->left = rcp_alloc_zero(q->n, 1);
    x->value = rcp_alloc_zero(q->n, sizeof *x->value);
    x->deviation = rcp_alloc_zero(x->facts->trace->defs.threads.len + 1, sizeof *x->deviation);
    for (uint32_t node = 0; node < (q->swap == RCP_NO_EVENT ? q->race : q->n); node++) {
        const rcp_event *e = rcp_query_event(q, node);
        x->left[node] = e->valued ? RCP_LEFT_RECORDED : RCP_LEFT_AS_RECORDED;
        for (uint32_t i = 0; i < q->touches[node].n; i++) {
            uint32_t slot = q->touches[node].first + i;
            x->node_of[slot] = node;
            if (rcp_event_reads(e))
                x->observed[slot] = rcp_query_observed(q, q->event[node], &q->places.at[q->touched.at[slot]]);
        }
    }
}

void rcp_encoding_init(rcp_encoding *x, const rcp_query *q, rcp_relaxation relaxation, bool spurious,
                       rcp_ordering *order, rcp_evaluator *evaluator) {
    *x = (rcp_encoding){.q = q,
                        .facts = q->facts,
                        .relaxation = relaxation,
                        .spurious = spurious,
                        .order = order,
                        .rank = rcp_ordering_borrow_ranks(order),
                        .at = rcp_ordering_borrow_nodes(order),
                        .evaluator = evaluator};
    rcp_ranges_init(&x->modifier);
    rcp_map_init(&x->terms_seen);
    rcp_map_init(&x->held_at);
    rcp_map_init(&x->defined);
    x->initial_rank = rcp_alloc(q->n * sizeof *x->initial_rank);
    for (uint32_t i = 0; i < q->n; i++)
        x->initial_rank[q->initial[i]] = i;
    list_objects(x);
    list_sections(x);
    set_up_slots(x);
}

void rcp_encoding_finish(rcp_encoding *x) {
    void *blocks[] = {x->initial_rank, x->first_section, x->observed, x->took,  x->group_of, x->node_of,
                      x->explained,    x->last,          x->left,     x->value, x->deviation};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        rcp_release(blocks[i]);
    rcp_vec_finish(&x->clause);
    rcp_vec_finish(&x->objects);
    rcp_vec_finish(&x->sections);
    rcp_vec_finish(&x->events);
    rcp_vec_finish(&x->groups);
    rcp_vec_finish(&x->options);
    rcp_vec_finish(&x->slots);
    rcp_vec_finish(&x->terms);
    rcp_ranges_finish(&x->modifier);
    rcp_map_finish(&x->terms_seen);
    rcp_map_finish(&x->held_at);
    rcp_map_finish(&x->defined);
    rcp_vec_finish(&x->held);
    rcp_vec_finish(&x->deviating);
    *x = (rcp_encoding){0};
}

/* Is the state again the one in which that event did not come? */
static bool is_stuck(const rcp_encoding *x, const rcp_learnt *learnt, uint32_t stuck) {
    const int64_t at = rcp_encoding_rank(x, stuck);
    bool is_so = at <= rcp_encoding_rank(x, RCP_THE_RACE);
    for (uint32_t i = 0; i < learnt->n && is_so; i++) {
        uint32_t next = learnt->side[i].next, last = learnt->side[i].last;
        is_so = rcp_encoding_rank(x, next) > at && (last == RCP_NO_EVENT || rcp_encoding_rank(x, last) < at);
    }
    return is_so;
}

static bool look_at_learnt(rcp_encoding *x) {
    const rcp_slice *slice = x->q->slice;
    for (size_t k = 0; k < slice->n_learnt; k++) {
        const rcp_learnt *learnt = &slice->learnt[k];
        bool races = learnt->stuck == slice->race[0] || learnt->stuck == slice->race[1];
        uint32_t stuck = races ? RCP_THE_RACE : learnt->stuck;
        if (!is_stuck(x, learnt, stuck))
            continue;
        for (uint32_t i = 0; i < learnt->n; i++) {
            if (learnt->side[i].next != RCP_NO_EVENT)
                rcp_encoding_want(x, learnt->side[i].next, stuck);
            if (learnt->side[i].last != RCP_NO_EVENT)
                rcp_encoding_want(x, stuck, learnt->side[i].last);
        }
        if (!races)
            rcp_encoding_drop(x, stuck);
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

/* What comes after an event that is decided by itself does not count. */
static uint32_t turning_point(const rcp_slice *slice) {
    return slice->turned == RCP_NO_EVENT ? RCP_THE_RACE : slice->turned;
}

static bool is_had(const rcp_encoding *x, const rcp_slice_wanted *wanted) {
    const int64_t end = rcp_encoding_rank(x, turning_point(x->q->slice));
    for (size_t i = 0; i < wanted->n; i++)
        if (rcp_encoding_rank(x, wanted->event[i]) < end)
            return true;
    return false;
}

static bool look_at_wanted(rcp_encoding *x) {
    const rcp_slice *slice = x->q->slice;
    for (size_t k = 0; k < slice->n_wanted; k++) {
        if (is_had(x, &slice->wanted[k]))
            continue;
        for (size_t i = 0; i < slice->wanted[k].n; i++)
            rcp_encoding_want(x, slice->wanted[k].event[i], turning_point(slice));
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

/* A1: what is to come before another event. */
static bool look_at_arranged(rcp_encoding *x) {
    const rcp_arrangement *as = x->q->slice->arranged;
    for (unsigned i = 0; as && i < as->n; i++) {
        const uint32_t before = (uint32_t)as->before[i].v, after = (uint32_t)as->after[i].v;
        if (rcp_encoding_rank(x, before) < rcp_encoding_rank(x, after))
            continue;
        rcp_encoding_want(x, before, after);
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

bool rcp_encoding_look(rcp_encoding *x) {
    return look_at_arranged(x) && rcp_encoding_look_at_objects(x) && rcp_encoding_look_at_time(x) &&
           look_at_learnt(x) && look_at_wanted(x) && rcp_encoding_look_at_memory(x);
}

static uint32_t node_of_event(const rcp_encoding *x, uint32_t event) {
    if (event == RCP_THE_RACE)
        return x->q->race;
    return event == RCP_NO_EVENT ? RCP_NODE_FUTURE : rcp_query_node(x->q, event);
}

int64_t rcp_encoding_rank(const rcp_encoding *x, uint32_t event) {
    const int64_t far = INT64_C(1) << 40;
    uint32_t node = node_of_event(x, event);
    return node == RCP_NODE_PAST     ? (int64_t)event - far
           : node == RCP_NODE_FUTURE ? (int64_t)event + far
                                     : x->rank[node];
}

/* Events first come as recorded; the race stands where it stood at first. */
static bool likely(const rcp_encoding *x, uint32_t a, uint32_t b) {
    bool with_race = a == x->q->race || b == x->q->race;
    return with_race ? x->initial_rank[a] < x->initial_rank[b] : a < b;
}

void rcp_encoding_want(rcp_encoding *x, uint32_t before, uint32_t after) {
    uint32_t a = node_of_event(x, before), b = node_of_event(x, after);
    RCP_CHECK(rcp_encoding_rank(x, before) >= rcp_encoding_rank(x, after)); /* or the clause would exclude nothing */
    if (a >= x->q->n || b >= x->q->n || a == b || rcp_query_ordered(x->q, b, a))
        return; /* it can't be otherwise */
    rcp_vec_push(&x->clause, rcp_ordering_before(x->order, a, b, likely(x, a, b)));
}

void rcp_encoding_swap(rcp_encoding *x, uint32_t a, uint32_t b) {
    if (rcp_encoding_rank(x, a) < rcp_encoding_rank(x, b))
        rcp_encoding_want(x, b, a);
    else
        rcp_encoding_want(x, a, b);
}

void rcp_encoding_add(rcp_encoding *x) {
    if (x->clause.len > 1) {
        qsort(x->clause.at, x->clause.len, sizeof *x->clause.at, by_number);
        size_t kept = 1;
        for (size_t i = 1; i < x->clause.len; i++)
            if (x->clause.at[i] != x->clause.at[kept - 1])
                x->clause.at[kept++] = x->clause.at[i];
        x->clause.len = kept;
    }
    rcp_ordering_clause(x->order, x->clause.at, x->clause.len);
    x->clause.len = 0;
    x->clauses++;
}

/* Models. */
bool rcp_encoding_pins_condition(const rcp_encoding *x, uint32_t event) {
    const rcp_event *e = rcp_run_facts_event(x->facts, event);
    return x->relaxation == RCP_RELAX_DATA && (e->kind == RCP_BRANCH || rcp_term_is_real(e->cond));
}

bool rcp_encoding_pins_address(const rcp_encoding *x, uint32_t event) {
    const rcp_event *e = rcp_run_facts_event(x->facts, event);
    bool heap = rcp_event_is_access(e) && x->facts->trace->life[event];
    return x->relaxation == RCP_RELAX_DATA && (heap || e->addr_term.v != RCP_TERM_CONST.v);
}

/* Reads-from. */
static const rcp_query_place *place_of(const rcp_encoding *x, uint32_t slot) {
    return &x->q->places.at[x->q->touched.at[slot]];
}

rcp_write_left rcp_encoding_byte(const rcp_encoding *x, const rcp_query_place *place, uint32_t source, uint64_t addr,
                                 uint8_t *value) {
    if (!source && !place->life)
        return rcp_observed_initial(&x->facts->observed, addr, value) ? RCP_LEFT_VALUE : RCP_LEFT_AS_RECORDED;
    if (!source) {
        *value = 0;
        return rcp_run_facts_event(x->facts, place->life - 1)->outcome == RCP_ZEROED ? RCP_LEFT_VALUE
                                                                                     : RCP_LEFT_UNKNOWN;
    }
    const rcp_event *w = rcp_run_facts_event(x->facts, source - 1);
    if (rcp_event_is_opaque(w))
        return RCP_LEFT_AS_RECORDED;
    uint32_t node = rcp_query_node(x->q, source - 1);
    rcp_write_left left = w->valued ? RCP_LEFT_RECORDED : RCP_LEFT_AS_RECORDED;
    if (node < x->q->race)
        left = x->left[node];
    else if (x->relaxation != RCP_RELAX_NOTHING && x->facts->unknown && rcp_bit(x->facts->unknown, source - 1))
        left = RCP_LEFT_UNKNOWN;
    if (left == RCP_LEFT_RECORDED)
        *value = rcp_event_written(w)[addr - w->addr];
    if (left == RCP_LEFT_VALUE)
        *value = (uint8_t)(x->value[node] >> 8 * (addr - w->addr));
    return left;
}

/* Is the known byte what its writer recorded? */
static bool as_written(const rcp_encoding *x, uint32_t source, uint64_t addr, uint8_t value) {
    if (!source)
        return true;
    const rcp_event *w = rcp_run_facts_event(x->facts, source - 1);
    return w->valued && rcp_event_written(w)[addr - w->addr] == value;
}

bool rcp_encoding_deviates(const rcp_encoding *x, uint32_t slot, uint32_t source) {
    const rcp_query_place *place = place_of(x, slot);
    const rcp_event *e = rcp_query_event(x->q, x->node_of[slot]);
    bool same = source == x->observed[slot];
    for (uint64_t addr = place->lo; addr < (RCP_MUTANT(NO_BYTE_OVERLAP) ? place->lo + 1 : place->hi); addr++) {
        uint8_t value = 0;
        switch (rcp_encoding_byte(x, place, source, addr, &value)) {
        case RCP_LEFT_RECORDED:
            if (same)
                return false; /* as it was, and so is the rest of the place */
            /* fall through */
        case RCP_LEFT_VALUE:
            if (e->valued ? value != rcp_event_bytes(e)[addr - e->addr] : !same || !as_written(x, source, addr, value))
                return true;
            break;
        case RCP_LEFT_AS_RECORDED:
            if (!same)
                return true;
            break;
        case RCP_LEFT_UNKNOWN: return true;
        }
    }
    return false;
}

bool rcp_encoding_keeps_value(const rcp_encoding *x, uint32_t slot, uint32_t source) {
    return !rcp_encoding_deviates(x, slot, source);
}

/* Can the read take what `writer` left, as far as the edges say? Not where they put it after the read, or another write
 * between the two. */
static bool reachable(const rcp_encoding *x, const rcp_query_place *place, uint32_t read, uint32_t writer) {
    const rcp_query *q = x->q;
    bool past = writer == RCP_NODE_PAST;
    if (!past && (writer == read || rcp_query_ordered(q, read, writer)))
        return false;
    for (uint32_t i = 0; i < place->n_writers; i++) {
        uint32_t other = q->writers.at[place->first_writer + i];
        if (other != writer && other != read && rcp_query_ordered(q, other, read) &&
            (past || rcp_query_ordered(q, writer, other)))
            return false;
    }
    return true;
}

static void add_option(rcp_encoding *x, rcp_group *group, uint32_t source, bool first_choice) {
    if (x->relaxation == RCP_RELAX_NOTHING && !rcp_encoding_keeps_value(x, group->slot, source))
        return;
    rcp_vec_push(&x->options, ((rcp_option_from){source, rcp_ordering_choice(x->order, first_choice)}));
    group->n++;
}

const rcp_group *rcp_encoding_borrow_group(rcp_encoding *x, uint32_t slot) {
    if (x->group_of[slot] != NONE)
        return &x->groups.at[x->group_of[slot]];
    const rcp_query *q = x->q;
    const rcp_query_place *place = place_of(x, slot);
    rcp_group group = {.slot = slot, .node = x->node_of[slot], .first = (uint32_t)x->options.len};
    if (reachable(x, place, group.node, RCP_NODE_PAST) && !RCP_MUTANT(NO_INITIAL_VALUES))
        add_option(x, &group, place->base, place->base == x->took[slot]);
    for (uint32_t i = 0; i < place->n_writers; i++) {
        uint32_t writer = q->writers.at[place->first_writer + i];
        if (reachable(x, place, group.node, writer))
            add_option(x, &group, q->event[writer] + 1, q->event[writer] + 1 == x->took[slot]);
    }
    x->group_of[slot] = (uint32_t)x->groups.len;
    rcp_vec_push(&x->groups, group);

    RCP_VEC(rcp_lit) lits = {0}; /* a clause of its own: another one may be half done */
    if (group.node != q->race && !rcp_query_ordered(q, group.node, q->race))
        rcp_vec_push(&lits, rcp_ordering_before(x->order, q->race, group.node, likely(x, q->race, group.node)));
    for (uint32_t i = 0; i < group.n; i++)
        rcp_vec_push(&lits, x->options.at[group.first + i].lit);
    rcp_ordering_clause(x->order, lits.at, lits.len);
    rcp_vec_finish(&lits);
    return &x->groups.at[x->group_of[slot]];
}

rcp_lit rcp_encoding_choice(rcp_encoding *x, uint32_t slot, uint32_t source) {
    const rcp_group *group = rcp_encoding_borrow_group(x, slot);
    for (uint32_t i = 0; i < group->n; i++)
        if (x->options.at[group->first + i].source == source)
            return x->options.at[group->first + i].lit;
    RCP_CHECK(RCP_MUTANT(NO_INITIAL_VALUES)); /* or a read took what the edges rule out */
    return RCP_LIT_FALSE;
}
