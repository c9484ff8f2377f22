/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/partings.h"

#include "analysis/points.h"
#include "base/hash.h"
#include "base/limits.h"

enum {
    WIDEST = 8,
    DEEPEST = 4,    /* sections that a thread is in at once */
    KEPT_READS = 8, /* of a thread, of the same bytes: the last one of each place */
    NEAR = 256,     /* writes of the same bytes before the access, and after it */
    NOWHERE = UINT32_MAX,
};

typedef struct held {
    uint32_t n, section[DEEPEST];
} held;

typedef struct kept_read {
    uint32_t event;
    uint64_t place;
    held in;
} kept_read;

typedef struct reads {
    uint32_t n, next;
    kept_read at[KEPT_READS];
} reads;

/* A read and what it matters to, of one thread. */
typedef struct pair {
    uint32_t read, access, of_read, of_access; /* sections by number */
    uint64_t places;
} pair;

typedef struct finding {
    const rcp_run_facts *facts;
    const rcp_trace *trace;
    RCP_VEC(uint64_t) points; /* by location */
    RCP_VEC(held) held;       /* by thread */
    RCP_VEC(uint32_t) all;    /* by thread: a branch of which nothing is known, and so depends on all reads before it */
    rcp_map reads_at;         /* thread and bytes -> in `reads` */
    RCP_VEC(reads) reads;
    rcp_bits *decided; /* reads that a branch of their thread depends on, so far */
    RCP_VEC(pair) pairs;
    rcp_map begins_at; /* section and bytes -> the section in which what matters to them was read first */
    rcp_map best_at;   /* while one pair's writes are looked at: place and thread -> in `writes` */
    RCP_VEC(uint32_t) writes;
    rcp_eids terms;
    rcp_partings *found;
} finding;

static uint64_t place_of(const finding *f, const rcp_event *e) {
    return rcp_hash_join(f->points.at[e->loc.v], rcp_hash_join(e->kind, e->size));
}

static uint64_t bytes_of(const rcp_event *e, uint32_t who) {
    return rcp_hash_join(rcp_hash_join(e->addr, e->size), who);
}

static bool is_looked_at(const rcp_event *e) { return rcp_event_is_access(e) && e->size <= WIDEST && e->loc.v; }

/* --- sections --- */

static void enter(finding *f, uint32_t event) {
    const uint32_t section = rcp_map_get(&f->facts->section_at, event);
    held *in = &f->held.at[rcp_run_facts_event(f->facts, event)->tid.v];
    if (section != RCP_MAP_NONE && in->n < DEEPEST)
        in->section[in->n++] = section;
}

static void leave(finding *f, uint32_t event) {
    held *in = &f->held.at[rcp_run_facts_event(f->facts, event)->tid.v];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < in->n; i++)
        if (f->facts->sections.at[in->section[i]].release != event)
            in->section[kept++] = in->section[i];
    in->n = kept;
}

/* One that an ACQUIRE begins and a RELEASE ends: whoever waits for a condition in between expects others to write. */
static bool is_plain(const finding *f, const rcp_critical *s) {
    return rcp_run_facts_event(f->facts, s->acquire)->kind == RCP_ACQUIRE && s->release != RCP_NO_EVENT &&
           rcp_run_facts_event(f->facts, s->release)->kind == RCP_RELEASE;
}

static const rcp_critical *section_of(const finding *f, uint32_t number) { return &f->facts->sections.at[number]; }

/* Two sections of one lock, the one over before the other begins. */
static bool find_sections(const finding *f, const held *first, const held *then, bool writes, pair *to) {
    for (uint32_t i = 0; i < first->n; i++)
        for (uint32_t k = 0; k < then->n; k++) {
            const rcp_critical *a = section_of(f, first->section[i]), *b = section_of(f, then->section[k]);
            if (a->lock != b->lock || a->release >= b->acquire || !is_plain(f, a) || !is_plain(f, b) ||
                (writes && b->mode != RCP_EXCLUSIVE))
                continue;
            to->of_read = first->section[i];
            to->of_access = then->section[k];
            return true;
        }
    return false;
}

/* --- what matters --- */

static void decide(finding *f, uint32_t event, rcp_term by) {
    if (by.v == RCP_TERM_ALL.v)
        f->all.at[rcp_run_facts_event(f->facts, event)->tid.v] = event + 1;
    if (!rcp_term_is_real(by))
        return;
    f->terms.len = 0;
    rcp_term_reads(&f->trace->terms, by, &f->terms);
    for (size_t i = 0; i < f->terms.len; i++)
        f->decided[f->terms.at[i].v / 64] |= UINT64_C(1) << f->terms.at[i].v % 64;
}

static bool depends(finding *f, rcp_term term, uint32_t read) {
    if (!rcp_term_is_real(term))
        return term.v == RCP_TERM_ALL.v;
    f->terms.len = 0;
    rcp_term_reads(&f->trace->terms, term, &f->terms);
    for (size_t i = 0; i < f->terms.len; i++)
        if (f->terms.at[i].v == read)
            return true;
    return false;
}

/* U2 */
static bool matters(finding *f, uint32_t read, const rcp_event *to) {
    return rcp_bit(f->decided, read) || f->all.at[to->tid.v] > read || depends(f, to->addr_term, read) ||
           (rcp_event_writes(to) && depends(f, to->value_term, read));
}

/* --- pairs --- */

static bool is_enough(finding *f, uint64_t places) {
    uint32_t *n = rcp_map_at(&f->found->instances, places);
    *n = *n == RCP_MAP_NONE ? 1 : *n + 1;
    return *n > rcp_limit(RCP_LIMIT_ATOMICITY_INSTANCES);
}

static void note_begin(finding *f, const pair *p) {
    uint32_t *first = rcp_map_at(&f->begins_at, bytes_of(rcp_run_facts_event(f->facts, p->access), p->of_access));
    if (*first == RCP_MAP_NONE || section_of(f, p->of_read)->acquire < section_of(f, *first)->acquire)
        *first = p->of_read;
}

static void pair_with(finding *f, uint32_t event, const reads *before) {
    const rcp_event *e = rcp_run_facts_event(f->facts, event);
    for (uint32_t i = 0; i < before->n; i++) {
        pair p = {.read = before->at[i].event, .access = event};
        if (!find_sections(f, &before->at[i].in, &f->held.at[e->tid.v], rcp_event_writes(e), &p) ||
            !matters(f, p.read, e))
            continue;
        note_begin(f, &p);
        p.places = rcp_hash_join(before->at[i].place, place_of(f, e));
        if (!is_enough(f, p.places))
            rcp_vec_push(&f->pairs, p);
    }
}

static void keep_read(finding *f, uint32_t event, reads *to) {
    const rcp_event *e = rcp_run_facts_event(f->facts, event);
    const kept_read read = {event, place_of(f, e), f->held.at[e->tid.v]};
    for (uint32_t i = 0; i < to->n; i++)
        if (to->at[i].place == read.place) {
            to->at[i] = read;
            return;
        }
    to->at[to->next] = read;
    to->next = (to->next + 1) % KEPT_READS;
    to->n += to->n < KEPT_READS;
}

/* Its reads with a lock of these bytes, since it last wrote them; NULL: there are none yet. */
static reads *reads_of(finding *f, const rcp_event *e, bool is_made) {
    const uint64_t key = bytes_of(e, e->tid.v);
    uint32_t at = rcp_map_get(&f->reads_at, key);
    if (at == RCP_MAP_NONE && is_made) {
        at = (uint32_t)f->reads.len;
        rcp_map_set(&f->reads_at, key, at);
        rcp_vec_push(&f->reads, (reads){.n = 0});
    }
    return at == RCP_MAP_NONE ? NULL : &f->reads.at[at];
}

static void look_at_access(finding *f, uint32_t event) {
    const rcp_event *e = rcp_run_facts_event(f->facts, event);
    const bool has_lock = f->held.at[e->tid.v].n, reads_only = !rcp_event_writes(e);
    reads *before = reads_of(f, e, has_lock && reads_only);
    if (!before)
        return;
    if (has_lock)
        pair_with(f, event, before);
    if (!reads_only) /* what it read before is not what it takes to be there */
        before->n = before->next = 0;
    else if (has_lock)
        keep_read(f, event, before);
}

static void list_pairs(finding *f) {
    for (uint32_t i = 0; i < f->trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f->facts, i);
        if (e->kind == RCP_ACQUIRE || e->kind == RCP_WAKE)
            enter(f, i);
        if (e->kind == RCP_RELEASE || e->kind == RCP_WAIT)
            leave(f, i);
        if (is_looked_at(e))
            look_at_access(f, i);
        if (e->kind == RCP_BRANCH || rcp_event_is_access(e))
            decide(f, i, e->cond);
    }
}

/* --- writes --- */

typedef struct holder {
    const finding *f;
    uint32_t tid, section;
} holder;

static void take_section(void *context, uint32_t section) {
    holder *h = context;
    if (section_of(h->f, section)->tid == h->tid)
        h->section = section;
}

/* The section of the lock that the write is in; NOWHERE: in none that keeps all others out. */
static uint32_t find_section(const finding *f, uint32_t lock, uint32_t write) {
    holder h = {f, rcp_run_facts_event(f->facts, write)->tid.v, NOWHERE};
    rcp_run_facts_open_sections(f->facts, lock, write, &h, take_section);
    const bool is = h.section != NOWHERE && section_of(f, h.section)->mode == RCP_EXCLUSIVE &&
                    is_plain(f, section_of(f, h.section));
    return is ? h.section : NOWHERE;
}

static uint32_t distance(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

/* Of each place and thread the closest. */
static void choose_write(finding *f, const pair *p, uint32_t write) {
    const rcp_event *w = rcp_run_facts_event(f->facts, write), *e = rcp_run_facts_event(f->facts, p->access);
    if (w->tid.v == e->tid.v || w->addr != e->addr || w->size != e->size || !is_looked_at(w))
        return;
    uint32_t *best = rcp_map_at(&f->best_at, rcp_hash_join(place_of(f, w), w->tid.v));
    if (*best == RCP_MAP_NONE) {
        *best = (uint32_t)f->writes.len;
        rcp_vec_push(&f->writes, write);
    } else if (distance(write, p->access) < distance(f->writes.at[*best], p->access)) {
        f->writes.at[*best] = write;
    }
}

static void list_writes(finding *f, const pair *p) {
    const rcp_event *e = rcp_run_facts_event(f->facts, p->access);
    const uint32_t list = rcp_map_get(&f->facts->word_at, e->addr / 8);
    f->writes.len = 0;
    rcp_map_finish(&f->best_at);
    rcp_map_init(&f->best_at);
    if (list == RCP_MAP_NONE)
        return;
    const rcp_lists *writers = &f->facts->writers;
    const size_t first = writers->first[list], end = writers->first[list + 1];
    const size_t here = first + rcp_lists_before(writers, list, p->access);
    for (size_t i = here > first + NEAR ? here - NEAR : first; i < end && i < here + NEAR; i++)
        choose_write(f, p, writers->at[i]);
}

static void part(finding *f, const pair *p, uint32_t write) {
    const rcp_event *w = rcp_run_facts_event(f->facts, write);
    const uint32_t section = find_section(f, section_of(f, p->of_read)->lock, write);
    const uint64_t places = rcp_hash_join(p->places, place_of(f, w));
    if (section == NOWHERE || is_enough(f, places))
        return;
    const uint32_t begins = rcp_map_get(&f->begins_at, bytes_of(w, section));
    rcp_vec_push(&f->found->at, ((rcp_parting){.read = p->read,
                                               .access = p->access,
                                               .write = write,
                                               .of_read = section_of(f, p->of_read),
                                               .of_access = section_of(f, p->of_access),
                                               .of_write = section_of(f, section),
                                               .begins = section_of(f, begins == RCP_MAP_NONE ? section : begins),
                                               .places = places,
                                               .own = p->places}));
}

/* --- all of them --- */

static void begin(finding *f) {
    const rcp_defs *defs = &f->trace->defs;
    rcp_map_init(&f->reads_at);
    rcp_map_init(&f->begins_at);
    rcp_map_init(&f->best_at);
    f->decided = rcp_alloc_zero(f->trace->events.len / 64 + 1, sizeof *f->decided);
    for (uint32_t i = 0; i < defs->locations.len; i++)
        rcp_vec_push(&f->points, rcp_point_of_location(defs, (rcp_loc){i}));
    for (size_t t = 0; t < defs->threads.len; t++) {
        rcp_vec_push(&f->held, (held){.n = 0});
        rcp_vec_push(&f->all, 0);
    }
}

static void finish(finding *f) {
    rcp_map_finish(&f->reads_at);
    rcp_map_finish(&f->begins_at);
    rcp_map_finish(&f->best_at);
    rcp_release(f->decided);
    rcp_vec_finish(&f->points);
    rcp_vec_finish(&f->held);
    rcp_vec_finish(&f->all);
    rcp_vec_finish(&f->reads);
    rcp_vec_finish(&f->pairs);
    rcp_vec_finish(&f->writes);
    rcp_vec_finish(&f->terms);
}

void rcp_partings_find(rcp_partings *partings, const rcp_run_facts *facts) {
    finding f = {.facts = facts, .trace = facts->trace, .found = partings};
    *partings = (rcp_partings){.at = {0}};
    rcp_map_init(&partings->instances);
    begin(&f);
    list_pairs(&f);
    for (size_t i = 0; i < f.pairs.len; i++) {
        list_writes(&f, &f.pairs.at[i]);
        for (size_t k = 0; k < f.writes.len; k++)
            part(&f, &f.pairs.at[i], f.writes.at[k]);
    }
    finish(&f);
}

bool rcp_partings_is_cut(const rcp_partings *partings, const rcp_parting *p) {
    const uint64_t listed = rcp_limit(RCP_LIMIT_ATOMICITY_INSTANCES);
    return rcp_map_get(&partings->instances, p->places) > listed || rcp_map_get(&partings->instances, p->own) > listed;
}

void rcp_partings_finish(rcp_partings *partings) {
    rcp_vec_finish(&partings->at);
    rcp_map_finish(&partings->instances);
}
